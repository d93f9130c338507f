"""Whether two tensors of a trace are one object: known, or decided when the graph runs."""

from __future__ import annotations

from typing import Any

from autograph.effects.tracing import Tracing
from autograph.runtime.core.state import STATE
from autograph.runtime.core.tensor import Tensor
from autograph.runtime.graph.trace import Trace
from autograph.runtime.ops.table import OPS


def same_object_flag(tracing: Tracing, left: Tensor, right: Tensor) -> Any:
    """A bool, or a staged 0-d bool tensor. What a tag does not decide is an object of its own.

    Tensors whose possible objects have none in common are told apart at once, and what was asked
    before in the same graph is not asked again.
    """
    if left is right:
        return True
    if roots(tracing, left).isdisjoint(roots(tracing, right)):
        return False
    return _remembered(tracing, "same", left, right, _same)


def roots(tracing: Tracing, tensor: Tensor) -> frozenset[int]:
    """The ids of the objects that a tensor may be, itself included."""
    known = tracing.roots.get(id(tensor))
    if known is None:
        known = frozenset({id(tensor)})
        identity = tracing.identities.get(id(tensor))
        for other in identity.objects if identity is not None else ():
            if other is not None:
                known |= roots(tracing, other)
        if identity is not None:
            tracing.roots[id(tensor)] = known
    return known


def is_element(tracing: Tracing, tensor: Tensor) -> bool:
    """Whether a tensor may be an element of a container of staged length, which holds values."""
    return any(tracing.sealed.get(one) == "element" for one in roots(tracing, tensor))


def _remembered(tracing: Tracing, what: str, left: Tensor, right: Tensor, rule: Any) -> Any:
    trace = STATE.interpreter
    assert isinstance(trace, Trace)
    key = (what, id(trace.graph), trace.generation, id(left), id(right))
    if key not in tracing.flags:
        tracing.flags[key] = (rule(tracing, left, right), trace.graph)
    return tracing.flags[key][0]


def _same(tracing: Tracing, left: Tensor, right: Tensor) -> Any:
    identity = tracing.identities.get(id(right))
    if identity is None:
        return _same_as_itself(tracing, left, right)
    found: Any = False
    itself = _same_as_itself(tracing, left, right)
    if itself is not False:
        found = _and(OPS.equal(identity.tag, 0), itself)
    for number, other in enumerate(identity.objects):
        if other is not None:
            same = same_object_flag(tracing, left, other)
            if same is not False:
                found = _or(found, _and(OPS.equal(identity.tag, number + 1), same))
    return found


def _same_as_itself(tracing: Tracing, left: Tensor, right: Tensor) -> Any:
    """Whether `left` is the very object that was made as `right`."""
    if left is right:
        return True
    if id(right) not in roots(tracing, left):
        return False
    return _remembered(tracing, "itself", left, right, _itself)


def _itself(tracing: Tracing, left: Tensor, right: Tensor) -> Any:
    identity = tracing.identities[id(left)]
    found: Any = False
    for number, other in enumerate(identity.objects):
        if other is not None:
            same = _same_as_itself(tracing, other, right)
            if same is not False:
                found = _or(found, _and(OPS.equal(identity.tag, number + 1), same))
    return found


def _and(left: Any, right: Any) -> Any:
    return left if right is True else OPS.logical_and(left, right)


def _or(left: Any, right: Any) -> Any:
    if left is True or right is True:
        return True
    return right if left is False else OPS.logical_or(left, right)
