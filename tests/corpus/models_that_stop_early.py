"""Models that return from the midst of their layers, and what is kept of many such calls."""

from __future__ import annotations

from dataclasses import dataclass

import autograph as ag
from tests.corpus.registry import case, program

t = ag.asarray
XS = case(t([1.0, 5.0, 40.0]), 2.0), case(t([1.0, 0.5]), 3.0), case(t([100.0] * 4), 0.5)


def exit_as_dict(x, threshold):
    for depth in range(3):
        x = x * 0.5
        if x < threshold:
            return {"label": int(x), "depth": depth, "left": x}
    return {"label": int(x), "depth": None, "left": x}


@program(*XS, compiled=True)
def dicts_of_early_exits(xs, threshold):
    """The last dict holds the tensor that another one held, or none: they are one by value."""
    results = [exit_as_dict(x, threshold) for x in xs]
    return results, [q["depth"] for q in results], sum(1 for q in results if q["depth"] is None)


@dataclass
class Exit:
    left: object
    depth: object = None
    why: str = "end"


def exit_as_object(x, threshold):
    before = x
    for depth in range(3):
        before, x = x, x * 0.5
        if x < threshold:
            return Exit(before, depth, "small")
    return Exit(x)


@program(*XS)
def objects_of_early_exits(xs, threshold):
    results = []
    for x in xs:
        found = exit_as_object(x, threshold)
        if found.depth != 1:
            results.append(found)
    return results, [q.why for q in results], sum(q.left for q in results)


@program(*XS)
def last_of_the_early_exits(xs, threshold):
    best, table = None, {}
    for k, x in enumerate(xs):
        found = exit_as_dict(x, threshold)
        table[k] = found
        if best is None or found["left"] > best["left"]:
            best = found
    return best["label"], best["depth"], table
