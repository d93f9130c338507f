"""How many threads large loops and products run on: settings of `support.thread_pool`."""

from __future__ import annotations

import ctypes
import operator
import os
from collections.abc import Callable
from typing import Any

from autograph.kernels.support import thread_pool

MOST = 256
LEAST_WORK = 400_000
"""The least work of a loop that is cut, in about sixteenths of a nanosecond: waking a worker takes
some microseconds of the caller, and its beginning some tens."""
PIECE_WORK = 160_000
"""About how much work a block has: 10 microseconds. Nobody waits for longer than one."""


def usable_cores() -> int:
    """The cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _from_environment() -> int:
    given = os.environ.get("AUTOGRAPH_THREADS", "")
    if not given:
        return min(usable_cores(), MOST)
    if not given.isdecimal() or not 1 <= int(given) <= MOST:
        raise ValueError(f"AUTOGRAPH_THREADS is a number from 1 to {MOST}, not {given!r}")
    return int(given)


class _Pool:
    """The pool as Python sees it: its settings, kept until the native code is loaded."""

    def __init__(self) -> None:
        self.count: int | None = None
        self.words: Any = None
        self.call: Callable[..., int] | None = None

    def threads(self) -> int:
        if self.count is None:
            self.count = _from_environment()
        return self.count

    def attach(self, address: int, call: Callable[..., int]) -> None:
        """The native code is there: its words, and what calls its functions."""
        self.words = (ctypes.c_int64 * thread_pool.WORDS).from_address(address)
        self.call = call
        set_least_work(LEAST_WORK, PIECE_WORK)
        self.words[thread_pool.BALANCE] = thread_pool.TRIAL
        call("set_threads", self.threads())
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=lambda: call("forget_workers"))


_pool = _Pool()
attach = _pool.attach


def get_num_threads() -> int:
    """How many threads large loops and matrix products may use, the caller's included."""
    return _pool.threads()


def set_num_threads(count: int) -> None:
    """Let large loops and matrix products use `count` threads, the caller's included.

    Results do not depend on it. By default it is AUTOGRAPH_THREADS, or the number of cores that
    this process may use.
    """
    number = operator.index(count)
    if not 1 <= number <= MOST:
        raise ValueError(f"the number of threads is from 1 to {MOST}, not {number}")
    _pool.count = number
    if _pool.call is not None:
        _pool.call("set_threads", number)


def set_least_work(least: int, piece: int, always: bool = False) -> None:
    """For tests: from which amount of work on loops are cut, how large the blocks are, and whether
    they are shared even where that was no gain."""
    if _pool.words is not None:
        _pool.words[thread_pool.LEAST] = least
        _pool.words[thread_pool.PIECE] = piece
        _pool.words[thread_pool.ALWAYS] = int(always)
