"""Models whose course depends on data, with optimizers, samples and searches around them."""

from __future__ import annotations

import autograph as ag
from tests.corpus.registry import case, program, stateful

t = ag.asarray


# two names for one tensor, and a loop that changes one of them ----------------------------------
@stateful(case(t([1.0, 2.0]), 2), case(t([1.0, 2.0]), 3), case(t([0.5, 0.5]), t(5)), compiled=True)
def lookahead():
    weights = ag.Variable([0.9, 0.8])
    state = {"slow": t([1.0, 1.0]), "steps": 1}

    def f(x, turns):
        for _ in range(turns):
            weights.assign_sub(0.1 * x)
            state["steps"] += 1
            if state["steps"] % 2 == 0:
                state["slow"] = state["slow"] + 0.5 * (weights - state["slow"])
                weights.assign(state["slow"])
            loss = ag.sum(weights)
            if loss < -9:
                break
        return loss

    return f, (weights, state)


@program(case(t([1.0, 2.0]), t(3)), case(t([1.0, 2.0]), t(1)), compiled=True)
def one_tensor_comes_twice(x, turns):
    def run(moving, still):
        for _ in range(turns):
            moving = moving * 2 + still
        return moving, still

    y = x * 3
    return run(y, y) if x[0] > 0 else run(x, y)


@program(case(t([1.0, 2.0]), t(3)), case(t([1.0, 2.0]), t(1)), compiled=True)
def one_list_comes_twice(x, turns):
    def run(growing, still):
        for k in range(turns):
            growing = [*growing, still[k] + 1]
        return growing, still

    items = [float(k) for k in range(turns)]
    return run(items, items) if x[0] > 0 else run(items[:], items)


# a variable of a `try` whose handler leaves, given to tapes --------------------------------------
class NoStep(Exception):
    pass


def square(x):
    return ag.sum(x * x)


def shortened(f, x, step):
    while True:
        new = x - step * x
        value = f(new)
        if value <= f(x):
            return new, value
        step = step * 0.5
        if step < 0.5:
            raise NoStep


@program(
    case(t([1.0, 2.0]), t(0.5), t(3)), case(t([1.0, -2.0]), t(9.0), t(3)), case(t([0.5]), t(3.0), 2)
)
def descent_with_a_search(x, step, turns):
    failed, value = 0, square(x)
    for _ in range(turns):
        try:
            new, value = shortened(square, x, step)
        except NoStep:
            failed += 1
            step = step / 4
            continue
        x = new - 0.1 * ag.grad(square)(new)
    return x, value, failed


@program(case(t([1.0, 2.0]), t(0.5)), case(t([1.0, -2.0]), t(9.0)))
def derivatives_of_what_was_tried(x, step):
    try:
        new, _ = shortened(square, x, step)
    except NoStep:
        return x
    with ag.GradientTape(persistent=True) as tape:
        tape.watch([new, x])
        y = ag.sum(new * new * x)
    found = tape.gradient(y, {"new": new, "more": [x, new]})
    slope = ag.jvp(square, (new,), (x,))[1]
    of_two = ag.grad(lambda p, q: ag.sum(p * q), (0, 1))(new, x)
    return found, tape.jacobian(y, new), slope, of_two, ag.value_and_grad(square)(new)


@program(*(case(t([1.0, 2.0]), t(n)) for n in (0, 1, 2)))
def watched_or_not_there(x, n):
    y = x * 3 if n > 1 else x if n > 0 else None
    with ag.GradientTape() as tape:
        tape.watch({"y": [y]})
        z = ag.sum(y * x)
    return tape.gradient(z, {"y": y})
