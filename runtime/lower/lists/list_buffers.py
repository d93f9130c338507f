"""Lists in programs: buffers of the frame that change in place; items are views where they can be.

An item that was taken is a view of the list's block as long as nothing is written there; before
something is, the views that live on are copied away (`detach`).
"""

from __future__ import annotations

from autograph.kernels.program import If, Statement
from autograph.runtime.core.dims import Dim, DimLike, product
from autograph.runtime.core.dtypes import DType, int64
from autograph.runtime.core.spec import ListSpec, Spec
from autograph.runtime.graph.ir import Node
from autograph.runtime.lower.builder import Builder, RaiseSite, cast
from autograph.runtime.lower.movement.indexing import add_into
from autograph.runtime.lower.region import RULES, Region
from autograph.runtime.lower.sizes.polynomials import text_of
from autograph.runtime.lower.storage.copying import copy_into, element
from autograph.runtime.lower.storage.forms import (
    Array,
    Items,
    ListHome,
    Root,
    Scalar,
    Sizes,
    Splat,
    Tensorial,
    row_major,
)


# homes --------------------------------------------------------------------------------------------
def detach(builder: Builder, home: ListHome) -> None:
    """Copy away the items that are views of a list which is about to be written."""
    for root in home.views:
        if root.live:
            room = builder.allocate(root.bytes)
            builder.execute(f"copy_bytes({room.name}, {root.name}, {text_of(root.bytes)})")
            root.name, root.owned, root.block = room.name, True, room.block
            builder.foreign[id(root)] = root  # branches begin with as many values in it
    home.views = []


def result_items(region: Region, node: Node, output: int, home: ListHome) -> Items:
    """The list that a node gives, in a home."""
    spec = node.outputs[output].spec
    assert isinstance(spec, ListSpec)
    sizes = region.analysis.known_items(node.outputs[output])
    return Items(home, spec.element.dtype, spec.element.ndim, spec.element.python, sizes)


def changed_home(region: Region, node: Node) -> ListHome:
    """Where the changed list is: in place where the old one dies, else a copy."""
    builder = region.builder
    items = region.items(node.inputs[0])
    if region.can_overwrite(node.inputs[0]):
        return items.home
    home = builder.new_list()
    builder.execute(f"copy_list({home.where}, {items.home.where}, {items.rank})")
    return home


def _item_bytes(storage: Tensorial) -> DimLike:
    return product(storage.sizes) * storage.dtype.itemsize


def put_item(region: Region, home: ListHome, place: str, index: str, item: Tensorial) -> None:
    """Write an item and its sizes to its place in a list."""
    builder = region.builder
    sizes = tuple(map(region.table.resolve, item.sizes))
    if sizes:
        put_sizes(builder, home, index, sizes)
        target = Array(Root(place), item.dtype, sizes, row_major(sizes))
        copy_into(builder, target, item)
        return
    assert isinstance(item, Scalar | Splat)
    pointer = builder.let("x", f"{item.dtype.name}_at({place})")
    builder.assign(f"{pointer}[0]", item.text)


def put_sizes(builder: Builder, home: ListHome, index: str, sizes: Sizes) -> None:
    """Write the sizes of an item into the table of its list."""
    entry = builder.let("x", f"int64_at(list_entry({home.where}, {index}, {len(sizes)}))")
    for axis, size in enumerate(sizes):
        builder.assign(f"{entry}[{axis + 1}]", text_of(size))


def take_item(
    region: Region, node: Node, output: int, home: ListHome, place: str, index: str
) -> None:
    """Bind an output to the item at a place of a list."""
    builder = region.builder
    spec = node.outputs[output].spec
    assert isinstance(spec, Spec)
    if not spec.shape:
        array = Array(Root(place), spec.dtype, (), ())
        region.bind(node.outputs[output], element(builder, array))
        return
    names = region.analysis.made.get(node, {}).get(output)
    if names:
        entry = builder.let("x", f"int64_at(list_entry({home.where}, {index}, {spec.ndim}))")
        for axis, name in enumerate(names):
            if name is not None:
                builder.assign(name, f"{entry}[{axis + 1}]")
    sizes = region.sizes(node.outputs[output])
    root = Root(place, product(sizes) * spec.dtype.itemsize)
    home.views.append(root)
    region.bind(node.outputs[output], Array(root, spec.dtype, sizes, row_major(sizes)))


def _checked(region: Region, node: Node, home: ListHome, message: str) -> str:
    """The index operand, tested and counted from 0."""
    builder = region.builder
    given = region.scalar(node.inputs[1])
    index = cast(given.text, given.dtype, int64)
    length = builder.let("s", f"list_length({home.where})")
    site = RaiseSite(lambda _: IndexError(message), node.location)
    builder.fail_if(f"({index} < -{length}) | ({index} >= {length})", site, [])
    return builder.let("s", f"select({index} < 0, {index} + {length}, {index})")


# one item -----------------------------------------------------------------------------------------
def _create(region: Region, node: Node) -> None:
    home = region.builder.new_list()
    region.builder.execute(f"list_clear({home.where})")
    region.bind(node.outputs[0], result_items(region, node, 0, home))


def _push(region: Region, node: Node) -> None:
    builder = region.builder
    if node in region.pushed:
        # the item was computed in its place
        home = region.items(node.inputs[0]).home
        region.bind(node.outputs[0], result_items(region, node, 0, home))
        return
    home = changed_home(region, node)
    detach(builder, home)
    item = region.tensor(node.inputs[1])
    size = text_of(region.table.resolve(_item_bytes(item)))
    rank = len(item.sizes)
    place = builder.let("p", f"list_push({home.where}, {size}, {rank})")
    put_item(region, home, place, f"list_length({home.where}) - 1", item)
    region.bind(node.outputs[0], result_items(region, node, 0, home))


def _pop(region: Region, node: Node) -> None:
    builder = region.builder
    home = changed_home(region, node)
    items = result_items(region, node, 0, home)
    site = RaiseSite(lambda _: IndexError("pop from empty list"), node.location)
    builder.fail_if(f"list_length({home.where}) == 0", site, [])
    place = builder.let("p", f"list_pop({home.where}, {items.rank})")
    region.bind(node.outputs[0], items)
    take_item(region, node, 1, home, place, f"list_length({home.where})")


def _get(region: Region, node: Node) -> None:
    items = region.items(node.inputs[0])
    index = _checked(region, node, items.home, "list index out of range")
    where = items.home.where
    place = region.builder.let("p", f"list_item({where}, {index}, {items.rank})")
    take_item(region, node, 0, items.home, place, index)


def _set(region: Region, node: Node) -> None:
    builder = region.builder
    items = region.items(node.inputs[0])
    index = _checked(region, node, items.home, "list assignment index out of range")
    home = changed_home(region, node)
    detach(builder, home)
    item = region.tensor(node.inputs[2])
    size = text_of(region.table.resolve(_item_bytes(item)))
    call = f"list_replace({home.where}, {index}, {size}, {items.rank})"
    put_item(region, home, builder.let("p", call), index, item)
    region.bind(node.outputs[0], result_items(region, node, 0, home))


def _add_at(region: Region, node: Node) -> None:
    builder = region.builder
    items = region.items(node.inputs[0])
    index = _checked(region, node, items.home, "list index out of range")
    home = changed_home(region, node)
    detach(builder, home)
    item = region.tensor(node.inputs[2])
    place = builder.let("p", f"list_item({home.where}, {index}, {items.rank})")
    sizes = tuple(map(region.table.resolve, item.sizes))
    add_into(builder, Array(Root(place), items.dtype, sizes, row_major(sizes)), item)
    region.bind(node.outputs[0], result_items(region, node, 0, home))


def _length(region: Region, node: Node) -> None:
    where = region.items(node.inputs[0]).home.where
    text = region.builder.let("s", f"list_length({where})")
    region.bind(node.outputs[0], Scalar(text, int64))


# the whole ----------------------------------------------------------------------------------------
def uniform_sizes(region: Region, node: Node, items: Items) -> Sizes:
    """The sizes of all items: known, or the first's; ValueError at run time if they differ."""
    if items.sizes is not None:
        return tuple(map(region.table.resolve, items.sizes))
    builder = region.builder
    words = "all input arrays must have the same shape"
    site = RaiseSite(lambda _: ValueError(words), node.location)
    where = items.home.where
    builder.fail_if(f"list_is_uniform({where}, {items.rank}) == 0", site, [])
    return first_sizes(region, items)


def first_sizes(region: Region, items: Items) -> Sizes:
    """The sizes of the first item of a list that has one."""
    if not items.rank:
        return ()
    builder = region.builder
    call = f"int64_at(list_entry({items.home.where}, 0, {items.rank}))"
    entry = builder.let("x", call)
    names = [builder.let("n_item", f"{entry}[{axis + 1}]") for axis in range(items.rank)]
    return tuple(Dim.symbol(name) for name in names)


def as_array(region: Region, items: Items, length: str, sizes: Sizes, axis: int) -> Array:
    """All items side by side along a new axis, as a view of the block."""
    builder = region.builder
    where = items.home.where
    place = builder.let("p", f"list_data({where})")
    count = Dim.symbol(length)
    whole = (count, *sizes)
    strides = row_major(whole)
    order = list(range(1, len(whole)))
    order.insert(axis, 0)
    root = Root(place, product(whole) * items.dtype.itemsize)
    items.home.views.append(root)
    return Array(
        root, items.dtype, tuple(whole[i] for i in order), tuple(strides[i] for i in order)
    )


def _stack(region: Region, node: Node) -> None:
    builder = region.builder
    items = region.items(node.inputs[0])
    spec = node.outputs[0].spec
    assert isinstance(spec, Spec)
    length = builder.let("n_items", f"list_length({items.home.where})")
    site = RaiseSite(lambda _: ValueError("need at least one array to stack"), node.location)
    builder.fail_if(f"{length} == 0", site, [])
    sizes = uniform_sizes(region, node, items)
    axis = node.attributes.get("axis", 0) % spec.ndim
    array = as_array(region, items, length, sizes, axis)
    for name, size in zip(region.analysis.made[node][0], array.sizes, strict=True):
        if name is not None:
            builder.assign(name, text_of(size))
    result = Array(array.root, array.dtype, region.sizes(node.outputs[0]), array.strides)
    if array.dtype != spec.dtype:
        target = region.new_array(node.outputs[0], spec.dtype, result.sizes)
        copy_into(builder, target, result)
        result = target
    region.bind(node.outputs[0], result)


def _stack_like(region: Region, node: Node) -> None:
    builder = region.builder
    items = region.items(node.inputs[0])
    spec = node.outputs[0].spec
    assert isinstance(spec, Spec)
    sizes = region.sizes(node.outputs[0])
    axis = node.attributes.get("axis", 0) % spec.ndim
    target = region.new_array(node.outputs[0], spec.dtype, sizes)
    length = builder.let("n_items", f"list_length({items.home.where})")
    nothing: list[Statement] = []
    something: list[Statement] = []
    zero = builder.literal(spec.dtype.type(0), spec.dtype)
    with builder.into(nothing):
        copy_into(builder, target, Splat(zero, spec.dtype, sizes))
    with builder.into(something):
        item = tuple(size for i, size in enumerate(sizes) if i != axis)
        copy_into(builder, target, as_array(region, items, length, item, axis))
    builder.emit(If([(f"{length} == 0", nothing), ("", something)]))
    region.bind(node.outputs[0], target)


def spread(region: Region, count: str, sizes: Sizes, dtype: DType) -> tuple[ListHome, Array]:
    """A new list of `count` items of these sizes, and all of them as one array to be written."""
    builder = region.builder
    home = builder.new_list()
    detach(builder, home)
    size = text_of(region.table.resolve(product(sizes) * dtype.itemsize))
    rank = len(sizes)
    call = f"list_spread({home.where}, {count}, {size}, {rank})"
    place = builder.let("p", call)
    if rank:
        entry = builder.let("x", f"int64_at(list_entry({home.where}, 0, {rank}))")
        for axis, one in enumerate(sizes):
            builder.assign(f"{entry}[{axis + 1}]", text_of(region.table.resolve(one)))
        builder.execute(f"list_same_sizes({home.where}, {rank})")
    whole = (Dim.symbol(count), *sizes)
    return home, Array(Root(place), dtype, whole, row_major(whole))


def _unstack(region: Region, node: Node) -> None:
    builder = region.builder
    source = region.tensor(node.inputs[0])
    axis = node.attributes.get("axis", 0) % len(source.sizes)
    sizes = tuple(size for i, size in enumerate(source.sizes) if i != axis)
    count = builder.let("n_items", text_of(region.table.resolve(source.sizes[axis])))
    home, target = spread(region, count, sizes, source.dtype)
    order = list(range(1, len(target.sizes)))
    order.insert(axis, 0)
    turned = Array(
        target.root,
        target.dtype,
        source.sizes,
        tuple(target.strides[i] for i in order),
    )
    copy_into(builder, turned, source)
    region.bind(node.outputs[0], result_items(region, node, 0, home))


def _fill(region: Region, node: Node) -> None:
    builder = region.builder
    item = region.tensor(node.inputs[0])
    length = region.scalar(node.inputs[1])
    count = builder.let("n_items", f"max({cast(length.text, length.dtype, int64)}, 0)")
    home, target = spread(region, count, item.sizes, item.dtype)
    copy_into(builder, target, item)
    region.bind(node.outputs[0], result_items(region, node, 0, home))


def _zeros_like(region: Region, node: Node) -> None:
    builder = region.builder
    home = changed_home(region, node)
    detach(builder, home)
    where = home.where
    builder.execute(f"clear_bytes(list_data({where}), list_bytes({where}))")
    region.bind(node.outputs[0], result_items(region, node, 0, home))


def _ones_like(region: Region, node: Node) -> None:
    builder = region.builder
    home = changed_home(region, node)
    detach(builder, home)
    result = result_items(region, node, 0, home)
    target = _flat(region, result)
    one = builder.literal(result.dtype.type(1), result.dtype)
    copy_into(builder, target, Splat(one, result.dtype, target.sizes))
    region.bind(node.outputs[0], result)


def _flat(region: Region, items: Items) -> Array:
    """All elements of all items, as one axis."""
    builder, where = region.builder, items.home.where
    place = builder.let("p", f"list_data({where})")
    size = items.dtype.itemsize
    count = builder.let("n_items", f"list_bytes({where}) // {size}")
    return Array(Root(place), items.dtype, (Dim.symbol(count),), (1,))


def _add(region: Region, node: Node) -> None:
    builder = region.builder
    other = region.items(node.inputs[1])
    home = changed_home(region, node)
    detach(builder, home)
    site = RaiseSite(lambda _: ValueError("lists of other lengths are not added"), node.location)
    builder.fail_if(f"list_length({home.where}) != list_length({other.home.where})", site, [])
    result = result_items(region, node, 0, home)
    target, source = _flat(region, result), _flat(region, other)
    source = Array(source.root, source.dtype, target.sizes, (1,))
    add_into(builder, target, source)
    region.bind(node.outputs[0], result)


RULES.update(
    list_create=_create,
    list_push=_push,
    list_pop=_pop,
    list_get=_get,
    list_set=_set,
    list_exchange=_set,
    list_add_at=_add_at,
    list_length=_length,
    list_stack=_stack,
    list_stack_like=_stack_like,
    list_unstack=_unstack,
    list_numbers=_unstack,
    list_unpack=_unstack,
    list_fill=_fill,
    list_zeros_like=_zeros_like,
    list_ones_like=_ones_like,
    list_add=_add,
)
