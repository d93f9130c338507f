"""The pages of docs/guide as programs: the blocks of ```python are run, one after the other.

A block of ```text below one holds what it prints. A block of ```python raises ends in an exception,
whose class and text are the last thing in its block of ```text. What is not run (the code of
another framework, of a shell) stands in ```py or another language.
"""

from __future__ import annotations

import contextlib
import io
import linecache
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

GUIDE = Path(__file__).resolve().parents[2] / "docs" / "guide"
PAGES = sorted(GUIDE.glob("*.md"))
_FENCE = re.compile(r"^```(.*)$")


@dataclass(frozen=True)
class Block:
    """Lines of a page between two fences: `first` is the index of the first of them."""

    language: str
    first: int
    lines: tuple[str, ...]

    @property
    def text(self) -> str:
        return "\n".join(self.lines)


def blocks_of(page: str) -> Iterator[Block]:
    """The fenced blocks of a page, in order."""
    lines = page.splitlines()
    start: int | None = None
    for index, line in enumerate(lines):
        found = _FENCE.match(line)
        if found is None:
            continue
        if start is None:
            start = index
        else:
            language = lines[start].removeprefix("```").strip()
            yield Block(language, start + 1, tuple(lines[start + 1 : index]))
            start = None
    assert start is None, f"the block of line {start} does not end"


def run(path: Path, folder: Path) -> str:
    """The page as it is when each block of text holds what the code above it prints.

    It runs in `folder`, where it may write files.
    """
    page = path.read_text(encoding="utf-8")
    blocks = list(blocks_of(page))
    names: dict[str, Any] = {"__name__": "__main__"}
    replaced = page.splitlines()
    found: list[tuple[Block, list[str]]] = []
    before = Path.cwd()
    os.chdir(folder)
    try:
        for block, after in zip(blocks, [*blocks[1:], None]):
            if block.language not in ("python", "python raises"):
                continue
            printed = _run_block(block, path.name, names)
            if after is not None and after.language == "text":
                found.append((after, printed.splitlines()))
            else:
                assert not printed, f"line {block.first + 1}: printed, with no block of text below"
    finally:
        os.chdir(before)
    for block, lines in reversed(found):
        replaced[block.first : block.first + len(block.lines)] = lines
    return "\n".join(replaced) + "\n"


def _run_block(block: Block, page: str, names: dict[str, Any]) -> str:
    """What a block prints, and what it raises if it is to raise."""
    # A file of its own: Python compiles `np.f()` in another way beside `import numpy as np`.
    file, text = f"<{page}, line {block.first + 1}>", block.text + "\n"
    linecache.cache[file] = (len(text), None, text.splitlines(True), file)
    code = compile(text, file, "exec")
    printed = io.StringIO()
    raises = block.language == "python raises"
    with contextlib.redirect_stdout(printed):
        try:
            exec(code, names)
        except Exception as error:
            if not raises:
                raise
            print(f"{type(error).__name__}: {error}")
        else:
            assert not raises, f"line {block.first + 1}: nothing was raised"
    return "\n".join(line.rstrip() for line in printed.getvalue().splitlines())
