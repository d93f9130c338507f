"""Importing the compiler: Ctrl-C waits until it is done, since a module half imported stays so."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType, ModuleType


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Hold back SIGINT in the main thread; it is delivered at the end."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    seen: list[int] = []

    def note(number: int, frame: FrameType | None) -> None:
        seen.append(number)

    before = signal.signal(signal.SIGINT, note)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before if before is not None else signal.SIG_DFL)
        if seen:
            signal.raise_signal(signal.SIGINT)


def compiler() -> ModuleType:
    """The module that compiles with numba."""
    with uninterrupted():
        from autograph.kernels import numba_compiler

        numba_compiler.prepare()
    return numba_compiler
