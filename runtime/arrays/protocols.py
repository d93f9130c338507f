"""NumPy's functions on tensors, outside of traces: they are the ops, so that tapes see them."""

from __future__ import annotations

from typing import Any

import numpy as np

from autograph.runtime.arrays import methods as methods
from autograph.runtime.arrays.scipy_special import is_special
from autograph.runtime.arrays.table import CHANGING, IMPLEMENTATIONS, mapped, require_cast
from autograph.runtime.arrays.ufuncs import method
from autograph.runtime.core.tensor import Tensor
from autograph.runtime.ops.table import OPS

_KNOWN = (Tensor, np.ndarray, np.generic)


def refuses(values: Any) -> bool:
    """Whether another library's class among these decides for itself."""
    return any(
        hasattr(type(one), "__array_ufunc__") and not isinstance(one, _KNOWN) for one in values
    )


def array_ufunc(self: Tensor, ufunc: Any, name: str, *inputs: Any, **keywords: Any) -> Any:
    """What NumPy calls for a universal function that is given a tensor."""
    if refuses(inputs):
        return NotImplemented
    outs = keywords.pop("out", ())
    keywords = {
        key: one for key, one in keywords.items() if key not in ("casting", "order", "subok")
    }
    known = ufunc in IMPLEMENTATIONS or is_special(ufunc)
    implementation = IMPLEMENTATIONS[ufunc] if known else None
    try:
        if implementation is None:
            raise NotImplementedError
        if name == "__call__":
            result = implementation.function(*inputs, **keywords)
        else:
            result = method(ufunc, name, *inputs, **keywords)
    except NotImplementedError:
        if outs:
            keywords["out"] = tuple(outs)
        return computed_by_numpy(getattr(ufunc, name), inputs, keywords)
    if not outs:
        return result
    parts = result if isinstance(result, tuple) else (result,)
    kept = tuple(_stored(ufunc, one, out) for one, out in zip(parts, outs, strict=True))
    return kept if isinstance(result, tuple) else kept[0]


def _stored(ufunc: Any, result: Any, out: Any) -> Any:
    if out is None:
        return result
    if isinstance(out, Tensor):
        require_cast(result.dtype, out.dtype, ufunc)
        OPS.setitem(out, Ellipsis, result)
    else:
        np.copyto(out, np.asarray(result), casting="same_kind")
    return out


def array_function(
    self: Tensor, function: Any, types: Any, args: tuple[Any, ...], keywords: dict[str, Any]
) -> Any:
    """What NumPy calls for any other of its functions that is given a tensor."""
    if not all(issubclass(one, _KNOWN) for one in types):
        return NotImplemented
    implementation = IMPLEMENTATIONS.get(function)
    changed = args[0] if args and function in CHANGING else None
    if isinstance(changed, np.ndarray):  # NumPy changes it, and takes the elements of tensors
        implementation = None
    if implementation is not None and keywords.get("out") is None:
        named = {key: one for key, one in keywords.items() if key != "out"}
        try:
            return implementation.function(*args, **named)
        except NotImplementedError:
            pass
    return computed_by_numpy(function, args, keywords)


def computed_by_numpy(function: Any, args: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
    """What NumPy itself gives for the elements of tensors; TypeError where a tape watches them."""
    plain = function in _COMPARING  # whose results have no gradient
    values = [mapped(one, lambda cell: _elements(cell, plain)) for one in args]
    named = {key: mapped(one, lambda cell: _elements(cell, plain)) for key, one in keywords.items()}
    return function(*values, **named)


def _elements(tensor: Tensor, is_plain: bool) -> Any:
    """The array of a tensor's elements; TypeError where its gradient would be lost."""
    return tensor.numpy() if is_plain else np.asarray(tensor)


_COMPARING = (np.array_equal, np.array_equiv)


def install(kind: Any) -> None:
    """Make NumPy's functions take tensors."""
    kind.__array_ufunc__ = array_ufunc
    kind.__array_function__ = array_function


METHODS = (
    "argsort conj conjugate cumprod cumsum diagonal dot nonzero ravel repeat searchsorted "
    "swapaxes take trace"
).split()
"""Methods of arrays that tensors have besides those of the array API standard."""


def install_methods(kind: Any) -> None:
    """Give tensors the methods and attributes of arrays that NumPy code uses."""
    for name in METHODS:
        setattr(kind, name, _method(name, IMPLEMENTATIONS[getattr(np, name)].function))
    compress = IMPLEMENTATIONS[np.compress].function
    kind.compress = lambda self, condition, axis=None: compress(condition, self, axis)
    kind.fill = _fill
    kind.sort = _sort
    kind.real = property(lambda self: OPS.real(self))
    kind.imag = property(lambda self: OPS.imag(self))


def _method(name: str, function: Any) -> Any:
    def method(self: Tensor, *args: Any, **keywords: Any) -> Any:
        return function(self, *args, **keywords)

    method.__name__ = name
    method.__qualname__ = f"Tensor.{name}"
    method.__doc__ = f"numpy.ndarray.{name}, of a tensor."
    return method


def _fill(self: Tensor, value: Any) -> None:
    """Give all elements one value, in place."""
    OPS.setitem(self, Ellipsis, value)


def _sort(self: Tensor, axis: int = -1) -> None:
    """Sort in place along an axis."""
    OPS.setitem(self, Ellipsis, OPS.sort(self, axis=axis))


install(Tensor)
install_methods(Tensor)
