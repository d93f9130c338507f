"""Installs operators and methods on Tensor and Number."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from autograph.runtime.core.door import apply, apply_two, function_of_one, operator_method
from autograph.runtime.core.foreign_names import OF_TENSORS, install
from autograph.runtime.core.number import NUMBERS, Number
from autograph.runtime.core.record import Op
from autograph.runtime.core.tensor import Tensor
from autograph.runtime.ops.elementwise.large_ints import beside_large
from autograph.runtime.ops.shaping.shapes import shape_of

COMPARED = frozenset({"eq", "ne", "lt", "le", "gt", "ge"})
UNARY = frozenset({"neg", "pos", "abs", "invert"})
_OPERANDS = (Tensor, float, int, complex, np.ndarray, np.generic, Number, list, tuple)
Method = Callable[..., Any]

_of_tensors: dict[str, Callable[..., Any]] = {}
"""The tensor function of each operator: what a Number beside an array means."""


def install_operators(op: Op, function: Callable[..., Any]) -> None:
    """Install the operators that a record names, on Number for the ops of Python numbers."""
    for sign in op.operator:
        if op.name.startswith("py_"):
            _install_on_number(op, sign)
            continue
        _of_tensors[sign] = function
        if sign in UNARY:
            setattr(Tensor, f"__{sign}__", _unary(op, sign))
            continue
        setattr(Tensor, f"__{sign}__", _forward(op, sign, function))
        if sign not in COMPARED:
            setattr(Tensor, f"__r{sign}__", _reflected(op, sign, function))


def _named(method: Method, name: str) -> Method:
    method.__name__ = f"__{name}__"
    method.__qualname__ = f"Tensor.__{name}__"
    return method


def _unary(op: Op, sign: str) -> Method:
    function = function_of_one(op)

    def method(self: Tensor) -> Any:
        return function(self)

    return _named(method, sign)


def _forward(op: Op, sign: str, function: Callable[..., Any]) -> Method:
    def method(self: Tensor, other: Any) -> Any:
        if sign == "mul" and isinstance(other, list | tuple) and counts(self):
            return NotImplemented
        return function(self, other) if isinstance(other, _OPERANDS) else NotImplemented

    return _named(operator_method(op, method) if _is_short(op, sign) else method, sign)


def _reflected(op: Op, sign: str, function: Callable[..., Any]) -> Method:
    shortly = apply_two(op) if _is_short(op, sign) else _never

    def method(self: Tensor, other: Any) -> Any:
        result = shortly(other, self)
        if sign == "mul" and isinstance(other, list | tuple) and counts(self):
            return NotImplemented  # Python repeats the list, in place for `*=`
        if result is NotImplemented and isinstance(other, _OPERANDS):
            return function(other, self)
        return result

    return _named(method, f"r{sign}")


def counts(tensor: Tensor) -> bool:
    """Whether a list is repeated as often as a tensor says: an index, as everywhere.

    A truth value is none, as an index neither, so Python says that it takes integers.
    """
    return tensor.ndim == 0 and tensor.dtype.kind in "iub"


def _is_short(op: Op, sign: str) -> bool:
    """Whether the operator needs nothing of the public function eagerly. `**` may square."""
    return op.public is None or sign in COMPARED


def _never(x: Any, y: Any) -> Any:
    return NotImplemented


# numbers ------------------------------------------------------------------------------------------
def number_function(op: Op) -> Callable[..., Any]:
    """The function of an op of Python numbers: computed at once where none of them is staged."""

    def function(*values: Any) -> Any:
        if any(isinstance(one, Number) for one in values):
            plain = tuple(map(_plain, values))
            found = beside_large(op, plain)
            return found if isinstance(found, bool) else apply(op, found or plain)
        return op.reference(*map(_plain, values))

    return function


def _plain(value: Any) -> Any:
    """A Python number of exactly the type bool, int, float or complex."""
    kind = type(value)
    if kind in (int, float, bool, complex) or isinstance(value, Number):
        return value
    if isinstance(value, np.generic):
        return value.item()
    for plain in NUMBERS:
        if isinstance(value, plain):
            return plain(value)
    raise TypeError(f"a Python number is needed, not {value!r}")


def _install_on_number(op: Op, sign: str) -> None:
    function = number_function(op)

    def unary(self: Number) -> Any:
        return apply(op, (self,))

    def forward(self: Number, other: Any) -> Any:
        if isinstance(other, np.ndarray | np.generic):
            return _of_tensors[sign](self, other)
        if isinstance(other, Number | int | float):
            return function(self, other)
        return NotImplemented

    def reflected(self: Number, other: Any) -> Any:
        if isinstance(other, np.ndarray | np.generic):
            return _of_tensors[sign](other, self)
        if isinstance(other, Number | int | float):
            return function(other, self)
        return NotImplemented

    if sign in UNARY:
        setattr(Number, f"__{sign}__", unary)
        return
    setattr(Number, f"__{sign}__", forward)
    if sign not in COMPARED:
        setattr(Number, f"__r{sign}__", reflected)


# methods ------------------------------------------------------------------------------------------
def install_methods(table: Any) -> None:
    """Install the methods and properties of Tensor and Number that are made of ops."""
    for (
        name
    ) in "astype squeeze copy sum prod mean var std max min any all argmax argmin clip".split():
        setattr(Tensor, name, _method(getattr(table, name), name))
    methods: dict[str, Any] = {
        "__getitem__": lambda self, key: table.getitem(self, key),
        "__setitem__": lambda self, key, value: table.setitem(self, key, value),
        "__divmod__": lambda self, other: (self // other, self % other),
        "__rdivmod__": lambda self, other: (other // self, other % self),
        "__round__": lambda self, digits=None: table.round(self, decimals=digits or 0),
        "round": lambda self, decimals=0: table.round(self, decimals=decimals),
        "reshape": lambda self, *shape: table.reshape(self, _unpacked(shape)),
        "transpose": lambda self, *axes: table.transpose(self, _unpacked(axes) if axes else None),
        "flatten": lambda self: table.copy(table.reshape(self, (-1,))),
        "_known_shape": lambda self: shape_of(self),
        "_of_parts": lambda self, value, dtype=None: table.asarray(value, dtype=dtype),
        "T": property(lambda self: table.transpose(self)),
        "mT": property(lambda self: table.matrix_transpose(self)),
    }
    for name, method in methods.items():
        setattr(Tensor, name, method)
    install(Tensor, OF_TENSORS)
    numbers: dict[str, Any] = {
        "__divmod__": lambda self, other: (self // other, self % other),
        "__rdivmod__": lambda self, other: (other // self, other % self),
        "__round__": lambda self: table.py_round(self),
        "__floor__": lambda self: table.py_floor(self),
        "__ceil__": lambda self: table.py_ceil(self),
        "__trunc__": lambda self: table.py_int(self),
    }
    for name, method in numbers.items():
        setattr(Number, name, method)


def _method(function: Callable[..., Any], name: str) -> Method:
    def method(self: Tensor, *args: Any, **keywords: Any) -> Any:
        return function(self, *args, **keywords)

    method.__name__ = name
    method.__qualname__ = f"Tensor.{name}"
    method.__doc__ = function.__doc__
    return method


def _unpacked(given: tuple[Any, ...]) -> Any:
    """`x.reshape(2, 3)` and `x.reshape((2, 3))` mean the same."""
    return given[0] if len(given) == 1 and isinstance(given[0], list | tuple) else given
