"""Values of several kinds, of which the run takes one: the others' parts were made on no path."""

from __future__ import annotations

import autograph as ag
from tests.corpus.registry import case, program

t = ag.asarray
N = (case(t(0)), case(t(2)), case(t(3)))


@program(*N)
def the_best_path_so_far(n):
    path, best = [], None
    for i in range(n):
        path.append([i])
        best = tuple(path)
    return best


@program(*N)
def a_tuple_of_itself(n):
    out = []
    for i in range(n):
        out.append(f"{i}")
    if n > 2:
        out.append(tuple(out))
    return out


@program(*N)
def pairs_behind_numbers(n):
    out = [0] * n
    out.append([1, 2])
    out.append(list(zip(*[(i, i) for i in range(n)])))
    return out


@program(*N)
def ranges_behind_nothing(n):
    out = [None]
    for i in range(n):
        out.append(range(i))
    return out


@program(*N)
def keys_beside_tuples(n):
    out, seen = [], {}
    for i in range(n):
        out.append((1, "b"))
        seen[len(out)] = i / 2
        out.insert(i, list(seen))
    out.append(out and out[0])
    return out


@program(case(t([1, 2, 3])), case(t([4, 0])))
def stars_by_parity(xs):
    groups = {}
    for x in xs:
        groups.setdefault(int(x) % 2, []).append("*" * int(x))
    return groups


@program(*N)
def triangles_of_strings(n):
    rows = [["x" * j for j in range(i)] for i in range(n)]
    joined = []
    for i in range(n):
        joined.append(" ".join("ab" * j for j in range(i + 1)))
    return rows, joined


@program(*N)
def names_as_they_grow(n):
    names, history = [], []
    for i in range(n):
        names.append("x" * i)
        history.append(list(names))
    return history


@program(*N)
def strings_behind_a_number(n):
    out = [1]
    for i in range(n):
        out.append("ab" * i)
        out.append(out and out[0])
    return out


@program(case(t(3)), case(t(-3)), case(t(0)))
def strings_times_a_condition(n):
    n = int(n)
    sign = "-" * (n < 0) + "zero" * (n == 0)
    return sign, (sign + "!") * (n > 0), sign or "plus"
