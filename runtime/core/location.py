"""Where in the user's source something happened."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from types import CodeType, FrameType


@dataclass(frozen=True, slots=True)
class Location:
    """A line of the user's file, in a function."""

    filename: str
    line: int
    function: str

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


def add_own(prefix: str) -> None:
    """Count files whose name starts with `prefix` as this package's own (generated programs)."""
    global _prefixes
    _prefixes = (*_prefixes, prefix)
    _known.clear()


def function_name(code: CodeType) -> str:
    """The user's name of a code object: that of the function around it for emitted bodies."""
    if not code.co_name.startswith("ag__"):
        return code.co_name
    parts = code.co_qualname.split(".")
    for part in reversed(parts):
        if part != "<locals>" and not part.startswith("ag__"):
            return part
    return code.co_name


def user_location() -> Location | None:
    """The innermost frame of this thread that is not this package's own."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        code = frame.f_code
        if not is_ours(code.co_filename):
            return Location(code.co_filename, frame.f_lineno, function_name(code))
        frame = frame.f_back
    return None
