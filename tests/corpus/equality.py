"""Containers of all kinds with staged values in them, compared."""

from __future__ import annotations

import collections

import autograph as ag
from tests.corpus.registry import case, program

t = ag.asarray
S3 = (case(t(2.0)), case(t(-2.0)), case(t(0.25)))


@program(*S3)
def dicts(x):
    return (
        {"x": x, "y": 1} == {"x": x * 2, "y": 1},
        {"x": x} == {"y": x},
        {"a": x} != {"a": 2.0},
        {"a": [x]} == {"a": [2.0]},
    )


@program(*S3)
def sets_lists(x):
    return (
        [x, [1, x]] == [2.0, [1, 2.0]],
        (x,) == (x * 2,),
        (x, 1) < (2.0, 1),
        [x] >= [0.25],
        {int(x)} == {2},
        {int(x), 1} <= {1, 2},
    )


@program(*S3)
def nt_dataclass(x):
    P = collections.namedtuple("P", "a b")
    return P(x, 1) == (2.0, 1), P(x, 1) == P(x, 1), P(x, 1)._asdict() == {"a": 2.0, "b": 1}
