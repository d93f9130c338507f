"""Python text as HTML: coloured words, a gutter with the user's lines, blocks that fold."""

from __future__ import annotations

import html
import io
import keyword
import token
import tokenize
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

_SOFT = {"match", "case", "type", "_"}
_PLAIN = (token.NEWLINE, token.INDENT, token.DEDENT, token.ENDMARKER, tokenize.NL)


@dataclass(frozen=True)
class Line:
    """One line as HTML, how deep it is indented by the syntax, and the user's lines it is of."""

    body: str
    depth: int
    places: Sequence[str] = ()
    anchor: str = ""
    number: str = ""
    badge: str = ""


def coloured(text: str) -> list[tuple[str, int]]:
    """The lines of a Python text as HTML, each with the depth of the block it is in."""
    lines = text.split("\n")
    if lines and not lines[-1]:
        lines.pop()
    marks: list[list[tuple[int, int, str]]] = [[] for _ in lines]
    depths = [0] * len(lines)
    depth, read = 0, 0
    try:
        for one in tokenize.generate_tokens(io.StringIO(text).readline):
            (row, start), (last, end) = one.start, one.end
            if one.type == token.INDENT:
                depth += 1
            elif one.type == token.DEDENT:
                depth -= 1
            while read < min(last, len(lines)) and one.type != token.DEDENT:
                depths[read] = depth
                read += 1
            kind = _kind(one)
            if kind:
                for number in range(row, last + 1):
                    left = start if number == row else 0
                    right = end if number == last else len(lines[number - 1])
                    marks[number - 1].append((left, right, kind))
    except (tokenize.TokenError, SyntaxError):
        pass  # a part of a statement: what was read is coloured
    _settle_comments(lines, depths)
    return [(_marked(line, found), d) for line, found, d in zip(lines, marks, depths, strict=True)]


def _settle_comments(lines: list[str], depths: list[int]) -> None:
    """A comment or an empty line belongs to the block of what follows it."""
    for number in range(len(lines) - 2, -1, -1):
        if not lines[number].strip() or lines[number].lstrip().startswith("#"):
            depths[number] = depths[number + 1]


def _kind(one: tokenize.TokenInfo) -> str:
    if one.type == token.COMMENT:
        return "comment"
    if one.type == token.NUMBER:
        return "number"
    if one.type == token.STRING or token.tok_name[one.type].startswith(("FSTRING", "TSTRING")):
        return "string"
    if one.type == token.NAME and keyword.iskeyword(one.string):
        return "keyword"
    if one.type == token.NAME and one.string.startswith("ag__"):
        return "emitted"
    return ""


def _marked(line: str, marks: list[tuple[int, int, str]]) -> str:
    parts, at = [], 0
    for left, right, kind in sorted(marks):
        if left >= at:
            parts.append(html.escape(line[at:left]))
            parts.append(f'<span class="{kind}">{html.escape(line[left:right])}</span>')
            at = right
    parts.append(html.escape(line[at:]))
    return "".join(parts)


def plain_lines(lines: Iterable[Line]) -> str:
    """Lines one under the other."""
    return "\n".join(_line(one, "div") for one in lines)


def folded(lines: Sequence[Line], opens: Callable[[int], bool] = lambda number: True) -> str:
    """Lines in which each block can be folded up; `opens` tells, by its number, a block's head."""
    parts: list[str] = []
    open_depths: list[int] = []
    for number, one in enumerate(lines):
        while open_depths and one.depth <= open_depths[-1]:
            open_depths.pop()
            parts.append("</details>")
        following = lines[number + 1].depth if number + 1 < len(lines) else 0
        if following > one.depth and opens(number):
            open_depths.append(one.depth)
            parts.append(f"<details open>{_line(one, 'summary')}")
        else:
            parts.append(_line(one, "div"))
    parts.extend("</details>" for _ in open_depths)
    return "\n".join(parts)


def _line(one: Line, element: str) -> str:
    words = " ".join(["line", *one.places])
    anchor = f' id="{one.anchor}"' if one.anchor else ""
    target = one.anchor or (one.places[0] if one.places else "")
    number = f'<a href="#{target}">{one.number}</a>' if one.number and target else one.number
    badge = f' <span class="badge">{html.escape(one.badge)}</span>' if one.badge else ""
    return (
        f'<{element} class="{words}"{anchor}><span class="gutter">{number}</span>'
        f"<code>{one.body or ' '}</code>{badge}</{element}>"
    )
