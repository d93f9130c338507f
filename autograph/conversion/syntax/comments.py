"""Puts the user's comments and empty lines back into the printed source of a converted function.

No tree has them. A comment of its own line comes before what was printed for the user's next line;
one at the end of a line goes to the end of a line printed for it. Neither can be part of a string,
so the source still parses to the same tree. What has nothing printed after it is left out.
"""

from __future__ import annotations

import io
import re
import tokenize
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

_EMITTED = re.compile(
    r"\s*(def ag__|nonlocal |global |return ag__\.|ag__result = ag__\.UNSET|\w+: \.\.\.$)"
)
"""Lines that stand around what the user wrote."""


@dataclass
class _Notes:
    """What stands before a line of the user's, and at its end."""

    before: defaultdict[int, list[str]] = field(default_factory=lambda: defaultdict(list))
    after: dict[int, str] = field(default_factory=dict)


def with_comments(
    text: str, line_map: Mapping[int, int], source: str, first_line: int
) -> tuple[str, dict[int, int]]:
    """The printed `text` with the comments of `source`, and its line map.

    `source` are the user's lines from `first_line` on; `line_map` tells the user's line of each
    printed one.
    """
    printed = text.splitlines()
    firsts: dict[int, int] = {}
    bearers: dict[int, int] = {}
    for number, origin in sorted(line_map.items()):
        firsts.setdefault(origin, number)
        if not _EMITTED.match(printed[number - 1]):
            bearers.setdefault(origin, number)
    notes = _placed(source, first_line, sorted(firsts))
    lines: list[str] = []
    new_map: dict[int, int] = {}
    for number, line in enumerate(printed, 1):
        origin = line_map.get(number, 0)
        if firsts.get(origin) == number:
            indent = line[: len(line) - len(line.lstrip())]
            for note in notes.before[origin]:
                if note or (lines and lines[-1]):
                    lines.append(f"{indent}{note}".rstrip())
        if origin in notes.after and bearers.get(origin, firsts[origin]) == number:
            line += f"  {notes.after[origin]}"
        lines.append(line)
        if origin:
            new_map[len(lines)] = origin
    return "\n".join(lines) + "\n", new_map


def _placed(source: str, first_line: int, known: list[int]) -> _Notes:
    """The comments and empty lines of the source, by the printed lines they belong to."""
    notes = _Notes()
    for line, text, alone, statement in _read(source, first_line):
        if not known or not known[0] <= line <= known[-1]:
            continue
        if not alone and line in known:
            notes.after[line] = text
        elif statement is not None:
            # Inside a statement that was printed on fewer lines.
            notes.before[max(k for k in known if k <= line)].append(text)
        elif line < known[-1]:
            notes.before[next(k for k in known if k > line)].append(text)
    return notes


def _read(source: str, first_line: int) -> Iterator[tuple[int, str, bool, int | None]]:
    """Comments and empty lines: line, text, whether nothing else is on it, and whether a bracket
    is open there, in which case the line on which it was opened.
    """
    indented = source[:1] in (" ", "\t")
    text = "if True:\n" + source if indented else source
    shift = first_line - (2 if indented else 1)
    opened: list[int] = []
    try:
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            line = token.start[0] + shift
            around = opened[0] if opened else None
            if token.type == tokenize.COMMENT:
                yield line, token.string, not token.line[: token.start[1]].strip(), around
            elif token.type == tokenize.NL and not token.line.strip() and around is None:
                yield line, "", True, None
            elif token.type == tokenize.OP and token.string in "([{":
                opened.append(line)
            elif token.type == tokenize.OP and token.string in ")]}" and opened:
                opened.pop()
    except (tokenize.TokenError, SyntaxError):
        return  # a lambda: its lines are a part of a statement
