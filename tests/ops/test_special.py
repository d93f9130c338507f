"""`ag.special`: as SciPy computes it, staged as eagerly, with gradients of order 2."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.special

import autograph as ag

S = ag.special
X = np.array([0.3, 1.5, 4.2])
Y = np.array([0.9, 2.0, 0.4])
SHARE = np.array([0.1, 0.5, 0.85])
SIGNED = np.array([-1.5, 0.2, 2.5])
CASES: dict[str, tuple[Any, ...]] = {
    **dict.fromkeys("gamma gammaln digamma psi factorial".split(), (X,)),
    **dict.fromkeys("expit log_expit erf erfc ndtr i0 i1 i0e i1e cbrt exp2".split(), (SIGNED,)),
    **dict.fromkeys("erfinv erfcinv ndtri logit entr".split(), (SHARE,)),
    **dict.fromkeys("xlogy xlog1py rel_entr kl_div beta betaln".split(), (X, Y)),
    **dict.fromkeys("logsumexp softmax log_softmax".split(), (SIGNED,)),
}
AT_EDGES: dict[str, tuple[Any, ...]] = {
    "xlogy": (np.array([0.0, 0.0, 1.0]), np.array([0.0, np.nan, 0.0])),
    "entr": (np.array([0.0, -1.0, np.nan, np.inf]),),
    "rel_entr": (np.array([0.0, -1.0, np.nan, 1.0]), np.array([0.0, 1.0, 1.0, 0.0])),
    "erfinv": (np.array([-1.0, 1.0, 2.0]),),
    "i1": (np.array([0.0]),),
    "factorial": (np.array([0, 1, 5, -3]),),
}


@pytest.mark.parametrize("mode", ["eager", "evaluate", "text"])
@pytest.mark.parametrize(("name", "given"), [*CASES.items(), *AT_EDGES.items()])
def test_as_scipy_computes_it(name: str, given: tuple[Any, ...], mode: Any) -> None:
    ours = getattr(S, name)
    run: Any = ours if mode == "eager" else ag.function(mode=mode)(lambda *one: ours(*one))
    found, wanted = run(*map(ag.asarray, given)), getattr(scipy.special, name)(*given)
    assert found.dtype == wanted.dtype
    np.testing.assert_allclose(found.numpy(), wanted, rtol=1e-10, atol=1e-14)


@pytest.mark.parametrize("name", CASES)
def test_gradients(name: str) -> None:
    ag.check_gradients(getattr(S, name), *CASES[name], order=2)


def test_parameters_and_orders() -> None:
    for f, g in (
        (lambda x: S.polygamma(2, x), lambda x: scipy.special.polygamma(2, x)),
        (lambda x: S.gammainc(1.5, x), lambda x: scipy.special.gammainc(1.5, x)),
        (lambda x: S.gammaincc(Y, x), lambda x: scipy.special.gammaincc(Y, x)),
        (lambda x: S.betainc(1.5, Y, x / 5), lambda x: scipy.special.betainc(1.5, Y, x / 5)),
        (lambda x: S.iv(1.5, x), lambda x: scipy.special.iv(1.5, x)),
        (lambda x: S.jv(2, x), lambda x: scipy.special.jv(2, x)),
    ):
        np.testing.assert_allclose(f(ag.asarray(X)).numpy(), g(X), rtol=1e-12)
        ag.check_gradients(f, X, order=2)
    ag.check_gradients(S.i1, np.zeros(2))
    np.testing.assert_allclose(S.comb(np.array([5, 5, 3]), np.array([2, 0, 4])).numpy(), [10, 1, 0])
    with pytest.raises(ag.StagingError, match="gradient of gammainc by a is not known"):
        ag.grad(lambda a: ag.sum(S.gammainc(a, X)))(ag.asarray(Y))
    assert S.gammaln(X.astype(np.float32)).dtype == ag.float32
