"""Variables of classes that users make: they work like a Variable, their own methods are run."""

from __future__ import annotations

import numpy as np

import autograph as ag
from tests.corpus.registry import case, program, stateful

t = ag.asarray
BOTH = (case(t(2.0)), case(t(-1.0)))


class Weight(ag.Variable):
    """Nothing of its own."""


class Scaled(ag.Variable):
    def __init__(self, value, scale=2.0):
        super().__init__(value)
        self.scale = scale

    def read(self):
        return super().read() * self.scale


class Clipped(ag.Variable):
    def assign(self, value):
        return super().assign(ag.clip(value, -4.0, 4.0))


class Logged(ag.Variable):
    def __init__(self, value):
        super().__init__(value)
        self.log = []
        self.count = 0

    def assign(self, value):
        self.count += 1
        if ag.sum(value) > 3:
            self.log.append("large")
        return super().assign(value)

    def assign_add(self, value):
        return self.assign(self + value)


class Peculiar(ag.Variable):
    def __len__(self):
        return 7

    def __float__(self):
        return 42.0

    def __int__(self):
        return 5

    def __bool__(self):
        return False

    def __abs__(self):
        return self * 0 - 1 if ag.sum(self) > 0 else self

    def __str__(self):
        return "peculiar"

    def __repr__(self):
        return "represented"

    def __iter__(self):
        yield self * 10

    def __contains__(self, wanted):
        return True

    def __matmul__(self, other):
        return "product"


def _made(kind):
    return kind(np.array([1.0, 2.0], np.float32))


@stateful(*BOTH, compiled=True)
def ops_and_methods():
    w, s = _made(Weight), _made(Scaled)

    def f(x):
        w.assign_add(w * x)
        parts = [ag.sum(w), w.read(), w.mean(), ag.stack([w, s]), ag.exp(w), w.reshape((2, 1))]
        return parts, s.read() + x, w[0] * s, isinstance(w, ag.Variable), type(s) is Scaled

    return f, [w, s]


@stateful(*BOTH, compiled=True)
def assigned_under_a_condition_and_in_a_loop():
    w, c = _made(Weight), _made(Clipped)

    def f(x):
        n = x
        while n > 0:
            c.assign(c * 2 + n)
            n = n - 1
        if x > 0:
            w.assign(w * x)
        else:
            w.assign_sub(w * 0.5)
        return ag.sum(w * c)

    return f, [w, c]


@stateful(*BOTH)
def overridden_assignment_with_state():
    w = _made(Logged)

    def f(x):
        w.assign(w * x)
        w.assign_add(x * ag.ones((2,)))
        return w.count, len(w.log)

    return f, lambda: [w, w.log, w.count]


@stateful(*BOTH)
def gradients():
    w, s = _made(Weight), _made(Scaled)

    def f(x):
        with ag.GradientTape() as tape:
            y = ag.sum(w * s.read() * x)
        first, second = tape.gradient(y, [w, s])
        w.assign_sub(0.1 * first)
        return first, second

    return f, [w, s]


@stateful(*BOTH)
def special_methods():
    w = _made(Peculiar)

    def f(x):
        print(w)
        print([w], (w, x))
        shown = str(w), f"{w}", f"{w!r}", repr(w), str([w]), [str(one) for one in w], list(w)
        number = len(w), float(w), int(w), bool(w), 1 if w else 2, not w
        return shown, number, abs(w), x in w, w @ w

    return f, w


@stateful(*BOTH)
def gone_over():
    w = _made(Weight)

    def f(x):
        total = x
        for one in w:
            total = total + one
        a, b = w
        return total, a, b, [*w], sum(w), max(w), list(zip(w, w)), [one * x for one in w]

    return f, w


@program(case(_made(Weight), t(2.0)), case(_made(Clipped), t(3.0)))
def as_an_argument(w, x):
    w.assign(w * x)
    return w.read() + x, w
