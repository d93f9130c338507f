"""The derivative of a whole graph: a forward graph that also hands out what the backward graph
takes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from autograph.runtime.autodiff.backward import custom  # noqa: F401  (it fills the table of rules)
from autograph.runtime.autodiff.backward.accumulate import Gradients
from autograph.runtime.autodiff.backward.activity import dependence, differentiable
from autograph.runtime.autodiff.backward.backward_pass import sweep
from autograph.runtime.autodiff.control import branches, calls  # noqa: F401  (the same)
from autograph.runtime.autodiff.control.region import Region
from autograph.runtime.autodiff.saving import recompute  # noqa: F401  (the same)
from autograph.runtime.autodiff.saving.saved_values import settle
from autograph.runtime.core.spec import Spec
from autograph.runtime.graph.clone import clone
from autograph.runtime.graph.ir import Graph, Value


@dataclass(frozen=True, slots=True)
class Derivative:
    """`forward` gives the outputs of the original graph, then the `saved` values.

    `backward` takes the inputs of `forward` at the positions `kept`, the saved values, and the
    gradients of the outputs at the positions `arriving`; it gives the gradients of the inputs at
    the positions `wanted`. An input that was asked for and is missing in `wanted` has none.
    """

    forward: Graph
    backward: Graph
    saved: int
    kept: tuple[int, ...]
    arriving: tuple[int, ...]
    wanted: tuple[int, ...]


class _Root(Region):
    """The trace of the backward graph: what it needs of the forward graph becomes its inputs."""

    def __init__(self, forward: Graph) -> None:
        super().__init__(f"{forward.name}_backward", None, forward, {}, None)
        self.kept: dict[Value, Value] = {}

    def save(self, value: Value) -> Value:
        if value.node is not None:
            return super().save(value)
        placeholder = self.kept[value] = Value(value.spec, self.graph, None, value.name)
        return placeholder

    def comes_in(self, value: Value) -> bool:
        return value.node is None

    def costs_nothing(self, value: Value) -> bool:
        return True

    def bring_in(self, value: Value) -> Value:
        return self.lift(value)

    def _find_free(self, value: Value) -> bool:
        return (value.graph is self.forward and value.node is None) or super()._find_free(value)


def _is_number(value: Value) -> bool:
    """Whether it leaves as a Python number, for which no gradient comes back."""
    return isinstance(value.spec, Spec) and value.spec.python


def differentiate(
    graph: Graph, wanted: Sequence[int], arriving: Sequence[int] | None = None
) -> Derivative:
    """The derivative of `graph` for the inputs at the positions `wanted`.

    `arriving` are the positions of the outputs that will have gradients, by default all that can.
    `graph` itself stays as it is.
    """
    forward = clone(graph)
    masks = dependence(forward)
    asked = sum(1 << k for k in wanted if differentiable(forward.inputs[k].spec))
    outputs = list(forward.outputs)
    chosen = range(len(outputs)) if arriving is None else arriving
    ends = [j for j in chosen if masks[outputs[j]] & asked and not _is_number(outputs[j])]
    root = _Root(forward)
    gradients = Gradients()
    with root.active():
        seeds = [root.add_input(outputs[j].spec) for j in ends]
        for j, gradient in zip(ends, seeds, strict=True):
            gradients.add(outputs[j], gradient)
        sweep(list(forward.nodes), gradients, lambda value: bool(masks[value] & asked))
        found: dict[int, Any] = {k: gradients.get(forward.inputs[k]) for k in wanted}
        given = tuple(k for k in wanted if found[k] is not None)
        root.graph.outputs = [root.value_of(found[k]) for k in given]
    settle(root)
    saved = root.placeholders
    root.graph.inputs = [*root.kept.values(), *saved.values(), *root.graph.inputs]
    kept = tuple(forward.inputs.index(value) for value in root.kept)
    forward.outputs.extend(saved)
    return Derivative(forward, root.graph, len(saved), kept, tuple(ends), given)
