"""Tensors of run-time size that are first bound inside a loop, and used after it."""

from __future__ import annotations

import autograph as ag
from tests.corpus.registry import case, program

t = ag.asarray
SHORT, LONG = [1.0, -2.0, 3.0], [0.5, 1.5, -2.5, 3.5, 4.5]
SIZES = (case(t(SHORT), t(3)), case(t(LONG), t(2)), case(t(LONG), t(0)), case(t(LONG[:1]), t(1)))


@program(*SIZES, compiled=True)
def zeros(x, n):
    for _ in range(n):
        v = ag.zeros((n,))
    return v


@program(*SIZES, compiled=True)
def product(x, n):
    for _ in range(n):
        v = x * 2.0
    return v


@program(*SIZES)
def none_before(x, n):
    v = None
    for i in range(n):
        v = ag.zeros((n,)) + i
    return v


@program(*SIZES, compiled=True)
def none_until_the_second_turn(x, n):
    v = None
    for i in range(n):
        v = x[:n] if v is None else v + x[:n] * i
    return v


@program(*SIZES)
def number_before(x, n):
    total = 0.0
    for _ in range(n):
        total = total + x
    return total, total * 2


class Record:
    pass


@program(*SIZES)
def attribute(x, n):
    record = Record()
    for i in range(n):
        record.v = ag.ones((n,)) * i
    return record.v


@program(*SIZES)
def key(x, n):
    found = {}
    for i in range(n):
        found["a"] = ag.ones((n, 2)) * i
    return found["a"]


@program(*SIZES)
def item(x, n):
    found = [None, x]
    for i in range(n):
        found[0] = ag.ones((n,)) * i
    return found


@program(*SIZES)
def tuple_of_two(x, n):
    for i in range(n):
        a = x * i
        v = (a, a[:n])
    return v


@program(*SIZES)
def nonlocal_name(x, n):
    v = 0

    def bind(i):
        nonlocal v
        v = ag.ones((n,)) * i

    for i in range(n):
        bind(i)
    return v


@program(*SIZES, compiled=True)
def slice_of_another(x, n):
    for i in range(n):
        v = x[:n] * i
    return v


@program(*SIZES, compiled=True)
def mask(x, n):
    for i in range(n):
        v = x[x > i]
    return v


@program(*SIZES)
def places(x, n):
    for i in range(n):
        (v,) = ag.nonzero(x > i)
    return v


@program(*SIZES, compiled=True)
def inside_a_tape(x, n):
    with ag.GradientTape() as tape:
        tape.watch(x)
        for i in range(n):
            v = x[:n] * (i + 1)
        y = ag.sum(v * v)
    return v, tape.gradient(y, x)


@program(*SIZES)
def number_before_inside_a_tape(x, n):
    with ag.GradientTape() as tape:
        tape.watch(x)
        total = 0.0
        for i in range(n):
            total = total * 0.5 + x * x * (i + 1)
        y = ag.sum(total * 1.0) if n > 0 else ag.sum(x)
    return y, tape.gradient(y, x)


@program(*SIZES)
def asked_for_where_it_is(x, n):
    for _ in range(n):
        v = ag.zeros((n,))
    if n > 0:
        return v
    return x


@program(*SIZES)
def caught_where_it_is_not(x, n):
    try:
        for _ in range(n):
            v = ag.zeros((n,))
        return v
    except UnboundLocalError:
        return x


@program(*SIZES, compiled=True)
def two_names_that_grow(x, n):
    m = ag.zeros((1,))
    for i in range(n):
        m = v = ag.concat([m, ag.zeros((1,)) + i])
    return m, v


@program(*SIZES, compiled=True)
def the_one_before(x, n):
    v = w = None
    for i in range(n):
        w = v
        v = ag.ones((n + i,))
    return v, w


@program(*SIZES)
def while_loop(x, n):
    i = 0
    while i < n:
        v = ag.arange(n) * i
        i += 1
    return v, i


@program(*SIZES)
def inner_loop(x, n):
    for i in range(n):
        for j in range(n):
            v = ag.ones((i + 1, n)) * j
    return v


@program(*SIZES)
def on_one_path(x, n):
    for i in range(n):
        if i > 1:
            v = ag.ones((i,))
    return v


@program(*SIZES)
def used_in_the_else(x, n):
    for i in range(n):
        v = ag.ones((i,))
    else:
        w = v * 2
    return w


@program(*SIZES)
def left_by_break(x, n):
    for i in range(n):
        v = ag.zeros((n,)) + i
        if ag.sum(v) > 1:
            break
    return v


@program(*SIZES)
def left_by_return(x, n):
    for i in range(n):
        v = x * i
        if i == 1:
            return v
    return v + 1


@program(*SIZES)
def two_loops(x, n):
    for _ in range(n):
        v = ag.concat([x, x])
    for _ in range(n):
        w = ag.concat([v, v])
    return v, w


@program(*SIZES)
def products_of_slices(x, n):
    total = 0.0
    for _ in range(n):
        v = x[:n, None] @ x[None, :n]
        total = total + ag.sum(v)
    return v, total


@program(*SIZES)
def best_of_rows(x, n):
    best = None
    for one in x:
        row = ag.ones((n,)) * one
        best = row if best is None else ag.maximum(best, row)
    return best


@program(*SIZES)
def size_of_another(x, n):
    for i in range(n):
        size = x.shape[0]
        v = ag.zeros((size, size)) + i
    return v, size


@program(*SIZES, compiled=True)
def joined_to_nothing(x, n):
    v = ag.zeros((0,))
    for _ in range(n):
        v = ag.concat([v, ag.astype(x, ag.float32)])
    return v, ag.sum(v)


@program(*SIZES)
def repeated(x, n):
    v = None
    for _ in range(n):
        v = ag.tile(x, 2) if v is None else ag.repeat(v[:2], 2)
    return v
