"""`zip(*rows)` and `print(*row)` of rows of which there are as many as the run tells."""

from __future__ import annotations

import functools

import autograph as ag
from tests.corpus.registry import case, program

N = (case(ag.asarray(4)), case(ag.asarray(0)), case(ag.asarray(1)))


@program(*N)
def printed_at_once(n):
    row = [i * i for i in range(n)]
    print(*row)
    print(*row, sep=", ", end=";\n")
    print(*[float(i) for i in range(n)], sep="")
    return row


@program(*N)
def transposed(n):
    rows = [[i * 3 + j for j in range(2)] for i in range(n)]
    return [list(column) for column in zip(*rows)]


@program(*N)
def taken_apart(n):
    pairs = []
    for i in range(n):
        pairs.append((i, i * 0.5))
    if pairs:
        firsts, seconds = zip(*pairs)
        return firsts, sum(seconds), max(firsts)
    return None


@program(*N)
def spiral(n):
    rows = [[i * 3 + j for j in range(n)] for i in range(n)]
    out = []
    while rows:
        out += rows.pop(0)
        rows = [list(row) for row in zip(*rows)][::-1]
    return out


@program(*N)
def sums_of_columns(n):
    table = {i: [i, i + 1] for i in range(n)}
    return [sum(column) for column in zip(*table.values())]


@program(*N)
def digits_backwards(n):
    digits, k = [], int(n) * 37
    while k:
        k, digit = divmod(k, 16)
        digits.append("0123456789abcdef"[digit])
    numbers = [i for i in range(int(n))]
    number = functools.reduce(lambda a, d: a * 10 + d, reversed(numbers), 0)
    return "".join(reversed(digits)), number, functools.reduce(max, iter(numbers), -1)
