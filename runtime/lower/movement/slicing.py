"""Basic indices as views: offsets and strides."""

from __future__ import annotations

from typing import Any

from autograph.runtime.core.dims import Dim, DimLike
from autograph.runtime.core.record import DynamicInt
from autograph.runtime.graph.ir import Node
from autograph.runtime.lower.builder import RaiseSite
from autograph.runtime.lower.region import Region
from autograph.runtime.lower.sizes.polynomials import atom, text_of
from autograph.runtime.lower.storage.forms import Array
from autograph.runtime.ops.indexing.entries import Slice


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
) -> tuple[DimLike, DimLike, DimLike]:
    """Where a slice of an axis of `size` starts, how many elements it takes, and its step."""
    step = 1 if entry.step is None else entry.step
    if isinstance(step, DynamicInt):
        return _stepped(region, node, entry, size, axis)
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
    return Dim.symbol(first), _counted(region, node, count, axis), step


def _counted(region: Region, node: Node, count: str, axis: int) -> DimLike:
    """A size of the result of an index, under the name that others know it by."""
    name = region.builder.let("n_part", count)
    names = region.analysis.made.get(node, {})
    own = names.get(0) if node.op.name == "index" else None
    if own and axis < len(own) and own[axis]:
        region.builder.assign(own[axis], name)  # type: ignore[arg-type]
        name = own[axis]  # type: ignore[assignment]
    return Dim.symbol(name)


def _stepped(
    region: Region, node: Node, entry: Slice, size: DimLike, axis: int
) -> tuple[DimLike, DimLike, DimLike]:
    """The same where the step, too, is known only at run time: 0 raises what it raises eagerly."""
    builder = region.builder
    step = builder.let("n_step", text_of(_integer(region, node, entry.step)))
    site = RaiseSite(lambda words: ValueError("slice step cannot be zero"), node.location)
    builder.fail_if(f"{step} == 0", site, [])
    length = atom(size)
    low = builder.let("n_low", f"select({step} > 0, 0, -1)")
    high = builder.let("n_high", f"{length} + {low}")

    def bound(part: Any, default: str) -> str:
        if part is None:
            return builder.let("n_bound", default)
        given = builder.let("n_given", text_of(_integer(region, node, part)))
        counted = f"select({given} < 0, {given} + {length}, {given})"
        return builder.let("n_bound", f"min(max({counted}, {low}), {high})")

    first = bound(entry.start, f"select({step} > 0, {low}, {high})")
    last = bound(entry.stop, f"select({step} > 0, {high}, {low})")
    distance = builder.let(
        "n_distance", f"max(select({step} > 0, {last} - {first}, {first} - {last}), 0)"
    )
    wide = builder.let("n_wide", f"select({step} > 0, {step}, -{step})")
    count = f"({distance} + {wide} - 1) // {wide}"
    return Dim.symbol(first), _counted(region, node, count, axis), Dim.symbol(step)
