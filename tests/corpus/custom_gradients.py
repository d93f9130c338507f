"""Functions with a gradient of their own, and functions that run again for their gradient."""

from __future__ import annotations

import numpy as np

import autograph as ag
from tests.corpus.registry import case, program, stateful

t = ag.asarray
X, Y = t([0.5, -1.5]), t([2.0, 0.25])


@ag.custom_gradient
def log1p_exp(x):
    e = ag.exp(x)

    def gradient(upstream):
        return upstream * (1 - 1 / (1 + e))

    return ag.log(1 + e), gradient


@ag.custom_gradient
def clipped(x, limit):
    """The identity, with a gradient that is cut off."""

    def gradient(g):
        return ag.minimum(ag.maximum(g, -limit), limit), None

    return x, gradient


@ag.custom_gradient
def doubled(x):
    return x * x, lambda g: g * x


@ag.custom_gradient
def both(x, y):
    def gradient(of_sum, of_product):
        return of_sum + of_product * y * 10, of_sum + of_product * x * 10

    return {"sum": x + y, "product": x * y}, gradient


@program(case(t(0.5)), case(t(100.0)), case(t([0.5, -3.0])), compiled=True)
def stable_gradient(x):
    with ag.GradientTape() as tape:
        tape.watch(x)
        y = log1p_exp(x)
    return y, tape.gradient(y, x)


@program(case(t(0.5)), case(t([0.5, -3.0])), compiled=True, ulps=64)
def stable_second_gradient(x):
    return ag.grad(lambda a: ag.sum(ag.grad(lambda b: ag.sum(log1p_exp(b)))(a)))(x)


@program(case(X, t(0.5)), case(X, t(5.0)))
def limit_beside(x, limit):
    with ag.GradientTape() as tape:
        tape.watch([x, limit])
        y = ag.sum(clipped(x, limit) ** 3)
    return y, *tape.gradient(y, [x, limit])


@program(case(X, Y), compiled=True)
def dict_of_results(x, y):
    with ag.GradientTape(persistent=True) as tape:
        tape.watch([x, y])
        made = both(x, y=y)
        z = made["sum"] * 3 + made["product"]
    return made, tape.gradient(z, [x, y]), tape.gradient(made["product"], [x, y])


@program(case(X, t(4)), case(X, t(0)), compiled=True, ulps=64)
def in_a_loop(x, n):
    with ag.GradientTape() as tape:
        tape.watch(x)
        y = x
        for i in range(n):
            y = log1p_exp(y * 0.5) + i
    return y, tape.gradient(y, x)


@program(case(X, t(2)), case(X, t(1)), ulps=64)
def second_gradient_in_a_loop(x, n):
    def f(a):
        y = a
        for _ in range(n):
            y = doubled(y + 1) if ag.sum(y) > 0 else clipped(y * 2, 1.5)
        return ag.sum(y * a)

    return ag.grad(lambda a: ag.sum(ag.grad(f)(a)))(x)


@program(case(t(3.0)), case(t(-3.0)), case(t(0.25)), compiled=True)
def branches_in_both(x):
    @ag.custom_gradient
    def f(a):
        b = a * 2 if a > 0 else a * 3

        def gradient(g):
            if a > 1:
                return g * 10
            if a > 0:
                return g * b
            return g * -1

        return b, gradient

    with ag.GradientTape() as tape:
        tape.watch(x)
        y = f(x) * x
    return y, tape.gradient(y, x)


@program(case(t(3.0)), case(t(-3.0)))
def gradient_function_by_branch(x):
    @ag.custom_gradient
    def f(a):
        if a > 0:
            return a * 2, lambda g: g * 100
        scale = a * a
        return -a, lambda g: g * scale

    with ag.GradientTape() as tape:
        tape.watch(x)
        y = f(x) * x
    return y, tape.gradient(y, x)


@program(case(t(3.0), t(4)), case(t(3.0), t(0)), compiled=True)
def loops_in_both(x, n):
    @ag.custom_gradient
    def power(a):
        y = a * 0 + 1
        for _ in range(n):
            y = y * a

        def gradient(g):
            total = g * 0
            for i in range(n):
                total = total * a + g * (i + 1)
            return total

        return y, gradient

    return ag.value_and_grad(lambda a: power(a) + a)(x)


@program(case(X, Y))
def nested(x, y):
    @ag.custom_gradient
    def outer(a):
        @ag.custom_gradient
        def inner(b):
            return b * b, lambda g: g * 7

        c = inner(a) + log1p_exp(a)

        def gradient(g):
            return g * inner(a) * ag.grad(lambda b: ag.sum(inner(b)))(a)

        return c, gradient

    def f(a):
        return ag.sum(outer(a) * y)

    return ag.value_and_grad(f)(x), ag.grad(lambda a: ag.sum(ag.grad(f)(a)))(x)


@program(case(X), case(t([2.0])))
def gradient_with_a_gradient_of_its_own(x):
    @ag.custom_gradient
    def f(a):
        @ag.custom_gradient
        def gradient(g):
            return g * ag.cos(a), lambda h: h * 5

        return ag.sin(a), gradient

    def first(a):
        with ag.GradientTape() as tape:
            tape.watch(a)
            y = f(a)
        return tape.gradient(y, a)

    with ag.GradientTape() as tape:
        tape.watch(x)
        y = first(x * 2)
    return y, tape.gradient(y, x)


@stateful(case(X), case(t([2.0, 1.0])), ulps=32)
def variable_inside():
    w = ag.Variable(np.array([0.5, 2.0], dtype=np.float32), name="w")

    @ag.custom_gradient
    def layer(x):
        y = x * w

        def gradient(g, variables):
            return g * variables[0], [g * x * 100 for _ in variables]

        return y, gradient

    def step(x):
        with ag.GradientTape() as tape:
            tape.watch(x)
            loss = ag.sum(layer(x) ** 2)
        gx, gw = tape.gradient(loss, [x, w])
        w.assign_sub(gw * 0.001)
        return loss, gx, gw

    return step, w


@stateful(case(X), case(t([2.0, 1.0])))
def variables_need_a_parameter():
    w = ag.Variable(2.0, name="w")

    @ag.custom_gradient
    def layer(x):
        return x * w, lambda g: g

    return lambda x: layer(x) + 1, w


@stateful(case(X, t(2)), case(X, t(0)), ulps=32)
def variable_as_an_argument():
    w = ag.Variable(np.array([0.5, 2.0], dtype=np.float32))

    @ag.custom_gradient
    def layer(x, weight):
        return x * weight, lambda g: (g * weight, g * x * 2)

    def run(x, n):
        with ag.GradientTape() as tape:
            y = x
            for _ in range(n):
                y = layer(y, w)
            loss = ag.sum(y + w)
        return tape.gradient(loss, w)

    return run, w


@program(case(t(3)), case(t(0)))
def in_recursion(n):
    x = t(1.5)

    def down(a, k):
        if k <= 0:
            return a
        return clipped(down(a * 1.5, k - 1), 0.5) * a

    with ag.GradientTape() as tape:
        tape.watch(x)
        y = down(x, n)
    return y, tape.gradient(y, x)


class Scaled:
    def __init__(self, scale):
        self.scale = scale

    @ag.custom_gradient
    def __call__(self, x):
        scale = self.scale

        def gradient(g):
            return g * scale * 2

        return x * scale, gradient


@program(case(X, t(3.0)), case(X, 3.0))
def method(x, scale):
    module = Scaled(scale)
    with ag.GradientTape() as tape:
        tape.watch(x)
        y = ag.sum(module(x) * x)
    return tape.gradient(y, x)


@program(case(X, Y))
def nested_arguments(x, y):
    @ag.custom_gradient
    def f(pair, table):
        def gradient(g):
            return [g, g * 2], {"y": g * 3}

        return pair[0] + pair[1] * table["y"], gradient

    with ag.GradientTape() as tape:
        tape.watch([x, y])
        z = ag.sum(f([x, x], {"y": y}))
    return tape.gradient(z, [x, y])


@program(case(X, Y))
def wrong_number_of_gradients(x, y):
    @ag.custom_gradient
    def f(a, b):
        return a + b, lambda g: g

    with ag.GradientTape() as tape:
        tape.watch(x)
        z = f(x, y)
    return tape.gradient(z, x)


@program(case(X))
def wrong_shape_of_a_gradient(x):
    @ag.custom_gradient
    def f(a):
        return a + 1, lambda g: ag.sum(g)

    with ag.GradientTape() as tape:
        tape.watch(x)
        z = f(x)
    return tape.gradient(z, x)


@program(case(X))
def gradient_nobody_asks_for(x):
    @ag.custom_gradient
    def f(a):
        def gradient(g):
            raise NotImplementedError("no gradient")

        return a + 1, gradient

    return f(x)


@program(case(X))
def gradient_that_raises(x):
    @ag.custom_gradient
    def f(a):
        def gradient(g):
            if ag.sum(a) < 0:
                raise ValueError("negative")
            return g

        return a + 1, gradient

    return ag.grad(lambda a: ag.sum(f(a)))(x)


@program(case(X))
def not_a_pair(x):
    @ag.custom_gradient
    def f(a):
        return a + 1

    return f(x)


@program(case(X, t(2)), case(X, t(0)))
def gradient_that_prints(x, n):
    @ag.custom_gradient
    def f(a):
        def gradient(g):
            print("gradient", g)
            return g * 2

        return a + 1, gradient

    with ag.GradientTape() as tape:
        tape.watch(x)
        y = x
        for _ in range(n):
            y = f(y)
        print("forward", y)
    return tape.gradient(y, x)


@program(case(X, Y), refused="StateError", naming=("gradient function of f", "calls"))
def gradient_that_changes_state(x, y):
    calls = []

    @ag.custom_gradient
    def f(a):
        def gradient(g):
            calls.append(1)
            return g

        return a + 1, gradient

    return ag.grad(lambda a: ag.sum(f(a)))(x), calls


@program(case(X))
def straight_through_estimator(x):
    @ag.custom_gradient
    def rounded(a):
        return ag.round(a), lambda g: g

    return ag.value_and_grad(lambda a: ag.sum(rounded(a * 3) * a))(x)


@program(case(X, Y), case(Y, X))
def result_is_an_argument(x, y):
    @ag.custom_gradient
    def reversed_gradient(a, b):
        return (b, a), lambda g, h: (-h, -g)

    with ag.GradientTape() as tape:
        tape.watch([x, y])
        b, a = reversed_gradient(x, y)
        z = ag.sum(a * b * b)
    return a is x, tape.gradient(z, [x, y])


@program(case(X, t(3)))
def assigned_argument(x, n):
    @ag.custom_gradient
    def f(a):
        a[0] = a[1] * n
        return a * 1, lambda g: g * a

    with ag.GradientTape() as tape:
        tape.watch(x)
        y = ag.sum(f(x))
    return tape.gradient(y, x)


# running again ------------------------------------------------------------------------------------
@ag.recompute
def block(x, w):
    h = ag.tanh(x * w)
    return ag.sin(h) * x


@program(case(X, Y), compiled=True, ulps=64)
def recomputed_block(x, w):
    with ag.GradientTape() as tape:
        tape.watch([x, w])
        y = ag.sum(block(block(x, w), w))
    return y, *tape.gradient(y, [x, w])


@program(case(X, Y, t(5)), case(X, Y, t(0)), ulps=256)
def recomputed_in_a_loop(x, w, n):
    with ag.GradientTape() as tape:
        tape.watch([x, w])
        y = x
        for i in range(n):
            y = block(y, w) + 0.1 * i
        loss = ag.sum(y * y + 0 * w)
    return y, *tape.gradient(loss, [x, w])


@program(case(X, Y, t(3)), ulps=256)
def recomputed_second_gradient(x, w, n):
    def f(a):
        for _ in range(n):
            a = block(a, w)
        return ag.sum(a)

    return ag.hvp(f, (x,), (w,)), ag.grad(lambda a: ag.sum(ag.grad(f)(a) ** 2))(x)


@program(case(Y, t(5)), case(Y, t(0)), case(t([3.0, 1.0]), t(2)), ulps=64)
def recomputed_loops_and_branches(x, n):
    @ag.recompute
    def f(a):
        total = a * 0
        for i in range(n):
            if ag.sum(total) > 2:
                break
            total = total + ag.exp(a) * i if i % 2 == 0 else total * a
        return total

    return ag.value_and_grad(lambda a: ag.sum(f(a) * f(a * 2)))(x)


@stateful(case(X), case(t([2.0, 1.0])), ulps=64)
def recomputed_with_variables():
    w = ag.Variable(np.array([0.5, 2.0], dtype=np.float32))
    calls = ag.Variable(0.0, trainable=False)

    @ag.recompute
    def layer(x):
        calls.assign_add(1.0)
        return ag.tanh(x * w + calls)

    def step(x):
        with ag.GradientTape() as tape:
            loss = ag.sum(layer(layer(x)) ** 2)
        g = tape.gradient(loss, w)
        w.assign_sub(g)
        return loss, g

    return step, (w, calls)


@stateful(case(X), case(t([2.0, 1.0])), ulps=64)
def recomputed_with_a_variable_that_changes_after():
    w = ag.Variable(np.array([0.5, 2.0], dtype=np.float32))

    @ag.recompute
    def layer(x):
        return ag.tanh(x * w)

    def step(x):
        with ag.GradientTape() as tape:
            tape.watch(x)
            loss = ag.sum(layer(x))
            w.assign(w * 2)
            loss = loss + ag.sum(layer(x))
        return tape.gradient(loss, [x, w])

    return step, w


@stateful(case(X), case(t([2.0, 1.0])), ulps=64)
def recomputed_random_numbers():
    ag.set_seed(7)

    @ag.recompute
    def dropped(x):
        return ag.where(ag.random_uniform(x.shape) < 0.5, ag.exp(x), 0.0)

    def step(x):
        return ag.value_and_grad(lambda a: ag.sum(dropped(a) * dropped(a * 2)))(x), dropped(x)

    return step, None


@program(case(X, Y), case(Y, X))
def recomputed_closure(x, y):
    z = y * 2

    @ag.recompute
    def f(a):
        return ag.exp(a * z) + y

    with ag.GradientTape() as tape:
        tape.watch([x, y])
        z = y * 3
        w = ag.sum(f(x))
    return tape.gradient(w, [x, y])


@program(case(X, t(2)), case(X, t(-2)))
def recomputed_that_raises(x, n):
    @ag.recompute
    def f(a):
        if n < 0:
            raise ValueError("negative")
        return a * n

    return ag.grad(lambda a: ag.sum(f(a) ** 2))(x)


@program(case(X, t(2)), case(X, t(-2)), ulps=64)
def recomputed_and_caught(x, n):
    @ag.recompute
    def f(a):
        if n < 0:
            raise ValueError("negative")
        return ag.exp(a) * n

    with ag.GradientTape() as tape:
        tape.watch(x)
        try:
            y = f(x)
        except ValueError:
            y = x * 3
    return tape.gradient(y, x)


@program(case(X, Y))
def recomputed_structures(x, y):
    @ag.recompute
    def f(pair, scale=1.0):
        return {"a": pair[0] * pair[1] * scale, "rest": [ag.exp(pair[0]), pair]}

    with ag.GradientTape() as tape:
        tape.watch([x, y])
        made = f((x, y), scale=2.0)
        z = ag.sum(made["a"] * made["rest"][0]) + ag.sum(made["rest"][1][0])
    return made, made["rest"][1][0] is x, tape.gradient(z, [x, y])


@program(case(X), ulps=64)
def recomputed_with_a_gradient_of_its_own(x):
    @ag.recompute
    def f(a):
        return doubled(a * a) * a

    return ag.grad(lambda a: ag.sum(f(a)))(x), ag.hvp(lambda a: ag.sum(f(a)), (x,), (x,))
