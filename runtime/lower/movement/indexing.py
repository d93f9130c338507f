"""Indices known at run time: tests, gathers, scatters, and writes in place where allowed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from autograph.kernels.program import Assign, If, Return
from autograph.runtime.core.dims import Dim, DimLike, product
from autograph.runtime.core.dtypes import DType, int64, uint64
from autograph.runtime.core.spec import Spec, normalized_axis
from autograph.runtime.graph.ir import Node
from autograph.runtime.lower.builder import Builder, RaiseSite, cast, dtype_call
from autograph.runtime.lower.loops.nest import Nest
from autograph.runtime.lower.movement.slicing import sliced
from autograph.runtime.lower.region import RULES, Region
from autograph.runtime.lower.sizes.polynomials import atom, text_of
from autograph.runtime.lower.storage.copying import copy_into, element, fresh_copy, in_memory
from autograph.runtime.lower.storage.forms import Array, Ramp, Scalar, Sizes, Tensorial, row_major
from autograph.runtime.ops.indexing.entries import out_of_bounds
from autograph.runtime.ops.shaping.movement import NO_REPEATS


# tests --------------------------------------------------------------------------------------------
def _axis_size(region: Region, node: Node) -> DimLike:
    sizes = region.sizes(node.inputs[1])
    return sizes[normalized_axis(node.attributes["axis"], len(sizes))]


def _site(node: Node, unsigned: bool = False) -> RaiseSite:
    axis = node.attributes["axis"]

    def make(words: Any) -> BaseException:
        index = words[1].astype(uint64) if unsigned else words[1]
        return IndexError(out_of_bounds(int(index), axis, int(words[2])))

    return RaiseSite(make, node.location)


def _checked_index(region: Region, node: Node) -> None:
    builder = region.builder
    given = region.scalar(node.inputs[0])
    if node in builder.proven:
        region.bind(node.outputs[0], given)
        return
    size = text_of(_axis_size(region, node))
    index = cast(given.text, given.dtype, int64)
    if index != given.text:
        index = builder.let("s", index)
    # in an array of indices large ones count as negative, as in NumPy
    unsigned = given.dtype == uint64 and node.op.name == "checked_index"
    low = "0" if unsigned else f"-{atom_text(size)}"
    outside = f"({index} < {low}) | ({index} >= {size})"
    builder.fail_if(outside, _site(node, unsigned), [(index, int64), (size, int64)])
    text = builder.let("s", f"select({index} < 0, {index} + {size}, {index})")
    region.bind(node.outputs[0], Scalar(text, int64))


def atom_text(text: str) -> str:
    """An expression as an operand."""
    return f"({text})" if " " in text else text


def _tested(
    region: Region, node: Node, source: Tensorial, fails: Callable[[str], str], site: RaiseSite
) -> tuple[Nest, str, DType]:
    """A nest over a tensor that leaves with `site` at the first element for which `fails` holds."""
    arrays = [source] if isinstance(source, Array) else []
    ramps = [source] if isinstance(source, Ramp) else []
    nest = Nest(region.builder, source.sizes, arrays, ramps)
    text, dtype, _ = nest.load(source)
    number = region.builder.site(site)
    body: list[Any] = [Assign("parameters[1]", f"int64({text})"), Return(f"fail(frame, {number})")]
    nest.bodies[-1].append(If([(fails(text), body)]))
    return nest, text, dtype


def _checked_indices(region: Region, node: Node) -> None:
    builder = region.builder
    source = region.tensor(node.inputs[0])
    if isinstance(source, Scalar):
        _checked_index(region, node)
        return
    size = text_of(_axis_size(region, node))
    builder.assign("parameters[2]", size)
    target = region.new_array(node.outputs[0], int64, source.sizes)
    whole = Array(target.root, int64, source.sizes, row_major(source.sizes), target.offset)
    arrays = [whole, source] if isinstance(source, Array) else [whole]
    ramps = [source] if isinstance(source, Ramp) else []
    nest = Nest(builder, source.sizes, arrays, ramps)
    text, dtype, _ = nest.load(source)
    index = nest.define(cast(text, dtype, int64), nest.depth)
    number = builder.site(_site(node))
    outside = f"({index} < -{atom_text(size)}) | ({index} >= {size})"
    body: list[Any] = [Assign("parameters[1]", index), Return(f"fail(frame, {number})")]
    nest.bodies[-1].append(If([(outside, body)]))
    nest.store(whole, f"select({index} < 0, {index} + {size}, {index})", int64)
    nest.finish(apart=0)
    region.bind(node.outputs[0], target)


def _checked_exponent(region: Region, node: Node) -> None:
    source = region.tensor(node.inputs[0])
    if source.dtype.kind == "i":
        words = "Integers to negative integer powers are not allowed."
        site = RaiseSite(lambda _: ValueError(words), node.location)
        count = text_of(product(region.sizes(node.inputs[1])))
        fails = f"({{}} < 0) & ({count} != 0)"
        nest, _, _ = _tested(region, node, source, fails.format, site)
        nest.finish(apart=0)
    region.bind(node.outputs[0], source)


def _checked_counts(region: Region, node: Node) -> None:
    source = region.tensor(node.inputs[0])
    if source.dtype.kind == "i":
        words = node.attributes.get("told", NO_REPEATS)
        site = RaiseSite(lambda _: ValueError(words), node.location)
        nest, _, _ = _tested(region, node, source, "{} < 0".format, site)
        nest.finish(apart=0)
    region.bind(node.outputs[0], source)


# where a result may be written in place -----------------------------------------------------------
def writable(region: Region, node: Node, values: tuple[Tensorial, ...]) -> Array:
    """The first operand as memory of the result: in place where it dies, else a copy."""
    value = node.inputs[0]
    storage = region.tensor(value)
    if isinstance(storage, Array) and storage.is_spread_out and region.can_overwrite(value):
        return storage
    spec = node.outputs[0].spec
    assert isinstance(spec, Spec)
    target = region.new_array(node.outputs[0], spec.dtype, region.sizes(node.outputs[0]))
    copy_into(region.builder, target, storage)
    return target


def _apart(region: Region, node: Node, value: Tensorial) -> Tensorial:
    """A value that is not in the memory that the node may write to."""
    target = region.tensor(node.inputs[0])
    if isinstance(value, Array) and isinstance(target, Array) and value.root is target.root:
        return fresh_copy(region.builder, value)
    return value


def _scalar_write(region: Region, node: Node) -> bool:
    """Writing to a 0-d tensor: its result is a scalar. Gives whether that was it."""
    old = region.tensor(node.inputs[0])
    if not isinstance(old, Scalar):
        return False
    new = region.tensor(node.inputs[-1 if node.op.name.startswith("scatter") else 1])
    if not isinstance(new, Scalar):
        new = element(region.builder, in_memory(region.builder, new))
    text = cast(new.text, new.dtype, old.dtype)
    if node.op.name.endswith("_add"):
        text = region.builder.let("s", added(old.text, text, old.dtype))
    elif text != new.text:
        text = region.builder.let("s", text)
    region.bind(node.outputs[0], Scalar(text, old.dtype, new.constant))
    return True


def _index_set(region: Region, node: Node) -> None:
    if _scalar_write(region, node):
        return
    value = _apart(region, node, region.tensor(node.inputs[1]))
    target = writable(region, node, (value,))
    copy_into(region.builder, sliced(region, node, target), value)
    region.bind(node.outputs[0], target)


def _index_add(region: Region, node: Node) -> None:
    if _scalar_write(region, node):
        return
    value = _apart(region, node, region.tensor(node.inputs[1]))
    target = writable(region, node, (value,))
    add_into(region.builder, sliced(region, node, target), value)
    region.bind(node.outputs[0], target)


def add_into(builder: Builder, part: Array, value: Tensorial) -> None:
    """Add a tensor, which broadcasts and is in other memory, to what an array holds."""
    arrays = [part, value] if isinstance(value, Array) else [part]
    ramps = [value] if isinstance(value, Ramp) else []
    nest = Nest(builder, part.sizes, arrays, ramps)
    old, dtype, _ = nest.load(part)
    new, source, _ = nest.load(value)
    nest.store(part, added(old, cast(new, source, dtype), dtype), dtype)
    nest.finish(apart=0)


def added(one: str, other: str, dtype: DType) -> str:
    """The sum of two values of a dtype, in that dtype."""
    if dtype.kind == "b":
        return f"{one} | {other}"
    text = f"{one} + {other}"
    small = dtype.kind != "f" and dtype.itemsize < 8
    return f"{dtype_call(dtype)}({text})" if small else text


# gather and scatter -------------------------------------------------------------------------------
def _spread(region: Region, node: Node, array: Array, indices: Tensorial) -> tuple[Array, DimLike]:
    """An array with the indexed axis replaced by the axes of the indices, and that axis' stride."""
    axis = normalized_axis(node.attributes["axis"], len(array.sizes))
    sizes = (*array.sizes[:axis], *indices.sizes, *array.sizes[axis + 1 :])
    strides = (
        *array.strides[:axis],
        *(0 for _ in indices.sizes),
        *array.strides[axis + 1 :],
    )
    spread = Array(array.root, array.dtype, sizes, strides, array.offset)
    return spread, array.strides[axis]


def _aligned(region: Region, node: Node, indices: Tensorial, space: Sizes) -> Tensorial:
    """The indices as a tensor of the whole space."""
    if isinstance(indices, Scalar):
        return indices
    array = in_memory(region.builder, indices)
    rank = len(region.sizes(node.inputs[0]))
    after = rank - normalized_axis(node.attributes["axis"], rank) - 1
    sizes = (*array.sizes, *(1 for _ in range(after)))
    return Array(
        array.root, array.dtype, sizes, (*array.strides, *(0 for _ in range(after))), array.offset
    )


def _place(nest: Nest, spread: Array, stride: DimLike, index: str, level: int) -> str:
    """The index of the element that the indices say, in the innermost loop."""
    base, _ = nest.index_of(spread)
    step = "" if isinstance(stride, int) and stride == 1 else f" * {atom(stride)}"
    moved = nest.define(f"{index}{step}", level)
    return nest.define(f"{base} + {moved}", nest.depth)


def _take(region: Region, node: Node) -> None:
    builder = region.builder
    source = in_memory(builder, region.tensor(node.inputs[0]))
    indices = region.tensor(node.inputs[1])
    spread, stride = _spread(region, node, source, indices)
    sizes = region.sizes(node.outputs[0])
    aligned = _aligned(region, node, indices, sizes)
    if not sizes:
        target = builder.array(source.dtype, (1,))
        target = Array(target.root, source.dtype, (), ())
    else:
        target = region.new_array(node.outputs[0], source.dtype, sizes)
    arrays = [target, spread, *([aligned] if isinstance(aligned, Array) else [])]
    nest = Nest(builder, sizes, arrays)
    text, dtype, level = nest.load(aligned)
    at = _place(nest, spread, stride, cast(text, dtype, int64), level)
    nest.store(target, f"{nest.pointer(spread)}[{at}]", source.dtype)
    nest.finish(parallel=True)
    if sizes:
        region.bind(node.outputs[0], target)
        return
    pointer = builder.view(target)
    region.bind(node.outputs[0], Scalar(builder.let("s", f"{pointer}[0]"), source.dtype))


def _scatter(region: Region, node: Node) -> None:
    builder = region.builder
    values = _apart(region, node, region.tensor(node.inputs[2]))
    indices = _apart(region, node, region.tensor(node.inputs[1]))
    target = writable(region, node, (values, indices))
    spread, stride = _spread(region, node, target, indices)
    space = tuple(map(region.table.resolve, spread.sizes))
    aligned = _aligned(region, node, indices, space)
    arrays = [spread, *(one for one in (aligned, values) if isinstance(one, Array))]
    ramps = [values] if isinstance(values, Ramp) else []
    nest = Nest(builder, space, arrays, ramps)
    value, own, _ = nest.load(values)
    text, dtype, level = nest.load(aligned)
    at = _place(nest, spread, stride, cast(text, dtype, int64), level)
    element = f"{nest.pointer(spread)}[{at}]"
    new = cast(value, own, target.dtype)
    if node.op.name == "scatter_add":
        new = added(element, new, target.dtype)
    nest.bodies[-1].append(Assign(element, new))
    axis = normalized_axis(node.attributes["axis"], len(target.sizes))
    nest.finish(apart=axis + len(indices.sizes))
    region.bind(node.outputs[0], target)


def _nonzero_flat(region: Region, node: Node) -> None:
    builder = region.builder
    mask = region.tensor(node.inputs[0])
    arrays = [mask] if isinstance(mask, Array) else []
    ramps = [mask] if isinstance(mask, Ramp) else []
    total = builder.let("s", "0")
    nest = Nest(builder, mask.sizes, arrays, ramps)
    text, dtype, _ = nest.load(mask)
    holds = text if dtype.kind == "b" else f"{text} != 0"
    nest.bodies[-1].append(Assign(total, f"{total} + int64({holds})"))
    nest.finish()
    name = region.analysis.made[node][0][0]
    assert name is not None
    builder.assign(name, total)
    target = region.new_array(node.outputs[0], int64, (Dim.symbol(name),))
    pointer = builder.view(target)
    at, place = builder.let("s", "0"), builder.let("s", "0")
    nest = Nest(builder, mask.sizes, arrays, ramps)
    text, dtype, _ = nest.load(mask)
    holds = text if dtype.kind == "b" else f"{text} != 0"
    # Written in any case until all are found: a branch that the processor can foresee.
    put = If([(f"{at} < {total}", [Assign(f"{pointer}[{at}]", place)])])
    counted = [Assign(at, f"{at} + int64({holds})"), Assign(place, f"{place} + 1")]
    nest.bodies[-1].extend([put, *counted])
    nest.finish()
    region.bind(node.outputs[0], target)


RULES.update(
    checked_index=_checked_index,
    checked_indices=_checked_indices,
    checked_exponent=_checked_exponent,
    checked_counts=_checked_counts,
    index_set=_index_set,
    index_add=_index_add,
    take=_take,
    scatter_add=_scatter,
    scatter_set=_scatter,
    nonzero_flat=_nonzero_flat,
)
