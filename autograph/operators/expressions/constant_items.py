"""Items and slices of tuples, ranges and strings, where an index, a bound or the length is staged.

`pick` takes an item out of any sequence of known length.
"""

from __future__ import annotations

from typing import Any

from autograph.control.branch import switch
from autograph.control.chosen_contents import DictView
from autograph.control.chosen_tensors import can_be_chosen, chosen
from autograph.errors import MergeError, StagingError, StateError
from autograph.operators.containers import constant_tables, lists, sequences
from autograph.operators.containers.slices import Positions, is_staged_slice, positions_of
from autograph.operators.expressions.truth import to_number
from autograph.operators.iterators.staged_iterables import (
    Consumed,
    Sequence,
    StagedRange,
    StagedTuple,
)
from autograph.runtime.core.anatomy import with_article
from autograph.runtime.core.number import Number
from autograph.runtime.core.tensor import Tensor, no_index
from autograph.runtime.ops.table import OPS
from autograph.tracing.tracing import Tracing

MOST_BRANCHES = 4000
"""From so many items at most one is picked by a branch for each."""
MOST_STRINGS = 1000
"""Likewise where strings are among them, of which each branch writes the characters."""

_MESSAGES: dict[type, str] = {
    tuple: "tuple index out of range",
    str: "string index out of range",
    bytes: "index out of range",
    range: "range object index out of range",
}


def _message_of(kind: type) -> str:
    """What IndexError says of a sequence of a class, or of a class made from it."""
    return next(text for base, text in _MESSAGES.items() if issubclass(kind, base))


_PLAIN = (bool, int, float, str, bytes, type(None), Number)
"""What has no identity that counts."""


def is_staged_index(key: Any) -> bool:
    """Whether an index into a Python sequence is known only at run time."""
    return isinstance(key, Number | Tensor)


def as_number(key: Any) -> Any:
    """A staged index as a Python number: 0-d integer tensors count as ints, as in Python."""
    if not isinstance(key, Tensor):
        return key
    if key.dtype.kind not in "iu" or key.shape:
        raise no_index(key)
    return to_number(key, int)


def sequence_item(tracing: Tracing, container: Any, key: Any) -> Any:
    """`container[key]` of a tuple, range, string or bytes as Python has them."""
    if is_staged_index(key):
        if isinstance(container, tuple):  # whatever a subclass of it has for an iterator
            container = tuple.__getitem__(container, slice(None))
        return pick(tracing, container, as_number(key), _message_of(type(container)))
    if not isinstance(key, slice) or not is_staged_slice(key):
        return container[key]
    if isinstance(container, range):
        whole = StagedRange(container.start, container.stop, container.step)
        return _range_slice(whole, positions_of(key, len(container)))
    if isinstance(container, tuple):
        if all(isinstance(one, _PLAIN) for one in container):
            return _tuple_slice(tracing, container, key)
        raise StateError(
            "a slice of a tuple that holds tensors or objects has a staged bound: which of them "
            "are in it could not be told",
            remedy="stack the items into a tensor and slice that",
        )
    raise StateError(
        "a slice of bytes has a staged bound",
        remedy="make each slice and pick one: [text[:k] for k in range(len(text) + 1)][n]",
    )


def indexed_item(tracing: Tracing, container: Any, key: Any) -> Any:
    """`container[key]` of one of staged length; TypeError for iterators and views, as in Python."""
    if isinstance(container, Consumed | DictView):
        name = _kind_of(container)
        raise TypeError(f"{name!r} object is not subscriptable")
    if isinstance(key, slice):
        if isinstance(container, StagedTuple):
            return _tuple_slice(tracing, container.items, key)
        return _range_slice(container, positions_of(key, container.length(tracing)))
    length = container.length(tracing)
    if not isinstance(container, Sequence):  # what is unpacked, and was found to be long enough
        return container.get(tracing, key + length * (key < 0))
    index, message = as_place(container, key), _message_of(container.kind)
    return container.get(tracing, lists.in_range(tracing, index, length, message))


def as_place(container: Any, key: Any) -> Any:
    """An index of a sequence as a Python number; for what is none, Python's own TypeError."""
    if isinstance(key, Number) and key.kind is float:
        key = 0.5
    if not isinstance(key, int | Number | Tensor) and not hasattr(type(key), "__index__"):
        sequences.empty(container)[key]
    return as_number(key)


def _tuple_slice(tracing: Tracing, items: Any, key: slice) -> StagedTuple:
    return StagedTuple(lists.slice_of(tracing, items, key))


def _range_slice(whole: StagedRange, positions: Positions) -> StagedRange:
    return StagedRange(
        whole.start + positions.start * whole.step,
        whole.start + positions.stop * whole.step,
        whole.step * positions.step,
    )


def _kind_of(container: Consumed | DictView) -> str:
    """What Python calls it."""
    if isinstance(container, DictView):
        return f"dict_{container.kind}"
    kind: type = getattr(container, "kind", type(container))
    return kind.__name__


def pick(tracing: Tracing, items: Any, index: Any, message: str) -> Any:
    """One of the items of a sequence of known length, by a staged index."""

    def out_of_range() -> Any:
        raise IndexError(message)

    count = len(items)
    if count == 0:
        return out_of_range()
    lookup = constant_tables.lookup(tracing, items)
    if lookup is not None:
        return lookup(lists.in_range(tracing, index, count, message))
    if tracing.writes_out:
        raise StagingError("an item of a list is read at the place of a turn")
    if isinstance(index, Number) and can_be_chosen(tracing, items):
        place = lists.in_range(tracing, index, count, message)
        return chosen(tracing, tracing.region.trace.lift(place._value), items)
    most = MOST_STRINGS if any(isinstance(one, str) for one in items) else MOST_BRANCHES
    if count > most:
        raise MergeError(
            f"an item of {with_article(type(items).__name__)} of {count} is asked for by a staged "
            f"index, and more than {most} that are no plain numbers of one kind cannot be "
            "one value",
            remedy="keep numbers, or tuples of numbers, in a long table; or make a tensor of it",
        )
    thunks = [lambda one=one: one for one in items]
    position = OPS.py_add(index, OPS.py_mul(OPS.py_lt(index, 0), count))
    outside = OPS.py_or(OPS.py_lt(position, 0), OPS.py_ge(position, count))
    option = OPS.py_add(OPS.py_mul(OPS.py_not(outside), OPS.py_add(position, 1)), 0)
    value = tracing.region.trace.lift(option._value)
    return switch(tracing, value, [out_of_range, *thunks], "an item")
