"""Methods of strings with staged parts, and of known strings that are given such ones."""

from __future__ import annotations

import operator
import sys
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from autograph.errors import StateError
from autograph.library import strings as library
from autograph.merge.leaks import holds_staged
from autograph.operators.calls.dispatch import call
from autograph.operators.containers.slices import as_index, greater, lesser
from autograph.operators.expressions.boolean import or_
from autograph.operators.expressions.conditional_expression import branch
from autograph.operators.expressions.items import item
from autograph.operators.expressions.truth import choose
from autograph.operators.iterators.indexed import Indexed
from autograph.operators.strings import character_classes
from autograph.operators.strings.character_rows import (
    at_once_or_later,
    code_row,
    list_of_row,
    only_letter,
    text_length,
    text_of_codes,
)
from autograph.operators.strings.format_errors import example_of
from autograph.operators.strings.formatting import is_staged_string
from autograph.operators.strings.string_comparison import compare_texts
from autograph.runtime.core.number import Number
from autograph.runtime.core.tensor import Tensor
from autograph.runtime.ops.table import OPS
from autograph.strings.digits import Row, length_of, repeated
from autograph.strings.text import Changed, Text
from autograph.tracing.tracing import Tracing
from autograph.values.choice import Choice

Method = Callable[..., Any]


NOT_LOOKING = ("join", "format", "format_map")
"""Methods of a known string that put staged strings together, and look into none."""


def takes_staged_text(tracing: Tracing, name: str, args: tuple[Any, ...]) -> bool:
    """Whether a method of a known string is given a string, or a number, that is staged."""
    if name == "translate" and len(args) == 1:
        plain = isinstance(args[0], dict | list | tuple | str) and not holds_staged(args[0])
        return not plain or tracing.contents(args[0]) is not None
    staged = any(isinstance(one, Text | Number) or is_staged_string(one) for one in args)
    several = any(isinstance(one, Text) for each in args if type(each) is tuple for one in each)
    return (staged or several) and name not in NOT_LOOKING


def call_text_method(
    tracing: Tracing, text: Any, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Any:
    """A method of a string with staged parts, or of one that is given such strings."""
    if name.startswith("__"):
        return getattr(str, name)(text, *args, **kwargs)
    if name == "join" and len(args) == 1 and isinstance(args[0], Choice | Indexed):
        args = (call(list, args[0]),)
    return text_call(tracing, text, name, args, kwargs)


def text_call(
    tracing: Tracing, text: Any, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Any:
    """`text.name(*args)` where the string or an argument is staged."""
    for place, one in enumerate(args):
        if isinstance(one, Choice):
            return choose(
                tracing,
                one,
                lambda option, n=place: text_call(
                    tracing, text, name, (*args[:n], option, *args[n + 1 :]), kwargs
                ),
            )
    method = METHODS.get(name)
    if name in LATER and not kwargs:
        _check_arguments(name, args, kwargs)
        if method is None:
            return Text((Changed(text, name, args),))
        make = partial(method, tracing, text, *args)
        return at_once_or_later(tracing, make, text, name, args)
    if method is None:
        raise StateError(
            f"str.{name} of a string with staged values in it is known only when the function runs",
            remedy="compare, count or choose with the values themselves",
        )
    _check_arguments(name, args, kwargs)
    return method(tracing, text, *args, **kwargs)


LATER = frozenset(
    "capitalize casefold center expandtabs ljust lower lstrip removeprefix removesuffix replace "
    "rjust rstrip strip swapcase title upper zfill".split()
)
"""Methods that give a string, whatever the string is: the run may call them."""


def _check_arguments(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    """Python's own error for arguments of other kinds, or too many."""
    if name in ("translate", "join"):
        return
    given = {key: _example(one) for key, one in kwargs.items()}
    getattr("a", name.replace("index", "find"))(*map(_example, args), **given)


def _example(value: Any) -> Any:
    if isinstance(value, tuple):
        return tuple(map(_example, value))
    return example_of(as_index(value) if isinstance(value, Tensor) else value)


def _bounds(length: Any, start: Any, stop: Any) -> tuple[Any, Any]:
    """Where `find` and the like look: counted from the start; and where it may begin at most."""
    start = 0 if start is None else as_index(start)
    stop = sys.maxsize if stop is None else as_index(stop)
    start = _from_start(start, length)
    return start, lesser(_from_start(stop, length), length)


def _from_start(bound: Any, length: Any) -> Any:
    if isinstance(bound, int):
        return bound if bound >= 0 else greater(length + bound, 0)
    return greater(bound + length * (bound < 0), 0)


def _searching(function: Any, must: bool = False) -> Method:
    def search(
        tracing: Tracing, text: Any, wanted: Any, start: Any = None, stop: Any = None
    ) -> Any:
        text, wanted = _as_row(tracing, text), _as_row(tracing, wanted)
        first, last = _bounds(text_length(tracing, text), start, stop)
        place = call(function, text, wanted, first, last)
        return call(library.check_found, place) if must else place

    return search


def _count(tracing: Tracing, text: Any, wanted: Any, start: Any = None, stop: Any = None) -> Any:
    code = only_letter(wanted)
    if code is not None:
        part = text if start is None and stop is None else item(text, slice(start, stop))
        found = OPS.sum(OPS.where(OPS.equal(code_row(tracing, part), code), 1, 0))
        return OPS.to_number(found, kind=int)
    text, wanted = _as_row(tracing, text), _as_row(tracing, wanted)
    first, last = _bounds(text_length(tracing, text), start, stop)
    return call(library.count, text, wanted, first, last)


def _at_end(last: bool) -> Method:
    def test(tracing: Tracing, text: Any, wanted: Any, *bounds: Any) -> Any:
        if isinstance(wanted, tuple):
            return or_(
                False, *(lambda one=one: test(tracing, text, one, *bounds) for one in wanted)
            )
        if bounds:
            first, end = _bounds(text_length(tracing, text), *bounds, *[None] * (2 - len(bounds)))
            beyond = OPS.py_gt(first, text_length(tracing, text))
            part = item(text, slice(first, end))
            size = text_length(tracing, wanted)
            outside = OPS.py_or(beyond, OPS.py_gt(size, greater(end - first, 0)))
            return branch(tracing, outside, lambda: False, lambda: test(tracing, part, wanted))
        size = text_length(tracing, wanted)
        if not last:
            return _equal(tracing, item(text, slice(0, size)), wanted)
        start = text_length(tracing, text) - size
        if isinstance(start, int):
            return start >= 0 and _equal(tracing, item(text, slice(start, None)), wanted)
        tail = item(text, slice(greater(start, 0), None))
        return _equal(tracing, tail, wanted)

    return test


def _equal(tracing: Tracing, left: Any, right: Any) -> Any:
    return compare_texts(tracing, operator.eq, left, right)


def _in_field(align: str) -> Method:
    def justify(tracing: Tracing, text: Any, width: Any, fillchar: Any = " ") -> Any:
        codes, width = code_row(tracing, text), as_index(width)
        fill = only_letter(fillchar)
        return text_of_codes(_justified(codes, width, fill, align))

    return justify


def _justified(codes: Row, width: Any, fill: Any, align: str) -> Row:
    room = greater(OPS.py_sub(width, length_of(codes)), 0)
    if align == "^":  # as `str.center` has it
        odd = OPS.py_mul(OPS.py_mod(room, 2), OPS.py_mod(width, 2))
        before: Any = OPS.py_add(OPS.py_floordiv(room, 2), odd)
    else:
        before = 0 if align == "<" else room
    parts = [codes]
    if align != "<":
        parts.insert(0, repeated(0, before) + fill)
    if align != ">":
        parts.append(repeated(0, OPS.py_sub(room, before)) + fill)
    found: Row = OPS.concat(parts)
    return found


def _zfill(tracing: Tracing, text: Any, width: Any) -> Any:
    codes, width = code_row(tracing, text), as_index(width)
    first = OPS.concat([codes, np.zeros(1, np.int64)])[:1]
    signed = OPS.logical_or(OPS.equal(first, ord("+")), OPS.equal(first, ord("-")))
    count = OPS.to_number(OPS.where(signed, 1, 0), kind=int)
    sign, digits = item(text, slice(0, count)), item(text, slice(count, None))
    row = code_row(tracing, digits)
    filled = _justified(row, OPS.py_sub(width, count), ord("0"), ">")
    return text_of_codes(OPS.concat([code_row(tracing, sign), filled]))


def _strip(left: bool, right: bool) -> Method:
    def strip(tracing: Tracing, text: Any, chars: Any = None) -> Any:
        codes = code_row(tracing, text)
        if chars is None:
            inside = character_classes.are_of(codes, str.isspace)
        elif isinstance(chars, str):
            inside = character_classes.are_among(codes, chars)
        else:
            known = OPS.reshape(code_row(tracing, chars), (1, -1))
            inside = OPS.any(OPS.equal(OPS.expand_dims(codes, 1), known), axis=1)
        return text_of_codes(character_classes.stripped(codes, inside, left, right))

    return strip


def _split(tracing: Tracing, text: Any, sep: Any = None, maxsplit: Any = -1) -> Any:
    most, text = as_index(maxsplit), _as_row(tracing, text)
    if sep is None:
        return call(library.split_at_spaces, text, most)
    return call(library.split, text, sep, most)


def _replace(tracing: Tracing, text: Any, old: Any, new: Any, count: Any = -1) -> Any:
    codes = only_letter(old), only_letter(new)
    if None not in codes and isinstance(count, int) and count < 0:
        row = code_row(tracing, text)
        return text_of_codes(OPS.where(OPS.equal(row, codes[0]), codes[1], row))
    parts = (_as_row(tracing, one) for one in (text, old, new))
    return call(library.replaced, *parts, as_index(count))


def _is_of(name: str) -> Method:
    return lambda tracing, text: character_classes.is_of(code_row(tracing, text), name)


def _in_form(name: str) -> Method:
    def convert(tracing: Tracing, text: Any) -> Any:
        return text_of_codes(character_classes.in_form(code_row(tracing, text), name))

    return convert


def _capitalize(tracing: Tracing, text: Any) -> Any:
    codes = code_row(tracing, text)
    first, rest = OPS.getitem(codes, slice(0, 1)), OPS.getitem(codes, slice(1, None))
    forms = [character_classes.in_form(first, "title"), character_classes.in_form(rest, "lower")]
    return text_of_codes(OPS.concat(forms))


def translation_table(tracing: Tracing, *args: Any) -> Any:
    """`str.maketrans(*args)`."""
    if not 0 < len(args) < 4 or all(type(one) is str for one in args):
        return str.maketrans(*args)
    return call(library.translation_table, *args)


def _join(tracing: Tracing, separator: Any, strings: Any) -> Any:
    return call(library.joined_with, separator, strings)


def _of_library(function: Any) -> Method:
    return lambda tracing, text, *args: call(function, _as_row(tracing, text), *args)


def _as_row(tracing: Tracing, text: Any) -> Any:
    """A string as its characters: what looks into it again and again makes them once."""
    return text_of_codes(code_row(tracing, text)) if isinstance(text, Text) else text


METHODS: dict[str, Method] = {
    "capitalize": _capitalize,
    "center": _in_field("^"),
    "count": _count,
    "endswith": _at_end(True),
    "find": _searching(library.find),
    "index": _searching(library.find, must=True),
    "join": _join,
    "ljust": _in_field("<"),
    "lstrip": _strip(True, False),
    "partition": _of_library(library.partition),
    "removeprefix": _of_library(library.without_prefix),
    "removesuffix": _of_library(library.without_suffix),
    "replace": _replace,
    "rfind": _searching(library.find_last),
    "rindex": _searching(library.find_last, must=True),
    "rjust": _in_field(">"),
    "rpartition": _of_library(library.partition_last),
    "rstrip": _strip(False, True),
    "split": _split,
    "startswith": _at_end(False),
    "strip": _strip(True, True),
    "translate": _of_library(library.translated),
    "zfill": _zfill,
    **{
        name: _is_of(name)
        for name in (*character_classes.ALL, *character_classes.OF_ANY, *character_classes.CASES)
    },
    **{name: _in_form(name) for name in ("lower", "upper", "swapcase", "title")},
}


def contains_text(tracing: Tracing, text: Any, wanted: Any) -> Any:
    """`wanted in text`."""
    code = only_letter(wanted)
    if code is not None:
        found = OPS.any(OPS.equal(code_row(tracing, text), code))
        return OPS.to_number(found, kind=bool)
    text, wanted = _as_row(tracing, text), _as_row(tracing, wanted)
    return call(library.find, text, wanted, 0, text_length(tracing, text)) >= 0


def int_of_text(tracing: Tracing, text: Any, base: Any = 10) -> Any:
    """`int(text, base)`."""
    code = only_letter(text)
    if code is not None and isinstance(base, int) and base == 10:
        return call(library.digit_of, code, text)
    base = as_index(base)
    call(library.check_base, base)
    row = code_row(tracing, text)
    inside = character_classes.are_of(row, str.isspace)
    codes = list_of_row(tracing, character_classes.stripped(row, inside, True, True))
    return call(library.parsed, codes, text, base)


def order_of_text(tracing: Tracing, text: Any) -> Any:
    """`ord(text)`."""
    code = only_letter(text)
    if code is not None:
        return code
    call(library.check_single, text_length(tracing, text))
    return only_letter(item(text, 0))
