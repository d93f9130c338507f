"""Strings joined of generators and maps of many items of an array: a staged loop makes them."""

from __future__ import annotations

import numpy as np

from autograph import asarray as t
from tests.corpus.registry import case, program

A = np.arange(20)
CASES = (case(A), case(A[::-1] * 7), case(A[:3]))


@program(*CASES, compiled=True)
def looked_into(a):
    joined = ",".join(str(v) for v in a)
    return "".join(str(v) for v in a)[:7], joined[-5:], joined.count("1"), "".join(map(str, a))[:7]


@program(*CASES)
def only_shown(a):
    shares = a / 3
    first = ", ".join(f"{v:.2f}" for v in shares), "|".join(map(repr, shares))
    return *first, " ".join("%d:%s" % (v, v > 2) for v in a), "".join("#" * int(v) for v in a)


@program(*CASES)
def chosen_and_nested(a):
    picture = "\n".join("".join("#" if v > k else "." for v in a) for k in a)
    pairs = "".join(str(v) + str(w) for v, w in zip(a, a[::-1]) if v > 3)
    return picture, pairs, "".join(str(w) for v in a for w in (v, -v))[3:9]


@program(*CASES)
def asked_again(a):
    shown, mapped, begun = (str(v) for v in a), map(str, a), (str(v) for v in a)
    first = next(begun)
    return [*map("".join, (shown, shown, mapped, mapped, begun))], first


@program(*CASES)
def what_is_done_on_the_way(a):
    seen, table = [], {}

    def show(v):
        seen.append(str(v) if len(seen) % 2 else v)
        table[len(table)] = [v, "x"][len(table) % 2]
        return str(v)

    return "".join(map(show, a))[:9], "".join(show(v) for v in a)[:9], seen, table


@program(*CASES)
def raised_on_the_way(a):
    def show(v):
        if v > 15:
            raise KeyError(int(v))
        return "x"

    try:
        return "".join(show(v) for v in a)
    except KeyError as error:
        return str(error)


@program(*CASES)
def joined_of_numbers(a):
    found = []
    for items in ((v + 1 for v in a), map(abs, a)):
        try:
            found.append("".join(items))
        except TypeError:
            found.append("no strings")
    return found


@program(case(t(4)), case(t(2)), case(t(0)))
def one_of_several_lists_changed_and_joined(n):
    parts = ["a", "c"]
    if n > 3:
        parts = []
        parts.append("b")
    for _ in range(n):
        parts[0] += " "
    return "".join(parts), "-".join(parts if n > 2 else (str(int(n)), "x"))
