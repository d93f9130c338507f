"""The example that trains in the graph: staged is eager, it stops by itself, and it is served."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import autograph as ag

ROOT = Path(__file__).resolve().parents[2]
MODES = ["evaluate", "text", pytest.param("compile", marks=pytest.mark.compiled)]


@pytest.fixture
def digits(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    name = "digits"
    spec = importlib.util.spec_from_file_location(name, ROOT / "examples" / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    for constant, value in {"BATCH": 6, "EVERY": 2, "PATIENCE": 2}.items():
        monkeypatch.setattr(module, constant, value)
    return module


def few(digits: ModuleType) -> list[Any]:
    """Parts of the images, few of them."""
    x, labels = digits.digits()
    assert (
        x.shape == (1797, 64) and labels.shape == (1797,) and set(labels.tolist()) == {*range(10)}
    )
    return digits.split(x[:120], labels[:120], learned=60, held=30)


@pytest.mark.parametrize("mode", MODES)
def test_training_in_the_graph_is_eager_training(
    digits: ModuleType, mode: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    parts = few(digits)
    eager = digits.Training.fit.python_function
    staged = ag.function(mode=mode)(eager)
    found = []
    for fit in (eager, staged):
        training = digits.Training(hidden=5)
        ag.set_seed(3)
        taken, accuracies = fit(training, *parts[:4], ag.asarray(40))
        found.append((taken, [one.item() for one in accuracies], training.model.variables))
    (taken, shares, weights), (same_taken, same_shares, same_weights) = found
    assert taken == same_taken and type(same_taken) is int and len(shares) == taken // 2
    np.testing.assert_allclose(same_shares, shares, atol=1e-6)
    for one, same in zip(weights, same_weights, strict=True):
        np.testing.assert_allclose(same.numpy(), one.numpy(), rtol=1e-3, atol=1e-5)
    printed = capsys.readouterr().out.splitlines()
    assert taken < 40 and printed == [f"no better for 4 steps: stopped after {taken}"] * 2


def test_the_trained_model_is_served_without_the_code(digits: ModuleType, tmp_path: Path) -> None:
    *_, x, labels = few(digits)
    training = digits.Training(hidden=5)
    signatures = {"classify": [(ag.TensorSpec((None, 64)),)]}
    ag.save(training.model, tmp_path / "model", signatures=signatures)
    np.savez(tmp_path / "test.npz", x=x.numpy(), labels=labels.numpy())
    command = [sys.executable, "-c", digits.READER, "model", "test.npz"]
    environment = {"PYTHONPATH": str(ROOT), "PATH": "/usr/bin:/bin", "AUTOGRAPH_JIT": "0"}
    ran = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr[-2000:]
    share = training.accuracy(x, labels).item()
    assert ran.stdout == f"a process without this code: {share:.1%} of the test images\n"
