"""Functions under `functools.lru_cache`: how they are staged, and how the graph remembers calls."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any


def calls_of(cached: Callable[..., Any]) -> Any:
    """A Python function that calls a cached one."""

    @functools.wraps(cached)
    def called(*args: Any, **kwargs: Any) -> Any:
        return cached(*args, **kwargs)

    return called


def remembering(function: Callable[..., Any], memo: Any) -> Any:
    """A function of one argument, whose results a dict keeps."""

    def remembered(argument: Any) -> Any:
        if argument in memo:
            return memo[argument]
        result = function(argument)
        memo[argument] = result
        return result

    return remembered


def remembering_pairs(function: Callable[..., Any], memo: Any) -> Any:
    """A function of several arguments, whose results a dict keeps."""

    def remembered(*arguments: Any) -> Any:
        if arguments in memo:
            return memo[arguments]
        result = function(*arguments)
        memo[arguments] = result
        return result

    return remembered
