"""What must not leave a staged function, because it would be the same at every call."""

from __future__ import annotations

import types
from collections.abc import Iterator
from typing import Any

from autograph.effects.freezing import is_staged
from autograph.errors import StateError
from autograph.syntax.build import is_converted


def holds_staged(value: Any) -> bool:
    """Whether a container has staged values in it."""
    if isinstance(value, dict):
        return any(map(holds_staged, value.values()))
    if isinstance(value, list | tuple | set):
        return any(map(holds_staged, value))
    return is_staged(value)


def refuse_leak(value: Any) -> None:
    """StateError for what was made while tracing and would be the same for every call."""
    if isinstance(value, types.FunctionType):
        leaks = value.__closure__ is not None and is_converted(value)
    else:
        leaks = isinstance(value, Iterator) or holds_staged(value)
    if leaks:
        raise StateError(
            f"a {type(value).__name__} that was made inside a staged function leaves it",
            remedy="return the values themselves, and make it of them outside",
        )
