"""Where in the user's source something happened."""

from __future__ import annotations

import collections
import contextlib
import os
import sys
import threading
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from types import CodeType, FrameType
from typing import Any


@dataclass(frozen=True, slots=True)
class Location:
    """A line of the user's file, in a function."""

    filename: str
    line: int
    function: str
    callers: tuple[Location, ...] = field(default=(), compare=False, repr=False)
    """The calls that led there, the outermost first, as far as they are staged."""

    def __str__(self) -> str:
        return f"{self.filename}:{self.line}"


def _own_folders() -> tuple[str, ...]:
    """Every spelling under which files of this package appear in code objects.

    The folder of `runtime` is a sibling of `autograph` in a checkout, and reached from there
    through a link too; in an installed copy it is inside. So nothing is assumed about parents.
    """
    runtime = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    folders = {runtime}
    package = sys.modules.get(__name__.partition(".")[0])
    for folder in getattr(package, "__path__", ()):
        # With links missing, the checkout itself is on __path__: it also holds the user's files.
        if os.path.exists(os.path.join(folder, "__init__.py")):
            folders.add(os.path.abspath(folder))
    real = os.path.realpath(runtime)
    folders.update({real, os.path.join(os.path.dirname(real), "kernels")})
    folders.update([os.path.realpath(folder) for folder in folders])
    return tuple(os.path.join(folder, "") for folder in sorted(folders))


_prefixes: tuple[str, ...] = (*_own_folders(), "<autograph ")  # and generated code
_known: dict[str, bool] = {}


def is_ours(filename: str) -> bool:
    """Whether a file belongs to this package, or was written by it."""
    answer = _known.get(filename)
    if answer is None:
        answer = _known[filename] = filename.startswith(_prefixes)
    return answer


def free_frames() -> int:
    """How many calls in one another Python's stack has room for, from here."""
    used, frame = 0, sys._getframe()
    while frame.f_back is not None:
        used, frame = used + 1, frame.f_back
    return sys.getrecursionlimit() - used


def add_own(prefix: str) -> None:
    """Count files whose name starts with `prefix` as this package's own (generated programs)."""
    global _prefixes
    _prefixes = (*_prefixes, prefix)
    _known.clear()
    _forget()


def function_name(code: CodeType) -> str:
    """The user's name of a code object: that of the function around it for emitted bodies."""
    if not code.co_name.startswith("ag__"):
        return code.co_name
    parts = code.co_qualname.split(".")
    for part in reversed(parts):
        if part != "<locals>" and not part.startswith("ag__"):
            return part
    return code.co_name


def stands_in(inner: CodeType, outer: CodeType) -> bool:
    """Whether `inner` was emitted for a statement or expression of `outer`."""
    return is_emitted(inner) and any(inner is constant for constant in outer.co_consts)


def is_emitted(code: CodeType) -> bool:
    """Whether a code object was emitted for a statement or expression of a function."""
    return code.co_qualname.rpartition(".")[2].startswith("ag__")


INHERITED = (collections.__file__, "<frozen _collections_abc>")
"""The files of UserDict, UserList, ChainMap and the classes of collections.abc."""

_OURS, _USERS, _BOUNDARY, _STANDING = range(4)
_kinds: dict[int, int] = {}
"""What functions have declared of themselves, by the ids of their codes."""
# What is known of code objects, by id: hashing one hashes all that it holds, and each op of a trace
# asks for its location. The entry keeps the code alive, so that the id stays its own.
_codes: dict[int, tuple[CodeType, int]] = {}
_MOST = 20_000


class _Path:
    """Lines of the user's that lead somewhere: the last one, and the path to the call it is in."""

    __slots__ = ("before", "code", "further", "line", "location")

    def __init__(self, before: _Path | None, code: CodeType | None = None, line: int = 0) -> None:
        self.before, self.code, self.line = before, code, line
        self.further: dict[tuple[int, int], _Path] = {}
        self.location: Location | None = None

    def then(self, code: CodeType, line: int) -> _Path:
        """The path on to a line of what is called there."""
        found = self.further.get((id(code), line))
        if found is None:
            global _paths
            _paths += 1
            found = self.further[id(code), line] = _Path(self, code, line)
        return found

    def entries(self) -> list[tuple[CodeType, int]]:
        """Codes and lines, the innermost first."""
        found: list[tuple[CodeType, int]] = []
        path: _Path | None = self
        while path is not None and path.code is not None:
            found.append((path.code, path.line))
            path = path.before
        return found


_start = _Path(None)
_paths = 0


def boundary(function: Any) -> Any:
    """Mark a function that traces another: its callers are outside of the staged call."""
    return _declare(function, _BOUNDARY)


def standing(function: Any) -> Any:
    """Mark a function that calls the user's within `with stands():`, and is no generator.

    While it runs, all that called it stands still: the way to it is walked once, not for each op.
    """
    return _declare(function, _STANDING)


def _declare(function: Any, kind: int) -> Any:
    _kinds[id(function.__code__)] = kind
    _forget()
    return function


class _Stack(threading.local):
    """The frames of `standing` functions that run, by id, and the paths to them where known."""

    def __init__(self) -> None:
        self.standing: dict[int, list[Any]] = {}


_stack = _Stack()


class stands:
    """The block of a `standing` function in which it calls the user's."""

    __slots__ = ("number",)

    def __enter__(self) -> None:
        frame = sys._getframe(1)
        self.number = id(frame)
        _stack.standing[self.number] = [frame, None]

    def __exit__(self, *_: object) -> None:
        _stack.standing.pop(self.number, None)


def _forget() -> None:
    global _start, _paths
    _codes.clear()
    _start, _paths = _Path(None), 0


def _kind_of(code: CodeType) -> tuple[CodeType, int]:
    """Whose a code object is; remembered."""
    # The methods that classes inherit from collections.abc run for the line that calls them.
    serves = is_ours(code.co_filename) or code.co_filename in INHERITED
    ours = _OURS if serves else _USERS
    entry = (code, _kinds.get(id(code), ours))
    _codes[id(code)] = entry
    return entry


def _serves_us(code: CodeType, frame: FrameType) -> bool:
    """Whether a frame is of a context manager of this package's own."""
    caller = frame.f_back
    return code.co_filename == contextlib.__file__ and (
        caller is not None and is_ours(caller.f_code.co_filename)
    )


class _Pinned(threading.local):
    location: Location | None = None


_pinned = _Pinned()


class pinned:
    """While it lasts, the innermost frame is not looked for again: all is done for one line."""

    __slots__ = ("outer",)

    def __enter__(self) -> None:
        self.outer = _pinned.location
        if self.outer is None:
            _pinned.location = user_location()

    def __exit__(self, *_: object) -> None:
        _pinned.location = self.outer


class unpinned:
    """Around a trace: what an interrupt has left pinned or standing in it is over when it ends."""

    __slots__ = ("outer", "standing")

    def __enter__(self) -> None:
        self.outer, _pinned.location = _pinned.location, None
        self.standing, _stack.standing = _stack.standing, {}

    def __exit__(self, *_: object) -> None:
        _pinned.location = self.outer
        _stack.standing = self.standing


def user_location(below: Iterable[tuple[CodeType, int]] = ()) -> Location | None:
    """The innermost frame of this thread that is not this package's own, with its callers.

    `below`: code and line of further frames, called from there, the outermost first; those of an
    exception that was caught.
    """
    if _pinned.location is not None and not below:
        return _pinned.location
    if len(_codes) + _paths > _MOST:
        _forget()
    path = _path_from(sys._getframe(1))
    if below:
        libraries = (contextlib.__file__, *INHERITED)  # no lines of the user's
        entries = [one for one in below if not is_ours(one[0].co_filename)][::-1]
        entries = [one for one in entries if one[0].co_filename not in libraries]
        return _located(entries + path.entries())
    if path.location is None:
        path.location = _located(path.entries())
    return path.location


def _path_from(frame: FrameType | None) -> _Path:
    """The lines of the user's that led to a frame, as far as they are staged."""
    steps: list[tuple[CodeType, int]] = []
    passed: list[tuple[list[Any], int]] = []
    path = _start
    while frame is not None:
        code = frame.f_code
        kind = (_codes.get(id(code)) or _kind_of(code))[1]
        if kind == _USERS and not _serves_us(code, frame):
            steps.append((code, frame.f_lineno))
        elif kind == _STANDING:
            known = _stack.standing.get(id(frame))
            if known is not None:
                if known[1] is not None:
                    path = known[1]
                    break
                passed.append((known, len(steps)))
        elif kind == _BOUNDARY:
            break
        frame = frame.f_back
    if frame is None:
        del steps[1:], passed[:]  # no staged call: who calls whom is not known
    for place in range(len(steps), -1, -1):
        while passed and passed[-1][1] == place:
            passed.pop()[0][1] = path
        if place:
            path = path.then(*steps[place - 1])
    return path


def _located(entries: list[tuple[CodeType, int]]) -> Location | None:
    """The location of the first entry, with its callers, the innermost first."""
    found: list[Location] = []
    place = 0
    while place < len(entries):
        code, line = entries[place]
        found.append(Location(code.co_filename, line, function_name(code)))
        # The body of a staged statement runs below the function it stands in, as if it were a
        # call; that of a loop over a generator, below the generator, too. The user has written
        # one function, so only the inner frame counts.
        while is_emitted(code):
            rest = range(place, len(entries))
            around = next((n for n in rest if stands_in(code, entries[n][0])), 0)
            if not around:
                break
            place, code = around, entries[around][0]
        place += 1
    return replace(found[0], callers=tuple(found[:0:-1])) if found else None
