"""Functions that NumPy code uses: as NumPy computes them, staged as eagerly, with gradients."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import autograph as ag

RANDOM = np.random.default_rng(5)
A = RANDOM.normal(size=(4, 3))
B = RANDOM.normal(size=(2, 3))
V = RANDOM.normal(size=5)
W = RANDOM.normal(size=3)
CUBE = RANDOM.normal(size=(2, 3, 4))
POSITIVE = np.abs(V) + 0.1
RISING = np.cumsum(POSITIVE)
HOLES = np.array([[1.0, np.nan, 2.0], [0.5, 3.0, np.nan], [np.nan] * 3])
FEW_HOLES = HOLES[:2]
ENDLESS = np.array([1.0, np.inf, -np.inf, np.nan])
WHOLE = np.array([3, 1, 0, 3, 7])
MODES = ["eager", "evaluate", "text", pytest.param("compile", marks=pytest.mark.compiled)]
Case = tuple[Callable[..., Any], tuple[Any, ...], bool]
SAME: dict[str, Case] = {
    "atleast_1d": (lambda n, x: n.atleast_1d(x[0]), (V,), True),
    "atleast_2d": (lambda n, x: n.atleast_2d(x), (V,), True),
    "atleast_2d of two": (lambda n, x, y: n.atleast_2d(x, y), (V, A), True),
    "atleast_3d": (lambda n, x, y: n.atleast_3d(x, y), (V, A), True),
    "vstack": (lambda n, x, y: n.vstack([x, y, x[0]]), (A, B), True),
    "hstack": (lambda n, x, y: n.hstack([x, y]), (V, W), True),
    "hstack of matrices": (lambda n, x, y: n.hstack([x, y]), (B, B), True),
    "dstack": (lambda n, x, y: n.dstack([x, y]), (A, A), True),
    "column_stack": (lambda n, x: n.column_stack([x, x * 2]), (V,), True),
    "append": (lambda n, x, y: n.append(x, y), (A, V), True),
    "append rows": (lambda n, x, y: n.append(x, y, axis=0), (A, B), True),
    "ravel": (lambda n, x: n.ravel(x), (CUBE,), True),
    "diag": (lambda n, x: n.diag(x), (V,), True),
    "diag above": (lambda n, x: n.diag(x, k=2), (V,), True),
    "diag below": (lambda n, x: n.diag(x, k=-1), (V,), True),
    "diag of a matrix": (lambda n, x: n.diag(x, k=-1), (A,), True),
    "diag of infinities": (lambda n, x: n.diag(x), (ENDLESS,), False),
    "diagflat": (lambda n, x: n.diagflat(x), (B,), True),
    "tri": (lambda n, x: n.tri(3, 4, k=1, dtype="int32") + n.tri(3, k=-1)[0, 0], (W,), False),
    "fliplr": (lambda n, x: n.fliplr(x), (A,), True),
    "flipud": (lambda n, x: n.flipud(x), (A,), True),
    **{
        f"rot90 by {k}": (lambda n, x, k=k: n.rot90(x, k, axes=(2, 1)), (CUBE,), True)
        for k in (-1, 0, 1, 2)
    },
    "kron": (lambda n, x, y: n.kron(x, y), (A, B), True),
    "kron of other ranks": (lambda n, x, y: n.kron(x, y), (CUBE, W), True),
    "array_split": (lambda n, x: tuple(n.array_split(x, 3)), (V,), True),
    "hsplit": (lambda n, x: tuple(n.hsplit(x, 3)), (A,), True),
    "vsplit": (lambda n, x: tuple(n.vsplit(x, [1])), (A,), True),
    "argwhere": (lambda n, x: n.argwhere(x > 0), (A,), False),
    "flatnonzero": (lambda n, x: n.flatnonzero(x > 0), (A,), False),
    "select": (lambda n, x: n.select([x > 1, x > 0], [x, x * x], -1.0), (A,), True),
    "choose": (lambda n, x, i: n.choose(i, [x, x * 2, x * 3]), (W, np.array([0, 2, 1])), False),
    "isin": (lambda n, x: n.isin(x, [3, 7, 9]), (WHOLE,), False),
    "not in": (lambda n, x: n.isin(x, [3, 7, 9], invert=True), (WHOLE,), False),
    "array_equal": (lambda n, x, y: n.array_equal(x, y), (V, V), False),
    "array_equal of NaN": (lambda n, x: n.array_equal(x, x, equal_nan=True), (HOLES,), False),
    "array_equal of other shapes": (lambda n, x, y: n.array_equal(x, y), (V, W), False),
    "fix": (lambda n, x: n.fix(3 * x), (A,), False),
    "sinc": (lambda n, x: n.sinc(x), (V,), True),
    "sinc of 0": (lambda n, x: n.sinc(x), (np.zeros(2),), True),
    "heaviside": (lambda n, x: n.heaviside(x, 0.1), (np.array([-1.0, 0.0, 2.0]),), False),
    "deg2rad": (lambda n, x: n.deg2rad(x), (V,), True),
    "rad2deg": (lambda n, x: n.rad2deg(x), (V,), True),
    "cbrt": (lambda n, x: n.cbrt(x), (V,), True),
    "exp2": (lambda n, x: n.exp2(x), (V,), True),
    "logaddexp2": (lambda n, x: n.logaddexp2(x, x[::-1]), (V,), True),
    "fmax": (lambda n, x: n.fmax(x, 0.1), (HOLES,), False),
    "fmin": (lambda n, x: n.fmin(x, 0.1), (HOLES,), False),
    "divmod": (lambda n, x: n.divmod(x, 0.7), (V,), False),
    "nan_to_num": (lambda n, x: n.nan_to_num(x), (ENDLESS,), False),
    "nan_to_num by others": (lambda n, x: n.nan_to_num(x, nan=1, posinf=2), (ENDLESS,), False),
    "logspace": (lambda n, x: n.logspace(x[0], x[1], 5), (V,), True),
    "geomspace": (lambda n, x: n.geomspace(x[0], x[1], 5), (POSITIVE,), True),
    "nansum": (lambda n, x: n.nansum(x, axis=0), (HOLES,), True),
    "nanprod": (lambda n, x: n.nanprod(x, axis=1), (HOLES,), True),
    "nanmean": (lambda n, x: n.nanmean(x, axis=1), (FEW_HOLES,), True),
    "nanvar": (lambda n, x: n.nanvar(x, axis=1), (FEW_HOLES,), True),
    "nanstd": (lambda n, x: n.nanstd(x, axis=1), (FEW_HOLES,), True),
    "nanmax": (lambda n, x: n.nanmax(x, axis=1), (FEW_HOLES,), True),
    "nanmin": (lambda n, x: n.nanmin(x), (HOLES,), True),
    "nanmax of whole numbers": (lambda n, x: n.nanmax(x), (WHOLE,), False),
    "nanargmax": (lambda n, x: n.nanargmax(x, axis=1), (FEW_HOLES,), False),
    "ptp": (lambda n, x: n.ptp(x, axis=0), (A,), True),
    "average": (lambda n, x: n.average(x, axis=0), (A,), True),
    "weighted average": (
        lambda n, x, w: n.average(x, axis=1, weights=w, returned=True),
        (A, np.abs(W)),
        True,
    ),
    "average by places": (
        lambda n, x, w: n.average(x, axis=1, weights=w),
        (CUBE, np.abs(W)),
        True,
    ),
    "cov": (lambda n, x: n.cov(x), (A,), True),
    "cov of columns": (lambda n, x: n.cov(x, rowvar=False, bias=True), (A,), True),
    "cov of two": (lambda n, x: n.cov(x, x[::-1], ddof=0), (V,), True),
    "cov of one": (lambda n, x: n.cov(x), (V,), True),
    "corrcoef": (lambda n, x: n.corrcoef(x), (CUBE[0],), False),
    "corrcoef of two": (lambda n, x: n.corrcoef(x, x**2), (V,), False),
    "digitize": (lambda n, x: n.digitize(x, [-1.0, 0.0, 1.0]), (A,), False),
    "digitize falling": (lambda n, x: n.digitize(x, [5, 3, 1], right=True), (WHOLE,), False),
    "bincount": (lambda n, x: n.bincount(x), (WHOLE,), False),
    "bincount of weights": (
        lambda n, w, x: n.bincount(x, weights=w, minlength=10),
        (V, WHOLE),
        True,
    ),
    "histogram": (lambda n, x: tuple(n.histogram(x, bins=4)), (A,), False),
    "histogram of a range": (lambda n, x: tuple(n.histogram(x, 5, range=(-1, 1))), (A,), False),
    "histogram by edges": (
        lambda n, x: n.histogram(x, n.asarray([-1.0, 0.0, 0.5]), density=True)[0],
        (A,),
        False,
    ),
    "histogram of weights": (lambda n, w, x: n.histogram(x, 4, weights=w)[0], (V, WHOLE), True),
    "histogram of equal ones": (lambda n, x: tuple(n.histogram(x * 0, 3)), (V,), False),
    "percentile": (lambda n, x: n.percentile(x, [25, 50, 90], axis=0), (A,), True),
    **{
        f"quantile {method}": (
            lambda n, x, method=method: n.quantile(x, [0.2, 0.5, 0.7], method=method),
            (A,),
            True,
        )
        for method in ("lower", "higher", "nearest", "midpoint")
    },
    "interp": (
        lambda n, x, xp, fp: n.interp(x, xp, fp),
        (np.array([[-9.0, 0.3], [1.1, 99.0]]), RISING, V),
        True,
    ),
    "interp with ends": (
        lambda n, x, xp, fp: n.interp(x, xp, fp, left=-1.0, right=7.0),
        (np.array([-9.0, 0.9, 99.0]), RISING, V),
        True,
    ),
    "interp of a period": (
        lambda n, x, xp, fp: n.interp(x, xp, fp, period=2.5),
        (np.array([-9.0, 0.9, 99.0]), RISING, V),
        False,
    ),
    "interp at the points": (lambda n, x, y: n.interp(x, x, y), (RISING, V), False),
    "ediff1d": (lambda n, x: n.ediff1d(x, to_end=n.asarray([9.0]), to_begin=0.5), (V,), True),
    "trapezoid": (lambda n, x: n.trapezoid(x, dx=0.5, axis=0), (A,), True),
    "trapezoid of points": (lambda n, y, x: n.trapezoid(y, x), (A, W), True),
    "trapezoid along an axis": (lambda n, y, x: n.trapezoid(y, x, axis=1), (CUBE, W), True),
    "gradient": (lambda n, x: tuple(n.gradient(x)), (A,), True),
    "gradient along an axis": (
        lambda n, x: n.gradient(x, 0.5, axis=1, edge_order=2),
        (CUBE,),
        True,
    ),
    "gradient of points": (
        lambda n, y, x: n.gradient(y, x, edge_order=2),
        (V, RISING),
        True,
    ),
    **{
        f"{name} {mode} {len(x)} {len(y)}": (
            lambda n, x, y, name=name, mode=mode: getattr(n, name)(x, y, mode),
            (x, y),
            True,
        )
        for name in ("convolve", "correlate")
        for mode in ("full", "same", "valid")
        for x, y in ((V, W), (W, V), (V, V[:4]), (V[:4], V), (V, V[:1]))
    },
    "convolve whole numbers": (lambda n, x: n.convolve(x, x[:2]), (WHOLE,), False),
    "correlate complex": (
        lambda n, x, y: n.correlate(x + 1j, y * 1j, "full"),
        (V, W),
        True,
    ),
    "polyval": (lambda n, p, x: n.polyval(p, x), (W, A), True),
    "vander": (lambda n, x: n.vander(x, 3), (V,), True),
    "vander rising": (lambda n, x: n.vander(x, increasing=True), (WHOLE,), False),
    "polyfit": (lambda n, x, y: n.polyfit(x, y, 2), (RISING, V), True),
    "polyfit with weights": (
        lambda n, x, y, w: n.polyfit(x, y, 1, w=w),
        (RISING, V, POSITIVE),
        True,
    ),
}


def leaves(found: Any) -> list[Any]:
    return list(found) if isinstance(found, tuple | list) else [found]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("name", SAME)
@pytest.mark.filterwarnings("ignore:invalid value", "ignore:All-NaN", "ignore:divide by zero")
def test_as_numpy_computes_it(name: str, mode: Any) -> None:
    f, given, _ = SAME[name]

    def ours(*operands: Any) -> Any:
        return f(ag, *operands)

    run: Any = ours if mode == "eager" else ag.function(mode=mode)(ours)
    wanted = leaves(f(np, *given))
    for one, other in zip(leaves(run(*map(ag.asarray, given))), wanted, strict=True):
        other = np.asarray(other)
        assert one.shape == other.shape
        assert one.dtype.kind == other.dtype.kind
        np.testing.assert_allclose(one.numpy(), other, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("name", [name for name, (_, _, smooth) in SAME.items() if smooth])
def test_gradients(name: str) -> None:
    f, given, _ = SAME[name]
    if any(np.isnan(one).any() for one in given):
        given = tuple(np.where(np.isnan(one), 0.7, one) for one in given)
    ag.check_gradients(lambda *operands: f(ag, *operands), *given, order=2, rtol=1e-3, atol=1e-4)


@pytest.mark.parametrize("mode", MODES[:3])
def test_what_numpy_has_otherwise(mode: Any) -> None:
    def f(x: Any) -> Any:
        best = ag.top_k(x, 2, axis=0)
        return best.values, best.indices, ag.partition(x, 1), ag.argpartition(x, 1, axis=0)

    run: Any = f if mode == "eager" else ag.function(mode=mode)(f)
    values, places, parted, order = (one.numpy() for one in run(ag.asarray(A)))
    np.testing.assert_array_equal(values, -np.sort(-A, axis=0)[:2])
    np.testing.assert_array_equal(places, np.argsort(-A, axis=0)[:2])
    np.testing.assert_array_equal(parted, np.sort(A))  # one of the orders that NumPy may give
    np.testing.assert_array_equal(order, np.argsort(A, axis=0))


def test_grids() -> None:
    np.testing.assert_array_equal(ag.mgrid[0:3, 1:9:2].numpy(), np.mgrid[0:3, 1:9:2])
    np.testing.assert_allclose(ag.mgrid[0:1:5j].numpy(), np.mgrid[0:1:5j])
    for one, other in zip(ag.ogrid[0:3, 0:1:4j], np.ogrid[0:3, 0:1:4j], strict=True):
        np.testing.assert_allclose(one.numpy(), other, rtol=1e-6)
    staged = ag.function(mode="evaluate")(lambda x: x * ag.mgrid[0:2, 0:3])
    np.testing.assert_array_equal(staged(ag.asarray(2.0)).numpy(), 2 * np.mgrid[0:2, 0:3])
    assert ag.broadcast_shapes((3, 1), (1, 4), 4) == (3, 4)


def test_nothing_there() -> None:
    none = np.zeros(0)
    assert ag.isin(ag.asarray(V), none).tolist() == [False] * 5
    assert ag.bincount(ag.asarray(none, dtype=ag.int64), minlength=2).tolist() == [0, 0]
    counts, edges = ag.histogram(none, 2)
    assert counts.tolist() == [0, 0] and edges.tolist() == [0.0, 0.5, 1.0]


def test_sizes_that_only_the_run_knows() -> None:
    signature = [ag.TensorSpec((None,), ag.float64)]

    @ag.function(input_signature=signature, mode="evaluate")
    def f(x: Any) -> Any:
        edges = ag.asarray([-1.0, 0.0, 2.0], dtype=ag.float64)
        return (
            ag.diag(x, k=1),
            ag.kron(x, x),
            ag.isin(x, x[:2]),
            ag.cov(x),
            ag.histogram(x, 3).histogram,
            ag.interp(x, edges, edges * edges),
            ag.trapezoid(x),
            ag.gradient(x),
            ag.linalg.norm(x),
            ag.linalg.inv(ag.diag(x)),
            ag.nanmean(x),
        )

    edges = np.array([-1.0, 0.0, 2.0])
    for x in (V, RANDOM.normal(size=7)):
        wanted = (
            np.diag(x, k=1),
            np.kron(x, x),
            np.isin(x, x[:2]),
            np.cov(x),
            np.histogram(x, 3)[0],
            np.interp(x, edges, edges * edges),
            np.trapezoid(x),
            np.gradient(x),
            np.linalg.norm(x),
            np.diag(1 / x),
            np.mean(x),
        )
        for one, other in zip(f(ag.asarray(x)), wanted, strict=True):
            np.testing.assert_allclose(one.numpy(), other, rtol=1e-12, atol=1e-13)


WRONG: dict[str, tuple[Callable[..., Any], str]] = {
    "diag": (lambda: ag.diag(CUBE), "1- or 2-d"),
    "rot90": (lambda: ag.rot90(A, axes=(0,)), "must be 2"),
    "rot90 in place": (lambda: ag.rot90(A, axes=(0, 0)), "must be different"),
    "vstack": (lambda: ag.vstack([]), "at least one array"),
    "array_split": (lambda: ag.array_split(V, 0), "larger than 0"),
    "select": (lambda: ag.select([V > 0], []), "same length"),
    "select nothing": (lambda: ag.select([], []), "empty condition list"),
    "average": (lambda: ag.average(A, weights=W), "one for each place along an axis"),
    "cov": (lambda: ag.cov(CUBE), "more than 2 dimensions"),
    "digitize": (lambda: ag.digitize(V, A), "too deep"),
    "bincount": (lambda: ag.bincount(V), "integers along one axis"),
    "bincount below 0": (lambda: ag.bincount(-WHOLE), "negative"),
    "histogram": (lambda: ag.histogram(V, 0), "must be positive"),
    "histogram auto": (lambda: ag.histogram(V, "auto"), "number of bins"),
    "quantile": (lambda: ag.quantile(V, 0.5, method="best"), "the method is one of"),
    "interp": (lambda: ag.interp(V, A, A), "1-D sequences"),
    "interp period": (lambda: ag.interp(V, V, V, period=0), "non-zero"),
    "gradient": (lambda: ag.gradient(A, 1.0, 1.0, 1.0), "number of arguments"),
    "gradient order": (lambda: ag.gradient(A, edge_order=3), "not supported"),
    "gradient small": (lambda: ag.gradient(V[:1]), "too small"),
    "convolve": (lambda: ag.convolve(V, V, mode="some"), "mode must be one of"),
    "convolve matrices": (lambda: ag.convolve(A, V), "too deep"),
    "convolve nothing": (lambda: ag.convolve(V[:0], V), "cannot be empty"),
    "vander": (lambda: ag.vander(A), "one-dimensional"),
    "polyfit": (lambda: ag.polyfit(V, V, -1), "deg >= 0"),
    "polyfit matrices": (lambda: ag.polyfit(A, V, 1), "expected 1D vector"),
}


@pytest.mark.parametrize("name", WRONG)
def test_errors(name: str) -> None:
    call, message = WRONG[name]
    with pytest.raises((ValueError, TypeError, ag.StagingError), match=message):
        call()


@pytest.mark.parametrize("mode", MODES)
def test_functions_along_an_axis(mode: Any) -> None:
    for f in (lambda n, x: n.sum(x * x), lambda n, x: n.stack([x, x * x]), lambda n, x: x[1:]):
        for axis in (0, 1, -1):

            def ours(x: Any, f: Any = f, axis: int = axis) -> Any:
                return ag.apply_along_axis(lambda row: f(ag, row), axis, x)

            run: Any = ours if mode == "eager" else ag.function(mode=mode)(ours)
            wanted = np.apply_along_axis(lambda row: f(np, row), axis, CUBE)  # noqa: B023
            np.testing.assert_allclose(run(ag.asarray(CUBE)).numpy(), wanted)
    ag.check_gradients(lambda x: ag.apply_along_axis(lambda row: ag.sum(row**3), 1, x), CUBE)
