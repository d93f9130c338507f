"""Tapes that give gradients once: in branches, loops and handlers."""

from __future__ import annotations

import contextlib

import autograph as ag
from tests.corpus.registry import case, program

t = ag.asarray
X = (case(t([2.0, 1.0])), case(t([-2.0, 1.0])))


@program(*X)
def in_a_try(x):
    with ag.GradientTape() as tape:
        tape.watch(x)
        y = ag.sum(x * x)
    try:
        g = tape.gradient(y, x)
        if ag.any(ag.isnan(g)):
            raise FloatingPointError("nan")
    except FloatingPointError:
        g = ag.zeros_like(x)
    return g


@program(*X)
def in_a_branch_and_after(x):
    with ag.GradientTape() as tape:
        tape.watch(x)
        y = x * x
    a = tape.gradient(y, x) if x[0] > 0 else x
    try:
        return a, tape.gradient(y, x)
    except RuntimeError:
        return a, "spent"


@program(*X)
def in_a_loop(x):
    with ag.GradientTape() as tape:
        tape.watch(x)
        y = x * x
    g = x
    for i in range(int(ag.abs(x[0]))):
        g = tape.gradient(y, x)
    return g


@program(*X)
def under_suppress(x):
    with ag.GradientTape() as tape:
        tape.watch(x)
        y = x * x
    with contextlib.suppress(ValueError):
        g = tape.gradient(y, x)
        if x[0] > 0:
            raise ValueError
        g = g * 2
    return g


@program(*X)
def in_both_branches(x):
    with ag.GradientTape() as tape:
        tape.watch(x)
        y = x * x
    if x[0] > 0:
        g = tape.gradient(y, x)
    else:
        g = tape.gradient(y, x) * 3
    return g


@program(*X)
def watched_before_it_starts(x):
    tape = ag.GradientTape()
    tape.watch(x)
    with tape:
        y = x * x
    return tape.gradient(y, x)


@program(*X)
def one_of_each_turn(x):
    g = x
    for i in range(3):
        with ag.GradientTape() as tape:
            tape.watch(g)
            y = ag.sum(g * x)
        if x[0] > 0:
            g = tape.gradient(y, g)
    return g


@program(*X)
def started_again_in_a_loop(x):
    tape = ag.GradientTape()
    s = 0.0
    i = 0
    while i < ag.abs(x[0]):
        with tape:
            tape.watch(x)
            y = x * x * i
        s = s + tape.gradient(y, x)
        i += 1
    return s


@program(case(t(3)), case(t(-2)))
def numbers_watched(n):
    try:
        with ag.GradientTape() as tape:
            tape.watch(int(n))
    except TypeError as e:
        return str(e)


@program(case(t(3)), case(t(-2)))
def number_as_target(n):
    x = t(2.0)
    with ag.GradientTape() as tape:
        tape.watch(x)
        y = x * x
    try:
        return tape.gradient(int(n), x), y
    except TypeError as e:
        return e.args


@program(case(t(3)), case(t(-2)))
def number_as_source(n):
    x = t(2.0)
    with ag.GradientTape() as tape:
        tape.watch(x)
        y = x * x
    try:
        return tape.gradient(y, float(n))
    except TypeError as e:
        return e.args
