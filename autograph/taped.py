"""Staged calls under an eager tape: to the tape, a whole graph is one op with a gradient."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from autograph.runtime.autodiff.differentiate import (
    Derivative,
    differentiate,
    gradient_graph,
)
from autograph.runtime.core.state import STATE
from autograph.runtime.core.tensor import Tensor
from autograph.runtime.graph.ir import Graph

Execute = Callable[[Sequence[Any]], list[Any]]
Compile = Callable[[Graph], Execute]


class GraphFunction:
    """A graph that eager tapes can look through: its backward graph is one, too."""

    def __init__(self, graph: Graph, compile_graph: Compile) -> None:
        self.graph = graph
        self.compile = compile_graph
        self.program: Execute | None = None
        """What runs the graph; None until it ran once."""
        self._derivatives: dict[tuple[int, ...], tuple[Derivative, Execute, Execute]] = {}
        self._gradients: dict[tuple[tuple[int, ...], ...], GraphFunction] = {}

    def plain(self, values: Sequence[Any]) -> list[Any]:
        """Run it with nobody watching."""
        if self.program is None:
            self.program = self.compile(self.graph)
        return self.program(values)

    def __call__(self, inputs: Sequence[Any]) -> list[Any]:
        """The outputs, as `evaluate` has them, on tensors and plain values; tapes are told."""
        values = [one._value if isinstance(one, Tensor) else one for one in inputs]
        tapes: tuple[Any, ...] = STATE.tapes
        wanted = tuple(
            number
            for number, one in enumerate(inputs)
            if isinstance(one, Tensor) and any(tape.follows(one) for tape in tapes)
        )
        if not wanted:
            return self.plain(values)
        call = _Call(self, values, wanted)
        for tape in tapes:
            tape.record_function([inputs[number] for number in wanted], call.made, call.pull)
        return call.outputs

    def derivative(self, wanted: tuple[int, ...]) -> tuple[Derivative, Execute, Execute]:
        """The derivative for these inputs, and its two graphs ready to run."""
        if wanted not in self._derivatives:
            found = differentiate(self.graph, wanted)
            self._derivatives[wanted] = (
                found,
                self.compile(found.forward),
                self.compile(found.backward),
            )
        return self._derivatives[wanted]

    def gradient(self, wanted: tuple[int, ...], arriving: tuple[int, ...]) -> GraphFunction:
        """The gradients as a function of all inputs and of the gradients of some outputs."""
        key = (wanted, arriving)
        if key not in self._gradients:
            made = gradient_graph(self.graph, wanted, arriving)
            self._gradients[key] = GraphFunction(made, self.compile)
        return self._gradients[key]


class _Call:
    """One call under a tape: what it gave, and the way back."""

    def __init__(self, function: GraphFunction, values: list[Any], wanted: tuple[int, ...]) -> None:
        self.function = function
        self.values = values
        self.wanted = wanted
        self.derivative, forward, self.backward = function.derivative(wanted)
        found = forward(values)
        count = len(function.graph.outputs)
        self.saved = found[count:]
        self.outputs = _apart(found[:count], values)
        self.positions = [j for j, one in enumerate(self.outputs) if isinstance(one, np.ndarray)]
        self.made = [Tensor._of(self.outputs[j]) for j in self.positions]

    def pull(self, arriving: Sequence[Any]) -> list[Any]:
        """The gradients of the wanted inputs from those of the outputs, or None."""
        seeds = {
            j: one
            for j, one in zip(self.positions, arriving, strict=True)
            if one is not None and j in self.derivative.arriving
        }
        if not seeds:
            return [None] * len(self.wanted)
        if STATE.tapes:
            # Somebody differentiates once more: what was saved is hidden from that tape, so the
            # gradients are computed as a function of the inputs.
            again = self.function.gradient(self.wanted, tuple(seeds))
            inputs = [_as_tensor(one) for one in self.values]
            found = dict(zip(self.wanted, again([*inputs, *seeds.values()]), strict=True))
        else:
            kept = [self.values[number] for number in self.derivative.kept]
            given = [
                seeds[j]._value if j in seeds else np.zeros_like(self.outputs[j])
                for j in self.derivative.arriving
            ]
            results = self.backward([*kept, *self.saved, *given])
            found = dict(zip(self.derivative.wanted, results, strict=True))
        connected = self.derivative.wanted
        return [_as_tensor(found[k]) if k in connected else None for k in self.wanted]


def _apart(outputs: list[Any], values: list[Any]) -> list[Any]:
    """The outputs, each an array object of its own: tapes key on the identity of values."""
    seen = set(map(id, values))
    result = []
    for one in outputs:
        if isinstance(one, np.ndarray) and id(one) in seen:
            one = one.view()
        seen.add(id(one))
        result.append(one)
    return result


def _as_tensor(value: Any) -> Any:
    return Tensor._of(value) if isinstance(value, np.ndarray) else value
