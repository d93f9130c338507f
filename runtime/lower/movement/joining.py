"""Tensors joined and repeated: copies into parts of the result."""

from __future__ import annotations

from typing import Any

from autograph.runtime.core.dims import Dim, DimLike, product
from autograph.runtime.core.dtypes import int64
from autograph.runtime.core.record import DynamicInt
from autograph.runtime.core.spec import Spec, normalized_axis
from autograph.runtime.graph.ir import Node
from autograph.runtime.lower.builder import RaiseSite
from autograph.runtime.lower.movement.views_and_copies import (
    NEGATIVE_SIZE,
    bind_array,
    made_size,
    part,
)
from autograph.runtime.lower.region import RULES, Region
from autograph.runtime.lower.sizes.polynomials import atom, text_of
from autograph.runtime.lower.storage.copying import contiguous, copy_into, in_memory
from autograph.runtime.lower.storage.forms import Array, Sizes, row_major


def _concat(region: Region, node: Node) -> None:
    spec = node.outputs[0].spec
    assert isinstance(spec, Spec)
    target = region.joined.get(node)
    if target is None:
        target = region.new_array(node.outputs[0], spec.dtype, region.sizes(node.outputs[0]))
    axis = normalized_axis(node.attributes.get("axis", 0), len(target.sizes))
    start: DimLike = 0
    for value in node.inputs:
        source = region.tensor(value)
        size = region.table.resolve(source.sizes[axis])
        if not (isinstance(source, Array) and source.root is target.root):
            copy_into(region.builder, part(target, axis, start, size), source)
        start = start + size
    region.bind(node.outputs[0], target)


def _stack(region: Region, node: Node) -> None:
    spec = node.outputs[0].spec
    assert isinstance(spec, Spec)
    target = region.new_array(node.outputs[0], spec.dtype, region.sizes(node.outputs[0]))
    axis = normalized_axis(node.attributes.get("axis", 0), len(target.sizes))
    for place, value in enumerate(node.inputs):
        copy_into(region.builder, _row(target, axis, place), region.tensor(value))
    region.bind(node.outputs[0], target)


def _row(array: Array, axis: int, place: DimLike) -> Array:
    sizes = (*array.sizes[:axis], *array.sizes[axis + 1 :])
    strides = (*array.strides[:axis], *array.strides[axis + 1 :])
    offset = array.offset + place * array.strides[axis]
    return Array(array.root, array.dtype, sizes, strides, offset)


def _unstack(region: Region, node: Node) -> None:
    array = in_memory(region.builder, region.tensor(node.inputs[0]))
    axis = normalized_axis(node.attributes.get("axis", 0), len(array.sizes))
    for place in range(len(node.outputs)):
        bind_array(region, node, _row(array, axis, place), place)


def _roll(region: Region, node: Node) -> None:
    builder = region.builder
    source = in_memory(builder, region.tensor(node.inputs[0]))
    axis = normalized_axis(node.attributes["axis"], len(source.sizes))
    size = region.table.resolve(source.sizes[axis])
    shift = node.attributes["shift"]
    if isinstance(shift, DynamicInt):
        amount = region.scalar(node.inputs[shift.operand]).text
    else:
        amount = builder.literal(shift, int64)
    name = builder.let("n_shift", f"{amount} % max({text_of(size)}, 1)")
    moved = Dim.symbol(name)
    target = region.new_array(node.outputs[0], source.dtype, source.sizes)
    rest = size + moved * -1
    copy_into(builder, part(target, axis, moved, rest), part(source, axis, 0, rest))
    copy_into(builder, part(target, axis, 0, moved), part(source, axis, rest, moved))
    region.bind(node.outputs[0], target)


def _tile(region: Region, node: Node) -> None:
    counts = node.attributes["repetitions"]
    source = in_memory(region.builder, region.tensor(node.inputs[0]))
    rank = max(len(source.sizes), len(counts))
    sizes = (1,) * (rank - len(source.sizes)) + source.sizes
    strides = (0,) * (rank - len(source.sizes)) + source.strides
    counts = (1,) * (rank - len(counts)) + tuple(counts)
    _repeated(region, node, source, sizes, strides, counts, before=True)


def _repeat(region: Region, node: Node) -> None:
    source = region.tensor(node.inputs[0])
    number, axis = node.attributes["repeats"], node.attributes.get("axis")
    if axis is None:
        flat = contiguous(region.builder, source)
        array = Array(flat.root, flat.dtype, (product(flat.sizes),), (1,), flat.offset)
        axis = 0
    else:
        array = in_memory(region.builder, source)
        axis = normalized_axis(axis, len(array.sizes))
    counts = tuple(number if i == axis else 1 for i in range(len(array.sizes)))
    _repeated(region, node, array, array.sizes, array.strides, counts, before=False)


def _repeated(
    region: Region,
    node: Node,
    source: Array,
    sizes: Sizes,
    strides: Sizes,
    counts: tuple[Any, ...],
    before: bool,
) -> None:
    """Copy each axis several times, as a whole (`before`) or each element in a row."""
    wide: list[DimLike] = []
    steps: list[DimLike] = []
    for axis, (size, stride, count) in enumerate(zip(sizes, strides, counts, strict=True)):
        times = _times(region, node, count)
        made_size(region, node, axis, f"{atom(size)} * {atom(times)}")
        pair = [(times, 0), (size, stride)]
        for one, step in pair if before else reversed(pair):
            wide.append(one)
            steps.append(step)
    spec = node.outputs[0].spec
    assert isinstance(spec, Spec)
    target = region.new_array(node.outputs[0], spec.dtype, region.sizes(node.outputs[0]))
    shape = tuple(wide)
    view = Array(target.root, target.dtype, shape, row_major(shape), target.offset)
    repeated = Array(source.root, source.dtype, shape, tuple(steps), source.offset)
    copy_into(region.builder, view, repeated)
    region.bind(node.outputs[0], target)


def _times(region: Region, node: Node, count: Any) -> DimLike:
    if isinstance(count, DynamicInt):
        text = region.scalar(node.inputs[count.operand]).text
        site = RaiseSite(lambda _: ValueError(NEGATIVE_SIZE), node.location)
        region.builder.fail_if(f"{text} < 0", site, [])
        return Dim.symbol(text)
    return 1 if count == 1 else region.table.parameter(int(count))


RULES.update(
    concat=_concat,
    stack=_stack,
    unstack=_unstack,
    roll=_roll,
    tile=_tile,
    repeat=_repeat,
)
