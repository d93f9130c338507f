"""A nest of loops over an index space: the few loops that the memory it touches allows.

Neighbouring axes become one loop wherever every array runs through them as through one, so that
contiguous operands give a single flat loop from 0.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from autograph.kernels.program import Assign, For, Statement
from autograph.runtime.core.dims import Dim, DimLike
from autograph.runtime.core.dtypes import DType
from autograph.runtime.lower.builder import Builder, cast, dtype_call
from autograph.runtime.lower.loops.rows import Row, RowLoop
from autograph.runtime.lower.loops.work import work_of
from autograph.runtime.lower.sizes.polynomials import SizeTable, text_of
from autograph.runtime.lower.storage.forms import Array, Ramp, Root, Scalar, Sizes, Splat, Tensorial


def strides_in(table: SizeTable, array: Array, space: Sizes) -> Sizes:
    """The strides of an array along the axes of a space it broadcasts to."""
    missing = len(space) - len(array.sizes)
    strides: list[DimLike] = [0] * missing
    for size, stride, target in zip(array.sizes, array.strides, space[missing:], strict=True):
        strides.append(0 if table.stretches(size, target) else table.resolve(stride))
    return tuple(strides)


class Nest:
    """Loops over `space`. Statements are placed in the outermost loop that fixes their operands."""

    def __init__(
        self,
        builder: Builder,
        space: Sizes,
        arrays: Sequence[Array],
        ramps: Sequence[Ramp] = (),
        reduced: Sequence[tuple[int, ...]] = (),
    ) -> None:
        self.builder = builder
        self.table = builder.table
        self.space = tuple(self.table.resolve(size) for size in space)
        self._all_strides = [strides_in(self.table, array, self.space) for array in arrays]
        self._arrays = arrays
        self._reduced = reduced
        self._walls = self._kept_apart(ramps, reduced)
        self.groups = self._collapsed()
        """For each loop the axes it runs through."""
        self.counts = [self._count(group) for group in self.groups]
        self.variables = [builder.name("i") for _ in self.groups]
        self.bodies: list[list[Statement]] = [[] for _ in range(len(self.groups) + 1)]
        """What each loop does before the loop within it; the first is outside of all loops."""
        self.tails: list[list[Statement]] = [[] for _ in range(len(self.groups) + 1)]
        """What each loop does after the loop within it."""
        self.pointers: dict[tuple[str, str], str] = {}
        self.block_head: list[Statement] = []
        """Where the only loop runs in blocks: what each block does first."""
        self.block_tail: list[Statement] = []
        self.in_memory = False
        """Whether a reduction is put together where its result lies, not in a variable."""
        self._indices: dict[str, tuple[str, int]] = {}
        self._loads: dict[tuple[str, str], tuple[str, int]] = {}

    # shape of the nest ------------------------------------------------------------------------
    def _kept_apart(self, ramps: Sequence[Ramp], reduced: Sequence[tuple[int, ...]]) -> set[int]:
        """Axes that are not one loop with the axis before them."""
        walls: set[int] = set()
        rank = len(self.space)
        for ramp in ramps:
            axis = rank - len(ramp.sizes) + ramp.axis
            walls |= {axis, axis + 1}
        for axes in reduced:
            walls |= {axis for axis in range(1, rank) if (axis in axes) != (axis - 1 in axes)}
        return walls

    def _collapsed(self) -> list[tuple[int, ...]]:
        groups: list[list[int]] = []
        for axis, size in enumerate(self.space):
            if size == 1 and type(size) is int:
                continue
            if groups and self._joins(groups[-1][-1], axis):
                groups[-1].append(axis)
            else:
                groups.append([axis])
        return [tuple(group) for group in groups]

    def _joins(self, outer: int, inner: int) -> bool:
        if any(axis in self._walls for axis in range(outer + 1, inner + 1)):
            return False
        size = self.space[inner]
        return all(
            self.table.resolve(size * strides[inner]) == self.table.resolve(strides[outer])
            for strides in self._all_strides
        )

    def _count(self, group: tuple[int, ...]) -> DimLike:
        count: DimLike = 1
        for axis in group:
            count = count * self.space[axis]
        return count

    @property
    def depth(self) -> int:
        """The number of loops."""
        return len(self.groups)

    def is_reduced(self, loop: int, axes: tuple[int, ...]) -> bool:
        """Whether a loop runs through axes that a reduction combines."""
        return self.groups[loop][0] in axes

    # access -----------------------------------------------------------------------------------
    def index_of(self, array: Array) -> tuple[str, int]:
        """The index of the current element of an array, and the level that fixes it."""
        strides = strides_in(self.table, array, self.space)
        index: DimLike = self.table.resolve(array.offset)
        level = 0
        for loop, group in enumerate(self.groups):
            stride = strides[group[-1]]
            if not (type(stride) is int and stride == 0):
                index = index + Dim.symbol(self.variables[loop]) * stride
                level = loop + 1
        text = text_of(index)
        if text.isidentifier() or text.isdigit():
            return text, level
        known = self._indices.get(text)
        if known is None:
            name = self.builder.name("at")
            self.bodies[level].append(Assign(name, text))
            known = self._indices[text] = (name, level)
        return known

    def pointer(self, array: Array) -> str:
        """The flat buffer of an array, made before the loops."""
        key = (array.root.name, array.dtype.name)
        if key not in self.pointers:
            name = self.builder.name("x")
            self.bodies[0].insert(0, Assign(name, f"{array.dtype.name}_at({array.root.name})"))
            self.pointers[key] = name
        return self.pointers[key]

    def load(self, storage: Tensorial) -> tuple[str, DType, int]:
        """The current element: its text, dtype, and the level that fixes it."""
        if isinstance(storage, Scalar | Splat):
            return storage.text, storage.dtype, 0
        if isinstance(storage, Ramp):
            return self._ramp(storage)
        index, level = self.index_of(storage)
        key = (self.pointer(storage), index)
        known = self._loads.get(key)
        if known is None:
            name = self.builder.name("v")
            self.bodies[level].append(Assign(name, f"{key[0]}[{index}]"))
            known = self._loads[key] = (name, level)
        return known[0], storage.dtype, known[1]

    def _ramp(self, ramp: Ramp) -> tuple[str, DType, int]:
        axis = len(self.space) - len(ramp.sizes) + ramp.axis
        for loop, group in enumerate(self.groups):
            if axis in group:
                count = f"{dtype_call(ramp.dtype)}({self.variables[loop]})"
                text = f"{dtype_call(ramp.dtype)}({ramp.start} + {ramp.step} * {count})"
                name = self.builder.name("v")
                self.bodies[loop + 1].append(Assign(name, text))
                return name, ramp.dtype, loop + 1
        return ramp.start, ramp.dtype, 0

    def define(self, text: str, level: int) -> str:
        """A new variable at a level."""
        name = self.builder.name("v")
        self.bodies[level].append(Assign(name, text))
        return name

    def store(self, array: Array, text: str, dtype: DType) -> None:
        """Store into the current element of an array that has the whole space."""
        index, _ = self.index_of(array)
        value = cast(text, dtype, array.dtype)
        self.bodies[-1].append(Assign(f"{self.pointer(array)}[{index}]", value))
        # what was loaded from there before is in its variable already; later loads see the new one
        self._loads[self.pointer(array), index] = (value, len(self.groups))

    # the end ----------------------------------------------------------------------------------
    def finish(
        self, parallel: bool = False, written: Collection[Root] = (), apart: int | None = None
    ) -> None:
        """Emit the loops. `parallel`: the turns of the outermost one need nothing of each other,
        where no reduction runs through it; `written`: all roots to which it writes. `apart`: the
        axis from which on each turn touches elements of its own."""
        inner = self.bodies[-1] + self.tails[-1]
        builder = self.builder
        if self.block_tail:
            blocks = self._blocks(inner)
            blocks.range = "gather_range" if parallel else "range"
            builder.body.extend([*self.bodies[0], blocks, *self.tails[0]])
            return
        work = self._work(inner) if parallel and not self._reduces else ""
        for loop in reversed(range(self.depth)):
            statement = For(self.variables[loop], text_of(self.counts[loop]), inner)
            statement.work = "" if loop else work
            if parallel and self._reduces and loop == self._dealt_out:
                statement.range = "apart_range" if loop else "gather_range"
            if work and loop == 1 and not self.in_memory:
                statement.range = "gather_range"  # of a row: what is gathered is in variables
            if apart is not None and loop == self._first_from(apart):
                statement.range = "apart_range"
            if not loop and work and written:
                self._as_rows(statement, {root.name for root in written})
                return
            inner = [*self.bodies[loop], statement, *self.tails[loop]]
        builder.body.extend(inner)

    def _as_rows(self, loop: For, written: set[str]) -> None:
        """Emit the outermost loop: as turns of the one before it, or by itself."""
        builder = self.builder
        rows: dict[str, set[Row | None]] = {}
        for array, strides in zip(self._arrays, self._all_strides, strict=True):
            rows.setdefault(array.root.name, set()).add(self._row_of(array, strides))
        length: DimLike = 1
        for count in self.counts[1:]:
            length = length * count
        made = RowLoop(loop, self.counts[0], length, self.depth, rows, written, builder.body)
        last = builder.row_loop
        if last is not None and last.body is builder.body:
            if last.join(made, self.bodies[0], builder.name):
                return
        builder.body.extend([*self.bodies[0], loop, *self.tails[0]])
        builder.row_loop = made

    def _row_of(self, array: Array, strides: Sizes) -> Row | None:
        """How the outermost loop cuts an array into rows that do not overlap, if it does."""
        size: DimLike = 1
        for group, count in zip(self.groups[1:], self.counts[1:], strict=True):
            stride = strides[group[-1]]
            size = size if type(stride) is int and stride == 0 else size * count
        stride = strides[self.groups[0][-1]]
        if not array.is_contiguous or self.table.resolve(size) != self.table.resolve(stride):
            return None
        return text_of(stride), text_of(self.table.resolve(array.offset)), array.dtype.itemsize

    def _work(self, inner: list[Statement]) -> str:
        """How much work a turn of the outermost loop is."""
        work: DimLike = work_of(inner)
        for count in self.counts[1:]:
            work = work * count
        return text_of(work)

    @property
    def _reduces(self) -> bool:
        """Whether a reduction runs through the outermost loop."""
        return not self.depth or any(self.is_reduced(0, axes) for axes in self._reduced)

    def _first_from(self, axis: int) -> int | None:
        """The outermost loop that goes over no axis before this one."""
        return next((loop for loop, group in enumerate(self.groups) if group[0] >= axis), None)

    @property
    def _dealt_out(self) -> int:
        """The loop whose turns may be dealt out, if a reduction runs through the outermost one."""
        if not self.in_memory:
            return 0
        apart = [
            loop
            for loop, group in enumerate(self.groups)
            if not any(self.is_reduced(loop, axes) for axes in self._reduced)
        ]
        return apart[0] if apart else -1

    def _blocks(self, inner: list[Statement]) -> For:
        """The only loop as blocks of a fixed length, so that rounding errors stay small."""
        builder, variable, count = self.builder, self.variables[0], text_of(self.counts[0])
        block, start, within = builder.name("block"), builder.name("start"), builder.name("i")
        size = builder.let("n_block", "elements_at_once()")
        total = f"({count} + {size} - 1) // {size}"
        body: list[Statement] = [Assign(start, f"{block} * {size}"), *self.block_head]
        inner = [Assign(variable, f"{start} + {within}"), *inner]
        body.append(For(within, f"min({size}, {count} - {start})", inner))
        return For(block, total, body + self.block_tail)
