"""Arrays and scalars outside of traces, where a tape is to see what is computed of them.

The cells that stand for NumPy's arrays while tracing do so here, too: `watched` makes one of an
array, `released` gives the array back. They have NumPy's operators, methods and attributes, and its
functions take them; what a tape could not follow raises TypeError.
"""

from __future__ import annotations

from collections.abc import Callable, Container
from typing import Any

import numpy as np

from autograph.runtime.arrays.cells import (
    Array,
    Scalar,
    View,
    as_result,
    as_tensor,
    known_elements,
    put,
    released,
)
from autograph.runtime.arrays.layouts import laid_out, layout_of, looked_into, viewed_alike
from autograph.runtime.arrays.manipulation import change
from autograph.runtime.arrays.methods import ATTRIBUTES, METHODS
from autograph.runtime.arrays.protocols import array_ufunc, computed_by_numpy, refuses
from autograph.runtime.arrays.table import apply_function, mapped, stored
from autograph.runtime.arrays.ufuncs import method
from autograph.runtime.control.structure import flatten
from autograph.runtime.core.dtypes import SHORT_NAMES
from autograph.runtime.core.number import Number
from autograph.runtime.core.state import STATE
from autograph.runtime.core.tensor import ArgumentTypeError, Tensor
from autograph.runtime.ops.table import OPS

CELLS = (Array, Scalar)


# making them, and back ----------------------------------------------------------------------------
def is_array(value: Any) -> bool:
    """Whether this is an array or a scalar of NumPy's, or a cell for one."""
    return isinstance(value, (np.ndarray, np.generic, *CELLS))


def watched(value: Any) -> Any:
    """A new cell for an array or a scalar of NumPy's, or for one that is a cell."""
    if isinstance(value, np.ndarray):
        return Array.holding(_own(value), value.flags.c_contiguous, layout=value)
    plain = OPS.asarray(value) if isinstance(value, np.generic) else as_tensor(value)
    is_known = isinstance(value, np.generic) or known_elements(value) is not None
    if is_known and STATE.interpreter is not None and plain.dtype.kind in "fc":
        made = OPS.positive(plain)  # of a copy all that is computed would be known, and no op
    else:
        made = OPS.copy(plain)
    if not isinstance(value, Array):
        return as_result(made)
    layout = None if value.is_contiguous else layout_of(value)
    return Array.holding(as_tensor(made)._value, value.is_contiguous, layout=layout)


def _own(array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """A copy that lies in memory as an array does; ArgumentTypeError for one of another kind."""
    if type(array) not in (np.ndarray, np.memmap):
        kind = type(array)
        raise ArgumentTypeError(
            f"{kind.__module__}.{kind.__name__}, a kind of array with rules of its own, is given "
            "to be differentiated; pass a plain array, np.asarray(x)"
        )
    if array.dtype not in SHORT_NAMES or not array.dtype.isnative:
        array = OPS.asarray(array)._value  # which says what has no tensors
    return np.array(array, order="K", subok=False)


def like(given: Any, made: Tensor) -> Any:
    """What `made` is as a gradient or a change of what was given."""
    return given._gradient_of(as_tensor(made)._value)


def released_all(value: Any) -> Any:
    """`released` for each part of nested lists, tuples and dicts, which stay where nothing is."""
    if STATE.interpreter is not None or not isinstance(value, list | tuple | dict):
        return released(value)
    leaves, rebuild = flatten(value)
    arrays: dict[int, Any] = {}
    found = [_released_with(one, arrays) for one in leaves]
    if all(one is other for one, other in zip(found, leaves, strict=True)):
        return value
    return rebuild(found)


def _released_with(value: Any, arrays: dict[int, Any]) -> Any:
    """`released`, of several: those that look into one array share its elements."""
    made = released(value)
    if made is value or not isinstance(value, Array):
        return made
    whole, chain = looked_into(value)
    held = arrays.setdefault(id(whole), np.array(whole._value))
    return viewed_alike(held, chain)


def settled(value: Any) -> Any:
    """The same nest with views as arrays of what they hold now, for the tapes that record now; a
    float of Python's that they follow, in a trace, as a tensor."""
    if isinstance(value, Number) and value.kind is float:
        trace: Any = STATE.interpreter
        followed = any(tape.reaches(value._value) for tape in trace.tapes)
        return OPS.to_tensor(value, dtype=np.dtype(float)) if followed else value
    if not isinstance(value, list | tuple | dict):
        return Array.holding(as_tensor(value)._value) if isinstance(value, View) else value
    leaves, rebuild = flatten(value)
    return rebuild(map(settled, leaves)) if any(isinstance(one, View) for one in leaves) else value


def is_outside(cell: Any, known: Container[int]) -> bool:
    """Whether a cell is none of a trace: nor one, by its id, that stands for an array in one."""
    whole = looked_into(cell)[0]
    return isinstance(whole._value, np.ndarray) and id(whole) not in known


def share_elements(one: Any, other: Any) -> bool:
    """Whether two arrays, or cells for some, have elements in common."""
    if isinstance(one, Array) and isinstance(other, Array):
        (whole, first), (base, second) = looked_into(one), looked_into(other)
        if whole is not base:
            return False
        held = np.empty_like(base._value, subok=False)
        one, other = viewed_alike(held, first), viewed_alike(held, second)
    elif isinstance(one, Array) or isinstance(other, Array):
        return False
    return bool(np.shares_memory(one, other))


# NumPy's functions --------------------------------------------------------------------------------
def _ufunc(self: Any, ufunc: Any, name: str, *inputs: Any, **keywords: Any) -> Any:
    """What NumPy calls for a universal function that is given an array that is watched."""
    if refuses(inputs):
        return NotImplemented
    outs = keywords.get("out") or ()
    if any(isinstance(one, np.ndarray) for one in outs):
        return array_ufunc(self, ufunc, name, *map(as_tensor, inputs), **keywords)
    try:
        if name == "__call__":
            return _applied(ufunc, inputs, keywords)
        if name == "at":
            return _applied(ufunc.at, inputs, keywords)
        named = {key: mapped(one, as_tensor) for key, one in keywords.items() if key != "out"}
        result = method(ufunc, name, *[mapped(one, as_tensor) for one in inputs], **named)
    except NotImplementedError:
        return computed_by_numpy(getattr(ufunc, name), inputs, keywords)
    if keywords.get("out") is not None:
        return stored(None, result, keywords["out"], True, "same_kind")
    given = (*inputs, *keywords.values())
    alone = all(isinstance(one, CELLS) for one in given if isinstance(one, Tensor))
    return mapped(OPS.asarray_or_same(result), as_result) if alone else result


def _function(
    self: Any, function: Any, types: Any, args: tuple[Any, ...], keywords: dict[str, Any]
) -> Any:
    """What NumPy calls for any other of its functions that is given one."""
    if not all(issubclass(one, Tensor | np.ndarray | np.generic) for one in types):
        return NotImplemented
    out = keywords.get("out")
    if isinstance(out, np.ndarray):  # which takes nothing that is followed
        made = function(*args, **{key: one for key, one in keywords.items() if key != "out"})
        np.copyto(out, np.asarray(made), casting="same_kind")
        return out
    try:
        return _applied(function, args, keywords)
    except NotImplementedError:
        return computed_by_numpy(function, args, keywords)


def _applied(function: Any, args: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
    result = apply_function(function, args, keywords)
    if result is NotImplemented:
        raise NotImplementedError
    return result


# methods and attributes ---------------------------------------------------------------------------
OF_FUNCTIONS = ("put", "choose", "argpartition", "take", "round", "trace")
"""Methods that are functions of NumPy's."""


def _method(name: str) -> Callable[..., Any]:
    function = METHODS.get(name) or getattr(np, name)

    def method(self: Any, *args: Any, **keywords: Any) -> Any:
        try:
            return function(self, *args, **keywords)
        except NotImplementedError:
            return computed_by_numpy(getattr(np.ndarray, name), (self, *args), keywords)

    method.__name__ = name
    method.__qualname__ = f"Array.{name}"
    method.__doc__ = f"numpy.ndarray.{name}."
    return method


def _partition(self: Any, kth: Any, axis: int = -1, **rest: Any) -> None:
    put(self, as_tensor(np.partition(self, kth, axis, **rest)))


def _item(self: Any, *place: Any) -> Any:
    return self._concrete("item()").item(*place)


def _other(self: Any, name: str) -> Any:
    """Any other attribute: of an array of NumPy's that nobody watches."""
    if name.startswith("__") or STATE.interpreter is not None or not hasattr(np.ndarray, name):
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
    return getattr(np.asarray(self), name)


def _set_flat(self: Any, value: Any) -> None:
    change(ATTRIBUTES["flat"](self), Ellipsis, value)


def _as_number(kind: Callable[[Any], Any], what: str) -> Callable[[Any], Any]:
    """`kind(array)`, and what NumPy raises for one of several elements."""
    return lambda self: kind(self._concrete(what))


def _hash(self: Any) -> int:
    return hash(self._concrete("a key")[()])


def _rounded(self: Any, digits: int | None = None) -> Any:
    return round(self._concrete("round()")[()]) if digits is None else np.round(self, digits)


def _text(self: Any) -> str:
    value = self._value
    if type(value) is not np.ndarray:
        return Tensor.__repr__(self)
    return repr(value if isinstance(self, Array) else value[()])


def _reduced(self: Any) -> Any:
    held = self._concrete("pickle")
    return (np.array, (held,)) if isinstance(self, Array) else (held.dtype.type, (held.item(),))


def _install(kind: Any) -> None:
    for name in (*METHODS, *OF_FUNCTIONS):
        setattr(kind, name, _method(name))
    for name, attribute in ATTRIBUTES.items():
        if not (kind is Array and name in ("real", "imag")):  # which can be set
            setattr(kind, name, property(attribute))
    kind.item = _item
    kind.__getattr__ = _other
    kind.nbytes = property(lambda self: self.size * self.dtype.itemsize)
    kind.__array_ufunc__ = _ufunc
    kind.__array_function__ = _function
    kind.__bool__ = _as_number(bool, "bool()")
    kind.__int__ = _as_number(int, "int()")
    kind.__reduce__ = _reduced
    kind.__repr__ = _text


for _kind in CELLS:
    _install(_kind)
Array.partition = _partition  # type: ignore[attr-defined]
Array.flat = property(ATTRIBUTES["flat"], _set_flat)  # type: ignore[attr-defined]
Array.flags = property(lambda self: laid_out(self).flags)  # type: ignore[attr-defined]
Array.strides = property(lambda self: laid_out(self).strides)  # type: ignore[attr-defined]
Scalar.__round__ = _rounded  # type: ignore[method-assign]
Scalar.__hash__ = _hash  # type: ignore[method-assign]
