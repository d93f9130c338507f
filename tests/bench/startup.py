"""W13: a fresh process up to its first result: `import` alone, W2a and W2b with the cache warm."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from typing import Any

import numpy as np

from tests.bench.measure import OURS, Workload

PROGRAMS = {
    "import": ("import numpy", "import autograph", "import jax"),
    "RNN": (
        "from tests.bench import recurrent as r; r.forward_numpy(*r.arguments())",
        "from tests.bench import recurrent as r; import autograph as ag;"
        "r.forward(*map(ag.asarray, r.arguments()))",
        "from tests.bench import recurrent as r; r.jax_contestants()[0](*r.arguments())",
    ),
    "RNN with gradients": (
        "from tests.bench import recurrent as r; r.gradients_numpy(*r.arguments())",
        "from tests.bench import recurrent as r; import autograph as ag;"
        "r.gradients(*map(ag.asarray, r.arguments()))",
        "from tests.bench import recurrent as r; r.jax_contestants()[1](*r.arguments())",
    ),
}
"""What NumPy, this project and JAX run. All of them import numba and numpy for the workload."""


def process(program: str) -> Callable[[], Any]:
    """A call that runs a program in a process of its own."""

    def run() -> Any:
        subprocess.run([sys.executable, "-c", program], check=True)
        return np.zeros(())

    return run


def workloads(jax: bool) -> list[Workload]:
    found = []
    for title, programs in PROGRAMS.items():
        names = ("numpy", OURS, "jax")[: 3 if jax else 2]
        contestants = {name: process(one) for name, one in zip(names, programs)}
        found.append(Workload("W13", f"a fresh process, cache warm: {title}", contestants))
    return found
