"""Staged calls under an eager tape: to the tape, a whole graph is one op with a gradient."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from autograph.runtime.autodiff.backward.activity import dependence
from autograph.runtime.autodiff.backward.dependence import depends
from autograph.runtime.autodiff.backward.differentiate import Derivative, differentiate
from autograph.runtime.autodiff.backward.selections import LEAVING, Mask
from autograph.runtime.autodiff.recording.host import keeping
from autograph.runtime.autodiff.saving.recompute import gradient_graph
from autograph.runtime.control.draws import drawing_again, recording_draws
from autograph.runtime.core.anatomy import StagingError
from autograph.runtime.core.list_value import ListValue
from autograph.runtime.core.state import STATE
from autograph.runtime.core.tensor import Tensor
from autograph.runtime.graph.ir import Graph
from autograph.tracing.lent_generators import Asking, asking_now

Execute = Callable[[Sequence[Any]], list[Any]]
Compile = Callable[[Graph], Execute]
Pairs = Sequence[tuple[Any, Mask | None]]
"""For each array of an output its gradient, if it has one, with its mask."""
Seeds = dict[int, list[tuple[Any, Mask | None]]]


class GraphFunction:
    """A graph that eager tapes can look through: its backward graph is one, too."""

    def __init__(self, graph: Graph, compile_graph: Compile) -> None:
        self.graph = graph
        self.compile = compile_graph
        self.program: Execute | None = None
        """What runs the graph; None until it ran once."""
        self._derivatives: dict[tuple[int, ...], tuple[Derivative, Execute, Execute]] = {}
        self._gradients: dict[Any, GraphFunction] = {}
        self._reached: dict[int, frozenset[int]] = {}

    def plain(self, values: Sequence[Any]) -> list[Any]:
        """Run it with nobody watching."""
        if self.program is None:
            self.program = self.compile(self.graph)
        return self.program(values)

    def __call__(self, inputs: Sequence[Any]) -> list[Any]:
        """The outputs, as `evaluate` has them, on tensors and plain values; tapes are told."""
        values = [one._value if isinstance(one, Tensor) else one for one in inputs]
        wanted = self.watched(inputs)
        if not wanted:
            return self.plain(values)
        call = _Call(self, values, wanted)
        tapes: tuple[Any, ...] = STATE.tapes
        for tape in tapes:
            tape.record_function([inputs[number] for number in wanted], call.made, call.pull)
        return call.outputs

    def watched(self, inputs: Sequence[Any]) -> tuple[int, ...]:
        """Which inputs a tape follows."""
        return tuple(
            number
            for number, one in enumerate(inputs)
            if isinstance(one, Tensor) and any(tape.follows(one) for tape in STATE.tapes)
        )

    def followed(self, outputs: Sequence[Any], watched: tuple[int, ...]) -> frozenset[int]:
        """The ids of the arrays that depend on these inputs in a differentiable way."""
        return frozenset(
            id(array)
            for number, one in enumerate(outputs)
            for array in _arrays(one)
            if not self.reached(number).isdisjoint(watched)
        )

    def reached(self, output: int) -> frozenset[int]:
        """The inputs that an output depends on in a differentiable way."""
        if output not in self._reached:
            mask = dependence(self.graph)[self.graph.outputs[output]]
            places = range(len(self.graph.inputs))
            self._reached[output] = frozenset(k for k in places if mask >> k & 1)
        return self._reached[output]

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

    def leaves_zeros(self) -> bool:
        """Whether it may have gradients of zero for what it did not use."""
        return any(node.op.name in LEAVING for node in self.graph.nodes)

    def gradient(
        self, wanted: tuple[int, ...], arriving: tuple[int, ...], masked: bool
    ) -> GraphFunction:
        """The gradients as a function of all inputs and of the gradients of some outputs.

        `masked`: of their masks, too, and with masks.
        """
        key = (wanted, arriving, masked)
        if key not in self._gradients:
            made = gradient_graph(self.graph, wanted, arriving, quiet=True, masked=masked)
            self._gradients[key] = GraphFunction(made, self.compile)
        return self._gradients[key]


class _Call:
    """One call under a tape: what it gave, and the way back."""

    def __init__(self, function: GraphFunction, values: list[Any], wanted: tuple[int, ...]) -> None:
        self.function = function
        self.values = values
        self.wanted = wanted
        self.derivative, forward, self.backward = function.derivative(wanted)
        self.generators = asking_now()
        with keeping() as self.kept_calls, recording_draws() as self.draws:
            found = forward(values)
        count = len(function.graph.outputs)
        self.saved = found[count:]
        self.outputs = _apart(found[:count], values)
        self.made = [Tensor._of(array) for one in self.outputs for array in _arrays(one)]
        self.places = [place for place, one in enumerate(self.outputs) for _ in _arrays(one)]

    def is_computed_from(self, other: int, number: int) -> bool:
        """Whether an array that the call gave was computed, in it, from another that it gave."""
        results = self.function.graph.outputs
        return depends(results[self.places[other]], results[self.places[number]])

    def pull(self, arriving: Sequence[Any]) -> list[Any]:
        """The gradients of the wanted inputs from those of the outputs, or None."""
        return self.pull_selected(arriving, [None] * len(arriving))[0]

    def pull_selected(
        self, arriving: Sequence[Any], masks: Sequence[Mask | None]
    ) -> tuple[list[Any], list[Mask | None]]:
        """See Several."""
        with Asking(self.generators):
            return self._pulled(arriving, masks)

    def _pulled(
        self, arriving: Sequence[Any], masks: Sequence[Mask | None]
    ) -> tuple[list[Any], list[Mask | None]]:
        following = iter(zip(arriving, masks, strict=True))
        every = [[next(following) for _ in _arrays(one)] for one in self.outputs]
        seeds = {
            j: every[j]
            for j in self.derivative.arriving
            if any(one is not None for one, _ in every[j])
        }
        nothing: list[Mask | None] = [None] * len(self.wanted)
        if not seeds:
            return [None] * len(self.wanted), nothing
        uneven = any(one is None or mask for pairs in seeds.values() for one, mask in pairs)
        if STATE.tapes:
            # Somebody differentiates once more: what was saved is hidden from that tape.
            found = self._of_inputs(seeds, uneven)[0]
        else:
            kept = [self.values[number] for number in self.derivative.kept]
            given = [
                _gradient_of(self.outputs[j], seeds.get(j) or [(None, None)] * len(every[j]))
                for j in self.derivative.arriving
            ]
            results = self.backward([*kept, *self.saved, *given])
            found = dict(zip(self.derivative.wanted, results, strict=True))
            if (len(seeds) < len(given) or uneven) and any(map(_has_nan, results)):
                # Zeros stood for what does not arrive, and met an infinite factor.
                found = self._of_inputs(seeds, uneven)[0]
        connected = set().union(*map(self.function.reached, seeds))
        gradients = [_as_tensor(found[k]) if k in connected else None for k in self.wanted]
        if not uneven and not self.function.leaves_zeros():
            return gradients, nothing
        again: list[dict[int, Any]] = []

        def mask_of(k: int) -> Any:
            if not again:
                again.append(self._masks_of_inputs(seeds))
            return _as_tensor(again[0][k])

        return gradients, [Mask(partial(mask_of, k), False, True) for k in self.wanted]

    def _masks_of_inputs(self, seeds: Seeds) -> dict[int, Any]:
        """The masks of the gradients: no tape is told."""
        tapes, STATE.tapes = STATE.tapes, ()
        try:
            return self._of_inputs(seeds, True)[1]
        finally:
            STATE.tapes = tapes

    def _of_inputs(self, seeds: Seeds, masked: bool) -> tuple[dict[int, Any], dict[int, Any]]:
        """The gradients, computed as a function of the inputs and of what arrives; and masks."""
        again = self.function.gradient(self.wanted, tuple(seeds), masked)
        inputs = [_as_tensor(one) for one in self.values]
        watched = [self._watched_seed(j, [one for one, _ in pairs]) for j, pairs in seeds.items()]
        masks = [_mask_of(self.outputs[j], pairs) for j, pairs in seeds.items() if masked]
        with Asking(self.generators), drawing_again(self.draws):
            results = again([*inputs, *watched, *masks])
        count = len(self.wanted)
        found = dict(zip(self.wanted, results[:count], strict=True))
        return found, dict(zip(self.wanted, results[count:], strict=False))

    def _watched_seed(self, position: int, seeds: list[Any]) -> Any:
        """The gradient of an output where a tape looks on."""
        output = self.outputs[position]
        if not isinstance(output, ListValue):
            return seeds[0]
        tapes: tuple[Any, ...] = STATE.tapes
        if any(tape.follows(one) for tape in tapes for one in seeds if one is not None):
            raise StagingError(
                "a second gradient goes through a list that a staged function returned",
                remedy="compute the loss in the function, or return `ag.stack(items)`",
            )
        return _gradient_of(output, [(one, None) for one in seeds])


def _arrays(output: Any) -> list[np.ndarray[Any, Any]]:
    """The arrays that an output holds: itself, the items of a list, none."""
    if isinstance(output, ListValue):
        return [one for one in output if isinstance(one, np.ndarray)]
    return [output] if isinstance(output, np.ndarray) else []


def _has_nan(gradient: Any) -> bool:
    arrays = gradient if isinstance(gradient, ListValue) else (gradient,)
    return any(isinstance(one, np.ndarray) and bool(np.isnan(one).any()) for one in arrays)


def _gradient_of(output: Any, seeds: Pairs) -> Any:
    """The gradient of an output, zeros where nothing arrives."""
    arrays = [
        np.zeros_like(one) if seed is None else seed._value
        for one, (seed, _) in zip(_arrays(output), seeds, strict=True)
    ]
    return ListValue(arrays) if isinstance(output, ListValue) else arrays[0]


def _mask_of(output: Any, seeds: Pairs) -> Any:
    """The mask of the gradient of an output; of a list one of numbers."""
    masks = [
        np.full(one.shape, seed is not None and (mask is None or mask.value._value))
        for one, (seed, mask) in zip(_arrays(output), seeds, strict=True)
    ]
    if not isinstance(output, ListValue):
        return _as_tensor(masks[0])
    pairs = zip(masks, output, strict=True)
    return ListValue(mask.astype(one.dtype) for mask, one in pairs)


def _apart(outputs: list[Any], values: list[Any]) -> list[Any]:
    """The outputs, each an array object of its own: tapes key on the identity of values."""
    seen = set(map(id, values))
    result = []
    for one in outputs:
        if isinstance(one, ListValue):
            one = ListValue(_own(item, seen) for item in one)
        result.append(_own(one, seen))
    return result


def _own(value: Any, seen: set[int]) -> Any:
    if isinstance(value, np.ndarray) and id(value) in seen:
        value = value.view()
    seen.add(id(value))
    return value


def _as_tensor(value: Any) -> Any:
    return Tensor._of(value) if isinstance(value, np.ndarray) else value
