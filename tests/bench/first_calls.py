"""W15: the first call of each workload in a fresh process with an empty cache, imports left out."""

from __future__ import annotations

import importlib
import os
import statistics
import subprocess
import sys
import tempfile
import time

from tests.bench.measure import OURS, duration

PROGRAMS = (
    ("collatz", "W1a"),
    ("recurrent", "W2a"),
    ("recurrent", "W2b"),
    ("lstm", "W2c"),
    ("lstm", "W2cg"),
    ("trees", "W3"),
    ("training", "W4a"),
    ("training", "W4b"),
    ("scalars", "W14a"),
    ("scalars", "W14b"),
)
"""Modules of this folder, and names of workloads in them."""
REPEATS = 5


class FirstCalls:
    """One workload's first calls, in turn; behaves as a `measure.Workload` for `make bench`."""

    name = "W15"

    def __init__(self, module: str, workload: str, jax: bool) -> None:
        self.module, self.workload = module, workload
        self.contestants = (OURS, "jax") if jax and workload != "W3" else (OURS,)
        self.times: dict[str, list[float]] = {one: [] for one in self.contestants}

    def check(self) -> None:
        """The workload itself is checked where it is timed."""

    def run(self) -> None:
        for _ in range(REPEATS):
            for contestant in self.contestants:
                self.times[contestant].append(first_call(self.module, self.workload, contestant))

    def report(self) -> str:
        medians = {one: statistics.median(times) for one, times in self.times.items()}
        cells = [f"{self.name:5} {f'first call, empty cache: {self.workload}':44}"]
        cells += [f"{OURS} {duration(medians[OURS])}"]
        for one, median in medians.items():
            if one != OURS:
                cells.append(f"{one} {duration(median)} (ours {medians[OURS] / median:5.2f}x)")
        return " | ".join(cells)


def first_call(module: str, workload: str, contestant: str) -> float:
    """The seconds of the first call, by the clock of the process that makes it."""
    program = (
        f"from tests.bench import first_calls; "
        f"print(first_calls.timed({module!r}, {workload!r}, {contestant!r}))"
    )
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "AUTOGRAPH_CACHE_DIR": folder}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        done = subprocess.run(
            [sys.executable, "-c", program],
            env=environment,
            check=True,
            capture_output=True,
            text=True,
        )
    return float(done.stdout.split()[-1])


def timed(module: str, workload: str, contestant: str) -> float:
    """Make the first call of a contestant in this process; gives the seconds."""
    if contestant == "jax":
        from jax import numpy

        numpy.ones(3).block_until_ready()  # what JAX prepares once for all its functions
    found = importlib.import_module(f"tests.bench.{module}").workloads(contestant == "jax")
    (call,) = (one.contestants[contestant] for one in found if one.name == workload)
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def workloads(jax: bool) -> list[FirstCalls]:
    return [FirstCalls(module, workload, jax) for module, workload in PROGRAMS]
