"""`itertools.groupby` of staged items, keys and lengths."""

from __future__ import annotations

import itertools

import autograph as ag
from tests.corpus.registry import case, program

t = ag.asarray
NUMBERS = (case(t(11233)), case(t(7)), case(t(0)))
SIZES = (case(t(5)), case(t(2)), case(t(0)))


@program(*NUMBERS, compiled=True)
def run_lengths(n):
    text = str(int(n))
    return "".join(k + str(len(list(g))) for k, g in itertools.groupby(text))


@program(*NUMBERS)
def look_and_say(n):
    text = str(int(n))
    for _ in range(3):
        said = ""
        for k, g in itertools.groupby(text):
            said += str(len(list(g))) + k
        text = said
    return text


@program(*SIZES)
def groups_of_lists(n):
    n = int(n)
    return (
        [(k, list(g)) for k, g in itertools.groupby([n, n, 3, 4, 4])],
        {k: sum(g) for k, g in itertools.groupby([1, 1, 2, n])},
        [k for k, _ in itertools.groupby(sorted([n, 3, 3, 1]))],
    )


@program(*SIZES)
def groups_by_keys(n):
    return (
        [(k, list(g)) for k, g in itertools.groupby(range(n), key=lambda v: v // 3)],
        [(k, list(g)) for k, g in itertools.groupby([1, 2, 3, 4], key=lambda v: v > n)],
        [(k, [v * 2 for v in g]) for k, g in itertools.groupby(["a", "b", "cc"], key=len)],
    )


@program(*SIZES)
def groups_that_are_left(n):
    found = []
    for k, g in itertools.groupby(range(n), key=lambda v: v // 2):
        for v in g:
            found.append((k, v))
            if v % 2 == 0:
                break
    return found


@program(*SIZES)
def longest_run(n):
    runs = [len(list(g)) for k, g in itertools.groupby(f"{int(n):b}") if k == "1"]
    return max(runs, default=0)
