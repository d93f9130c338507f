"""Models whose course depends on data, with optimizers, samples and searches around them."""

from __future__ import annotations

import numpy as np

import autograph as ag
from tests.corpus.registry import case, program, stateful

t = ag.asarray


# two names for one tensor, and a loop that changes one of them --------------------------------------
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
