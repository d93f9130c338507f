"""What Python code reads without being given it: settings of a thread, and registered classes."""

from __future__ import annotations

import abc
import decimal
import types
from typing import Any

from autograph.tracing.tracing import Tracing


def decimal_settings() -> tuple[Any, ...]:
    """What the results of operations on decimals depend on, besides their operands."""
    used = decimal.getcontext()
    traps = tuple(signal.__name__ for signal, stops in used.traps.items() if stops)
    return used.prec, used.rounding, used.Emin, used.Emax, used.capitals, used.clamp, traps


def note_decimals(tracing: Tracing) -> None:
    """Note that decimals are computed with: with the settings that hold now."""
    read = tracing.table.constant(decimal_settings)
    tracing.guard(f"{read}() == {decimal_settings()!r}")


def note_registrations(tracing: Tracing, kind: type, kinds: Any) -> None:
    """Note that a class is asked whether it is one of `kinds`: others may be registered there."""
    if isinstance(kinds, tuple | types.UnionType):
        for one in kinds if isinstance(kinds, tuple) else kinds.__args__:
            note_registrations(tracing, kind, one)
    elif isinstance(kinds, abc.ABCMeta) and kinds not in kind.__mro__:
        token = tracing.table.constant(abc.get_cache_token)
        tracing.guard(f"{token}() == {abc.get_cache_token()}")
