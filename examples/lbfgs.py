"""L-BFGS with a line search, both of them loops whose ends the data decides.

Run it: `python examples/lbfgs.py`.

The limited-memory BFGS method (Nocedal 1980; Nocedal and Wright, Numerical Optimization, 2006,
algorithm 7.4) keeps the last steps and changes of the gradient in two lists. The line search
(bisection on the weak Wolfe conditions; Lewis and Overton 2013, algorithm 2.6) doubles or halves
until it is content. `@ag.function` makes the whole method, gradients of the loss included, one
native program: nothing returns to Python before the minimum is found.

The losses: Rosenbrock's valley, and the next letter of a word of Python's own source, from the
letters before it (a softmax regression, whose minimum is known to be unique).
"""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np
from names import LETTERS, standard_library_names

import autograph as ag

MEMORY = 8
Loss = Callable[[ag.Tensor], ag.Tensor]


# ---- the method ----------------------------------------------------------------------------------


def direction(gradient: ag.Tensor, steps: list[ag.Tensor], changes: list[ag.Tensor]) -> ag.Tensor:
    """Minus the inverse of the curvature that the last steps have seen, times the gradient."""
    q = gradient
    pairs = list(zip(steps, changes))
    weights = []
    for step, change in reversed(pairs):
        weight = ag.vecdot(step, q) / ag.vecdot(change, step)
        q = q - weight * change
        weights.append(weight)
    if pairs:
        step, change = pairs[-1]
        q = q * (ag.vecdot(step, change) / ag.vecdot(change, change))
    for step, change in pairs:
        q = q + step * (weights.pop() - ag.vecdot(change, q) / ag.vecdot(change, step))
    return -q


def line_search(
    loss: Loss, x: ag.Tensor, value: ag.Tensor, slope: ag.Tensor, along: ag.Tensor
) -> tuple[ag.Tensor, ag.Tensor, ag.Tensor, int]:
    """A point on the line that meets the weak Wolfe conditions: the point, its loss, its gradient,
    and how often the loss was asked for.
    """
    low, high, rate = 0.0, float("inf"), 1.0
    tried = 0
    while tried < 40:
        tried += 1
        point = x + rate * along
        new_value, gradient = ag.value_and_grad(loss)(point)
        if new_value > value + 1e-4 * rate * slope or ag.isnan(new_value):
            high = rate  # too far
        elif ag.vecdot(gradient, along) < 0.9 * slope:
            low = rate  # not far enough
        else:
            break
        rate = 2.0 * low if high == float("inf") else 0.5 * (low + high)
    return point, new_value, gradient, tried


def minimize(
    loss: Loss, x: ag.Tensor, tolerance: float = 1e-6, most: int = 500
) -> tuple[ag.Tensor, ag.Tensor, ag.Tensor, ag.Tensor]:
    """The minimum of `loss` that L-BFGS finds from `x`, a vector of float64: where it is, how much
    it is, and how many turns and losses it took.
    """
    value, gradient = ag.value_and_grad(loss)(x)
    steps: list[ag.Tensor] = []
    changes: list[ag.Tensor] = []
    turns, losses = 0, 1
    while ag.vector_norm(gradient) > tolerance and turns < most:
        along = direction(gradient, steps, changes)
        slope = ag.vecdot(gradient, along)
        point, value, new_gradient, tried = line_search(loss, x, value, slope, along)
        step, change = point - x, new_gradient - gradient
        if ag.vecdot(step, change) > 1e-12:
            steps.append(step)
            changes.append(change)
        if len(steps) > MEMORY:
            steps.pop(0)
            changes.pop(0)
        x, gradient = point, new_gradient
        turns += 1
        losses += tried
    return x, value, turns, losses


# ---- the losses ----------------------------------------------------------------------------------


def rosenbrock(x: ag.Tensor) -> ag.Tensor:
    """Rosenbrock's function of a vector of any length; its minimum is 0, at ones."""
    return ag.sum(100.0 * (x[1:] - x[:-1] ** 2) ** 2 + (1.0 - x[:-1]) ** 2)


BEFORE = 2


def letters_in_rows(count: int) -> tuple[np.ndarray, np.ndarray]:
    """For each letter of many names those before it, as rows of 0 and 1 (letters, BEFORE * 28),
    and the letter itself.
    """
    rows, targets = [], []
    for name in standard_library_names(count):
        codes = [0] * BEFORE + [LETTERS.index(letter) for letter in name]
        for place in range(BEFORE, len(codes)):
            rows.append(codes[place - BEFORE : place])
            targets.append(codes[place])
    inputs = np.eye(len(LETTERS))[np.array(rows)].reshape(len(rows), -1)
    return inputs, np.array(targets)


class Regression:
    """Softmax regression with a penalty: the loss of a vector of weights."""

    def __init__(self, inputs: np.ndarray, targets: np.ndarray, penalty: float = 1e-5) -> None:
        self.inputs, self.targets = ag.asarray(inputs), ag.asarray(targets)
        self.shape = (inputs.shape[1], len(LETTERS))
        self.penalty = penalty

    def __call__(self, weights: ag.Tensor) -> ag.Tensor:
        scores = ag.log_softmax(self.inputs @ ag.reshape(weights, self.shape), axis=1)
        hits = ag.take_along_axis(scores, ag.expand_dims(self.targets, axis=1), axis=1)
        return self.penalty * ag.sum(weights * weights) - ag.mean(hits)


# ---- what is shown -------------------------------------------------------------------------------

staged = ag.function(minimize)


def compare(name: str, loss: Loss, start: ag.Tensor) -> ag.Tensor:
    """Minimize eagerly and staged, print both, and return where the staged minimum is."""
    staged(loss, start)  # converted, traced, compiled
    for kind, method in (("eager", minimize), ("staged", staged)):
        began = time.perf_counter()
        found, value, turns, losses = method(loss, start)
        spent = 1e3 * (time.perf_counter() - began)
        print(
            f"{name}, {kind:6}: loss {np.asarray(value):.9f} after {turns} turns,"
            f" {losses} losses, in {spent:.1f} ms"
        )
    return found


def main() -> None:
    compare("Rosenbrock, 10 dimensions", rosenbrock, ag.asarray(np.full(10, -1.2)))
    regression = Regression(*letters_in_rows(2000))
    start = ag.zeros((int(np.prod(regression.shape)),), dtype="float64")
    found = compare("letters of names", regression, start)
    weights = np.asarray(found).reshape(regression.shape)
    for letters in ("__", "th", "in", "co"):
        row = np.concatenate([np.eye(len(LETTERS))[LETTERS.index(one)] for one in letters])
        order = np.argsort(row @ weights)[::-1][:4]
        print(f"after {letters!r}: " + ", ".join(LETTERS[i] for i in order))


if __name__ == "__main__":
    main()
