"""Real input for examples: the names that Python's standard library uses."""

from __future__ import annotations

import io
import keyword
import os
import tokenize
from pathlib import Path

LETTERS = " _abcdefghijklmnopqrstuvwxyz"
"""What names are made of; the blank stands before and after them."""


def standard_library_names(count: int) -> list[str]:
    """The first `count` names, sorted, of at least four letters, in small letters."""
    found: set[str] = set()
    for path in sorted(Path(os.__file__).parent.glob("*.py")):
        text = path.read_text(encoding="utf-8", errors="ignore")
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            name = token.string.lower()
            long = token.type == tokenize.NAME and len(name) > 3
            if long and set(name) <= set(LETTERS) and not keyword.iskeyword(name):
                found.add(name)
        if len(found) > count:
            break
    return sorted(found)[:count]
