"""Lists of lists of which each is longer than the last, and what recursion returns of them."""

from __future__ import annotations

import autograph as ag
from tests.corpus.registry import case, program


@program(case(ag.asarray(3)), case(ag.asarray(5)))
def pascal_sum(n):
    rows = [[1]]
    total = 0
    while len(rows) < n:
        last = rows[-1]
        new = [1]
        for i in range(len(last) - 1):
            new.append(last[i] + last[i + 1])
        new.append(1)
        rows.append(new)
        total += sum(new)
    return rows[-1], total, len(rows)


@program(case(ag.asarray(3)), case(ag.asarray(5)))
def triangle(n):
    rows = [[1]]
    for _ in range(n):
        rows.append(rows[-1] + [len(rows[-1])])
    return rows, [len(r) for r in rows]


@program(case(ag.asarray(3)), case(ag.asarray(5)))
def prefixes(n):
    out = [[]]
    for i in range(n):
        out.append([*out[-1], i])
    return out


@program(case(ag.asarray(3)), case(ag.asarray(5)))
def powerset(n):
    out = [[]]
    for i in range(n):
        out = out + [s + [i] for s in out]
    return out


@program(case(ag.asarray(3)), case(ag.asarray(4)))
def powerset_grow(n):
    out = [[]]
    for i in range(n):
        for s in list(out):
            out.append(s + [i])
    return out


@program(case(ag.asarray(3)), case(ag.asarray(5)))
def dict_rows(n):
    memo = {0: [1]}
    for i in range(n):
        memo[i + 1] = memo[i] + [i]
    return memo


@program(case(ag.asarray(3)), case(ag.asarray(5)))
def slices_of(n):
    items = [1, 2, 3, 4, 5, 6]
    out = []
    for i in range(n):
        out.append(items[:i])
    return out


@program(case(ag.asarray(3)), case(ag.asarray(5)))
def fixed_rows(n):
    table = [[1], [1, 2], [1, 2, 3], [4, 5, 6, 7], [1, 1, 1, 1, 1], []]
    for i in range(n):
        table[i].append(i)
    return table


@program(case(ag.asarray(3)), case(ag.asarray(5)))
def fixed_rows_grow(n):
    table = [[1], [1, 2], [1, 2, 3], [4, 5, 6, 7], [1, 1, 1, 1, 1], []]
    for i in range(n):
        table.append([i])
    table[n].append(5)
    return table


@program(case(ag.asarray(3)), case(ag.asarray(5)))
def mixed_rows(n):
    table = [["a"], [1, 2], [1.5, 2, 3], [4, None, 6, 7], [1, 1, 1, 1, 1], []]
    for i in range(n):
        table.append([i])
    return table, table[n]


@program(case(ag.asarray(3)), case(ag.asarray(5)))
def histories(n):
    history = [[0]]
    x = 0
    while x < n:
        x += 1
        history.append(history[-1] + [x * x])
        if len(history) > 4:
            history.pop(0)
    return history


@program(case(ag.asarray(3)), case(ag.asarray(2)))
def compositions(n):
    out = [[[]]]
    for total in range(1, n + 1):
        rows = []
        for first in range(1, total + 1):
            for rest in out[total - first]:
                rows.append([first] + rest)
        out.append(rows)
    return out[n]


@program(case(ag.asarray(3)), case(ag.asarray(5)))
def pascal(n):
    rows = [[1]]
    for _ in range(n):
        last = rows[-1]
        rows.append([1] + [a + b for a, b in zip(last, last[1:])] + [1])
    return rows


def perm_into(items, prefix, out):
    if len(items) == 0:
        out.append(list(prefix))
    for i in range(len(items)):
        perm_into(items[:i] + items[i + 1 :], prefix + [items[i]], out)


@program(case(ag.asarray(3)))
def perms_into(n):
    out = []
    perm_into(list(range(n)), [], out)
    return out


def comp_into(n, prefix, out):
    if n == 0:
        out.append(list(prefix))
    for k in range(1, n + 1):
        comp_into(n - k, prefix + [k], out)


@program(case(ag.asarray(3)))
def comps_into(n):
    out = []
    comp_into(n, [], out)
    return out


def comps_list(n):
    if n == 0:
        return [[]]
    out = []
    for k in range(1, n + 1):
        for rest in comps_list(n - k):
            out.append([k] + rest)
    return out


@program(case(ag.asarray(3)))
def comps_rec(n):
    return comps_list(n)


def perms(items):
    if len(items) <= 1:
        return [list(items)]
    out = []
    for i in range(len(items)):
        for rest in perms(items[:i] + items[i + 1 :]):
            out.append([items[i]] + rest)
    return out


@program(case(ag.asarray(3)))
def perms_staged(n):
    return perms(list(range(n)))


def power_set(items):
    if not items:
        return [[]]
    rest = power_set(items[1:])
    return rest + [[items[0]] + s for s in rest]


@program(case(ag.asarray(3)))
def pset(n):
    return power_set(list(range(n)))


@program(case(ag.asarray(3)), case(ag.asarray(2)))
def beams_filtered(n):
    beams = [[0]]
    for _ in range(n):
        beams = [one + [k] for one in beams for k in range(2)]
        beams = [one for one in beams if one[-1] > 0]
    return beams
