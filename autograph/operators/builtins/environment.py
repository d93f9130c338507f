"""`os.environ`: what is read of it becomes guards, as any other state of Python's."""

from __future__ import annotations

import os
from typing import Any

from autograph.tracing.reading import observe_once
from autograph.tracing.tracing import Tracing

ENVIRONMENT = type(os.environ)
READING = ("get", "__getitem__", "__contains__")


def read_environment(tracing: Tracing, name: str, key: str, *default: Any) -> Any:
    """`os.environ.get(key, default)`, `os.environ[key]` or `key in os.environ`."""
    path = f"{tracing.table.constant(os.environ)}.get({key!r})"
    value = observe_once(tracing, ("environment", key), os.environ.get(key), path)
    if name == "__contains__":
        return value is not None
    if value is None and name == "__getitem__":
        raise KeyError(key)
    return value if value is not None else default[0] if default else None


def getenv(tracing: Tracing, key: str, default: Any = None) -> Any:
    """`os.getenv(key, default)`."""
    return read_environment(tracing, "get", key, default)
