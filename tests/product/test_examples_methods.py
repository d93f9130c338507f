"""The examples of whole methods: each in small, eager and staged in every mode, is the same."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import autograph as ag
from tests.product.test_examples import load

MODES = ["evaluate", pytest.param("text", marks=pytest.mark.sweep)]
NATIVE = pytest.param("compile", marks=[pytest.mark.compiled, pytest.mark.sweep])
Wrap = Callable[[Any], Any]


@pytest.fixture(autouse=True)
def beside(monkeypatch: pytest.MonkeyPatch) -> None:
    """Examples import what stands beside them."""
    monkeypatch.syspath_prepend(str(Path(__file__).resolve().parents[2] / "examples"))


def lbfgs(example: ModuleType, wrap: Wrap) -> list[Any]:
    minimize = wrap(example.minimize)
    x, value, turns, losses = minimize(example.rosenbrock, ag.asarray(np.full(4, -1.2)), 1e-3)
    assert value.item() < 1e-4 and turns > example.MEMORY
    regression = example.Regression(*example.letters_in_rows(20))
    start = ag.zeros((int(np.prod(regression.shape)),), dtype="float64")
    weights, loss, *_ = minimize(regression, start, 1e-1)
    assert loss < regression(start)
    return [x, turns, losses, weights]


def beam_search(example: ModuleType, wrap: Wrap) -> list[Any]:
    ag.set_seed(1)
    model = example.Speller(width=6)
    names = example.standard_library_names(40)
    train = wrap(example.Speller.train.python_function)
    batch = example.batch_of(names, np.arange(4))
    losses = [train(model, *batch) for _ in range(2)]
    found = wrap(model.search)(ag.asarray(example.encode("ge")))
    return [*losses, *found]


def maml(example: ModuleType, wrap: Wrap) -> list[Any]:
    learner = example.Learner()
    x, y = example.sinusoids(np.random.default_rng(3), 3)
    loss = wrap(example.Learner.train.python_function)(learner, x, y, ag.asarray(2))
    curve = wrap(example.Learner.learn.python_function)(learner, x[0], y[0], ag.asarray(2))
    return [loss, *curve, *learner.weights]


def sampler(example: ModuleType, wrap: Wrap) -> list[Any]:
    ag.set_seed(2)
    model = example.Sampler()
    x = example.start()[:5]
    loss, x = wrap(example.Sampler.train.python_function)(model, x, ag.asarray(2))
    sample = wrap(example.Sampler.sample.python_function)
    samples, accepted = sample(model, x, ag.asarray(2), ag.asarray(3))
    assert samples.shape == (3, 5, 2)
    return [loss, x, samples, accepted, *model.variables]


METHODS = [lbfgs, beam_search, maml, sampler]


@pytest.mark.parametrize("mode", [*MODES, NATIVE])
@pytest.mark.parametrize("method", METHODS, ids=lambda one: one.__name__)
def test_staged_is_eager(method: Callable[[ModuleType, Wrap], list[Any]], mode: Any) -> None:
    example = load(method.__name__)
    eager = method(example, lambda function: function)
    staged = method(example, lambda function: ag.function(function, mode=mode))
    for one, same in zip(eager, staged, strict=True):
        np.testing.assert_allclose(np.asarray(same), np.asarray(one), rtol=1e-3, atol=1e-4)
