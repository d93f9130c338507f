"""Tracebacks that show the user's code only.

Converted code keeps the user's file, lines and names, so a traceback needs no translation: the
frames of this package are taken out, and what is left is what Python itself would have shown.
`AUTOGRAPH_TRACEBACK=full` in the environment keeps them. For an exception that a compiled program
reports, a frame is made on the line that it reports.
"""

from __future__ import annotations

import ast
import os
from collections.abc import Iterable
from types import CodeType, TracebackType
from typing import TypeVar

from autograph.runtime.core.location import Location, is_ours, stands_in
from autograph.runtime.core.python_versions import raises_at

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


def forget_frames(exceptions: Iterable[BaseException]) -> None:
    """Let exceptions that are kept, and those they are chained to, keep no variables alive."""
    if full_tracebacks():
        return
    pending, seen = list(exceptions), set()
    while pending:
        error = pending.pop()
        if id(error) not in seen:
            seen.add(id(error))
            error.__traceback__ = None
            pending.extend(e for e in (error.__cause__, error.__context__) if e is not None)


def point(error: BaseException) -> None:
    """Let the traceback of an exception that leaves a call end on the user's own line."""
    location = getattr(error, "__autograph_location__", None)
    trimmed(with_user_frames(error, location) if location is not None else error)
    error.__suppress_context__ = True  # what was being handled inside this package


def with_user_frames(exception: Error, location: Location | None) -> Error:
    """The same exception, with a traceback that ends in the line of `location`, after its callers.

    The frames are real ones, so debuggers can stop there, but without the functions' variables.
    """
    if location is None:
        return exception
    made = [_entry(place) for place in (*location.callers, location)]
    exception.__traceback__ = _linked([*_entries(exception.__traceback__), *made])
    return exception


def _entry(location: Location) -> TracebackType:
    """The part of a traceback that points to a line of a function of the user's file."""
    try:
        exec(_raiser(location), {"__name__": "__main__"})
    except RuntimeError as raised:
        assert raised.__traceback__ is not None and raised.__traceback__.tb_next is not None
        return raised.__traceback__.tb_next
    raise AssertionError("the code raises")


def _raiser(location: Location) -> CodeType:
    """Code that raises from a line of a function of the user's file."""
    module = ast.parse("raise RuntimeError")
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
    for entry in _entries(traceback):
        code = entry.tb_frame.f_code
        if not is_ours(code.co_filename):
            # The body of a staged statement runs below the function it stands in, as if it were a
            # call. The user has written one function, so only the inner frame is shown.
            # That of a loop over a generator runs below the generator, too.
            for place in reversed(range(len(entries))):
                if stands_in(code, entries[place].tb_frame.f_code):
                    del entries[place:]
                    break
            else:
                if entries and _raised_again(entries[-1], code):
                    entries.pop()
            entries.append(entry)
    return _linked(entries)


def _raised_again(entry: TracebackType, code: CodeType) -> bool:
    """Whether an entry is of a handler in which a bare `raise` raised again what `code` raised.

    Python adds no line for that, but the operator calls around it do.
    """
    around = entry.tb_frame.f_code
    part, _, name = around.co_qualname.rpartition(".")
    whole, _, other = code.co_qualname.rpartition(".")
    same = _user_part(part) == _user_part(whole)
    if not (same and name.startswith("ag__") and other.startswith("ag__")):
        return False
    return not raises_at(around, entry.tb_lasti)


def _user_part(qualified: str) -> str:
    """The user's function in the qualified name of what was emitted for its statements."""
    return qualified.partition(".ag__")[0]


def _entries(traceback: TracebackType | None) -> list[TracebackType]:
    entries = []
    while traceback is not None:
        entries.append(traceback)
        traceback = traceback.tb_next
    return entries


def _linked(entries: list[TracebackType]) -> TracebackType | None:
    """A traceback of copies of these entries, in this order."""
    linked: TracebackType | None = None
    for entry in reversed(entries):
        linked = TracebackType(linked, entry.tb_frame, entry.tb_lasti, entry.tb_lineno)
    return linked
