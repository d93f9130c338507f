"""Known sequences of plain numbers as data: one array, however long they are.

A list of ten thousand numbers under a staged index is a table that is looked up, not ten thousand
branches. Tuples of numbers are looked up column by column.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from autograph.runtime.core.number import Number
from autograph.runtime.core.spec import NUMBER_SPECS
from autograph.runtime.core.tensor import Tensor
from autograph.runtime.ops.table import OPS
from autograph.tracing.places import StagedItems
from autograph.tracing.tracing import Tracing
from autograph.values.skeleton import Leaf

COMPARED_AT_ONCE = 16
"""So many known numbers are compared with a staged one as an array."""

DTYPES: dict[type, Any] = {int: np.int64, float: np.float64, bool: np.bool_}


def lookup(tracing: Tracing, items: Sequence[Any]) -> Callable[[Any], Any] | None:
    """What gives the item at a staged place that is in range; None if the items are no table."""
    if isinstance(items, range):
        return lambda place: items.start + place * items.step
    found = column(tracing, items)
    if found is not None:
        return lambda place: _at(found, place)
    first = items[0]
    if type(first) is not tuple or not first or {*map(type, items)} != {tuple}:
        return None
    if {*map(len, items)} != {len(first)}:
        return None
    columns = [found for part in zip(*items) if (found := column(tracing, part)) is not None]
    if len(columns) < len(first):
        return None

    def row(place: Any) -> Any:
        made = tuple(_at(one, place) for one in columns)
        tracing.rebuild(made)
        return made

    return row


def _at(column: tuple[type, Tensor], place: Any) -> Any:
    kind, values = column
    return OPS.to_number(values[place], kind=kind)


def column(tracing: Tracing, items: Sequence[Any]) -> tuple[type, Tensor] | None:
    """Items that are all ints, floats or bools, and nothing derived from these, as a tensor.

    The tensor is made once for the same numbers in a trace, so that each turn of a loop and each
    round of a recursion looks into the same one. Ints beyond 64 bits have none.
    """
    if not items or type(items[0]) not in DTYPES:
        return None
    key = ("table", id(items))
    known = tracing.seen.get(key)
    if known is not None and _are_same(known[0], items):
        return known[1:]  # type: ignore[no-any-return]
    kind = type(items[0])
    if {*map(type, items)} != {kind}:
        return None
    try:
        values = np.array([*items], DTYPES[kind])
    except OverflowError:
        return None
    tracing.keep(items)
    table = tracing.seen.setdefault(("table", kind, values.tobytes()), Tensor._of(values))
    tracing.seen[key] = (tuple(items), kind, table)
    return kind, table


def _are_same(left: Sequence[Any], right: Sequence[Any]) -> bool:
    return len(left) == len(right) and all(map(operator.is_, left, right))


def equal_to(tracing: Tracing, items: Sequence[Any], wanted: Any) -> Any:
    """For each of many known numbers, whether a staged one equals it; None if they are no table.

    Only where NumPy compares as Python does: ints with ints, floats with floats of 64 bits.
    """
    if len(items) < COMPARED_AT_ONCE:
        return None
    number = isinstance(wanted, Number)
    if not number and not (isinstance(wanted, Tensor) and wanted.ndim == 0):
        return None
    found = column(tracing, items)
    if found is None:
        return None
    kind, values = found
    own = DTYPES[wanted.kind] if number else wanted.dtype
    integers = kind is not float and np.dtype(own).kind in "bi"
    if not integers and not (kind is float and own == np.float64):
        return None
    return OPS.equal(values, OPS.asarray(wanted, dtype=own) if number else wanted)


def as_rows(tracing: Tracing, items: Sequence[Any]) -> StagedItems | None:
    """A list of plain numbers of one kind as a list of staged length; None of anything else."""
    found = column(tracing, items)
    if found is None:
        return None
    kind, values = found
    numbers = OPS.list_unpack(values, python=True)
    return StagedItems(list, Leaf(NUMBER_SPECS[kind]), (numbers._value,))
