"""A function under `functools.lru_cache`, to be staged: its calls go through the cache."""

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
