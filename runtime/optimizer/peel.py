"""The first turn of a loop taken out of it, where only that turn is different.

`total = 0.0` before a loop of `total = total + x` makes a choice of it: a Python number in the
first turn, a tensor from the second on, and every turn asks which. Such a tag begins as one
constant and is another one after any turn that goes on. With the first turn before the loop, both
are known.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autograph.runtime.control.effects import graph_effect
from autograph.runtime.control.records import COND, is_dead
from autograph.runtime.core.record import Effect
from autograph.runtime.graph.clone import clone
from autograph.runtime.graph.constant import bits_of
from autograph.runtime.graph.ir import Graph, Node, Value
from autograph.runtime.optimizer.rewriting import (
    all_graphs,
    constant_of,
    make_constant,
    replace,
)
from autograph.runtime.optimizer.supposing import supposed

LARGEST = 300
"""How many nodes a turn has at most: the first turn is that much more to compile."""


def run(graph: Graph) -> bool:
    """Peel the loops of every graph, inner ones first."""
    changed = False
    for one in all_graphs(graph):
        for node in list(one.nodes):
            if node.op.name == "while_loop":
                changed |= _peel(one, node)
    return changed


def _peel(graph: Graph, loop: Node) -> bool:
    step: Graph = loop.attributes["step"]
    inside = list(all_graphs(step))
    if any(one is graph for one in inside):  # a recursion in a loop of its own: all of it, twice
        return False
    if sum(len(inner.nodes) for inner in inside) > LARGEST:
        return False
    if graph_effect(step) is Effect.CALLS_BACK or is_dead(step.outputs[0]):
        return False
    settled = _settled(loop, step)
    if not settled:
        return False
    place = graph.nodes.index(loop)
    rest = graph.nodes[place + 1 :]
    del graph.nodes[place:]
    first = _appended(graph, step, loop.inputs)
    node = _rest_of_loop(graph, loop, first, settled)
    replaced = dict(zip(loop.outputs, node.outputs, strict=True))
    graph.nodes += rest
    replace(graph, replaced)
    return True


# when ---------------------------------------------------------------------------------------------
def _settled(loop: Node, step: Graph) -> dict[int, Any]:
    """Carried numbers that begin as one constant, and are another after every turn that goes on."""
    count: int = loop.attributes["carried"]
    dead = _dead_branches(step.outputs[0])
    begin = {
        place: held
        for place, value in enumerate(loop.inputs[:count])
        if (held := constant_of(value)) is not None
    }
    after = _after(loop, step, begin, dead)
    found = {
        place: held for place, held in after.items() if bits_of(held) != bits_of(begin.get(place))
    }
    while found:
        again = _after(loop, step, found, dead)
        stays = {p: held for p, held in found.items() if bits_of(again.get(p)) == bits_of(held)}
        if len(stays) == len(found):
            break
        found = stays
    return found


def _after(loop: Node, step: Graph, known: dict[int, Any], dead: set[int]) -> dict[int, Any]:
    """The carried numbers that are known after a turn that goes on."""
    count: int = loop.attributes["carried"]
    held = {
        step.inputs[place]: _as_held(step.inputs[place], number) for place, number in known.items()
    }
    values = supposed(step, held, dead)
    return {
        place: _plain(values[value])
        for place, value in enumerate(step.outputs[1 : count + 1])
        if value in values
    }


def _as_held(value: Value, number: Any) -> Any:
    spec = value.spec
    return number if spec.python else np.array(number, spec.dtype)  # type: ignore[union-attr]


def _plain(held: Any) -> Any:
    return held.item() if hasattr(held, "item") else held


def _dead_branches(go: Value) -> set[int]:
    """The branches, by identity, that end the loop."""
    node = go.node
    if node is None or node.op.name != "cond":
        return set()
    place = node.outputs.index(go)
    found: set[int] = set()
    for branch in node.attributes["branches"]:
        value = branch.outputs[place]
        held = constant_of(value)
        if held is not None and not held:
            found.add(id(branch))
        else:
            found |= _dead_branches(value)
    return found


# how ----------------------------------------------------------------------------------------------
def _appended(graph: Graph, step: Graph, operands: list[Value]) -> list[Value]:
    """The nodes of a graph at the end of another one; gives its outputs there."""
    copy = clone(step)
    here = dict(zip(copy.inputs, operands, strict=True))
    for node in copy.nodes:
        node.inputs = [here.get(value, value) for value in node.inputs]
        for value in node.outputs:
            value.graph = graph
        graph.nodes.append(node)
    return [here.get(value, value) for value in copy.outputs]


def _rest_of_loop(graph: Graph, loop: Node, first: list[Value], settled: dict[int, Any]) -> Node:
    """A cond: the loop as it was, from the second turn on, if there is one."""
    go, *carried = first
    count: int = loop.attributes["carried"]
    operands = list(dict.fromkeys([*carried, *loop.inputs[count:]]))
    branches = []
    for goes_on in (False, True):
        branch = Graph(f"{graph.name}_rest")
        inside = {value: branch.add_input(value.spec, value.name) for value in operands}
        if goes_on:
            start = [inside[value] for value in carried]
            given = [*start, *(inside[value] for value in loop.inputs[count:])]
            specs = [value.spec for value in loop.outputs]
            node = branch.add_node(loop.op, given, loop.attributes, specs, loop.location)
            for place, held in settled.items():
                number = _as_held(start[place], held)
                node.inputs[place] = make_constant(branch, number, start[place], node)
            branch.outputs = list(node.outputs)
        else:
            branch.outputs = [inside[value] for value in carried]
        branches.append(branch)
    specs = [value.spec for value in loop.outputs]
    attributes = {"branches": tuple(branches)}
    return graph.add_node(COND, [go, *operands], attributes, specs, loop.location)
