"""NumPy's functions that are C, as Python on other functions of NumPy: converted, then staged."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from autograph.library.numpy.array_editing import checked_axis
from autograph.runtime.arrays.cells import as_tensor
from autograph.runtime.arrays.manipulation import spread
from autograph.runtime.graph.trace import RunLimitError


def shape(a: Any) -> Any:
    """`np.shape`."""
    return np.asarray(a).shape


def size(a: Any, axis: Any) -> Any:
    """`np.size`."""
    sizes = np.asarray(a).shape
    if axis is not None:
        return sizes[axis]
    total = 1
    for one in sizes:
        total *= one
    return total


def accumulate(ufunc: Any, array: Any, axis: Any = 0) -> Any:
    """`ufunc.accumulate(array)`, of functions that keep the dtype, and of logical ones."""
    out = np.moveaxis(_operand(ufunc, array), axis, 0).copy()
    for place in range(1, len(out)):
        out[place] = ufunc(out[place - 1], out[place])
    return np.moveaxis(out, 0, axis).copy()


def reduce(ufunc: Any, array: Any, axis: Any = 0) -> Any:
    """`ufunc.reduce(array)` along one axis, of functions that keep the dtype, and logical ones."""
    rows = np.moveaxis(_operand(ufunc, array), axis, 0)
    if len(rows) == 0:
        if ufunc.identity is not None:
            return np.full(rows.shape[1:], ufunc.identity, rows.dtype)[()]
        raise ValueError(
            f"zero-size array to reduction operation {ufunc.__name__} which has no identity"
        )
    total = rows[0].copy()
    for place in range(1, len(rows)):
        total = ufunc(total, rows[place])
    return total


def _operand(ufunc: Any, array: Any) -> Any:
    array = np.asarray(array)
    if ufunc.__name__.startswith("logical_"):
        return array.astype(bool)
    return array.astype(ufunc(array[:0], array[:0]).dtype) if array.ndim else array


def broadcast_arrays(*arrays: Any) -> Any:
    """`np.broadcast_arrays`."""
    arrays = tuple([np.asarray(one) for one in arrays])
    shape = np.broadcast_shapes(*[one.shape for one in arrays])
    return tuple([spread(one, shape) for one in arrays])


def unravel_index(indices: Any, shape: Any) -> Any:
    """`np.unravel_index`."""
    sizes = (shape,) if isinstance(shape, int) else tuple(shape)
    rest = np.asarray(indices)[()]
    total = 1
    for size in sizes:
        total *= size
    if np.any((rest < 0) | (rest >= total)):
        raise ValueError(f"index is out of bounds for array with size {total}")
    places: list[Any] = []
    for size in sizes[::-1]:
        places.append(rest % size)
        rest = rest // size
    return tuple(places[::-1])


def ravel_multi_index(multi_index: Any, dims: Any) -> Any:
    """`np.ravel_multi_index`."""
    total: Any = 0
    for index, size in zip(multi_index, dims, strict=True):
        index = np.asarray(index)[()]
        if np.any((index < 0) | (index >= size)):
            raise ValueError("invalid entry in coordinates array")
        total = total * size + index
    return total


def lexsort(keys: Any, axis: int = -1) -> Any:
    """`np.lexsort`."""
    order = np.argsort(keys[0], axis=axis, kind="stable")
    for key in keys[1:]:
        if np.ndim(key) == 1:
            order = order[np.argsort(np.asarray(key)[order], kind="stable")]
        else:
            found = np.take_along_axis(np.asarray(key), order, axis)
            order = np.take_along_axis(order, np.argsort(found, axis=axis, kind="stable"), axis)
    return order


def as_written(values: Any, dtype: Any) -> Any:
    """Values for an array of a dtype: of Python's numbers only those that it can hold."""
    return values if isinstance(values, np.ndarray) else np.array(values, dtype=dtype)


def put(a: Any, ind: Any, v: Any) -> None:
    """`np.put`."""
    indices, values = np.ravel(ind), np.ravel(as_written(v, a.dtype))
    if np.any((indices < -a.size) | (indices >= a.size)):
        raise IndexError(f"index is out of bounds for axis 0 with size {a.size}")
    indices = np.where(indices < 0, indices + a.size, indices)
    chosen = values[np.arange(len(indices)) % len(values)]
    a[unravel_index(indices, a.shape)] = chosen.astype(a.dtype)


def place(arr: Any, mask: Any, vals: Any) -> None:
    """`np.place`."""
    indices, values = np.flatnonzero(mask), np.ravel(as_written(vals, arr.dtype))
    if len(indices) > 0:
        chosen = values[np.arange(len(indices)) % len(values)]
        arr[unravel_index(indices, arr.shape)] = chosen.astype(arr.dtype)


def ndenumerate(arr: Any) -> Any:
    """`np.ndenumerate`: the indices and the elements."""
    arr = np.asarray(arr)
    for index in ndindex(arr.shape):
        yield index, arr[index]


def ndindex(*shape: Any) -> Any:
    """`np.ndindex`: the indices of an array of that shape."""
    sizes = tuple(shape[0]) if len(shape) == 1 and isinstance(shape[0], tuple | list) else shape
    for number in range(math.prod(sizes)):
        rest = number
        index: tuple[Any, ...] = ()
        for size in sizes[::-1]:
            index = (rest % size, *index)
            rest = rest // size
        yield index


def elements(array: Any) -> Any:
    """`np.nditer` of one array: its elements as arrays without axes, which are not written to."""
    if array.size == 0:
        raise ValueError("Iteration of zero-sized operands is not enabled")
    for value in np.ravel(array):
        yield np.broadcast_to(value, ())


class Cursor:
    """`np.nditer(array, flags=["multi_index"])`: it stands at one element after the other."""

    def __init__(self, array: Any, writes: bool, flags: tuple[str, ...]) -> None:
        if array.size == 0:
            raise ValueError("Iteration of zero-sized operands is not enabled")
        self.array = array
        self.writes = writes
        self.flags = flags
        self.itersize = array.size
        self.iterindex = 0
        self.begun = False

    @property
    def finished(self) -> Any:
        """Whether it is behind the last element."""
        return self.iterindex >= self.itersize

    @property
    def multi_index(self) -> Any:
        """Where it stands, along each axis."""
        if "multi_index" not in self.flags:
            raise ValueError("Iterator is not tracking a multi-index")
        return self._place()

    def _place(self) -> Any:
        if self.iterindex >= self.itersize:
            raise ValueError("Iterator is past the end")
        rest = self.iterindex
        index: tuple[Any, ...] = ()
        for size in self.array.shape[::-1]:
            index = (rest % size, *index)
            rest = rest // size
        return index

    @property
    def index(self) -> Any:
        """Where it stands, counted from the first element."""
        if "c_index" not in self.flags:
            raise ValueError("Iterator does not have an index")
        return self.iterindex

    @property
    def value(self) -> Any:
        """The element, as an array without axes: what is written to it reaches the array."""
        found = self.array[(*self._place(), ...)]
        return found if self.writes else np.broadcast_to(found, ())

    def iternext(self) -> Any:
        """Go on; whether there is an element."""
        self.iterindex += 1
        return self.iterindex < self.itersize

    def reset(self) -> None:
        """Go back to the first element."""
        self.iterindex = 0
        self.begun = False

    def __getitem__(self, place: int) -> Any:
        if place not in (0, -1):
            raise IndexError(f"Iterator operand index {place} is out of bounds")
        return self.value

    def __setitem__(self, place: int, value: Any) -> None:
        if place not in (0, -1):
            raise IndexError(f"Iterator operand index {place} is out of bounds")
        if not self.writes:
            raise RuntimeError("Iterator operand 0 is not writeable")
        self.array[self._place()] = value

    def __iter__(self) -> Any:
        return self

    def __next__(self) -> Any:
        if self.begun:
            self.iterindex += 1
        self.begun = True
        if self.iterindex >= self.itersize:
            raise StopIteration
        return self.value

    def __enter__(self) -> Any:
        return self

    def __exit__(self, *error: Any) -> None:
        return None


Cursor.__module__ = "the source of numpy"
"""So its methods are converted wherever an operator asks for them, as those of a user's class."""


def sliding_windows(x: Any, window_shape: Any, axis: Any) -> Any:
    """`np.lib.stride_tricks.sliding_window_view` along one axis, as a copy that is only read."""
    size = window_shape if isinstance(window_shape, int) else window_shape[0]
    axis = checked_axis(axis if isinstance(axis, int) else axis[0], x.ndim)
    count = x.shape[axis] - size + 1
    if count < 1:
        raise ValueError("window shape cannot be larger than input array shape")
    places = np.arange(count)[:, None] + np.arange(size)
    windows = np.take(x, places.reshape(-1), axis=axis)
    sizes = x.shape[:axis] + (count, size) + x.shape[axis + 1 :]
    found = np.moveaxis(windows.reshape(sizes), axis + 1, -1)
    return np.broadcast_to(found, found.shape)


def sliding_window_view(x: Any, window_shape: Any) -> Any:
    """`np.lib.stride_tricks.sliding_window_view` along all axes, as a copy that is only read."""
    sizes = (window_shape,) if isinstance(window_shape, int) else tuple(window_shape)
    if len(sizes) != x.ndim:
        raise ValueError(
            "Since axis is None, must provide window_shape for all dimensions of `x`; "
            f"got {len(sizes)} window_shape elements and `x.ndim` is {x.ndim}."
        )
    places: list[Any] = []
    for axis in range(x.ndim):
        count = x.shape[axis] - sizes[axis] + 1
        if count < 1:
            raise ValueError("window shape cannot be larger than input array shape")
        starts = [1] * (2 * x.ndim)
        steps = [1] * (2 * x.ndim)
        starts[axis] = steps[x.ndim + axis] = -1
        places.append(np.arange(count).reshape(starts) + np.arange(sizes[axis]).reshape(steps))
    windows = x[tuple(places)]
    return np.broadcast_to(windows, windows.shape)


def as_strided(x: Any, shape: Any = None, strides: Any = None) -> Any:
    """`np.lib.stride_tricks.as_strided` of an array with one axis, as a copy that is only read."""
    sizes = (shape,) if isinstance(shape, (int, np.integer)) else tuple(shape)
    wide = x.strides[0]
    places: Any = np.zeros((1,) * len(sizes), np.intp)
    for axis, (size, stride) in enumerate(zip(sizes, strides, strict=True)):
        along = [1] * len(sizes)
        along[axis] = -1
        places = places + (np.arange(size) * stride).reshape(along)
    if np.any((places < 0) | (places > (len(x) - 1) * wide) | (places % wide != 0)):
        raise RunLimitError(
            "as_strided reaches beyond the elements of its array: make a larger one first"
        )
    found = x[places // wide]
    return np.broadcast_to(found, found.shape)


def fromiter(iter: Any, dtype: Any) -> Any:
    """`np.fromiter`."""
    return np.array(list(iter), dtype=dtype)


def connected_item(scalar: Any) -> Any:
    """`scalar.item()`; in a staged function gradients go through it."""
    return scalar.item()


def vectorized(function: Any, dtype: Any, *arrays: Any) -> Any:
    """`np.vectorize(function)(*arrays)`: the first result says what dtype the results have."""
    arrays = tuple([np.asarray(one) for one in arrays])
    shape = np.broadcast_shapes(*[one.shape for one in arrays])
    columns = [np.ravel(np.broadcast_to(one, shape)) for one in arrays]
    size = len(columns[0])
    first: Any = None
    if dtype is None:
        if size == 0:
            raise ValueError("cannot call `vectorize` on size 0 inputs unless `otypes` is set")
        first = function(*[one[0] for one in columns])
        is_tuple = isinstance(first, tuple)
        dtype = tuple([np.asarray(one).dtype for one in (first if is_tuple else (first,))])
        dtype = dtype if is_tuple else dtype[0]
    several = isinstance(dtype, tuple)
    outs = [np.empty(size, one) for one in (dtype if several else (dtype,))]
    for number in range(size):
        items = [one[number] for one in columns]
        found = function(*[connected_item(one) for one in items])
        for out, one in zip(outs, found if several else (found,), strict=True):
            out[number] = one
    made = tuple([out.reshape(shape) for out in outs])
    return made if several else made[0]


def array_equiv(a1: Any, a2: Any) -> Any:
    """`np.array_equiv`."""
    a1, a2 = np.asarray(a1), np.asarray(a2)
    try:
        same = np.equal(a1, a2)
    except ValueError:
        return False
    return bool(same.all())


def apply_along_axis(func1d: Any, axis: Any, arr: Any, *args: Any, **kwargs: Any) -> Any:
    """`np.apply_along_axis` of an array of as many rows as the run tells."""
    arr = np.asarray(arr)
    place = axis if axis >= 0 else axis + arr.ndim
    moved = np.moveaxis(arr, axis, -1)
    outer = moved.shape[:-1]
    rows = moved.reshape(-1, moved.shape[-1])
    if len(rows) == 0:
        raise ValueError("Cannot apply_along_axis when any iteration dimensions are 0")
    made = []
    for row in rows:
        made.append(np.asarray(func1d(row, *args, **kwargs)))
    found = np.array(made).astype(made[0].dtype)
    inner = found.ndim - 1
    found = found.reshape(outer + found.shape[1:])
    last = len(outer)
    return np.moveaxis(
        found, [last + one for one in range(inner)], [place + one for one in range(inner)]
    )


class Converter:
    """What NumPy's own code makes arrays of its arguments with."""

    __module__ = "numpy_source"  # it is converted as a class of the user's

    def __init__(self, *arrays: Any) -> None:
        self.arrays = tuple([np.asarray(one) for one in arrays])
        self.is_scalar = not any([isinstance(one, (np.ndarray, list, tuple)) for one in arrays])

    def __getitem__(self, number: int) -> Any:
        return self.arrays[number]

    def as_arrays(self, subok: bool = True) -> Any:
        """The arguments as arrays."""
        return self.arrays

    def wrap(self, array: Any, to_scalar: Any = None) -> Any:
        """A result, of the class that the arguments have: a scalar, if no array was given."""
        wanted = self.is_scalar if to_scalar is None else to_scalar
        return array[()] if wanted else array


# checks -------------------------------------------------------------------------------------------
def check_integer(value: Any, lowest: int, highest: int, dtype: str) -> None:
    """What NumPy raises for a scalar that an array of these integers is to hold."""
    if value != value:
        raise ValueError("cannot convert float NaN to integer")
    if np.isinf(value):
        raise OverflowError("cannot convert float infinity to integer")
    if value >= 2.0**63 or value < -(2.0**63):
        raise OverflowError("Python int too large to convert to C long")
    if dtype != "int64":
        number = int(value)
        if number < lowest or number > highest:
            raise OverflowError(f"Python integer {number} out of bounds for {dtype}")


def fill(array: Any, value: Any) -> None:
    """`array.fill(value)`."""
    array[...] = value


def partition(array: Any, kth: Any, axis: int = -1, kind: Any = None, order: Any = None) -> None:
    """`array.partition(kth)`."""
    array[...] = np.partition(array, kth, axis)


def arrays_of(lists: Any) -> Any:
    """Each of some lists as an array: what NumPy joins."""
    return [np.array(one) for one in lists]


def tensors_of(items: Any) -> Any:
    """What each array of a list holds now."""
    return [as_tensor(one) for one in items]


def check_lengths(lists: Any) -> None:
    """What NumPy raises that makes one array of lists of different lengths."""
    for one in lists:
        if len(one) != len(lists[0]):
            raise ValueError(
                "setting an array element with a sequence. The requested array has an "
                "inhomogeneous shape after 1 dimensions. The detected shape was "
                f"({len(lists)},) + inhomogeneous part."
            )


def check_filled(length: Any) -> None:
    """What NumPy makes of a list without items has another dtype and other axes."""
    if length == 0:
        raise RunLimitError(
            "a list without items is an array of float64 without rows for NumPy, but items of this "
            "list have another dtype or axes: test for len(items) == 0 first"
        )


def check_dtype(is_empty: Any, is_any: Any, dtype: str) -> None:
    """What NumPy makes of a list of numbers has the dtype of those that are in it."""
    if not is_any and not is_empty:
        raise RunLimitError(
            f"an array of this list is of {dtype} where other items are in it, and of another "
            "dtype now: name one, np.array(items, dtype=float)"
        )


def check_promoted(is_any: Any, dtype: str) -> None:
    """What an op makes of a list of tensors has the dtype of those that are in it."""
    if not is_any:
        raise RunLimitError(
            f"a tensor of this list is of {dtype} where other items are in it, and of another "
            f"dtype now: cast the items, ag.astype(x, ag.{dtype})"
        )


def check_no_object(found: Any, kind: str) -> None:
    """What NumPy makes of a list with None or a dict in it holds objects."""
    if found:
        raise RunLimitError(
            f"an array of a list with {kind} in it holds objects, and this one was to hold the "
            f"numbers that are in it on other paths: leave out {kind}, or put a number in its place"
        )


def place_of(item: Any) -> Any:
    """An item of a list that is an index, and may be None: what NumPy raises then."""
    if item is None:
        raise IndexError(
            "only integers, slices (`:`), ellipsis (`...`), numpy.newaxis (`None`) and integer or "
            "boolean arrays are valid indices"
        )
    return item


def refuse_none(name: str) -> None:
    """Of None on one path a function makes objects, or a NaN; of what other paths have, numbers."""
    raise RunLimitError(
        f"{name} is given None here, of which no array of numbers is made; on other paths it is "
        "given numbers: leave out None, or put a number in its place"
    )


def check_mask(size: Any, given: Any, axis: int) -> None:
    """What an index of truth values raises that has not the size of the axis, and is not empty."""
    if size != given and given != 0:
        raise IndexError(
            f"boolean index did not match indexed array along axis {axis}; size of axis is {size} "
            f"but size of corresponding boolean axis is {given}"
        )


# random generators --------------------------------------------------------------------------------
def drawn_item(generator: Any, a: Any, size: None = None, **how: Any) -> Any:
    """`generator.choice(a)` of strings and None: the index is drawn as NumPy draws it."""
    items = a if None in a else [np.str_(one) for one in a]
    return items[generator.choice(len(a), **how)]
