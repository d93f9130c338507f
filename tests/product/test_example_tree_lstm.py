"""The example on syntax trees: staged is eager, the loss falls, and the state comes back."""

from __future__ import annotations

import ast
import importlib.util
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import autograph as ag

ROOT = Path(__file__).resolve().parents[2]
COMPILED = pytest.param("compile", marks=[pytest.mark.compiled, pytest.mark.sweep])
MODES = ["evaluate", "text", COMPILED]

SOURCE = """
def first(x):
    return x + 1

def second(x, y):
    for z in x:
        y.append(z)
    return y
"""


@pytest.fixture(scope="module")
def trees() -> ModuleType:
    name = "tree_lstm"
    spec = importlib.util.spec_from_file_location(name, ROOT / "examples" / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def small(trees: ModuleType) -> list[Any]:
    """Two functions as trees, with labels."""
    return [(trees.tree_of(one), n) for n, one in enumerate(ast.parse(SOURCE).body)]


def test_trees_are_those_of_the_functions(trees: ModuleType) -> None:
    (tree, _), _ = small(trees)
    words, first, following = (one.tolist() for one in tree)
    assert first[0] == 1 and following[0] == -1, "the root comes first, and its children follow"
    seen = {number for number in [*first, *following] if number >= 0}
    assert seen == set(range(1, len(words))), "every other node is a child or a sibling, once"
    assert all(20 <= tree[0].shape[0] <= 300 for tree in trees.trees_of("tarfile"))


@pytest.mark.parametrize("mode", MODES)
def test_training_staged_is_training_eager(trees: ModuleType, mode: Any) -> None:
    eager = trees.Trainer.step.python_function
    staged = ag.function(mode=mode)(eager)
    trainers = [trees.Trainer(trees.TreeLSTM(width=3, classes=2)) for _ in range(2)]
    for _ in range(2):
        for tree, label in small(trees):
            losses = [
                step(one, tree, ag.asarray(label)).item()
                for step, one in zip((eager, staged), trainers)
            ]
            np.testing.assert_allclose(losses[1], losses[0], rtol=1e-5)
    for one, same in zip(*(trainer.model.variables for trainer in trainers), strict=True):
        np.testing.assert_allclose(same.numpy(), one.numpy(), rtol=1e-3, atol=1e-4)
    assert staged.cache_info().misses == 2, "one trace for all trees after the first"


def test_the_loss_falls_and_the_state_comes_back(trees: ModuleType, tmp_path: Path) -> None:
    step = ag.function(mode="evaluate")(trees.Trainer.step.python_function)
    trainer = trees.Trainer(trees.TreeLSTM(width=4, classes=2), rate=0.02)
    pairs = small(trees)
    losses = [
        step(trainer, tree, ag.asarray(label)).item() for _ in range(8) for tree, label in pairs
    ]
    assert sum(losses[-2:]) < 0.6 * sum(losses[:2])
    path = ag.Checkpoint(model=trainer.model, optimizer=trainer.adam).save(tmp_path / "c")
    other = trees.Trainer(trees.TreeLSTM(width=4, classes=2, seed=1))
    ag.Checkpoint(model=other.model, optimizer=other.adam).restore(path).check()
    tree, label = pairs[0]
    assert (
        step(other, tree, ag.asarray(label)).item() == step(trainer, tree, ag.asarray(label)).item()
    )
