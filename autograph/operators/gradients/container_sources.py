"""Gradients with respect to tensors that containers of staged length hold, or have given out.

And with respect to those that control flow has computed with before they left it.

Such a container holds values: `items[0]` is another tensor each time that it is taken. In Python it
is one object, and all that was computed from it counts. So a source is refused where another taking
may have been computed with.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from autograph.errors import StateError
from autograph.operators.gradients.chosen_targets import is_recorded
from autograph.runtime.autodiff.backward.dependence import depends
from autograph.runtime.autodiff.recording.recorder import Recorder
from autograph.runtime.core.spec import ListSpec
from autograph.runtime.core.state import STATE
from autograph.runtime.core.tensor import Tensor
from autograph.runtime.graph.ir import Node, Value
from autograph.runtime.graph.trace import Trace
from autograph.tracing.tracing import Tracing


def require_single(tracing: Tracing, tape: Any, targets: Iterable[Any], leaves: Any) -> None:
    """StateError for a source that the targets may depend on by another taking, too."""
    if not isinstance(tape, Recorder) or tape._trace is None:
        return
    ends = [one._value for one in targets if isinstance(one, Tensor)]
    for source in leaves:
        if type(source) is Tensor and _is_used_inside(ends, source):
            raise StateError(
                "a gradient is asked with respect to a tensor that a staged branch, loop or call "
                "has computed with, and which has left it",
                remedy="compute with it after the branch, loop or call, or ask for the gradient "
                "inside",
            )
        held = type(source) is Tensor and tracing.sealed.get(id(source)) == "element"
        if held and not _is_single(tracing, tape, ends, source):
            raise StateError(
                "a gradient is asked with respect to a tensor that is in a container of staged "
                "length, and may have been computed with as an element of it",
                remedy="take a copy of it before the tape watches it, x = ag.copy(items[i]), and "
                "compute with x alone",
            )


def _is_single(tracing: Tracing, tape: Recorder, ends: Sequence[Any], source: Tensor) -> bool:
    known = tape._cells.get(id(source))
    value = source._value if known is None else known[1]
    found = _ancestors(ends, value)
    lists = [one for one in found if _may_hold(one, source)]
    if id(source) not in tracing.taken:
        if not is_recorded(tape, source):
            return not any(id(cell) in tracing.taken for cell, _ in tape._cells.values())
        lists = [one for one in lists if one not in tape._tracked and one.node not in tape._nodes]
        return not lists or (
            _is_made_here(tracing, source, value)
            and not any(value in _ancestors([one], value) for one in lists)
        )
    others = {
        one._value for one in tracing.put if one is not source and isinstance(one._value, Value)
    }
    return value in found and not lists and others.isdisjoint(found)


def _ancestors(ends: Sequence[Any], source: Any) -> set[Value]:
    """What the ends were computed from, here and further out, but not what the source was."""
    outside: dict[Value, Value] = {}
    trace = STATE.interpreter
    while isinstance(trace, Trace):
        outside |= {inner: outer for outer, inner in trace.captures.items()}
        trace = trace.parent
    pending = [one for one in ends if isinstance(one, Value)]
    found = set(pending)
    while pending:
        value = pending.pop()
        if value is source:
            continue
        before = [outside[value]] if value in outside else []
        if isinstance(value.node, Node):
            before += value.node.inputs
        pending += [one for one in before if one not in found]
        found.update(before)
    return found


def _is_made_here(tracing: Tracing, source: Tensor, value: Any) -> bool:
    """Whether an op of this very graph made a tensor: what holds it was computed from it."""
    trace = STATE.interpreter
    node = value.node if isinstance(value, Value) else None
    return (
        isinstance(trace, Trace)
        and isinstance(node, Node)
        and value.graph is trace.graph
        and not any(node.graphs)
        and not any(isinstance(one.spec, ListSpec) for one in node.inputs)
        and tracing.identities.of(source) is None
    )


def _may_hold(value: Value, source: Tensor) -> bool:
    """Whether a value is a list that may have the source among its elements."""
    if not isinstance(value.spec, ListSpec) or (value.node and not value.node.inputs):
        return False
    element = value.spec.element
    return element.dtype == source.dtype and len(element.shape) == len(source.shape)


def _is_used_inside(ends: Sequence[Any], source: Tensor) -> bool:
    """Whether a source and something else that the ends depend on came out of one control flow,
    and the one was computed from the other there: the graph outside does not show that."""
    value = source._value
    node = value.node if isinstance(value, Value) else None
    if not isinstance(node, Node) or len(node.outputs) < 2 or not list(node.graphs):
        return False
    found = _ancestors(ends, value)
    place = node.outputs.index(value) - len(node.outputs)
    others = [
        number - len(node.outputs)
        for number, one in enumerate(node.outputs)
        if one is not value and one in found
    ]
    return any(
        len(graph.outputs) >= -place and depends(graph.outputs[other], graph.outputs[place])
        for graph in node.graphs
        for other in others
        if len(graph.outputs) >= -other
    )
