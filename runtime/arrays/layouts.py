"""How arrays lie in memory: which forms of them share elements, and in which order these are."""

from __future__ import annotations

from typing import Any

import numpy as np

from autograph.runtime.arrays.cells import (
    Array,
    View,
    as_array,
    as_tensor,
    static_shape,
    viewed,
)
from autograph.runtime.core.dims import may_be_zero
from autograph.runtime.core.number import Number
from autograph.runtime.core.tensor import Tensor
from autograph.runtime.ops.shaping.shapes import shape_of
from autograph.runtime.ops.table import OPS


def looked_into(a: Array) -> tuple[Array, list[View]]:
    """The array that a view looks into, and the views on the way there."""
    chain = []
    base: Array = a
    while isinstance(base, View) and base.name != "storage":
        chain.append(base)
        base = base.base
    return base, chain


def layout_of(a: Array) -> np.ndarray[Any, Any] | None:
    """An array of NumPy's that lies in memory as `a` does, where that is known and no one row."""
    base, chain = looked_into(a)
    tried = base.layout if not base.is_contiguous else None
    if tried is None:
        sizes = static_shape(base)
        if not base.is_contiguous or sizes is None or not chain:
            return None
        tried = np.empty(sizes, as_tensor(base).dtype)
    base.layout_asked = True
    found: np.ndarray[Any, Any] = viewed_alike(tried, chain)
    return found


def laid_out(a: Array) -> np.ndarray[Any, Any]:
    """The elements of an array outside of traces, in memory as they would lie in NumPy's own."""
    base, chain = looked_into(a)
    held = base._value
    if not base.is_contiguous and base.layout is not None and base.layout.size:
        layout = base.layout
        low, high = np.lib.array_utils.byte_bounds(layout)
        start = layout.__array_interface__["data"][0] - low
        made: Any = np.ndarray(
            layout.shape, held.dtype, bytearray(high - low), start, layout.strides
        )
        made[...] = held
        held = made
    found: np.ndarray[Any, Any] = viewed_alike(held, chain)
    return found


def viewed_alike(tried: Any, chain: list[View]) -> Any:
    """The views of a chain, the last one first, of another array."""
    for one in reversed(chain):
        tried = viewed(tried, one.name, one.argument)
    return tried


def lies_in_one_row(a: Array) -> bool:
    """Whether an array with one axis, no view, surely lies element after element."""
    if isinstance(a, View) or len(a.shape) != 1 or not a.is_contiguous:
        return False
    (size,) = shape_of(a)
    if may_be_zero(size) or (size == 1 and isinstance(a._value, np.ndarray)):
        return False  # of nothing, and of one that is taken out of others, they may be any
    a.layout_asked = True
    return True


def is_shared(a: Array, shape: Any, flat: bool) -> bool | None:
    """Whether NumPy's own reshape shares elements, as tried with arrays of the same strides.

    None where only the run tells.
    """
    base, chain = looked_into(a)
    sizes = static_shape(base)
    wanted = shape if isinstance(shape, tuple | list) else (shape,)
    if not all(isinstance(one, int) for one in wanted):
        return True if not flat and len(a.shape) < 2 else None
    if not base.is_contiguous and base.layout is not None:
        tried = base.layout  # the caller's own: so are its sizes and strides in each other call
        base.layout_asked = True
    elif sizes is None or not base.is_contiguous:
        turned = len(chain) == 1 and chain[0].name == "permute" and base.is_contiguous
        if not flat and len(a.shape) < 2:
            return True
        return _is_turned_alike(chain[0], base) if turned else None
    else:
        by_bytes = any(one.name == "bits" for one in chain)
        tried = np.empty(sizes, as_tensor(base).dtype if by_bytes else np.bool_)
    found = {_shares(tried, chain, wanted, flat, whole) for whole in (True, False)}
    return found.pop() if len(found) == 1 else None


def _shares(tried: Any, chain: list[View], wanted: Any, flat: bool, whole: bool) -> bool:
    """Whether a reshape shares elements with what it is made of, a view of `tried`; `whole`: slices
    to staged places take a whole axis, else all but the first."""
    try:
        for one in reversed(chain):
            tried = viewed(tried, one.name, _known(one.argument, whole))
        found = tried.ravel() if flat else tried.reshape(-1 if _has_staged(chain) else wanted)
    except (TypeError, IndexError, ValueError):
        return False
    return np.shares_memory(found, tried)


def _has_staged(chain: list[View]) -> bool:
    """Whether views are slices to staged places: of other shapes than those tried."""
    return any(
        isinstance(part, slice) and _known(part) != part
        for one in chain
        for part in (one.argument if isinstance(one.argument, tuple) else (one.argument,))
    )


def _is_turned_alike(turned: View, base: Array) -> bool | None:
    """Whether elements that lie in one row do so in another order of the axes, too: where axes of
    one element alone changed their places. None where only the run tells."""
    sizes = shape_of(base)
    longer = [axis for axis in turned.argument if not _is_one(sizes[axis])]
    if longer == sorted(longer):
        return True
    return None if any(may_be_zero(sizes[axis]) for axis in longer) else False


def _is_one(size: Any) -> bool:
    return type(size) is int and size == 1


def ordered(a: Array, order: Any) -> Array:
    """`a` with its elements in one row, in C's order or Fortran's: itself if that is so."""
    shared = _lies_in_order(a, order) if order in ("C", "F") else True
    if shared:
        return a
    made: Array = as_array(OPS.copy(as_tensor(a)))
    if shared is None:
        made.is_writeable = None
    return made


def _lies_in_order(a: Array, order: str) -> bool | None:
    """Whether the elements lie in one row, in this order; None where only the run tells."""
    base, chain = looked_into(a)
    sizes = static_shape(base)
    if not base.is_contiguous and base.layout is not None:
        tried = base.layout  # the caller's own, as in `is_shared`
    elif sizes is None or not base.is_contiguous:
        turned = len(chain) == 1 and chain[0].name == "permute" and base.is_contiguous
        if a.is_contiguous and (order == "C" or len(a.shape) < 2):
            base.layout_asked = True
            return True
        known = turned or a.is_contiguous
        if not known or any(size == 1 for size in shape_of(a)) or len(a.shape) > 2:
            return None
        return turned and order == "F"
    else:
        by_bytes = any(one.name == "bits" for one in chain)
        tried = np.empty(sizes, as_tensor(base).dtype if by_bytes else np.bool_)
    base.layout_asked = True
    try:
        for one in reversed(chain):
            tried = viewed(tried, one.name, _known(one.argument))
    except (TypeError, IndexError, ValueError):
        return None
    return tried.flags.c_contiguous if order == "C" else tried.flags.f_contiguous


def _known(argument: Any, whole: bool = True) -> Any:
    """An index in which any place stands for a staged one: the strides are the same. Slices to
    staged places take a `whole` axis, or all of it but the first."""
    if isinstance(argument, tuple):
        return tuple(_known(one, whole) for one in argument)
    if isinstance(argument, slice):
        bounds = (argument.start, argument.stop)
        if any(isinstance(one, Number | Tensor) for one in bounds):
            return slice(None if whole else 1, None, argument.step)
    return 0 if isinstance(argument, Number | Tensor) else argument
