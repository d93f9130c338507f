"""Times contestants fairly: the same inputs, outputs checked first, in turn, medians of rounds."""

from __future__ import annotations

import os
import platform
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

OURS = "autograph"
ROUND_SECONDS = 0.02  # each contestant is called for about this long in a round
ROUNDS = 25


@dataclass
class Workload:
    """One thing to do, and who does it: `contestants` maps a name to a call without arguments.

    The first contestant's result is the reference for all the others.
    """

    name: str
    title: str
    contestants: dict[str, Callable[[], Any]]
    tolerance: float = 0.0
    times: dict[str, list[float]] = field(default_factory=dict)

    def check(self) -> None:
        """Call each contestant once (which compiles), and compare what they return."""
        results = {name: leaves(call()) for name, call in self.contestants.items()}
        (first, expected), *others = results.items()
        for name, found in others:
            assert len(found) == len(expected), f"{self.name}: {name} and {first}"
            for one, other in zip(found, expected):
                scale = max(1.0, float(np.abs(other).max()))
                worst = float(np.abs(one - other).max()) / scale
                assert worst <= self.tolerance, f"{self.name}: {name} differs from {first}: {worst}"

    def run(self) -> None:
        """A B A B ...: every round calls each contestant, so that all see the same machine."""
        counts = {}
        for name, call in self.contestants.items():
            start = time.perf_counter()
            call()
            counts[name] = max(1, int(ROUND_SECONDS / (time.perf_counter() - start)))
        self.times = {name: [] for name in self.contestants}
        for _ in range(ROUNDS):
            for name, call in self.contestants.items():
                start = time.perf_counter()
                for _ in range(counts[name]):
                    call()
                self.times[name].append((time.perf_counter() - start) / counts[name])

    def report(self) -> str:
        medians = {name: statistics.median(times) for name, times in self.times.items()}
        ours = medians[OURS]
        cells = [f"{self.name:5} {self.title:44}", f"{OURS} {duration(ours)}"]
        for name, median in medians.items():
            if name != OURS:
                cells.append(f"{name} {duration(median)} (ours {ours / median:5.2f}x)")
        return " | ".join(cells)


def leaves(result: Any) -> list[np.ndarray]:
    """The arrays of a result, tuples and lists flattened."""
    if isinstance(result, (tuple, list)):
        return [leaf for part in result for leaf in leaves(part)]
    return [np.asarray(result)]


def duration(seconds: float) -> str:
    for unit, size in (("s ", 1.0), ("ms", 1e-3), ("us", 1e-6)):
        if seconds >= size:
            return f"{seconds / size:7.2f} {unit}"
    return f"{seconds / 1e-9:7.1f} ns"


def machine() -> str:
    return f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}"
