"""Phases of making and running programs, told to those who listen: profiles."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Phase:
    """Something that took time: its name, of what, and when, in nanoseconds of one clock."""

    name: str
    of: str
    start: int
    end: int
    thread: int


Listener = Callable[[Phase], None]
LISTENERS: list[Listener] = []
"""Who is told; while nobody listens a phase costs next to nothing."""


@contextmanager
def phase(name: str, of: str) -> Iterator[None]:
    """Tell the listeners how long the body took, also if it raised."""
    if not LISTENERS:
        yield
        return
    start = time.perf_counter_ns()
    try:
        yield
    finally:
        told = Phase(name, of, start, time.perf_counter_ns(), threading.get_ident())
        for listener in list(LISTENERS):
            listener(told)
