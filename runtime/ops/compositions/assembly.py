"""Tensors put together and taken apart: stacks, diagonals, turns, parts, choices."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from typing import Any

from autograph.runtime.core import dtypes
from autograph.runtime.core.spec import broadcast, normalized_axis
from autograph.runtime.ops.inference import same_size
from autograph.runtime.ops.shaping.shapes import shape_of


# at least so many axes ----------------------------------------------------------------------------
def _each(arrays: tuple[Any, ...], made: list[Any]) -> Any:
    return made[0] if len(arrays) == 1 else tuple(made)


def atleast_1d(o: Any, /, *arrays: Any) -> Any:
    """Each tensor with one axis at least; a tuple of them for several."""
    tensors = list(o.operands(tuple(arrays)))
    return _each(arrays, [one if one.ndim else o.reshape(one, (1,)) for one in tensors])


def atleast_2d(o: Any, /, *arrays: Any) -> Any:
    """Each tensor with two axes at least, new ones in front; a tuple of them for several."""
    tensors = list(o.operands(tuple(arrays)))
    return _each(arrays, [o.expand_dims(one, tuple(range(2 - one.ndim))) for one in tensors])


def atleast_3d(o: Any, /, *arrays: Any) -> Any:
    """Each tensor with three axes at least: [n] becomes [1, n, 1], [m, n] becomes [m, n, 1]."""
    places = {0: (0, 1, 2), 1: (0, 2), 2: (2,)}
    tensors = list(o.operands(tuple(arrays)))
    return _each(arrays, [o.expand_dims(one, places.get(one.ndim, ())) for one in tensors])


def vstack(o: Any, arrays: Any, /) -> Any:
    """Tensors one below the other: along the first of two axes at least."""
    return o.concat([atleast_2d(o, one) for one in _parts(arrays)], axis=0)


def hstack(o: Any, arrays: Any, /) -> Any:
    """Tensors side by side: along the second axis, or the only one."""
    parts = [atleast_1d(o, one) for one in _parts(arrays)]
    return o.concat(parts, axis=0 if parts[0].ndim == 1 else 1)


def dstack(o: Any, arrays: Any, /) -> Any:
    """Tensors one behind the other: along the third axis."""
    return o.concat([atleast_3d(o, one) for one in _parts(arrays)], axis=2)


def column_stack(o: Any, arrays: Any, /) -> Any:
    """Tensors as columns side by side: those of one axis are one column each."""
    tensors = list(o.operands(tuple(_parts(arrays))))
    parts = [o.matrix_transpose(atleast_2d(o, one)) if one.ndim < 2 else one for one in tensors]
    return o.concat(parts, axis=1)


def _parts(arrays: Any) -> list[Any]:
    parts = list(arrays)
    if not parts:
        raise ValueError("need at least one array to concatenate")
    return parts


def append(o: Any, x: Any, values: Any, /, axis: int | None = None) -> Any:
    """x and `values` behind it, along an axis or flat."""
    x, values = o.operands((x, values))
    if axis is None:
        return o.concat([ravel(o, x), ravel(o, values)], axis=0)
    return o.concat([x, values], axis=axis)


def ravel(o: Any, x: Any, /) -> Any:
    """The elements of x along one axis."""
    return o.reshape(x, (-1,))


# diagonals and triangles --------------------------------------------------------------------------
def diag(o: Any, v: Any, /, k: int = 0) -> Any:
    """The matrix with the vector v on its diagonal `k`; of a matrix, that diagonal."""
    v = o.asarray_or_same(v)
    if v.ndim == 2:
        return o.diagonal(v, offset=k)
    if v.ndim != 1:
        raise ValueError("Input must be 1- or 2-d.")
    places = o.arange(o.dimension(v, 0))
    on = o.equal(o.expand_dims(places, 0), o.expand_dims(places, 1))
    square = o.where(on, o.expand_dims(v, 1), o.zeros((), dtype=v.dtype))
    if k == 0:
        return square
    above, below = max(k, 0), max(-k, 0)
    return o.pad(square, ((below, above), (above, below)))


def diagflat(o: Any, v: Any, /, k: int = 0) -> Any:
    """The matrix with the elements of v, flat, on its diagonal `k`."""
    return diag(o, ravel(o, v), k=k)


def tri(o: Any, N: Any, /, M: Any = None, k: int = 0, dtype: Any = float) -> Any:
    """A matrix of N rows and M columns with ones up to its diagonal `k`, zeros above."""
    rows = o.expand_dims(o.arange(N), 1)
    columns = o.expand_dims(o.arange(N if M is None else M), 0)
    return o.astype(o.less_equal(columns - rows, k), dtypes.as_dtype(dtype))


# turns --------------------------------------------------------------------------------------------
def fliplr(o: Any, x: Any, /) -> Any:
    """x with its second axis reversed."""
    return o.flip(x, axis=1)


def flipud(o: Any, x: Any, /) -> Any:
    """x with its first axis reversed."""
    return o.flip(x, axis=0)


def rot90(o: Any, x: Any, /, k: int = 1, axes: Sequence[int] = (0, 1)) -> Any:
    """x turned by k right angles, from the first of two axes towards the second."""
    x = o.asarray_or_same(x)
    if len(axes) != 2:
        raise ValueError("len(axes) must be 2.")
    first, second = (normalized_axis(one, x.ndim) for one in axes)
    if first == second:
        raise ValueError("Axes must be different.")
    turns = k % 4
    if turns == 0:
        return o.copy(x)
    if turns == 2:
        return o.flip(x, axis=(first, second))
    if turns == 1:
        return o.swapaxes(o.flip(x, axis=second), first, second)
    return o.flip(o.swapaxes(x, first, second), axis=second)


def kron(o: Any, x: Any, y: Any, /) -> Any:
    """The Kronecker product: each element of x times the whole of y, laid out as x is."""
    x, y = o.operands((x, y))
    rank = max(x.ndim, y.ndim)
    x = o.expand_dims(x, tuple(range(rank - x.ndim)))
    y = o.expand_dims(y, tuple(range(rank - y.ndim)))
    shape = tuple(o.dimension(x, axis) * o.dimension(y, axis) for axis in range(rank))
    left = o.expand_dims(x, tuple(range(1, 2 * rank, 2)))
    right = o.expand_dims(y, tuple(range(0, 2 * rank, 2)))
    return o.reshape(left * right, shape)


# parts --------------------------------------------------------------------------------------------
def array_split(o: Any, x: Any, indices_or_sections: Any, /, axis: int = 0) -> list[Any]:
    """The parts of x along an axis; where they are not equal, the first ones are larger by one."""
    x = o.asarray_or_same(x)
    size = o.dimension(x, normalized_axis(axis, x.ndim))
    if isinstance(indices_or_sections, list | tuple) or not isinstance(size, int):
        return list(o.split(x, indices_or_sections, axis=axis))
    count = int(indices_or_sections)
    if count < 1:
        raise ValueError("number sections must be larger than 0.")
    least, more = divmod(size, count)
    sizes = [least + (part < more) for part in range(count)]
    return list(o.split(x, [sum(sizes[:part]) for part in range(1, count)], axis=axis))


def hsplit(o: Any, x: Any, indices_or_sections: Any, /) -> list[Any]:
    """The parts of x along its second axis, or its only one."""
    x = o.asarray_or_same(x)
    return list(o.split(x, indices_or_sections, axis=0 if x.ndim == 1 else 1))


def vsplit(o: Any, x: Any, indices_or_sections: Any, /) -> list[Any]:
    """The parts of x along its first axis."""
    return list(o.split(x, indices_or_sections, axis=0))


def argwhere(o: Any, x: Any, /) -> Any:
    """Where x is not zero: a row of indices for each such element."""
    return o.stack(list(o.nonzero(o.asarray_or_same(x))), axis=1)


def flatnonzero(o: Any, x: Any, /) -> Any:
    """Where x, flat, is not zero."""
    (found,) = o.nonzero(ravel(o, o.asarray_or_same(x)))
    return found


# choices and comparisons --------------------------------------------------------------------------
def select(o: Any, condlist: Any, choicelist: Any, default: Any = 0) -> Any:
    """For each element the first of the choices whose condition holds, or `default`."""
    if len(condlist) != len(choicelist):
        raise ValueError("list of cases must be same length as list of conditions")
    if not len(condlist):
        raise ValueError("select with an empty condition list is not possible")
    result = default
    for condition, choice in zip(reversed(condlist), reversed(choicelist), strict=True):
        result = o.where(condition, choice, result)
    return result


def choose(o: Any, a: Any, choices: Any, /) -> Any:
    """For each element of `a`, an index, the element of that choice."""
    parts = o.broadcast_arrays(a, *choices)
    stacked = o.stack(parts[1:], axis=0)
    picked = o.take_along_axis(stacked, o.expand_dims(parts[0], 0), axis=0)
    return o.squeeze(picked, 0)


MOST_COMPARED = 24
"""With so few others each element is compared; more are sorted, and it is looked for."""


def isin(o: Any, x: Any, test: Any, /, *, assume_unique: bool = False, invert: bool = False) -> Any:
    """Whether each element of x is among those of `test`."""
    x, test = o.asarray_or_same(x), ravel(o, o.asarray_or_same(test))
    size = o.dimension(test, 0)
    if isinstance(size, int) and size == 0:
        found = o.zeros_like(x, dtype=dtypes.bool_)
    elif isinstance(size, int) and size <= MOST_COMPARED:
        flags = [o.equal(x, test[place]) for place in range(size)]
        found = reduce(o.logical_or, flags)
    else:
        ordered = o.sort(test)
        places = o.minimum(o.searchsorted(ordered, x), size - 1)
        near = o.reshape_like(o.take(ordered, ravel(o, places), axis=0), places)
        found = o.equal(near, x)
    return o.logical_not(found) if invert else found


def array_equal(o: Any, x: Any, y: Any, /, equal_nan: bool = False) -> Any:
    """Whether x and y have the same shape and the same elements: a 0-d tensor."""
    x, y = o.operands((x, y))
    mine, other = shape_of(x), shape_of(y)
    if len(mine) != len(other) or not all(map(same_size, mine, other)):
        return o.asarray(False)
    alike: Any = True
    if mine != other:
        alike = o.asarray(True)
        for axis in range(len(mine)):
            sizes = [o.asarray(o.dimension(one, axis)) for one in (x, y)]
            alike = o.logical_and(alike, o.equal(*sizes))
            common = (slice(None),) * axis + (slice(None, o.to_int(o.minimum(*sizes))),)
            x, y = o.getitem(x, common), o.getitem(y, common)
    same = o.equal(x, y)
    if equal_nan and x.dtype.kind in "fc" and y.dtype.kind in "fc":
        same = o.logical_or(same, o.logical_and(o.isnan(x), o.isnan(y)))
    return o.all(same) if alike is True else o.logical_and(alike, o.all(same))


def broadcast_shapes(o: Any, /, *shapes: Any) -> tuple[Any, ...]:
    """The shape that arrays of these shapes have together. ShapeError, a ValueError, for none."""
    several = [(one,) if isinstance(one, int) else tuple(one) for one in shapes]
    return broadcast(several)


FUNCTIONS = (
    *(atleast_1d, atleast_2d, atleast_3d, vstack, hstack, dstack, column_stack, append, ravel),
    *(diag, diagflat, tri, fliplr, flipud, rot90, kron),
    *(array_split, hsplit, vsplit, argwhere, flatnonzero),
    *(select, choose, isin, array_equal, broadcast_shapes),
)
