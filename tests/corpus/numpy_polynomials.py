"""NumPy's classes of polynomials: `np.poly1d`, and those of `numpy.polynomial`."""

from __future__ import annotations

import numpy as np
from numpy.polynomial import Chebyshev, Legendre, Polynomial

from tests.corpus.registry import case, program

POLYNOMIALS = [case(np.array([1.0, 4.0, 3.0]), 2.0), case(np.array([0.0, 2.0, -3.0]), -1.5)]


@program(*POLYNOMIALS)
def polynomials(c, x):
    p = np.poly1d(c)
    q = np.poly1d([x, 1.0]) * p + 1
    for _ in range(2):
        if q(x) > 5:
            q = q.deriv()
    return p(x), p.order, p.coeffs, p[1], p.integ()(x), q.c, (p / 2 - q)(x), -p == p, p**2


@program(
    case(np.array([1.0, 2.0, 3.0, 4.0]), np.array([1.0, 4.1, 9.0, 16.0])),
    case(np.array([0.0, 1.0, 2.0, 5.0]), np.array([1.0, 0.0, -1.0, 3.0])),
)
def fitted_polynomial(x, y):
    p = np.poly1d(np.polyfit(x, y, 1))
    return p.order, [round(float(p(one)), 6) for one in x], round(float(p.deriv()(2.5)), 6)


@program(*POLYNOMIALS)
def series(c, x):
    p = Polynomial(c * 2)
    q = p.deriv() + p * p - 1
    if q(x) > 5:
        q = q.integ()
    other = Chebyshev(c * 2)
    return q(x), q.degree(), q.coef, p.roots().round(8), other(x), other.convert(kind=Polynomial)


@program(*POLYNOMIALS, exact=False)
def fitted_series(c, x):
    places = np.linspace(0.0, 1.0, 9)
    p = Polynomial.fit(places, np.sin(places) * x, 3)
    q = Legendre.fit(places, np.cos(places) + c[1], 3)
    return p(0.5).round(6), p.convert().coef.round(6), q(places).round(6), q.domain


@program(*POLYNOMIALS)
def series_from_roots(c, x):
    p = Polynomial.fromroots(c * x)
    return p(x), p.coef, p.linspace(3)[1], p.cutdeg(1).coef, p.trim().coef, p == p, len(p), p
