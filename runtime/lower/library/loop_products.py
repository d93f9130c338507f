"""Products in loops: what one turn multiplies, computed for the turns ahead as well.

`x[t] @ w`, where only `t` changes from turn to turn, is a product of few rows: much of its time
goes into bringing `w` into order. Where the turns take the rows one after the other, up or down, a
block of rows is multiplied at once and handed out turn by turn. A block begins with one part and
doubles while they go on in order, so that a loop that stops or jumps has wasted no more than it
used. A part is handed out once: whoever gets it may write there.

A transposed operand that all turns share is copied once before the loop.
"""

from __future__ import annotations

from dataclasses import dataclass

from autograph.kernels.program import If, Statement
from autograph.runtime.core.dims import Dim, DimLike, product
from autograph.runtime.core.dtypes import int64
from autograph.runtime.core.record import DynamicInt
from autograph.runtime.graph.ir import Node
from autograph.runtime.lower.builder import cast
from autograph.runtime.lower.region import Loop, Region
from autograph.runtime.lower.sizes.polynomials import atom, text_of
from autograph.runtime.lower.storage.copying import copy_into
from autograph.runtime.lower.storage.forms import Array, Root, Rows, Sizes, row_major
from autograph.runtime.ops.indexing.entries import Slice

ROWS = 512
"""How many rows a block has at most: products of more are no faster by the row."""
TURNS = 64
"""How many turns a block serves at most."""


def note_rows(region: Region, node: Node, storage: Array) -> None:
    """Remember of an `index` that it takes a part, another in each turn, of what all share."""
    base, entries = node.inputs[0], node.attributes["index"]
    places = [i for i, one in enumerate(entries) if isinstance(one, DynamicInt)]
    others = [one for one in entries if not isinstance(one, DynamicInt)]
    whole = all(isinstance(one, Slice) and one.is_whole for one in others)
    rank = len(storage.sizes)
    if base not in region.fixed or len(places) != 1 or not whole or rank not in (2, 3):
        return
    axis = places[0]
    index = region.scalar(node.inputs[entries[axis].operand])
    order = [axis, *(i for i in range(rank) if i != axis)]
    resolve = region.table.resolve
    sizes = tuple(resolve(storage.sizes[i]) for i in order)
    strides = tuple(resolve(storage.strides[i]) for i in order)
    turned = Array(storage.root, storage.dtype, sizes, strides, storage.offset)
    region.parts[node.outputs[0]] = Rows(turned, cast(index.text, index.dtype, int64))


def rows_ahead(region: Region, loop: Loop, rows: Rows, columns: DimLike) -> Block:
    """The block of a product of these rows, with the variables that say what is in it."""
    builder = region.builder
    with builder.into(loop.prelude):
        count = text_of(rows.count)
        most = builder.let("n_most", f"max(1, min({TURNS}, {ROWS} // max({count}, 1)))")
        size = Dim.symbol(most) * rows.count
        root = builder.pinned(size * columns * rows.whole.dtype.itemsize)
        loop.roots.append(root)
        block = Block(
            array=Array(root, rows.whole.dtype, (size, columns), (columns, 1)),
            most=most,
            last=builder.let("ahead", "int64(-2)"),
            left=builder.let("ahead", "int64(0)"),
            way=builder.let("ahead", "int64(1)"),
            turns=builder.let("ahead", "int64(1)"),
            base=builder.let("ahead", "int64(0)"),
        )
        if not _lies_in_order(rows):
            length = rows.whole.sizes[-1]
            room = builder.pinned(size * length * rows.whole.dtype.itemsize)
            loop.roots.append(room)
            block.copied = Array(room, rows.whole.dtype, (size, length), (length, 1))
    return block


@dataclass(slots=True)
class Block:
    """Products of the rows of several turns; the variables live as long as the loop."""

    array: Array
    most: str
    last: str
    """The index of the last turn."""
    left: str
    """How many turns are still to be handed out."""
    way: str
    """1 where the index goes up, -1 where it goes down."""
    turns: str
    base: str
    """The index of the first part in the block."""
    copied: Array | None = None
    """Where the rows are brought into order, if they do not lie so."""

    def refilled(self, region: Region, rows: Rows) -> tuple[list[Statement], str, Array]:
        """The statements that choose what is computed next; how many rows, and where they are."""
        builder, index = region.builder, rows.index
        body: list[Statement] = []
        with builder.into(body):
            up, down = "int64(1)", "int64(-1)"
            builder.assign(self.way, f"select({index} == {self.last} - 1, {down}, {up})")
            more = f"min(2 * {self.turns}, {self.most})"
            on = f"{index} == {self.last} + {self.way}"
            builder.assign(self.turns, f"select({on}, {more}, int64(1))")
            size = text_of(rows.whole.sizes[0])
            room = f"select({self.way} == 1, {size} - {index}, {index} + 1)"
            builder.assign(self.left, f"min({self.turns}, {room})")
            first = f"{index} - {self.left} + 1"
            builder.assign(self.base, f"select({self.way} == 1, {index}, {first})")
            whole, base = rows.whole, Dim.symbol(self.base)
            taken = Array(
                whole.root,
                whole.dtype,
                (Dim.symbol(self.left), *whole.sizes[1:]),
                whole.strides,
                whole.offset + base * whole.strides[0],
            )
            if self.copied is not None:
                target = Array(self.copied.root, whole.dtype, taken.sizes, row_major(taken.sizes))
                copy_into(builder, target, taken)
                taken = target
            count = builder.let("n_rows", f"{self.left} * {atom(rows.count)}")
        return body, count, taken


def _lies_in_order(rows: Rows) -> bool:
    return rows.whole.strides == row_major(rows.whole.sizes)


def take_part(region: Region, block: Block, rows: Rows, miss: list[Statement]) -> Array:
    """The product of this turn: computed now, with some to come, where the block has it not."""
    builder, index = region.builder, rows.index
    missing = f"({block.left} == 0) | ({index} != {block.last} + {block.way})"
    builder.emit(If([(missing, miss)]))
    builder.assign(block.last, index)
    builder.assign(block.left, f"{block.left} - 1")
    columns, dtype = block.array.sizes[-1], block.array.dtype
    size = rows.count * columns * dtype.itemsize
    place = f"{block.array.root.name} + ({index} - {block.base}) * {atom(size)}"
    sizes: Sizes = (columns,) if rows.is_single else (rows.count, columns)
    root = Root(builder.let("p", place), size, owned=True, pinned=True)
    return Array(root, dtype, sizes, row_major(sizes))


def settled_copy(region: Region, array: Array) -> Array:
    """A transposed matrix that all turns share, copied row by row before the loop."""
    loop = region.loop
    assert loop is not None
    key = (id(array.root), str(array.offset), str(array.strides))
    if key not in loop.copies:
        builder = region.builder
        with builder.into(loop.prelude):
            sizes = tuple(map(region.table.resolve, array.sizes))
            root = builder.pinned(product(sizes) * array.dtype.itemsize)
            loop.roots.append(root)
            copy = Array(root, array.dtype, sizes, row_major(sizes))
            copy_into(builder, copy, array)
        loop.copies[key] = copy
    return loop.copies[key]
