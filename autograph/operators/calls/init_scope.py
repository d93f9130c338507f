"""`ag.init_scope()`: what is done while tracing, outside of the graph."""

from __future__ import annotations

from contextlib import AbstractContextManager
from types import TracebackType
from typing import Any

from autograph.runtime.core.state import STATE
from autograph.tracing.tracing import CURRENT, current


class init_scope(AbstractContextManager["init_scope"]):
    """`with ag.init_scope():` runs its body eagerly, where no graph is made and no tape watches.

    In a staged function that is once for each trace, while it is traced: for making Variables and
    tables. What the body changes stays, also where the call raises. It may not use what is known
    only when the function runs: StateError. Outside a staged function it only keeps tapes out.
    """

    def __init__(self) -> None:
        self._outer: list[tuple[Any, Any, Any]] = []

    def __enter__(self) -> init_scope:
        self._outer.append((CURRENT.tracing, STATE.interpreter, STATE.tapes))
        STATE.tapes = ()
        tracing = current()
        if tracing is not None:
            tracing.lifted = True
            CURRENT.tracing, STATE.interpreter = None, None
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        CURRENT.tracing, STATE.interpreter, STATE.tapes = self._outer.pop()
        tracing = current()
        if tracing is not None:
            tracing.seen.clear()  # what was read before may be otherwise now
