"""Which nodes of a graph share a nest of loops, and in what order all of them run.

A node joins a nest of its own index space unless that would make the nest wait for itself: when
something the node needs is computed from what the nest computes.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from autograph.runtime.control.effects import node_effect
from autograph.runtime.core.record import Effect, Elementwise, Reduction
from autograph.runtime.graph.ir import Node, Value
from autograph.runtime.lower.storage.forms import Sizes

LARGEST_NEST = 16
"""How many tensors one nest reads and writes at most."""


@dataclass(eq=False, slots=True)
class Unit:
    """Nodes that are emitted together: a nest of loops, or a single node."""

    nodes: list[Node]
    space: Sizes | None
    """The index space of a nest; None for a single node."""
    needs: set[Unit] = field(default_factory=set)
    """All units that must run before, directly or not."""
    direct: set[Unit] = field(default_factory=set)
    """Those among them whose results its nodes use."""
    touched: set[Value] = field(default_factory=set)


def space_of(node: Node, sizes: Mapping[Value, Sizes]) -> Sizes | None:
    """The index space of a node that loops over elements; None for all others."""
    lowering = node.op.lowering
    if isinstance(lowering, Elementwise):
        space = sizes[node.outputs[0]]
    elif isinstance(lowering, Reduction):
        space = sizes[node.inputs[0]]
    else:
        return None
    return space or None


def plan(
    nodes: Sequence[Node],
    sizes: Mapping[Value, Sizes],
    is_loop: Callable[[Node], bool],
    is_checked: Callable[[Node], bool] = lambda node: False,
) -> list[Unit]:
    """The units of a graph, in an order in which each finds what it needs.

    `is_checked`: whether sizes are compared before a node runs. What draws at random comes after
    all that may fail before it, and before all that may fail after it: no draw is made in vain.
    """
    units: list[Unit] = []
    unit_of: dict[Node, Unit] = {}
    last_effect: Unit | None = None
    last_draw: Unit | None = None
    failing: set[Unit] = set()
    for node in nodes:
        before = {unit_of[value.node] for value in node.inputs if value.node in unit_of}
        effect = node_effect(node)
        fails = effect is not Effect.PURE or is_checked(node)
        if fails and last_draw is not None:
            before.add(last_draw)
        if effect is Effect.CALLS_BACK:
            before |= failing
        space = space_of(node, sizes) if is_loop(node) else None
        unit = _nest_for(node, space, before, units, unit_of) if space else None
        if unit is None:
            unit = Unit([], space)
            units.append(unit)
        if space is None and effect is not Effect.PURE:
            if last_effect is not None:
                before.add(last_effect)
            last_effect = unit
        if fails:
            failing.add(unit)
        if effect is Effect.CALLS_BACK:
            last_draw, failing = unit, set()
        unit.nodes.append(node)
        unit.touched.update(node.inputs, node.outputs)
        unit_of[node] = unit
        _require(unit, before - {unit}, units)
    return _ordered(units, nodes)


def _nest_for(
    node: Node,
    space: Sizes,
    before: set[Unit],
    units: list[Unit],
    unit_of: Mapping[Node, Unit],
) -> Unit | None:
    for unit in reversed(units):
        if unit.space != space or any(unit in other.needs for other in before - {unit}):
            continue
        if len(unit.touched.union(node.inputs, node.outputs)) > LARGEST_NEST + len(unit.nodes):
            continue
        inside = [value for value in node.inputs if unit_of.get(value.node) is unit]  # type: ignore[arg-type]
        if all(isinstance(value.node.op.lowering, Elementwise) for value in inside):  # type: ignore[union-attr]
            return unit
    return None


def _require(unit: Unit, before: set[Unit], units: list[Unit]) -> None:
    needed = set(before)
    unit.direct |= before
    for other in before:
        needed |= other.needs
    if needed <= unit.needs:
        return
    unit.needs |= needed
    if len(unit.nodes) == 1:
        return  # it is new: none can need it yet
    for other in units:
        if unit in other.needs:
            other.needs |= needed


def _ordered(units: list[Unit], nodes: Sequence[Node]) -> list[Unit]:
    place = {node: i for i, node in enumerate(nodes)}
    missing = {unit: len(unit.direct) for unit in units}
    users: dict[Unit, list[Unit]] = {unit: [] for unit in units}
    for unit in units:
        for other in unit.direct:
            users[other].append(unit)
    ready = [(max(place[n] for n in u.nodes), i, u) for i, u in enumerate(units) if not u.needs]
    heapq.heapify(ready)
    number = {unit: i for i, unit in enumerate(units)}
    result: list[Unit] = []
    while ready:
        _, _, unit = heapq.heappop(ready)
        result.append(unit)
        for other in users[unit]:
            missing[other] -= 1
            if not missing[other]:
                last = max(place[n] for n in other.nodes)
                heapq.heappush(ready, (last, number[other], other))
    return result
