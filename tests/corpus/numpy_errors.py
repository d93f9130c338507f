"""What NumPy raises where arrays are used as what they are not: numbers, elements, indices."""

from __future__ import annotations

import math

import numpy as np

from tests.corpus.registry import case, program

TABLE = np.array([[1.0, -2.0, 3.0], [-1.0, -1.0, 2.0]])
KINDS = [case(TABLE, n) for n in range(9)]


@program(*KINDS)
def numbers_of_arrays_with_axes(a, kind):
    if kind == 1:
        return int(a[0, :1])
    if kind == 2:
        return float(a[:1, :1])
    if kind == 3:
        return float(a)
    if kind == 4:
        return math.sqrt(a[0, :1])
    if kind == 5:
        return round(a[0, :1], 2)
    if kind == 6:
        return round(a)
    if kind == 7:
        return math.sin(a[0])
    return int(np.array(3.7)), float(a[0, 0]), round(a[0, 0], 2), bool(a[:1, :1]), a[0, :1].item()


@program(*KINDS, compiled=True)
def one_element_of_an_array(a, kind):
    b = a.astype(np.int32) if kind == 5 else a
    if kind in (1, 5):
        b[0, 0] = a[1, :1]
    if kind == 2:
        a[0, 0] = [5.0]
    if kind == 3:
        a[0, int(a[0, 0])] = np.ones((1, 1))
    if kind == 4:
        a[0, 0] += a[1, :1]
    if kind == 6:
        a[0] = a[1, :1]
        a[:1, 0] = [7.0]
        a[1, 1] = np.array(4.0)
    if kind == 7:
        a[[0], 0] = a[1, :1]
    return a, b


@program(*KINDS)
def attributes_that_are_set(a, kind):
    if kind == 1:
        a.T = a
    if kind == 2:
        a.anything = 1
    if kind == 3:
        a.sum().anything = 1
    if kind == 4:
        a.flat = 3
    if kind == 5:
        a.real = a * 2
    if kind == 6:
        a = a.astype(complex)
        a.imag = 1.5
    if kind == 7:
        a.resize(2, 3)
        a.put([0, 4], [8.0, 9.0])
    return a


@program(*KINDS)
def what_scalars_are_not(a, kind):
    whole = a.astype(int)
    if kind == 1:
        return len(a[0, 0])
    if kind == 2:
        return [one for one in a[0, 0]]
    if kind == 3:
        return range(a[0, 0])
    if kind == 4:
        return [1, 2, 3][whole[0, :1]]
    if kind == 5:
        return a["a"]
    if kind == 6:
        return a()
    if kind == 7:
        return len(np.array(2.0) * a[0, 0]), list(np.ones(()))
    return len(a[0]), list(a[0]), range(whole[0, 0]), [1, 2, 3][whole[0, 0]]


@program(*KINDS)
def lengths_that_do_not_fit(a, kind):
    if kind == 1:
        return np.dot(a[0], a[0, :2])
    if kind == 2:
        return a.dot(a)
    if kind == 3:
        return np.inner(a, a[0, :2])
    if kind == 4:
        return np.interp(a, [0, 1], [0])
    if kind == 5:
        return np.polyfit(a[0], a[0, :2], 1)
    if kind == 6:
        return np.polyfit(a, a, 1)
    if kind == 7:
        return np.interp(a, a[0, :0], a[0, :0])
    return np.dot(a[0], a[1]), a.dot(a.T), np.inner(a, a[0]), np.interp(1.5, [0, 1, 2], a[0])


@program(*KINDS, case(TABLE, 9), compiled=True)
def floats_in_arrays_of_integers(a, kind):
    counts = np.zeros(4, np.int64)
    small = np.zeros(2, np.uint8)
    whole = a[0, 0] * 7.9
    if kind == 1:
        whole = whole * np.nan
    if kind == 2:
        whole = whole * np.inf
    if kind == 3:
        whole = whole * 1e30
    if kind == 4:
        counts[1] = [np.nan, 2.0][int(a[0, 0]) - 1]
    if kind == 5:
        counts[:2] = [np.nan, 2.0]
    if kind == 6:
        small[:] = [300, 1]
    if kind == 7:
        counts[2:] = np.array(whole)
    counts[0] = whole
    counts[1:3] = whole + 0.5
    small[0] = whole - 12
    for place in range(len(counts)):
        counts[place] = counts[place] + a[0, place % 3]
    return counts, small


@program(case(TABLE), case(TABLE * 2.5), compiled=True)
def real_parts_of_complex_arrays(a):
    turned = np.exp(1j * a)
    b, c = a.copy(), np.zeros(3, int)
    b[0] = turned[0]
    b[1, 0] = turned[1, 0]
    c[:] = 10 * turned[1]
    return b, c, turned.astype(float), float(turned[0, 0]), int(10 * turned[0, 0]), turned


@program(case(TABLE), refused="StateError", naming=("np.errstate",))
def errors_of_floats_that_raise(a):
    with np.errstate(divide="raise"):
        try:
            return 1 / (a - 1)
        except FloatingPointError as error:
            return str(error)


@program(case(TABLE), refused="StagedValueError", naming=("hash",))
def hash_of_a_scalar(a):
    try:
        return hash(a[0, 0])
    except TypeError:
        return a


@program(case(TABLE), case(TABLE + 1.0))
def errors_of_floats_that_are_ignored(a):
    with np.errstate(divide="ignore", invalid="warn"):
        ratio = a / (a + 1)
    return np.nan_to_num(ratio)


@program(case(np.array([1.0, 2.0])), case(np.array([3.0, -1.0])))
def numbers_that_are_no_arrays(x):
    found = []
    for action in (
        lambda: x[0] @ x[1],
        lambda: 2.0 @ x[0],
        lambda: round(x[0] > 1),
        lambda: np.sum(x) @ 1,
        lambda: math.gcd(2.5, int(x[0])),
    ):
        try:
            found.append(action())
        except (TypeError, ValueError) as error:
            found.append((type(error).__name__, str(error)))
    try:
        del x[0]
    except ValueError as error:
        found.append(str(error))
    return found


@program(case(), refused="ArgumentError", naming=("numpy.matrix", "made in a staged function"))
def a_matrix_made_of_constants():
    return np.asmatrix([[1.0, 2.0], [3.0, 4.0]]) * np.asmatrix([[1.0, 2.0], [3.0, 4.0]])


@program(case(), refused="ArgumentError", naming=("MaskedArray",))
def a_mean_that_leaves_out():
    return np.ma.array([1.0, 2.0, 3.0], mask=[0, 0, 1]).mean()


@program(case(np.eye(2)), refused="ArgumentError", naming=("numpy.matrix",))
def an_array_times_a_matrix(a):
    return a * np.matrix([[1.0, 2.0], [3.0, 4.0]])


SOME = np.array([1.0, 4.0, 2.0, 3.0])
FOUND = [case(SOME, 2.0), case(SOME, 9.0), case(SOME, 3.0), case(np.array([5.0]), 1.0)]


@program(*FOUND, compiled=True)
def caught_where_nothing_is_found(x, least):
    results = []
    for largest in (np.max, np.argmax, np.ptp, np.minimum.reduce, min):
        try:
            results.append(float(largest(x[x > least])))
        except ValueError as error:
            results.append(str(error))
    try:
        results.append(x.reshape(-1, 1)[x > least].max(axis=0))
    except ValueError:
        results.append(None)
    return results


@program(*FOUND)
def best_of_what_is_found(x, least):
    best = 0.0
    for k in range(3):
        try:
            best += x[x > least + k].min()
        except ValueError:
            best -= 1
            continue
        finally:
            best *= 2
    return best


@program(case(SOME, 2.0), case(SOME, 1.0), case(SOME, 9.0))
def caught_products_and_joins(x, least):
    found = x[x > least]
    results = []
    for action in (
        lambda: found @ np.ones((3, 2)),
        lambda: np.ones((2, 3)) @ found,
        lambda: np.concatenate([found.reshape(1, -1), np.ones((1, 3))]),
        lambda: np.vstack([np.zeros((2, 2)), found]),
        lambda: np.hstack([found, np.ones(2)]),
    ):
        try:
            results.append(action())
        except ValueError as error:
            results.append(str(error))
    return results


@program(case(np.array([0.0, 0.0, 1.0, 2.0])), case(np.array([1, 2, 0, 1])))
def logical_functions_along_axes(a):
    rows = a.reshape(2, -1)
    along = np.logical_or.accumulate(rows, axis=1), np.logical_xor.accumulate(a)
    return along, np.logical_and.accumulate(a != 0), np.logical_xor.reduce(a)


@program(*FOUND)
def smallest_of_those_chosen(x, least):
    try:
        return np.min(x, where=x > least), np.min(x, where=x > least, initial=7.0)
    except ValueError as error:
        return str(error), np.max(x, where=x > least, initial=-1.0)
