"""Text that was made of the user's code and knows which of the user's lines each line came from."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping

from autograph.runtime.core.location import Location
from autograph.runtime.graph.ir import Graph

Origins = Mapping[int, tuple[Location, ...]]
PLACE = re.compile(r"(?<=[ #])([^\s,#]+):(\d+)(?=,|$)")
"""A place in the comment at the end of a line: `model.py:12`."""


class Printed(str):
    """Text whose `repr` is itself, so that it reads well at a prompt.

    `origins[line]` are the places in the user's files that a line, counted from 1, was made of;
    lines that stand for no line of the user's are not in it.
    """

    origins: Origins

    def __new__(cls, text: str, origins: Origins | None = None) -> Printed:
        made = super().__new__(cls, text)
        made.origins = {} if origins is None else origins
        return made

    def __repr__(self) -> str:
        return str(self)


def with_places(text: str, graph: Graph) -> Printed:
    """The text of a graph, or of its program, whose comments name the places of its nodes."""
    known = {(os.path.basename(one.filename), one.line): one for one in locations(graph)}
    origins: dict[int, tuple[Location, ...]] = {}
    around: list[tuple[int, tuple[Location, ...]]] = []
    for number, line in enumerate(text.split("\n"), 1):
        code, mark, comment = line.rpartition("#")
        indent = len(line) - len(line.lstrip())
        while around and around[-1][0] > indent:
            around.pop()
        found = [known.get((name, int(at))) for name, at in PLACE.findall("#" + comment)]
        places = tuple(one for one in found if one is not None) if mark else ()
        if places and not code.strip():
            # A comment of its own line holds for what follows it, up to the next.
            while around and around[-1][0] == indent:
                around.pop()
            around.append((indent, places))
        if not places and around and line.strip():
            places = around[-1][1]
        if places:
            origins[number] = places
    return Printed(text, origins)


def locations(graph: Graph) -> Iterator[Location]:
    """The places of a graph's nodes, those of sub-graphs included, each graph once."""
    seen = {graph}
    waiting = [graph]
    for one in waiting:
        for node in one.nodes:
            if node.location is not None:
                yield node.location
            for inner in node.graphs:
                if inner not in seen:
                    seen.add(inner)
                    waiting.append(inner)
