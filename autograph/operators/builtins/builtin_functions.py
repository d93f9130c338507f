"""What calls of Python's builtins mean on staged values."""

from __future__ import annotations

import abc
import builtins
import operator
from collections import Counter, deque
from collections.abc import Callable
from typing import Any

import numpy as np

from autograph.control.chosen_contents import DictView
from autograph.control.whole_reads import note_identity, read_whole
from autograph.errors import StagingError, StateError
from autograph.library import characters, mathematics, rounding
from autograph.merge.object_keys import is_hashed_by_address
from autograph.operators.arrays import numpy_source
from autograph.operators.arrays.numpy_arrays import class_of
from autograph.operators.builtins import copying
from autograph.operators.builtins.clocks import CLOCK_MODELS
from autograph.operators.builtins.collection_classes import COLLECTION_MODELS
from autograph.operators.builtins.complex_functions import COMPLEX_MODELS
from autograph.operators.builtins.iterator_functions import ITERATOR_MODELS
from autograph.operators.builtins.itertools_functions import ITERTOOLS_MODELS
from autograph.operators.builtins.library_functions import LIBRARY_MODELS
from autograph.operators.builtins.math_functions import MATH_MODELS
from autograph.operators.builtins.printing import staged_print
from autograph.operators.builtins.random_functions import RANDOM_MODELS
from autograph.operators.builtins.reductions import (
    staged_all,
    staged_any,
    staged_extreme,
    staged_sum,
)
from autograph.operators.builtins.statistics_functions import STATISTICS_MODELS
from autograph.operators.builtins.warning_functions import WARNING_MODELS
from autograph.operators.calls.dataclass_functions import DATACLASS_MODELS
from autograph.operators.calls.dispatch import (
    call,
    call_method,
    is_users_method,
    overrides,
    special_method,
)
from autograph.operators.calls.isinstance_checks import (
    STAND_INS,
    check_plainly,
    is_instance,
    is_subclass,
)
from autograph.operators.calls.missing_attributes import has_elsewhere, may_lack, unless_missing
from autograph.operators.calls.unconverted import call_native
from autograph.operators.calls.user_hashing import note_keys
from autograph.operators.calls.variable_methods import VARIABLE_MODELS
from autograph.operators.containers import container_methods
from autograph.operators.containers.slices import as_index
from autograph.operators.expressions.arithmetic import BINARY
from autograph.operators.expressions.attributes import attr, set_attr
from autograph.operators.expressions.complex_operators import of_complex
from autograph.operators.expressions.conditional_expression import branch
from autograph.operators.expressions.special_operators import call_special
from autograph.operators.expressions.truth import choose, condition, to_number
from autograph.operators.gradients import custom_gradients, each_kind, recompute
from autograph.operators.gradients.tape_methods import TAPE_MODELS
from autograph.operators.iterators.ranges import make_range
from autograph.operators.iterators.staged_iterables import (
    Consumed,
    Indexed,
    dimension,
)
from autograph.operators.iterators.user_iterators import SequenceIterator
from autograph.operators.statements.checked_ops import kind_of
from autograph.operators.statements.deletion import del_attr
from autograph.operators.strings.character_rows import text_length
from autograph.operators.strings.format_errors import example_of
from autograph.operators.strings.formatting import character, formatted, joined, text_of
from autograph.operators.strings.string_lengths import string_length
from autograph.operators.strings.string_methods import (
    int_of_text,
    order_of_text,
    translation_table,
)
from autograph.runtime.arrays.cells import Array, Scalar, as_tensor
from autograph.runtime.arrays.table import apply_function
from autograph.runtime.core.number import Number
from autograph.runtime.core.tensor import Tensor, no_length
from autograph.runtime.ops.table import OPS
from autograph.strings.text import Text
from autograph.tracing.tracing import Tracing
from autograph.values.choice import Choice
from autograph.values.sentinels import UNSET

CONTAINERS = (list, dict, set, deque)
Model = Callable[..., Any]


def _len(tracing: Tracing, value: Any) -> Any:
    if isinstance(value, Choice):
        return choose(tracing, value, lambda one: _len(tracing, one))
    if isinstance(value, Tensor) and not overrides(value, "__len__"):
        if not value.shape:
            raise no_length(value)
        return dimension(value, 0)
    if isinstance(value, Indexed) and not isinstance(value, Consumed):
        return value.length(tracing)
    if isinstance(value, DictView):
        value = value.container
    if isinstance(value, CONTAINERS):
        return container_methods.length(tracing, value)
    if isinstance(value, Text):
        known = string_length(value)
        return text_length(tracing, value) if known is None else known
    if hasattr(special_method(type(value), "__len__"), "__code__"):
        return _as_length(tracing, call_method(value, "__len__"))
    return len(value)


def _as_length(tracing: Tracing, length: Any) -> Any:
    """What `__len__` gives, as `len` takes it."""
    if isinstance(length, Choice):
        return choose(tracing, length, lambda one: _as_length(tracing, one))
    if isinstance(length, Tensor | Number):
        number = as_index(length)
        branch(tracing, number < 0, _below_zero, lambda: None)
        return number
    return len(Sized(length))


def _below_zero() -> None:
    raise ValueError("__len__() should return >= 0")


class Sized:
    """Something of a length, which Python's `len` checks."""

    def __init__(self, length: Any) -> None:
        self.length = length

    def __len__(self) -> Any:
        return self.length


def _conversion(kind: type) -> Model:
    def convert(tracing: Tracing, value: Any = 0, *rest: Any, **named: Any) -> Any:
        if isinstance(value, Choice):
            return choose(tracing, value, lambda one: convert(tracing, one, *rest, **named))
        if named and (kind is not int or set(named) != {"base"} or rest):
            return kind(value, *rest, **named)
        if named:
            return convert(tracing, value, named["base"])
        if isinstance(value, Tensor) and not overrides(value, f"__{kind.__name__}__"):
            return condition(tracing, value) if kind is bool else to_number(value, kind)
        if isinstance(value, Number):
            if kind is value.kind:
                return value
            if value.kind is complex:
                return condition(tracing, value) if kind is bool else kind(0j)
            return {bool: OPS.py_bool, int: OPS.py_int, float: OPS.py_float}[kind](value)
        if kind is bool:
            return condition(tracing, value)
        if isinstance(value, Text) or (isinstance(value, str) and any(map(_is_number, rest))):
            return _number_of_text(tracing, kind, value, *rest)
        for name in (f"__{kind.__name__}__", "__index__"):
            if hasattr(special_method(type(value), name), "__code__"):
                return _converted(tracing, value, kind, name, call_method(value, name))
        return kind(value, *rest)

    return convert


def _is_number(value: Any) -> bool:
    return isinstance(value, Number | Tensor)


def _number_of_text(tracing: Tracing, kind: type, text: Any, *base: Any) -> Any:
    """`int(text)` or `float(text)` of a string, or to a base, that is staged."""
    if kind is float:
        raise StateError(
            "float() of a string with staged values in it is known only when the function runs",
            remedy="compute with the numbers themselves",
        )
    return int_of_text(tracing, text, *base)


def _ord(tracing: Tracing, value: Any) -> Any:
    if isinstance(value, Text):
        return order_of_text(tracing, value)
    return call_native(tracing, ord, (value,), {})


def _converted(tracing: Tracing, value: Any, kind: type, name: str, found: Any) -> Any:
    """What `__int__`, `__float__` or `__index__` gives, as `int` and `float` take it."""
    if isinstance(found, Choice):
        return choose(tracing, found, lambda one: _converted(tracing, value, kind, name, one))
    wanted = float if name == "__float__" else int
    given = _type(tracing, found)
    if not issubclass(given, wanted):
        owner = f"{type(value).__name__}." if wanted is float else ""
        room = "numpy." if given.__module__ == "numpy" else ""
        told = f"{owner}{name} returned non-{wanted.__name__} (type {room}{given.__name__})"
        raise TypeError(told)
    return call(float, found) if kind is float and given is not float else found


def _type(tracing: Tracing, value: Any, *rest: Any) -> Any:
    if rest:
        raise StateError(
            "a class cannot be made by type() inside a staged function",
            remedy="define the class outside",
        )
    if isinstance(value, Choice):
        return choose(tracing, value, lambda one: _type(tracing, one))
    if isinstance(value, Number):
        return value.kind
    if isinstance(value, Array | Scalar):
        return class_of(value)
    if isinstance(value, (*STAND_INS, SequenceIterator)):
        return value.kind
    return str if isinstance(value, Text) else type(value)


def _round(tracing: Tracing, number: Any, ndigits: Any = None) -> Any:
    return _rounded(tracing, number, ndigits)


def _rounded(tracing: Tracing, value: Any, digits: Any) -> Any:
    if isinstance(value, Choice):
        return choose(tracing, value, lambda one: _rounded(tracing, one, digits))
    if is_users_method(value, "__round__"):
        return call_method(value, "__round__", *(() if digits is None else (digits,)))
    if isinstance(value, Array):
        raise TypeError("type numpy.ndarray doesn't define __round__ method")
    if isinstance(value, Scalar):
        if value.dtype.kind in "bc":
            kind = value.dtype.type
            raise TypeError(f"type numpy.{kind.__name__} doesn't define __round__ method")
        if digits is None:
            return _rounded(tracing, OPS.as_number(as_tensor(value)), None)
        return apply_function(np.round, (value, digits), {})
    if isinstance(value, Tensor) and isinstance(digits, Number | Tensor):
        raise StagingError(
            "round() of a tensor to a staged number of digits is not possible",
            remedy="choose between rounded values: round(x, 1) if short else round(x, 2)",
        )
    if isinstance(value, Number | int | float):
        places = digits if digits is None else _whole(call(operator.index, digits))
        if isinstance(places, Number) or (isinstance(value, Number) and places is not None):
            return _round_number(value, places)
    return round(value, digits) if digits is not None else round(value)


def _round_number(value: Any, digits: Any) -> Any:
    """A number rounded to decimal digits."""
    if kind_of(value) is float:
        return call(rounding.rounded_to_digits, value, digits)
    return call(rounding.rounded_int_to_digits, OPS.py_int(value), digits)


def _divmod(tracing: Tracing, left: Any, right: Any) -> Any:
    found = call_special(left, right, "__divmod__", "__rdivmod__")
    if found is not NotImplemented:
        return found
    if not any(isinstance(one, Number | Tensor) for one in (left, right)):
        return divmod(left, right)
    numbers = all(isinstance(one, Number | int | float) for one in (left, right))
    if numbers and float in (kind_of(left), kind_of(right)):
        return call(mathematics.quotient_and_rest, left, right)
    return BINARY["floordiv"](left, right), BINARY["mod"](left, right)


def _pow(tracing: Tracing, base: Any, exp: Any, mod: Any = None) -> Any:
    exponent, modulus = exp, mod
    if modulus is None:
        return BINARY["pow"](base, exponent)
    if is_users_method(base, "__pow__"):
        return call_method(base, "__pow__", exponent, modulus)
    if any(isinstance(one, Tensor) for one in (base, exponent, modulus)):
        return pow(*map(_like, (base, exponent, modulus)))  # raises Python's own error
    if any(kind_of(one) is float for one in (base, exponent, modulus)):
        wrong: Any = 1.0
        return pow(wrong, 1, 1)  # raises Python's own error
    if any(isinstance(one, Number) for one in (base, exponent, modulus)):
        return call(mathematics.power, base, exponent, modulus)
    return pow(base, exponent, modulus)


def _like(value: Any) -> Any:
    """A plain value of the class that a number or an array has for the user."""
    if isinstance(value, Array | Scalar):
        made = np.ones((1,) * value.ndim, value.dtype)
        return made[()] if isinstance(value, Scalar) else made
    return example_of(value) if isinstance(value, Number) else value


def _abs(tracing: Tracing, value: Any) -> Any:
    if isinstance(value, Choice):
        return choose(tracing, value, lambda one: _abs(tracing, one))
    if is_users_method(value, "__abs__"):
        return call_method(value, "__abs__")
    found = of_complex(abs, value)
    return abs(value) if found is NotImplemented else found


def _getattr(tracing: Tracing, owner: Any, name: str, *default: Any) -> Any:
    if not default:
        return attr(owner, name)
    kind, partial = type(owner), may_lack(tracing, owner, name)
    if partial is not None and not has_elsewhere(kind, name):
        return choose(tracing, partial, lambda one: default[0] if one is UNSET else one)
    find: Callable[[], Any] = lambda: attr(owner, name)  # noqa: E731
    perhaps = partial is not None
    return unless_missing(tracing, kind, name, find, lambda: default[0], perhaps)


def _hasattr(tracing: Tracing, owner: Any, name: str) -> Any:
    if isinstance(owner, Array | Scalar):
        return hasattr(class_of(owner), name)
    kind, partial = type(owner), may_lack(tracing, owner, name)
    if partial is not None and not has_elsewhere(kind, name):
        return choose(tracing, partial, lambda one: one is not UNSET)

    def find() -> bool:
        attr(owner, name)
        return True

    return unless_missing(tracing, kind, name, find, lambda: False, partial is not None)


def _setattr(tracing: Tracing, owner: Any, name: str, value: Any) -> None:
    set_attr(value, owner, name)


def _vars(tracing: Tracing, owner: Any) -> Any:
    return attr(owner, "__dict__")


def _delattr(tracing: Tracing, owner: Any, name: str) -> None:
    del_attr(owner, name)


def _text(representation: bool) -> Model:
    def convert(tracing: Tracing, object: Any = "", *rest: Any, **named: Any) -> Any:
        value = object
        if named:
            return str(value, *rest, **named)
        if isinstance(value, (*CONTAINERS, tuple)):
            read_whole(tracing, value)
        shown: Any = type(value).__str__
        plain: Any = builtins.object.__str__
        for name in ("__repr__" if representation or shown is plain else "__str__",):
            special = special_method(type(value), name)
            if is_users_method(value, name):
                written = isinstance(value, tuple | Counter) and special.__module__ == "collections"
                if not type(value).__module__.startswith("autograph") and not written:
                    return _as_text(tracing, name, call_method(value, name))
        return text_of(value, representation) if not rest else str(value, *rest)

    return convert


def _as_text(tracing: Tracing, name: str, text: Any) -> Any:
    """What `__str__` or `__repr__` gives, which must be a string."""
    if isinstance(text, Choice):
        return choose(tracing, text, lambda one: _as_text(tracing, name, one))
    if not isinstance(text, str | Text):
        given = text.kind if isinstance(text, Number) else type(text)
        raise TypeError(f"{name} returned non-string (type {given.__name__})")
    return text


def _format(tracing: Tracing, value: Any, spec: str = "") -> Any:
    return joined(formatted(value, -1, spec))


def _digits(spec: str, plain: Any) -> Model:
    """`bin`, `hex` and `oct`."""

    def convert(tracing: Tracing, value: Any) -> Any:
        value = _whole(value)
        if isinstance(value, Number):
            return joined(formatted(value, -1, spec))
        return call_native(tracing, plain, (value,), {})

    return convert


def _chr(tracing: Tracing, value: Any) -> Any:
    if isinstance(value, Choice):
        return choose(tracing, value, lambda one: _chr(tracing, one))
    value = _whole(value)
    if isinstance(value, Number):
        return character(call(characters.code_point, value))
    return call_native(tracing, chr, (value,), {})


def _whole(value: Any) -> Any:
    """The argument of a function that takes an int, or what has an `__index__`."""
    kind = value.kind if isinstance(value, Number) else str if isinstance(value, Text) else int
    if kind in (float, str):
        raise TypeError(f"'{kind.__name__}' object cannot be interpreted as an integer")
    return as_index(value)


def _hash(tracing: Tracing, value: Any) -> int:
    if isinstance(value, Scalar):
        return hash(OPS.as_number(as_tensor(value)))  # says that it is staged
    if is_users_method(value, "__hash__"):
        found = call_method(value, "__hash__")
        return hash(found) if isinstance(found, Number) else found  # a key is known while tracing
    if isinstance(value, tuple | frozenset):
        note_keys(tracing, value)
    if is_hashed_by_address(value):
        note_identity(tracing, value)
    return hash(value)


MODELS: dict[Any, Model] = {
    builtins.len: _len,
    builtins.slice: lambda tracing, *parts: slice(*parts),
    builtins.range: make_range,
    builtins.print: staged_print,
    abc.ABCMeta.__instancecheck__: check_plainly,
    builtins.isinstance: is_instance,
    builtins.issubclass: is_subclass,
    builtins.type: _type,
    builtins.int: _conversion(int),
    builtins.float: _conversion(float),
    builtins.bool: _conversion(bool),
    builtins.abs: _abs,
    builtins.min: staged_extreme(min),
    builtins.max: staged_extreme(max),
    builtins.sum: staged_sum,
    builtins.any: staged_any,
    builtins.all: staged_all,
    builtins.round: _round,
    builtins.divmod: _divmod,
    builtins.pow: _pow,
    builtins.getattr: _getattr,
    builtins.hasattr: _hasattr,
    builtins.setattr: _setattr,
    builtins.delattr: _delattr,
    builtins.vars: _vars,
    builtins.str: _text(False),
    builtins.repr: _text(True),
    builtins.format: _format,
    builtins.bin: _digits("#b", bin),
    builtins.hex: _digits("#x", hex),
    builtins.oct: _digits("#o", oct),
    builtins.chr: _chr,
    builtins.ord: _ord,
    str.maketrans: translation_table,
    builtins.hash: _hash,
    **COLLECTION_MODELS,
    **ITERATOR_MODELS,
    **ITERTOOLS_MODELS,
    **LIBRARY_MODELS,
    **copying.MODELS,
    **custom_gradients.MODELS,
    **recompute.MODELS,
    **each_kind.MODELS,
    **numpy_source.MODELS,
    **DATACLASS_MODELS,
    **TAPE_MODELS,
    **MATH_MODELS,
    **COMPLEX_MODELS,
    **RANDOM_MODELS,
    **STATISTICS_MODELS,
    **VARIABLE_MODELS,
    **CLOCK_MODELS,
    **WARNING_MODELS,
}
