"""What is refused or fails: state of the call that code outside of it would see or change."""

from __future__ import annotations

import contextlib
import itertools

import autograph as ag
from tests.error_programs.registry import fails, one, refused, t, three

LOG = []
PAIRS = itertools.combinations([1.0, 2.0, 3.0], 2)


@contextlib.contextmanager
def opened():
    yield 1.0


MANAGER = opened()


@refused(one)
def called_back_with_what_is_changed(x):
    LOG.append(1)
    ag.py_function(lambda: LOG.append(2), [])
    return x


@refused(one)
def class_made_by_a_call(x):
    return type("Made", (), {"value": 1}), x


@refused(one)
def loop_over_pairs_from_outside(x):
    for a, b in PAIRS:
        x = x + a * b
    return x


@refused(one)
def manager_from_outside(x):
    with MANAGER as value:
        return x * value


@refused(three)
def bytes_repeated(n):
    return bytearray(b"ab") * int(n)


@ag.do_not_convert
def looked_into(x):
    return x.numpy()


@refused(one)
def array_of_a_staged_tensor(x):
    return looked_into(x)


@ag.do_not_convert
def kept(x):
    LOG.append(x)
    return x


def keeps(x):
    return kept(x * 2)


@refused(one)
def staged_value_kept_outside(x):
    LOG.clear()
    ag.function(mode="evaluate")(keeps)(x)
    y = x
    while y < 5:
        y = kept(y * 2)
    return y + LOG[-1]


@ag.function(mode="evaluate")
def grown(n, x):
    items = []
    for i in range(n):
        items.append(x * i)
    return items


@fails()
def second_gradient_through_a_list():
    x = t(2.0)
    with ag.GradientTape() as outer:
        outer.watch(x)
        with ag.GradientTape() as inner:
            inner.watch(x)
            total = ag.sum(ag.stack(grown(t(3), x)) ** 2)
        first = inner.gradient(total, x)
    return outer.gradient(first, x)
