"""One page of HTML on a trace: the user's source, the converted one, the graph and the program.

The page needs nothing else, no network either. Lines that were made of the same line of the user's
light up together. That is plain CSS, as are the folds; a script only scrolls.
"""

from __future__ import annotations

import functools
import html
import os
import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import FunctionType
from typing import Any

from autograph.conversion.convert import converted_at, to_code
from autograph.conversion.printed import Printed, locations, with_places
from autograph.conversion.syntax.source import Source, source_of
from autograph.errors import StagingError
from autograph.runtime.core.location import Location
from autograph.runtime.graph.ir import Graph
from autograph.runtime.graph.notation import specs_text
from autograph.runtime.graph.printer import print_graph
from autograph.showing.markup import Line, coloured, folded, plain_lines
from autograph.showing.page_style import SCRIPT, STYLE

_COND = re.compile(r"(?:^ *|= )cond\((\w+).*branches=\(([\w, ]+)\)")
_LOOP = re.compile(r"while_loop\(.*step=(\w+)")


@dataclass
class _Links:
    """A short name for each line of each of the user's files: `f0-12`."""

    files: dict[str, int]

    def name(self, place: Location) -> str:
        """The name of a place."""
        number = self.files.setdefault(place.filename, len(self.files))
        return f"f{number}-{place.line}"


def page(function: Callable[..., Any], graph: Graph, program: Printed) -> str:
    """The page of a function, for one of its traces."""
    links = _Links({})
    sources = list(_sources(function, graph))
    shown = with_places(print_graph(graph), graph)
    name = getattr(function, "__qualname__", graph.name)
    panels = [
        ("source", "Source", "what was written", _source_panel(sources, links)),
        ("converted", "Converted", "what is traced", _converted_panel(sources, links)),
        ("graph", "Graph", "what a trace recorded", _graph_panel(shown, links)),
        ("program", "Program", "what is compiled", _text_panel(program, links)),
    ]
    main = sources[0]
    inputs = ", ".join(f"{one.name or '_'}: {one.spec}" for one in graph.inputs)
    outputs = specs_text([one.spec for one in graph.outputs]) or "nothing"
    where = f"{os.path.basename(main.filename)}:{main.tree.lineno}"
    choices = "".join(
        f'<label><input type="checkbox" id="show-{key}" checked> {title}</label>'
        for key, title, _, _ in panels
    )
    sections = "\n".join(
        f'<section id="{key}"><h2>{title} <small>{word}</small></h2>'
        f'<div class="text">\n{body}\n</div></section>'
        for key, title, word, body in panels
    )
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{html.escape(name)}</title>\n"
        f"<style>\n{STYLE}{_link_rules(sections, links)}</style>\n</head>\n<body>\n"
        f"<header><h1>{html.escape(name)} <small>{html.escape(where)}</small></h1>\n"
        f"<p><code>({html.escape(inputs)}) → {html.escape(outputs)}</code></p>\n"
        f'<nav>{choices}<a href="#" class="clear">clear the mark</a></nav></header>\n'
        f"<main>\n{sections}\n</main>\n<script>\n{SCRIPT}</script>\n</body>\n</html>\n"
    )


def _link_rules(text: str, links: _Links) -> str:
    """Styles by which the lines of one name light up together, under the pointer or marked."""
    # The place of a line of the source that nothing was made of is there twice: class and anchor.
    counted = Counter(re.findall(r'(?<=[" ])f\d+-\d+(?=[" ])', text))
    used = sorted(name for name, count in counted.items() if count > 2)
    hovered = ",\n".join(f"body:has(.{name}:hover) .{name}" for name in used)
    marked = ",\n".join(f"body:has(#{name}:target) .{name}" for name in used)
    if not used:
        return ""
    return f"{hovered} {{ background: var(--hover); }}\n{marked} {{ background: var(--mark); }}\n"


# the user's functions -----------------------------------------------------------------------------
def _sources(function: Callable[..., Any], graph: Graph) -> Iterator[Source]:
    """The source of the function, then of each other one that the trace ran through."""
    plain: Any = getattr(function, "__func__", function)
    if not isinstance(plain, FunctionType):
        plain = type(plain).__call__
    main = source_of(plain)
    yield main
    seen = [main]
    for place in dict.fromkeys(locations(graph)):
        if any(_is_in(place, one) for one in seen):
            continue
        other = converted_at(place)
        if other is None:
            continue
        try:
            source = source_of(other)
        except StagingError:  # the file has changed since
            continue
        seen.append(source)
        yield source


def _is_in(place: Location, source: Source) -> bool:
    last = source.first_line + source.text.count("\n")
    return place.filename == source.filename and source.first_line <= place.line < last


def _source_panel(sources: list[Source], links: _Links) -> str:
    parts = []
    for source in sources:
        lines = source.text.splitlines()
        margin = min((len(x) - len(x.lstrip()) for x in lines if x.strip()), default=0)
        texts = coloured("\n".join(line[margin:] for line in lines) + "\n")
        found = []
        for number, (body, depth) in enumerate(texts, source.first_line):
            name = links.name(Location(source.filename, number, ""))
            found.append(Line(body, depth, (name,), anchor=name, number=str(number)))
        parts.append(_file_name(source) + plain_lines(found))
    return "\n".join(parts)


def _file_name(source: Source) -> str:
    name = html.escape(os.path.basename(source.filename))
    return f'<p class="file">{name}</p>\n'


def _converted_panel(sources: list[Source], links: _Links) -> str:
    parts = []
    for source in sources:
        parts.append(_file_name(source) + _text_panel(to_code(source.function), links))
    return "\n".join(parts)


# texts --------------------------------------------------------------------------------------------
def _lines(text: Printed, links: _Links) -> list[Line]:
    found = []
    for number, (body, depth) in enumerate(coloured(text), 1):
        places = text.origins.get(number, ())
        names = tuple(map(links.name, places))
        found.append(Line(body, depth, names, number=str(places[0].line) if places else ""))
    return found


def _text_panel(text: Printed, links: _Links) -> str:
    return folded(_lines(text, links))


def _graph_panel(text: Printed, links: _Links) -> str:
    """The graph, each sub-graph with a word on when it runs."""
    lines = _lines(text, links)
    badges = _badges(text.splitlines())
    return folded([_with_badge(one, badges.get(number, "")) for number, one in enumerate(lines)])


def _with_badge(line: Line, badge: str) -> Line:
    return Line(line.body, line.depth, line.places, line.anchor, line.number, badge)


def _badges(lines: list[str]) -> dict[int, str]:
    """When each sub-graph runs, by the number of its `def`: which branch, or each turn."""
    waiting: dict[tuple[int, str], int] = {}
    found: dict[int, str] = {}
    for number, line in enumerate(lines):
        indent = len(line) - len(line.lstrip())
        take = functools.partial(lambda indent, name: waiting.get((indent, name)), indent)
        if line.lstrip().startswith("def "):
            waiting[indent, line.split("(")[0].split()[1]] = number
        elif cond := _COND.search(line):
            names = [name.strip() for name in cond[2].split(",") if name.strip()]
            for position, name in enumerate(names):
                truth = bool(position) if len(names) == 2 else position
                if (at := take(name)) is not None:
                    found[at] = f"if {cond[1]} is {truth}"
        elif loop := _LOOP.search(line):
            if (at := take(loop[1])) is not None:
                found[at] = "each turn"
    return found
