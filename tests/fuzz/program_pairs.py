"""Every pair of operations on one container that lives outside of the function.

A call of a program fills the container anew, with another number of items than the call before, so
that what a trace wrote down of the first call would be seen in the second. The operations meet
plainly, under a staged condition, in a staged loop, and in a loop over numbers of Python; the old
container is looked at beside the new one.
"""

from __future__ import annotations

import random
from itertools import product
from typing import Any

import numpy as np

import autograph as ag

FIRST_OF_PAIRS = 5_000_000
LENGTHS = (2, 0, 3, 1, 5, 2)
"""How many items the container has at the start of each call."""

LISTS = (
    "box.x.append(x)",
    "box.x += [y, x]",
    "box.x = box.x + [x]",
    "box.x = [y] + box.x",
    "box.x.extend(box.x[:2])",
    "box.x.extend(other)",
    "other.extend(box.x)",
    "other += box.x[1:]",
    "box.x[:1] = [y]",
    "box.x[1:] = other",
    "box.x.insert(1, y)",
    "box.x = []",
    "box.x.clear()",
    "box.x *= 2",
    "box.x.reverse()",
    "box.x = [v + 1.0 for v in box.x]",
    "box.x = list(box.x)",
    "box.x = other",
    "if box.x:\n    box.x[0] = y",
    "if box.x:\n    box.x[-1] += 1.0",
    "if box.x:\n    x = box.x.pop()",
    "if box.x:\n    del box.x[0]",
    "if len(box.x) > 1:\n    box.x[0], box.x[-1] = box.x[-1], box.x[0]",
    "for v in box.x:\n    x = x + v",
    "for i, v in enumerate(box.x):\n    if v > y:\n        box.x[i] = v - 1.0",
    "x = x + len(box.x)",
    "x = sum(box.x, x)",
    "x = max(box.x, default=x)",
    "box.x.sort(key=lambda v: -v)",
    "while len(box.x) > 3:\n    box.x.pop(0)",
    "box.old = box.x[:]",
    "box.old = box.x",
)
DICTS = (
    "box.x['a'] = x",
    "box.x['n'] = y",
    "box.x.update(m=x, a=y)",
    "box.x.update(other)",
    "other.update(box.x)",
    "box.x = {**box.x, 'c': x}",
    "box.x = dict(box.x)",
    "box.x = other",
    "box.x = {}",
    "box.x.clear()",
    "box.x |= {'d': y}",
    "x = box.x.pop('a', x)",
    "if 'b' in box.x:\n    del box.x['b']",
    "if box.x:\n    x = box.x.popitem()[1]",
    "if 'a' in box.x:\n    box.x['a'] += 1.0",
    "x = box.x.setdefault('e', y)",
    "x = box.x.get('a', y)",
    "for k in box.x:\n    x = x + box.x[k]",
    "for k, v in box.x.items():\n    box.x[k] = v + 1.0",
    "box.x = {k: v * 0.5 for k, v in box.x.items()}",
    "x = x + len(box.x)",
    "x = sum(box.x.values(), x)",
    "box.old = list(box.x)",
    "box.old = box.x.copy()",
)
DEQUES = (
    "box.x.append(x)",
    "box.x.appendleft(y)",
    "box.x += [y]",
    "box.x.extend(other)",
    "box.x.extendleft([x, y])",
    "box.x = deque(box.x)",
    "box.x = other",
    "box.x.clear()",
    "box.x.rotate(1)",
    "box.x.reverse()",
    "if box.x:\n    box.x[0] = y",
    "if box.x:\n    x = box.x.pop()",
    "if box.x:\n    x = box.x.popleft()",
    "while len(box.x) > 3:\n    box.x.popleft()",
    "for v in box.x:\n    x = x + v",
    "x = x + len(box.x)",
    "x = max(box.x, default=x)",
    "box.old = list(box.x)",
)
SETS = (
    "box.x.add(k)",
    "box.x.add(2)",
    "box.x |= {1, k}",
    "box.x = box.x | other",
    "box.x -= other",
    "box.x &= {0, 2, 4}",
    "box.x.update(other)",
    "other.update(box.x)",
    "box.x.discard(k)",
    "box.x = set(box.x)",
    "box.x = other",
    "box.x.clear()",
    "if 1 in box.x:\n    box.x.remove(1)",
    "if k in box.x:\n    x = x + 1.0",
    "x = x + len(box.x)",
    "k = max(box.x, default=k)",
    "k = sum(box.x) % 5",
    "box.old = sorted(box.x)",
    "box.old = list(box.x)",
    "for e in box.x:\n    x = x * 2.0 + e",
    "k = min(box.x, key=lambda e: (e - 2) * (e - 3), default=k)",
    "if box.x:\n    k = box.x.pop()",
    "if box.x:\n    box.x.remove(min(box.x))",
)
KINDS = {
    "list": (LISTS, "[t * 0.5 + float(i) for i in range(m)]"),
    "dict": (DICTS, "{c: t - float(i) for i, c in enumerate('abcde'[:m])}"),
    "deque": (DEQUES, "deque(t * 0.5 + float(i) for i in range(m))"),
    "set": (SETS, "set(range(m))"),
}
PAIRS = [(kind, *pair) for kind, (forms, _) in KINDS.items() for pair in product(forms, forms)]
SURROUNDINGS = (
    "",
    "if x > y:",
    "for _ in range(n):",
    "for _ in range(2):",
    "if n > 1:",
    "while n < 4:\n    n = n + 1",
)
TEXT = """\
from collections import deque

import autograph as ag


class Box:
    pass


def filled(t, m):
    return {start}


def make(stage):
    box = Box()
    box.x, box.old, box.last = filled(ag.asarray(1.0), 2), None, None
    other = filled(ag.asarray(3.0), 1)

    @stage
    def program(x, y, n):
        nonlocal other
        k = int(n) % 5
{body}
        return x, k

    def call(x, y, n, m):
        nonlocal other
        box.x, box.last, other = filled(x, m), box.x, filled(y, 2)
        try:
            return program(x, y, n)
        except Exception as error:  # a call that raises changes nothing
            if type(error) not in (RuntimeError, IndexError, KeyError, ValueError):
                raise
            box.x = box.last = box.old = other = None
            return type(error), str(error)

    return call, lambda: (box, other, box.x is box.last, box.x is box.old, box.x is other)
"""


def source_of(seed: int) -> str:
    """The program of pair `seed - FIRST_OF_PAIRS`, the pairs in a mixed order, in surroundings that
    change each time that all pairs have been written."""
    turn, place = divmod(seed - FIRST_OF_PAIRS, len(PAIRS))
    order = random.Random(turn).sample(range(len(PAIRS)), len(PAIRS))
    kind, *pair = PAIRS[order[place]]
    rng = random.Random(seed)
    lines: list[str] = []
    for form in pair:
        around = rng.choice(SURROUNDINGS)
        lines += [*around.splitlines(), *(" " * 4 * bool(around) + one for one in form.split("\n"))]
    body = "\n".join(" " * 8 + line for line in lines)
    return TEXT.format(body=body, start=KINDS[kind][1])


def arguments(seed: int, turn: int) -> tuple[Any, ...]:
    """Two tensors, a staged number, and how many items the container has."""
    rng = np.random.default_rng([seed, turn])
    one, other = (ag.asarray(float(v)) for v in rng.integers(-8, 8, size=2) / 4)
    return one, other, ag.asarray(np.int64(rng.integers(0, 4))), LENGTHS[turn]
