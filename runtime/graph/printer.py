"""A graph as Python text: to look at, or to read back with `runtime.control.reader`.

    def scaled(x: f32[n,3], limit: f32):
        v0 = sum(x, axis=None, dtype=None, keepdims=False)  # f32  model.py:12
        v1 = greater(v0, limit)  # bool  model.py:12
        def branch_0(x: f32[n,3], v0: f32):
            return x
        def branch_1(x: f32[n,3], v0: f32):
            v2 = divide(x, v0)  # f32[n,3]  model.py:13
            return v2
        v3 = cond(v1, x, v0, branches=(branch_0, branch_1))  # f32[n,3]  model.py:12
        return v3

A sub-graph is a def before the node that runs it; one that is called, or that several nodes run,
stands at the beginning of the outermost. A name means one value in the whole text, and what a
sub-graph takes from around it keeps its name. The specs of the results stand in `specs=` where
inference would not give just these, else in the comment, before the user's line.
"""

from __future__ import annotations

import itertools
import keyword
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from autograph.runtime.graph.ir import Graph, Node, Value
from autograph.runtime.graph.notation import DTYPE_NAMES, AttributeWriter, spec_text, specs_text
from autograph.runtime.graph.trace import dynamic_operands

DEEPEST = 20
"""Graphs that are nested deeper stand at the beginning: Python indents up to 100 levels."""

INDENT = "    "
NUMBERED = re.compile(r"[vx]\d+")
"""The names that values get here; `read_graph` does not keep them."""

VOCABULARY = {
    "DynamicInt",
    "Slice",
    "array",
    "arrays",
    "dim",
    "inf",
    "nan",
    "objects",
    "complex",
    "scalar",
    "spec",
} | {
    "bool",
    "float",
    "int",
    *DTYPE_NAMES.values(),
}
"""The names in the text that are neither values nor graphs nor ops."""


def print_graph(graph: Graph, abbreviated: bool = True) -> str:
    """The graph as Python text; large arrays are `abbreviated`, which cannot be read back."""
    return _Printer(graph, abbreviated).print()


def graph_source(graph: Graph, arrays: list[Any] | None = None) -> tuple[str, tuple[Any, ...]]:
    """Text from which `read_graph` makes an equal graph, and the `objects` that it refers to.

    Where there is a table of `arrays`, it gets the long ones.
    """
    printer = _Printer(graph, abbreviated=False, arrays=arrays)
    return printer.print(), tuple(printer.attributes.objects)


@dataclass(frozen=True, slots=True)
class Labels:
    """The words of a printed graph: names of values and graphs, and each node's call."""

    values: Mapping[Value, str]
    graphs: Mapping[Graph, str]
    calls: Mapping[Node, str]


def labels_of(graph: Graph) -> Labels:
    """What `print_graph` calls the parts of a graph."""
    printer = _Printer(graph, abbreviated=True)
    printer.print()
    return Labels(printer.value_names, printer.graph_names, printer.calls)


class _Printer:
    def __init__(self, graph: Graph, abbreviated: bool, arrays: list[Any] | None = None) -> None:
        self.root = graph
        self.runners = _runners(graph)
        self.taken = VOCABULARY | {n.op.name for one in self.runners for n in one.nodes}
        self.outermost = self._outermost()
        self.graph_names = {one: self._unique(one.name) for one in (graph, *self.outermost)}
        self.attributes = AttributeWriter(self.graph_names, abbreviated, arrays)
        self.value_names: dict[Value, str] = {}
        self.calls: dict[Node, str] = {}
        self.count = 0
        self.lines: list[str] = []

    def print(self) -> str:
        self._define(self.root, 0)
        for position, item in enumerate(self.attributes.objects):
            self.lines.append(f"# objects[{position}]: {_described(item)}")
        return "\n".join(self.lines) + "\n"

    # names and places -------------------------------------------------------------------------
    def _unique(self, name: str) -> str:
        """A name for a graph that all others see."""
        found = _apart(name, self.taken)
        self.taken.add(found)
        return found

    def _name_inside(self, node: Node) -> list[Graph]:
        """Give names to the graphs that stand before `node`: they are seen by it alone."""
        found: list[Graph] = []
        used = set(self.taken)
        for graph in node.graphs:
            if graph not in self.graph_names:
                self.graph_names[graph] = _apart(graph.name, used)
                used.add(self.graph_names[graph])
                found.append(graph)
        return found

    def _outermost(self) -> list[Graph]:
        """The graphs that stand at the beginning, where all others see them."""
        called = {n.attributes["function"] for g in self.runners for n in g.nodes if _calls(n)}
        depths = {self.root: 0}
        found = []
        for graph, runners in self.runners.items():  # runners come before what they run
            if graph is self.root:
                continue
            depth = depths[runners[0]] + 1
            if graph in called or len(runners) > 1 or depth > DEEPEST:
                found.append(graph)
                depth = 1
            depths[graph] = depth
        return found

    def _parameters(self, graph: Graph, around: Sequence[str]) -> Iterator[str]:
        used: set[str] = set()
        for value, name in zip(graph.inputs, around):
            if _is_usable(value.name) and not NUMBERED.fullmatch(value.name):
                name = value.name if value.name not in self.taken else name
            if not name or name in used:
                name = f"x{self.count}"
                self.count += 1
            used.add(name)
            self.value_names[value] = name
            yield f"{name}: {spec_text(value.spec)}"

    def _name(self, value: Value) -> str:
        name = self.value_names.get(value)
        if name is None:
            name = self.value_names[value] = f"v{self.count}"
            self.count += 1
        return name

    def _handed_on(self, node: Node) -> list[str]:
        """The names of operands that are the same values inside: all but the state of a loop."""
        names = [self._name(value) for value in node.inputs]
        if node.op.name == "cond":
            return names[1:]
        if node.op.name == "recompute":
            return names
        changed = node.attributes["carried"] if node.op.name == "while_loop" else len(names)
        return [""] * changed + names[changed:]

    # lines ------------------------------------------------------------------------------------
    def _define(self, graph: Graph, depth: int, around: Iterable[str] = ()) -> None:
        names = [*around, *[""] * len(graph.inputs)]
        parameters = ", ".join(self._parameters(graph, names))
        self._line(depth, f"def {self.graph_names[graph]}({parameters}):")
        if graph is self.root:
            for one in self.outermost:
                self._define(one, depth + 1)
        for node in graph.nodes:
            for inner in self._name_inside(node):
                self._define(inner, depth + 1, self._handed_on(node))
            self._line(depth + 1, self._node(node))
        results = ", ".join(map(self._name, graph.outputs))
        self._line(depth + 1, f"return {results}".rstrip())

    def _line(self, depth: int, text: str) -> None:
        self.lines.append(INDENT * depth + text)

    def _node(self, node: Node) -> str:
        arguments = [self._name(value) for value in node.inputs]
        for name, attribute in node.attributes.items():
            arguments.append(f"{name}={self.attributes.text(attribute)}")
        specs = specs_text([value.spec for value in node.outputs])
        comments = []
        if not is_inferred(node):
            arguments.append(f'specs="{specs}"')
        elif specs:
            comments.append(specs)
        if node.location is not None:
            comments.append(f"{os.path.basename(node.location.filename)}:{node.location.line}")
        names = ", ".join(map(self._name, node.outputs))
        text = self.calls[node] = f"{node.op.name}({', '.join(arguments)})"
        if names:
            text = f"{names} = {text}"
        return f"{text}  # {'  '.join(comments)}" if comments else text


def is_inferred(node: Node) -> bool:
    """Whether the inference of its op gives exactly the specs that the node has.

    It does not where a symbol is fresh, and cannot for a call: the function may not be read yet.
    """
    if _calls(node):
        return False
    own = node.inputs[: len(node.inputs) - len(dynamic_operands(node.attributes))]
    try:
        found = node.op.infer(*(value.spec for value in own), **node.attributes)
    except Exception:  # whatever a record raises for specs that it would not take
        return False
    several = found if isinstance(found, tuple) else (found,)
    return several == tuple(value.spec for value in node.outputs)


def _calls(node: Node) -> bool:
    return node.op.name == "call"


def _runners(root: Graph) -> dict[Graph, list[Graph]]:
    """Every graph, outer ones first, with the graphs that run it, once for each node and place."""
    found: dict[Graph, list[Graph]] = {root: []}
    waiting = [root]
    for graph in waiting:
        for node in graph.nodes:
            for inner in node.graphs:
                if inner not in found:
                    found[inner] = []
                    waiting.append(inner)
                found[inner].append(graph)
    return found


def _apart(name: str, taken: set[str]) -> str:
    base = name if _is_usable(name) else "graph"
    if base not in taken:
        return base
    return next(one for n in itertools.count(1) if (one := f"{base}_{n}") not in taken)


def _is_usable(name: str) -> bool:
    return name.isascii() and name.isidentifier() and not keyword.iskeyword(name)


def _described(item: Any) -> str:
    name = getattr(item, "__qualname__", None)
    return name if isinstance(name, str) else f"a {type(item).__qualname__}"
