"""The decorator where users put it: on methods, on several functions that meet, under a tape."""

from __future__ import annotations

import functools

import autograph as ag
from tests.corpus.registry import case, decorating

t = ag.asarray


@decorating(case(t(2.0)), case(t(-2.0)), compiled=True)
def on_a_method(stage):
    class Model:
        def __init__(self, k):
            self.k = k
            self.w = ag.Variable(float(k))
            self.steps = 0

        @stage
        def step(self, x, scale=1):
            self.steps += 1
            if x > 0:
                self.w.assign_add(x)
            return self.w * self.k * scale

    first, second = Model(1), Model(2)

    def run(x):
        return first.step(x), second.step(x, scale=3), first.step(-x), Model.step(second, x)

    return run, (first, second)


@decorating(case(t(2.0)), case(t(-2.0)))
def one_calls_another(stage):
    v = ag.Variable(1.0)

    @stage
    def inner(x):
        v.assign(v + x)
        if x > 0:
            return x * 2
        return x

    @stage
    def outer(x):
        y = inner(x) + inner(x + 1)
        return y, inner(y) is y, v * 1

    def run(x):
        return outer(x), inner(x)

    return run, v


@decorating(case(t(5)), case(t(0)))
def recursion(stage):
    calls = []

    @stage
    def total(n):
        if n <= 0:
            return n
        return n + total(n - 1)

    def run(n):
        calls.append(1)
        return total(n)

    return run, calls


@decorating(case(t(3.0), t(2)), case(t(0.5), t(0)), case(t(-1.0), t(1)))
def under_an_eager_tape(stage):
    w = ag.Variable(2.0)

    @stage
    def f(x, n):
        y = x * w
        for i in range(n):
            if y > 3:
                y = y * 0.5
            else:
                y = y * y + i
        return y

    def run(x, n):
        with ag.GradientTape() as tape:
            tape.watch(x)
            y = f(x, n) + f(x * 2, n)
        return y, tape.gradient(y, [x, w])

    return run, w


@decorating(case(t([0.5, -1.0]), t(3)), case(t([0.5, -1.0]), t(1)))
def list_that_a_loop_grew_under_an_eager_tape(stage):
    @stage
    def states(x, n):
        items = []
        for i in range(n):
            x = x * x + i
            items.append(x)
        return items, x

    def run(x, n):
        with ag.GradientTape() as tape:
            tape.watch(x)
            items, last = states(x, n)
            y = ag.sum(items[0] * 2) + ag.sum(items[-1]) + ag.sum(last)
        return items, tape.gradient(y, x)

    return run, None


@decorating(case(t([0.5, -1.0, 2.0, 1.0]), t(3)), case(t([0.5, -1.0]), t(1)))
def lists_of_unlike_items_under_an_eager_tape(stage):
    @stage
    def parts(x, n):
        items, sizes = [], []
        for i in range(n):
            items.append(x[i:] * i)
            sizes.append(len(items[-1]))
        return items, sizes

    def run(x, n):
        with ag.GradientTape() as tape:
            tape.watch(x)
            items, sizes = parts(x, n)
            y = ag.sum(items[0]) + ag.sum(ag.exp(items[-1]))
        return items, sizes, tape.gradient(y, x)

    return run, None


@decorating(case(t(1.5)), case(t(-1.5)))
def second_order_around_a_staged_gradient(stage):
    @stage
    def slope(x):
        with ag.GradientTape() as tape:
            tape.watch(x)
            y = x * x * x if x > 0 else x * x
        return tape.gradient(y, x)

    def run(x):
        with ag.GradientTape() as tape:
            tape.watch(x)
            g = slope(x)
        return g, tape.gradient(g, x)

    return run, None


@decorating(case(t([1.0, 2.0])), case(t([1.0, 2.0, 3.0])))
def result_goes_into_the_next_call(stage):
    @stage
    def grow(x):
        x[0] = x[0] + 1
        return ag.concat([x, x[:1]])

    def run(x):
        y = grow(x)
        z = grow(y)
        y[0] = 100
        return x, y, z, grow(x * 1)

    return run, None


@decorating(case(t(2.0)), case(t(-2.0)))
def partial_of_a_staged_function(stage):
    @stage
    def f(x, k, *, bonus=0):
        if x > 0:
            return x * k + bonus
        return x

    g = functools.partial(f, k=3)
    return (lambda x: (g(x), g(x, bonus=1), g(x, k=4))), None


@decorating(case(t(2.0), 1), case(t(2.0), 2), case(t(2.0), 1.5))
def keywords_and_positions_are_the_same(stage):
    @stage
    def f(x, k=1, *rest, flag=True, **more):
        y = x * k if flag else x
        for one in rest:
            y = y + one
        for name in more:
            y = y * more[name]
        return y

    def run(x, k):
        return f(x), f(x, k), f(k=k, x=x), f(x, k, 1, 2), f(x, flag=False), f(x, z=3)

    return run, None


@decorating(case(t(2.0)), case(t(-2.0)))
def staged_function_as_a_value(stage):
    @stage
    def double(x):
        return x * 2

    @stage
    def apply(f, x):
        if x > 0:
            return f(x)
        return f(f(x))

    def run(x):
        return apply(double, x), apply(lambda v: v + 1, x), list(map(double, [x, x]))

    return run, None


@decorating(case(t(3)), case(t(0)))
def state_shared_by_two_functions(stage):
    log = []
    count = 0

    @stage
    def push(n):
        nonlocal count
        for i in range(n):
            log.append(i)
        count += 1
        return len(log)

    @stage
    def pop():
        nonlocal count
        count -= 1
        return log.pop() if log else -1

    def run(n):
        return push(n), pop(), pop(), count, len(log)

    return run, lambda: (log, count)


@decorating(case(t(2.0)), case(t(-2.0)))
def error_in_the_inner_function(stage):
    v = ag.Variable(1.0)

    @stage
    def inner(x):
        v.assign_add(1.0)
        if x < 0:
            raise ValueError("negative")
        return x

    @stage
    def outer(x):
        v.assign_add(10.0)
        return inner(x)

    return outer, v


@decorating(case(t(2.0)), case(t(-2.0)))
def on_a_lambda_and_a_closure(stage):
    fs = [stage(lambda x, k=k: x * k if x > 0 else x - k) for k in range(3)]
    return (lambda x: [f(x) for f in fs]), None


@decorating(case(t(2.0)))
def on_a_static_and_a_class_method(stage):
    class Tools:
        scale = 3

        @staticmethod
        @stage
        def plain(x):
            return x + 1 if x > 0 else x

        @classmethod
        def scaled(cls, x):
            return cls.plain(x) * cls.scale

    staged = stage(Tools.scaled)

    def run(x):
        Tools.scale += 1
        return Tools.plain(x), staged(x)

    return run, None
