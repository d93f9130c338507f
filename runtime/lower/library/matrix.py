"""Matrix products: BLAS for floats, on the operands where they lie; transposes cost nothing."""

from __future__ import annotations

from autograph.kernels.program import For, Statement
from autograph.runtime.core.dims import DimLike, product
from autograph.runtime.core.spec import Spec
from autograph.runtime.graph.ir import Node, Value
from autograph.runtime.lower.library.loop_products import rows_ahead, settled_copy, take_part
from autograph.runtime.lower.loops.nest import strides_in
from autograph.runtime.lower.region import RULES, Region
from autograph.runtime.lower.sizes.polynomials import atom, text_of
from autograph.runtime.lower.storage.copying import copy_into, element, fresh_copy, in_memory
from autograph.runtime.lower.storage.forms import Array, Root, Sizes, Tensorial

CALL = 1600
"""The work of calling BLAS, as `work` counts it."""
Operand = tuple[Array, int]
"""A matrix, and 1 where it lies column by column."""


def _matrix(region: Region, node: Node, place: int, value: Value) -> Array:
    """An operand with at least two axes, in memory, in the dtype of the result."""
    builder = region.builder
    spec = node.outputs[0].spec
    assert isinstance(spec, Spec)
    storage: Tensorial = region.tensor(value)
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


def _order(region: Region, array: Array) -> int | None:
    """0 where the matrices lie row by row, 1 column by column; None where neither."""
    rows, columns = (region.table.resolve(size) for size in array.sizes[-2:])
    row, column = (region.table.resolve(stride) for stride in array.strides[-2:])
    if (column == 1 or _is_one(columns)) and (row == columns or _is_one(rows)):
        return 0
    if (row == 1 or _is_one(rows)) and (column == rows or _is_one(columns)):
        return 1
    return None


def _layout(region: Region, array: Array) -> Operand:
    """The array with its matrices row by row or column by column, copied where they are not."""
    order = _order(region, array)
    return (fresh_copy(region.builder, array), 0) if order is None else (array, order)


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
    x, y = node.inputs[-2:]
    if _by_blocks(region, node):
        return
    left = _layout(region, _matrix(region, node, 0, x))
    right = _shared_layout(region, node, _layout(region, _matrix(region, node, 1, y)))
    sizes = region.sizes(node.outputs[0])
    rows, inner = (region.table.resolve(size) for size in left[0].sizes[-2:])
    columns = region.table.resolve(right[0].sizes[-1])
    first = len(x.spec.shape) > 1  # type: ignore[union-attr]
    last = len(y.spec.shape) > 1  # type: ignore[union-attr]
    batch = sizes[: len(sizes) - first - last]
    adds = len(node.inputs) == 3
    if adds:
        target = _accumulator(region, node, (left[0].root, right[0].root))
    elif sizes:
        target = region.new_array(node.outputs[0], spec.dtype, sizes)
    else:
        target = builder.array(spec.dtype, (1,))
    emit_products(region, target, batch, left, right, (rows, columns, inner), int(adds))
    region.bind(node.outputs[0], target if sizes else element(builder, target))


def _shared_layout(region: Region, node: Node, right: Operand) -> Operand:
    """The right operand, row by row where all turns of a loop share it: BLAS prefers that."""
    x, y = node.inputs[-2:]
    array, turned = right
    if not turned or region.loop is None or y not in region.fixed:
        return right
    if len(x.spec.shape) < 2 or len(array.sizes) != 2 or array.dtype.kind != "f":  # type: ignore[union-attr]
        return right
    return settled_copy(region, array), 0


def _by_blocks(region: Region, node: Node) -> bool:
    """Emit a product as one of the rows of several turns, if it is one; see `turns`."""
    spec, (x, y) = node.outputs[0].spec, node.inputs[-2:]
    assert isinstance(spec, Spec)
    if len(node.inputs) != 2 or spec.dtype.kind != "f" or region.loop is None:
        return False
    turned = y in region.parts
    rows, value = (region.parts.get(y), x) if turned else (region.parts.get(x), y)
    if rows is None or value not in region.fixed or (turned and not rows.is_single):
        return False
    matrix = region.env[value]
    if not (isinstance(matrix, Array) and len(matrix.sizes) == 2):
        return False
    if not rows.whole.dtype == matrix.dtype == spec.dtype:
        return False
    order = _order(region, matrix)
    right, order = (settled_copy(region, matrix), 0) if order is None else (matrix, order)
    inner, columns = map(region.table.resolve, right.sizes[:: -1 if turned else 1])
    block = rows_ahead(region, region.loop, rows, columns)
    miss, count, taken = block.refilled(region, rows)
    with region.builder.into(miss):
        out, a, b = (_start(region, one) for one in (block.array, taken, right))
        numbers = f"{count}, {text_of(columns)}, {text_of(inner)}, 0, {order ^ turned}, 0"
        region.builder.execute(f"multiply_matrices({out}, {a}, {b}, {numbers})")
    region.bind(node.outputs[0], take_part(region, block, rows, miss))
    return True


def _accumulator(region: Region, node: Node, others: tuple[Root, ...]) -> Array:
    """The memory of the sum: that of the first operand, if it dies and is no other operand's."""
    value = node.inputs[0]
    storage = region.tensor(value)
    if (
        isinstance(storage, Array)
        and storage.is_contiguous
        and storage.root not in others
        and region.can_overwrite(value)
    ):
        return storage
    spec = node.outputs[0].spec
    assert isinstance(spec, Spec)
    target = region.new_array(node.outputs[0], spec.dtype, region.sizes(node.outputs[0]))
    copy_into(region.builder, target, storage)
    return target


def emit_products(
    region: Region,
    target: Array,
    batch: Sizes,
    left: Operand,
    right: Operand,
    shape: tuple[DimLike, DimLike, DimLike],
    adds: int,
) -> None:
    """target[batch, rows, columns] = left right, or that added, for every place in the batch.

    `shape`: rows, columns, and the size that is summed over.
    """
    builder = region.builder
    rows, columns, _ = shape
    numbers = [*map(text_of, shape), str(adds)]
    if not batch:
        out = _start(region, target)
        _product(
            region, out, _start(region, left[0]), _start(region, right[0]), left, right, numbers
        )
        return
    left_steps = strides_in(region.table, _batch_of(left[0]), batch)
    right_steps = strides_in(region.table, _batch_of(right[0]), batch)
    count = text_of(product(batch))
    place = builder.name("i")
    body: list[Statement] = []
    with builder.into(body):
        indices = _unravelled(region, place, batch)
        out = _start(region, target, f"{place} * {atom(rows * columns)}")
        a = _start(region, left[0], _dot(indices, left_steps))
        b = _start(region, right[0], _dot(indices, right_steps))
        _product(region, out, a, b, left, right, numbers)
    work = f"{text_of(rows * columns * shape[2])} * 2 // 5 + {CALL}"
    builder.emit(For(place, count, body, work=work))


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
        sizes, adds = ", ".join(numbers[:3]), numbers[3]
        turned = f"{left[1]}, {right[1]}"
        region.builder.execute(f"multiply_matrices({out}, {a}, {b}, {sizes}, {turned}, {adds})")
        return
    name = "multiply_bools" if dtype.kind == "b" else "multiply_integers"
    rows, columns, inner, _ = numbers
    left_steps = f"1, {rows}" if left[1] else f"{inner}, 1"
    right_steps = f"1, {inner}" if right[1] else f"{columns}, 1"
    steps = f"{left_steps}, {right_steps}"
    region.builder.execute(f"{name}({out}, {a}, {b}, {', '.join(numbers[:3])}, {steps})")


RULES.update(matmul=_matmul, matmul_add=_matmul)
