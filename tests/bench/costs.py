"""C1, C2: what conversion and tracing cost, and what guards cost at each call."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

import autograph as ag
from tests.bench.call_overhead import CALLS, many
from tests.bench.measure import OURS, Workload

GUARDS = 20
MODEL = Path(__file__).with_name("long_model.py")


def loaded() -> ModuleType:
    """The model's module, executed anew: its functions have never been converted."""
    spec = importlib.util.spec_from_file_location("long_model_anew", MODEL)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def traced(method: str) -> Callable[[], Any]:
    """A call that converts and traces all that a method of the model calls."""

    def run() -> Any:
        module = loaded()
        staged = ag.function(getattr(module.Model(), method))
        staged.get_concrete(*module.arguments())
        return np.zeros(())

    return run


def run_eagerly(method: str) -> Callable[[], Any]:
    """The same method, run as it was written."""

    def run() -> Any:
        module = loaded()
        getattr(module.Model(), method)(*module.arguments())
        return np.zeros(())

    return run


class Settings:
    """Twenty attributes that a function reads."""

    def __init__(self) -> None:
        self.a, self.b, self.c, self.d, self.e = 1.5, 2.5, 3.5, 4.5, 5.5
        self.f, self.g, self.h, self.i, self.j = 1, 2, 3, 4, 5
        self.k, self.l, self.m, self.n, self.o = True, False, None, "on", "off"
        self.p, self.q, self.r, self.s, self.t = 10.5, 20, 30.5, 400, 500.5


SETTINGS = Settings()


@ag.function
def without(x: Any) -> Any:
    return x + 1070.5


@ag.function
def guarded(x: Any) -> Any:
    s = SETTINGS
    total = s.a + s.b + s.c + s.d + s.e + s.f + s.g + s.h + s.i + s.j
    total = total + s.p + s.q + s.r + s.s + s.t
    if s.k and not s.l and s.m is None and s.n == "on" and s.o == "off":
        total = total + 76.5
    return x + total


def workloads(jax: bool) -> list[Workload]:
    lines = len(MODEL.read_text(encoding="utf-8").splitlines())
    found = [
        Workload(
            "C1",
            f"a model of {lines} lines: {title}",
            {"eager run": run_eagerly(method), OURS: traced(method)},
        )
        for method, title in (
            ("forward", "convert and trace"),
            ("step", "convert and trace, gradients"),
        )
    ]
    x = ag.asarray(np.zeros(10, np.float32))
    contestants = {"no guards": many(without, x), OURS: many(guarded, x)}
    found.append(Workload("C2", f"{GUARDS} guards, {CALLS} calls", contestants))
    return found
