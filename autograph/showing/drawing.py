"""A graph as boxes, groups of boxes and arrows: what DOT and Mermaid have in common.

A branch or a turn of a loop is a group. A `cond` stands below its branches and receives what they
give; what a branch takes from around it arrives from where it was made. The state of a loop has
boxes of its own in the group of the turn, and dotted arrows lead back to them.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

from autograph.runtime.control.records import COND, RAISE, WHILE_LOOP
from autograph.runtime.graph.ir import Graph, Node, Value
from autograph.runtime.graph.notation import spec_text, specs_text
from autograph.runtime.graph.printer import labels_of

Kind = Literal["input", "op", "branch", "loop", "call", "raise", "result"]
CALL = "call"


@dataclass(frozen=True, slots=True)
class Box:
    """One node, input or result: `lines` are its text."""

    key: str
    kind: Kind
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Arrow:
    """From box to box. Dotted ones lead to the next turn, or from a call to its function."""

    start: str
    end: str
    word: str = ""
    dotted: bool = False


@dataclass(slots=True)
class Group:
    """A graph: boxes, and the groups of its sub-graphs."""

    key: str
    title: str
    boxes: list[Box] = field(default_factory=list)
    groups: list[Group] = field(default_factory=list)


@dataclass(slots=True)
class Drawing:
    """The whole picture."""

    outer: Group
    arrows: list[Arrow]


def draw(graph: Graph) -> Drawing:
    """The picture of a graph."""
    artist = _Artist(graph)
    outer = artist.group(graph, graph.name)
    return Drawing(outer, list(dict.fromkeys(artist.arrows)))


class _Artist:
    def __init__(self, graph: Graph) -> None:
        self.labels = labels_of(graph)
        self.arrows: list[Arrow] = []
        self.made_by: dict[Value, str] = {}
        self.functions: dict[Graph, str] = {}
        self.count = 0
        self.outermost: Group | None = None

    def group(self, graph: Graph, title: str, given: dict[Value, str] | None = None) -> Group:
        """The group of a graph; `given` are the boxes from which some of its inputs come."""
        group = Group(self._key("group"), title)
        if self.outermost is None:
            self.outermost = group
        for value in graph.inputs:
            if given is not None and value in given:
                self.made_by[value] = given[value]
            else:
                text = f"{self.labels.values[value]}: {spec_text(value.spec)}"
                self.made_by[value] = self._box(group, "input", text)
        for node in graph.nodes:
            self._node(group, node)
        if given is None and graph is not None:
            self._results(group, graph)
        return group

    def _results(self, group: Group, graph: Graph) -> None:
        if not graph.outputs:
            return
        names = ", ".join(self.labels.values.get(one, "") for one in graph.outputs)
        key = self._box(group, "result", f"return {names}")
        for value in graph.outputs:
            self._arrow(value, key)

    def _node(self, group: Group, node: Node) -> None:
        if node.op is COND:
            self._cond(group, node)
        elif node.op is WHILE_LOOP:
            self._loop(group, node)
        elif node.op.name == CALL:
            self._call(group, node)
        else:
            key = self._own(group, node, "raise" if node.op is RAISE else "op")
            for value in node.inputs:
                self._arrow(value, key)

    def _cond(self, group: Group, node: Node) -> None:
        branches = node.attributes["branches"]
        test = self.labels.values[node.inputs[0]]
        inner = []
        for number, branch in enumerate(branches):
            truth = bool(number) if len(branches) == 2 else number
            given = self._given(branch.inputs, node.inputs[1:])
            inner.append(self.group(branch, f"if {test} is {truth}", given))
        group.groups += inner
        key = self._own(group, node, "branch")
        self._arrow(node.inputs[0], key, "test")
        for number, branch in enumerate(branches):
            word = str(bool(number) if len(branches) == 2 else number)
            for value in branch.outputs:
                self._arrow(value, key, word)

    def _loop(self, group: Group, node: Node) -> None:
        step, carried = node.attributes["step"], node.attributes["carried"]
        given = self._given(step.inputs[carried:], node.inputs[carried:])
        inner = self.group(step, "each turn", given)
        group.groups.append(inner)
        for value, state in zip(node.inputs[:carried], step.inputs[:carried], strict=False):
            self._arrow(value, self.made_by[state], "first")
        for value, state in zip(step.outputs[1:], step.inputs[:carried], strict=False):
            if self.made_by[value] != self.made_by[state]:
                self._arrow(value, self.made_by[state], "next", dotted=True)
        key = self._own(group, node, "loop")
        self._arrow(step.outputs[0], key, "again?")
        for state in step.inputs[:carried]:
            self._arrow(state, key, "last")

    def _call(self, group: Group, node: Node) -> None:
        function = node.attributes["function"]
        key = self._own(group, node, "call")
        for value in node.inputs:
            self._arrow(value, key)
        if function not in self.functions:
            self.functions[function] = ""  # a call of itself inside finds it being drawn
            drawn = self.group(function, f"function {self.labels.graphs[function]}")
            assert self.outermost is not None
            self.outermost.groups.append(drawn)
            self.functions[function] = drawn.boxes[0].key if drawn.boxes else ""
        if self.functions[function]:
            self.arrows.append(Arrow(key, self.functions[function], "runs", dotted=True))

    def _given(self, inside: list[Value], outside: list[Value]) -> dict[Value, str]:
        return {one: self.made_by[other] for one, other in zip(inside, outside, strict=False)}

    def _own(self, group: Group, node: Node, kind: Kind) -> str:
        """The box of a node, which makes its outputs."""
        names = ", ".join(self.labels.values[value] for value in node.outputs)
        specs = specs_text([value.spec for value in node.outputs])
        control = kind in ("branch", "loop")
        lines = [node.op.name if control else self.labels.calls[node]]
        if names:
            lines.append(f"{names}: {specs}" if len(node.outputs) == 1 else names)
        if node.location is not None:
            lines.append(f"{os.path.basename(node.location.filename)}:{node.location.line}")
        key = self._box(group, kind, *lines)
        for value in node.outputs:
            self.made_by[value] = key
        return key

    def _box(self, group: Group, kind: Kind, *lines: str) -> str:
        key = self._key("box")
        group.boxes.append(Box(key, kind, lines))
        return key

    def _arrow(self, value: Value, end: str, word: str = "", dotted: bool = False) -> None:
        self.arrows.append(Arrow(self.made_by[value], end, word, dotted))

    def _key(self, word: str) -> str:
        self.count += 1
        return f"{word}{self.count}"


def boxes_of(group: Group) -> Iterator[Box]:
    """The boxes of a group and of those in it."""
    yield from group.boxes
    for one in group.groups:
        yield from boxes_of(one)
