"""Sets of ints that `set(items)` makes are gone over in CPython's order."""

from __future__ import annotations

import numpy as np

import autograph as ag
from tests.corpus.registry import case, program

t = ag.asarray
VOTES = (
    case(t([3, 1, 4, 1, 5, 4])),
    case(t([9, 33, 17, 9, 17, 33, 1])),
    case(t([-1, -9, 40, 8, -1, 16, 8, 24])),
    case(t([2, 100, 7, 1 << 40, 65, 129, 7, 3, 11, 19])),
)
LABELS = (
    case(np.array([2, 0, 1, 1, 0]), np.array([0.1, 0.9, 0.2, 0.4, 0.3]), 3),
    case(np.array([8, 0, 16, 24, 8, 0]), np.array([0.1, 0.9, 0.2, 0.4, 0.3, 0.5]), 4),
)


@program(*VOTES, compiled=True)
def majority(xs):
    votes = [int(x) for x in xs]
    return max(set(votes), key=votes.count)


@program(*VOTES)
def gone_over(xs):
    votes = [int(x) for x in xs]
    members = set(votes)
    seen = []
    for one in members:
        if one % 2:
            continue
        seen.append(one * 10)
    return seen, list(members), tuple(set(votes)), [one + 1 for one in members]


@program(*LABELS, compiled=True)
def nearest_neighbours(labels, distances, k):
    nearest = np.argsort(distances)[:k]
    votes = [labels[i] for i in nearest]
    return max(set(votes), key=votes.count), sorted(set(votes))


@program(*VOTES)
def counted(xs):
    votes = [int(x) for x in xs]
    return {one: votes.count(one) for one in set(votes)}


@program(*VOTES[:2])
def changed_meanwhile(xs):
    members = set([int(x) for x in xs])
    for one in members:
        if xs[0] > 5:
            members.add(one + 1000)
    return sorted(members)


@program(case(t([3, 1])), refused="StateError", naming=("order",))
def added_to_afterwards(xs):
    members = set([int(x) for x in xs])
    for x in xs:
        members.add(int(x) * 8)
    return list(members)
