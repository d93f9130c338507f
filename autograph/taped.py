"""Staged calls under an eager tape: to the tape, a whole graph is one op with a gradient."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from autograph.runtime.autodiff.differentiate import Derivative, differentiate
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
        self._plain: Execute | None = None
        self._derivatives: dict[tuple[int, ...], tuple[Derivative, Execute, GraphFunction]] = {}

    def plain(self, values: Sequence[Any]) -> list[Any]:
        """Run it with nobody watching."""
        if self._plain is None:
            self._plain = self.compile(self.graph)
        return self._plain(values)

    def __call__(self, inputs: Sequence[Any]) -> list[Any]:
        """The outputs, as `evaluate` has them, on tensors and plain values; tapes are told."""
        values = [one._value if isinstance(one, Tensor) else one for one in inputs]
        tapes: tuple[Any, ...] = STATE.tapes
        if not tapes:
            return self.plain(values)
        wanted = tuple(
            number
            for number, one in enumerate(inputs)
            if isinstance(one, Tensor) and one.dtype.kind == "f"
        )
        derivative, forward, backward = self._derivative(wanted)
        outputs = forward(values)
        count = len(self.graph.outputs)
        made = [
            (number, Tensor._of(one))
            for number, one in enumerate(outputs[:count])
            if isinstance(one, np.ndarray)
        ]

        def pull(arriving: Sequence[Any]) -> list[Any]:
            given = dict(zip((number for number, _ in made), arriving, strict=True))
            return _pull(derivative, backward, inputs, outputs, count, given, wanted)

        sources = [inputs[number] for number in wanted]
        for tape in tapes:
            tape.record_function(sources, [tensor for _, tensor in made], pull)
        return outputs[:count]

    def _derivative(
        self, wanted: tuple[int, ...]
    ) -> tuple[Derivative, Execute, GraphFunction]:
        if wanted not in self._derivatives:
            derivative = differentiate(self.graph, wanted)
            self._derivatives[wanted] = (
                derivative,
                GraphFunction(derivative.forward, self.compile).plain,
                GraphFunction(derivative.backward, self.compile),
            )
        return self._derivatives[wanted]


def _pull(
    derivative: Derivative,
    backward: GraphFunction,
    inputs: Sequence[Any],
    outputs: Sequence[Any],
    count: int,
    arriving: dict[int, Any],
    wanted: tuple[int, ...],
) -> list[Any]:
    """The gradients of the wanted inputs from those of the outputs."""
    kept = [inputs[number] for number in derivative.kept]
    saved = [_as_tensor(one) for one in outputs[count:]]
    seeds = []
    for number in derivative.arriving:
        gradient = arriving.get(number)
        output = outputs[number]
        seeds.append(Tensor._of(np.zeros_like(output)) if gradient is None else gradient)
    found = backward([*kept, *saved, *seeds])
    gradients = dict(zip(derivative.wanted, map(_as_tensor, found), strict=True))
    return [gradients.get(number) for number in wanted]


def _as_tensor(value: Any) -> Any:
    return Tensor._of(value) if isinstance(value, np.ndarray) else value


