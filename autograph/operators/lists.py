"""Python lists whose contents are staged: what their methods and operators mean."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from autograph.effects.coercing import Coercer, leaf_specs
from autograph.effects.freezing import Freezer, Thawer
from autograph.effects.places import ContentsPlace, StagedItems
from autograph.effects.reading import read_contents
from autograph.effects.skeleton import Joining, Skeleton, alike, grown, join, staged_element
from autograph.effects.tracing import Tracing
from autograph.errors import MergeError
from autograph.runtime.core.number import Number
from autograph.runtime.core.tensor import Tensor
from autograph.runtime.graph.trace import StagedList
from autograph.runtime.ops.table import OPS


def staged(tracing: Tracing, items: list[Any]) -> StagedItems | None:
    """The staged contents of a list, None where they are plain."""
    return tracing.staged_items.get(id(items))


def make_staged(tracing: Tracing, items: list[Any]) -> StagedItems:
    """Let a plain list have staged contents, so that a staged index can pick from it."""
    known = staged(tracing, items)
    if known is not None:
        return known
    place = ContentsPlace(items, tracing)
    trace = tracing.region.trace
    frozen = [Freezer(tracing, tracing.region).freeze(one) for one in items]
    target = grown(frozen, Joining("a list"))
    held = Freezer(tracing, tracing.region).freeze(place.get())
    columns = Coercer(trace).coerce(held, target)
    contents = StagedItems(target.element, tuple(columns))
    tracing.touch(place)
    place.set(contents)
    return contents


def staged_length(tracing: Tracing, items: list[Any]) -> Number:
    """The length of a list with staged contents."""
    contents = staged(tracing, items)
    assert contents is not None
    if not contents.columns:
        raise MergeError(
            "a list that grows in a staged loop or branch holds nothing that is staged",
            remedy="count with a number instead",
        )
    length: Number = OPS.list_length(StagedList(contents.columns[0]))
    return length


def list_length(tracing: Tracing, items: list[Any]) -> Any:
    """`len(items)`."""
    if staged(tracing, items) is not None:
        return staged_length(tracing, items)
    read_contents(tracing, items)
    return len(items)


def list_item(tracing: Tracing, items: list[Any], index: Any) -> Any:
    """`items[index]` of staged contents."""
    contents = make_staged(tracing, items)
    values = [OPS.list_get(StagedList(column), index) for column in contents.columns]
    return _element(tracing, contents.element, values)


def _element(tracing: Tracing, element: Skeleton, values: Iterable[Any]) -> Any:
    return Thawer(tracing, (value._value for value in values)).thaw(element)


def _leaves(tracing: Tracing, contents: StagedItems, item: Any) -> list[Any]:
    frozen = staged_element(Freezer(tracing, tracing.region).freeze(item))
    joined = join(contents.element, frozen, Joining("an element of a list", in_list=True))
    if not alike(joined, contents.element) and len(contents.columns) != len(_specs(joined)):
        raise MergeError(
            "an element of another kind is put into a list with staged contents",
            remedy="keep values of one dtype and structure in the list",
        )
    contents.element = joined
    for tensor in _tensors(item):
        tracing.sealed.setdefault(id(tensor), "element")
        tracing.keep(tensor)
    frozen_now = Freezer(tracing, tracing.region).freeze(item)
    return Coercer(tracing.region.trace).coerce(frozen_now, joined)


def _specs(element: Skeleton) -> list[Any]:
    return leaf_specs(element)


def _tensors(item: Any) -> Iterable[Tensor]:
    if isinstance(item, Tensor):
        yield item
    elif isinstance(item, tuple):
        for one in item:
            yield from _tensors(one)


def set_list_item(tracing: Tracing, items: list[Any], index: Any, item: Any) -> None:
    """`items[index] = item` where the index or the contents are staged."""
    contents = make_staged(tracing, items)
    leaves = _leaves(tracing, contents, item)
    columns = [
        OPS.list_set(StagedList(column), index, leaf)._value
        for column, leaf in zip(contents.columns, leaves, strict=True)
    ]
    _replace(tracing, items, contents, columns)


def append(tracing: Tracing, items: list[Any], item: Any) -> None:
    """`items.append(item)` to staged contents."""
    contents = make_staged(tracing, items)
    leaves = _leaves(tracing, contents, item)
    columns = [
        OPS.list_push(StagedList(column), leaf)._value
        for column, leaf in zip(contents.columns, leaves, strict=True)
    ]
    _replace(tracing, items, contents, columns)


def pop(tracing: Tracing, items: list[Any]) -> Any:
    """`items.pop()` of staged contents."""
    contents = make_staged(tracing, items)
    columns, values = [], []
    for column in contents.columns:
        rest, value = OPS.list_pop(StagedList(column))
        columns.append(rest._value)
        values.append(value)
    _replace(tracing, items, contents, columns)
    return _element(tracing, contents.element, values)


def _replace(tracing: Tracing, items: list[Any], contents: StagedItems, columns: list[Any]) -> None:
    place = ContentsPlace(items, tracing)
    tracing.touch(place)
    place.set(StagedItems(contents.element, tuple(columns)))


def column_of(tracing: Tracing, items: list[Any]) -> StagedList:
    """The one graph list of a staged list of tensors, for ops such as `stack`."""
    contents = make_staged(tracing, items)
    if len(contents.columns) != 1:
        raise MergeError(
            "this op takes a list of tensors, but the staged list holds structures",
            remedy="keep a list for each component",
        )
    return StagedList(contents.columns[0])
