"""The gradient rule of `custom_gradient` nodes: the user's backward graph, inline."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from autograph.runtime.autodiff.backward.accumulate import Gradients, zeros_of
from autograph.runtime.autodiff.backward.activity import differentiable
from autograph.runtime.autodiff.backward.backward_pass import CONTROL_RULES, Varied
from autograph.runtime.autodiff.control.branches import current_trace
from autograph.runtime.core.location import Location, user_location
from autograph.runtime.graph.clone import clone
from autograph.runtime.graph.ir import Graph, Node, Value
from autograph.runtime.graph.trace import Trace, wrap


def custom_gradient(node: Node, gradients: Gradients, varied: Varied) -> None:
    """Put the nodes of the backward graph here: they are differentiable like any other."""
    trace = current_trace()
    backward: Graph = node.attributes["backward"]
    results = node.attributes["results"]
    sources = node.inputs[results : results + len(backward.outputs)]
    wanted = [differentiable(value.spec) and varied(value) for value in sources]
    if not any(wanted):
        return
    given: list[Any] = [gradients.get(value) for value in node.outputs]
    given = [
        zeros_of(value) if one is None else one
        for one, value in zip(given, node.outputs, strict=True)
    ]
    copy = clone(backward)
    _move(copy, node.location, user_location(), set())
    found = inlined(trace, copy, [*given, *node.inputs[results + len(sources) :]])
    for value, want, one in zip(sources, wanted, found, strict=True):
        if want:
            gradients.add(value, wrap(one))


def _move(graph: Graph, called: Location | None, here: Location | None, seen: set[Graph]) -> None:
    """Let the nodes of a backward graph, made where the function was called, be from `here`."""
    if called is None or here is None or graph in seen:
        return
    seen.add(graph)
    around = (*called.callers, called)
    for node in graph.nodes:
        if node.location is not None:
            path = (*node.location.callers, node.location)
            if path[: len(around)] == around:
                path = (*here.callers, here, *path[len(around) :])
                node.location = replace(path[-1], callers=path[:-1])
        for inner in node.graphs:
            _move(inner, called, here, seen)


def inlined(trace: Trace, graph: Graph, operands: Sequence[Any]) -> list[Value]:
    """Add the nodes of `graph` to `trace`, for the tapes to see; gives its outputs there."""
    values: dict[Value, Value] = {}
    for inner, outer in zip(graph.inputs, operands, strict=True):
        values[inner] = trace.value_of(outer)
    for node in graph.nodes:
        specs = [value.spec for value in node.outputs]
        inputs = [values[value] for value in node.inputs]
        made = trace.graph.add_node(node.op, inputs, node.attributes, specs, node.location)
        values.update(zip(node.outputs, made.outputs, strict=True))
        trace.observe(made)
    return [values[value] for value in graph.outputs]


CONTROL_RULES.update(custom_gradient=custom_gradient)
