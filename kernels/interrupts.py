"""Ctrl-C while something runs that must not be left half done, or that calls back into Python."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


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


@contextmanager
def interruptible() -> Iterator[None]:
    """Ctrl-C ends what runs at once or, where Python ignored it, at the end of the context.

    Python ignores what is raised in finalizers, callbacks of weak references and functions that C
    code calls: tracing and compiling run many of them.
    """
    before = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or not callable(before):
        yield
        return
    raised: list[BaseException] = []

    def handle(number: int, frame: FrameType | None) -> None:
        try:
            before(number, frame)
        except BaseException as error:
            raised.append(error)
            raise

    signal.signal(signal.SIGINT, handle)
    try:
        yield
    finally:
        if signal.getsignal(signal.SIGINT) is handle:
            signal.signal(signal.SIGINT, before)
    if raised:
        raise raised[-1]
