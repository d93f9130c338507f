"""Movement: views where memory allows it, copies where it does not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from autograph.runtime.core.dims import Dim, DimLike, product
from autograph.runtime.core.record import DynamicInt
from autograph.runtime.core.spec import Spec, normalized_axes, normalized_axis
from autograph.runtime.graph.ir import Node
from autograph.runtime.lower.builder import RaiseSite
from autograph.runtime.lower.library.loop_products import note_rows
from autograph.runtime.lower.loops.nest import strides_in
from autograph.runtime.lower.movement.slicing import sliced
from autograph.runtime.lower.region import RULES, SIZE_RULES, Region
from autograph.runtime.lower.sizes.movement_sizes import squeezed
from autograph.runtime.lower.sizes.polynomials import atom, text_of
from autograph.runtime.lower.storage.copying import (
    contiguous,
    copy_into,
    element,
    fresh_copy,
    in_memory,
)
from autograph.runtime.lower.storage.forms import (
    Array,
    Ramp,
    Scalar,
    Sizes,
    Splat,
    Tensorial,
    row_major,
)
from autograph.runtime.ops.inference import is_complex

INT64 = np.dtype(np.int64)


def bind_array(region: Region, node: Node, array: Array, output: int = 0) -> None:
    """Bind an output to an array; a 0-d one goes into a local variable."""
    result: Tensorial = array if array.sizes else element(region.builder, array)
    region.bind(node.outputs[output], result)


def made_size(region: Region, node: Node, axis: int, text: str, output: int = 0) -> None:
    """Assign the variable of a size that this node makes, if it does."""
    names = region.analysis.made.get(node, {}).get(output)
    name = names[axis] if names else None
    if name is not None:
        region.builder.assign(name, text)


# sizes asked for by attributes --------------------------------------------------------------------
NEGATIVE_SIZE = "negative dimensions are not allowed"
NEGATIVE_SIZES = {"broadcast_to": "all elements of broadcast shape must be non-negative"}
"""What NumPy says of a negative size: of the ops that it has words of their own for."""


def assign_asked(region: Region, node: Node, asked: tuple[Any, ...]) -> None:
    """Assign the sizes that staged integers in an attribute ask for; none may be negative."""
    for axis, entry in enumerate(asked):
        if isinstance(entry, DynamicInt):
            names = region.analysis.made.get(node, {}).get(0)
            if names and names[axis]:
                text = region.scalar(node.inputs[entry.operand]).text
                words = NEGATIVE_SIZES.get(node.op.name, NEGATIVE_SIZE)
                site = RaiseSite(lambda _, words=words: ValueError(words), node.location)  # type: ignore[misc]
                region.builder.fail_if(f"{text} < 0", site, [])
                made_size(region, node, axis, text)


def _full(region: Region, node: Node) -> None:
    assign_asked(region, node, node.attributes["shape"])
    value = region.scalar(node.inputs[0])
    sizes = region.sizes(node.outputs[0])
    if not sizes:
        region.bind(node.outputs[0], value)
        return
    region.bind(node.outputs[0], Splat(value.text, value.dtype, sizes, value.constant))


def _arange(region: Region, node: Node) -> None:
    assign_asked(region, node, (node.attributes["length"],))
    spec = node.outputs[0].spec
    assert isinstance(spec, Spec)
    start, step = (region.scalar(value) for value in node.inputs[:2])
    wide = start.dtype if start.dtype.kind == "f" else step.dtype
    (size,) = region.sizes(node.outputs[0])
    ramp = Ramp(start.text, step.text, wide, (size,), 0)
    if wide == spec.dtype:
        region.bind(node.outputs[0], ramp)
        return
    array = region.new_array(node.outputs[0], spec.dtype, (size,))
    copy_into(region.builder, array, ramp)
    region.bind(node.outputs[0], array)


def _constant(region: Region, node: Node) -> None:
    value = node.attributes["value"]
    spec = node.outputs[0].spec
    assert isinstance(spec, Spec)
    if is_complex(spec):  # a result as it is, in memory: its parts side by side
        sizes = (*region.sizes(node.outputs[0]), 2)
        parts = np.stack([value.real, value.imag], axis=-1)
        root = region.builder.constant_array(parts)
        region.bind(node.outputs[0], Array(root, parts.dtype, sizes, row_major(sizes)))
        return
    if not spec.shape:
        plain = value.item() if isinstance(value, np.ndarray) else value
        divides = bool(region.builder.proven) or any(
            is_divisor(user, node.outputs[0]) for user in region.users.get(node.outputs[0], ())
        )
        if (
            spec.python
            and type(plain) is int
            and not region.builder.is_plain(plain, spec.dtype, divides)
        ):
            text = text_of(region.table.parameter(plain))
        else:
            text = region.builder.literal(plain, spec.dtype, divides)
        region.bind(node.outputs[0], Scalar(text, spec.dtype, plain))
        return
    sizes = region.sizes(node.outputs[0])
    first = value.flat[0] if value.size else value.dtype.type(0)
    if not value.size or value.tobytes() == first.tobytes() * value.size:
        text = region.builder.literal(first.item(), spec.dtype)
        region.bind(node.outputs[0], Splat(text, spec.dtype, sizes, first.item()))
        return
    root = region.builder.constant_array(value)
    region.bind(node.outputs[0], Array(root, spec.dtype, sizes, row_major(sizes)))


DIVIDING = frozenset(("floor_divide", "remainder", "py_floordiv", "py_mod"))


def is_divisor(node: Node, value: Any) -> bool:
    """Whether a node divides integers by a value: LLVM divides fast by what the text says."""
    return node.op.name in DIVIDING and node.inputs[1] is value


# the same elements in the same order --------------------------------------------------------------
def _reshape(region: Region, node: Node) -> None:
    asked = node.attributes.get("shape", ())
    source = region.tensor(node.inputs[0])
    if asked:
        _assign_reshaped(region, node, asked, source.sizes)
    sizes = region.sizes(node.outputs[0])
    if isinstance(source, Scalar | Splat):
        region.bind(node.outputs[0], _splat(source, sizes))
        return
    array = contiguous(region.builder, source)
    bind_array(region, node, Array(array.root, array.dtype, sizes, row_major(sizes), array.offset))


def _splat(source: Scalar | Splat, sizes: Sizes) -> Scalar | Splat:
    if sizes:
        return Splat(source.text, source.dtype, sizes, source.constant)
    return Scalar(source.text, source.dtype, source.constant)


def _assign_reshaped(region: Region, node: Node, asked: tuple[Any, ...], source: Sizes) -> None:
    builder = region.builder
    total = text_of(product(region.table.resolve(size) for size in source))
    _assign_open(region, node, asked, total)
    sizes = region.sizes(node.outputs[0])
    rest = text_of(product(size for size, entry in zip(sizes, asked, strict=True) if entry != -1))
    if -1 in asked:
        names = region.analysis.made.get(node, {}).get(0)
        place = asked.index(-1)
        if names and names[place]:
            made_size(region, node, place, f"({total}) // max({rest}, 1)")
    if node.op.name == "checked_reshape":
        given = [
            (region.scalar(node.inputs[entry.operand]).text, INT64)
            for entry in asked
            if isinstance(entry, DynamicInt)
        ]
        site = RaiseSite(_misfit(node, asked), node.location)
        found = _asked_for(region, node, asked)
        builder.fail_if(f"{found} != {total}", site, [(total, INT64), *given])


def _asked_for(region: Region, node: Node, asked: tuple[Any, ...]) -> str:
    """How many elements a shape has: what is known of a size says nothing of the staged integer."""
    names = (region.analysis.made.get(node, {}).get(0)) or [None] * len(asked)
    known: DimLike = 1
    given = []
    for axis, entry in enumerate(asked):
        size = region.sizes(node.outputs[0])[axis]
        if isinstance(entry, DynamicInt) and not names[axis]:
            one = region.scalar(node.inputs[entry.operand]).text
            if one != text_of(size):
                given.append(f"select({one} < 0, {text_of(size)}, {one})")
                continue
        known = known * size
    return " * ".join([atom(known), *given]) if given else text_of(known)


def _misfit(node: Node, asked: tuple[Any, ...]) -> Callable[[Any], BaseException]:
    def make(words: Any) -> BaseException:
        given = iter(int(word) for word in words[2:])
        shape = tuple(next(given) if isinstance(one, DynamicInt) else one for one in asked)
        try:
            node.op.reference(np.broadcast_to(np.zeros(()), (int(words[1]),)), shape=shape)
        except ValueError as error:
            return error.with_traceback(None)
        return ValueError(f"cannot reshape into shape {shape}")

    return make


def _assign_open(region: Region, node: Node, asked: tuple[Any, ...], total: str) -> None:
    """Assign the sizes of a reshape that staged integers give; -1 is what the others leave."""
    names = (region.analysis.made.get(node, {}).get(0)) or [None] * len(asked)
    given = {
        axis: region.scalar(node.inputs[entry.operand]).text
        for axis, entry in enumerate(asked)
        if isinstance(entry, DynamicInt) and names[axis]
    }
    if not given:
        return
    sizes = region.sizes(node.outputs[0])
    fixed = product(
        size
        for axis, (size, entry) in enumerate(zip(sizes, asked, strict=True))
        if axis not in given and entry != -1
    )
    known = " * ".join([atom(fixed), *(f"select({one} < 0, 1, {one})" for one in given.values())])
    rest = region.builder.let("n_rest", f"({total}) // max({known}, 1)")
    for axis, text in given.items():
        made_size(region, node, axis, f"select({text} < 0, {rest}, {text})")


def _expand_dims(region: Region, node: Node) -> None:
    source = region.tensor(node.inputs[0])
    sizes = region.sizes(node.outputs[0])
    if isinstance(source, Scalar | Splat):
        region.bind(node.outputs[0], _splat(source, sizes))
        return
    axis = node.attributes["axis"]
    axes = (axis,) if isinstance(axis, int) else axis
    new = sorted(normalized_axis(one, len(sizes)) for one in axes)
    if isinstance(source, Ramp):
        place = [i for i in range(len(sizes)) if i not in new][source.axis]
        region.bind(node.outputs[0], Ramp(source.start, source.step, source.dtype, sizes, place))
        return
    strides = list(source.strides)
    for place in new:
        strides.insert(place, 0)
    region.bind(
        node.outputs[0], Array(source.root, source.dtype, sizes, tuple(strides), source.offset)
    )


def _squeeze(region: Region, node: Node) -> None:
    source = region.tensor(node.inputs[0])
    sizes = region.sizes(node.outputs[0])
    if isinstance(source, Scalar | Splat):
        region.bind(node.outputs[0], _splat(source, sizes))
        return
    array = in_memory(region.builder, source)
    gone = squeezed(node)
    strides = tuple(stride for i, stride in enumerate(array.strides) if i not in gone)
    bind_array(region, node, Array(array.root, array.dtype, sizes, strides, array.offset))


# other orders -------------------------------------------------------------------------------------
def _permute(region: Region, node: Node) -> None:
    source = region.tensor(node.inputs[0])
    sizes = region.sizes(node.outputs[0])
    if isinstance(source, Scalar | Splat):
        region.bind(node.outputs[0], _splat(source, sizes))
        return
    axes = [normalized_axis(axis, len(sizes)) for axis in node.attributes["axes"]]
    if isinstance(source, Ramp):
        place = axes.index(source.axis)
        region.bind(node.outputs[0], Ramp(source.start, source.step, source.dtype, sizes, place))
        return
    strides = tuple(source.strides[axis] for axis in axes)
    region.bind(node.outputs[0], Array(source.root, source.dtype, sizes, strides, source.offset))


def _flip(region: Region, node: Node) -> None:
    source = region.tensor(node.inputs[0])
    if isinstance(source, Scalar | Splat):
        region.bind(node.outputs[0], source)
        return
    array = in_memory(region.builder, source)
    strides, offset = list(array.strides), array.offset
    for axis in normalized_axes(node.attributes.get("axis"), len(strides)):
        offset = offset + (array.sizes[axis] + -1) * strides[axis]
        strides[axis] = strides[axis] * -1
    region.bind(
        node.outputs[0], Array(array.root, array.dtype, array.sizes, tuple(strides), offset)
    )


def _stretch(region: Region, node: Node) -> None:
    names = region.analysis.made.get(node, {}).get(0, [])
    own, like = region.sizes(node.inputs[0]), region.sizes(node.inputs[1])
    for axis, name in enumerate(names, -len(names)):
        if name is not None:
            one, other = (text_of(region.table.resolve(sizes[axis])) for sizes in (own, like))
            region.builder.assign(name, f"select({one} == 1, {other}, {one})")
    _broadcast(region, node)


def _broadcast(region: Region, node: Node) -> None:
    source = region.tensor(node.inputs[0])
    sizes = region.sizes(node.outputs[0])
    if isinstance(source, Scalar | Splat):
        region.bind(node.outputs[0], _splat(source, sizes))
        return
    if isinstance(source, Ramp):
        axis = source.axis - len(source.sizes)
        if not region.table.stretches(source.sizes[axis], sizes[axis]):
            place = axis + len(sizes)
            region.bind(
                node.outputs[0], Ramp(source.start, source.step, source.dtype, sizes, place)
            )
            return
    array = in_memory(region.builder, source)
    strides = _stretched(region, array, sizes)
    region.bind(node.outputs[0], Array(array.root, array.dtype, sizes, strides, array.offset))


def _stretched(region: Region, array: Array, space: Sizes) -> Sizes:
    """The strides of an array along the axes of `space`; 0 where a size turns out to be 1."""
    table, missing = region.table, len(space) - len(array.sizes)
    strides = list(strides_in(table, array, space))
    for axis, size in enumerate(array.sizes, missing):
        own, target = table.resolve(size), table.resolve(space[axis])
        if own != target and table.value(own) is None:
            moves = region.builder.let("w", f"int64({text_of(own)} != 1)")
            strides[axis] = strides[axis] * Dim.symbol(moves)
    return tuple(strides)


def _index(region: Region, node: Node) -> None:
    source = region.tensor(node.inputs[0])
    if isinstance(source, Ramp):
        source = in_memory(region.builder, source)
    if isinstance(source, Array):
        note_rows(region, node, source)
        bind_array(region, node, sliced(region, node, source))
        return
    made = Array(region.builder.nowhere, source.dtype, source.sizes, (0,) * len(source.sizes))
    sliced(region, node, made)  # for the sizes it makes
    region.bind(node.outputs[0], _splat(source, region.sizes(node.outputs[0])))


def part(array: Array, axis: int, start: DimLike, size: DimLike) -> Array:
    """A part of an array along an axis."""
    sizes = (*array.sizes[:axis], size, *array.sizes[axis + 1 :])
    offset = array.offset + start * array.strides[axis]
    return Array(array.root, array.dtype, sizes, array.strides, offset)


def row(array: Array, axis: int, place: DimLike) -> Array:
    """One place along an axis of an array: all other axes."""
    sizes = (*array.sizes[:axis], *array.sizes[axis + 1 :])
    strides = (*array.strides[:axis], *array.strides[axis + 1 :])
    offset = array.offset + place * array.strides[axis]
    return Array(array.root, array.dtype, sizes, strides, offset)


def _size_of(region: Region, node: Node) -> None:
    region.bind(node.outputs[0], number_of_sizes(region, node))


def number_of_sizes(region: Region, node: Node) -> Scalar:
    """A Python int that is known from sizes."""
    size = region.table.resolve(region.analysis.numbers[node.outputs[0]])
    if isinstance(size, Dim) and size.name is None and region.table.is_early(size):
        size = region.table.derived(lambda number: number, size)
    text = text_of(size)
    if not text.isidentifier():
        text = region.builder.let("s", f"int64({text})")
    return Scalar(text, INT64)


def _copied(region: Region, node: Node) -> None:
    source = region.tensor(node.inputs[0])
    array = source if isinstance(source, Scalar) else fresh_copy(region.builder, source)
    region.bind(node.outputs[0], array)


SIZE_RULES["broadcast_to"] = lambda region, node: assign_asked(
    region, node, node.attributes["shape"]
)
RULES.update(
    full=_full,
    arange=_arange,
    constant=_constant,
    reshape=_reshape,
    checked_reshape=_reshape,
    reshape_like=_reshape,
    expand_dims=_expand_dims,
    squeeze=_squeeze,
    permute_dims=_permute,
    flip=_flip,
    broadcast_to=_broadcast,
    broadcast_like=_broadcast,
    stretch=_stretch,
    index=_index,
    size_of=_size_of,
)
