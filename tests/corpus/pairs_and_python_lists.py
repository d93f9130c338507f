"""Pairs in lists, lists extended by generators, tensors as Python's lists."""

from __future__ import annotations

import autograph as ag
from tests.corpus.registry import case, program

t = ag.asarray
N = (case(t(3)), case(t(0)), case(t(5)), case(t(1)))
V = (
    case(t([1.0, -2.0, 3.0])),
    case(t([3.0, 5.0, 1.0])),
    case(t([-1.0, 2.0, -4.0])),
)


V = [case(t([1.0, -2.0, 3.0])), case(t([3.0, 5.0, 1.0])), case(t([-1.0, 2.0, -4.0]))]


@program(*N)
def in_list(n):
    return (int(n), 1) in [(5, 1), (0, 1)], (int(n), 1) not in [(5, 1), (1, 1)]


@program(*N)
def in_grown(n):
    vis = []
    for i in range(n):
        if (i % 2, i // 2) not in vis:
            vis.append((i % 2, i // 2))
        if (1, 0) in vis:
            vis.append((9, 9))
    return vis, (1, 0) in vis


@program(*N)
def methods_of_pairs(n):
    k = int(n)
    xs = [(5, 2), (k, 2), (3, 2)]
    return xs.count((5, 2)), xs.index((3, 2)), xs.count((k, 2))


@program(*N)
def pair_removed(n):
    k = int(n)
    xs = [(5, 2), (k, 2), (3, 2)]
    xs.remove((3, 2))
    return xs


@program(*N)
def in_lists(n):
    return [3, 2] in [[1, 2], [int(n), 2]], [int(n)] in ([0], [1])


@program(*N)
def grid_walk(n):
    walls = [(0, 1), (1, 1), (2, 0)]
    x, y = 0, 0
    steps = []
    for i in range(n):
        nxt = (x + 1, y) if i % 2 == 0 else (x, y + 1)
        if nxt in walls:
            nxt = (x, y + 2)
        x, y = nxt
        steps.append((x, y))
    return steps


@program(*N)
def extend_gen(n):
    xs = [7]
    xs.extend(i for i in [1, 2, 3] if i < n)
    xs.extend(i * 2 for i in range(n))
    s = {9}
    s.update(i for i in [1, 2, 3] if i < n)
    return xs, sorted(s)


@program(*N)
def dfs_stack(n):
    adj = {0: [1, 2], 1: [3], 2: [3], 3: []}
    seen = []
    stack = [0]
    while stack:
        u = stack.pop()
        if u in seen or u >= n:
            continue
        seen.append(u)
        stack.extend(w for w in adj[u] if w not in seen)
    return seen


@program(*V)
def python_lists(v):
    y = v * 2
    return y.tolist(), sum(y.tolist()), [x for x in y.tolist() if x > 1]


@program(*V)
def nested_python_lists(v):
    m = ag.stack([v, v + 1])
    return m.tolist(), v[0].tolist(), (v > 0).tolist()


@program(*N)
def fizz_or(n):
    for i in range(n):
        print("Fizz" * (i % 3 == 0) + "Buzz" * (i % 5 == 0) or i)


@program(*N)
def iter_reversed(n):
    class Stack:
        def __init__(self):
            self.items = []

        def push(self, x):
            self.items.append(x)

        def __iter__(self):
            return reversed(self.items)

    s = Stack()
    for i in range(n):
        s.push(i)
    out = 0
    for x in s:
        out = out * 10 + x
    return list(s), out


@program(*N)
def left_over(n):
    it = iter([1, 2, 3, 4, 5])
    first = next(it) if n > 2 else 0
    return first, list(it), sum(it)
