"""NumPy's and SciPy's functions that are functions of tensors of the same name.

Parameters go by NumPy's names and places; one that the function of tensors lacks is refused where
it is given.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np

from autograph.runtime.arrays.cells import as_array
from autograph.runtime.arrays.table import (
    IMPLEMENTATIONS,
    Implementation,
    as_numpy_takes_it,
    paused,
    tensor_of,
)
from autograph.runtime.core.number import Number
from autograph.runtime.core.numpy_versions import signature_of
from autograph.runtime.ops.linear_algebra.matrices import require_square
from autograph.runtime.ops.shaping.shapes import shape_of
from autograph.runtime.ops.table import OPS

PLAIN = (
    "cbrt convolve correlate histogram isin logspace nanprod nanstd nanvar"
    " tri cumulative_sum cumulative_prod"
).split()
LINEAR = (
    "det inv matrix_rank multi_dot pinv qr"
    " slogdet solve svd norm matrix_norm vector_norm svdvals tensordot outer trace diagonal vecdot"
    " matmul cross matrix_transpose"
).split()
FOURIER = (
    "fft fft2 fftn fftshift hfft ifft ifft2 ifftn ifftshift ihfft irfft irfft2 irfftn rfft rfft2"
    " rfftn"
).split()
IGNORED = ("overwrite_input", "order", "subok", "kind", "casting", "hermitian", "assume_unique")
RENAMED = {"ddof": "correction"}


def adopted(theirs: Callable[..., Any], ours: Callable[..., Any]) -> Callable[..., Any]:
    """`ours` with the parameters of `theirs`. NotImplementedError for what it does not take."""
    parameters = signature_of(theirs).parameters
    own = inspect.signature(ours).parameters
    kinds = inspect.Parameter
    places = [
        one.kind in (kinds.POSITIONAL_ONLY, kinds.POSITIONAL_OR_KEYWORD) for one in own.values()
    ]
    count = len(places) if all(places) else places.index(False)
    named = {name for name, one in own.items() if one.kind is not kinds.POSITIONAL_ONLY}

    def call(*args: Any, **keywords: Any) -> Any:
        bound = signature_of(theirs).bind(*args, **keywords).arguments
        given: list[Any] = []
        others: dict[str, Any] = {}
        for place, (name, one) in enumerate(parameters.items()):
            if name not in bound or bound[name] is np._NoValue:
                continue
            value = bound[name] if name == "range" else as_numpy_takes_it(bound[name])
            if one.kind is kinds.VAR_POSITIONAL:
                given.extend(bound[name])
            elif place < count and len(given) == place and one.kind is not kinds.KEYWORD_ONLY:
                given.append(tensor_of(value) if place == 0 and _is_float(value) else value)
            elif RENAMED.get(name, name) in named:
                others[RENAMED.get(name, name)] = value
            elif name not in IGNORED and bound[name] is not one.default:
                raise NotImplementedError
        return _as_theirs(ours(*given, **others))

    call.__signature__ = signature_of(theirs)  # type: ignore[attr-defined]
    return call


def _is_float(value: Any) -> bool:
    """Whether this is a float of Python, staged ones included."""
    return type(value) is float or (isinstance(value, Number) and value.kind is float)


def _as_theirs(result: Any) -> Any:
    """A named tuple of ours as the one of NumPy's that has its name, else as a plain tuple."""
    if not isinstance(result, tuple) or type(result) is tuple:
        return result
    module: Any = np.linalg._linalg
    kind = getattr(module, type(result).__name__, None)
    return kind(*result) if kind is not None else tuple(result)


# functions that NumPy computes in other dtypes than tensors are -----------------------------------
def _cov(m: Any, y: Any = None, rowvar: bool = True, bias: bool = False, ddof: Any = None,
         *, dtype: Any = None) -> Any:  # fmt: skip
    return OPS.cov(*_wide((m, y), dtype), rowvar=rowvar, bias=bias, ddof=ddof)


def _corrcoef(x: Any, y: Any = None, rowvar: bool = True, *, dtype: Any = None) -> Any:
    return OPS.corrcoef(*_wide((x, y), dtype), rowvar=rowvar)


def _wide(variables: Any, dtype: Any) -> list[Any]:
    """Variables in at least float64, unless a dtype is asked for."""
    given = [one if one is None else tensor_of(one) for one in variables]
    dtypes = [one.dtype for one in given if one is not None]
    wanted = np.result_type(*dtypes, np.float64) if dtype is None else np.dtype(dtype)
    return [one if one is None else OPS.astype(one, wanted) for one in given]


def _vander(x: Any, N: Any = None, increasing: bool = False) -> Any:
    x = tensor_of(x)
    wide = OPS.astype(x, np.promote_types(x.dtype, np.dtype(int)))
    return OPS.vander(wide, N=N, increasing=increasing)


def _polyfit(x: Any, y: Any, deg: Any, rcond: Any = None, w: Any = None) -> Any:
    x, y = (tensor_of(one) for one in (x, y))
    x, y = (one if one.dtype.kind in "fc" else OPS.astype(one, np.dtype(float)) for one in (x, y))
    if rcond is None:
        rcond = OPS.dimension(x, 0) * float(np.finfo(x.dtype).eps)
    if w is not None:
        w = tensor_of(w)
        y = OPS.astype(y * (w if len(y.shape) == 1 else OPS.expand_dims(w, 1)), y.dtype)
    wide = np.result_type(x.dtype, y.dtype, np.float64)
    x, y = OPS.astype(x, np.result_type(x.dtype, np.float64)), OPS.astype(y, wide)
    columns = OPS.vander(x, deg + 1)
    columns = columns if w is None else columns * OPS.expand_dims(w, 1)
    scale = OPS.sqrt(OPS.sum(columns * columns, axis=0))
    found = OPS.lstsq(OPS.astype(columns / scale, wide), y, rcond=rcond).x
    return found / (scale if len(y.shape) == 1 else OPS.expand_dims(scale, 1))


def _sinc(x: Any) -> Any:
    x = tensor_of(x)
    return OPS.sinc(OPS.astype(x, np.dtype(np.float64)) if x.dtype.kind in "biu" else x)


def _interp(
    x: Any, xp: Any, fp: Any, left: Any = None, right: Any = None, period: Any = None
) -> Any:
    x, xp, fp = (tensor_of(one) for one in (x, xp, fp))
    wide = np.dtype(np.float64)
    values = OPS.astype(fp, np.result_type(fp.dtype, wide))
    return OPS.interp(OPS.astype(x, wide), OPS.astype(xp, wide), values, left, right, period)


def _gradient(f: Any, *varargs: Any, axis: Any = None, edge_order: int = 1) -> Any:
    if tensor_of(f).dtype == bool:
        np.subtract(True, True)  # NumPy's own error
    found = _adopted_gradient(f, *varargs, axis=axis, edge_order=edge_order)
    kind = tensor_of(f).dtype
    if kind.kind in "fc":  # the coordinates do not widen it
        found = [OPS.astype(one, kind) for one in (found if isinstance(found, list) else [found])]
        found = found if len(found) > 1 else found[0]
    return tuple(found) if isinstance(found, list) else found


def _bincount(x: Any, weights: Any = None, minlength: Any = 0) -> Any:
    x = tensor_of(x)
    with paused():
        np.bincount(np.zeros((1,) * len(x.shape), x.dtype))  # which raises what NumPy raises
    if shape_of(x)[0] == 0:  # NumPy does not look at weights then
        weights = None
    return OPS.bincount(x, weights=weights, minlength=minlength)


def _matrix_rank(A: Any, tol: Any = None, hermitian: bool = False, *, rtol: Any = None) -> Any:
    A = tensor_of(A)
    if len(A.shape) < 2:
        return OPS.to_int(OPS.any(OPS.not_equal(A, 0)))  # a Python int, here alone
    return _adopted_rank(A, tol=tol, hermitian=hermitian, rtol=rtol)


_adopted_rank = adopted(np.linalg.matrix_rank, OPS.matrix_rank)


def _choose(a: Any, choices: Any, mode: str = "raise") -> Any:
    a = tensor_of(a)
    if mode != "raise":
        count = len(choices) if isinstance(choices, list | tuple) else shape_of(choices)[0]
        a = OPS.clip(a, 0, count - 1) if mode == "clip" else OPS.remainder(a, count)
    return OPS.choose(OPS.astype(a, np.dtype(np.int64)) if a.dtype.kind == "b" else a, choices)


def _dtype_of_fix(x: Any, **others: Any) -> tuple[Any, ...]:
    return (np.fix(np.ones(1, tensor_of(x).dtype)).dtype,)  # which newer ones keep


def _dtype_of_angle(z: Any, deg: bool = False) -> tuple[Any, ...]:
    dtype: Any = tensor_of(z).dtype
    return (np.angle(np.ones(1, dtype)).dtype,)


_adopted_gradient = adopted(np.gradient, OPS.gradient)
SPECIAL: dict[Any, Implementation] = {
    np.polyfit: Implementation(_polyfit),
    np.cov: Implementation(_cov, keeps=True),
    np.corrcoef: Implementation(_corrcoef),
    np.vander: Implementation(_vander),
    np.sinc: Implementation(_sinc),
    np.gradient: Implementation(_gradient),
    np.interp: Implementation(_interp),
    np.bincount: Implementation(_bincount),
    np.choose: Implementation(_choose),
    np.fix: Implementation(adopted(np.fix, OPS.fix), dtypes=_dtype_of_fix),
    np.angle: Implementation(adopted(np.angle, OPS.angle), dtypes=_dtype_of_angle),
}


# linear algebra -----------------------------------------------------------------------------------
def _svd(
    a: Any, full_matrices: bool = True, compute_uv: bool = True, hermitian: bool = False
) -> Any:
    if not compute_uv:
        return OPS.svdvals(a)
    return _as_theirs(OPS.svd(a, full_matrices=full_matrices))


def _of_triangle(a: Any, side: str = "L") -> Any:
    """The symmetric matrix of which NumPy reads one triangle: so that is all that it depends on."""
    a = tensor_of(a)
    require_square(a)
    inner = OPS.tril(a) if side == "L" else OPS.triu(a)
    outer = OPS.tril(a, k=-1) if side == "L" else OPS.triu(a, k=1)
    turned = OPS.matrix_transpose(outer)
    return inner + (OPS.conj(turned) if a.dtype.kind == "c" else turned)


def _eigh(a: Any, UPLO: str = "L") -> Any:
    return _as_theirs(OPS.eigh(_of_triangle(a, UPLO.upper())))


def _eigvalsh(a: Any, UPLO: str = "L") -> Any:
    return OPS.eigvalsh(_of_triangle(a, UPLO.upper()))


def _cholesky(a: Any, /, *, upper: bool = False) -> Any:
    return OPS.cholesky(_of_triangle(a, "U" if upper else "L"), upper=upper)


def complex_eig(a: Any) -> tuple[Any, Any]:
    """Eigenvalues and eigenvectors of an array, complex ones also where NumPy's are real."""
    a = tensor_of(a)
    values, vectors = OPS.eig(a if a.dtype.kind in "fc" else OPS.astype(a, np.dtype(np.float64)))
    return as_array(values), as_array(vectors)


def install() -> None:
    """Put them into the table, where no function of its own is there."""
    IMPLEMENTATIONS.update(SPECIAL)
    found: list[tuple[Any, Any]] = [(np, one) for one in PLAIN]
    found += [(np.linalg, one) for one in LINEAR]
    found += [(np.fft, one) for one in FOURIER]
    for module, name in found:
        theirs = getattr(module, name, None)
        if theirs is not None and theirs not in IMPLEMENTATIONS and name in OPS:
            IMPLEMENTATIONS[theirs] = Implementation(adopted(theirs, getattr(OPS, name)))
    IMPLEMENTATIONS[np.isin] = Implementation(adopted(np.isin, OPS.isin), keeps=True)
    IMPLEMENTATIONS[np.linalg.matrix_rank] = Implementation(_matrix_rank)
    IMPLEMENTATIONS[np.linalg.svd] = Implementation(_svd)
    IMPLEMENTATIONS[np.linalg.eigh] = Implementation(_eigh)
    IMPLEMENTATIONS[np.linalg.eigvalsh] = Implementation(_eigvalsh)
    IMPLEMENTATIONS[np.linalg.cholesky] = Implementation(_cholesky)
    IMPLEMENTATIONS[np.linalg.cond] = Implementation(adopted(np.linalg.cond, OPS.condition_number))


install()
