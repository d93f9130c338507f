"""`warnings.warn`: given each time the graph runs, in the order of the program.

A warning names a line: of the staged function, of one that it calls, or of who called it. The first
two are known while tracing, as many as there are between the call and the staged function; the last
is looked for when the graph runs. `warnings.catch_warnings` and the filters that are set inside it
act on the warnings of its body: they are known while tracing.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from types import FrameType
from typing import Any, NamedTuple

from autograph.control.raising import is_attempted
from autograph.errors import StateError, UnconvertedCallError
from autograph.merge.coerce import Coercer
from autograph.merge.freeze import Freezer
from autograph.merge.results import Concrete
from autograph.operators.builtins.printing import as_leaves
from autograph.runtime.control.host import HOST_CALL
from autograph.runtime.core.location import Location, is_ours, user_location
from autograph.runtime.core.number import Number
from autograph.strings.text import Text
from autograph.tracing.region import Region
from autograph.tracing.tracing import Tracing
from autograph.values.choice import Choice
from autograph.values.skeleton import Skeleton

OF_NUMBERS = ("numpy", "scipy")
"""Packages whose own warnings are not given: their code is staged in parts alone."""


Filter = tuple[Callable[..., Any], tuple[Any, ...], tuple[tuple[str, Any], ...]]
"""A call of `warnings.simplefilter`, `filterwarnings` or `resetwarnings`."""


@dataclass(slots=True)
class HeldFilters:
    """The filters that one `with warnings.catch_warnings()` statement has set so far."""

    region: Region
    given: list[Filter] = field(default_factory=list)


def with_filters_held(tracing: Tracing, manager: Any, body: Callable[[], Any]) -> Any:
    """The body of a `with warnings.catch_warnings()` statement.

    NumPy warns of nothing in staged code; what the body itself warns of meets its filters.
    """
    if manager._record:
        raise StateError(
            "warnings.catch_warnings(record=True) is not staged: warnings are given when the graph "
            "runs",
            remedy="record them around the call of the staged function",
        )
    held = HeldFilters(tracing.region)
    if (action := getattr(manager, "_filter", None)) is not None:
        held.given.append((warnings.simplefilter, action, ()))
    tracing.warning_filters.append(held)
    try:
        return body()
    finally:
        tracing.warning_filters.pop()


def _set_filter(function: Callable[..., Any]) -> Callable[..., Any]:
    """What a function that sets a filter does inside such a statement."""

    def held(tracing: Tracing, *args: Any, **keywords: Any) -> None:
        known = not any(
            isinstance(one, Text | Choice | Number) for one in (*args, *keywords.values())
        )
        holder = tracing.warning_filters[-1] if tracing.warning_filters else None
        if not known or (holder is not None and holder.region is not tracing.region):
            raise StateError(
                f"warnings.{function.__name__} in a staged branch or loop inside `with "
                "warnings.catch_warnings()`, or of what only the run tells, is not staged",
                remedy="set the filter first in the body of the with statement",
            )
        if holder is not None:
            holder.given.append((function, args, tuple(keywords.items())))
            return

        def call() -> Sequence[Any]:
            function(*args, **keywords)
            return ()

        trace = tracing.region.trace
        trace.add_node(HOST_CALL, (), {"function": call, "results": ()}, ())

    return held


def staged_catch_warnings(tracing: Tracing, **how: Any) -> Any:
    """`warnings.catch_warnings()`: it does nothing before the with statement."""
    return tracing.born(warnings.catch_warnings(**how))


class Line(NamedTuple):
    """Which line a warning names."""

    filename: str
    line: int
    namespace: dict[str, Any]


class Warn:
    """A call of `warnings.warn`: the staged parts of its message are filled in."""

    def __init__(
        self,
        message: Skeleton,
        category: Any,
        line: Line | int,
        location: Location | None,
        attempted: bool,
        filters: Sequence[Filter],
    ) -> None:
        self.message = message
        self.category = category
        self.line = line
        """A line, or how far out it is from the staged function."""
        self.location = location
        self.attempted = attempted
        self.filters = filters
        """What `with warnings.catch_warnings()` statements around it have set, the first first."""

    def __call__(self, *values: Any) -> Sequence[Any]:
        message = Concrete(iter(values)).thaw(self.message)
        line = _line_of_caller(self.line) if isinstance(self.line, int) else self.line
        try:
            if self.filters:
                with warnings.catch_warnings():
                    for function, args, keywords in self.filters:
                        function(*args, **dict(keywords))
                    self._give(message, line)
            else:
                self._give(message, line)
        except Warning as error:
            if not self.attempted:
                raise
            raise StateError(
                f"a warning inside try or with became an error, {error!r}, and which handler takes "
                "that is not known when the graph is made",
                location=self.location,
                remedy="raise it as an exception, or let the filter not make errors of warnings",
            ) from error
        return ()

    def _give(self, message: Any, line: Line) -> None:
        warnings.warn_explicit(
            message,
            self.category,
            line.filename,
            line.line,
            line.namespace.get("__name__", "<string>"),
            line.namespace.setdefault("__warningregistry__", {}),
        )


def staged_warn(
    tracing: Tracing, message: Any, category: Any = None, stacklevel: Any = 1, source: Any = None
) -> None:
    """`warnings.warn(message, category, stacklevel)`."""
    lines = _lines()
    if lines and _package(lines[0]) in OF_NUMBERS:
        return
    if not isinstance(message, str | Text) or source is not None or type(stacklevel) is not int:
        raise UnconvertedCallError(
            "warnings.warn with these arguments, of which the message is no string, is not staged",
            location=user_location(),
            remedy="give the text and the class: warnings.warn(text, UserWarning)",
        )
    category = UserWarning if category is None else category
    if not (isinstance(category, type) and issubclass(category, Warning)):
        warnings.warn("", category, stacklevel=2)  # raises Python's own
    level = max(stacklevel, 1)
    line: Line | int = lines[level - 1] if level <= len(lines) else level - len(lines)
    frozen = Freezer(tracing, tracing.region).freeze(message)
    target = as_leaves(frozen)
    trace = tracing.region.trace
    operands = Coercer(trace).coerce(frozen, target)
    filters = [one for held in tracing.warning_filters for one in held.given]
    warn = Warn(target, category, line, user_location(), is_attempted(tracing), filters)
    trace.add_node(HOST_CALL, operands, {"function": warn, "results": ()}, ())


def _package(line: Line) -> str:
    return str(line.namespace.get("__name__", "")).partition(".")[0]


def _lines() -> list[Line]:
    """The lines between the call of `warn` and the staged function, itself the last."""
    location = user_location()
    depth = 1 + len(location.callers) if location is not None else 0
    return [_as_line(frame) for frame in _frames_out(sys._getframe())][:depth]


def _line_of_caller(level: int) -> Line:
    """The line that called the staged function; its caller, ... for higher levels."""
    frames = _frames_out(sys._getframe())
    frame = frames[min(level, len(frames)) - 1]
    return _as_line(frame)


def _frames_out(frame: FrameType | None) -> list[FrameType]:
    """The frames around one that are not this package's own."""
    found: list[FrameType] = []
    while frame is not None:
        if not is_ours(frame.f_code.co_filename):
            found.append(frame)
        frame = frame.f_back
    return found


def _as_line(frame: FrameType) -> Line:
    return Line(frame.f_code.co_filename, frame.f_lineno, frame.f_globals)


WARNING_MODELS: dict[Any, Callable[..., Any]] = {
    warnings.warn: staged_warn,
    warnings.catch_warnings: staged_catch_warnings,
    **{
        one: _set_filter(one)
        for one in (warnings.simplefilter, warnings.filterwarnings, warnings.resetwarnings)
    },
}
