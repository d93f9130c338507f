"""Lists of items of unlike sizes joined and cut, and the sum of all items."""

from __future__ import annotations

from autograph.kernels.program import For, Statement
from autograph.runtime.core.dims import Dim, product
from autograph.runtime.core.spec import Spec
from autograph.runtime.graph.ir import Node
from autograph.runtime.lower.analysis import NotNativeError
from autograph.runtime.lower.builder import RaiseSite
from autograph.runtime.lower.copying import copy_into, in_memory
from autograph.runtime.lower.indexing import add_into
from autograph.runtime.lower.lists import first_sizes, result_items
from autograph.runtime.lower.movement import part
from autograph.runtime.lower.region import RULES, Region
from autograph.runtime.lower.sizes import text_of
from autograph.runtime.lower.storage import Array, Items, Root, Scalar, Sizes, Splat, row_major


def _item_of(region: Region, items: Items, index: str) -> Array:
    """The item at an index that is in range, with the sizes that the table tells."""
    builder = region.builder
    where, rank = items.home.where, items.rank
    place = builder.let("p", f"list_item({where}, {index}, {rank})")
    if items.sizes is not None:
        sizes: Sizes = tuple(map(region.table.resolve, items.sizes))
    else:
        entry = builder.let("x", f"int64_at(list_entry({where}, {index}, {rank}))")
        names = [builder.let("n_item", f"{entry}[{axis + 1}]") for axis in range(rank)]
        sizes = tuple(Dim.symbol(name) for name in names)
    return Array(Root(place), items.dtype, sizes, row_major(sizes))


def _concat(region: Region, node: Node) -> None:
    builder = region.builder
    items = region.items(node.inputs[0])
    spec = node.outputs[0].spec
    assert isinstance(spec, Spec)
    axis = node.attributes.get("axis", 0) % spec.ndim
    length = builder.let("n_items", f"list_length({items.home.where})")
    site = RaiseSite(lambda _: ValueError("need at least one array to concatenate"), node.location)
    builder.fail_if(f"{length} == 0", site, [])
    first = first_sizes(region, items)
    total = builder.let("n_total", "0")
    index = builder.name("i")
    counting: list[Statement] = []
    words = "all the input array dimensions except for the concatenation axis must match exactly"
    site = RaiseSite(lambda _: ValueError(words), node.location)
    with builder.into(counting):
        entry = f"int64_at(list_entry({items.home.where}, {index}, {items.rank}))"
        entry = builder.let("x", entry)
        for place, size in enumerate(first):
            if place != axis:
                builder.fail_if(f"{entry}[{place + 1}] != {text_of(size)}", site, [])
        builder.assign(total, f"{total} + {entry}[{axis + 1}]")
    builder.emit(For(index, length, counting))
    found = tuple(Dim.symbol(total) if i == axis else size for i, size in enumerate(first))
    for name, size in zip(region.analysis.made[node][0], found, strict=True):
        if name is not None:
            builder.assign(name, text_of(size))
    target = region.new_array(node.outputs[0], spec.dtype, region.sizes(node.outputs[0]))
    start = builder.let("n_start", "0")
    copying: list[Statement] = []
    index = builder.name("i")
    with builder.into(copying):
        item = _item_of(region, items, index)
        size = item.sizes[axis]
        copy_into(builder, part(target, axis, Dim.symbol(start), size), item)
        builder.assign(start, f"{start} + {text_of(size)}")
    builder.emit(For(index, length, copying))
    region.bind(node.outputs[0], target)


def _split_like(region: Region, node: Node) -> None:
    builder = region.builder
    source = region.tensor(node.inputs[0])
    like = region.items(node.inputs[1])
    if source.dtype.itemsize != like.dtype.itemsize:
        raise NotNativeError("a tensor cut like a list of another dtype")
    axis = node.attributes.get("axis", 0) % len(source.sizes)
    home = builder.new_list()
    builder.execute(f"copy_list({home.where}, {like.home.where}, {like.rank})")
    result = result_items(region, node, 0, home)
    if not isinstance(source, Array):
        source = in_memory(builder, source)
    start, index = builder.let("n_start", "0"), builder.name("i")
    body: list[Statement] = []
    with builder.into(body):
        item = _item_of(region, result, index)
        copy_into(builder, item, part(source, axis, Dim.symbol(start), item.sizes[axis]))
        builder.assign(start, f"{start} + {text_of(item.sizes[axis])}")
    builder.emit(For(index, f"list_length({home.where})", body))
    region.bind(node.outputs[0], result)


def _total(region: Region, node: Node) -> None:
    builder = region.builder
    items = region.items(node.inputs[0])
    spec = node.outputs[0].spec
    assert isinstance(spec, Spec)
    sizes = region.sizes(node.outputs[0])
    where = items.home.where
    zero = builder.literal(False if spec.dtype.kind == "b" else spec.dtype.type(0), spec.dtype)
    index = builder.name("i")
    body: list[Statement] = []
    if not sizes:
        total = builder.let("s", zero)
        data = builder.let("x", f"{items.dtype.name}_at(list_data({where}))")
        with builder.into(body):
            builder.assign(total, f"{total} + {data}[{index}]")
        builder.emit(For(index, f"list_length({where})", body))
        region.bind(node.outputs[0], Scalar(total, spec.dtype))
        return
    target = region.new_array(node.outputs[0], spec.dtype, sizes)
    copy_into(builder, target, Splat(zero, spec.dtype, sizes))
    data = builder.let("p", f"list_data({where})")
    with builder.into(body):
        offset = Dim.symbol(index) * product(sizes)
        add_into(builder, target, Array(Root(data), items.dtype, sizes, row_major(sizes), offset))
    builder.emit(For(index, f"list_length({where})", body))
    region.bind(node.outputs[0], target)


RULES.update(list_concat=_concat, list_split_like=_split_like, list_total=_total)
