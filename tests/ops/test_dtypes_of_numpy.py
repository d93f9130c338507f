"""NumPy's functions of arrays of each dtype, and of scalars: what comes back is of NumPy's kind.

The class, the dtype and the shape, besides the values: small integers, masks and single precision
are where NumPy's rules are least expected.
"""

from __future__ import annotations

import linecache
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import autograph as ag
from autograph.errors import UnconvertedCallError

EXPRESSIONS = """
np.abs(X); np.square(X); np.sqrt(X); np.exp(X); np.log(X); np.sin(X); np.tanh(X); np.arctan(X)
np.floor(X); np.ceil(X); np.trunc(X); np.rint(X); np.fix(X); np.sign(X); np.round(X)
np.round(X, 1); np.around(X, -1); X.round(); np.negative(X); np.positive(X); np.reciprocal(X)
np.cbrt(X); np.exp2(X); np.log1p(X); np.expm1(X); np.log2(X); np.log10(X); np.isnan(X)
np.isinf(X); np.isfinite(X); np.signbit(X); np.logical_not(X); np.invert(X); np.deg2rad(X)
np.rad2deg(X); np.degrees(X); np.sinc(X); np.angle(X); np.real(X); np.imag(X); np.conj(X)
np.iscomplex(X); np.isreal(X); np.i0(X); np.nan_to_num(X); np.modf(X); np.fabs(X); X+1; 1-X; X*2.5
X/2; X//2; X%2; X**2; X**0.5; 2**X; 2.0**X; -X; +X; abs(X); ~X; X<1; X==1; X!=2; X&1; X|1; X^1
X<<1; X>>1; X+X; X*X; X/X; X//X; X%X; X**X; divmod(X, 2); X+True; X*np.float32(2); X+np.int8(1)
X*1j; np.add(X, 1); np.subtract(X, X); np.multiply(X, 2); np.divide(X, 2); np.true_divide(X, X)
np.floor_divide(X, 2); np.power(X, 2); np.mod(X, 2); np.remainder(X, 2); np.fmod(X, 2)
np.maximum(X, 1); np.minimum(X, 1); np.fmax(X, 1); np.fmin(X, X); np.arctan2(X, 1); np.hypot(X, 1)
np.hypot(X, X); np.copysign(X, -1); np.logaddexp(X, X); np.heaviside(X, 1); np.heaviside(X, X)
np.float_power(X, 2); np.logical_and(X, 1); np.logical_or(X, X); np.logical_xor(X, 1)
np.greater(X, 1); np.equal(X, X); np.bitwise_and(X, 1); np.left_shift(X, 1); np.gcd(X, 2)
np.lcm(X, 2); np.divmod(X, 2); np.clip(X, 1, 2); X.clip(0, 1); np.where(X>1, X, 0)
np.where(X>1, X, 0.5); np.where(X, X, X); np.isclose(X, 1); np.allclose(X, X)
np.array_equal(X, X); np.sum(X); np.prod(X); np.mean(X); np.std(X); np.var(X); np.max(X)
np.min(X); np.ptp(X); np.median(X); np.percentile(X, 30); np.percentile(X, [5, 95])
np.quantile(X, 0.3); np.quantile(X, [.5]); np.average(X); np.average(X, weights=X); np.any(X)
np.all(X); np.argmax(X); np.argmin(X); np.cumsum(X); np.cumprod(X); np.count_nonzero(X)
np.nansum(X); np.nanprod(X); np.nanmean(X); np.nanstd(X); np.nanvar(X); np.nanmax(X); np.nanmin(X)
np.nanmedian(X); np.nanargmax(X); np.nancumsum(X); np.nanpercentile(X, 30); np.nanquantile(X, .3)
X.sum(); X.mean(); X.std(); X.var(); X.max(); X.min(); X.prod(); X.any(); X.all(); X.cumsum()
X.argmax(); np.ravel(X); np.squeeze(X); X.squeeze(); np.transpose(X); X.T; X.transpose()
X.flatten(); X.ravel(); np.reshape(X, -1); X.reshape(-1); np.expand_dims(X, 0); X[None]
X[..., None]; X[...]; np.atleast_1d(X); np.atleast_2d(X); np.atleast_3d(X); np.flip(X)
np.roll(X, 1); np.tile(X, 2); np.repeat(X, 2); np.copy(X); X.copy(); np.array(X); np.asarray(X)
np.asarray(X, float); np.array(X, ndmin=2); np.ascontiguousarray(X); np.asanyarray(X)
np.array([X, X]); np.stack([X, X]); np.hstack([X, X]); np.vstack([X, X]); np.dstack([X, X])
np.column_stack([X, X]); np.append(X, X); np.append(X, 1)
np.concatenate([np.atleast_1d(X), np.atleast_1d(X)]); np.full(2, 1)+X; np.full_like(X, 2)
np.zeros_like(X); np.ones_like(X); np.broadcast_to(X, (2, )+X.shape); np.unique(X)
np.sort(np.ravel(X)); np.argsort(np.ravel(X)); np.nonzero(np.ravel(X)); np.flatnonzero(X)
np.argwhere(X); np.diff(np.ravel(X)); np.ediff1d(X); np.gradient(np.ravel(X))
np.trapezoid(np.ravel(X)); np.interp(X, [0, 1, 2], [1, 2, 4])
np.interp(1, np.sort(np.ravel(X)), np.ravel(X)); np.digitize(X, [0, 1, 2])
np.searchsorted([0, 1, 2], X); np.isin(X, [1, 2]); np.histogram(X); np.histogram(X, bins=3)[1]
np.bincount(np.ravel(X)); np.cov(X); np.corrcoef(np.ravel(X), np.ravel(X))
np.convolve(np.ravel(X), np.ravel(X)); np.correlate(np.ravel(X), np.ravel(X))
np.polyval([1, 2], X); np.polyval(np.ravel(X), 2); np.poly(np.ravel(X))
np.polyfit(np.arange(np.size(X)), np.ravel(X), 1); np.vander(np.ravel(X)); np.outer(X, X)
np.dot(np.ravel(X), np.ravel(X)); np.dot(X, 2); np.inner(np.ravel(X), np.ravel(X)); np.vdot(X, X)
np.kron(X, X); np.linalg.norm(X); np.linalg.norm(np.ravel(X), 1)
np.linalg.norm(np.ravel(X), np.inf); np.einsum('i->', np.ravel(X))
np.einsum('i, i', np.ravel(X), np.ravel(X)); np.einsum('i, j->ij', np.ravel(X), np.ravel(X))
np.tensordot(np.ravel(X), np.ravel(X), 1); np.tensordot(X, X, 0); np.diag(np.ravel(X))
np.diagflat(X); np.tril(np.outer(X, X)); np.trace(np.outer(X, X)); np.meshgrid(X, X)
np.select([X>1], [X], 0); np.choose(np.ravel(X)>1, [0, 1])
np.piecewise(np.ravel(X), [np.ravel(X)>1], [1]); np.vectorize(lambda v:v+1)(X)
np.apply_along_axis(np.sum, 0, np.atleast_1d(X)); np.cumulative_sum(np.ravel(X))
np.fft.fft(np.ravel(X)); np.fft.rfft(np.ravel(X)); np.linspace(0, X, 3); np.linspace(X, X+1, 3)
np.pad(np.ravel(X), 1); np.insert(np.ravel(X), 0, 1); np.delete(np.ravel(X), 0)
np.nan_to_num(X, nan=1); np.trim_zeros(np.ravel(X)); np.partition(np.ravel(X), 1)
np.argpartition(np.ravel(X), 1); np.take(np.ravel(X), 0); np.take(np.ravel(X), [0, 1])
np.compress([True, False], np.ravel(X)); np.extract(X>0, X); np.resize(X, 4)
np.rot90(np.outer(X, X)); np.cross([1, 2, 3], np.resize(X, 3)); np.unwrap(np.ravel(X))
np.histogram2d(np.ravel(X), np.ravel(X), bins=2)[0]; np.array_split(np.ravel(X), 2)
np.split(np.ravel(X), 1); np.geomspace(1, 2, 3); np.setdiff1d(X, [1]); np.union1d(X, [1])
np.intersect1d(X, [1]); np.add.reduce(np.ravel(X)); np.multiply.accumulate(np.ravel(X))
np.add.outer(X, X); np.maximum.reduce(np.ravel(X)); np.shape(X); np.size(X); np.ndim(X); X.dtype
X.astype(float); X.astype(int); X.astype(bool); X.astype(np.float32); X.tolist()
X.item() if np.size(X)==1 else 0; len(np.atleast_1d(X)); type(X).__name__; np.isscalar(X)
np.float32(1)+X; np.result_type(X); np.can_cast(X.dtype, float); np.min_scalar_type(3)
float(np.sum(X)); int(np.sum(X)); round(float(np.sum(X)), 1); np.mean(X, dtype=np.float32)
np.sum(X, dtype=float); np.cumsum(X, dtype=float); np.var(X, ddof=1); np.log(X+1)
np.lcm.reduce(np.ravel(X)); np.block([np.ravel(X), np.ravel(X)])
np.moveaxis(np.outer(X, X), 0, 1); np.swapaxes(np.outer(X, X), 0, 1)
np.fill_diagonal(np.outer(X, X), 1)
"""
CASES = [one for line in EXPRESSIONS.strip().splitlines() for one in line.split("; ")]
ELEMENTS: dict[str, list[Any]] = {
    "f8": [1.25, -2.5, 0.5, 4.0],
    "f4": [1.25, -2.5, 0.5, 4.0],
    "i8": [2, -3, 1, 5],
    "i4": [2, -3, 1, 5],
    "i2": [2, -3, 1, 300],
    "u4": [2, 3, 1, 70000],
    "u1": [2, 3, 1, 200],
    "b1": [True, False, True, True],
}
FORMS: dict[str, Callable[[Any], Any]] = {
    "row": lambda row: row.copy(),
    "matrix": lambda row: row.reshape(2, 2).copy(),
    "no axes": lambda row: np.array(row[0]),
    "scalar": lambda row: row.copy(),
}
"""What a function is given; of a scalar it takes the first element."""
QUICK = (("f4", "row"), ("u1", "scalar"), ("b1", "row"), ("i8", "scalar"))
OTHERWISE = ("X**2 b1", "np.gradient(np.ravel(X)) b1")
"""NumPy squares an array of bools as int8, by a shortcut of its own; and says first that one of one
element is too small."""


def function_of(expression: str, scalar: bool) -> Any:
    """A function of X, from a file that the converter can read."""
    value = expression.replace("X", "X[0]") if scalar else expression
    text = f"def function(X):\n    return {value}\n"
    name = f"<dtypes {value}>"
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    names: dict[str, Any] = {"np": np}
    exec(compile(text, name, "exec"), names)
    return names["function"]


def is_alike(wanted: Any, found: Any) -> bool:
    """Whether two results are of one class, dtype and shape, and nearly of one value."""
    if type(wanted) is not type(found):
        return False
    if isinstance(wanted, np.ndarray):
        kind = (wanted.dtype, wanted.shape) == (found.dtype, found.shape)
        return kind and bool(np.allclose(wanted, found, rtol=1e-6, equal_nan=True))
    if isinstance(wanted, tuple | list):
        return len(wanted) == len(found) and all(map(is_alike, wanted, found))
    if isinstance(wanted, float | complex | np.inexact):
        return bool(np.isclose(wanted, found, rtol=1e-6, equal_nan=True))
    return bool(wanted == found)


def outcome(function: Any, given: Any) -> Any:
    try:
        return "gives", function(given)
    except Exception as error:
        return "raises", error


def difference(expression: str, kind: str, form: str) -> str | None:
    """What a staged function does otherwise; None for nothing, or a refusal in words."""
    function = function_of(expression, form == "scalar")
    given = [FORMS[form](np.array(ELEMENTS[kind], kind)) for _ in range(2)]
    wanted = outcome(function, given[0])
    found = outcome(ag.function(function, mode="evaluate"), given[1])
    if isinstance(found[1], UnconvertedCallError):
        return None
    same = wanted[0] == found[0] and (
        is_alike(wanted[1], found[1])
        if wanted[0] == "gives"
        else isinstance(found[1], type(wanted[1])) or isinstance(wanted[1], type(found[1]))
    )
    return None if same else f"{expression} of {form} {kind}: {wanted}, staged {found}"


@pytest.mark.parametrize(
    ("kind", "form"),
    [
        pytest.param(kind, form, marks=() if (kind, form) in QUICK else (pytest.mark.sweep,))
        for kind in ELEMENTS
        for form in FORMS
    ],
)
@pytest.mark.filterwarnings("ignore")
def test_results_are_of_numpys_kind(kind: str, form: str) -> None:
    found = [difference(one, kind, form) for one in CASES if f"{one} {kind}" not in OTHERWISE]
    assert not [one for one in found if one is not None]
