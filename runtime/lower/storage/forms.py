"""Where the values of a graph live while its program runs."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from autograph.runtime.core.dims import Dim, DimLike, product
from autograph.runtime.core.dtypes import DType

Sizes = tuple[DimLike, ...]


MOVES = re.compile(r"w\d+")
"""The names of 0 or 1, by which a stride is multiplied where a size may turn out to be 1."""


@dataclass(eq=False, slots=True)
class Root:
    """A piece of memory: what the local variable `name` points to."""

    name: str
    size: DimLike | None = None
    """Its bytes; None for memory of the caller."""
    owned: bool = False
    """Whether this function may write to it."""
    block: int | None = None
    """The block of the frame, where the size is known only in the middle of the run."""
    live: int = 0
    """How many living values are in it."""
    pinned: bool = False
    """Whether nothing else may take it, though nothing lives there now."""
    home: ListHome | None = None
    """The list that it is an item of, where that list lives for the item alone."""

    @property
    def bytes(self) -> DimLike:
        """Its size; 0 where this function does not know it."""
        return 0 if self.size is None else self.size


@dataclass(slots=True)
class Scalar:
    """A 0-d value in a local variable, or a literal."""

    text: str
    dtype: DType
    constant: Any = None

    @property
    def sizes(self) -> Sizes:
        """No axes."""
        return ()


@dataclass(slots=True)
class Array:
    """Elements in memory; offset and strides count elements."""

    root: Root
    dtype: DType
    sizes: Sizes
    strides: Sizes
    offset: DimLike = 0

    @property
    def is_contiguous(self) -> bool:
        """Whether the elements lie one after the other in the order of the axes."""
        expected: DimLike = 1
        for size, stride in zip(reversed(self.sizes), reversed(self.strides), strict=True):
            if type(size) is int and size == 1:
                continue
            if stride != expected:
                return False
            expected = expected * size
        return True

    @property
    def is_spread_out(self) -> bool:
        """Whether each element has a place of its own: none was broadcast."""
        return not any(
            (type(stride) is int and stride == 0 and not (type(size) is int and size == 1))
            or (isinstance(stride, Dim) and any(map(MOVES.fullmatch, stride.symbols)))
            for size, stride in zip(self.sizes, self.strides, strict=True)
        )

    @property
    def is_whole(self) -> bool:
        """Whether it is contiguous from the start of its root."""
        return type(self.offset) is int and self.offset == 0 and self.is_contiguous


@dataclass(slots=True)
class Rows:
    """A part of `whole`, which has all parts along its first axis: the one at `index`."""

    whole: Array
    index: str

    @property
    def is_single(self) -> bool:
        """Whether a part is one row without an axis for rows."""
        return len(self.whole.sizes) == 2

    @property
    def count(self) -> DimLike:
        """How many rows a part has."""
        return 1 if self.is_single else self.whole.sizes[1]


@dataclass(slots=True)
class Splat:
    """One scalar everywhere: no memory."""

    text: str
    dtype: DType
    sizes: Sizes
    constant: Any = None


@dataclass(slots=True)
class Ramp:
    """start + step * i along one axis: no memory. The texts have the dtype."""

    start: str
    step: str
    dtype: DType
    sizes: Sizes
    axis: int


@dataclass(eq=False, slots=True)
class ListHome:
    """A list: the variable of the frame it is in, and its place there."""

    number: int | str
    frame: str = "frame"
    live: int = 0
    views: list[Root] = field(default_factory=list)
    """The roots of items that are views of its block."""

    @property
    def where(self) -> str:
        """The arguments with which functions of lists are called."""
        return f"{self.frame}, {self.number}"


@dataclass(slots=True)
class Items:
    """A list value: what it is in, and what is known of its items."""

    home: ListHome
    dtype: DType
    rank: int
    python: bool = False
    sizes: Sizes | None = None
    """The sizes of every item where they are all equal and known outside the list."""


Storage = Scalar | Array | Splat | Ramp | Items
Tensorial = Scalar | Array | Splat | Ramp


def row_major(sizes: Sizes) -> Sizes:
    """The strides of a contiguous array."""
    return tuple(product(sizes[axis + 1 :]) for axis in range(len(sizes)))


@dataclass(slots=True)
class Pool:
    """The roots of a frame, and which of them hold nothing now."""

    roots: list[Root] = field(default_factory=list)
    free: list[Root] = field(default_factory=list)
