"""Programs with clocks in them, and what these counted: see `kernels.support.clocks`."""

from __future__ import annotations

import re
import time
from typing import Any

import numpy as np

from autograph.kernels.support.clocks import PARTS, TABLE

Words = np.ndarray[Any, Any]

_heading = re.compile(r"^( +)# (.+)$")
_parallel = re.compile(r"^( +)for \w+ in parallel_range\(")
_part_of: dict[str, int] = {"": 0}
"""Numbers of parts by their headings in programs."""
_words: Words = np.zeros(TABLE, np.int64)


def attach(words: Words) -> None:
    """The native code is there: its table is used from now on."""
    global _words
    words[:] = _words
    _words = words


def with_ticks(text: str) -> str:
    """The text of a program in which each part that has a heading begins with a tick.

    None is in a loop that threads share: the table belongs to one thread.
    """
    lines: list[str] = []
    shared: int | None = None
    """How deep the shared loop is that a line stands in."""
    for line in text.split("\n"):
        depth = len(line) - len(line.lstrip())
        if shared is not None and line.strip() and depth <= shared:
            shared = None
        if shared is None and (found := _parallel.match(line)):
            shared = len(found[1])
        lines.append(line)
        heading = _heading.match(line)
        if heading is not None and shared is None:
            lines.append(f"{heading[1]}tick({_number(heading[2])})")
    return "\n".join(lines)


def _number(heading: str) -> int:
    return _part_of.setdefault(heading, len(_part_of) if len(_part_of) < PARTS else 0)


def tick(part: int) -> int:
    """The same in CPython, for programs that are not compiled."""
    last = 2 + 2 * int(_words[1])
    _words[last] += time.perf_counter_ns() - _words[0]
    _words[2 + 2 * part + 1] += 1
    _words[1] = part
    _words[0] = time.perf_counter_ns()
    return 0


def begin() -> int:
    """A program begins: time counts from now on. What was running, to be given to `end`."""
    before = int(_words[1])
    _words[1], _words[0] = 0, time.perf_counter_ns()
    return before


def end(before: int) -> None:
    """A program ends: its last part, too."""
    tick(0)
    _words[1] = before


def counted() -> dict[str, tuple[int, int]]:
    """By heading, nanoseconds and how often a part ran, since the process began."""
    return {
        heading: (int(_words[2 + 2 * part]), int(_words[3 + 2 * part]))
        for heading, part in _part_of.items()
        if heading
    }
