"""Strings as lists of code points."""

from __future__ import annotations

from typing import Any


def spelled(strings: Any, separator: str) -> Any:
    """The code points of `separator.join(strings)`."""
    codes: list[Any] = []
    later = False
    for one in strings:
        if later:
            for character in separator:
                codes.append(ord(character))
        later = True
        for character in one:
            codes.append(ord(character))
    return codes


def spelled_without(strings: Any) -> Any:
    """The code points of `"".join(strings)`."""
    codes: list[Any] = []
    for one in strings:
        for character in one:
            codes.append(ord(character))
    return codes
