"""A graph run several times at once, each with other rounding: what rounding can do to its values.

The first sample is `evaluate`, to the bit; all follow its decisions. In the others each result of
an op that programs may round otherwise (`noise`) is moved up or down, element by element, by what
is stated for it. How far the samples of an output lie apart is how far a program may be from
`evaluate`; and a condition that they do not agree about is one that rounding decides.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from autograph.checking.noise import noise_of
from autograph.operators.builtins.printing import Print
from autograph.runtime.control.host import HOST_CALL
from autograph.runtime.core.list_value import ListValue
from autograph.runtime.core.location import Location
from autograph.runtime.core.record import Decomposition
from autograph.runtime.core.spec import ListSpec, Spec
from autograph.runtime.graph.evaluate import run_node
from autograph.runtime.graph.ir import Graph, Node, Value
from autograph.runtime.lower.expand import expand

SAMPLES = 9
STEPS = frozenset({"floor", "ceil", "trunc", "round", "sign", "floor_divide", "remainder"}) | {
    "py_floordiv",
    "py_mod",
    "py_round",
}
"""Functions of floats with jumps, whose results are floats."""
HOST_ULPS = 64
"""How far the results of a Python function may be apart whose arguments are."""


@dataclass(frozen=True, slots=True)
class Turned:
    """A decision that rounding turns: its line, the op that compares, and what it compares."""

    location: Location | None
    op: str
    operands: tuple[tuple[Any, Any], ...]
    """Each as Python has it, and as it may be as well."""

    @property
    def what(self) -> str:
        """What kind of decision it is."""
        return "value" if self.op in STEPS or self.op.startswith("py_int") else "condition"


@dataclass(slots=True)
class Spread:
    """The samples of one value: one where they all agree."""

    values: list[Any]
    cause: Turned | None = None
    """The decision that it hangs on, if there is one that rounding turns."""

    def of(self, sample: int) -> Any:
        """One sample; the first is that of `evaluate`."""
        return self.values[sample if len(self.values) > 1 else 0]


@dataclass
class Sampling:
    """One run of all samples. `turned`: the conditions that they do not agree about, in order.

    `reordered`: also the additions of single values may be done in another order.
    """

    reordered: bool = False
    turned: list[Turned] = field(default_factory=list)
    printed: list[list[str]] = field(default_factory=lambda: [[] for _ in range(SAMPLES)])
    """What each sample prints to the standard output."""
    _random: Any = field(default_factory=lambda: np.random.default_rng(0))
    _expanded: dict[Node, Graph] = field(default_factory=dict)

    def run(self, graph: Graph, inputs: Sequence[Any]) -> list[Spread]:
        """The spreads of the outputs. Raises what `evaluate` raises."""
        return self._graph(graph, [Spread([one]) for one in inputs])

    def _graph(self, graph: Graph, inputs: Sequence[Spread]) -> list[Spread]:
        values: dict[Value, Spread] = dict(zip(graph.inputs, inputs, strict=True))
        for node in graph.nodes:
            results = self._node(node, [values[one] for one in node.inputs])
            values.update(zip(node.outputs, results, strict=True))
        return [values[one] for one in graph.outputs]

    def _node(self, node: Node, operands: list[Spread]) -> Sequence[Spread]:
        name = node.op.name
        if name == "cond":
            return self._cond(node, operands)
        if name == "while_loop":
            return self._while_loop(node, operands)
        if name == "call":
            return self._graph(node.attributes["function"], operands)
        if node.op is HOST_CALL:
            return self._host_call(node, operands)
        if isinstance(node.op.lowering, Decomposition):
            return self._decomposed(node, operands)
        return self._op(node, operands)

    # control ----------------------------------------------------------------------------------
    def _cond(self, node: Node, operands: list[Spread]) -> Sequence[Spread]:
        index, *rest = operands
        results = self._graph(node.attributes["branches"][int(index.of(0))], rest)
        return self._after(node, index, results)

    def _while_loop(self, node: Node, operands: list[Spread]) -> Sequence[Spread]:
        count = node.attributes["carried"]
        carried, invariants = operands[:count], operands[count:]
        while True:
            go, *carried = self._graph(node.attributes["step"], [*carried, *invariants])
            carried = self._after(node, go, carried)
            if not bool(go.of(0)):
                return carried

    def _after(self, node: Node, decision: Spread, results: list[Spread]) -> list[Spread]:
        """The results of a decision; they hang on it where the samples do not agree."""
        if len(decision.values) == 1 or _agree(decision.values):
            return results
        cause = decision.cause or Turned(node.location, node.op.name, ())
        self.turned.append(cause)
        return [Spread(one.values, one.cause or cause) for one in results]

    def _host_call(self, node: Node, operands: list[Spread]) -> Sequence[Spread]:
        results = run_node(node, [one.of(0) for one in operands])
        function = node.attributes["function"]
        if isinstance(function, Print):
            for sample, texts in enumerate(self.printed):
                texts.append(function.text(*(one.of(sample) for one in operands)))
        if all(len(one.values) == 1 for one in operands):
            return [Spread([one]) for one in results]
        cause = _cause_among(operands)
        return [
            Spread(self._moved([one] * SAMPLES, [HOST_ULPS * _ulp(one)] * SAMPLES), cause)
            for one in results
        ]

    # ops --------------------------------------------------------------------------------------
    def _decomposed(self, node: Node, operands: list[Spread]) -> Sequence[Spread]:
        """By the reference first, in the others by what it is made of."""
        graph = self._expanded.get(node)
        if graph is None:
            graph = self._expanded[node] = expand(_alone(node))
        exact = run_node(node, [one.of(0) for one in operands])
        found = self._graph(graph, operands)
        return [
            Spread([first, *(spread.of(k) for k in range(1, SAMPLES))], spread.cause)
            for first, spread in zip(exact, found, strict=True)
        ]

    def _op(self, node: Node, operands: list[Spread]) -> Sequence[Spread]:
        noise = noise_of(node, self.reordered)
        first = run_node(node, [one.of(0) for one in operands])
        if noise is None and all(len(one.values) == 1 for one in operands):
            return [Spread([one]) for one in first]
        rows, failed = [first], False
        for sample in range(1, SAMPLES):
            try:
                rows.append(run_node(node, [one.of(sample) for one in operands]))
            except Exception:  # what only another rounding leads to
                rows.append(first)
                failed = True
        results = []
        for number, value in enumerate(node.outputs):
            values = [row[number] for row in rows]
            if noise is not None and _is_float(value):
                bounds = [
                    noise(node, [one.of(k) for one in operands], values[k]) for k in range(SAMPLES)
                ]
                values = self._moved(values, bounds)
            results.append(self._judged(node, operands, value, values, failed))
        return results

    def _moved(self, values: list[Any], bounds: list[Any]) -> list[Any]:
        """All samples but the first, each element moved up or down by its bound."""
        moved = [values[0]]
        for value, bound in zip(values[1:], bounds[1:], strict=True):
            if isinstance(value, ListValue) or np.asarray(value).dtype.kind not in "fc":
                moved.append(value)
                continue
            signs = self._random.choice((-1.0, 1.0), size=np.shape(value))
            if _dtype(value).kind == "c":  # each part for itself
                signs = signs + 1j * self._random.choice((-1.0, 1.0), size=np.shape(value))
            with np.errstate(all="ignore"):
                other = np.asarray(value + signs * np.nan_to_num(bound)).astype(_dtype(value))
            moved.append(other.item() if type(value) in (float, complex) else other)
        return moved

    def _judged(
        self, node: Node, operands: list[Spread], value: Value, values: list[Any], failed: bool
    ) -> Spread:
        """The spread of a result; what the samples disagree about by a jump hangs on that."""
        cause = _cause_among(operands)
        if not failed and _agree(values):
            return Spread(values[:1], cause)
        jumps = failed or not _is_float(value) or node.op.name in STEPS
        if cause is None and jumps and not isinstance(value.spec, ListSpec):
            cause = _turned(node, operands, values)
        return Spread(values, cause)


def _alone(node: Node) -> Graph:
    """A graph of one node."""
    graph = Graph(node.op.name)
    inputs = [graph.add_input(one.spec) for one in node.inputs]
    specs = [one.spec for one in node.outputs]
    graph.outputs = graph.add_node(node.op, inputs, node.attributes, specs, node.location).outputs
    return graph


def _is_float(value: Value) -> bool:
    spec = value.spec
    return isinstance(spec, Spec) and spec.dtype.kind in "fc"


def _dtype(value: Any) -> Any:
    return np.asarray(value).dtype


def _ulp(value: Any) -> Any:
    return np.spacing(np.abs(np.asarray(value)).astype(np.float32))


def _cause_among(operands: Sequence[Spread]) -> Turned | None:
    return next((one.cause for one in operands if one.cause is not None), None)


def _agree(values: list[Any]) -> bool:
    """Whether all samples are the same to the bit."""
    first = values[0]
    if isinstance(first, ListValue):
        return all(
            len(one) == len(first) and all(_agree([a, b]) for a, b in zip(first, one, strict=True))
            for one in values[1:]
        )
    arrays = [np.asarray(one) for one in values]
    return all(
        one.shape == arrays[0].shape and one.tobytes() == arrays[0].tobytes() for one in arrays[1:]
    )


def _turned(node: Node, operands: list[Spread], values: list[Any]) -> Turned:
    """The decision of an op, with its operands at the first element that is turned."""
    sample = next((k for k in range(1, SAMPLES) if not _agree([values[0], values[k]])), 1)
    shape = np.shape(values[0])
    place: tuple[int, ...] | None = None
    if shape and np.shape(values[sample]) == shape:
        differs = np.asarray(values[0]) != np.asarray(values[sample])
        place = tuple(int(one) for one in np.argwhere(differs)[0]) if differs.any() else None
    pairs = tuple(
        (_element(one.of(0), place, shape), _element(one.of(sample), place, shape))
        for one in operands
    )
    return Turned(node.location, node.op.name, pairs)


def _element(value: Any, place: tuple[int, ...] | None, shape: tuple[int, ...]) -> Any:
    if place is None or isinstance(value, ListValue):
        return value
    try:
        return np.broadcast_to(np.asarray(value), shape)[place]
    except ValueError:  # no elementwise op
        return value
