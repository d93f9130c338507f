"""A line on the terminal while a program is compiled for over a second, and gone after it."""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TextIO

FIRST_AFTER = 1.0
"""Seconds until the line appears; it is written anew as often."""


def wanted(stream: TextIO | None) -> bool:
    """Whether to show it: on a terminal, or as AUTOGRAPH_PROGRESS=0 or 1 says."""
    setting = os.environ.get("AUTOGRAPH_PROGRESS", "")
    if setting:
        return stream is not None and setting not in ("0", "off", "false")
    try:
        return stream is not None and stream.isatty()
    except ValueError:  # closed
        return False


@contextmanager
def progress(what: str) -> Iterator[None]:
    """Show `what` and the seconds that have passed, while the context lasts."""
    stream = sys.stderr
    if not wanted(stream):
        yield
        return
    done = threading.Event()
    line = threading.Thread(target=_show, args=(what, stream, done), daemon=True)
    line.start()
    try:
        yield
    finally:
        done.set()
        line.join()


def _show(what: str, stream: TextIO, done: threading.Event) -> None:
    start, shown = time.monotonic(), False
    while not done.wait(FIRST_AFTER):
        shown = True
        _write(stream, f"\rautograph: {what}, {time.monotonic() - start:.0f} s")
    if shown:
        _write(stream, "\r\x1b[K" if stream.isatty() else "\n")


def _write(stream: TextIO, text: str) -> None:
    try:
        stream.write(text)
        stream.flush()
    except (OSError, ValueError):  # the terminal is gone
        pass
