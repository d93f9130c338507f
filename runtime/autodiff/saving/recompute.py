"""Gradients that compute the forward values again: of whole graphs, and of `recompute` nodes."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest
from typing import Any

from autograph.runtime.autodiff.backward.accumulate import Gradients, zeros_of
from autograph.runtime.autodiff.backward.activity import dependence, differentiable, gradient_spec
from autograph.runtime.autodiff.backward.backward_pass import CONTROL_RULES, Varied, sweep
from autograph.runtime.autodiff.backward.selections import Mask, all_of, none_of, whole
from autograph.runtime.autodiff.control import branches, calls  # noqa: F401  (they fill the table of rules)
from autograph.runtime.autodiff.control.branches import current_trace, emit, mask_spec
from autograph.runtime.autodiff.control.region import appending
from autograph.runtime.control.effects import node_effect
from autograph.runtime.control.host import HOST_CALL
from autograph.runtime.control.records import CUSTOM_GRADIENT, RECOMPUTE
from autograph.runtime.core.anatomy import StagingError
from autograph.runtime.core.record import Effect
from autograph.runtime.graph.clone import clone
from autograph.runtime.graph.ir import Graph, Node, Value


def gradient_graph(
    graph: Graph,
    wanted: Sequence[int],
    arriving: Sequence[int],
    quiet: bool = False,
    masked: bool = False,
) -> Graph:
    """The graph that takes the inputs of `graph` and the gradients of its outputs at the positions
    `arriving`, and gives those of its inputs at the positions `wanted`: zeros where there is none.

    It computes the forward values again: as a function of the inputs it can be differentiated.
    `quiet`: what only prints, or calls back for no result, was done before and is not again.
    `masked`: it takes a mask for each gradient, after these, and gives masks, too.
    """
    trace = appending(clone(graph))
    trace.is_steep = masked
    if quiet:
        _silence(trace.graph, set())
    inner = trace.graph
    masks = dependence(inner)
    asked = sum(1 << k for k in wanted if differentiable(inner.inputs[k].spec))
    inputs, outputs, nodes = list(inner.inputs), list(inner.outputs), list(inner.nodes)
    gradients = Gradients()
    with trace.active():
        ends = [outputs[j] for j in arriving]
        seeds = [trace.add_input(gradient_spec(value.spec)) for value in ends]
        taken = [Mask.known(trace.add_input(mask_spec(one))) for one in ends if masked]
        for value, seed, mask in zip_longest(ends, seeds, taken):
            gradients.add(value, seed, mask=mask)
        sweep(nodes, gradients, lambda value: bool(masks.get(value, 0) & asked))
        sources = [inputs[k] for k in wanted]
        inner.outputs = [trace.value_of(_or_zeros(gradients, value)) for value in sources]
        if masked:
            found = [_mask_value(gradients, value) for value in sources]
            inner.outputs += map(trace.value_of, found)
    return inner


def _or_zeros(gradients: Gradients, value: Value) -> Any:
    found = gradients.get(value)
    return zeros_of(value) if found is None else found


def _mask_value(gradients: Gradients, value: Value) -> Any:
    found, mask = gradients.get(value), gradients.connected(value)
    if found is None:
        return none_of(zeros_of(value))
    return all_of(found) if mask is None else whole(mask.value, found)


def _silence(graph: Graph, seen: set[Graph]) -> None:
    if graph in seen:
        return
    seen.add(graph)
    graph.nodes = [node for node in graph.nodes if node.op is not HOST_CALL or node.outputs]
    for node in graph.nodes:
        if node.op is not CUSTOM_GRADIENT:  # whose graph has not run
            for inner in node.graphs:
                _silence(inner, seen)


def recompute_gradient(node: Node, gradients: Gradients, varied: Varied) -> None:
    """Run the graph once more, with its own backward pass after it."""
    trace = current_trace()
    function: Graph = node.attributes["function"]
    _refuse_recursion(function)
    masks = dependence(function)
    arriving = [j for j, value in enumerate(node.outputs) if gradients.get(value) is not None]
    reached = 0
    for j in arriving:
        reached |= masks[function.outputs[j]]
    wanted = [
        k
        for k, value in enumerate(node.inputs)
        if reached >> k & 1 and differentiable(value.spec) and varied(value)
    ]
    if not wanted:
        return
    made = gradient_graph(function, wanted, arriving)
    given = [*node.inputs, *(gradients.get(node.outputs[j]) for j in arriving)]
    operands = [trace.value_of(given[place]) for place in _trim(made)]
    specs = [gradient_spec(node.inputs[k].spec) for k in wanted]
    results = emit(trace, RECOMPUTE, operands, {"function": made}, specs, node, None)
    for k, result in zip(wanted, results, strict=True):
        gradients.add(node.inputs[k], result)


def _trim(graph: Graph) -> list[int]:
    """Drop the nodes and the inputs that the results do not need; gives the inputs that stay."""
    needed = set(graph.outputs)
    kept: list[Node] = []
    for node in reversed(graph.nodes):
        if node_effect(node) is not Effect.PURE or needed.intersection(node.outputs):
            needed.update(node.inputs)
            kept.append(node)
    graph.nodes = kept[::-1]
    places = [place for place, value in enumerate(graph.inputs) if value in needed]
    graph.inputs = [graph.inputs[place] for place in places]
    return places


def _refuse_recursion(function: Graph) -> None:
    """StagingError where the graph calls a function that runs this very node."""
    seen: set[Graph] = set()
    pending = [function]
    while pending:
        for node in pending.pop().nodes:
            for inner in node.graphs:
                if inner is function:
                    raise StagingError(
                        "a gradient goes through ag.recompute of a function that calls the "
                        "recursive function around it",
                        location=node.location,
                        remedy="recompute a part of it that does not call itself",
                    )
                if inner not in seen:
                    seen.add(inner)
                    pending.append(inner)


CONTROL_RULES.update(recompute=recompute_gradient)
