"""MAML on sinusoids: a network that learns to learn from ten points.

Run it: `python examples/maml.py`.

Model-agnostic meta-learning (Finn, Abbeel and Levine 2017, section 5.1): the loss after a few steps
of gradient descent on a task's first points, measured on its other points, is itself descended. So
gradients go through gradients, here by a tape inside a tape, through a loop over the inner steps
whose number is a tensor: one staged function serves one inner step in training and ten afterwards.
"""

from __future__ import annotations

import time

import numpy as np

import autograph as ag
from autograph import nn

WIDTH, POINTS, TASKS, INNER_RATE = 40, 10, 10, 0.01


def start_weights(seed: int = 0) -> list[ag.Variable]:
    """The weights of a network 1 - WIDTH - WIDTH - 1."""
    random = np.random.default_rng(seed)
    weights = []
    for rows, columns in ((1, WIDTH), (WIDTH, WIDTH), (WIDTH, 1)):
        kernel = random.normal(0.0, (2.0 / (rows + columns)) ** 0.5, (rows, columns))
        weights += [kernel.astype("float32"), np.zeros(columns, "float32")]
    return [ag.Variable(one) for one in weights]


def predict(weights: list[ag.Tensor], x: ag.Tensor) -> ag.Tensor:
    first, first_bias, second, second_bias, last, last_bias = weights
    hidden = ag.relu(x @ first + first_bias)
    hidden = ag.relu(hidden @ second + second_bias)
    return hidden @ last + last_bias


def error(weights: list[ag.Tensor], x: ag.Tensor, y: ag.Tensor) -> ag.Tensor:
    """The mean of the squared errors at x, y (points, 1)."""
    return ag.mean((predict(weights, x) - y) ** 2)


def adapt(
    weights: list[ag.Tensor], x: ag.Tensor, y: ag.Tensor, steps: ag.Tensor
) -> list[ag.Tensor]:
    """The weights after `steps` steps of gradient descent on the points x, y."""
    for _ in range(steps):
        with ag.GradientTape() as tape:
            tape.watch(weights)
            loss = error(weights, x, y)
        gradients = tape.gradient(loss, weights)
        weights = [weights[i] - INNER_RATE * gradients[i] for i in range(len(weights))]
    return weights


class Learner:
    """Weights from which few steps lead far."""

    def __init__(self, seed: int = 0) -> None:
        self.weights = start_weights(seed)
        self.adam = nn.optimizers.Adam(self.weights, learning_rate=0.001)

    @ag.function
    def train(self, x: ag.Tensor, y: ag.Tensor, steps: ag.Tensor) -> ag.Tensor:
        """One step over a batch of tasks, x and y (tasks, 2 * POINTS, 1): the first points of each
        are learnt from, the others measure. The mean loss after learning.
        """
        with ag.GradientTape() as tape:
            total = 0.0
            for points, values in zip(x, y):
                learnt = adapt(self.weights, points[:POINTS], values[:POINTS], steps)
                total += error(learnt, points[POINTS:], values[POINTS:])
            loss = total / x.shape[0]
        self.adam.apply(tape.gradient(loss, self.weights))
        return loss

    @ag.function
    def learn(self, x: ag.Tensor, y: ag.Tensor, steps: ag.Tensor) -> list[ag.Tensor]:
        """The losses on new points after 0 to `steps` steps, for one task."""
        weights = self.weights
        losses = []
        for _ in range(steps + 1):
            losses.append(error(weights, x[POINTS:], y[POINTS:]))
            weights = adapt(weights, x[:POINTS], y[:POINTS], 1)
        return losses


def sinusoids(random: np.random.Generator, tasks: int) -> tuple[ag.Tensor, ag.Tensor]:
    """Points of sinusoids of amplitude 0.1 to 5 and any phase: x, y (tasks, 2 * POINTS, 1)."""
    amplitude = random.uniform(0.1, 5.0, (tasks, 1, 1))
    phase = random.uniform(0.0, np.pi, (tasks, 1, 1))
    x = random.uniform(-5.0, 5.0, (tasks, 2 * POINTS, 1))
    y = amplitude * np.sin(x - phase)
    return ag.asarray(x.astype("float32")), ag.asarray(y.astype("float32"))


def compare(tasks: int = TASKS) -> dict[str, list[np.ndarray]]:
    """One step of training, eager and staged, from the same weights: the loss and what the weights
    became; prints the times.
    """
    x, y = sinusoids(np.random.default_rng(3), tasks)
    steps = ag.asarray(2)
    found = {}
    for kind, train in (("eager", Learner.train.python_function), ("staged", Learner.train)):
        learner = Learner()
        loss = train(learner, x, y, steps)
        found[kind] = [np.asarray(one) for one in (loss, *learner.weights)]
        start = time.perf_counter()
        train(learner, x, y, steps)
        spent = time.perf_counter() - start
        print(f"{kind:6}: loss {loss.item():.6f}, {1e3 * spent:.2f} ms a step of {tasks} tasks")
    for one, same in zip(found["eager"], found["staged"], strict=True):
        np.testing.assert_allclose(same, one, rtol=1e-4, atol=1e-5)
    return found


def main(turns: int = 6000) -> None:
    compare()
    random = np.random.default_rng(0)
    learner = Learner()
    losses = []
    for _ in range(turns):
        losses.append(learner.train(*sinusoids(random, TASKS), ag.asarray(1)).item())
    print(f"loss after one step: {np.mean(losses[:50]):.2f} -> {np.mean(losses[-200:]):.2f}")
    x, y = sinusoids(np.random.default_rng(9), 50)
    curves = [learner.learn(points, values, ag.asarray(10)) for points, values in zip(x, y)]
    means = np.mean(np.array(curves), axis=0)
    print("new tasks, mean loss after 0, 1, 2, 5, 10 steps:", end=" ")
    print(", ".join(f"{means[taken]:.2f}" for taken in (0, 1, 2, 5, 10)))


if __name__ == "__main__":
    main()
