"""`ag.profile()`: where the time of staged calls goes, by phase and by the user's lines."""

from __future__ import annotations

import json
import linecache
import os
import re
import sys
import time
from collections.abc import Iterable
from dataclasses import dataclass
from types import TracebackType
from typing import Any

from autograph.call.function import forget_shortcuts, staged_functions
from autograph.errors import StagingError
from autograph.kernels import phases, ticks
from autograph.kernels.cuda.driver import COUNTS
from autograph.kernels.phases import Phase

_place = re.compile(r"([^\s,]+\.\w+|<[^>]+>):(\d+)")
ORDER = ("trace", "optimise", "lower", "load", "compile", "run")
"""The phases of a first call, in order; later calls run alone."""


@dataclass(frozen=True)
class LineTime:
    """The time of one of the user's lines in programs, and the ops that were counted for it.

    A loop that computes several lines at once is counted for the first of them.
    """

    file: str
    line: int
    ops: str
    seconds: float
    times: int
    """How often it ran: the part of it that ran most often."""
    source: str = ""


class profile:
    """Measures the staged calls in a `with` block: `print(p)` shows where their time went.

    `p.seconds` is the time of the block, `p.calls` the number of programs that ran. `p.phases` has
    the seconds of tracing, optimising, lowering, compiling (or loading from disk) and running;
    `p.lines` those of running, by the user's lines, the slowest first; `p.events` each phase with
    its start and end, in nanoseconds, and its thread; `p.on_gpu` the launches on GPUs and the bytes
    that calls copied there and back. `p.save("trace.json")` writes the events for
    chrome://tracing or Perfetto.

    Inside, calls run programs with clocks in them, compiled for that, so the first call of each
    function compiles once more: measure a block that calls it several times. Each time a part of a
    program begins its clock costs about 0.05 us: where parts are shorter than that, as in loops
    over numbers, the shares are those of the clocks. Eager ops, and functions with
    `mode="evaluate"`, are not measured. StagingError where another profile is running.
    """

    def __init__(self) -> None:
        self.events: list[Phase] = []
        self.seconds = 0.0
        self._before: dict[str, tuple[int, int]] = {}
        self._counts: dict[str, tuple[int, int]] = {}
        self._start = 0
        self.on_gpu = dict.fromkeys(COUNTS, 0)

    def __enter__(self) -> profile:
        if phases.LISTENERS:
            raise StagingError("a profile is running already", remedy="end it before the next one")
        phases.LISTENERS.append(self.events.append)
        forget_shortcuts()
        self._before = ticks.counted()
        self._gpu_before = dict(COUNTS)
        self._start = time.perf_counter_ns()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.seconds = (time.perf_counter_ns() - self._start) / 1e9
        phases.LISTENERS.clear()
        self.on_gpu = {name: COUNTS[name] - before for name, before in self._gpu_before.items()}
        after = ticks.counted()
        self._counts = {
            heading: (spent - self._before.get(heading, (0, 0))[0], times)
            for heading, (spent, total) in after.items()
            if (times := total - self._before.get(heading, (0, 0))[1])
        }

    @property
    def phases(self) -> dict[str, float]:
        """Seconds by phase; what a phase did in another one counts for that one alone."""
        found = dict.fromkeys(ORDER, 0.0)
        for event in self.events:
            inside = [one for one in self.events if one is not event and _holds(event, one)]
            own = event.end - event.start - sum(one.end - one.start for one in _outer(inside))
            found[event.name] = found.get(event.name, 0.0) + own / 1e9
        return found

    @property
    def calls(self) -> int:
        """How many programs ran."""
        return sum(event.name == "run" for event in self.events)

    @property
    def lines(self) -> list[LineTime]:
        """The user's lines in the programs that ran, the slowest first."""
        files = _known_files()
        parts: dict[tuple[str, int], list[tuple[str, int, int]]] = {}
        for heading, (spent, times) in self._counts.items():
            ops, _, where = heading.partition(", ")
            place = _place.search(where)
            at = (place[1], int(place[2])) if place else ("", 0)
            parts.setdefault(at, []).append((ops, spent, times))
        found = []
        for (file, line), those in parts.items():
            ops = " ".join(dict.fromkeys(" ".join(one[0] for one in those).split()))
            source = linecache.getline(files.get(file, file), line).strip()
            seconds = sum(one[1] for one in those) / 1e9
            found.append(LineTime(file, line, ops, seconds, max(one[2] for one in those), source))
        return sorted(found, key=lambda one: -one.seconds)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the phases in Chrome's trace event format."""
        events: list[dict[str, Any]] = [
            {
                "name": f"{one.name} {one.of}".strip(),
                "cat": one.name,
                "ph": "X",
                "ts": (one.start - self._start) / 1000,
                "dur": (one.end - one.start) / 1000,
                "pid": os.getpid(),
                "tid": one.thread,
            }
            for one in self.events
        ]
        with open(path, "w", encoding="utf-8") as file:
            json.dump({"traceEvents": events, "displayTimeUnit": "ms"}, file)

    def __repr__(self) -> str:
        return self.text()

    def text(self, most: int = 20) -> str:
        """The profile as text, with at most so many lines."""
        spent = self.phases
        rest = self.seconds - sum(spent.values())
        rows = [f"{self.seconds * 1e3:10.3f} ms in all, {self.calls} programs run"]
        rows += [f"{spent[name] * 1e3:10.3f} ms {name}" for name in spent if spent[name]]
        rows.append(f"{rest * 1e3:10.3f} ms Python beside: calls, results, eager ops")
        if self.on_gpu["launches"]:
            there, back = self.on_gpu["to_device"] / 1e6, self.on_gpu["to_host"] / 1e6
            rows.append(
                f"{self.on_gpu['launches']:10} launches on GPUs; {there:.3f} MB copied there, "
                f"{back:.3f} MB back"
            )
        lines = self.lines
        whole = sum(one.seconds for one in lines) or 1.0
        if lines:
            rows += ["", f"{'ms':>10}  {'%':>5}  {'times':>9}  line"]
        for one in lines[:most]:
            where = f"{one.file}:{one.line}" if one.file else ""
            share = 100 * one.seconds / whole
            rows.append(
                f"{one.seconds * 1e3:10.3f}  {share:5.1f}  {one.times:9}  {where}  {one.source}"
                f"  [{one.ops}]"
            )
        if len(lines) > most:
            rows.append(f"{'':10}  and {len(lines) - most} more: p.lines")
        return "\n".join(rows)


def _holds(event: Phase, other: Phase) -> bool:
    same = event.thread == other.thread
    return same and event.start <= other.start and other.end <= event.end


def _outer(events: Iterable[Phase]) -> list[Phase]:
    """Those that are in no other of them."""
    known = list(events)
    return [one for one in known if not any(two is not one and _holds(two, one) for two in known)]


def _known_files() -> dict[str, str]:
    """Paths of files by their names: of staged functions, then of modules."""
    found: dict[str, str] = {}
    paths = [function.plain.__code__.co_filename for function in staged_functions()]
    paths += [getattr(module, "__file__", None) or "" for module in list(sys.modules.values())]
    for path in paths:
        found.setdefault(os.path.basename(path), path)
    return found
