"""Tracebacks that show the user's code only.

Converted code keeps the user's file, lines and names, so a traceback needs no translation: the
frames of this package are taken out, and what is left is what Python itself would have shown.
`AUTOGRAPH_TRACEBACK=full` in the environment keeps them. For an exception that a compiled program
reports, a frame is made on the line that it reports.
"""

from __future__ import annotations

import ast
import os
from types import CodeType, TracebackType
from typing import TypeVar

from autograph.runtime.core.location import Location, is_ours

Error = TypeVar("Error", bound=BaseException)


def full_tracebacks() -> bool:
    """Whether the environment asks for the frames of this package, too."""
    return os.environ.get("AUTOGRAPH_TRACEBACK", "") == "full"


def trimmed(exception: Error) -> Error:
    """The same exception, with our frames taken out of its traceback and of those it is chained to.

    Use as `raise trimmed(error)`, or to set the traceback of an exception on its way out.
    """
    if full_tracebacks():
        return exception
    pending: list[BaseException] = [exception]
    seen: set[int] = set()
    while pending:
        error = pending.pop()
        if id(error) in seen:
            continue
        seen.add(id(error))
        error.__traceback__ = _users_only(error.__traceback__)
        pending.extend(e for e in (error.__cause__, error.__context__) if e is not None)
        if isinstance(error, BaseExceptionGroup):
            pending.extend(error.exceptions)
    return exception


def with_user_frame(exception: Error, location: Location | None) -> Error:
    """The same exception, with a traceback that ends in the line of `location`.

    The frame is a real one, so debuggers can stop there, but without the function's variables.
    """
    if location is None:
        return exception
    before, context = exception.__traceback__, exception.__context__
    exception.__traceback__ = None
    try:
        # Called with the exception, the code raises it from the wanted line.
        exec(_raiser(location), {"__name__": "__main__", "ag__exception": exception})
    except BaseException as raised:
        made = raised.__traceback__.tb_next if raised.__traceback__ else None
        exception.__traceback__ = _joined(before, made)
        exception.__context__ = context  # raising set it to what is being handled here
    return exception


def _raiser(location: Location) -> CodeType:
    """Code that raises `ag__exception` from a line of a function of the user's file."""
    module = ast.parse("raise ag__exception")
    for node in ast.walk(module):
        if isinstance(node, ast.stmt | ast.expr):
            node.lineno = node.end_lineno = max(location.line, 1)
            # No columns: those of this statement would underline a part of the user's.
            node.col_offset = node.end_col_offset = -1
    code = compile(module, location.filename, "exec", dont_inherit=True)
    return code.replace(co_name=location.function, co_qualname=location.function)


def _users_only(traceback: TracebackType | None) -> TracebackType | None:
    """A traceback without our frames, and without those that only pass a call on."""
    entries: list[TracebackType] = []
    while traceback is not None:
        code = traceback.tb_frame.f_code
        if not is_ours(code.co_filename):
            # The body of a staged statement runs below the function it stands in, as if it were a
            # call. The user has written one function, so only the inner frame is shown.
            if entries and _stands_in(code, entries[-1].tb_frame.f_code):
                entries.pop()
            entries.append(traceback)
        traceback = traceback.tb_next
    return _linked(entries)


def _stands_in(inner: CodeType, outer: CodeType) -> bool:
    """Whether `inner` was emitted for a statement or expression of `outer`."""
    emitted = inner.co_qualname.rpartition(".")[2].startswith("ag__")
    return emitted and any(inner is constant for constant in outer.co_consts)


def _joined(first: TracebackType | None, second: TracebackType | None) -> TracebackType | None:
    entries = []
    for traceback in (first, second):
        while traceback is not None:
            entries.append(traceback)
            traceback = traceback.tb_next
    return _linked(entries)


def _linked(entries: list[TracebackType]) -> TracebackType | None:
    """A traceback of copies of these entries, in this order."""
    linked: TracebackType | None = None
    for entry in reversed(entries):
        linked = TracebackType(linked, entry.tb_frame, entry.tb_lasti, entry.tb_lineno)
    return linked
