"""A graph in the language of Mermaid, which many pages of Markdown show as a picture."""

from __future__ import annotations

from autograph.runtime.graph.ir import Graph
from autograph.showing.drawing import Arrow, Box, Group, boxes_of, draw

_SHAPES = {
    "input": ("([", "])"),
    "op": ("[", "]"),
    "branch": ("{{", "}}"),
    "loop": ("{{", "}}"),
    "call": ("[[", "]]"),
    "raise": ("[/", "/]"),
    "result": ("([", "])"),
}
_COLOURS = {
    "branch": "fill:#fdf3d8,stroke:#b58900,color:#222",
    "loop": "fill:#e6f5ea,stroke:#2e7d32,color:#222",
    "call": "fill:#f1eafa,stroke:#6a3fa0,color:#222",
    "raise": "fill:#fbe4e4,stroke:#b71c1c,color:#222",
}


def mermaid(graph: Graph) -> str:
    """The text of a flowchart of the graph."""
    drawing = draw(graph)
    lines = ["flowchart TD"]
    _inside(drawing.outer, 1, lines)
    lines += [f"    {_arrow(one)}" for one in drawing.arrows]
    for kind, colour in _COLOURS.items():
        keys = [one.key for one in boxes_of(drawing.outer) if one.kind == kind]
        if keys:
            lines.append(f"    classDef {kind}_box {colour}")
            lines.append(f"    class {','.join(keys)} {kind}_box")
    return "\n".join(lines) + "\n"


def _inside(group: Group, depth: int, lines: list[str]) -> None:
    indent = "    " * depth
    lines += [f"{indent}{_box(one)}" for one in group.boxes]
    for inner in group.groups:
        lines.append(f"{indent}subgraph {inner.key}[{_quoted(inner.title)}]")
        _inside(inner, depth + 1, lines)
        lines.append(f"{indent}end")


def _box(box: Box) -> str:
    opening, closing = _SHAPES[box.kind]
    return f"{box.key}{opening}{_quoted(*box.lines)}{closing}"


def _arrow(arrow: Arrow) -> str:
    line = "-.->" if arrow.dotted else "-->"
    word = f"|{_quoted(arrow.word)}|" if arrow.word else ""
    return f"{arrow.start} {line}{word} {arrow.end}"


def _quoted(*lines: str) -> str:
    """A label: what Mermaid or HTML would take for their own is written as codes."""
    text = "<br/>".join(_coded(line) for line in lines)
    return f'"{text}"'


def _coded(line: str) -> str:
    codes = {"#": "#35;", '"': "#quot;", "<": "#lt;", ">": "#gt;", "&": "#amp;", "`": "#96;"}
    return "".join(codes.get(letter, letter) for letter in line)
