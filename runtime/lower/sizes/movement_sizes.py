"""The sizes of what movement gives: mostly those of its operand, under the same names."""

from __future__ import annotations

from autograph.runtime.core.dims import DimLike, divide, product
from autograph.runtime.core.record import DynamicInt
from autograph.runtime.core.spec import Spec, normalized_axis
from autograph.runtime.graph.ir import Node
from autograph.runtime.lower.sizes.analysis import RULES, Analysis, Known
from autograph.runtime.lower.storage.forms import Sizes
from autograph.runtime.ops.indexing.entries import Slice


def _constant(self: Analysis, node: Node) -> list[Known]:
    held = node.attributes["value"]
    if type(held) is int:
        self.numbers[node.outputs[0]] = held
    return [tuple(self.from_spec(node, 0, axis) for axis in range(self.rank_of(node, 0)))]


def _permute(self: Analysis, node: Node) -> list[Known]:
    sizes = self.of(node.inputs[0])
    return [tuple(sizes[normalized_axis(axis, len(sizes))] for axis in node.attributes["axes"])]


def _same(self: Analysis, node: Node) -> list[Known]:
    return [self.sizes[node.inputs[0]]]


def _expand_dims(self: Analysis, node: Node) -> list[Known]:
    axis = node.attributes["axis"]
    axes = (axis,) if isinstance(axis, int) else axis
    sizes = list(self.of(node.inputs[0]))
    total = len(sizes) + len(axes)
    for place in sorted(normalized_axis(one, total) for one in axes):
        sizes.insert(place, 1)
    return [tuple(sizes)]


def squeezed(node: Node) -> tuple[int, ...]:
    """The axes that a squeeze takes away."""
    spec = node.inputs[0].spec
    assert isinstance(spec, Spec)
    axis = node.attributes.get("axis")
    if axis is None:
        return tuple(i for i, dim in enumerate(spec.shape) if isinstance(dim, int) and dim == 1)
    axes = (axis,) if isinstance(axis, int) else axis
    return tuple(sorted(normalized_axis(one, spec.ndim) for one in axes))


def _squeeze(self: Analysis, node: Node) -> list[Known]:
    gone = squeezed(node)
    return [tuple(size for i, size in enumerate(self.of(node.inputs[0])) if i not in gone)]


def _reshape(self: Analysis, node: Node) -> list[Known]:
    source = self.of(node.inputs[0])
    spec = node.outputs[0].spec
    assert isinstance(spec, Spec)
    asked = node.attributes["shape"]
    sizes: list[DimLike | None] = [None] * len(asked)
    # sizes that stay, from the left and from the right, keep their names
    for places in (range(len(asked)), range(-1, -len(asked) - 1, -1)):
        for place in places:
            if not -len(source) <= place < len(source) or sizes[place] is not None:
                break
            if spec.shape[place] != _spec_dim(node, place):
                break
            sizes[place] = source[place]
    total = product(source)
    for place, entry in enumerate(asked):
        if sizes[place] is None and entry != -1:
            sizes[place] = self.wanted(node, 0, place, entry)
    for place in range(len(asked)):
        if sizes[place] is None:
            rest = product(size for size in sizes if size is not None)
            quotient = divide(total, rest) if not isinstance(rest, int) or rest else None
            found = quotient if quotient is not None else self.from_spec(node, 0, place)
            sizes[place] = self.table.resolve(found)
    return [tuple(size for size in sizes if size is not None)]


def _spec_dim(node: Node, place: int) -> DimLike | None:
    spec = node.inputs[0].spec
    assert isinstance(spec, Spec)
    return spec.shape[place]


def _like(self: Analysis, node: Node) -> list[Known]:
    return [self.of(node.inputs[1])]


def _broadcast_like(self: Analysis, node: Node) -> list[Known]:
    sizes, target = self.of(node.inputs[0]), self.of(node.inputs[1])
    _fit(self, node, sizes, target)
    return [tuple(self.table.resolve(size) for size in target)]


def _stretch(self: Analysis, node: Node) -> list[Known]:
    sizes, like = list(self.of(node.inputs[0])), self.of(node.inputs[1])
    for axis in node.attributes["axes"]:
        own, other = self.table.resolve(sizes[axis]), self.table.resolve(like[axis])
        if self.table.value(own) != 1 and own != other:
            self.require(node, other, own)
        if node.attributes["mutual"] and self.table.resolve(own) != self.table.resolve(other):
            sizes[axis] = self.unknown(node, 0, axis % len(sizes), len(sizes))
        else:
            sizes[axis] = self.table.resolve(other)
    return [tuple(sizes)]


def _fit(self: Analysis, node: Node, sizes: Sizes, target: Sizes) -> None:
    """`sizes` broadcast to `target`: what is not 1 is equal."""
    for size, other in zip(reversed(sizes), reversed(target), strict=False):
        if self.table.value(size) != 1 or self.table.value(other) == 1:
            if isinstance(size, int) and size == 1:
                continue
            self.require(node, other, size)


def _broadcast_to(self: Analysis, node: Node) -> list[Known]:
    source = self.of(node.inputs[0])
    asked = node.attributes["shape"]
    spec = node.outputs[0].spec
    assert isinstance(spec, Spec)
    target: list[DimLike] = []
    for place, entry in enumerate(asked):
        own = place - len(asked) + len(source)
        known = own >= 0 and not isinstance(entry, DynamicInt)
        if known and self.table.value(source[own]) not in (None, 1):
            target.append(source[own])
        else:
            target.append(self.wanted(node, 0, place, entry))
    _fit(self, node, source, tuple(target))
    return [tuple(target)]


def _index(self: Analysis, node: Node) -> list[Known]:
    return [_indexed(self, node, self.of(node.inputs[0]))]


def _indexed(self: Analysis, node: Node, sizes: Sizes) -> Sizes:
    found: list[DimLike] = []
    axis = 0
    for entry in node.attributes["index"]:
        if entry is None:
            found.append(1)
            continue
        if isinstance(entry, Slice):
            if entry.start is None and entry.stop is None and entry.step in (None, 1, -1):
                found.append(sizes[axis])
            else:
                part = self.sliced(node, entry, sizes[axis], len(found))
                found.append(part[1] if part else self.from_spec(node, 0, len(found)))
        axis += 1
    return (*found, *sizes[axis:])


def _fill(self: Analysis, node: Node) -> list[Known]:
    asked = node.attributes["shape"]
    return [tuple(self.wanted(node, 0, place, entry) for place, entry in enumerate(asked))]


def _arange(self: Analysis, node: Node) -> list[Known]:
    return [(self.wanted(node, 0, 0, node.attributes["length"]),)]


def _concat(self: Analysis, node: Node) -> list[Known]:
    shapes = [self.of(value) for value in node.inputs]
    along = normalized_axis(node.attributes.get("axis", 0), len(shapes[0]))
    sizes = list(shapes[0])
    for shape in shapes[1:]:
        for axis, size in enumerate(shape):
            if axis == along:
                sizes[axis] = sizes[axis] + size
            else:
                self.require(node, sizes[axis], size)
    return [tuple(self.table.resolve(size) for size in sizes)]


def _stack(self: Analysis, node: Node) -> list[Known]:
    shapes = [self.of(value) for value in node.inputs]
    for shape in shapes[1:]:
        for one, other in zip(shapes[0], shape, strict=True):
            self.require(node, one, other)
    sizes = [self.table.resolve(size) for size in shapes[0]]
    along = normalized_axis(node.attributes.get("axis", 0), len(sizes) + 1)
    sizes.insert(along, self.from_spec(node, 0, along))
    return [tuple(sizes)]


def _unstack(self: Analysis, node: Node) -> list[Known]:
    sizes = self.of(node.inputs[0])
    along = normalized_axis(node.attributes.get("axis", 0), len(sizes))
    return [tuple(size for i, size in enumerate(sizes) if i != along)] * len(node.outputs)


def _size_of(self: Analysis, node: Node) -> list[Known]:
    sizes = self.of(node.inputs[0])
    self.numbers[node.outputs[0]] = sizes[normalized_axis(node.attributes["axis"], len(sizes))]
    return [()]


RULES.update(
    constant=_constant,
    permute_dims=_permute,
    flip=_same,
    roll=_same,
    expand_dims=_expand_dims,
    squeeze=_squeeze,
    reshape=_reshape,
    checked_reshape=_reshape,
    reshape_like=_like,
    broadcast_to=_broadcast_to,
    broadcast_like=_broadcast_like,
    stretch=_stretch,
    index=_index,
    full=_fill,
    arange=_arange,
    concat=_concat,
    stack=_stack,
    unstack=_unstack,
    size_of=_size_of,
)
