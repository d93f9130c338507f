"""Matrix products: BLAS for floats, on the operands where they lie; transposes cost nothing."""

from __future__ import annotations

from autograph.runtime.core.dims import DimLike, product
from autograph.runtime.core.spec import Spec
from autograph.runtime.graph.ir import Node
from autograph.runtime.lower.builder import cast
from autograph.runtime.lower.copying import copy_into, element, fresh_copy, in_memory
from autograph.runtime.lower.nest import strides_in
from autograph.runtime.lower.region import RULES, Region
from autograph.runtime.lower.sizes import atom, text_of
from autograph.runtime.lower.storage import Array, Sizes, Tensorial


def _matrix(region: Region, node: Node, place: int) -> Array:
    """An operand with at least two axes, in memory, in the dtype of the result."""
    builder = region.builder
    spec = node.outputs[0].spec
    assert isinstance(spec, Spec)
    storage: Tensorial = region.tensor(node.inputs[place])
    if storage.dtype != spec.dtype:
        array = builder.array(spec.dtype, storage.sizes)
        copy_into(builder, array, storage)
    else:
        array = in_memory(builder, storage)
    if len(array.sizes) > 1:
        return array
    sizes: Sizes = (1, *array.sizes) if place == 0 else (*array.sizes, 1)
    strides: Sizes = (0, *array.strides) if place == 0 else (*array.strides, 0)
    return Array(array.root, array.dtype, sizes, strides, array.offset)


def _is_one(size: DimLike) -> bool:
    return isinstance(size, int) and size == 1


def _layout(region: Region, array: Array) -> tuple[Array, int]:
    """The array with its matrices row by row or column by column (1), copied where they are not."""
    rows, columns = (region.table.resolve(size) for size in array.sizes[-2:])
    row, column = (region.table.resolve(stride) for stride in array.strides[-2:])
    if (column == 1 or _is_one(columns)) and (row == columns or _is_one(rows)):
        return array, 0
    if (row == 1 or _is_one(rows)) and (column == rows or _is_one(columns)):
        return array, 1
    return fresh_copy(region.builder, array), 0


def _start(region: Region, array: Array, extra: str = "") -> str:
    """The flat buffer from the first element of an array on."""
    parts = [array.root.name]
    if not (isinstance(array.offset, int) and array.offset == 0):
        parts.append(f"{array.dtype.itemsize} * {atom(array.offset)}")
    if extra:
        parts.append(f"{array.dtype.itemsize} * ({extra})")
    return region.builder.let("x", f"{array.dtype.name}_at({' + '.join(parts)})")


def _matmul(region: Region, node: Node) -> None:
    builder = region.builder
    spec = node.outputs[0].spec
    assert isinstance(spec, Spec)
    left, left_turned = _layout(region, _matrix(region, node, 0))
    right, right_turned = _layout(region, _matrix(region, node, 1))
    sizes = region.sizes(node.outputs[0])
    rows, inner = (region.table.resolve(size) for size in left.sizes[-2:])
    columns = region.table.resolve(right.sizes[-1])
    first = len(node.inputs[0].spec.shape) > 1  # type: ignore[union-attr]
    last = len(node.inputs[1].spec.shape) > 1  # type: ignore[union-attr]
    batch = sizes[: len(sizes) - first - last]
    if sizes:
        target = region.new_array(node.outputs[0], spec.dtype, sizes)
    else:
        target = builder.array(spec.dtype, (1,))
    emit_products(
        region, target, batch, (left, left_turned), (right, right_turned), rows, columns, inner
    )
    region.bind(node.outputs[0], target if sizes else element(builder, target))


Operand = tuple[Array, int]


def emit_products(
    region: Region,
    target: Array,
    batch: Sizes,
    left: Operand,
    right: Operand,
    rows: DimLike,
    columns: DimLike,
    inner: DimLike,
) -> None:
    """target[batch, rows, columns] = left right, for every place in the batch."""
    builder = region.builder
    numbers = [text_of(rows), text_of(columns), text_of(inner)]
    if not batch:
        out = _start(region, target)
        _product(region, out, _start(region, left[0]), _start(region, right[0]), left, right, numbers)
        return
    left_steps = strides_in(region.table, _batch_of(left[0]), batch)
    right_steps = strides_in(region.table, _batch_of(right[0]), batch)
    count = text_of(product(batch))
    place = builder.name("i")
    body: list = []  # type: ignore[type-arg]
    with builder.into(body):
        indices = _unravelled(region, place, batch)
        out = _start(region, target, f"{place} * {atom(rows * columns)}")
        a = _start(region, left[0], _dot(indices, left_steps))
        b = _start(region, right[0], _dot(indices, right_steps))
        _product(region, out, a, b, left, right, numbers)
    from autograph.kernels.program import For

    builder.emit(For(place, count, body))


def _batch_of(array: Array) -> Array:
    return Array(array.root, array.dtype, array.sizes[:-2], array.strides[:-2], array.offset)


def _unravelled(region: Region, place: str, batch: Sizes) -> list[str]:
    if len(batch) == 1:
        return [place]
    names: list[str] = []
    rest = place
    for size in reversed(batch[1:]):
        names.insert(0, region.builder.let("at", f"{rest} % {atom(size)}"))
        rest = region.builder.let("at", f"{rest} // {atom(size)}")
    return [rest, *names]


def _dot(indices: list[str], steps: Sizes) -> str:
    parts = [
        f"{index} * {atom(step)}"
        for index, step in zip(indices, steps, strict=True)
        if not (isinstance(step, int) and step == 0)
    ]
    return " + ".join(parts)


def _product(
    region: Region, out: str, a: str, b: str, left: Operand, right: Operand, numbers: list[str]
) -> None:
    dtype = left[0].dtype
    if dtype.kind == "f":
        region.builder.execute(
            f"multiply_matrices({out}, {a}, {b}, {', '.join(numbers)}, {left[1]}, {right[1]}, 0)"
        )
        return
    name = "multiply_bools" if dtype.kind == "b" else "multiply_integers"
    rows, columns, inner = numbers
    left_steps = f"1, {rows}" if left[1] else f"{inner}, 1"
    right_steps = f"1, {inner}" if right[1] else f"{columns}, 1"
    steps = f"{left_steps}, {right_steps}"
    region.builder.execute(f"{name}({out}, {a}, {b}, {', '.join(numbers)}, {steps})")


__all__ = ["cast", "emit_products"]

RULES["matmul"] = _matmul
