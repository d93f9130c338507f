"""Matching objects with a checkpoint: edge by edge from a pair of roots.

What it finds is a plan: nothing is assigned before it is known whether everything fits.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from autograph.keeping.checkpoints.kept import Kept, below, variables_of
from autograph.keeping.checkpoints.objects import Edge, Node, graph_of, join, nodes_of
from autograph.runtime.core.dtypes import SHORT_NAMES
from autograph.runtime.core.variable import Variable


@dataclass(slots=True)
class Plan:
    """What a restore would do, and what stands against it, each with the path as its name."""

    assigned: dict[str, tuple[Variable, Kept]] = field(default_factory=dict)
    values: list[tuple[str, Any, Edge, Any]] = field(default_factory=list)
    """Plain values: the path, the object, the name of the attribute or item, and the value."""
    missing: list[str] = field(default_factory=list)
    """Variables that the checkpoint does not have."""
    unexpected: list[str] = field(default_factory=list)
    """Variables of the checkpoint that no object has."""
    mismatched: dict[str, str] = field(default_factory=dict)
    """Variables of another shape or dtype, or shared with others than in the checkpoint."""
    left: list[str] = field(default_factory=list)
    """Plain values that only one of the two sides has: they are not touched."""


class Matcher:
    """Which live object is which kept one; new pairs can be added as objects come into being."""

    def __init__(self, kept: Kept) -> None:
        self.root = kept
        self.pairs: dict[tuple[int, int], tuple[Any, Kept]] = {}
        self.kept_as: dict[int, Kept] = {}
        """The kept Variable of a live one."""
        self.live_as: dict[int, tuple[Variable, str]] = {}
        """The live Variable of a kept one, and its path."""
        self.conflicting: set[int] = set()
        """Objects of both sides that are paired with two others, or with one of another kind."""

    def match(self, live: Any, kept: Kept, path: str = "") -> Plan:
        """Match what is below a pair of objects that belong together."""
        plan = Plan()
        root = graph_of(live, path)
        waiting = [(root, kept, path)]
        while waiting:
            node, one, where = waiting.pop()
            if (id(node.item), id(one)) in self.pairs:
                continue
            self.pairs[id(node.item), id(one)] = node.item, one
            if node.variable is not None or one.array is not None:
                self._variable(plan, node, one, where)
                continue
            _values(plan, node, one, where)
            waiting += [
                (node.edges[name], one.edges[name], join(where, name))
                for name in reversed(one.edges)
                if name in node.edges
            ]
        plan.missing = [
            node.path
            for node in nodes_of(root)
            if node.variable is not None
            and id(node.item) not in self.kept_as
            and id(node.item) not in self.conflicting
        ]
        return plan

    def forget(self, kept: Kept) -> None:
        """Let what is below a kept object belong to no live one, as before."""
        for one in below(kept):
            self.pairs = {key: pair for key, pair in self.pairs.items() if pair[1] is not one}
            live = self.live_as.pop(id(one), None)
            if live is not None:
                self.kept_as.pop(id(live[0]), None)
            self.conflicting.discard(id(one))

    def _variable(self, plan: Plan, node: Node, kept: Kept, path: str) -> None:
        conflict = self._conflict(node, kept)
        if conflict:
            plan.mismatched[path] = conflict
            self.conflicting |= {id(node.item), id(kept)}
            return
        variable, array = node.item, kept.array
        assert array is not None
        self.kept_as[id(variable)] = kept
        self.live_as[id(kept)] = variable, path
        if array.dtype != variable.dtype or array.shape != variable.shape:
            kinds = f"is {_kind(array)} in the checkpoint, and {_kind(variable)} here"
            plan.mismatched[path] = kinds
        else:
            plan.assigned[path] = variable, kept

    def _conflict(self, node: Node, kept: Kept) -> str:
        """Why a pair, one of which is a Variable, cannot be one; nothing where it can."""
        if node.variable is None or kept.array is None:
            there = "an object" if kept.array is None else "a Variable"
            return f"is {there} in the checkpoint, and a {type(node.item).__name__} here"
        known = self.kept_as.get(id(node.item))
        if known is not None and known is not kept:
            return f"is the same Variable as {known.path} here, and another one in the checkpoint"
        other = self.live_as.get(id(kept))
        if other is not None and other[0] is not node.item:
            return f"is the same Variable as {other[1]} in the checkpoint, and another one here"
        return ""

    def unmatched(self) -> list[Kept]:
        """The kept Variables that belong to no live one yet."""
        known = self.live_as.keys() | self.conflicting
        return [one for one in variables_of(self.root) if id(one) not in known]


def _values(plan: Plan, node: Node, kept: Kept, path: str) -> None:
    for name, value in kept.values.items():
        if name in node.values and not isinstance(node.item, tuple):
            plan.values.append((join(path, name), node.item, name, value))
        elif name in node.values and repr(node.values[name]) != repr(value):
            here = f"and {node.values[name]!r} in a tuple here, which keeps its items"
            plan.left.append(f"{join(path, name)} is {value!r} in the checkpoint, {here}")
        elif name not in node.edges and name not in node.values:
            plan.left.append(f"{join(path, name)} is {value!r} in the checkpoint alone")
    for name in node.values:
        if name not in kept.values and name not in kept.edges:
            plan.left.append(f"{join(path, name)} is not in the checkpoint")


def _kind(array: Any) -> str:
    return f"{SHORT_NAMES[array.dtype]}[{','.join(map(str, array.shape))}]"
