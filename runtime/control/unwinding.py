"""Raises that are caught, as plain data flow: a tag, and what each raise hands out.

Before, the graph of a `try` part; point 1 and point 2 are `raise_` nodes with operands:
    a = f(x)
    b = cond(c, [raise_ point 1 (a), g(a)])
    d = h(b)
    raise_ point 2 (d), if d is so
    result d
After, in the graph around, where tag is 0, 1 or 2:
    a = f(x)
    tag, d = cond(c, [(1, -), (b = g(a); d = h(b); tag = cond(d is so, [0, 2]); tag, d)])

What follows a raise runs in the branch that completed, or under a `cond` on the tag; a loop stops
in the turn that raised. A value that a raise hands out becomes a result of the control flow around
it, unless it was there before; a result that has no value because of a raise is a dummy.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from autograph.runtime.control.building import share_captures
from autograph.runtime.control.records import COND, RAISE, WHILE_LOOP
from autograph.runtime.core.dims import Dim
from autograph.runtime.core.number import Number
from autograph.runtime.core.spec import PYINT, AnySpec, ListSpec, Spec
from autograph.runtime.graph.constant import CONSTANT
from autograph.runtime.graph.ir import Graph, Node, Value
from autograph.runtime.graph.trace import Trace, wrap
from autograph.runtime.ops.table import OPS

Values = dict[Value, Value]
Finish = Callable[[Trace, Values], "Ending"]


@dataclass(slots=True)
class Ending:
    """How a stretch of a graph ends, as values of the trace that it was emitted into."""

    tag: Value | int
    """0 where it completed, else the number of the raise; a value where both may be."""
    outputs: list[Value] | None
    """What it gives where it completes; None where it never does."""
    payloads: dict[int, list[Value]]
    """What each raise hands out, by its number."""


def unwind(
    outer: Trace, inner: Trace, outputs: Sequence[Value] | None, numbers: Mapping[Any, int]
) -> Ending:
    """Emit the graph of `inner` into its parent, its raises as data flow.

    `numbers` has the raises to be caught, each by the `exception` of its node. `outputs` are the
    graph's own results, None where it never completes.
    """
    values = {inside: outside for outside, inside in inner.captures.items()}

    def finish(trace: Trace, values: Values) -> Ending:
        given = None if outputs is None else [trace.lift(values[one]) for one in outputs]
        return Ending(0, given, {})

    return _Unwinding(numbers).block(outer, inner.graph.nodes, values, finish)


def dummy(trace: Trace, spec: AnySpec) -> Value:
    """A value that nothing reads."""
    if not isinstance(spec, ListSpec) and spec.python:
        return trace.constant(spec.python_type(0))
    with trace.active():
        if isinstance(spec, ListSpec):
            return trace.value_of(OPS.list_create(element=spec.element))
        shape = tuple(0 if isinstance(dim, Dim) else dim for dim in spec.shape)
        return trace.value_of(OPS.zeros(shape, dtype=spec.dtype))


class _Unwinding:
    def __init__(self, numbers: Mapping[Any, int]) -> None:
        self.numbers = numbers
        self._raising: dict[int, bool] = {}

    # questions --------------------------------------------------------------------------------
    def number(self, node: Node) -> int:
        """The number of the raise that a node is; 0 for any other node."""
        return self.numbers.get(node.attributes["exception"], 0) if node.op is RAISE else 0

    def raises(self, node: Node) -> bool:
        """Whether a node may end in one of the raises."""
        return bool(self.number(node)) or any(map(self._graph_raises, node.graphs))

    def _graph_raises(self, graph: Graph) -> bool:
        known = self._raising.get(id(graph))
        if known is None:
            self._raising[id(graph)] = False  # a function that calls itself
            known = self._raising[id(graph)] = any(map(self.raises, graph.nodes))
        return known

    def never_completes(self, graph: Graph) -> bool:
        """Whether every path of a graph raises."""
        return any(
            node.op is RAISE
            or (node.op is COND and all(map(self.never_completes, node.attributes["branches"])))
            for node in graph.nodes
        )

    # nodes ------------------------------------------------------------------------------------
    def block(self, trace: Trace, nodes: Sequence[Node], values: Values, finish: Finish) -> Ending:
        """Emit nodes one after the other, and what `finish` emits after them."""
        for place, node in enumerate(nodes):
            if not self.raises(node):
                _copy(trace, node, values)
                continue
            number = self.number(node)
            if number:
                leaves = [trace.lift(values[one]) for one in node.inputs]
                return Ending(number, None, {number: leaves})
            rest = nodes[place + 1 :]

            def then(trace: Trace, values: Values, rest: Sequence[Node] = rest) -> Ending:
                return self.block(trace, rest, values, finish)

            if node.op is COND:
                return self._cond(trace, node, values, then)
            if node.op is WHILE_LOOP:
                return self._go_on(trace, self._loop(trace, node, values), node, values, then)
            raise AssertionError(f"a raise is caught through a {node.op.name}")
        return finish(trace, values)

    def _cond(self, trace: Trace, node: Node, values: Values, then: Finish) -> Ending:
        branches: tuple[Graph, ...] = node.attributes["branches"]
        index = trace.lift(values[node.inputs[0]])
        completing = [branch for branch in branches if not self.never_completes(branch)]
        pairs = []
        for branch in branches:
            inner = Trace(branch.name, trace)
            given = [values[one] for one in node.inputs[1:]]
            inside = {**values, **dict(zip(branch.inputs, given, strict=True))}
            finish = _results_of(branch) if branch in completing else _nothing
            if completing == [branch]:  # the only way on: what follows goes there
                finish = _through(branch, node, then)
            pairs.append((inner, self.block(inner, branch.nodes, inside, finish)))
        ending = join(trace, index, pairs)
        if len(completing) == 1:
            return ending
        return self._go_on(trace, ending, node, values, then)

    def _go_on(
        self, trace: Trace, ending: Ending, node: Node, values: Values, then: Finish
    ) -> Ending:
        """What follows a node that may have raised."""
        if ending.outputs is None:
            return ending
        values = {**values, **dict(zip(node.outputs, ending.outputs, strict=True))}
        if isinstance(ending.tag, int):
            return then(trace, values)
        completed, stopped = Trace("completed", trace), Trace("stopped", trace)
        after = then(completed, values)
        if after.tag == 0 and after.outputs is not None and not completed.graph.nodes:
            outside = {inside: value for value, inside in completed.captures.items()}
            outputs = [trace.lift(outside[one]) for one in after.outputs]
            return Ending(ending.tag, outputs, ending.payloads)
        payloads = {
            number: [stopped.lift(one) for one in leaves]
            for number, leaves in ending.payloads.items()
        }
        before = Ending(stopped.lift(ending.tag), None, payloads)
        with trace.active():
            flag = trace.value_of(OPS.py_eq(Number(ending.tag), 0))
        return join(trace, flag, [(stopped, before), (completed, after)])

    def _loop(self, trace: Trace, node: Node, values: Values) -> Ending:
        step, count = node.attributes["step"], node.attributes["carried"]
        inner = Trace(step.name, trace)
        operands = [values[one] for one in node.inputs]
        carried = [inner.graph.add_input(one.spec, one.name) for one in step.inputs[:count]]
        given = [*carried, *operands[count:]]
        inside = {**values, **dict(zip(step.inputs, given, strict=True))}
        ending = self.block(inner, step.nodes, inside, _results_of(step))
        outputs = ending.outputs or [dummy(inner, one.spec) for one in step.outputs]
        tag = inner.constant(ending.tag) if isinstance(ending.tag, int) else ending.tag
        handed = _HandedOut(inner, trace, outputs[1:])
        places = {k: [handed.place(one) for one in leaves] for k, leaves in ending.payloads.items()}
        going = _and_completed(inner, outputs[0], tag)
        added = [PYINT, *(_any_size(one.spec) for one in handed.extra)]
        more = [inner.graph.add_input(spec) for spec in added]
        captures = dict(inner.captures)
        inner.graph.inputs = [*carried, *more, *captures.values()]
        inner.graph.outputs = [going, *outputs[1:], tag, *handed.extra]
        initial = [
            *(trace.lift(one) for one in operands[:count]),
            *(dummy(trace, spec) for spec in added),
            *(trace.lift(one) for one in captures),
        ]
        attributes = {"step": inner.graph, "carried": count + len(added)}
        results = _apply(trace, WHILE_LOOP, initial, attributes)
        found = [*results[:count], *results[count + 1 :]]
        payloads = {k: [_found(one, found) for one in leaves] for k, leaves in places.items()}
        return Ending(results[count], results[:count], payloads)


def _copy(trace: Trace, node: Node, values: Values) -> None:
    if node.op is CONSTANT and node.outputs[0].spec.python:  # type: ignore[union-attr]
        values[node.outputs[0]] = trace.constant(node.attributes["value"])
        return
    inputs = [trace.lift(values[one]) for one in node.inputs]
    specs = [one.spec for one in node.outputs]
    made = trace.graph.add_node(node.op, inputs, node.attributes, specs, node.location)
    trace.observe(made)
    for old, new in zip(node.outputs, made.outputs, strict=True):
        new.name = old.name
        values[old] = new


def _nothing(trace: Trace, values: Values) -> Ending:
    return Ending(0, None, {})


def _results_of(graph: Graph) -> Finish:
    return lambda trace, values: Ending(0, [trace.lift(values[one]) for one in graph.outputs], {})


def _through(branch: Graph, node: Node, then: Finish) -> Finish:
    def finish(trace: Trace, values: Values) -> Ending:
        given = [values[one] for one in branch.outputs]
        return then(trace, {**values, **dict(zip(node.outputs, given, strict=True))})

    return finish


def _apply(trace: Trace, op: Any, operands: Sequence[Value], attributes: Any) -> list[Value]:
    trace.apply(op, tuple(map(wrap, operands)), attributes)
    return trace.graph.nodes[-1].outputs


def _and_completed(trace: Trace, going: Value, tag: Value) -> Value:
    """Whether a loop goes on: it would, and the turn did not raise."""
    with trace.active():
        completed = OPS.py_eq(Number(tag), 0)
        if isinstance(going.spec, Spec) and going.spec.python:
            return trace.value_of(OPS.py_and(OPS.py_bool(wrap(going)), completed))
        truth = np.dtype(np.bool_)
        both = (OPS.astype(wrap(going), truth), OPS.to_tensor(completed, dtype=truth))
        return trace.value_of(OPS.logical_and(*both))


def _any_size(spec: AnySpec) -> AnySpec:
    """A spec with sizes that are known, or may be anything."""
    if isinstance(spec, ListSpec):
        return spec
    shape = tuple(Dim.fresh() if isinstance(dim, Dim) else dim for dim in spec.shape)
    return Spec(spec.dtype, shape, spec.python)


# joining ------------------------------------------------------------------------------------------
Place = Value | int
"""Where a value that is handed out is found outside: there it is, or it is this result."""


def _found(place: Place, results: Sequence[Value]) -> Value:
    return results[place] if isinstance(place, int) else place


class _HandedOut:
    """What one graph hands out: values from outside stay there, others become results.

    `results` are the results that it has already. Where they are None, the graph does not
    complete: these places are free for what it hands out.
    """

    def __init__(
        self,
        inner: Trace,
        outer: Trace,
        results: Sequence[Value | None],
        free: Sequence[AnySpec | None] = (),
    ) -> None:
        self.outer = outer
        self.outside = {inside: value for value, inside in inner.captures.items()}
        self.results = list(results)
        self.free = list(free)
        self.extra: list[Value] = []

    def place(self, value: Value) -> Place:
        """Where `value` is found."""
        if value in self.outside:
            return self.outer.lift(self.outside[value])
        if value.node is not None and value.node.op is CONSTANT:
            return self.outer.constant(value.node.attributes["value"])
        everything = [*self.results, *self.extra]
        for number, one in enumerate(everything):
            if one is value:
                return number
        for number, spec in enumerate(self.free):
            if spec == value.spec and self.results[number] is None:
                self.results[number] = value
                return number
        self.extra.append(value)
        return len(everything)


def join(trace: Trace, index: Value, pairs: Sequence[tuple[Trace, Ending]]) -> Ending:
    """The `cond` over branches that end in different ways."""
    results = next((one.outputs for _, one in pairs if one.outputs is not None), None)
    free = [None if results is None else _exact(one.spec) for one in results or ()]
    handed = []
    for inner, one in pairs:
        own: Sequence[Value | None] = one.outputs or [None] * len(free)
        handed.append(_HandedOut(inner, trace, own, free if one.outputs is None else ()))
    places = [
        {number: [out.place(leaf) for leaf in leaves] for number, leaves in one.payloads.items()}
        for out, (_, one) in zip(handed, pairs, strict=True)
    ]
    slots, moved = _share_slots(handed, len(free))
    specs = [*(one.spec for one in results or ()), *slots]
    tags = [one.tag for _, one in pairs]
    known = all(isinstance(one, int) and one == tags[0] for one in tags)
    for (inner, one), out, slot in zip(pairs, handed, moved, strict=True):
        row: list[Value | None] = [*out.results, *([None] * len(slots))]
        for value, number in zip(out.extra, slot, strict=True):
            row[number] = value
        filled = [
            dummy(inner, spec) if value is None else value
            for value, spec in zip(row, specs, strict=True)
        ]
        tag = inner.constant(one.tag) if isinstance(one.tag, int) else one.tag
        inner.graph.outputs = filled if known else [tag, *filled]
    operands = [index, *share_captures([inner for inner, _ in pairs])]
    found = _apply(trace, COND, operands, {"branches": tuple(one.graph for one, _ in pairs)})
    tag_found: Value | int = tags[0]
    if not known:
        tag_found, *found = found
    payloads = {}
    for renumbered, of_branch in zip(moved, places, strict=True):
        numbers = [*range(len(free)), *renumbered]
        for number, leaves in of_branch.items():
            payloads[number] = [
                found[numbers[one]] if isinstance(one, int) else one for one in leaves
            ]
    return Ending(tag_found, None if results is None else list(found[: len(free)]), payloads)


def _exact(spec: AnySpec) -> AnySpec | None:
    """A spec whose sizes are all known; None for another."""
    if isinstance(spec, ListSpec):
        return spec if _exact(spec.element) is not None else None
    return spec if all(isinstance(dim, int) for dim in spec.shape) else None


def _share_slots(handed: Sequence[_HandedOut], first: int) -> tuple[list[AnySpec], list[list[int]]]:
    """Further results for what is handed out: only one branch runs, so they share them.

    Gives their specs and, for each branch, the number of the result of each of its values.
    """
    slots: list[AnySpec] = []
    moved = []
    for out in handed:
        taken: set[int] = set()
        numbers = []
        for value in out.extra:
            fits = (n for n, spec in enumerate(slots) if spec == value.spec and n not in taken)
            number = next(fits, len(slots))
            if number == len(slots):
                slots.append(value.spec)
            taken.add(number)
            numbers.append(first + number)
        moved.append(numbers)
    return slots, moved
