"""A residual network (He et al., 2016) that learns to read small images: handwritten digits.

Run it: `python examples/resnet.py` with `graphstage[demo]` installed: the images, UCI's digits of
8 by 8 pixels, are a file of the package scikit-learn.

The model is plain Python on layers of `ag.nn`. `@ag.function` makes the whole step of training
(forward, backward, the optimizer, the moving averages of BatchNorm) one native program.
"""

from __future__ import annotations

import importlib.util
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

import autograph as ag
from autograph import nn
from autograph.nn import losses, metrics, optimizers, schedules

BATCH, STEPS, COMPARED, LEARNED = 64, 240, 6, 1437


# ---- the model -----------------------------------------------------------------------------------


class Block(nn.Module):
    """Two convolutions, added to the images that came in; a stride halves height and width."""

    def __init__(self, inputs: int, outputs: int, stride: int = 1) -> None:
        self.first = nn.Conv2D(inputs, outputs, strides=stride, use_bias=False)
        self.second = nn.Conv2D(outputs, outputs, use_bias=False)
        self.norms = [nn.BatchNorm(outputs), nn.BatchNorm(outputs)]
        self.shortcut = None
        if stride > 1 or inputs != outputs:
            self.shortcut = nn.Conv2D(inputs, outputs, 1, strides=stride, use_bias=False)

    def __call__(self, x: Any) -> Any:
        y = ag.relu(self.norms[0](self.first(x)))
        y = self.norms[1](self.second(y))
        if self.shortcut is not None:
            x = self.shortcut(x)
        return ag.relu(x + y)


class ResNet(nn.Module):
    """[rows, height, width, 1] -> logits [rows, classes]."""

    def __init__(self, widths: tuple[int, ...] = (16, 32, 64), classes: int = 10) -> None:
        self.stem = nn.Conv2D(1, widths[0], use_bias=False)
        self.norm = nn.BatchNorm(widths[0])
        self.blocks = [Block(widths[0], widths[0])]
        for inputs, outputs in zip(widths, widths[1:], strict=False):
            self.blocks.append(Block(inputs, outputs, stride=2))
        self.pool = nn.GlobalAveragePool()
        self.head = nn.Dense(widths[-1], classes)

    def __call__(self, x: Any) -> Any:
        x = ag.relu(self.norm(self.stem(x)))
        for block in self.blocks:
            x = block(x)
        return self.head(self.pool(x))


class Training:
    """A model with its optimizer and what it counts."""

    def __init__(self, widths: tuple[int, ...] = (16, 32, 64), steps: int = STEPS) -> None:
        ag.set_seed(0)
        self.model = ResNet(widths)
        rate = schedules.warmup(10, schedules.cosine_decay(0.1, steps))
        self.optimizer = optimizers.SGD(
            self.model.trainable_variables, rate, momentum=0.9, nesterov=True
        )
        self.accuracy = metrics.Accuracy()

    def step(self, x: Any, labels: Any) -> Any:
        """Learn from some images; gives the loss."""
        with ag.GradientTape() as tape:
            loss = losses.softmax_cross_entropy(self.model(x), labels)
        variables = self.model.trainable_variables
        self.optimizer.apply(tape.gradient(loss, variables))
        return loss

    def look(self, x: Any, labels: Any) -> None:
        """Count how many of some images are read right."""
        self.accuracy.update(self.model(x), labels)


# ---- the data ------------------------------------------------------------------------------------


def digits() -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """1,797 images in [0, 1] and their labels, in a random order that is always the same."""
    package = importlib.util.find_spec("sklearn")
    if package is None or package.origin is None:
        raise SystemExit("the images are in scikit-learn: pip install 'graphstage[demo]'")
    file = Path(package.origin).parent / "datasets" / "data" / "digits.csv.gz"
    table = np.loadtxt(file, delimiter=",", dtype=np.float32)
    table = table[np.random.default_rng(0).permutation(len(table))]
    return table[:, :-1].reshape(-1, 8, 8, 1) / 16, table[:, -1].astype(np.int64)


def batches(x: Any, labels: Any, steps: int) -> Iterator[tuple[Any, Any]]:
    """Random rows, as often as asked for."""
    random = np.random.default_rng(1)
    for _ in range(steps):
        chosen = random.integers(0, len(x), BATCH)
        yield ag.asarray(x[chosen]), ag.asarray(labels[chosen])


# ---- what is shown -------------------------------------------------------------------------------


def trained(
    training: Training, step: Callable[..., Any], x: Any, labels: Any, steps: int
) -> tuple[list[float], float, float]:
    """The losses of so many steps, the seconds of the first one, and of each of the others."""
    found: list[float] = []
    started = time.perf_counter()
    first = started
    for images, wanted in batches(x, labels, steps):
        found.append(float(step(images, wanted)))
        if len(found) == 1:
            first = time.perf_counter()
    return found, first - started, (time.perf_counter() - first) / max(1, steps - 1)


def main() -> None:
    x, labels = digits()
    given, given_labels = x[:LEARNED], labels[:LEARNED]

    eager, evaluated, staged = Training(), Training(), Training()
    wanted, _, eager_seconds = trained(eager, eager.step, given, given_labels, COMPARED)
    graph = ag.function(evaluated.step, mode="evaluate")
    same, _, _ = trained(evaluated, graph, given, given_labels, 3)
    step = ag.function(staged.step)
    found, compiling, seconds = trained(staged, step, given, given_labels, STEPS)
    difference = max(abs(one - other) for one, other in zip(wanted, found, strict=False))

    print(f"eager   {1000 * eager_seconds:6.1f} ms a step")
    print(f"staged  {1000 * seconds:6.1f} ms a step, {eager_seconds / seconds:.1f} times as fast")
    print(f"        ({compiling:.1f} s for the first one, which traces and compiles)")
    print(f"the graph, interpreted, has the losses of eager code to the bit: {same == wanted[:3]}")
    print(f"compiled, those of the first {COMPARED} steps differ by {difference:.1e} at most")
    print(f"loss    {found[0]:.3f} -> {np.mean(found[-20:]):.4f} after {STEPS} steps")

    staged.model.set_training(False)
    look = ag.function(staged.look)
    for start in range(LEARNED, len(x), 90):
        look(ag.asarray(x[start : start + 90]), ag.asarray(labels[start : start + 90]))
    share = float(staged.accuracy.result())
    print(f"of {len(x) - LEARNED} other images {share:.1%} are read right")


if __name__ == "__main__":
    main()
