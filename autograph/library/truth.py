"""What Python's truth tests raise for tensors."""

from __future__ import annotations

from typing import Any


def refuse_truth_of_array(shape: Any) -> None:
    """The same in NumPy's words, of an array."""
    if 0 in shape:
        raise ValueError(
            "The truth value of an empty array is ambiguous. Use `array.size > 0` to check that an "
            "array is not empty."
        )
    raise ValueError(
        "The truth value of an array with more than one element is ambiguous. Use a.any() or "
        "a.all()"
    )


def refuse_truth(shape: Any) -> None:
    """The truth of a tensor of this shape, which has not one element."""
    raise ValueError(
        f"the truth of a tensor of shape {shape} is ambiguous; use ag.any(x) or ag.all(x)"
    )
