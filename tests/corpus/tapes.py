"""Gradients: through branches, loops, lists, item assignment, Variables; nested tapes."""

from __future__ import annotations

import numpy as np

import autograph as ag
from tests.corpus.registry import case, program, stateful

t = ag.asarray


@program(case(t(3.0)), case(t(-2.0)), case(t([1.0, 2.0])), compiled=True, ulps=32)
def gradient_of_an_expression(x):
    with ag.GradientTape() as tape:
        tape.watch(x)
        y = ag.sum(x * x * x + ag.exp(-x))
    return y, tape.gradient(y, x)


@program(case(t(3.0)), case(t(-2.0)), compiled=True)
def through_a_branch(x):
    with ag.GradientTape() as tape:
        tape.watch(x)
        if x > 0:
            y = x * x
        else:
            y = ag.exp(x)
    return tape.gradient(y, x)


@program(case(t(3.0), t(4)), case(t(3.0), t(0)), case(t(0.5), t(1)), compiled=True)
def through_a_loop(x, n):
    with ag.GradientTape() as tape:
        tape.watch(x)
        y = x * 1
        for i in range(n):
            y = y * x + i
    return y, tape.gradient(y, x)


@program(case(t(0.5)), case(t(3.0)), compiled=True)
def through_a_while(x):
    with ag.GradientTape() as tape:
        tape.watch(x)
        y = x * 1
        while y < 10:
            y = y * y + 1
    return y, tape.gradient(y, x)


@program(case(t(0.5), t(5)), case(t(-0.5), t(5)), case(t(0.5), t(0)))
def branch_in_a_loop(x, n):
    with ag.GradientTape() as tape:
        tape.watch(x)
        y = x * 2
        for i in range(n):
            if y > 1:
                y = y / 2 + x
            elif i % 2 == 0:
                y = y * y
            else:
                y = y + ag.sin(x)
    return y, tape.gradient(y, x)


@program(case(t(0.9), t(10)), case(t(0.9), t(1)))
def loop_with_break_and_continue(x, n):
    with ag.GradientTape() as tape:
        tape.watch(x)
        y = x * 1
        for i in range(n):
            if i == 1:
                continue
            y = y * x
            if y < 0.5:
                break
    return y, tape.gradient(y, x)


@program(case(t(0.9), t(3)), case(t(0.9), t(0)))
def nested_loops(x, n):
    with ag.GradientTape() as tape:
        tape.watch(x)
        y = x * 0
        for i in range(n):
            for j in range(i):
                y = y + ag.tanh(x * j) * x
    return y, tape.gradient(y, x)


@program(
    case(t([[0.5, -0.5], [1.0, 2.0], [0.0, 1.0]]), t([[0.1, 0.2], [0.3, -0.4]])),
    ulps=32,
    compiled=True,
)
def recurrent_cell_with_a_list(xs, w):
    with ag.GradientTape() as tape:
        tape.watch(w)
        state = xs[0] * 0
        outputs = []
        for x in xs:
            state = ag.tanh(ag.matmul(state, w) + x)
            outputs.append(state)
        y = ag.sum(ag.stack(outputs) ** 2)
    return y, tape.gradient(y, w)


@program(case(t(0.7), t(4)), case(t(0.7), t(1)))
def through_list_items(x, n):
    with ag.GradientTape() as tape:
        tape.watch(x)
        ys = [x * x]
        for i in range(n):
            ys.append(ys[-1] * x + i)
        y = ys[-1] + ys[0]
    return y, tape.gradient(y, x)


@program(case(t(0.7), t(4)), case(t(0.7), t(0)))
def through_a_stack_of_values(x, n):
    with ag.GradientTape() as tape:
        tape.watch(x)
        stack = [x * 1]
        for i in range(n):
            if i % 2 == 0:
                stack.append(x * i)
            else:
                stack.append(stack.pop() * x)
        y = x * 0
        while len(stack) > 0:
            y = y * 2 + stack.pop()
    return y, tape.gradient(y, x)


@program(case(t([1.0, 2.0, 3.0])))
def through_item_assignment(x):
    with ag.GradientTape() as tape:
        tape.watch(x)
        y = x * 2
        y[0] = x[1] * x[2]
        y[1:] = y[1:] ** 2
        z = ag.sum(y)
    return z, tape.gradient(z, x)


@program(case(t([1.0, 2.0, 3.0]), t(3)), case(t([1.0, 2.0, 3.0]), t(0)))
def through_item_assignment_in_a_loop(x, n):
    with ag.GradientTape() as tape:
        tape.watch(x)
        y = ag.zeros((3,))
        for i in range(n):
            y[i] = x[i] * x[0]
            if i > 0:
                y[i] += y[i - 1]
        z = ag.sum(y * y) + 0 * x[0]
    return z, tape.gradient(z, x)


@program(case(t([1.0, 2.0])))
def source_written_after_it_was_watched(x):
    with ag.GradientTape() as tape:
        tape.watch(x)
        y = ag.sum(x * x)
    g = tape.gradient(y, x)
    x[0] = 100
    return g, x


@program(case(t(2.0)), case(t(-2.0)), compiled=True)
def second_derivative(x):
    with ag.GradientTape() as outer:
        outer.watch(x)
        with ag.GradientTape() as inner:
            inner.watch(x)
            if x > 0:
                y = x * x * x
            else:
                y = ag.sin(x)
        first = inner.gradient(y, x)
    return first, outer.gradient(first, x)


@program(case(t(1.5), t(3)), case(t(1.5), t(0)))
def second_derivative_through_a_loop(x, n):
    with ag.GradientTape() as outer:
        outer.watch(x)
        with ag.GradientTape() as inner:
            inner.watch(x)
            y = x * 1
            for _ in range(n):
                y = y * x
            y = y + x * x * x
        first = inner.gradient(y, x)
    return y, first, outer.gradient(first, x)


@program(case(t(1.5), t(2.5)))
def persistent_tape_and_several_sources(x, y):
    with ag.GradientTape(persistent=True) as tape:
        tape.watch(x)
        tape.watch(y)
        z = x * y
        w = z * z
    gx, gy = tape.gradient(w, [x, y])
    return gx, gy, tape.gradient(z, x), tape.gradient(w, z)


@program(case(t(1.5)))
def second_gradient_of_a_plain_tape_is_an_error(x):
    with ag.GradientTape() as tape:
        tape.watch(x)
        y = x * x
    g = tape.gradient(y, x)
    return g + tape.gradient(y, x)


@program(case(t(1.5), t(2.0)))
def no_dependence_gives_none(x, y):
    with ag.GradientTape() as tape:
        tape.watch([x, y])
        z = x * 2
    gx, gy = tape.gradient(z, [x, y])
    return gx, gy is None


@program(case(t(1.5), t(1)), case(t(1.5), t(-1)))
def dependence_in_one_branch_only(x, c):
    with ag.GradientTape() as tape:
        tape.watch(x)
        y = t(3.0)
        if c > 0:
            y = x * x
        z = y + 1 + 0 * x
    return tape.gradient(z, x)


@program(case(t(1.5), t(1)), case(t(1.5), t(-1)))
def tape_inside_a_branch(x, c):
    g = x * 0
    if c > 0:
        with ag.GradientTape() as tape:
            tape.watch(x)
            y = x * x * x
        g = tape.gradient(y, x)
    return g


@program(case(t(1.5), t(4)), case(t(1.5), t(0)), compiled=True)
def gradient_descent_in_a_loop(x, n):
    for _ in range(n):
        with ag.GradientTape() as tape:
            tape.watch(x)
            loss = (x - 3) ** 2
        x = x - 0.1 * tape.gradient(loss, x)
    return x


@stateful(case(t([[1.0, 2.0]])), case(t([[1.0, 2.0], [0.5, -1.0]])), ulps=32)
def training_step_of_variables():
    w = ag.Variable(np.array([[0.5, -0.25], [0.125, 1.0]], dtype=np.float32))
    b = ag.Variable(np.zeros(2, dtype=np.float32))

    def step(x):
        with ag.GradientTape() as tape:
            y = ag.tanh(ag.matmul(x, w) + b)
            loss = ag.mean((y - 1) ** 2)
        for v, g in zip((w, b), tape.gradient(loss, [w, b]), strict=True):
            v.assign_sub(0.5 * g)
        return loss

    return step, (w, b)


@stateful(case(t(3)), case(t(0)))
def variable_assigned_inside_the_tape():
    v = ag.Variable(2.0)

    def run(n):
        with ag.GradientTape() as tape:
            y = v * v
            for _ in range(n):
                y = y * v
        g = tape.gradient(y, v)
        v.assign_sub(g * 0.01)
        return y, g

    return run, v


@program(case(t(2.0), t(3.0)))
def weights_for_the_outputs(x, k):
    with ag.GradientTape() as tape:
        tape.watch(x)
        y = x * x
    return tape.gradient(y, x, output_gradients=k)


@program(case(t([3.0, 1.0, 2.0])), case(t([1.0, 5.0])))
def reductions_and_shapes(x):
    with ag.GradientTape(persistent=True) as tape:
        tape.watch(x)
        m = ag.reshape(ag.concat([x, x * 2]), (2, -1))
        a = ag.max(m) + ag.mean(m[:, ::-1] * m) + ag.sum(ag.softmax(m, axis=1)[0])
        b = ag.sum(ag.where(x > 1.5, x * x, x))
    return tape.gradient(a, x), tape.gradient(b, x)


@program(case(t(2.0)), case(t(-2.0)))
def through_a_helper_with_early_returns(x):
    def f(v):
        if v > 1:
            return v * v
        for i in range(3):
            v = v * 0.5
            if v > -1:
                return v + i
        return v

    with ag.GradientTape() as tape:
        tape.watch(x)
        y = f(x)
    return y, tape.gradient(y, x)


@program(case(t(2), t(2.0)))
def integer_source_is_refused(n, x):
    with ag.GradientTape() as tape:
        tape.watch(n)
        y = n * x
    return tape.gradient(y, n)


@program(case(t(2.0), t(3)), case(t(2.0), t(0)))
def constant_outside_the_tape(x, n):
    k = x * x
    with ag.GradientTape() as tape:
        tape.watch(x)
        y = k * x
        for _ in range(n):
            y = y + k
    return tape.gradient(y, x)


@program(case(t([1.0, 2.0]), t(1)), case(t([1.0, 2.0]), t(0)))
def dynamic_index(x, i):
    with ag.GradientTape() as tape:
        tape.watch(x)
        y = x[i] * x[i] + x[0]
    return tape.gradient(y, x)


@program(*(case(t(1.5), t(n)) for n in (-3, -1, 1, 5)))
def branch_that_raises_beside_others(x, n):
    with ag.GradientTape() as tape:
        tape.watch(x)
        if not -2 < n <= 2:
            raise ValueError("out of range")
        elif -2 < n <= -1:
            y = x * x
        else:
            y = x * 3
    return y, tape.gradient(y, x)


@program(case(t(1.5), t(2.0)))
def gradients_are_cells_of_their_own(x, y):
    with ag.GradientTape() as tape:
        tape.watch([x, y])
        z = x + y
    gx, gy = tape.gradient(z, [x, y])
    gx[...] = 100
    return gx, gy
