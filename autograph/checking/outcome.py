"""What one run of a call shows: its result or exception, what it printed, the state it left."""

from __future__ import annotations

import inspect
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from autograph.checking.capture import STREAMS, Printed, printed_output
from autograph.checking.comparison import Close, Comparison, Difference, SameText
from autograph.checking.picture import Camera, Picture
from autograph.checking.reach import Reach, is_library
from autograph.checking.texts import first_differing_lines
from autograph.runtime.core.location import Location

Pictures = list[tuple[str, Picture]]


@dataclass
class Outcome:
    """One run. Pictures are taken before the state is put back."""

    result: Any
    error: Exception | None
    printed: Printed
    shown: Picture
    """The result, or what the user's exception keeps."""
    state: Pictures | None
    """None: nothing is known of it."""
    line: Location | None
    """Where the exception comes from."""


def observed(run: Callable[[], Any], reach: Reach, live: bool = False) -> Outcome:
    """Run it and look. `live`: what it prints is printed."""
    result, error, line = None, None, None
    with printed_output(live) as printed:
        try:
            result = run()
        except Exception as raised:
            error = raised
    if error is not None:
        line = getattr(error, "__autograph_location__", None) or last_line(error)
    camera = Camera(reach.path_of)
    if error is None:
        shown = camera.take(result)
        return Outcome(result, None, printed, shown, pictures(reach, camera), line)
    state = pictures(reach, camera)  # first: it is compared with that of before the call
    return Outcome(None, error, printed, camera.take(_fields(error)), state, line)


def pictures(reach: Reach, camera: Camera | None = None) -> Pictures:
    """The pictures of all state that a call can reach."""
    camera = camera or Camera(reach.path_of)
    return [(one.path, camera.contents(one.item, one.path)) for one in reach.places()]


def _fields(error: Exception) -> dict[str, Any]:
    """The user's own attributes of an exception."""
    return {
        name: one
        for name, one in vars(error).items()
        if not name.startswith("__") and type(one) in (bool, int, float, str, tuple, type(None))
    }


def last_line(error: BaseException) -> Location | None:
    """The innermost line of a traceback that is the user's own, libraries aside."""
    found = None
    for frame, line in traceback.walk_tb(error.__traceback__):
        code = frame.f_code
        if not is_library(code.co_filename) and not code.co_filename.endswith(".pyx"):
            found = Location(code.co_filename, line, code.co_name)
    return found


# comparing ----------------------------------------------------------------------------------------
def first_difference(
    expected: Outcome, actual: Outcome, close: Close, same: SameText, *, copies: bool
) -> Difference | None:
    """The first difference of two runs.

    `copies`: the tensors in a list may be other ones with the same values.
    """
    found = _of_errors(expected, actual, same)
    if found is not None:
        return found
    for name in STREAMS:
        one, other = expected.printed.shown(name), actual.printed.shown(name)
        if not same(one, other):
            number, one, other = first_differing_lines(one, other)
            path = f"what is printed (sys.{name}, line {number})"
            return Difference(path, repr(one), repr(other))
    comparison = Comparison(close, copies=copies, same_text=same)
    whole = "result" if expected.error is None else "the exception"
    found = comparison.compare(expected.shown, actual.shown, whole)
    if found is not None or expected.state is None or actual.state is None:
        return found
    return of_states(expected.state, actual.state, comparison)


def of_states(expected: Pictures, actual: Pictures, comparison: Comparison) -> Difference | None:
    """The first difference between two states."""
    for (path, one), (_, other) in zip(expected, actual, strict=True):
        found = comparison.compare(one, other, path)
        if found is not None:
            return found
    return None


def _of_errors(expected: Outcome, actual: Outcome, same: SameText) -> Difference | None:
    one, other = expected.error, actual.error
    if one is None and other is None:
        return None
    if one is None or other is None:
        return Difference("the outcome", _outcome(expected), _outcome(actual))
    if type(one) is not type(other) and not _is_our_own(one, other):
        return Difference("the exception", _described(one), _described(other))
    if type(one) is type(other) and not same(str(one), str(other)):
        return Difference("the exception's message", repr(str(one)), repr(str(other)))
    if _cause(one) != _cause(other):
        return Difference("the exception's cause", _cause(one), _cause(other))
    # CPython 3.11 may tell the statement before an unbound local, once it has specialised the code.
    places = _place(expected.line), _place(actual.line)
    told = not isinstance(one, UnboundLocalError) and None not in places
    if told and places[0] != places[1]:
        return Difference("the exception's line", str(expected.line), str(actual.line))
    return None


def _is_our_own(expected: Exception, actual: Exception) -> bool:
    """Whether an error of this package stands for one of Python's, with a text of its own."""
    ours = type(actual).__module__.partition(".")[0] == "autograph"
    return (ours and isinstance(actual, type(expected))) or (
        # a class that the function itself makes is another one in each run
        type(expected).__qualname__ == type(actual).__qualname__
        and inspect.getmodule(type(expected)) is inspect.getmodule(type(actual))
    )


def _outcome(outcome: Outcome) -> str:
    error = outcome.error
    if error is None:
        return f"{outcome.shown.shown()}"
    line = f" (line {outcome.line.line})" if outcome.line is not None else ""
    return f"{_described(error)}{line}"


def _described(error: Exception) -> str:
    message = str(error).partition("\n")[0]
    return f"{type(error).__name__}: {message}" if message else type(error).__name__


def _cause(error: Exception) -> str:
    return type(error.__cause__).__name__


def _place(line: Location | None) -> tuple[str, int] | None:
    """A line of the user's; None for one of a function of the library that was converted."""
    if line is None or is_library(line.filename):
        return None
    return line.filename, line.line
