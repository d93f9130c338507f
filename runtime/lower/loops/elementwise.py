"""Elementwise nodes and reductions as one nest of loops."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from autograph.kernels.program import Assign, For, Statement
from autograph.kernels.scalar.registry import SCALAR_FUNCTIONS
from autograph.runtime.control.effects import may_be_empty
from autograph.runtime.core.dims import Dim, product
from autograph.runtime.core.dtypes import DType, float64
from autograph.runtime.core.record import Elementwise, Reduction
from autograph.runtime.core.spec import Spec, normalized_axes
from autograph.runtime.graph.ir import Node, Value
from autograph.runtime.lower.builder import Builder, RaiseSite, cast
from autograph.runtime.lower.loops.expression import scalar_text
from autograph.runtime.lower.loops.nest import Nest
from autograph.runtime.lower.plan import Unit
from autograph.runtime.lower.region import NEST_RULES, Region
from autograph.runtime.lower.sizes.polynomials import text_of
from autograph.runtime.lower.storage.destinations import destination
from autograph.runtime.lower.storage.forms import (
    Array,
    Ramp,
    Root,
    Scalar,
    Sizes,
    Storage,
    Tensorial,
    row_major,
)

Current = tuple[str, DType, int]
GATHERED = {"sum": "gather_sum", "prod": "gather_product", "max": "gather_max", "min": "gather_min"}
"""How floats are combined: for CPUs in NumPy's order, for GPUs in any."""


@dataclass(slots=True)
class _Emission:
    region: Region
    unit: Unit
    nest: Nest
    current: dict[Value, Current]
    targets: dict[Value, Array]
    results: dict[Value, Storage]


def emit_nest(region: Region, unit: Unit) -> None:
    """Emit the loops of a unit and bind what it makes."""
    space = unit.space
    assert space is not None
    outside = _outside(region, unit)
    targets = _targets(region, unit, outside)
    arrays = [s for s in outside.values() if isinstance(s, Array)]
    views = [_in_space(region, node, targets) for node in unit.nodes]
    arrays += [view for view in views if view is not None]
    ramps = [s for s in outside.values() if isinstance(s, Ramp)]
    reduced = [_axes(node) for node in unit.nodes if isinstance(node.op.lowering, Reduction)]
    nest = Nest(region.builder, space, arrays, ramps, reduced)
    state = _Emission(region, unit, nest, {}, targets, {})
    written = {target.root for target in targets.values()}
    for value, storage in outside.items():
        if isinstance(storage, Array) and storage.root in written:
            # read before any result goes to the same place
            state.current[value] = nest.load(storage)
    for node in unit.nodes:
        if isinstance(node.op.lowering, Reduction):
            _reduction(state, node)
        else:
            _elementwise(state, node)
    nest.finish(parallel=True, written=written)
    for value, result in state.results.items():
        region.bind(value, result)


def _outside(region: Region, unit: Unit) -> dict[Value, Tensorial]:
    made = {value for node in unit.nodes for value in node.outputs}
    return {
        value: region.tensor(value)
        for node in unit.nodes
        for value in node.inputs
        if value not in made
    }


def _axes(node: Node) -> tuple[int, ...]:
    spec = node.inputs[0].spec
    assert isinstance(spec, Spec)
    return normalized_axes(node.attributes.get("axis"), spec.ndim)


# where results go ---------------------------------------------------------------------------------
def _targets(region: Region, unit: Unit, outside: dict[Value, Tensorial]) -> dict[Value, Array]:
    """The arrays of the results that live on after the loops."""
    targets: dict[Value, Array] = {}
    free = _overwritable(region, unit, outside)
    for node in unit.nodes:
        value = node.outputs[0]
        spec = value.spec
        assert isinstance(spec, Spec)
        sizes = region.sizes(value)
        unused = isinstance(node.op.lowering, Reduction) and not region.users.get(value)
        if not sizes or not (unused or region.is_needed_outside(value, unit.nodes)):
            continue  # one that is unused may raise: it is computed in memory as any other
        place = destination(region, value) if region.wanted_root(value) is None else None
        if place is not None:
            targets[value] = place
            continue
        root = None
        if isinstance(node.op.lowering, Elementwise) and region.wanted_root(value) is None:
            root = next((r for r in free if free[r] == spec.dtype.itemsize), None)
        if root is not None:
            del free[root]
            targets[value] = Array(root, spec.dtype, sizes, row_major(sizes))
        else:
            targets[value] = region.new_array(value, spec.dtype, sizes)
    return targets


def _overwritable(region: Region, unit: Unit, outside: dict[Value, Tensorial]) -> dict[Root, int]:
    """Roots that die here and of which each turn reads only the element it may write."""
    space = unit.space
    found: dict[Root, int] = {}
    bad: set[Root] = set()
    for value, storage in outside.items():
        if not isinstance(storage, Array):
            continue
        same = tuple(region.table.resolve(size) for size in storage.sizes) == space
        if same and storage.is_whole and region.can_overwrite(value):
            if found.setdefault(storage.root, storage.dtype.itemsize) != storage.dtype.itemsize:
                bad.add(storage.root)
        else:
            bad.add(storage.root)
    return {root: size for root, size in found.items() if root not in bad}


def _in_space(region: Region, node: Node, targets: dict[Value, Array]) -> Array | None:
    target = targets.get(node.outputs[0])
    if target is None or not isinstance(node.op.lowering, Reduction):
        return target
    return _stretched(target, region.sizes(node.inputs[0]), _axes(node))


def _stretched(target: Array, space: Sizes, axes: tuple[int, ...]) -> Array:
    """The result of a reduction as an array of the space, with size 1 where it is reduced."""
    keeps = len(target.sizes) == len(space)
    kept = (
        [one for i, one in enumerate(target.strides) if i not in axes] if keeps else target.strides
    )
    strides = iter(kept)
    along = tuple(0 if i in axes else next(strides) for i in range(len(space)))
    sizes = tuple(1 if i in axes else size for i, size in enumerate(space))
    return Array(target.root, target.dtype, sizes, along, target.offset)


# elementwise --------------------------------------------------------------------------------------
def _operand(state: _Emission, value: Value) -> Current:
    known = state.current.get(value)
    return known if known is not None else state.nest.load(state.region.tensor(value))


def _elementwise(state: _Emission, node: Node) -> None:
    operands = [_operand(state, value) for value in node.inputs]
    level = max((level for _, _, level in operands), default=0)
    text = scalar_text(node, [(text, dtype) for text, dtype, _ in operands], in_loop=True)
    value = node.outputs[0]
    spec = value.spec
    assert isinstance(spec, Spec)
    if not any(text == operand for operand, _, _ in operands):
        text = state.nest.define(text, level)
    state.current[value] = (text, spec.dtype, level)
    target = state.targets.get(value)
    if target is not None:
        state.nest.store(target, text, spec.dtype)
        state.results[value] = target


# reductions ---------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class _Combine:
    """How a reduction combines, in the dtype of its result."""

    kind: str
    dtype: DType

    def initial(self, builder: Builder, dtype: DType) -> str:
        """The value from which it starts."""
        if self.kind in ("sum", "any"):
            return builder.literal(False if dtype.kind == "b" else dtype.type(0), dtype)
        if self.kind in ("prod", "all"):
            return builder.literal(True if dtype.kind == "b" else dtype.type(1), dtype)
        if dtype.kind == "b":
            return builder.literal(self.kind == "min", dtype)
        if dtype.kind == "f":
            return builder.literal(dtype.type(np.inf if self.kind == "min" else -np.inf), dtype)
        limits = np.iinfo(dtype)
        return builder.literal(limits.max if self.kind == "min" else limits.min, dtype)

    def text(self, total: str, value: str, dtype: DType) -> str:
        """The combination of two values of `dtype`."""
        if self.kind in GATHERED and dtype.kind == "f":
            return f"{GATHERED[self.kind]}({total}, {value})"
        if self.kind in ("max", "min") and dtype.kind != "b":
            name = "maximum" if self.kind == "max" else "minimum"
            function = SCALAR_FUNCTIONS[name].functions[dtype.name]
            combined = f"{function}({total}, {value})"
            narrow = dtype.itemsize < 8
            return cast(combined, np.dtype(np.int64), dtype) if narrow else combined
        sign = {"sum": "+", "prod": "*", "any": "|", "max": "|", "all": "&", "min": "&"}[self.kind]
        combined = f"{total} {sign} {value}"
        narrow = dtype.kind in "iu" and dtype.itemsize < 8  # machine code adds up in 64 bits
        return cast(f"({combined})", np.dtype(np.int64), dtype) if narrow else combined


def _reduction(state: _Emission, node: Node) -> None:
    nest = state.nest
    value = node.outputs[0]
    spec = value.spec
    lowering = node.op.lowering
    assert isinstance(spec, Spec) and isinstance(lowering, Reduction)
    combine = _Combine(lowering.kind, spec.dtype)
    text, dtype, level = _operand(state, node.inputs[0])
    if combine.kind in ("any", "all"):
        text = text if dtype.kind == "b" else nest.define(f"{text} != 0", level)
    else:
        text = cast(text, dtype, spec.dtype)
    axes = _axes(node)
    _refuse_empty(state, node, combine, axes)
    target = state.targets.get(value)
    view = _stretched(target, nest.space, axes) if target is not None else None
    result = _combined(state, combine, text, axes, view)
    if target is not None:
        state.results[value] = target
    elif not spec.ndim:
        state.results[value] = Scalar(result, spec.dtype)


def _refuse_empty(state: _Emission, node: Node, combine: _Combine, axes: Sequence[int]) -> None:
    if combine.kind in ("max", "min") and may_be_empty(node):
        sizes = [state.nest.space[axis] for axis in axes]
        name = "maximum" if combine.kind == "max" else "minimum"
        words = f"zero-size array to reduction operation {name} which has no identity"
        site = RaiseSite(lambda _: ValueError(words), node.location)
        state.region.builder.fail_if(f"{text_of(product(sizes))} == 0", site, [])


def _combined(
    state: _Emission, combine: _Combine, text: str, axes: tuple[int, ...], view: Array | None
) -> str:
    """Emit one reduction into its nest; gives the variable of a 0-d result.

    NumPy adds what it has in one row, and gets it into one row before: sums and products of floats
    are gathered over all their loops at once.
    """
    nest, builder = state.nest, state.region.builder
    depth = nest.depth
    result = builder.name("r")
    if depth and not nest.is_reduced(depth - 1, axes):
        assert view is not None
        nest.in_memory = True
        _fill_first(nest, builder, combine, view)
        _accumulate(nest, combine, view, text, nest.bodies[depth])
        return result
    start = depth
    while start and nest.is_reduced(start - 1, axes):
        start -= 1
    scattered = any(nest.is_reduced(loop, axes) for loop in range(start))
    last = nest.tails[start]
    flat = combine.kind in ("sum", "prod") and combine.dtype.kind == "f"
    blocked = flat and depth == 1
    if (depth - start <= 1 or flat) and not blocked:
        if depth:
            nest.bodies[start].append(Assign(result, combine.initial(builder, combine.dtype)))
            nest.bodies[depth].append(Assign(result, combine.text(result, text, combine.dtype)))
        else:
            last.append(Assign(result, text))
        total = result
    else:
        wide = float64 if blocked else combine.dtype
        total = _in_parts(nest, builder, combine, text, start, wide, result)
    if view is not None:
        index, _ = nest.index_of(view)
        pointer = nest.pointer(view)
        if scattered:
            nest.in_memory = True
            _fill_first(nest, builder, combine, view)
            _accumulate(nest, combine, view, total, last)
        else:
            last.append(Assign(f"{pointer}[{index}]", total))
    return total


def _in_parts(
    nest: Nest,
    builder: Builder,
    combine: _Combine,
    text: str,
    start: int,
    wide: DType,
    result: str,
) -> str:
    """Partial results of the innermost loop, or of blocks of it, combined in the dtype `wide`."""
    part, depth = builder.name("r"), nest.depth
    blocked = depth == 1
    first = Assign(part, combine.initial(builder, combine.dtype))
    nest.bodies[depth].append(Assign(part, combine.text(part, text, combine.dtype)))
    outer = builder.name("r")
    nest.bodies[start].append(Assign(outer, combine.initial(builder, wide)))
    more = Assign(outer, _plain(combine, outer, cast(part, combine.dtype, wide), wide))
    if blocked:
        nest.block_head.append(first)
        nest.block_tail.append(more)
    else:
        nest.bodies[depth - 1].append(first)
        nest.tails[depth - 1].append(more)
    nest.tails[start].append(Assign(result, cast(outer, wide, combine.dtype)))
    return result


def _plain(combine: _Combine, total: str, value: str, dtype: DType) -> str:
    """One combination whose order matters."""
    if combine.kind in ("sum", "prod") and dtype.kind == "f":
        return f"{total} {'+' if combine.kind == 'sum' else '*'} {value}"
    return combine.text(total, value, dtype)


def _accumulate(
    nest: Nest, combine: _Combine, view: Array, text: str, body: list[Statement]
) -> None:
    index, _ = nest.index_of(view)
    place = f"{nest.pointer(view)}[{index}]"
    body.append(Assign(place, _plain(combine, place, text, combine.dtype)))


def _fill_first(nest: Nest, builder: Builder, combine: _Combine, view: Array) -> None:
    """Before the loops: the initial value everywhere in the result."""
    whole = view.is_contiguous
    sizes = (product(view.sizes),) if whole else view.sizes
    strides = (1,) if whole else view.strides
    variables = [builder.name("i") for _ in sizes]
    place = view.offset
    for variable, stride in zip(variables, strides, strict=True):
        place = place + Dim.symbol(variable) * stride
    value = combine.initial(builder, combine.dtype)
    body: list[Statement] = [Assign(f"{nest.pointer(view)}[{text_of(place)}]", value)]
    for variable, size in zip(reversed(variables), reversed(sizes), strict=True):
        body = [For(variable, text_of(size), body, range="apart_range")]
    nest.bodies[0] += body


NEST_RULES["nest"] = emit_nest
