"""References that are silent where NumPy would warn: 1/0, log(-1), overflow."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np

try:  # What np.errstate sets, set directly: 0.2 microseconds a call instead of 1.
    from numpy._core.umath import _extobj_contextvar, _make_extobj

    _IGNORE: Any = _make_extobj(all="ignore")
    _set, _reset = _extobj_contextvar.set, _extobj_contextvar.reset
except ImportError:  # pragma: no cover - a NumPy that moved them
    _state = np.errstate

    def _set(value: Any) -> Any:
        state = _state(all="ignore")
        state.__enter__()
        return state

    def _reset(token: Any) -> None:
        token.__exit__(None, None, None)

    _IGNORE = None

Function = TypeVar("Function", bound=Callable[..., Any])


def quiet_unary(function: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """`function` of one array, silent."""

    def reference(x: Any) -> Any:
        token = _set(_IGNORE)
        try:
            return function(x)
        finally:
            _reset(token)

    return reference


def quiet_binary(function: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    """`function` of two arrays, silent."""

    def reference(x: Any, y: Any) -> Any:
        token = _set(_IGNORE)
        try:
            return function(x, y)
        finally:
            _reset(token)

    return reference


def quiet_reduction(reduce: Callable[..., Any]) -> Callable[[Any, Any, Any, bool], Any]:
    """`reduce` of a ufunc, silent: of an array, an axis, a dtype and whether to keep the axes."""

    def reference(x: Any, axis: Any, dtype: Any, keepdims: bool) -> Any:
        token = _set(_IGNORE)
        try:
            return reduce(x, axis, dtype, None, keepdims)
        finally:
            _reset(token)

    return reference


def quiet(function: Function) -> Function:
    """`function` with its own signature, silent."""

    @functools.wraps(function)
    def reference(*inputs: Any, **attributes: Any) -> Any:
        token = _set(_IGNORE)
        try:
            return function(*inputs, **attributes)
        finally:
            _reset(token)

    return reference  # type: ignore[return-value]
