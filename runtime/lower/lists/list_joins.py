"""Lists of items of unlike sizes joined and cut, and the sum of all items."""

from __future__ import annotations

import numpy as np

from autograph.kernels.program import For, Statement
from autograph.runtime.core.dims import Dim, product
from autograph.runtime.core.spec import Spec
from autograph.runtime.graph.ir import Node
from autograph.runtime.lower.builder import RaiseSite
from autograph.runtime.lower.lists.list_buffers import detach, first_sizes, put_sizes, result_items
from autograph.runtime.lower.movement.indexing import add_into
from autograph.runtime.lower.movement.views_and_copies import part
from autograph.runtime.lower.region import RULES, Region
from autograph.runtime.lower.sizes.analysis import NotNativeError
from autograph.runtime.lower.sizes.polynomials import atom, text_of
from autograph.runtime.lower.storage.copying import copy_into, in_memory
from autograph.runtime.lower.storage.forms import (
    Array,
    Items,
    Root,
    Scalar,
    Sizes,
    Splat,
    row_major,
)
from autograph.runtime.ops.lists.list_selection import PADDING


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


def _pad(region: Region, node: Node) -> None:
    builder = region.builder
    items = region.items(node.inputs[0])
    where = items.home.where
    length = builder.let("n_items", f"list_length({where})")
    widest, index = builder.let("n_widest", "0"), builder.name("i")
    measuring: list[Statement] = []
    with builder.into(measuring):
        entry = builder.let("x", f"int64_at(list_entry({where}, {index}, 1))")
        builder.assign(widest, f"max({widest}, {entry}[1])")
    builder.emit(For(index, length, measuring))
    for name, size in zip(region.analysis.made[node][0], (length, widest), strict=True):
        assert name is not None
        builder.assign(name, size)
    sizes = region.sizes(node.outputs[0])
    target = region.new_array(node.outputs[0], items.dtype, sizes)
    padding = builder.literal(np.int64(PADDING), items.dtype)
    copy_into(builder, target, Splat(padding, items.dtype, sizes))
    copying: list[Statement] = []
    index = builder.name("i")
    with builder.into(copying):
        item = _item_of(region, items, index)
        offset = target.offset + Dim.symbol(index) * target.strides[0]
        row = Array(target.root, items.dtype, item.sizes, target.strides[1:], offset)
        copy_into(builder, row, item)
    builder.emit(For(index, length, copying))
    region.bind(node.outputs[0], target)


def _unpad(region: Region, node: Node) -> None:
    builder = region.builder
    source = in_memory(builder, region.tensor(node.inputs[0]))
    home = builder.new_list()
    detach(builder, home)
    builder.execute(f"list_clear({home.where})")
    pointer, index = builder.view(source), builder.name("i")
    count, width = (text_of(region.table.resolve(size)) for size in source.sizes)
    down, along = map(atom, source.strides)
    body: list[Statement] = []
    with builder.into(body):
        start = builder.let("s", f"{text_of(source.offset)} + {index} * {down}")
        size, place = builder.let("n_item", "0"), builder.name("i")
        measuring: list[Statement] = []
        with builder.into(measuring):
            held = f"{pointer}[{start} + {place} * {along}] != {PADDING}"
            builder.assign(size, f"{size} + select({held}, 1, 0)")
        builder.emit(For(place, width, measuring))
        room = builder.let("p", f"list_push({home.where}, {size} * 8, 1)")
        sizes = (Dim.symbol(size),)
        put_sizes(builder, home, f"list_length({home.where}) - 1", sizes)
        row = Array(source.root, source.dtype, sizes, source.strides[1:], Dim.symbol(start))
        copy_into(builder, Array(Root(room), source.dtype, sizes, (1,)), row)
    builder.emit(For(index, count, body))
    region.bind(node.outputs[0], result_items(region, node, 0, home))


RULES.update(
    list_concat=_concat,
    list_split_like=_split_like,
    list_total=_total,
    list_pad=_pad,
    list_unpad=_unpad,
)
