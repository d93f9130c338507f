"""Basic indices as views: offsets and strides."""

from __future__ import annotations

from typing import Any

from autograph.runtime.core.dims import Dim, DimLike
from autograph.runtime.core.record import DynamicInt
from autograph.runtime.graph.ir import Node
from autograph.runtime.lower.analysis import NotNativeError
from autograph.runtime.lower.region import Region
from autograph.runtime.lower.sizes import atom, text_of
from autograph.runtime.lower.storage import Array
from autograph.runtime.ops.entries import Slice


def sliced(region: Region, node: Node, array: Array) -> Array:
    """`array[index]`, with the index of the node, as a view. Assigns the sizes it makes."""
    sizes: list[DimLike] = []
    strides: list[DimLike] = []
    offset, axis = array.offset, 0
    for entry in node.attributes["index"]:
        if entry is None:
            sizes.append(1)
            strides.append(0)
            continue
        size, stride = region.table.resolve(array.sizes[axis]), array.strides[axis]
        if isinstance(entry, Slice):
            start, count, step = _part(region, node, entry, size, len(sizes))
            offset = offset + start * stride
            sizes.append(count)
            strides.append(stride * step)
        else:
            offset = offset + _integer(region, node, entry) * stride
        axis += 1
    return Array(
        array.root,
        array.dtype,
        (*sizes, *array.sizes[axis:]),
        (*strides, *array.strides[axis:]),
        offset,
    )


def _integer(region: Region, node: Node, entry: Any) -> DimLike:
    """An integer of an attribute as a size."""
    if isinstance(entry, DynamicInt):
        return Dim.symbol(region.scalar(node.inputs[entry.operand]).text)
    return 0 if entry == 0 else region.table.parameter(int(entry))


def _part(
    region: Region, node: Node, entry: Slice, size: DimLike, axis: int
) -> tuple[DimLike, DimLike, int]:
    """Where a slice of an axis of `size` starts, how many elements it takes, and its step."""
    step = 1 if entry.step is None else entry.step
    if isinstance(step, DynamicInt):
        raise NotNativeError("a slice whose step is known only at run time")
    if entry.start is None and entry.stop is None and step in (1, -1):
        return (0 if step == 1 else size + -1), size, step
    known = region.analysis.sliced(node, entry, size, axis)
    if known is not None:
        first, count = map(region.table.resolve, known)
        return first, count, step
    return _clamped(region, node, entry, size, axis, step)


def _clamped(
    region: Region, node: Node, entry: Slice, size: DimLike, axis: int, step: int
) -> tuple[DimLike, DimLike, int]:
    """The same at run time, by Python's rules for bounds out of range."""
    builder = region.builder
    length = text_of(size)
    low, high = ("0", length) if step > 0 else ("-1", f"{atom(size)} - 1")

    def bound(part: Any, default: str) -> str:
        if part is None:
            return builder.let("n_bound", default)
        given = text_of(_integer(region, node, part)) if part != 0 else "0"
        if isinstance(part, int) and part < 0:
            text = f"{given} + {length}"
        elif isinstance(part, int):
            text = given
        else:
            text = f"{given} + {atom(size)} * ({given} < 0)"
        return builder.let("n_bound", f"min(max({text}, {low}), {high})")

    first = bound(entry.start, low if step > 0 else high)
    last = bound(entry.stop, high if step > 0 else low)
    distance = f"{last} - {first}" if step > 0 else f"{first} - {last}"
    count = f"max({distance}, 0)"
    if abs(step) != 1:
        count = f"({count} + {abs(step) - 1}) // {abs(step)}"
    name = builder.let("n_part", count)
    names = region.analysis.made.get(node, {})
    own = names.get(0) if node.op.name == "index" else None
    if own and axis < len(own) and own[axis]:
        builder.assign(own[axis], name)  # type: ignore[arg-type]
        name = own[axis]  # type: ignore[assignment]
    return Dim.symbol(first), Dim.symbol(name), step
