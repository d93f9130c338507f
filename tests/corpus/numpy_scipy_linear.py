"""Code with scipy.linalg and scipy.stats.norm on arrays: values, and what they raise."""

from __future__ import annotations

import numpy as np
from scipy import linalg
from scipy.stats import norm

from tests.corpus.registry import case, program

A = np.array([[4.0, 1.0, 0.5], [1.0, 3.0, 0.2], [0.5, 0.2, 2.0]])
B = np.array([1.0, -2.0, 3.0])
S, WIDE = A[:2, :2] + 1, np.ones((2, 3))
ALL = (case(A, B), case(S, B[:2]), case(A, np.outer(B, B)), case(A.astype(np.float32), B))


def rounded(*parts):
    kinds = [getattr(one, "dtype", float) for one in parts]
    return [np.round(np.asarray(one, dtype=float), 5) for one in parts], kinds


@program(*ALL, vary=False)
def solved(a, b):
    lower = np.tril(a)
    return rounded(
        *(linalg.solve(a, b), linalg.inv(a), linalg.det(a), linalg.norm(a), linalg.norm(b)),
        *(linalg.solve_triangular(lower, b, lower=True), linalg.solve_triangular(a, b)),
        *(linalg.solve_triangular(lower, b, trans="T", lower=True), linalg.norm(b[0:1].ravel(), 1)),
        *(linalg.cho_solve(linalg.cho_factor(a), b), linalg.cho_solve((lower, True), b)),
        *(linalg.cholesky(a), linalg.cholesky(a, lower=True), linalg.eigvalsh(a)),
        *(linalg.cho_factor(a)[0], linalg.cho_factor(a, lower=True)[0]),
    )


@program(case(A, 2), case(S * 0.1, 3))
def exponentials(a, n):
    x = np.ones(len(a))
    for _ in range(n):
        x = linalg.expm(a * 0.1) @ x
    return rounded(x, linalg.expm(np.zeros((2, 2)) * a[0, 0]))


@program(case(WIDE, B[:2]), case(S, B), case(np.tril(S), B[:2]))
def what_they_raise(a, b):
    told = []
    for function in (
        *(lambda: linalg.solve(a, b), lambda: linalg.inv(a[:, :1]), lambda: linalg.det(a[0])),
        *(lambda: linalg.solve_triangular(a, b), lambda: linalg.cho_solve((a, True), b)),
        *(lambda: linalg.expm(a[0]), lambda: linalg.norm(a / 0.0), lambda: linalg.cholesky(a[:1])),
    ):
        try:
            function()
            told.append("")
        except (ValueError, np.linalg.LinAlgError) as error:
            told.append(str(error))
    return told


POINTS = np.array([-40.0, -1.5, 0.0, 0.3, 2.0, np.inf, np.nan])


@program(
    *(case(POINTS, 0.0, 1.0), case(POINTS, np.float64(1.0), np.float64(2.0)), case(0.3, 1, 2)),
    *(case(POINTS[1:4], POINTS[2:5], np.array([1.0, 0.0, -1.0])), case(np.float32(0.5), 0, 3)),
    compiled=True,
    exact=False,
)
def of_the_normal_distribution(x, loc, scale):
    found = norm.pdf(x, loc, scale), norm.logpdf(x, loc=loc, scale=scale), norm.pdf(x)
    shares = norm.cdf(x, loc, scale), norm.sf(x, loc, scale), norm.cdf(x)
    return *found, *(np.round(one, 12) for one in shares)


@program(case(np.array([0.0, 0.025, 0.5, 0.9, 1.0, 1.5])), case(np.array([0.1, 0.2])), exact=False)
def quantiles(q):
    return np.round(norm.ppf(q), 9), np.round(norm.ppf(q, 1, 2), 9), np.round(norm.isf(q), 9)


@program(
    case(100.0, 95.0, 0.2),
    case(np.array([90.0, 120.0]), 100.0, 0.3),
    compiled=True,
    exact=False,
    ulps=64,
)
def price_of_an_option(spot, strike, volatility):
    up = (np.log(spot / strike) + 0.5 * volatility**2) / volatility
    return np.round(spot * norm.cdf(up) - strike * norm.cdf(up - volatility), 9)
