"""Values computed where they are going: parts of a concatenation, items of a list."""

from __future__ import annotations

from typing import Any

from autograph.runtime.core.dims import Dim, DimLike, product
from autograph.runtime.core.spec import Spec, normalized_axis
from autograph.runtime.graph.ir import Node, Value
from autograph.runtime.lower.lists.list_buffers import detach, put_sizes
from autograph.runtime.lower.movement.views_and_copies import part
from autograph.runtime.lower.region import Region
from autograph.runtime.lower.sizes.polynomials import text_of
from autograph.runtime.lower.storage.forms import Array, Items, Root, Sizes, row_major


def destination(region: Region, value: Value) -> Array | None:
    """Memory of the node that takes `value`, if it can be computed there at once."""
    users = region.users.get(value, {})
    for node in users:
        if node.op.name == "concat" and len(users) == 1 and value not in region.outputs:
            return _part_of(region, node, value)
    for node in users:
        if node.op.name == "list_push" and node.inputs[1] is value:
            found = _item_of(region, node, value)
            if found is not None:
                return found
    return None


def _part_of(region: Region, node: Node, value: Value) -> Array | None:
    spec, own = node.outputs[0].spec, value.spec
    assert isinstance(spec, Spec) and isinstance(own, Spec)
    if spec.dtype != own.dtype or node.inputs.count(value) != 1:
        return None
    axis = normalized_axis(node.attributes.get("axis", 0), spec.ndim)
    if any(_across(one.spec, axis) != _across(spec, axis) for one in node.inputs):
        return None  # whether they fit is found out when all are there
    target = region.joined.get(node)
    if target is None and not _is_known(region, value, region.sizes(node.outputs[0])):
        return None
    if target is None:
        target = region.new_array(node.outputs[0], spec.dtype, region.sizes(node.outputs[0]))
        region.joined[node] = target
    start: DimLike = 0
    for one in node.inputs:
        size = region.sizes(one)[axis]
        if one is value:
            return part(target, axis, start, size)
        start = start + size
    return None


def _across(spec: Any, axis: int) -> list[Any]:
    """The sizes of the other axes."""
    return [dim for place, dim in enumerate(spec.shape) if place != axis]


def _is_known(region: Region, value: Value, sizes: Sizes) -> bool:
    """Whether these sizes were computed: how large the other parts are, their nodes find out."""
    resolve = region.table.resolve
    wanted = {name for one in map(resolve, sizes) if isinstance(one, Dim) for name in one.symbols}
    if not wanted:
        return True
    there = [*region.sizes(value)]
    for storage in region.env.values():
        there += getattr(storage, "sizes", None) or ()
    for one in map(resolve, there):
        if isinstance(one, Dim):
            wanted -= one.symbols
    return not wanted


def _item_of(region: Region, node: Node, value: Value) -> Array | None:
    """Room in a list for an item that is still to be computed: it is pushed before."""
    items_value = node.inputs[0]
    items = region.env.get(items_value)
    if (
        not isinstance(items, Items)
        or node in region.pushed
        or items.home.live != 1
        or region.users[items_value].keys() != {node}
        or items_value in region.outputs
    ):
        return None
    builder, home = region.builder, items.home
    spec = value.spec
    assert isinstance(spec, Spec)
    sizes = region.sizes(value)
    detach(builder, home)
    size = region.table.resolve(product(sizes) * spec.dtype.itemsize)
    call = f"list_push({home.where}, {text_of(size)}, {len(sizes)})"
    place = builder.let("p", call)
    put_sizes(builder, home, f"list_length({home.where}) - 1", sizes)
    region.pushed.add(node)
    root = Root(place, size)
    home.views.append(root)
    return Array(root, spec.dtype, sizes, row_major(sizes))
