"""The entries of a basic index, hashable so that they can be attributes of a node."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from autograph.runtime.core.dims import Dim, DimLike, Shape
from autograph.runtime.core.record import DynamicInt


@dataclass(frozen=True, slots=True)
class Slice:
    """`start:stop:step`, each an int, None, or an integer known only at run time."""

    start: Any = None
    stop: Any = None
    step: Any = None

    def map_integers(self, walk: Callable[[Any], Any]) -> Slice:
        """The slice of what `walk` gives for each part."""
        return Slice(walk(self.start), walk(self.stop), walk(self.step))

    @property
    def plain(self) -> slice:
        """The Python slice, once every part is known."""
        return slice(self.start, self.stop, self.step)

    @property
    def is_whole(self) -> bool:
        """Whether it takes the axis as it is."""
        return self.start is None and self.stop is None and self.step in (None, 1)

    def __str__(self) -> str:
        parts = ["" if one is None else str(one) for one in (self.start, self.stop, self.step)]
        return ":".join(parts[: 2 if self.step is None else 3])


WHOLE = Slice()
_sliced = functools.lru_cache(1024)(Slice)


def plain_key(key: Any, shape: tuple[int, ...]) -> tuple[Any, ...] | None:
    """A key of plain ints, slices of such, None and `...` as an index; None for any other key.

    IndexError where an int is out of range or there are too many.
    """
    keys = key if type(key) is tuple else (key,)
    entries: list[Any] = []
    axis = 0
    for one in keys:
        if type(one) is int:
            if axis >= len(shape):
                return None
            size = shape[axis]
            if not -size <= one < size:
                raise IndexError(out_of_bounds(one, axis, size))
            entries.append(one + size if one < 0 else one)
            axis += 1
        elif type(one) is slice:
            for bound in (one.start, one.stop, one.step):
                if bound is not None and type(bound) is not int:
                    return None
            entries.append(_sliced(one.start, one.stop, one.step))
            axis += 1
        elif one is None:
            entries.append(None)
        elif one is Ellipsis and axis == len(entries) == 0 and _is_single(keys):
            filling = len(shape) - sum(other is not None for other in keys) + 1
            entries.extend([WHOLE] * filling)
            axis = filling
        else:
            return None
    return tuple(entries) if axis <= len(shape) else None


def _is_single(keys: tuple[Any, ...]) -> bool:
    """Whether a key has no more than one ellipsis."""
    return sum(one is Ellipsis for one in keys) == 1


def out_of_bounds(index: int, axis: int, size: int) -> str:
    """NumPy's words for an index out of range."""
    return f"index {index} is out of bounds for axis {axis} with size {size}"


def plain_index(index: tuple[Any, ...]) -> tuple[Any, ...]:
    """The index with Python's own slices, as NumPy takes it."""
    return tuple(one.plain if type(one) is Slice else one for one in index)


def indexed_shape(shape: Shape, index: tuple[Any, ...]) -> Shape:
    """The shape of `x[index]`; the ints in the index are in range."""
    dims: list[DimLike] = []
    axis = 0
    for entry in index:
        if entry is None:
            dims.append(1)
            continue
        if isinstance(entry, Slice):
            dims.append(sliced_size(shape[axis], entry))
        axis += 1
    return (*dims, *shape[axis:])


def sliced_size(size: DimLike, entry: Slice) -> DimLike:
    """How many elements a slice takes of an axis."""
    if entry.start is None and entry.stop is None and entry.step in (None, 1, -1):
        return size
    parts = (entry.start, entry.stop, entry.step)
    if isinstance(size, Dim) or any(isinstance(one, DynamicInt) for one in parts):
        return Dim.fresh("s")
    return len(range(*entry.plain.indices(size)))
