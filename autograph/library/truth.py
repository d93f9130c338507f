"""What Python's truth tests raise for tensors."""

from __future__ import annotations

from typing import Any


def refuse_truth(shape: Any) -> None:
    """The truth of a tensor of this shape, which has not one element."""
    raise ValueError(
        f"the truth of a tensor of shape {shape} is ambiguous; use ag.any(x) or ag.all(x)"
    )
