"""Phases of making and running programs, told to those who listen: profiles."""

from __future__ import annotations

import gc
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


SELDOM = 10_000
"""So many new objects of a making have Python look for cycles among them, instead of 700."""


class _Collector:
    """Python's search for garbage in cycles, made less often while something is made.

    A trace and its graph are thousands of objects, hardly any of them garbage: looking through them
    again and again took a fifth of the time of a trace, a third where it is large.
    """

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.makers = 0
        self.before = gc.get_threshold()

    def __enter__(self) -> None:
        with self.lock:
            self.makers += 1
            if self.makers == 1:
                self.before = gc.get_threshold()
                if 0 < self.before[0] < SELDOM:
                    gc.set_threshold(SELDOM, *self.before[1:])

    def __exit__(self, *_: object) -> None:
        with self.lock:
            self.makers -= 1
            if self.makers == 0 and gc.get_threshold()[0] == SELDOM:
                gc.set_threshold(*self.before)


_collector = _Collector()


@contextmanager
def making(name: str, of: str) -> Iterator[None]:
    """A phase in which many objects are made, to stay."""
    with phase(name, of), _collector:
        yield
