"""What Python's `chr` takes."""

from __future__ import annotations

from typing import Any

from autograph.runtime.core.python_versions import refusal

LARGEST_INT = 2147483647
"""Of C, through which `chr` took its argument before Python 3.13."""


_TOO_LARGE = refusal(chr, LARGEST_INT + 1)
TOO_LARGE_CLASS, TOO_LARGE = type(_TOO_LARGE), str(_TOO_LARGE)
"""An OverflowError, since Python 3.13 the ValueError of all others."""


def code_point(n: Any) -> Any:
    """The argument of `chr(n)`; its errors where it is none."""
    if n > LARGEST_INT or n < -LARGEST_INT - 1:
        raise TOO_LARGE_CLASS(TOO_LARGE)
    if n < 0 or n > 0x10FFFF:
        raise ValueError("chr() arg not in range(0x110000)")
    return n
