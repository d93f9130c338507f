"""Strings with staged values in them: f-strings, str(), print and messages of exceptions."""

from __future__ import annotations

import enum
import math
import types
from typing import Any

import numpy as np

from autograph.control.chosen_contents import chosen_contents, with_each
from autograph.control.whole_reads import Shown, read_whole
from autograph.operators.calls.dispatch import call, special_method
from autograph.operators.expressions.truth import choose, to_number
from autograph.operators.strings.format_errors import check_format, is_misformatted
from autograph.operators.strings.snapshots import (
    FORMATTED,
    frozen_parts,
    has_own_text,
    is_staged,
    unless_under_way,
)
from autograph.runtime.core.number import Number
from autograph.runtime.core.tensor import Tensor
from autograph.strings.text import Character, Formatted, Text, parts_of, plain_format
from autograph.tracing.namespaces import taken
from autograph.tracing.tracing import current
from autograph.values.choice import Choice


def character(code_point: Any) -> Text:
    """The character of a staged code point, as a string."""
    return Text((Character(code_point),))


def formatted(value: Any, conversion: int = -1, spec: Any = "") -> Any:
    """One `{value!conversion:spec}` of an f-string."""
    tracing = current()
    if tracing is None:
        return plain_format(value, conversion, str(spec))
    if is_staged_string(value) and conversion in (-1, ord("s")) and _is_empty(spec):
        return value
    read_whole(tracing, value, Shown.REPRESENTATION if conversion == ord("r") else Shown.TEXT)
    if isinstance(value, Choice) and is_told(value):
        return choose(tracing, value, lambda one: joined(formatted(one, conversion, spec)))
    if isinstance(spec, Choice):
        return choose(tracing, spec, lambda one: formatted(value, conversion, one))
    if has_own_text(value, FORMATTED) and not isinstance(value, tuple | BaseException):
        return _formatted_object(value, conversion, spec)
    as_it_is = is_plain_string(value) and conversion in (-1, ord("s"))
    if (as_it_is or not is_staged(value)) and not isinstance(spec, Text):
        return plain_format(value, conversion, spec)
    if isinstance(value, Choice) and any(
        is_misformatted(o, conversion, spec) or _is_shown_by_method(o) for o in value.options
    ):
        return choose(tracing, value, lambda one: joined(formatted(one, conversion, spec)))
    plain = conversion != -1 or _is_empty(spec)
    if isinstance(value, BaseException | types.SimpleNamespace) or (
        plain and chosen_contents(tracing, value) is not None
    ):
        if not plain and special_method(type(value), "__format__") is object.__format__:
            name = type(value).__name__
            raise TypeError(f"unsupported format string passed to {name}.__format__")
        value = call(repr if conversion == ord("r") else str, value)
        return formatted(value, -1, spec)
    check_format(value, conversion, spec)
    if conversion in (-1, ord("s")) and is_one_integer(value):
        value = to_number(value, bool if value.dtype.kind == "b" else int)
    shown = frozen_parts(value, conversion in (ord("r"), ord("a")))
    return Formatted.of(shown, conversion, spec)


def is_one_integer(value: Any) -> bool:
    """Whether a tensor is an integer or a bool, whose text is that of Python's number."""
    if type(value) is not Tensor or value.ndim:
        return False
    return (
        value.dtype.kind == "b"
        or (value.dtype.kind in "iu" and value.dtype.itemsize < 8)
        or (value.dtype == np.int64)
    )


def _is_shown_by_method(value: Any) -> bool:
    """Whether the text of an object is another one than its representation."""
    shown = isinstance(value, BaseException | types.SimpleNamespace)
    return shown or has_own_text(value, FORMATTED)


def _is_empty(spec: Any) -> bool:
    return isinstance(spec, str) and not spec


def is_told(value: Choice) -> bool:
    """Whether the text of each option is known while tracing, or a method makes it."""
    return len(value.options) <= 8 and all(
        isinstance(one, TOLD) or has_own_text(one, FORMATTED) for one in value.options
    )


TOLD = (str, int, float, bool, type(None), enum.Enum)


def _formatted_object(value: Any, conversion: int, spec: Any) -> Any:
    """An object whose class knows how it is shown."""
    if conversion != -1:
        name = {"r": repr, "s": str, "a": ascii}[chr(conversion)]
        return formatted(call(name, value), -1, spec)
    own = special_method(type(value), "__format__")
    if isinstance(own, types.FunctionType):
        return call(own, value, spec)
    return plain_format(value, -1, str(spec)) if spec else call(str, value)


def joined(*parts: Any) -> Any:
    """An f-string."""
    if all(type(part) is str for part in parts):
        return "".join(parts)
    for place, part in enumerate(parts):
        if isinstance(part, Choice) and _is_short(parts):
            return _joined_for_each(parts, place)
    return Text(tuple(one for part in parts for one in parts_of(part)))


def is_staged_string(value: Any) -> bool:
    """Whether this is a string on each path, with staged parts or one of several."""
    if isinstance(value, Choice):
        return all(type(one) in (str, Text) for one in value.options)
    return isinstance(value, Text)


def are_strings(left: Any, right: Any) -> bool:
    """Whether both are strings on each path, and one of them depends on it which."""
    pair = (left, right)
    chosen = any(isinstance(one, Choice) for one in pair)
    return chosen and all(type(one) is str or is_staged_string(one) for one in pair)


def _is_short(parts: tuple[Any, ...]) -> bool:
    """Whether a string has so few possible texts that it is one of them."""
    choices = [part for part in parts if isinstance(part, Choice)]
    told = all(isinstance(one, str) for part in choices for one in part.options)
    return told and math.prod(len(part.options) for part in choices) <= 8


def _joined_for_each(parts: tuple[Any, ...], place: int) -> Any:
    tracing = current()
    assert tracing is not None
    before, after = parts[:place], parts[place + 1 :]
    return choose(tracing, parts[place], lambda one: joined(*before, one, *after))


def is_plain_string(value: Any) -> bool:
    """Whether this is a string whose class makes no other text of it."""
    return isinstance(value, str) and not has_own_text(value, FORMATTED)


def text_of(value: Any, representation: bool = False) -> Any:
    """`str(value)` or `repr(value)`."""
    tracing = current()
    if is_staged_string(value) and not representation:
        return value
    if tracing is not None:
        read_whole(tracing, value, Shown.REPRESENTATION if representation else Shown.TEXT)
        if isinstance(value, Choice) and is_told(value):
            return choose(tracing, value, lambda one: call(repr if representation else str, one))
    if not is_staged(value) or (is_plain_string(value) and not representation):
        return repr(value) if representation else str(value)
    if isinstance(value, BaseException):
        return text_of_exception(value, representation)
    if isinstance(value, types.SimpleNamespace):
        return _text_of_namespace(value)
    if not representation and is_one_integer(value):
        value = to_number(value, bool if value.dtype.kind == "b" else int)
    shown = frozen_parts(value, representation)
    return Text((Formatted.of(shown, ord("r" if representation else "s"), ""),))


def _text_of_namespace(value: types.SimpleNamespace) -> Any:
    kind, tracing = type(value), current()
    name = "namespace" if kind is types.SimpleNamespace else kind.__name__
    if tracing is not None and any(isinstance(one, Choice) for one in vars(value).values()):
        namespace = taken(tracing, value)
        contents = chosen_contents(tracing, namespace)
        if contents is not None:  # an attribute that is missing on some paths
            return with_each(tracing, namespace, contents, lambda: _text_of_namespace(value))

    def show() -> Any:
        parts = [joined(f"{name}=", text_of(held, True)) for name, held in vars(value).items()]
        between = [one for part in parts for one in (", ", part)][1:]
        return joined(f"{name}(", *between, ")")

    return unless_under_way(value, f"{name}(...)", show)


def text_of_exception(
    error: BaseException, representation: bool, written: type | None = None
) -> Any:
    """What the text of a built-in exception is made of: its arguments.

    `written`: the class whose method is asked, where it is not that of the exception.
    """
    kind = written or type(error)
    if representation:
        return _representation_of_exception(error)
    if isinstance(error, BaseExceptionGroup) and issubclass(kind, BaseExceptionGroup):
        count = len(error.exceptions)
        return joined(formatted(error.args[0]), f" ({count} sub-exception{'s'[: count != 1]})")
    if isinstance(error, OSError) and issubclass(kind, OSError):
        named = error.filename is not None
        if named or (_is_given(error.errno) and _is_given(error.strerror)):
            names = [": ", text_of(error.filename, representation=True)] if named else []
            if named and error.filename2 is not None:
                names += [" -> ", text_of(error.filename2, representation=True)]
            return joined("[Errno ", text_of(error.errno), "] ", text_of(error.strerror), *names)
    if len(error.args) != 1:
        return text_of(error.args, representation=True) if error.args else ""
    return text_of(error.args[0], representation=issubclass(kind, KeyError))


def _is_given(value: Any) -> bool:
    return value is not None and (isinstance(value, Number | Text | Tensor) or bool(value))


def _representation_of_exception(error: BaseException) -> Any:
    name = type(error).__name__
    if len(error.args) != 1:
        return joined(name, text_of(error.args, representation=True))
    return joined(f"{name}(", text_of(error.args[0], representation=True), ")")
