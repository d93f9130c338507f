"""A staged function as a notebook shows it: its source, what that is converted to, its graph."""

from __future__ import annotations

import html
from collections.abc import Callable
from typing import Any

from autograph.conversion.convert import to_code
from autograph.conversion.syntax.source import source_of
from autograph.runtime.graph.ir import Graph
from autograph.runtime.graph.printer import print_graph
from autograph.showing.markup import coloured

_STYLE = """
.ag-shown details { margin-left: 1em; }
.ag-shown summary { cursor: pointer; }
.ag-shown pre { margin: 2px 0 8px 1em; overflow-x: auto; }
.ag-shown .keyword { color: #a045b8; } .ag-shown .string { color: #3a8f4d; }
.ag-shown .number { color: #c0700f; } .ag-shown .comment { opacity: 0.6; }
"""
LONGEST = 400
"""More lines of a graph are not shown: an output is kept in the notebook's file."""


def in_notebook(
    title: str, function: Callable[..., Any], graph: Graph | None, words: Callable[[], str]
) -> str:
    """HTML for a function, and for a graph if there is one. What cannot be shown is left out.

    `words` say how the function is faring.
    """
    parts = [f"<summary><b>{html.escape(title)}</b>"]
    makers: tuple[Callable[[], str], ...] = (
        lambda: f" — {html.escape(words())}</summary>",
        lambda: _folded("source", source_of(_plain(function)).text, True),
        lambda: _folded("converted", to_code(_plain(function))),
        lambda: _folded("graph", print_graph(graph)) if graph is not None else "",
    )
    for make in makers:
        try:
            parts.append(make())
        except Exception:  # a notebook must not fail to show a value
            parts.append("")
    return f'<style>{_STYLE}</style><details class="ag-shown" open>{"".join(parts)}</details>'


def _plain(function: Callable[..., Any]) -> Any:
    return getattr(function, "__func__", function)


def _folded(title: str, text: str, is_open: bool = False) -> str:
    lines = [body for body, _ in coloured(text)]
    if len(lines) > LONGEST:
        lines[LONGEST:] = [f"… {len(lines) - LONGEST} more lines"]
    return (
        f"<details{' open' if is_open else ''}><summary>{title}</summary>"
        f"<pre>{chr(10).join(lines)}</pre></details>"
    )
