"""What is printed: written down as it is written, for the thread that asks."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from typing import Any


@dataclass
class Printed:
    """What one run wrote to each of the standard streams."""

    texts: dict[str, list[str]] = field(default_factory=dict)

    def shown(self, name: str) -> str:
        """All that was written to one of them."""
        return "".join(self.texts.get(name, ()))


STREAMS = ("stdout", "stderr")


@contextmanager
def printed_output(live: bool) -> Iterator[Printed]:
    """Write down what this thread prints; unless `live`, it goes nowhere else.

    The streams stay the objects they are, since code may hold on to them: only their `write` is
    another for a while. What other threads print passes by.
    """
    printed = Printed()
    streams = {id(one): (name, one) for name in STREAMS if (one := getattr(sys, name)) is not None}
    with ExitStack() as stack:
        for name, stream in streams.values():
            stack.enter_context(_recorded(stream, printed.texts.setdefault(name, []), live))
        yield printed


@contextmanager
def _recorded(stream: Any, texts: list[str], live: bool) -> Iterator[None]:
    write, thread = stream.write, threading.get_ident()

    def recording(text: str) -> Any:
        if threading.get_ident() != thread:
            return write(text)
        if sys._getframe(1).f_globals.get("__name__") != "warnings":
            texts.append(text)
        return write(text) if live else len(text)

    own = "write" in getattr(stream, "__dict__", {})
    try:
        stream.write = recording
    except AttributeError:  # a stream of C without attributes: what it gets is not compared
        yield
        return
    try:
        yield
    finally:
        if own:
            stream.write = write
        else:
            del stream.write
