"""What is known of strings with staged parts: how long they are, and whether they are empty."""

from __future__ import annotations

from typing import Any

import numpy as np

from autograph.operators.containers.rows import length as count_rows
from autograph.runtime.core.number import Number
from autograph.runtime.core.tensor import Tensor
from autograph.runtime.graph.trace import StagedList
from autograph.runtime.ops.table import OPS
from autograph.strings.text import Characters, Pieces, Text
from autograph.tracing.places import StagedItems
from autograph.values.choice import Choice
from autograph.values.marks import declared
from autograph.values.skeleton import Choices, Fixed, Group, Skeleton


class _Unknown(Exception):
    """How long a part is takes its characters to know."""


def string_length(text: Text, exact: bool = True) -> Any:
    """How many characters a string has: an int, staged or not.

    Where it need not be `exact`, some number that is 0 for the empty string only. None where it
    takes the characters to know it.
    """
    try:
        return _total_length(text, exact)
    except _Unknown:
        return None


def _total_length(text: Text, exact: bool) -> Any:
    total: Any = 0
    for part in text.parts:
        total = OPS.py_add(total, _length(part, exact))
    return total


def is_empty_asked(left: Any, right: Any) -> bool:
    """Whether a string with staged parts is compared with the empty one."""
    pair = (left, right)
    return any(type(one) is str and not one for one in pair) and any(
        isinstance(one, Text) for one in pair
    )


def _length(part: Any, exact: bool) -> Any:
    if isinstance(part, str):
        return len(part)
    if isinstance(part, Text):
        return _total_length(part, exact)
    if isinstance(part, Choice):
        return _weighed(part.tag, [_length(option, exact) for option in part.options])
    if isinstance(part, Characters):
        (size,) = Tensor._of(part.codes).shape
        return size if isinstance(size, int) else OPS.size_of(Tensor._of(part.codes), axis=0)
    if isinstance(part, Pieces):
        return _length_of_rows(part.rows, exact)
    return _shown(type(part), exact)


def _weighed(tag: Number, lengths: list[Any]) -> Any:
    """The length that the tag tells."""
    total: Any = 0
    for number, length in enumerate(lengths):
        total = OPS.py_add(total, OPS.py_mul(OPS.py_eq(tag, number), length))
    return total


def _length_of_rows(rows: Any, exact: bool) -> Any:
    """The length of pieces, as many as the run tells."""
    if not isinstance(rows, StagedItems):
        return sum(_length(one, exact) for one in rows.values)
    element = rows.element
    if not isinstance(element, Choices):
        return OPS.py_mul(count_rows(rows), _length_of_row(element, exact))
    tags = OPS.list_values(StagedList(rows.columns[0]), dtype=np.dtype(np.int64))
    total: Any = 0
    for number, option in enumerate(element.options):
        one = _length_of_row(option, exact)
        many = OPS.sum(OPS.where(OPS.equal(tags, number), 1, 0))
        total = OPS.py_add(total, OPS.py_mul(OPS.to_number(many, kind=int), one))
    return total


def _length_of_row(row: Skeleton, exact: bool) -> int:
    if isinstance(row, Fixed) and isinstance(row.value, str):
        return len(row.value)
    return _shown(row.kind if isinstance(row, Group) else None, exact)


def _shown(kind: Any, exact: bool) -> int:
    """The length of a part that shows a value: there is no value without a text."""
    length: int | None = declared(kind, "_length", None)
    if length is not None:
        return length
    if exact or declared(kind, "_may_be_empty", True):
        raise _Unknown
    return 1
