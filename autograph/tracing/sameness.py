"""Whether two tensors of a trace are one object: known, or decided when the graph runs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from autograph.runtime.core.state import STATE
from autograph.runtime.core.tensor import Tensor
from autograph.runtime.graph.ir import Value
from autograph.runtime.graph.trace import Trace
from autograph.runtime.ops.table import OPS
from autograph.tracing.tracing import Tracing

OWN: Any = np.asarray(0, np.int64)
"""The tag of a tensor that is none of its candidates."""


def same_object_flag(tracing: Tracing, left: Tensor, right: Tensor) -> Any:
    """A bool, or a staged 0-d bool tensor. What a tag does not decide is an object of its own.

    Tensors whose possible objects have none in common are told apart at once, and what was asked
    before in the same graph is not asked again.
    """
    if left is right:
        return True
    identities = tracing.identities
    if identities.roots(left).isdisjoint(identities.roots(right)):
        return False
    trace = STATE.interpreter
    assert isinstance(trace, Trace)
    key = (id(trace.graph), trace.generation, id(left), id(right))
    if key not in identities.asked:
        numbers = [object_number(tracing, one) for one in (left, right)]
        identities.asked[key] = (OPS.equal(*numbers), trace.graph)
    return identities.asked[key][0]


def object_number(tracing: Tracing, tensor: Tensor) -> Any:
    """The number of the object that a tensor is: an array, or a staged 0-d tensor of integers.

    So a tensor that went through many merges is compared as quickly as one that went through none.
    """
    identity = tracing.identities.of(tensor)
    if identity is None:
        return as_number(tracing.identities.number_of(tensor))
    if not identity.own:
        return identity.tag
    trace = _trace_of(identity.tag)
    key = (id(trace.graph), trace.generation, id(tensor))
    if key not in tracing.identities.asked:
        with trace.active():
            itself = as_number(tracing.identities.number_of(tensor))
            number = OPS.where(OPS.greater(identity.tag, OWN), identity.tag, itself)
        tracing.identities.asked[key] = (number, trace.graph)
    return tracing.identities.asked[key][0]


def _trace_of(tag: Tensor) -> Trace:
    """The trace in whose graph a tag is: the current one, or one around it."""
    here = STATE.interpreter
    assert isinstance(here, Trace)
    trace: Trace | None = here
    while trace is not None:
        if isinstance(tag._value, Value) and trace.graph is tag._value.graph:
            return trace
        trace = trace.parent
    return here


def as_number(number: int) -> Any:
    """A known number of an object, as an operand."""
    return np.asarray(number, np.int64)


def is_among(number: Any, known: Sequence[int]) -> Any:
    """Whether a staged number is one of some that are known."""
    if len(known) == 1:
        return OPS.equal(number, as_number(known[0]))
    return OPS.any(OPS.equal(np.array(known, np.int64), number))


def place_among(number: Any, known: Sequence[int]) -> Any:
    """Which one of known numbers a staged one is, counted from 1; 0 if it is none of them."""
    here = OPS.equal(np.array(known, np.int64), number)
    places = np.arange(1, len(known) + 1, dtype=np.int64)
    return OPS.sum(OPS.where(here, places, np.zeros_like(places)))


def is_element(tracing: Tracing, tensor: Tensor) -> bool:
    """Whether a tensor may be an element of a container of staged length, which holds values."""
    ids = tracing.identities.roots(tensor) | {id(tensor)}
    return any(tracing.sealed.get(one) == "element" for one in ids)
