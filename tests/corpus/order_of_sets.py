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


LOSING = tuple(case(t(x), t(n)) for x, n in (([3, 2, 9], 2), ([5, 0, 1], 0), ([4, 4, 4], 3)))
NEAR = np.array([[0, 4, 1, 0], [4, 0, 2, 5], [1, 2, 0, 8], [0, 5, 8, 0.0]])


@program(case(NEAR, 0), case(NEAR[::-1, ::-1].copy(), 0), case(NEAR * (NEAR < 5), 0))
def nearest_of_the_unvisited(w, start):
    n = w.shape[0]
    dist = [float("inf")] * n
    dist[start] = 0.0
    unvisited = set(range(n))
    order = []
    while unvisited:
        u = min(unvisited, key=lambda i: dist[i])
        unvisited.remove(u)
        order.append(u)
        for v in range(n):
            if v in unvisited and w[u, v] > 0:
                if dist[u] + w[u, v] < dist[v]:
                    dist[v] = dist[u] + w[u, v]
    return dist, order


@program(*LOSING)
def gone_over_after_members_left(x, n):
    s = {0, 3, 5, 2}
    for v in x:
        s.discard(int(v))
    out = []
    for k in s:
        out.append(k)
    return out, len(s), max(s, default=-1), list(s), [k * 2 for k in s]


@program(*LOSING)
def popped_from_known_members(x, n):
    s = set(range(6))
    s.discard(int(x[0]))
    out = []
    while len(s) > n:
        out.append(s.pop())
        s.discard(int(x[1]))
    return out, sorted(s)


@program(*LOSING)
def popped_until_empty(x, n):
    s = {1, 2}
    s.discard(int(x[0]))
    s.pop()
    s.pop()
    return s


@program(*LOSING)
def nearest_of_those_left(x, n):
    left = set(range(5))
    path = [0]
    left.remove(0)
    while left:
        last = path[-1]
        best = min(left, key=lambda k: abs(x[k % 3] - x[last % 3]) + 0.1 * k)
        path.append(best)
        left.remove(best)
    return path


EDGES = {0: [1, 2], 1: [3], 2: [3, 4], 3: [5], 4: [5], 5: []}


@program(case(t(1.5)), case(t(-2.0)))
def a_worklist_that_is_known(x):
    todo, seen, total = {0}, set(), x * 0
    while todo:
        place = todo.pop()
        seen.add(place)
        total = total + place * x
        for after in EDGES[place]:
            if after not in seen:
                todo.add(after)
    return total, sorted(seen)


@program(case(t(1.5)), case(t(0.5)))
def a_worklist_of_so_many_turns(x):
    todo, seen, order, total = {0}, set(), [], x * 0
    for _ in range(40):
        if not todo:
            break
        place = todo.pop()
        seen.add(place)
        order.append(place)
        for _ in range(20):
            total = total * 0.5 + ag.abs(place * x - total)
        todo.update(after for after in EDGES[place] if after not in seen)
    return ag.round(total), order


@program(case(t(2.0), t(1)), case(t(0.0), t(3)), case(t(5.0), t(0)))
def popped_in_branches_and_loops(x, n):
    todo, left, found = {0, 1, 2}, {0, 1, 2, 3}, []
    if x > 1:
        found.append(todo.pop())
        todo.add(7)
        found.append(todo.pop())
    k = -1
    while n < 3:
        n = n + 1
        if left:
            k = left.pop()
    return found, sorted(todo), k, sorted(left)


@program(case(t(2.0)), case(t(0.0)))
def popped_and_joined_before_a_branch(x):
    left = {1, 2, 3}
    found = [left.pop()]
    left |= {0}
    if x > 1:
        found.append(left.pop())
    return found, sorted(left)
