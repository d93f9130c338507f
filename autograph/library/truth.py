"""What Python's truth tests raise for tensors."""

from __future__ import annotations

from typing import Any


def refuse_truth_of_array(shape: Any) -> None:
    """The same in NumPy's words, of an array."""
    if count_of(shape) == 1:
        return
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
    """The truth of a tensor of this shape, unless it has one element."""
    if count_of(shape) != 1:
        raise ValueError(
            f"the truth of a tensor of shape {shape} is ambiguous; use ag.any(x) or ag.all(x)"
        )


def count_of(shape: Any) -> Any:
    """How many elements a tensor of this shape has."""
    total: Any = 1
    for size in shape:
        total = total * size
    return total


def require_single(shape: Any) -> None:
    """What a tensor raises of which a number is made, unless it has one element."""
    if count_of(shape) != 1:
        raise ValueError("can only convert an array of size 1 to a Python scalar")
