"""Factorisations and solutions by LAPACK, over batches of matrices.

LAPACK has matrices column by column. Where the result of a transposed matrix serves as well (lu for
solving, inverses, cholesky with the other triangle) rows are given as they lie; elsewhere a copy is
transposed on its way, and results are bound as transposed views, which cost nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from autograph.runtime.core.dims import DimLike, product
from autograph.runtime.core.dtypes import DType, int32
from autograph.runtime.core.spec import Spec
from autograph.runtime.graph.ir import Node
from autograph.runtime.lower.builder import RaiseSite
from autograph.runtime.lower.movement.views_and_copies import part
from autograph.runtime.lower.region import RULES, Region
from autograph.runtime.lower.sizes.analysis import RULES as SIZES
from autograph.runtime.lower.sizes.analysis import Analysis, Known, NotNativeError
from autograph.runtime.lower.sizes.polynomials import SizeTable, text_of
from autograph.runtime.lower.storage.copying import address, copy_into, element, in_memory
from autograph.runtime.lower.storage.forms import Array, Sizes

BLOCK = 64
"""Columns that LAPACK works on at a time, where there is room for them."""


# sizes --------------------------------------------------------------------------------------------
def _square(self: Analysis, node: Node) -> list[Known]:
    sizes = self.of(node.inputs[0])
    self.require(node, sizes[-1], sizes[-2])
    batch, size = sizes[:-2], sizes[-1]
    by_rank = {len(sizes): sizes, len(sizes) - 1: (*batch, size), len(sizes) - 2: batch}
    return [by_rank[self.rank_of(node, k)] for k in range(len(node.outputs))]


def _solved(self: Analysis, node: Node) -> list[Known]:
    a, b = self.of(node.inputs[0]), self.of(node.inputs[1])
    self.require(node, a[-1], a[-2])
    self.require(node, a[-1], b[-2])
    batch, checks = self.table.broadcast([a[:-2], b[:-2]])
    if checks:
        self.checks.setdefault(node, []).extend(checks)
    return [(*batch, *b[-2:])]


def least_of(analysis: Analysis, sizes: Sizes) -> DimLike:
    """The smaller of the sizes of a matrix."""
    return _chosen(analysis.table, min, sizes[-2], sizes[-1])


def _chosen(table: SizeTable, rule: Callable[..., int], one: DimLike, other: DimLike) -> DimLike:
    """The smaller or the larger of two sizes."""
    one, other = table.resolve(one), table.resolve(other)
    if one == other:
        return one
    if not table.is_early(one) or not table.is_early(other):
        raise NotNativeError("a factorisation of a matrix whose sizes are found on the way")
    return table.derived(rule, one, other)


def _svd(self: Analysis, node: Node) -> list[Known]:
    sizes = self.of(node.inputs[0])
    batch, (rows, columns), least = sizes[:-2], sizes[-2:], least_of(self, sizes)
    full = node.attributes.get("full_matrices", True)
    left, right = (rows, columns) if full else (least, least)
    return [(*batch, rows, left), (*batch, least), (*batch, right, columns)]


def _qr(self: Analysis, node: Node) -> list[Known]:
    sizes = self.of(node.inputs[0])
    batch, (rows, columns), least = sizes[:-2], sizes[-2:], least_of(self, sizes)
    inner = rows if node.attributes.get("mode", "reduced") == "complete" else least
    return [(*batch, rows, inner), (*batch, inner, columns)]


SIZES.update(dict.fromkeys(("cholesky", "inv", "eigh", "lu_diagonal"), _square))
SIZES.update(solve=_solved, solve_triangular=_solved, svd=_svd, qr=_qr)


# memory -------------------------------------------------------------------------------------------
def _start(region: Region, array: Array) -> str:
    return region.builder.let("m", f"{array.dtype.name}_at({address(array)})")


def _starts(region: Region, arrays: Sequence[Array]) -> str:
    return ", ".join(_start(region, one) for one in arrays)


def _turned(array: Array) -> Array:
    """The last two axes exchanged: a view."""
    sizes = (*array.sizes[:-2], array.sizes[-1], array.sizes[-2])
    strides = (*array.strides[:-2], array.strides[-1], array.strides[-2])
    return Array(array.root, array.dtype, sizes, strides, array.offset)


def _by_columns(region: Region, node: Node, dtype: DType) -> Array:
    """A copy of a matrix, column by column."""
    source = _turned(in_memory(region.builder, region.tensor(node.inputs[0])))
    target = region.builder.array(dtype, source.sizes)
    copy_into(region.builder, target, source)
    return target


def _dtype(node: Node, output: int = 0) -> DType:
    spec = node.outputs[output].spec
    assert isinstance(spec, Spec)
    return spec.dtype


def _count(sizes: Sizes) -> str:
    return text_of(product(sizes))


def _fails(region: Region, node: Node, call: str, message: str) -> None:
    site = RaiseSite(lambda _: np.linalg.LinAlgError(message), node.location)
    region.builder.fail_if(f"{call} != 0", site, [])


def _copied(region: Region, node: Node) -> Array:
    """The memory of the result, with the operand in it."""
    sizes = region.sizes(node.outputs[0])
    target = region.new_array(node.outputs[0], _dtype(node), sizes)
    copy_into(region.builder, target, in_memory(region.builder, region.tensor(node.inputs[0])))
    return target


# the rules ----------------------------------------------------------------------------------------
def _cholesky(region: Region, node: Node) -> None:
    target = _copied(region, node)
    count, size = _count(target.sizes[:-2]), text_of(target.sizes[-1])
    upper = int(node.attributes.get("upper", False))
    call = f"factor_cholesky({_start(region, target)}, {count}, {size}, {upper})"
    _fails(region, node, call, "Matrix is not positive definite")
    region.bind(node.outputs[0], target)


def _inv(region: Region, node: Node) -> None:
    builder = region.builder
    target = _copied(region, node)
    size = target.sizes[-1]
    room = size * BLOCK + 1
    pivots, work = builder.array(int32, (size,)), builder.array(target.dtype, (room,))
    numbers = f"{_count(target.sizes[:-2])}, {text_of(size)}, {text_of(room)}"
    call = f"invert_matrices({_starts(region, (target, pivots, work))}, {numbers})"
    _fails(region, node, call, "Singular matrix")
    region.bind(node.outputs[0], target)


def _solve(region: Region, node: Node) -> None:
    builder, dtype = region.builder, _dtype(node)
    a, b = (in_memory(builder, region.tensor(one)) for one in node.inputs)
    sizes = region.sizes(node.outputs[0])
    batch, size, columns = sizes[:-2], sizes[-2], sizes[-1]
    own = batch if len(a.sizes) > 2 else ()
    factors = builder.array(dtype, (*own, size, size))
    pivots = builder.array(int32, (*own, size))
    copy_into(builder, factors, a)
    count = text_of(size)
    call = f"factor_lu({_starts(region, (factors, pivots))}, {_count(own)}, {count})"
    _fails(region, node, call, "Singular matrix")
    target = builder.array(dtype, (*batch, columns, size))
    copy_into(builder, target, _turned(b))
    numbers = f"{_count(batch)}, {count}, {text_of(columns)}, {int(bool(own))}"
    builder.execute(f"solve_lu({_starts(region, (target, factors, pivots))}, {numbers})")
    region.bind(node.outputs[0], _turned(target))


def _solve_triangular(region: Region, node: Node) -> None:
    builder, dtype = region.builder, _dtype(node)
    a, b = (in_memory(builder, region.tensor(one)) for one in node.inputs)
    sizes = region.sizes(node.outputs[0])
    batch, size, columns = sizes[:-2], sizes[-2], sizes[-1]
    own = batch if len(a.sizes) > 2 else ()
    triangles = builder.array(dtype, (*own, size, size))
    copy_into(builder, triangles, a)
    target = builder.array(dtype, (*batch, columns, size))
    copy_into(builder, target, _turned(b))
    attributes = node.attributes
    numbers = [_count(batch), text_of(size), text_of(columns), str(int(bool(own)))]
    numbers += [str(int(attributes.get(name, False))) for name in ("lower", "unit_diagonal")]
    call = f"solve_triangles({_starts(region, (target, triangles))}, {', '.join(numbers)})"
    _fails(region, node, call, "Singular matrix")
    region.bind(node.outputs[0], _turned(target))


def _lu_diagonal(region: Region, node: Node) -> None:
    builder, dtype = region.builder, _dtype(node)
    factors = _by_columns(region, node, dtype)
    sizes = region.sizes(node.outputs[0])
    batch, size = sizes[:-1], sizes[-1]
    pivots = builder.array(int32, (size,))
    target = region.new_array(node.outputs[0], dtype, sizes)
    signs = builder.array(dtype, batch or (1,))
    starts = _starts(region, (target, signs, factors, pivots))
    builder.execute(f"take_lu_diagonals({starts}, {_count(batch)}, {text_of(size)})")
    region.bind(node.outputs[0], target)
    region.bind(node.outputs[1], signs if batch else element(builder, signs))


def _eigh(region: Region, node: Node) -> None:
    builder, dtype = region.builder, _dtype(node)
    vectors = _by_columns(region, node, dtype)
    values = region.new_array(node.outputs[0], dtype, region.sizes(node.outputs[0]))
    size = vectors.sizes[-1]
    room, more = 2 * size * size + (BLOCK + 6) * size + 1, 5 * size + 3
    work, whole = builder.array(dtype, (room,)), builder.array(int32, (more,))
    starts = _starts(region, (vectors, values, work, whole))
    numbers = ", ".join([_count(values.sizes[:-1]), *map(text_of, (size, room, more))])
    call = f"find_eigenvectors({starts}, {numbers})"
    _fails(region, node, call, "Eigenvalues did not converge")
    region.bind(node.outputs[0], values)
    region.bind(node.outputs[1], _turned(vectors))


def _emit_svd(region: Region, node: Node) -> None:
    builder, dtype = region.builder, _dtype(node)
    full = int(node.attributes.get("full_matrices", True))
    x = _by_columns(region, node, dtype)
    left, middle, right = (region.sizes(one) for one in node.outputs)
    batch, rows, columns, least = left[:-2], left[-2], right[-1], middle[-1]
    u = builder.array(dtype, (*batch, left[-1], rows))
    s = region.new_array(node.outputs[1], dtype, middle)
    v = builder.array(dtype, (*batch, columns, right[-2]))
    room = 7 * least * least + BLOCK * (rows + columns + least) + 1
    work, whole = builder.array(dtype, (room,)), builder.array(int32, (8 * least + 1,))
    numbers = [_count(batch), *map(text_of, (rows, columns, least)), str(full), text_of(room)]
    starts = _starts(region, (u, s, v, x, work, whole))
    call = f"find_singular_vectors({starts}, {', '.join(numbers)})"
    _fails(region, node, call, "SVD did not converge")
    for output, one in zip(node.outputs, (_turned(u), s, _turned(v)), strict=True):
        region.bind(output, one)


def _emit_qr(region: Region, node: Node) -> None:
    builder, dtype = region.builder, _dtype(node)
    source = _turned(in_memory(builder, region.tensor(node.inputs[0])))
    sizes = region.sizes(node.outputs[1])
    batch, inner, columns, rows = sizes[:-2], sizes[-2], sizes[-1], source.sizes[-1]
    least = _chosen(region.table, min, rows, columns)
    wide = _chosen(region.table, max, inner, columns)
    q = builder.array(dtype, (*batch, wide, rows))
    copy_into(builder, part(q, len(batch), 0, columns), source)
    r = builder.array(dtype, (*batch, columns, inner))
    room = BLOCK * (columns + inner) + 1
    scales, work = builder.array(dtype, (least,)), builder.array(dtype, (room,))
    numbers = [_count(batch), *map(text_of, (rows, columns, least, inner, wide, room))]
    starts = _starts(region, (q, r, scales, work))
    builder.execute(f"factor_qr({starts}, {', '.join(numbers)})")
    region.bind(node.outputs[0], _turned(part(q, len(batch), 0, inner)))
    region.bind(node.outputs[1], _turned(r))


RULES.update(
    cholesky=_cholesky,
    inv=_inv,
    solve=_solve,
    solve_triangular=_solve_triangular,
    lu_diagonal=_lu_diagonal,
    eigh=_eigh,
    svd=_emit_svd,
    qr=_emit_qr,
)
