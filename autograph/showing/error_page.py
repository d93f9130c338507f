"""docs/errors.md: a page made of the docstrings of the error classes."""

from __future__ import annotations

import inspect
import textwrap

from autograph import errors
from autograph.errors import StagingError
from autograph.runtime.autodiff.check import GradientError
from autograph.runtime.core.devices import DeviceError
from autograph.runtime.core.tensor import ArgumentTypeError
from autograph.runtime.core.variable import VariableError
from autograph.runtime.ops.indexing.assignment import DerivedError

OF_TENSORS: tuple[type[Exception], ...] = (
    ArgumentTypeError,
    DerivedError,
    VariableError,
    DeviceError,
    GradientError,
)
_HEAD = """\
# Errors

Made of the docstrings of the classes by `python -m autograph errors`; a test compares. In the
examples `t` is `ag.asarray`, and `f` is called as its comment says after `@ag.function`.

## Of what cannot be staged

Classes of `ag.errors`. Each is a `StagingError`: it has a `message`, which says what, with your
variable; a `location`, which says where; a `remedy`, which says what to write instead; and `sides`,
further places that take part. `str()` prints them one under the other.

"""
_MIDDLE = """\
## Of tensors, staged or not

These are the program's own errors: they come eagerly, too.

"""


def error_page() -> str:
    """The text of the page."""
    staging = [getattr(errors, name) for name in errors.__all__ if name != "StagingError"]
    parts = [_HEAD, *map(_section, sorted(staging, key=lambda one: one.__name__))]
    parts += [_MIDDLE, *map(_section, OF_TENSORS)]
    return "".join(parts).rstrip() + "\n"


def _section(kind: type[Exception]) -> str:
    also = [one.__name__ for one in kind.__bases__ if one not in (StagingError, Exception)]
    note = f"Also a `{'`, a `'.join(also)}`.\n\n" if also else ""
    return f"### {kind.__name__}\n\n{note}{_markdown(inspect.getdoc(kind) or '')}\n\n"


def _markdown(text: str) -> str:
    """A docstring with its indented examples in fences."""
    parts = []
    for paragraph in _paragraphs(text):
        if paragraph.startswith("    "):
            parts.append(f"```python\n{textwrap.dedent(paragraph)}\n```")
        else:
            parts.append(paragraph)
    return "\n\n".join(parts)


def _paragraphs(text: str) -> list[str]:
    """Paragraphs; an example is one, with the empty lines in it."""
    found: list[str] = []
    for part in text.split("\n\n"):
        if found and part.startswith("    ") and found[-1].startswith("    "):
            found[-1] += f"\n\n{part}"
        else:
            found.append(part)
    return found
