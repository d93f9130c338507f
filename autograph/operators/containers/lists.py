"""Python lists and deques whose contents are staged: what their methods and operators mean."""

from __future__ import annotations

from collections import deque
from typing import Any

from autograph.library import sequences as library
from autograph.operators.calls.dispatch import call
from autograph.operators.containers import rows
from autograph.operators.containers.slices import (
    as_index,
    greater,
    lesser,
    most_items,
    positions_of,
)
from autograph.operators.expressions.conditional_expression import branch
from autograph.runtime.core.dtypes import int64
from autograph.runtime.graph.trace import StagedList
from autograph.runtime.ops.table import OPS
from autograph.tracing.places import ContentsPlace, Items, StagedItems
from autograph.tracing.tracing import Tracing


def list_length(tracing: Tracing, items: Any) -> Any:
    """`len(items)` of staged contents."""
    return rows.length(rows.make_staged(tracing, items))


def list_item(tracing: Tracing, items: Any, index: Any) -> Any:
    """`items[index]` of staged contents."""
    return rows.row(tracing, rows.make_staged(tracing, items), index)


def set_list_item(tracing: Tracing, items: Any, index: Any, item: Any) -> None:
    """`items[index] = item` where the index or the contents are staged."""
    contents = rows.make_staged(tracing, items)
    rows.replace(tracing, items, rows.with_row(tracing, contents, index, item))


def append(tracing: Tracing, items: Any, item: Any) -> None:
    """`items.append(item)` to staged contents."""
    contents = rows.make_staged(tracing, items)
    rows.replace(tracing, items, rows.pushed(tracing, contents, item))


def pop(tracing: Tracing, items: Any, index: Any = -1) -> Any:
    """`items.pop(index)` of staged contents."""
    contents = rows.make_staged(tracing, items)
    if isinstance(index, int) and index == -1:
        rest, item = rows.without_last(tracing, contents)
        rows.replace(tracing, items, rest)
        return item
    length = rows.length(contents)

    def empty() -> None:
        raise IndexError("pop from empty list")

    branch(tracing, length == 0, empty, lambda: None)
    place = in_range(tracing, as_index(index), length, "pop index out of range")
    item = rows.row(tracing, contents, place)
    rows.replace(tracing, items, _without(contents, length, place))
    return item


def in_range(tracing: Tracing, index: Any, length: Any, message: str) -> Any:
    """An index counted from 0; IndexError at run time where it is out of range."""

    def fail() -> None:
        raise IndexError(message)

    outside = OPS.py_or(index < -length, index >= length)
    branch(tracing, outside, fail, lambda: None)
    return index + length * (index < 0)


def _without(contents: StagedItems, length: Any, place: Any) -> StagedItems:
    number = rows.numbers(length - 1)
    return rows.taken(contents, number + OPS.astype(number >= place, int64))


def insert(tracing: Tracing, items: Any, index: Any, item: Any) -> None:
    """`items.insert(index, item)`."""
    contents = rows.make_staged(tracing, items)
    length = rows.length(contents)
    index = as_index(index)
    place = greater(lesser(index + length * (index < 0), length), 0)
    more = rows.pushed(tracing, contents, item)
    number = rows.numbers(length + 1)
    shifted = number - OPS.astype(number > place, int64)
    positions = OPS.where(number == place, length, shifted)
    rows.replace(tracing, items, rows.taken(more, positions))


def out_of_range(items: Any) -> str:
    """What Python says of a place that is put to, or deleted, and is not there."""
    return f"{'deque' if isinstance(items, deque) else 'list assignment'} index out of range"


def delete(tracing: Tracing, items: Any, key: Any) -> None:
    """`del items[key]`, of an index or a slice."""
    contents = rows.make_staged(tracing, items)
    length = rows.length(contents)
    if isinstance(key, slice):
        others = positions_of(key, length).others(length)
        rows.replace(tracing, items, rows.taken(contents, others))
        return
    place = in_range(tracing, as_index(key), length, out_of_range(items))
    rows.replace(tracing, items, _without(contents, length, place))


def slice_of(tracing: Tracing, items: Any, key: slice) -> list[Any]:
    """`items[start:stop:step]`, where a bound or the length is staged."""
    contents = rows.rows_of(tracing, items)
    positions = positions_of(key, rows.length(contents))
    found = rows.taken(contents, positions.tensor())
    found.most = most_items(key)
    return rows.new_list(tracing, found)


def assign_slice(tracing: Tracing, items: Any, key: slice, values: Any) -> None:
    """`items[start:stop:step] = values`, of which `values` is a list."""
    contents = rows.make_staged(tracing, items)
    given = rows.rows_to_join(tracing, contents, values)
    length = rows.length(contents)
    positions = positions_of(key, length)
    if key.step is not None and not (isinstance(key.step, int) and key.step == 1):
        if isinstance(key.step, int):
            _assign_extended(tracing, items, contents, given, positions)
            return
        plain = slice(key.start, key.stop)  # what a step of 1 means, however many are given
        branch(
            tracing,
            as_index(key.step) == 1,
            lambda: assign_slice(tracing, items, plain, values),
            lambda: _assign_extended(tracing, items, contents, given, positions),
        )
        return
    before = rows.taken(contents, rows.numbers(positions.start))
    end = greater(positions.start, positions.stop)
    after = rows.taken(contents, rows.numbers(length - end) + end)
    head = rows.joined_rows(tracing, before, given)
    rows.replace(tracing, items, rows.joined_rows(tracing, head, after))


def _assign_extended(
    tracing: Tracing, items: Any, contents: StagedItems, given: StagedItems, positions: Any
) -> None:
    count, wanted = rows.length(given), positions.count()

    call(library.check_extended, count, wanted)
    length = rows.length(contents)
    number = rows.numbers(length)
    went = rows.numbers(wanted) + length
    chosen = OPS.apply("scatter_set", (number, positions.tensor(), went), {"axis": 0})
    both = rows.joined_rows(tracing, contents, given)
    rows.replace(tracing, items, rows.taken(both, chosen))


def extend(tracing: Tracing, items: Any, more: Any) -> None:
    """`items.extend(more)` of another list or tuple."""
    contents = rows.make_staged(tracing, items)
    given = rows.rows_to_join(tracing, contents, more)
    rows.replace(tracing, items, rows.joined_rows(tracing, contents, given))


def concatenated(tracing: Tracing, left: Any, right: Any) -> list[Any]:
    """`left + right` of two lists of which one is staged."""
    second = rows.rows_to_join(tracing, rows.rows_of(tracing, left), right)
    first = rows.rows_to_join(tracing, second, left)
    return rows.new_list(tracing, rows.joined_rows(tracing, first, second))


def filled(tracing: Tracing, item: Any, count: Any) -> list[Any]:
    """`[item] * count` with a staged count."""
    contents = rows.rows_of_items(tracing, (item,))
    columns = []
    for column in contents.columns:
        one = OPS.list_get(StagedList(column), 0)
        columns.append(OPS.list_fill(one, count)._value)
    rows.seal(tracing, item)
    rows.refuse_second_place(tracing, item)  # all items are one object
    return rows.new_list(tracing, rows.with_columns(contents, columns))


def reverse(tracing: Tracing, items: Any) -> None:
    """`items.reverse()`."""
    contents = rows.make_staged(tracing, items)
    length = rows.length(contents)
    rows.replace(tracing, items, rows.taken(contents, length - 1 - rows.numbers(length)))


def rotate(tracing: Tracing, items: Any, steps: Any = 1) -> None:
    """`items.rotate(steps)` of a deque."""
    contents = rows.make_staged(tracing, items)
    length = rows.length(contents)
    positions = (rows.numbers(length) - as_index(steps)) % length
    rows.replace(tracing, items, rows.taken(contents, positions))


def copied(tracing: Tracing, items: Any) -> list[Any]:
    """`items.copy()`."""
    return rows.new_list(tracing, rows.rows_of(tracing, items))


def clear(tracing: Tracing, items: Any) -> None:
    """`items.clear()`."""
    place = ContentsPlace(items, tracing)
    tracing.touch(place)
    place.set(Items(()))
