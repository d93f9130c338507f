"""A graph in the language of Graphviz: `dot -Tsvg` makes a picture of it."""

from __future__ import annotations

from autograph.runtime.graph.ir import Graph
from autograph.showing.drawing import Arrow, Box, Group, draw

_SHAPES = {
    "input": 'shape=ellipse, style=filled, fillcolor="#e8f1fb"',
    "op": 'shape=box, style="rounded,filled", fillcolor="#ffffff"',
    "branch": 'shape=diamond, style=filled, fillcolor="#fdf3d8"',
    "loop": 'shape=hexagon, style=filled, fillcolor="#e6f5ea"',
    "call": 'shape=component, style=filled, fillcolor="#f1eafa"',
    "raise": 'shape=octagon, style=filled, fillcolor="#fbe4e4"',
    "result": 'shape=box, style="rounded,filled,bold", fillcolor="#e8f1fb"',
}


def dot(graph: Graph) -> str:
    """The text of a picture of the graph."""
    drawing = draw(graph)
    lines = [
        f"digraph {_quoted(graph.name)} {{",
        '    node [fontname="monospace", fontsize=10]',
        '    edge [fontname="sans-serif", fontsize=9, color="#555555"]',
        '    graph [fontname="sans-serif", fontsize=10, color="#999999", style=rounded]',
    ]
    _inside(drawing.outer, 1, lines)
    lines += [f"    {_arrow(one)}" for one in drawing.arrows]
    return "\n".join([*lines, "}"]) + "\n"


def _inside(group: Group, depth: int, lines: list[str]) -> None:
    indent = "    " * depth
    lines += [f"{indent}{_box(one)}" for one in group.boxes]
    for inner in group.groups:
        lines.append(f"{indent}subgraph cluster_{inner.key} {{")
        lines.append(f"{indent}    label={_quoted(inner.title)}")
        _inside(inner, depth + 1, lines)
        lines.append(f"{indent}}}")


def _box(box: Box) -> str:
    return f"{box.key} [label={_quoted(*box.lines)}, {_SHAPES[box.kind]}]"


def _arrow(arrow: Arrow) -> str:
    words = [f"label={_quoted(arrow.word)}"] if arrow.word else []
    words += ["style=dashed, constraint=false"] if arrow.dotted else []
    return f"{arrow.start} -> {arrow.end}" + (f" [{', '.join(words)}]" if words else "")


def _quoted(*lines: str) -> str:
    text = "\\n".join(line.replace("\\", "\\\\").replace('"', '\\"') for line in lines)
    return f'"{text}"'
