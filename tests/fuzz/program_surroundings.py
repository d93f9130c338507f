"""What stands around a random program: classes and functions that it uses, and what calls it."""

HEAD = """\
from collections import namedtuple
from dataclasses import dataclass

import autograph as ag

Point = namedtuple("Point", "x k")
total = 0
totals = {"sum": 0}


class Box:
    pass


@dataclass
class Pair:
    x: ag.Tensor
    y: ag.Tensor


class Item:
    def __init__(self, n, t):
        self.n = n
        self.t = t

    @property
    def double(self):
        return self.t * 2

    def __len__(self):
        return abs(self.n) % 5

    def __call__(self, k, x=None):
        return self.t if x is None else x * k

    def scaled(self, x):
        if self.n > 2:
            return x * self.n
        return x + self.t

    def step(self, x):
        if x > self.t:
            self.n = (self.n + 1) % 7
            self.t = x
        return self.t


class Level:
    def __init__(self, n):
        self.n = n
        self.most = n

    def __enter__(self):
        self.n += 1
        if self.n > self.most:
            self.most = self.n
        return self.n

    def __exit__(self, *error):
        self.n -= 1


def pick(a, b):
    if a > b:
        return a - b
    return b


def blend(a, b):
    return a * 0.5 + b


def parts(x, count):
    for k in range(count):
        if x > k:
            yield x - k
        x = x * 0.5 + 1


def count(depth):
    if depth <= 0:
        return 1
    if depth % 2:
        return count(depth - 1) + depth
    return even(depth - 1)


def even(depth):
    return count(depth) * 2 % 61
"""
MAKE = """

def make(stage):
    box = Box()
    box.n, box.t = 0, ag.asarray(0.5)
    box.log = []
    table = {"a": 1, "b": 0.5}
    w = ag.Variable(1.0)
    calls = 0
    global total
    total, totals["sum"] = 0, 0

    def bump(k, x):
        nonlocal calls
        calls = (calls + k) % 61
        if x > 1:
            box.n = (box.n + calls) % 61
            return x * 2
        table["a"] = box.n
        return x + 1

    def look():
        return box, table, w, calls, total, totals
"""
TAIL = """
    return stage(program), look
"""
GRADIENT = """
    def with_gradient(x0, x1, n0, i0, v, given, named):
        with ag.GradientTape() as tape:
            tape.watch([x0, x1, v])
            connected = 0 * (x0 + x1 + ag.sum(v) + w)
            y = program(x0, x1, n0, i0, v, given, named) + connected
        return y, tape.gradient(y, [x0, x1, v, w])

    return stage(with_gradient), look
"""
OUTER_GRADIENT = """
    staged = stage(program)

    def with_gradient(x0, x1, n0, i0, v, given, named):
        with ag.GradientTape() as tape:
            tape.watch([x0, x1, v])
            connected = 0 * (x0 + x1 + ag.sum(v) + w)
            y = staged(x0, x1, n0, i0, v, given, named)
            y = connected if y is None else y + connected
        return y, tape.gradient(y, [x0, x1, v, w])

    return with_gradient, look
"""
