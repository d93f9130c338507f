"""Random programs over objects that are linked: trees with parents, nodes that hold themselves.

Nodes are made plainly, by a comprehension over numbers or over a tensor, and by a method; they get
children, parents, entries of a dict, and keys of their own in dicts and sets; under staged
conditions, in loops over numbers and staged ones. Then they are gone over: down, up, by recursion
with a set of what was seen.
"""

from __future__ import annotations

import random
from typing import Any

import numpy as np

import autograph as ag

FIRST_OF_GRAPHS = 6_000_000
TURNS = 4
TEXT = """\
from collections import deque

import autograph as ag


class Node:
    def __init__(self, v, up=None):
        self.v, self.up, self.kids, self.named, self.me = v, up, [], {{}}, {me}

    def add(self, v):
        kid = Node(v, self)
        self.kids.append(kid)
        return kid


def total(node, depth=3):
    if node is None or depth == 0:
        return 0
    return node.v + sum([total(kid, depth - 1) for kid in node.kids])


def climb(node):
    found = []
    while node is not None and len(found) < 6:
        found.append(node.v + 0)
        node = node.up
    return found


def breadth(node, most):
    queue, found = deque([node]), []
    while queue and len(found) < most:
        one = queue.popleft()
        found.append(one.v + 0)
        queue.extend(one.kids)
    return found


def visit(node, seen):
    if node not in seen:
        seen.add(node)
        for kid in [*node.kids, *node.named.values()]:
            visit(kid, seen)


def make(stage):
    @stage
    def program(x, n, row):
        i, found, table = 0, [], {{}}
{start}
        nodes = [a, b]
{body}
        values = [one.v + 0 for one in (a, b, c, *nodes)]
        sizes = len(a.kids), len(table), sorted(a.named), a is b, c.up is a, a.me is a
        return found, values, sizes, total(a) + 0, climb(c)

    return program, lambda: None
"""
STARTS = (
    "a = Node(1.0)\nb = Node(x, a)\nc = b",
    "a, b, c = [Node(v) for v in (1.0, 2.0, 3.0)]",
    "a, b, c = [Node(v) for v in row]",
    "a = Node(x)\nb = a.add(x + 1)\nc = b.add(2.0)",
)
NODES = (
    *("a", "b", "c") * 2,
    *("(a.me or b)", "(a.up or b)", "nodes[0]", "nodes[-1]", "a.named.get(1, b)"),
    *("(b.kids[0] if b.kids else c)", "(a.kids[-1] if a.kids else a)"),
)
VALUES = ("x", "x + 1", "x * 2", "1.0", "a.v", "c.v + x", "float(len(a.kids))", "2.0 * i")
CONDITIONS = (
    *("x > 0", "x > i", "$N is $N", "len($N.kids) < 2", "$N.v > 1", "$N in nodes", "1 in $N.named"),
    *("i % 2 == 0", "$N.up is None", "bool($N.kids)"),
)
LOOPS = ("for i in range(2):", "for i in range(3):", "for i in range(int(n)):")
STATEMENTS = (
    *("$V = Node($E, $N)", "$V = Node($E)", "$V = $N", "$V = $N.add($E)", "$N.add($E)"),
    *("$V.v = $E", "$V.v += $E", "$V.up = $N", "$V.named[1] = $N", "$V.named[i] = $N"),
    *("$V.me = $N", "nodes.append($N)", "nodes = [$N, $N]", "$V.kids = [$N]", "$V.kids.append($N)"),
    *("$V, $V = $N, $N", "$V.kids.clear()", "del $V.kids[:1]", "table[$N] = $E"),
    *("nodes = [one for one in nodes if one is not $N]", "$V = $V if $C else $N"),
    *("for kid in $N.kids:\n    kid.v = kid.v + 1", "nodes.sort(key=lambda one: one.v)"),
    *("found.append($E + 0)", "found.append(total($N) + 0)", "found.append(climb($N))"),
    *("found.append($N is $N)", "found.append(len(nodes))", "found.append($C)"),
    *("seen = set()\nvisit($N, seen)\nfound.append(len(seen))", "found.append(breadth($N, 6))"),
    *("found.append(sorted($N.named))", "found.append([kid.v + 0 for kid in $N.kids])"),
    *("found.append($N in table)", "found.append(table.get($N, 0) + 0)"),
)


def _filled(rng: random.Random, form: str) -> str:
    """A form with a condition, nodes, values and variables in their places."""
    for mark, choices in (("$C", CONDITIONS), ("$E", VALUES), ("$N", NODES), ("$V", "abc")):
        while mark in form:
            form = form.replace(mark, rng.choice(choices), 1)
    return form


def _statement(rng: random.Random, depth: int) -> list[str]:
    """The lines of a statement, and of those in it."""
    kind = rng.random() if depth else 1.0
    if kind > 0.42:
        return _filled(rng, rng.choice(STATEMENTS)).split("\n")
    if kind > 0.36:
        test = _filled(rng, f"while k < {rng.choice(('2', 'n'))} and $C:")
        return ["k = 0", test, "    k += 1", *_block(rng, depth - 1)]
    if kind > 0.22:
        return [rng.choice(LOOPS), *_block(rng, depth - 1)]
    other = ["else:", *_block(rng, depth - 1)] if rng.random() < 0.5 else []
    return [_filled(rng, "if $C:"), *_block(rng, depth - 1), *other]


def _block(rng: random.Random, depth: int) -> list[str]:
    lines = [line for _ in range(rng.randint(1, 3)) for line in _statement(rng, depth)]
    return ["    " + line for line in lines]


def source_of(seed: int) -> str:
    """The text of program number `seed`."""
    rng = random.Random(seed)
    start = rng.choice(STARTS).split("\n")
    body = [line for _ in range(rng.randint(4, 9)) for line in _statement(rng, 2)]
    return TEXT.format(
        me=rng.choice(("self", "None")),
        start="\n".join(" " * 8 + line for line in start),
        body="\n".join(" " * 8 + line for line in body),
    )


def arguments(seed: int, turn: int) -> tuple[Any, ...]:
    """A tensor, a staged number, and a tensor of three elements."""
    rng = np.random.default_rng([seed, turn])
    row = ag.asarray((rng.integers(-8, 8, size=3) / 4).astype(np.float32))
    return (
        ag.asarray(float(rng.integers(-8, 8)) / 4),
        ag.asarray(np.int64(rng.integers(0, 4))),
        row,
    )
