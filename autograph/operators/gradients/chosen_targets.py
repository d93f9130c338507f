"""Targets of gradients that were chosen after the tape had stopped, and sources that were chosen.

In Python `y = a if c else b` is one of two tensors that the tape has recorded. In the graph it is a
value of its own, which no tape was shown. So the tape is asked under the same condition: here for
the gradient of `a`, there for that of `b`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from autograph.control.alias_updates import is_alive
from autograph.control.branch import switch
from autograph.errors import StateError
from autograph.runtime.autodiff.backward.moves import is_passed_on
from autograph.runtime.autodiff.recording.recorder import Recorder
from autograph.runtime.core.tensor import Tensor
from autograph.runtime.graph.ir import Node, Value
from autograph.tracing.sameness import place_among
from autograph.tracing.tracing import Tracing

Ask = Callable[[list[Any]], Any]
IsOne = Callable[[Tracing, Any, Any], bool]


def asked_of_each(
    tracing: Tracing, tape: Recorder, tensors: Sequence[Any], ask: Ask, is_one: IsOne
) -> Any:
    """What `ask` gives for targets or sources, each as the tensor that the tape has recorded.

    `is_one`: `is_chosen` for targets, `is_chosen_source` for sources.
    """
    return _asked(tracing, tape, list(tensors), 0, ask, is_one)


def is_chosen(tracing: Tracing, tape: Any, target: Any) -> bool:
    """Whether a target is a tensor that the tape was not shown, but which may be one that it was.

    StateError where that is not known: it was taken from a list in a staged branch or loop.
    """
    if not isinstance(tape, Recorder) or tape._trace is None or tape._recording:
        return False
    if not isinstance(target, Tensor) or not isinstance(target._value, Value):
        return False
    moved = tape._key_value(target).node in tape._moves
    if is_recorded(tape, target) and not moved:
        return False
    known = _may_be_recorded(tracing, tape, target)
    if not moved and _is_moved(tape, target._value, known):
        raise StateError(
            "a gradient is asked of a tensor that a staged branch or loop took from a list after "
            "the tape had stopped",
            remedy="take it inside the `with`, or ask for the gradient in the branch or loop",
        )
    return known


def is_chosen_source(tracing: Tracing, tape: Any, source: Any) -> bool:
    """Whether a source may be a tensor that the tape has seen computed, and that is still there."""
    if not isinstance(tape, Recorder) or tape._trace is None or not isinstance(source, Tensor):
        return False
    identity = tracing.identities.of(source)
    return identity is not None and any(
        _is_computed(tape, one) and is_alive(tracing.region.trace, one) for one in identity.objects
    )


def _is_computed(tape: Recorder, tensor: Tensor) -> bool:
    held = tensor._value
    return (
        isinstance(held, Value) and tape._sees(held) and tape._key_value(tensor).node in tape._nodes
    )


def _asked(
    tracing: Tracing,
    tape: Recorder,
    tensors: list[Any],
    number: int,
    ask: Ask,
    is_one: IsOne,
) -> Any:
    while number < len(tensors) and not is_one(tracing, tape, tensors[number]):
        number += 1
    if number == len(tensors):
        return ask(tensors)
    identity = tracing.identities.of(tensors[number])
    assert identity is not None

    def among(one: Tensor | None) -> Any:
        if one is None or not is_alive(tracing.region.trace, one) and _is_staged(one):
            return _asked(tracing, tape, tensors, number + 1, ask, is_one)
        known = [*tensors[:number], one, *tensors[number + 1 :]]
        return _asked(tracing, tape, known, number, ask, is_one)

    numbers = [tracing.identities.number_of(one) for one in identity.objects]
    index = tracing.region.trace.value_of(place_among(identity.tag, numbers))
    return switch(
        tracing,
        index,
        [lambda: among(None), *(lambda one=one: among(one) for one in identity.objects)],
    )


def _is_staged(tensor: Tensor) -> bool:
    return isinstance(tensor._value, Value)


def is_recorded(tape: Recorder, tensor: Tensor) -> bool:
    """Whether a tape follows what is computed from a tensor."""
    held = tensor._value
    value = tape._key_value(tensor)
    if not isinstance(value, Value):
        return False
    known = (value, held) if isinstance(held, Value) else (value,)
    return any(one in tape._tracked for one in known) or value.node in tape._nodes


def _may_be_recorded(tracing: Tracing, tape: Recorder, tensor: Tensor) -> bool:
    identity = tracing.identities.of(tensor)
    return identity is not None and any(is_recorded(tape, one) for one in identity.objects)


def _is_moved(tape: Recorder, value: Value, taken: bool) -> bool:
    """Whether control flow that the tape was not shown passed on what it knows, as it is."""
    node = value.node
    if not isinstance(node, Node) or not any(True for _ in node.graphs):
        return False
    known = any(one in tape._tracked or one.node in tape._nodes for one in node.inputs)
    return known and is_passed_on(value, taken)
