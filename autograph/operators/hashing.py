"""Keys that a method of the user's hashes and compares: dicts and sets call it unconverted.

So it is called before, converted: what it reads is noted, and a change of that is a new trace. All
else that it does is taken back, and done by the native call.
"""

from __future__ import annotations

import operator
import types
from collections import deque
from collections.abc import Callable
from typing import Any

from autograph.effects.reading import is_users
from autograph.effects.switch import run_option
from autograph.effects.tracing import Tracing
from autograph.operators.dispatch import call, special_method
from autograph.runtime.graph.trace import Trace

HASHED = (dict, set, frozenset)
HELD = (*HASHED, list, tuple, deque)


def note_key(tracing: Tracing, key: Any) -> None:
    """Note what is read where a dict or set looks for a key."""
    if isinstance(key, tuple):
        for part in key:
            note_key(tracing, part)
    if not is_users(type(key)):
        return
    if special_method(type(key), "__hash__") is None:
        return  # Python's own error
    if _is_written(key, "__hash__"):
        _ask(tracing, lambda: call(hash, key))
    if _is_written(key, "__eq__"):
        _ask(tracing, lambda: call(operator.eq, key, key))


def _ask(tracing: Tracing, thunk: Callable[[], Any]) -> None:
    """Note what a call reads; what it does, gives or raises is taken back."""
    run_option(tracing, Trace("asked", tracing.region.trace), thunk)


def note_keys(tracing: Tracing, *values: Any) -> None:
    """Note what is read where the items of these become keys or members, or are looked for."""
    for value in values:
        if isinstance(value, HELD):
            for key in tuple(value):
                note_key(tracing, key)


def _is_written(key: Any, name: str) -> bool:
    """Whether a method of the user's, or one that `dataclasses` wrote, does it."""
    method = special_method(type(key), name)
    return isinstance(method, types.FunctionType) and is_users(method)  # type: ignore[arg-type]
