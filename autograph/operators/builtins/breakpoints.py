"""`breakpoint()` and `pdb.set_trace()` in staged code: the debugger stops while it is traced."""

from __future__ import annotations

import builtins
import os
import pdb
import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

from autograph.runtime.core.location import is_ours
from autograph.tracing.tracing import Tracing


def _breakpoint(tracing: Tracing, *args: Any, **kwargs: Any) -> None:
    """Stop in the user's frame, unless another debugger is asked for."""
    chosen = os.environ.get("PYTHONBREAKPOINT", "")
    if sys.breakpointhook is sys.__breakpointhook__ and chosen in ("", "pdb.set_trace"):
        pdb.Pdb().set_trace(_users_frame())
    else:
        sys.breakpointhook(*args, **kwargs)


def _set_trace(tracing: Tracing, *, header: str | None = None) -> None:
    debugger = pdb.Pdb()
    if header is not None:
        debugger.message(header)
    debugger.set_trace(_users_frame())


def _users_frame() -> FrameType:
    frame = sys._getframe(1)
    while is_ours(frame.f_code.co_filename) and frame.f_back is not None:
        frame = frame.f_back
    return frame


BREAKPOINTS: dict[Any, Callable[..., None]] = {
    builtins.breakpoint: _breakpoint,
    pdb.set_trace: _set_trace,
}
