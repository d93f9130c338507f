"""A loaded function called in a staged one: its graph becomes a part of the caller's."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from autograph.errors import StateError
from autograph.keeping.functions.loaded_trace import LoadedTrace
from autograph.merge.results import Given
from autograph.merge.thaw import Thawer
from autograph.runtime.control.records import CALL
from autograph.runtime.core.tensor import Tensor
from autograph.tracing.places import TensorPlace
from autograph.tracing.tracing import Tracing
from autograph.values.skeleton import Choices, Fixed, Group, Grown, Held, Leaf, Made, Skeleton


def same_object(tracing: Tracing | None, item: Any) -> None:
    """Let a trace be valid for this very object alone: its Variables become inputs."""
    if tracing is not None:
        tracing.guard(f"{tracing.path_of(item)} is {tracing.table.constant(item)}")


def embedded(tracing: Tracing, loaded: LoadedTrace, arguments: tuple[Any, ...]) -> Any:
    """The result of a call that is a part of a trace: one node, and what it writes."""
    trace = tracing.region.trace
    values = [_operand(read(arguments)) for read in loaded.inputs]
    given = [read(arguments) for read in loaded.given]
    operands = [trace.value_of(one) for one in values]
    graph = loaded.graph
    specs = CALL.infer(*(one.spec for one in operands), function=graph)
    node = trace.add_control(CALL, operands, {"function": graph}, specs)
    thawer = Thawer(tracing, iter(node.outputs))
    result = thawer.thaw(_resolved(loaded.result, given))
    for write in loaded.writes:
        if write.what != "tensor":
            raise StateError(
                f"{graph.name}, a loaded function, changes a list or a dict of its caller's",
                remedy="call it outside of the staged function",
            )
        value = thawer.thaw(_resolved(write.value, given))
        owner = given[write.owner]
        tracing.touch(TensorPlace(owner, tracing))
        tracing.set_cell(owner, trace.value_of(value))
    return result


def _operand(value: Any) -> Any:
    if isinstance(value, np.ndarray | np.generic):
        return Tensor._of(np.array(value, value.dtype.newbyteorder("=")))
    return value


def _resolved(skeleton: Skeleton, given: list[Any]) -> Skeleton:
    """The skeleton with the objects of this call in the place of their numbers."""
    match skeleton:
        case Given(index=index):
            return Fixed(given[index])
        case Leaf(same=same):
            objects: Any = tuple(
                given[one.index] if isinstance(one, Given) else one for one in same
            )
            return replace(skeleton, same=objects)
        case Group(items=items) | Made(items=items) | Held(items=items):
            return replace(skeleton, items=tuple(_resolved(one, given) for one in items))
        case Grown(element=element):
            return replace(skeleton, element=_resolved(element, given))
        case Choices(options=options):
            return replace(skeleton, options=tuple(_resolved(one, given) for one in options))
    return skeleton
