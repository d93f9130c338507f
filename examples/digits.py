"""Training in the graph: a classifier of UCI's digits, its whole training one staged call.

Run it: `python examples/digits.py`.

`fit` draws its batches, takes the gradients, steps the optimizer, measures on held-out images now
and then, prints, and stops when that has not become better for a while: an ordinary loop with a
`break` that depends on the data. Staged, Python is not asked in between. The trained model is then
saved with `ag.save`, and read again by a process that has none of this code. The images, 1,797 of
8 by 8 pixels, are a file of the package scikit-learn.
"""

from __future__ import annotations

import importlib.util
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

import autograph as ag
from autograph import nn

BATCH, EVERY, PATIENCE = 64, 50, 6


class Classifier(nn.Module):
    """Two layers: images (rows, 64) to logits (rows, 10)."""

    def __init__(self, hidden: int = 48, seed: int = 0) -> None:
        ag.set_seed(seed)
        self.first = nn.Dense(64, hidden, ag.relu)
        self.second = nn.Dense(hidden, 10)

    def __call__(self, x: Any) -> Any:
        return self.second(self.first(x))

    @ag.function
    def classify(self, x: Any) -> Any:
        """The digit in each image."""
        return ag.argmax(self(x), axis=-1)


class Training:
    """A classifier and its optimizer."""

    def __init__(self, hidden: int = 48, seed: int = 0) -> None:
        self.model = Classifier(hidden, seed)
        self.adam = nn.optimizers.Adam(self.model.trainable_variables, learning_rate=0.002)

    def accuracy(self, x: Any, labels: Any) -> Any:
        """The share of images whose digit is found."""
        right = ag.argmax(self.model(x), axis=-1) == labels
        return ag.mean(ag.astype(right, ag.float32))

    def step(self, x: Any, labels: Any) -> Any:
        """One step of training; the loss before it."""
        with ag.GradientTape() as tape:
            loss = nn.losses.softmax_cross_entropy(self.model(x), labels)
        self.adam.apply(tape.gradient(loss, self.model.trainable_variables))
        return loss

    @ag.function
    def fit(self, x: Any, labels: Any, held: Any, held_labels: Any, most: Any) -> Any:
        """Train for at most `most` steps: how many were taken, and the accuracies on the way."""
        best, since = 0.0, 0
        accuracies = []
        taken = 0
        for turn in range(most):
            rows = ag.random_integers(0, x.shape[0], (BATCH,))
            self.step(x[rows], labels[rows])
            taken = turn + 1
            if taken % EVERY != 0:
                continue
            share = self.accuracy(held, held_labels).item()
            accuracies.append(ag.asarray(share))
            if share > best:
                best, since = share, 0
            else:
                since += 1
            if since == PATIENCE:
                print(f"no better for {PATIENCE * EVERY} steps: stopped after {taken}")
                break
        return taken, accuracies


def digits() -> tuple[Any, Any]:
    """1,797 images in [0, 1], (rows, 64), and their labels, in an order that is always the same."""
    package = importlib.util.find_spec("sklearn")
    if package is None or package.origin is None:
        raise SystemExit("the images are in scikit-learn: pip install 'graphstage[demo]'")
    file = Path(package.origin).parent / "datasets" / "data" / "digits.csv.gz"
    table = np.loadtxt(file, delimiter=",", dtype=np.float32)
    table = table[np.random.default_rng(0).permutation(len(table))]
    return ag.asarray(table[:, :-1] / 16), ag.asarray(table[:, -1].astype(np.int64))


def split(x: Any, labels: Any, learned: int = 1200, held: int = 250) -> list[Any]:
    """Images to learn from, held-out ones to stop by, and the rest to test with; with labels."""
    ends = [0, learned, learned + held, x.shape[0]]
    return [one[a:b] for a, b in zip(ends, ends[1:]) for one in (x, labels)]


def compare(parts: list[Any], steps: int = 120) -> dict[str, Any]:
    """So many steps, eager and staged, from the same weights and with the same batches."""
    found: dict[str, Any] = {}
    for kind, fit in (("eager", Training.fit.python_function), ("staged", Training.fit)):
        seconds = []
        for _ in range(2):  # the second time it is compiled
            training = Training()
            ag.set_seed(7)
            start = time.perf_counter()
            taken, accuracies = fit(training, *parts[:4], ag.asarray(steps))
            seconds.append(time.perf_counter() - start)
        shares = [round(one.item(), 4) for one in accuracies]
        found[kind] = taken, shares, [one.numpy() for one in training.model.variables]
        each = 1e3 * seconds[1] / taken
        print(f"{kind:6}: {taken} steps, accuracies {shares}, {each:.3f} ms a step")
    (taken, shares, weights), (same_taken, same_shares, same_weights) = found.values()
    assert taken == same_taken
    np.testing.assert_allclose(same_shares, shares, atol=0.02)
    for one, same in zip(weights, same_weights):
        np.testing.assert_allclose(same, one, rtol=0, atol=1e-3)
    return found


READER = """
import sys
import numpy as np
import autograph as ag
model = ag.load(sys.argv[1])
with np.load(sys.argv[2]) as test:
    found = model.classify(test["x"]).numpy()
    print(f"a process without this code: {np.mean(found == test['labels']):.1%} of the test images")
"""


def main() -> None:
    parts = split(*digits())
    compare(parts)
    training = Training()
    start = time.perf_counter()
    taken, accuracies = training.fit(*parts[:4], ag.asarray(5000))
    spent = time.perf_counter() - start
    print(f"{taken} steps in {spent:.2f} s, held-out accuracy up to {max(accuracies).item():.1%}")
    x, labels = parts[4:]
    print(f"here: {training.accuracy(x, labels).item():.1%} of the test images")
    with tempfile.TemporaryDirectory() as folder:
        model, data = Path(folder) / "model", Path(folder) / "test.npz"
        ag.save(training.model, model, signatures={"classify": [(ag.TensorSpec((None, 64)),)]})
        np.savez(data, x=x.numpy(), labels=labels.numpy())
        subprocess.run([sys.executable, "-c", READER, str(model), str(data)], check=True)


if __name__ == "__main__":
    main()
