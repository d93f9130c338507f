"""One of several tensors, by a staged number: one node, with branches that compute nothing.

What a general branch finds out by tracing its options is known here before: nothing changes, and
the result is one of these tensors. In-place algorithms on lists choose at every step.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from autograph.control.branch import emit_cond
from autograph.runtime.core.location import pinned
from autograph.runtime.core.spec import Spec
from autograph.runtime.core.tensor import Tensor
from autograph.runtime.graph.ir import Value
from autograph.runtime.graph.trace import Trace, wrap
from autograph.tracing.aliases import Identity
from autograph.tracing.sameness import object_number
from autograph.tracing.tracing import Tracing


def can_be_chosen(tracing: Tracing, items: Sequence[Any]) -> bool:
    """Whether all are tensors of one dtype and one known shape, and none is an element."""
    if not items or not all(type(one) is Tensor for one in items):
        return False
    if any(id(one) in tracing.sealed for one in items):
        return False
    specs = [tracing.cell_value(one).spec for one in items]
    first = specs[0]
    return isinstance(first, Spec) and first.is_static and all(one == first for one in specs)


def chosen(tracing: Tracing, index: Value, items: Sequence[Tensor]) -> Tensor:
    """`items[index]`; of two a bool chooses: False takes the first."""
    if all(one is items[0] for one in items):
        return items[0]
    outer = tracing.region.trace
    values = [outer.lift(tracing.cell_value(one)) for one in items]
    numbers = [outer.value_of(object_number(tracing, one)) for one in items]
    traces = [Trace(f"branch_{number}", outer) for number in range(len(items))]
    leaves = [
        [trace.lift(value), trace.lift(number)]
        for trace, value, number in zip(traces, values, numbers, strict=True)
    ]
    with pinned():
        result, tag = emit_cond(outer, index, traces, leaves, [values[0].spec, numbers[0].spec])
    made: Tensor = wrap(result)
    objects: dict[int, Tensor] = {}
    lost = False
    for one in items:
        identity = tracing.identities.of(one)
        if identity is None or identity.own:
            objects[id(one)] = one
        if identity is not None:
            objects.update((id(each), each) for each in identity.objects)
            lost |= identity.lost
    found = Identity(Tensor._of(tag), tuple(objects.values()), own=False, lost=lost)
    tracing.identities.note(made, found)
    tracing.born(made)
    return made
