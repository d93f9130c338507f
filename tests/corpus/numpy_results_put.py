"""Where results are put: `out=` of functions with several results, casts, and `flat`."""

from __future__ import annotations

import numpy as np

from tests.corpus.registry import case, program

X, A = np.array([7.5, -3.25, 2.0, 1e300]), np.array([7, -3, 2, 9])
NINE = np.arange(9.0)
EDGES = np.array([0.0, -0.0, 1.0, 0.5, 3.0, 5e-324, -7.3, np.inf, np.nan, 1 - 2.0**-53, 2.0**1023])


@program(case(X), case(A), case(X[:0]), compiled=True)
def quotients_and_rests(a):
    quotient, rest = np.empty_like(a), np.empty_like(a)
    made = np.divmod(a, 3, out=(quotient, rest))
    other, part = np.divmod(a, 2, out=(None, rest[::-1]))
    return quotient, rest, made[0] is quotient, made[1] is rest, other


@program(case(X), case(EDGES))
def parts_of_floats(a):
    fraction, whole = np.zeros(len(a)), np.zeros(len(a))
    made = np.modf(a, fraction, whole)
    mantissa, exponent = np.empty(len(a)), np.empty(len(a), int)
    np.frexp(a, out=(mantissa, exponent))
    return fraction, whole, made[0] is fraction, mantissa, exponent, np.frexp(a)


@program(case(EDGES, np.array(-3)), case(EDGES, np.arange(len(EDGES)) - 1060), compiled=True)
def times_powers_of_two(a, n):
    return np.ldexp(a, n), np.ldexp(*np.frexp(a)), np.ldexp(a.astype(np.float32), 3)


@program(case(A), case(A * 2.5))
def cast_without_asking(a):
    whole = np.zeros(len(a), int)
    made = np.add(a, 0.5, out=whole, casting="unsafe")
    np.sqrt(abs(a), out=np.zeros(len(a), int), casting="unsafe")
    return whole, made is whole, np.multiply(a, 2.5, dtype=int, casting="unsafe")


@program(case(X), case(A))
def cast_that_is_not_allowed(a):
    told, rest = [], np.zeros(len(a))
    for attempt in range(4):
        try:
            if attempt == 0:
                np.multiply(a, 0.5, out=np.zeros(len(a), int))
            elif attempt == 1:
                np.divmod(a, 0.5, out=(rest, np.zeros(len(a), int)))
            elif attempt == 2:
                np.concatenate([a * 0.5, a], dtype=int)
            else:
                np.add(a, 1.0, out=np.zeros(len(a), np.float32), casting="safe")
        except TypeError as error:
            told.append(str(error))
    return told, rest


@program(case(NINE), case(NINE.astype(int)), compiled=True)
def flat_in_turn(a):
    m = a.reshape(3, 3)
    m.flat[::3] = [9, 8]
    n = m.copy()
    n.T.flat[[0, 1, 2]] = [5, 6]
    n.flat[n.ravel() > 5] = [1, 2, 3]
    n.flat[1:3] = [7, 7.5, 6, 6]
    p = n.copy()
    p.flat = [1, 2]
    p.flat[::2] = []
    p.flat[len(a) // 5 :: 3] = a[:2]
    return m, n, p, a


@program(case(NINE[:4]), case(NINE[:2]))
def given_along_with_others(a):
    one, other = np.broadcast_arrays(a, np.ones((2, len(a))))
    other[0] = 5.0
    a[0] = 7.0
    same, _ = np.broadcast_arrays(a, a * 2)
    same[-1] = 6.0
    return one * 1, other, a


@program(case(NINE), refused="StagingError", naming=("np.broadcast_arrays", "copy"))
def written_to_what_is_spread(a):
    wide, _ = np.broadcast_arrays(a[:3], a.reshape(3, 3))
    wide[0] = 1.0
    return a


@program(case(NINE, np.array([2, 0])), case(NINE, np.array([-1, 3])), compiled=True)
def taken_into(a, places):
    kept = np.zeros(2)
    made = np.take(a, places, out=kept)
    return kept, made is kept, a.take(places, out=kept) is kept
