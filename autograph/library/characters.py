"""What Python's `chr` takes."""

from __future__ import annotations

from typing import Any

LARGEST_INT = 2147483647
"""Of C, through which `chr` takes its argument."""


def _message_of_chr(number: int) -> str:
    try:
        return chr(number)
    except OverflowError as error:
        return str(error)


TOO_LARGE = _message_of_chr(2**40)
TOO_SMALL = _message_of_chr(-(2**40))


def code_point(n: Any) -> Any:
    """The argument of `chr(n)`; its errors where it is none."""
    if n > LARGEST_INT:
        raise OverflowError(TOO_LARGE)
    if n < -LARGEST_INT - 1:
        raise OverflowError(TOO_SMALL)
    if n < 0 or n > 0x10FFFF:
        raise ValueError("chr() arg not in range(0x110000)")
    return n
