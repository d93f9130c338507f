"""The mark on tensors that NumPy would make views of: their items are not assigned."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from autograph.runtime.core.tensor import Tensor

DERIVED = "derived"


def derived(tensor: Tensor) -> Tensor:
    """Mark the result of an op that NumPy makes a view of."""
    tensor._mark = DERIVED
    return tensor


def viewing(function: Callable[..., Any]) -> Callable[..., Any]:
    """`function` with its result marked as `derived`."""

    @functools.wraps(function)
    def viewed(*args: Any, **keywords: Any) -> Any:
        return derived(function(*args, **keywords))

    return viewed
