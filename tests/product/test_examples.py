"""The examples do what they show: small versions, in every mode, and the command that shows."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import autograph as ag
from autograph.runtime.ops.table import OPS, RECORDS

ROOT = Path(__file__).resolve().parents[2]
MODES = ["evaluate", "text", pytest.param("compile", marks=pytest.mark.compiled)]
COMPILED = pytest.param("compile", marks=[pytest.mark.compiled, pytest.mark.sweep])
SLOWLY_COMPILED = ["evaluate", "text", COMPILED]


def load(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, ROOT / "examples" / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def rnn() -> ModuleType:
    return load("dynamic_rnn")


LINES = ["x = 1", "    return self.value", "if a:", "pass", "for i in range(3):", "# note"]


def some_batches(rnn: ModuleType, count: int) -> list[Any]:
    """Batches of two lines whose longest lines differ."""
    chosen = [batch for batch, _ in zip(rnn.batches(LINES, 2), range(count), strict=False)]
    assert len({np.asarray(lengths).max() for _, lengths in chosen}) > 1
    return chosen


@pytest.mark.parametrize("mode", MODES)
def test_training_staged_is_training_eager(rnn: ModuleType, mode: Any) -> None:
    step = rnn.Model.step.python_function
    staged_step = ag.function(mode=mode)(step)
    eager, staged = rnn.Model(hidden=5), rnn.Model(hidden=5)
    for table, lengths in some_batches(rnn, 3 if mode == "text" else 6):
        loss, gradients = step(eager, table, lengths)
        same_loss, same_gradients = staged_step(staged, table, lengths)
        np.testing.assert_allclose(same_loss, loss, rtol=1e-5)
        for one, other in zip(gradients, same_gradients, strict=True):
            scale = np.abs(np.asarray(one)).max()
            np.testing.assert_allclose(other, one, rtol=0, atol=1e-4 * scale)
    for one, other in zip(eager.variables, staged.variables, strict=True):
        np.testing.assert_allclose(other, one, rtol=1e-3, atol=1e-4)
    assert staged.adam.turn.item() == eager.adam.turn.item() > 1
    assert staged_step.cache_info().misses == 1, "one trace for all lengths of lines"


@pytest.mark.parametrize("mode", MODES)
def test_writing_staged_is_writing_eager(rnn: ModuleType, mode: Any) -> None:
    write = rnn.Model.write.python_function
    staged_write = ag.function(mode=mode)(write)
    model = rnn.Model(hidden=5)
    lengths = set()
    for seed in range(2 if mode == "text" else 6):
        ag.set_seed(seed)
        line = write(model, ag.asarray(40), 1.0).tolist()
        ag.set_seed(seed)
        assert staged_write(model, ag.asarray(40), 1.0).tolist() == line
        assert line[0] == 40 and rnn.NEWLINE not in line and len(line) <= rnn.WIDTH
        lengths.add(len(line))
    assert len(lengths) > 1, "the break never came at different places"


def test_the_model_learns(rnn: ModuleType) -> None:
    model = rnn.Model(hidden=16)
    table, lengths = next(rnn.batches(LINES, 6))
    losses = [rnn.Model.step.python_function(model, table, lengths)[0].item() for _ in range(60)]
    assert losses[0] == pytest.approx(np.log(96), abs=0.3)
    assert losses[-1] < 0.6 * losses[0]


@pytest.mark.parametrize(
    ("form", "expected"),
    [("source", "ag__.with_stmt("), ("graph", "while_loop("), ("program", "def ")],
)
def test_the_step_is_shown(form: str, expected: str) -> None:
    target = "examples/dynamic_rnn.py:Model.step"
    command = [sys.executable, "-m", "autograph", "show", target, "--as", form]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    assert expected in ran.stdout


# the residual network -------------------------------------------------------------------------
@pytest.fixture(scope="module")
def resnet() -> ModuleType:
    return load("resnet")


def some_losses(resnet: ModuleType, mode: str, steps: int) -> list[float]:
    x, labels = resnet.digits()
    training = resnet.Training(widths=(2, 3), steps=steps)
    step = training.step if mode == "eager" else ag.function(training.step, mode=mode)  # type: ignore[call-overload]
    few = [slice(start, start + 4) for start in range(0, 4 * steps, 4)]
    found = [float(step(ag.asarray(x[one]), ag.asarray(labels[one]))) for one in few]
    training.model.set_training(False)
    look = training.look if mode == "eager" else ag.function(training.look, mode=mode)  # type: ignore[call-overload]
    look(ag.asarray(x[:3]), ag.asarray(labels[:3]))
    return [*found, float(training.accuracy.result())]


@pytest.mark.parametrize("mode", SLOWLY_COMPILED)
def test_residual_network_staged_is_the_eager_one(resnet: ModuleType, mode: str) -> None:
    found, wanted = some_losses(resnet, mode, 2), some_losses(resnet, "eager", 2)
    if mode == "evaluate":
        assert found == wanted
    np.testing.assert_allclose(found, wanted, rtol=1e-3)


def test_residual_network_learns(resnet: ModuleType) -> None:
    x, labels = resnet.digits()
    assert x.shape == (1797, 8, 8, 1) and set(labels) == set(range(10)) and x.max() == 1.0
    training = resnet.Training(widths=(8, 16), steps=40)
    losses, _, _ = resnet.trained(training, training.step, x[:128], labels[:128], 40)
    assert losses[-1] < 0.5 * losses[0]


@pytest.fixture
def new_op() -> Iterator[ModuleType]:
    """The example that registers an op, which is taken back afterwards."""
    yield load("new_op")
    del RECORDS["log_cosh"]
    del OPS.log_cosh


def test_a_new_op_is_one_record(new_op: ModuleType) -> None:
    x = np.array([-100.0, -1.0, 0.0, 2.5, 100.0])
    expected = np.logaddexp(x, -x) - np.log(2)
    for mode in ("evaluate", "text"):
        staged = ag.function(mode=mode)(lambda x: new_op.log_cosh(x))
        np.testing.assert_allclose(staged(ag.asarray(x)), expected, rtol=1e-15)
    np.testing.assert_allclose(new_op.log_cosh(x), expected, rtol=0)
    ag.check_gradients(new_op.log_cosh, ag.asarray([0.5, -1.5]), order=2)
    descend = new_op.steps_to_zero.python_function
    same, steps = ag.function(mode="evaluate")(descend)(ag.asarray(3.0))
    assert (same.item(), steps) == (descend(ag.asarray(3.0))[0].item(), 6)
