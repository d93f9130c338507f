"""A saved function whose sizes are not all known serves every size, 0 and 1 included."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import autograph as ag
from autograph import nn

pytestmark = pytest.mark.filterwarnings("ignore:.*was traced")

Spec = ag.TensorSpec
F32, F64 = ag.float32, ag.float64


class Normed(nn.Module):
    """A perceptron with a batch norm."""

    def __init__(self) -> None:
        self.first, self.norm, self.last = nn.Dense(3, 8), nn.BatchNorm(8), nn.Dense(8, 2)

    @ag.function(input_signature=[Spec((None, 3), F32)], mode="evaluate")
    def __call__(self, x: Any) -> Any:
        return ag.softmax(self.last(ag.relu(self.norm(self.first(x)))))


class Recurrent(nn.Module):
    """A cell over a length that the run tells."""

    def __init__(self) -> None:
        self.w, self.u = nn.Dense(3, 4), nn.Dense(4, 4)

    @ag.function(input_signature=[Spec((None, None, 3), F32)], mode="evaluate")
    def __call__(self, x: Any) -> Any:
        state, seen = ag.zeros((x.shape[0], 4)), []
        for i in range(x.shape[1]):
            state = ag.tanh(self.w(x[:, i]) + self.u(state))
            seen.append(state)
        return state, len(seen)


class Convolved(nn.Module):
    """A convolution of any number of images."""

    def __init__(self) -> None:
        self.layer = nn.Conv2D(1, 2, 3)

    @ag.function(input_signature=[Spec((None, 6, 6, 1), F32)], mode="evaluate")
    def __call__(self, x: Any) -> Any:
        return ag.sum(self.layer(x), axis=(1, 2))


class Attention(nn.Module):
    """Several sizes that broadcast together."""

    def __init__(self) -> None:
        self.layer = nn.Dense(4, 4)

    @ag.function(
        input_signature=[
            Spec((None, None, 4), F32),
            Spec((None, None, 4), F32),
            Spec((None, None, None), ag.bool_),
        ],
        mode="evaluate",
    )
    def __call__(self, queries: Any, keys: Any, mask: Any) -> Any:
        scores = self.layer(queries) @ ag.matrix_transpose(keys)
        return ag.softmax(ag.where(mask, scores, -1e9)) @ keys


class Affine(nn.Module):
    """Five unknown sizes, and state that is written."""

    def __init__(self) -> None:
        self.scale, self.calls = ag.Variable(np.float64(2.0)), ag.Variable(0)

    @ag.function(
        input_signature=[Spec((None, None), F64), Spec((None, None), F64), Spec((None,), F64)],
        mode="evaluate",
    )
    def __call__(self, x: Any, y: Any, z: Any) -> Any:
        self.calls.assign_add(1)
        return x @ y * self.scale + z, ag.sum(x), self.calls.read()


def floats(*shape: int, kind: Any = np.float32) -> Any:
    return np.linspace(-1.0, 1.0, int(np.prod(shape)), dtype=kind).reshape(shape)


BATCHES = (2, 5, 1, 0)
CASES: dict[type[nn.Module], list[tuple[Any, ...]]] = {
    Normed: [(floats(n, 3),) for n in BATCHES],
    Recurrent: [(floats(n, length, 3),) for n in BATCHES for length in (3, 1, 0, 7)],
    Convolved: [(floats(n, 6, 6, 1),) for n in BATCHES],
    Attention: [
        (floats(b, q, 4), floats(b, k, 4), floats(c, q, k) > 0)
        for b in (2, 1, 0)
        for q in (3, 1, 0)
        for k in (3, 1)
        for c in {b, 1}
    ],
    Affine: [
        (floats(a, b, kind=F64), floats(b, c, kind=F64), floats(e, kind=F64))
        for a in (3, 1, 0)
        for b in (4, 1, 0)
        for c in (5, 1, 0)
        for e in {c, 1}
    ],
}


def results(function: Any, cases: list[tuple[Any, ...]]) -> list[Any]:
    found: list[Any] = []
    for one in cases:
        made = function(*map(ag.asarray, one))
        parts = made if isinstance(made, tuple) else (made,)
        found += [np.asarray(getattr(part, "_value", part)) for part in parts]
    return found


LOADING = """
import sys, numpy as np, autograph as ag
folder, cases, results = sys.argv[1:]
function = ag.load(folder, mode="text")
found = []
with np.load(cases) as given:
    count = 1 + max(int(name.split("_")[0]) for name in given)
    for number in range(count):
        names = sorted(name for name in given if name.split("_")[0] == str(number))
        made = function(*(ag.asarray(given[name]) for name in names))
        parts = made if isinstance(made, tuple) else (made,)
        found += [np.asarray(getattr(part, "_value", part)) for part in parts]
np.savez(results, *found)
"""


@pytest.mark.parametrize("kind", CASES, ids=lambda one: str(one.__name__))
def test_models_serve_every_size_elsewhere(kind: Callable[[], Any], tmp_path: Path) -> None:
    """Saved before any call, and loaded by a process that does not know the class."""
    cases = CASES[kind]  # type: ignore[index]
    model = kind()
    ag.save(model, tmp_path / "model")
    assert len(list((tmp_path / "model").glob("graph*"))) == 2, "one of any size, and a fast one"
    arrays = {f"{n}_{k}": part for n, one in enumerate(cases) for k, part in enumerate(one)}
    np.savez(tmp_path / "cases.npz", **arrays)
    paths = [str(tmp_path / name) for name in ("model", "cases.npz", "results.npz")]
    subprocess.run([sys.executable, "-c", LOADING, *paths], check=True, timeout=120)
    wanted = results(model, cases)
    with np.load(tmp_path / "results.npz") as found:
        assert len(found.files) == len(wanted)
        for name, one in zip(found.files, wanted, strict=True):
            assert (found[name].shape, found[name].dtype) == (one.shape, one.dtype)
            np.testing.assert_allclose(found[name], one, rtol=1e-5, atol=1e-6)


def test_sizes_that_changed_from_call_to_call(tmp_path: Path) -> None:
    @ag.function(mode="evaluate")
    def f(x: Any, k: Any, *, flag: Any = True) -> Any:
        y = x * k if flag else x
        for i in range(x.shape[0]):
            y = y + x[i]
        if x.shape[0] == 1:
            y = y * 100
        return ag.concat([y, ag.zeros((x.shape[0],), dtype=F64)]), x.shape[0]

    for size in (2, 5):
        f(ag.asarray(floats(size, kind=F64)), 3, flag=True)
    ag.save(f, tmp_path / "f")
    loaded: Any = ag.load(tmp_path / "f", mode="text")
    for size in (0, 1, 2, 7):
        x = ag.asarray(floats(size, kind=F64))
        wanted, found = f(x, 3, flag=True), loaded(x, 3, flag=True)
        np.testing.assert_array_equal(found[0].numpy(), wanted[0].numpy())
        assert found[1] == wanted[1] == size


def test_sizes_that_must_be_known_have_traces_of_their_own(tmp_path: Path) -> None:
    @ag.function(mode="evaluate", input_signature=[Spec((None, 3), F64)])
    def f(x: Any) -> Any:
        return ag.squeeze(x, 0) if x.shape[0] == 1 else ag.squeeze(x[:1], 0)

    ag.save(f, tmp_path / "f")
    loaded: Any = ag.load(tmp_path / "f", mode="evaluate")
    x = ag.asarray(floats(1, 3, kind=F64))
    np.testing.assert_array_equal(loaded(x).numpy(), f(x).numpy())
