"""Whether two tensors of a trace are one object: known, or decided when the graph runs."""

from __future__ import annotations

from typing import Any

from autograph.effects.tracing import Tracing
from autograph.runtime.core.tensor import Tensor
from autograph.runtime.ops.table import OPS


def same_object_flag(tracing: Tracing, left: Tensor, right: Tensor) -> Any:
    """A bool, or a staged 0-d bool tensor. What a tag does not decide is an object of its own."""
    if left is right:
        return True
    identity = tracing.identities.get(id(right))
    if identity is None:
        return _same_as_itself(tracing, left, right)
    found = _and(OPS.equal(identity.tag, 0), _same_as_itself(tracing, left, right))
    for number, other in enumerate(identity.objects):
        if other is not None:
            here = OPS.equal(identity.tag, number + 1)
            found = _or(found, _and(here, same_object_flag(tracing, left, other)))
    return found


def _same_as_itself(tracing: Tracing, left: Tensor, right: Tensor) -> Any:
    """Whether `left` is the very object that was made as `right`."""
    if left is right:
        return True
    identity = tracing.identities.get(id(left))
    found: Any = False
    if identity is not None:
        for number, other in enumerate(identity.objects):
            if other is not None:
                here = OPS.equal(identity.tag, number + 1)
                found = _or(found, _and(here, _same_as_itself(tracing, other, right)))
    return found


def _and(left: Any, right: Any) -> Any:
    if isinstance(right, bool):
        return left if right else False
    return OPS.logical_and(left, right)


def _or(left: Any, right: Any) -> Any:
    if isinstance(left, bool):
        return True if left else right
    if isinstance(right, bool):
        return True if right else left
    return OPS.logical_or(left, right)
