"""What runs along one axis: cumulative sums and products, places of extremes; sums of scalars."""

from __future__ import annotations

from autograph.runtime.core.dims import DimLike, product
from autograph.runtime.core.dtypes import DType, int64
from autograph.runtime.core.python_versions import FALLS_OVER_EQUALS
from autograph.runtime.core.record import Reduction
from autograph.runtime.core.spec import Spec, normalized_axis
from autograph.runtime.graph.ir import Node
from autograph.runtime.lower.builder import RaiseSite, cast
from autograph.runtime.lower.movement.views_and_copies import part
from autograph.runtime.lower.region import RULES, Region
from autograph.runtime.lower.sizes.polynomials import text_of
from autograph.runtime.lower.storage.copying import (
    address,
    contiguous,
    copy_into,
    element,
    in_memory,
)
from autograph.runtime.lower.storage.forms import Array, Scalar, Splat
from autograph.runtime.ops.indexing.entries import out_of_bounds


def _around(region: Region, array: Array, axis: int | None) -> list[DimLike]:
    """The elements before an axis, along it, and after it."""
    sizes = tuple(map(region.table.resolve, array.sizes))
    if axis is None:
        return [1, product(sizes), 1]
    along = normalized_axis(axis, len(sizes))
    return [product(sizes[:along]), sizes[along], product(sizes[along + 1 :])]


def _start(region: Region, array: Array) -> str:
    return region.builder.let("x", f"{array.dtype.name}_at({address(array)})")


def _cumulative(region: Region, node: Node) -> None:
    builder = region.builder
    source = contiguous(builder, region.tensor(node.inputs[0]))
    spec = node.outputs[0].spec
    assert isinstance(spec, Spec)
    axis = node.attributes.get("axis")
    initial = node.attributes.get("include_initial", False)
    if initial:
        target = builder.array(spec.dtype, source.sizes)
    else:
        target = region.new_array(node.outputs[0], spec.dtype, source.sizes)
    if source.dtype != spec.dtype:  # each element is converted first, as NumPy does
        copy_into(builder, target, source)
        source = target
    name = "cumulative_sum" if node.op.name == "cumulative_sum" else "cumulative_product"
    around = ", ".join(text_of(size) for size in _around(region, source, axis or 0))
    builder.execute(f"{name}({_start(region, target)}, {_start(region, source)}, {around})")
    if not initial:
        region.bind(node.outputs[0], target)
        return
    whole = region.new_array(node.outputs[0], spec.dtype, region.sizes(node.outputs[0]))
    along = normalized_axis(axis or 0, spec.ndim)
    number = spec.dtype.type(0 if name == "cumulative_sum" else 1)
    first = part(whole, along, 0, 1)
    copy_into(builder, first, Splat(builder.literal(number, spec.dtype), spec.dtype, first.sizes))
    copy_into(builder, part(whole, along, 1, source.sizes[along]), target)
    region.bind(node.outputs[0], whole)


def _place_of_extreme(region: Region, node: Node) -> None:
    builder = region.builder
    storage = region.tensor(node.inputs[0])
    if isinstance(storage, Scalar):
        region.bind(node.outputs[0], Scalar(builder.literal(0, int64), int64))
        return
    source = contiguous(builder, storage)
    sizes = region.sizes(node.outputs[0])
    target = (
        region.new_array(node.outputs[0], int64, sizes) if sizes else builder.array(int64, (1,))
    )
    name = "place_of_maximum" if node.op.name == "argmax" else "place_of_minimum"
    around = ", ".join(
        text_of(size) for size in _around(region, source, node.attributes.get("axis"))
    )
    call = f"{name}({_start(region, target)}, {_start(region, source)}, {around})"
    words = f"attempt to get {node.op.name} of an empty sequence"
    site = RaiseSite(lambda _: ValueError(words), node.location)
    builder.fail_if(f"{call} != 0", site, [])
    region.bind(node.outputs[0], target if sizes else element(builder, target))


def _scalar_reduction(region: Region, node: Node) -> None:
    """A reduction of one number: the number, in the dtype of the result."""
    operand = region.scalar(node.inputs[0])
    spec = node.outputs[0].spec
    assert isinstance(spec, Spec) and isinstance(node.op.lowering, Reduction)
    if node.op.lowering.kind in ("any", "all") and operand.dtype.kind != "b":
        text = f"{operand.text} != 0"
    else:
        text = cast(operand.text, operand.dtype, spec.dtype)
    if text != operand.text:
        text = region.builder.let("s", text)
    region.bind(node.outputs[0], Scalar(text, spec.dtype))


def _sorted_rows(region: Region, node: Node, dtype: DType) -> tuple[Array, Array, list[int]]:
    """The operand with the axis to sort along last, as rows; an array for the result; the order in
    which the axes then are."""
    builder = region.builder
    source = in_memory(builder, region.tensor(node.inputs[0]))
    axis = normalized_axis(node.attributes.get("axis", -1), len(source.sizes))
    order = [*(one for one in range(len(source.sizes)) if one != axis), axis]
    rows = contiguous(builder, _permuted(source, order))
    return rows, builder.array(dtype, rows.sizes), order


def _sort_rows(region: Region, node: Node, dtype: DType, function: str, *more: int) -> None:
    """Rows along the axis are sorted one by one; what is found, moved back, is a view."""
    rows, target, order = _sorted_rows(region, node, dtype)
    scratch = region.builder.array(dtype, rows.sizes[-1:])
    pointers = [_start(region, one) for one in (target, scratch, rows)]
    sizes = [text_of(product(rows.sizes[:-1])), text_of(rows.sizes[-1])]
    region.builder.execute(f"{function}({', '.join([*pointers, *sizes, *map(str, more)])})")
    back = [order.index(one) for one in range(len(order))]
    region.bind(node.outputs[0], _permuted(target, back))


def _argsort(region: Region, node: Node) -> None:
    if node.attributes.get("kind", "stable") == "quicksort":
        _sort_rows(region, node, int64, "argsort_rows_quickly")
    else:
        falling = int(node.attributes.get("descending", False))
        _sort_rows(region, node, int64, "argsort_rows", falling)


def _sorted_along(region: Region, node: Node) -> None:
    spec = node.outputs[0].spec
    assert isinstance(spec, Spec)
    _sort_rows(region, node, spec.dtype, "sort_rows")


def _order_statistics(region: Region, node: Node) -> None:
    """Of each row along the first axis, the elements at these places of its order."""
    builder = region.builder
    source = in_memory(builder, region.tensor(node.inputs[0]))
    last = [*range(1, len(source.sizes)), 0]
    rows = contiguous(builder, _permuted(source, last))
    places = contiguous(builder, region.tensor(node.inputs[1]))
    (count,) = places.sizes
    target = region.new_array(node.outputs[0], rows.dtype, (count, *rows.sizes[:-1]))
    scratch = builder.array(rows.dtype, rows.sizes[-1:])
    starts = [_start(region, one) for one in (target, scratch, rows, places)]
    size = text_of(rows.sizes[-1])
    sizes = f"{text_of(product(rows.sizes[:-1]))}, {size}, {text_of(count)}"
    wrong = builder.let("n", f"select_rows({', '.join(starts)}, {sizes})")
    site = RaiseSite(lambda words: IndexError(out_of_bounds(words[0], 0, words[1])), node.location)
    words = [(f"{starts[3]}[{wrong} - 1]", int64), (size, int64)]
    builder.fail_if(f"{wrong} != 0", site, words)
    region.bind(node.outputs[0], target)


def _python_order(region: Region, node: Node) -> None:
    """The places of numbers as Python's sort puts them."""
    builder = region.builder
    source = contiguous(builder, region.tensor(node.inputs[0]))
    target = builder.array(int64, source.sizes)
    scratch = builder.array(int64, source.sizes)
    pointers = ", ".join(_start(region, one) for one in (target, scratch, source))
    backwards = int(node.attributes.get("reverse", False))
    how = f"{text_of(source.sizes[0])}, {backwards}, {int(FALLS_OVER_EQUALS)}"
    builder.execute(f"order_items({pointers}, {how})")
    region.bind(node.outputs[0], target)


def _set_order(region: Region, node: Node) -> None:
    """The places of numbers as a set of them has these."""
    builder = region.builder
    source = contiguous(builder, region.tensor(node.inputs[0]))
    (size,) = source.sizes
    target, hashes = builder.array(int64, (size,)), builder.array(int64, (size,))
    tables = builder.array(int64, (16 * size + 16,))
    kind = "floats" if source.dtype.kind == "f" else "integers"
    starts = [_start(region, one) for one in (target, tables, hashes, source)]
    builder.execute(f"hash_{kind}({starts[2]}, {starts[3]}, {text_of(size)})")
    builder.execute(f"order_members({', '.join(starts[:3])}, {text_of(size)})")
    region.bind(node.outputs[0], target)


def _permuted(array: Array, order: list[int]) -> Array:
    sizes = tuple(array.sizes[one] for one in order)
    strides = tuple(array.strides[one] for one in order)
    return Array(array.root, array.dtype, sizes, strides, array.offset)


RULES.update(
    argsort=_argsort,
    sorted_along=_sorted_along,
    order_statistics=_order_statistics,
    python_order=_python_order,
    set_order=_set_order,
    cumulative_sum=_cumulative,
    cumulative_prod=_cumulative,
    argmax=_place_of_extreme,
    argmin=_place_of_extreme,
)
RULES.update(dict.fromkeys(("sum", "prod", "max", "min", "any", "all"), _scalar_reduction))
