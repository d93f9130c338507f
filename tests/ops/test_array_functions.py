"""NumPy's functions, operators and methods on arrays: a staged function gives what NumPy gives."""

from __future__ import annotations

import linecache
from typing import Any

import numpy as np
import pytest

import autograph as ag
from autograph.checking.comparison import difference
from autograph.checking.picture import freeze
from autograph.runtime.arrays.table import IMPLEMENTATIONS

ULPS = 1 << 14
"""LAPACK is asked in other layouts, and norms and products are added up in another order."""

EXPRESSIONS = """
a + 1; 1 - a; a * b; a / b; a // 2; a % 2; a ** 2; 2 ** b; a @ b; b @ b; -a; +a; abs(a); a > 1
a == b; i + 1; i / 2; i // 2; i % 3; i ** 2; i << 1; i >> 1; i & 3; i | 4; i ^ 1; ~i; i * 1.5
i * f; f + 1.5; f * 2; m & (a > 1); m | (a > 1); ~m; m ^ m; m + m; m * 2.5; divmod(i, 2)
divmod(a, 0.7); f + a; i + f; u + 1; u * u; np.add(a, 1); np.subtract(a, b); np.multiply(a, f)
np.divide(i, 3); np.power(a, 2); np.mod(a, 0.7); np.exp(a); np.exp(i); np.log(a + 1); np.log1p(a)
np.log2(a + 1); np.log10(a + 1); np.expm1(a); np.sqrt(a); np.sin(a); np.cos(i); np.tan(a)
np.arcsin(a / 9); np.arccos(a / 9); np.arctan(a); np.sinh(a); np.cosh(a); np.tanh(f)
np.arcsinh(a); np.arccosh(a + 1); np.arctanh(a / 9); np.arctan2(a, b); np.hypot(a, b); np.cbrt(a)
np.floor(a); np.ceil(a); np.trunc(a); np.rint(a); np.fix(a); np.sign(a - 1); np.abs(a - 1)
np.fabs(a - 1); np.square(a); np.reciprocal(a + 1); np.maximum(a, b); np.minimum(a, 1)
np.fmax(a, b); np.fmin(a, b); np.isnan(a); np.isinf(a); np.isfinite(a); np.signbit(a - 1)
np.copysign(a, -b); np.logaddexp(a, b); np.exp2(a); np.logical_and(m, a > 1)
np.logical_or(m, a > 1); np.logical_not(a); np.logical_xor(m, a > 1); np.greater(a, b)
np.less_equal(a, 1); np.not_equal(a, b); np.deg2rad(a); np.degrees(a); np.heaviside(a - 1, 0.5)
np.fmod(a, 0.7); np.float_power(i, 2); np.left_shift(i, 1); np.bitwise_and(i, 3); np.invert(i)
np.modf(a); np.sum(a); np.sum(i); np.sum(m); np.sum(a, axis=0); np.sum(a, 1, keepdims=True)
np.sum(f); np.sum(a, where=m); np.sum(a, dtype=np.float32); np.sum(a, initial=2.0); np.prod(a + 1)
np.prod(i, axis=1); a.sum(axis=(0, 1)); np.mean(a); np.mean(i); np.mean(f); np.mean(a, axis=1)
a.mean(axis=0, keepdims=True); np.var(a); a.var(ddof=1); np.std(a, axis=0); a.std(ddof=1)
np.max(a); np.amax(a, axis=0); np.min(i); a.min(axis=1); np.ptp(a, axis=0); np.argmax(a)
a.argmin(axis=1); np.any(m); np.all(m, axis=0); m.any(axis=1); m.all(); np.median(a)
np.median(a, axis=0); np.percentile(a, 30); np.percentile(a, [25, 75])
np.quantile(a, 0.3, axis=1); np.cumsum(a); np.cumsum(i, axis=0); a.cumprod(axis=1)
np.count_nonzero(m); np.count_nonzero(a > 1, axis=0); np.average(a, axis=0)
np.average(b, weights=b); np.nansum(a); np.nanmax(a, axis=0); np.nanmean(a); np.nanstd(a)
np.add.reduce(a); np.maximum.reduce(a, axis=1); np.add.accumulate(b); np.multiply.outer(b, b)
np.add.outer(b, b); np.reshape(a, (4, 3)); a.reshape(2, -1); a.reshape((12,)); np.ravel(a)
a.flatten(); a.T; np.transpose(a); b.T; a.swapaxes(0, 1); np.moveaxis(a, 0, 1); np.rollaxis(a, 1)
np.expand_dims(b, 0); b[:, None]; b[None]; a[..., None]; np.squeeze(b[None]); np.flip(a)
np.flip(a, 0); np.fliplr(a); np.flipud(a); np.rot90(a); np.rot90(a, 2); np.atleast_1d(b[0])
np.atleast_2d(b); np.atleast_3d(a); np.split(b, 2); np.array_split(b, 3); np.hsplit(a, 2)
np.broadcast_to(b, (3, 4)); np.diagonal(s); np.concatenate([a, a])
np.concatenate((a, b[None]), axis=0); np.concatenate([a, a], axis=None); np.stack([b, b])
np.stack([b, b], axis=1); np.vstack([a, b]); np.hstack([b, b]); np.dstack([a, a])
np.column_stack([b, b]); np.tile(b, 2); np.tile(a, (2, 1)); np.repeat(b, 2); a.repeat(2, axis=0)
np.roll(b, 1); np.roll(a, 1, axis=0); np.pad(b, 1); np.pad(a, ((1, 0), (0, 2))); np.append(b, 5.0)
np.append(a, b[None], axis=0); np.delete(b, 1); np.delete(a, 0, axis=0); np.insert(b, 1, 9.0)
np.zeros(3); np.zeros((2, 2), int); np.ones(2); np.full(3, 2.5); np.full((2,), b[0])
np.ones(np.empty_like(b).shape); np.zeros_like(a); np.ones_like(i); np.full_like(a, 3); np.eye(3)
np.identity(2); np.arange(4); np.arange(0, 1, 0.25); np.linspace(0, 1, 5)
np.linspace(b[0], b[1], 4); np.linspace(0, b[1], 4, retstep=True); np.logspace(0, 2, 3)
np.array([b[0], 1.0]); np.array([[1, 2], [3, 4]]); np.array(a); np.asarray(a); np.array([b, b])
np.array([i[0, 0], 2]); np.array(3.5); np.array([1, 2.5]); np.array(a, dtype=np.float32)
np.copy(a); np.tri(3); np.tril(s); np.triu(s, 1); np.diag(b); np.diag(s); np.diag(b, 1)
np.meshgrid(b, b); np.where(m, a, 0); np.where(a > 1); np.where(m, a, b); np.nonzero(a > 1)
np.argwhere(a > 1); np.flatnonzero(m); np.take(b, [0, 2]); np.take(a, [0], axis=1); b.take([1])
np.sort(b[::-1]); np.sort(a, axis=0); np.argsort(-b); a.argsort(axis=1); np.searchsorted(b, 0.7)
np.digitize(b, b); np.clip(a, 0.5, 1.5); a.clip(1); np.clip(a, None, 1.0); np.round(a, 1)
a.round(); np.select([m, ~m], [a, -a]); np.compress([True, False, True, False], b); np.unique(i)
np.isclose(a, a); np.allclose(a, a); np.array_equal(a, a); np.dot(a, b); np.dot(s, s)
np.dot(b, 2.0); np.vdot(b, b); np.inner(a, a); np.outer(b, b); np.matmul(a, a.T)
np.tensordot(a, a, axes=([1], [1])); np.einsum("ij,kj->ik", a, a); np.kron(b, b); np.trace(s)
np.cross(a[:, :3], a[:, :3]); np.linalg.norm(a); np.linalg.norm(b, 1); np.linalg.norm(a, axis=1)
np.linalg.norm(b, np.inf); np.linalg.inv(s); np.linalg.solve(s, b); np.linalg.det(s)
np.linalg.slogdet(s); np.linalg.cholesky(s); np.linalg.eigvalsh(s); np.linalg.matrix_power(s, 2)
np.linalg.pinv(s); np.linalg.matrix_rank(s); np.linalg.svd(s, compute_uv=False); np.diff(b)
np.diff(a, axis=0); np.trapezoid(b); np.trapezoid(b, dx=0.5); np.polyval(b, 2.0)
np.interp(0.7, b, b * 2); np.convolve(b, [0.5, 0.5]); np.bincount(i[0]); np.cov(a); np.corrcoef(a)
np.gradient(b); np.ediff1d(b); np.histogram(b, bins=3); np.isin(i, [1, 2]); np.nan_to_num(a)
np.real(a); np.fft.fft(b); np.fft.ifft(b); np.fft.rfft(b); np.r_[b, 1.0]; np.c_[b, b]
np.float32(b[0]); np.int64(b[1]); np.shape(a); np.ndim(a); a.shape; a.size; a.ndim; a.dtype; a[0]
a[0, 1]; a[-1]; a[1:, ::2]; a[::-1]; a[m]; a[[0, 2]]; a[[0, 1], [1, 2]]; a[:, [0, 2]]; a[i[0, 0]]
a[a > 1]; a.astype(int); a.astype("float32"); a.astype(bool); i.astype(float); a.copy()
a.tolist(); b[0].item(); a.item(1, 2); float(b[0]); int(b[1]); bool(b[1]); round(b[1], 2); len(a)
sum(b); max(b); min(b); sorted(b); list(b); abs(b[0]); str(b[1]); b.dot(b); a.dot(b)
np.ix_([0, 1], [0, 2]); np.add(a, 1, out=np.zeros((3, 4))); np.exp(b, dtype=np.float32); b.nbytes
np.indices((2, 2)); np.mgrid[0:2, 0:3]; a.ravel()[3]; np.nanprod(a); np.nanargmax(b)
np.partition(b, 1); b.conj(); b.real
"""
CASES = [one.strip() for line in EXPRESSIONS.strip().splitlines() for one in line.split(";")]


def arguments() -> tuple[Any, ...]:
    """Floats, a row, integers, a mask, single precision, a positive definite matrix, bytes."""
    a = np.linspace(0.1, 2.3, 12).reshape(3, 4)
    i = np.arange(12).reshape(3, 4) % 5
    s = np.diag([3.0, 4.0, 5.0, 6.0]) + 0.5
    return a, np.linspace(0.2, 1.1, 4), i, a > 1.2, a.astype(np.float32), s, i.astype(np.uint8)


def function_of(expression: str) -> Any:
    """A function of the arguments, from a file that the converter can read."""
    text = f"def function(a, b, i, m, f, s, u):\n    return {expression}\n"
    name = f"<array function {expression}>"
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    names: dict[str, Any] = {"np": np}
    exec(compile(text, name, "exec"), names)
    return names["function"]


@pytest.mark.parametrize("expression", CASES)
@pytest.mark.filterwarnings("ignore")
def test_a_function_of_arrays(expression: str) -> None:
    function = function_of(expression)
    wanted = freeze(function(*arguments()))
    for mode in ("evaluate", "text"):
        found = freeze(ag.function(function, mode=mode)(*arguments()))
        assert difference(wanted, found, ULPS) is None


@pytest.mark.compiled
def test_functions_of_arrays_natively() -> None:
    for expression in CASES[::9]:
        function = function_of(expression)
        found = freeze(ag.function(function)(*arguments()))
        told = difference(freeze(function(*arguments())), found, ULPS)
        assert told is None, f"{expression}: {told}"


def test_the_table_is_long() -> None:
    assert len(IMPLEMENTATIONS) > 250


def test_norms_by_singular_values() -> None:
    @ag.function
    def norms(a: Any) -> Any:
        turns = 0
        while np.linalg.norm(a, 2) > 1:
            a = a / 2
            turns += 1
        found = [np.linalg.norm(a * 2, kind) for kind in (2, -2, "nuc")]
        return turns, *found, np.linalg.norm(a, 2, (0, 1), keepdims=True)[0, 0]

    a = np.array([[1.0, 2.0], [3.0, 5.0], [0.5, 0.25]])
    np.testing.assert_allclose(norms(a), norms.python_function(a), rtol=1e-12)
