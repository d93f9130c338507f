"""Refuses a staged raise where Python itself would have to catch it, as in a plain generator."""

from __future__ import annotations

from collections.abc import Sequence

from autograph.errors import StateError
from autograph.runtime.control.effects import node_effect
from autograph.runtime.core.record import Effect
from autograph.runtime.graph.ir import Graph, Node

NEVER_CAUGHT = ("py_add", "py_sub", "py_mul", "py_neg", "py_abs", "py_or", "py_and")
"""May raise only OverflowError, for Python ints beyond int64: see docs/limits.md."""


def refuse_raising(nodes: Sequence[Node], where: str) -> None:
    """Raise StateError for the first node that may raise something when the graph runs."""
    for node in filter(may_be_caught, nodes):
        error = StateError(
            f"staged code inside {where} may raise when the function runs, and the handler cannot "
            "be chosen then",
            location=node.location,
            remedy="test the condition with if before, or move the staged code out of it",
        )
        error.__dict__["around_yield"] = True  # the second form of a generator may do
        raise error


def may_be_caught(node: Node, seen: set[Graph] | None = None) -> bool:
    """Whether a node, or one in its branches or turns, may raise what a handler is for.

    `seen`: the graphs that were looked at; a function that calls itself has its own in it.
    """
    if node.op.name in NEVER_CAUGHT or node_effect(node) is not Effect.MAY_RAISE:
        return False
    if node.op.name == "to_number":
        return node.attributes["kind"] is int
    if node.op.effect is Effect.PURE:
        seen = set() if seen is None else seen
        fresh = [graph for graph in node.graphs if graph not in seen]
        seen.update(fresh)
        return any(may_be_caught(inner, seen) for graph in fresh for inner in graph.nodes)
    return True
