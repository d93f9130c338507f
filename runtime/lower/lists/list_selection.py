"""Lists made of the items of others: each item is copied, with its sizes."""

from __future__ import annotations

from autograph.kernels.program import For, If, Statement
from autograph.runtime.core.dims import Dim
from autograph.runtime.core.dtypes import int64
from autograph.runtime.graph.ir import Node
from autograph.runtime.lower.builder import RaiseSite, cast
from autograph.runtime.lower.lists.list_buffers import as_array, changed_home, detach, result_items
from autograph.runtime.lower.region import RULES, Region
from autograph.runtime.lower.sizes.polynomials import atom, text_of
from autograph.runtime.lower.storage.copying import in_memory
from autograph.runtime.lower.storage.forms import Array, Items, Sizes


def _take(region: Region, node: Node) -> None:
    builder = region.builder
    items = region.items(node.inputs[0])
    positions = in_memory(builder, region.tensor(node.inputs[1]))
    home = builder.new_list()
    detach(builder, home)
    builder.execute(f"list_clear({home.where})")
    pointer = builder.view(positions)
    length = builder.let("n_items", f"list_length({items.home.where})")
    site = RaiseSite(lambda _: IndexError("list index out of range"), node.location)
    index = builder.name("i")
    body: list[Statement] = []
    with builder.into(body):
        step = atom(positions.strides[0])
        given = f"{pointer}[{text_of(positions.offset)} + {index} * {step}]"
        place = builder.let("s", cast(given, positions.dtype, int64))
        builder.fail_if(f"({place} < 0) | ({place} >= {length})", site, [])
        source = items.home.where
        builder.execute(f"list_push_item({home.where}, {source}, {place}, {items.rank})")
    count = text_of(region.table.resolve(positions.sizes[0]))
    builder.emit(For(index, count, body))
    region.bind(node.outputs[0], result_items(region, node, 0, home))


def _extend(region: Region, node: Node) -> None:
    builder = region.builder
    other = region.items(node.inputs[1])
    length = builder.let("n_items", f"list_length({other.home.where})")
    home = changed_home(region, node)
    detach(builder, home)
    index = builder.name("i")
    body: list[Statement] = []
    with builder.into(body):
        source = other.home.where
        builder.execute(f"list_push_item({home.where}, {source}, {index}, {other.rank})")
    builder.emit(For(index, length, body))
    region.bind(node.outputs[0], result_items(region, node, 0, home))


def _values(region: Region, node: Node) -> None:
    items = region.items(node.inputs[0])
    builder = region.builder
    length = builder.let("n_items", f"list_length({items.home.where})")
    array = as_array(region, items, length, (), 0)
    for name in region.analysis.made[node][0]:
        if name is not None:
            builder.assign(name, length)
    region.bind(
        node.outputs[0],
        Array(array.root, array.dtype, region.sizes(node.outputs[0]), array.strides),
    )


def _pack(region: Region, node: Node) -> None:
    items = region.items(node.inputs[0])
    builder = region.builder
    length = builder.let("n_items", f"list_length({items.home.where})")
    sizes = _sizes_of_items(region, node, items, length)
    array = as_array(region, items, length, sizes, 0)
    for name, size in zip(region.analysis.made[node][0], array.sizes, strict=True):
        if name is not None:
            builder.assign(name, text_of(size))
    result = region.sizes(node.outputs[0])
    region.bind(node.outputs[0], Array(array.root, array.dtype, result, array.strides))


def _sizes_of_items(region: Region, node: Node, items: Items, length: str) -> Sizes:
    """The sizes that all items have: known, or the first's; where there is none, zeros."""
    if items.sizes is not None:
        return tuple(map(region.table.resolve, items.sizes))
    builder = region.builder
    site = RaiseSite(
        lambda _: ValueError("all input arrays must have the same shape"), node.location
    )
    where = items.home.where
    builder.fail_if(f"list_is_uniform({where}, {items.rank}) == 0", site, [])
    names = [builder.let("n_item", "0") for _ in range(items.rank)]
    found: list[Statement] = []
    with builder.into(found):
        entry = builder.let("x", f"int64_at(list_entry({where}, 0, {items.rank}))")
        for axis, name in enumerate(names):
            builder.assign(name, f"{entry}[{axis + 1}]")
    builder.emit(If([(f"{length} > 0", found)]))
    return tuple(map(Dim.symbol, names))


RULES.update(list_values=_values, list_pack=_pack, list_take=_take, list_extend=_extend)
