"""Containers of staged length: rows of one type, kept in columns that are lists of the graph."""

from __future__ import annotations

import functools
import types
from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import replace as with_parts
from typing import Any

from autograph.errors import StateError
from autograph.merge.coerce import Coercer
from autograph.merge.freeze import Freezer
from autograph.merge.functions import kept_by_value
from autograph.merge.join import Joining, grown, join, known_tensor, staged_element
from autograph.merge.object_keys import is_known_by_value
from autograph.merge.thaw import Thawer
from autograph.operators.containers import constant_tables
from autograph.runtime.arrays.cells import Array, Scalar, Storage, View
from autograph.runtime.core.dtypes import int64
from autograph.runtime.core.tensor import Tensor
from autograph.runtime.graph.trace import StagedList, wrap
from autograph.runtime.ops.table import OPS
from autograph.strings.text import Text
from autograph.tracing.array_storage import is_made_here
from autograph.tracing.namespaces import is_namespace
from autograph.tracing.places import ContentsPlace, DictItems, Items, SetItems, StagedItems
from autograph.tracing.reading import read_contents
from autograph.tracing.tracing import Tracing
from autograph.values.choice import Choice
from autograph.values.marks import declared
from autograph.values.object_state import attributes_of
from autograph.values.references import FoundReferences
from autograph.values.sentinels import DONT_CARE
from autograph.values.skeleton import (
    Cell,
    Fixed,
    Group,
    Grown,
    Held,
    Leaf,
    Made,
    Reference,
    Skeleton,
    alike,
    key_skeleton,
)


def staged(tracing: Tracing, container: Any) -> StagedItems | None:
    """The staged contents of a container, None where they are plain."""
    found = tracing.contents(container)
    return found if isinstance(found, StagedItems) else None


def kind_of(container: Any) -> type:
    """list, dict or set: what its rows are like. A deque is a list."""
    return next((kind for kind in (dict, set) if isinstance(container, kind)), list)


def _freezer(tracing: Tracing) -> Freezer:
    """Freezes by value all that was made in this trace."""
    return Freezer(tracing, tracing.region, tracing.root)


def rows_of(tracing: Tracing, container: Any, element: Skeleton | None = None) -> StagedItems:
    """The contents of a container as staged ones; the container itself stays as it is.

    Where they are plain, the rows can hold values of `element`, too.
    """
    known = staged(tracing, container)
    if known is not None:
        return known
    if isinstance(container, tuple):
        return rows_of_items(tracing, container)
    read_contents(tracing, container)
    place = ContentsPlace(container, tracing)
    items = place.get()
    if isinstance(items, DictItems | SetItems) and _are_objects(tracing, container):
        contents = no_rows(tracing, Fixed(DONT_CARE), kind_of(container))
        for one in items.values:
            contents = pushed(tracing, contents, one)
        return contents
    if isinstance(container, list) and isinstance(items, Items) and element is None:
        known_numbers = constant_tables.as_rows(tracing, items.values)
        if known_numbers is not None:
            return known_numbers
    contents = _as_rows(tracing, frozen_row(tracing, items), kind_of(container), element)
    for known in items.options if isinstance(items, Choice) else (items,):
        for one in known.values:
            seal(tracing, one)
    return contents


def _are_objects(tracing: Tracing, keys: Iterable[Any]) -> bool:
    """Whether keys of a dict or members of a set are objects of this call, to be put in as such."""
    kinds = tracing.hints.referring.kinds
    return any(
        (type(key) in kinds or is_known_by_value(type(key))) and tracing.is_born(key)
        for key in keys
    )


def rows_of_items(tracing: Tracing, items: Iterable[Any]) -> StagedItems:
    """These values as the contents of a list of staged length."""
    values = tuple(items)
    numbers = constant_tables.as_rows(tracing, values)
    if numbers is not None:
        return numbers
    contents = _as_rows(tracing, frozen_row(tracing, Items(values)), list)
    seal(tracing, values)
    return contents


def _as_rows(
    tracing: Tracing, held: Skeleton, kind: type, element: Skeleton | None = None
) -> StagedItems:
    """Contents that are known, or one of several, as rows."""
    first = grown(kind, [] if element is None else [element], Joining())
    target = join(first, held, _GROWING)
    assert isinstance(target, Grown)
    columns = Coercer(tracing.region.trace).coerce(held, target)
    return StagedItems(kind, target.element, tuple(columns))


_GROWING = Joining("a container", grow=True)


def make_staged(tracing: Tracing, container: Any) -> StagedItems:
    """Let a plain container have staged contents, so that staged indices and keys can be used."""
    known = staged(tracing, container)
    if known is not None:
        return known
    contents = rows_of(tracing, container)
    replace(tracing, container, contents)
    return contents


def make_known(tracing: Tracing, container: list[Any]) -> None:
    """Let a plain list of tensors have staged contents that tell which tensors they are.

    The tensors of before the call, that is: those that are made in it are held by their values.
    """
    read_contents(tracing, container)
    items = ContentsPlace(container, tracing).get()
    replace(tracing, container, _known_rows(tracing, items))


def expect_known(tracing: Tracing, container: Any, item: Any) -> None:
    """Let an empty container have staged contents that tell which tensors they are, as `item`."""
    element = known_tensor(_freezer(tracing).freeze(item))
    replace(tracing, container, no_rows(tracing, element, kind_of(container)))


def _known_rows(tracing: Tracing, items: Items) -> StagedItems:
    """Rows that tell which tensors of before the call are in them."""
    held = frozen_row(tracing, items)
    assert isinstance(held, Held)
    element: Skeleton = Fixed(DONT_CARE)
    for one in held.items:
        element = join(element, known_tensor(one), ROW)
    columns = Coercer(tracing.region.trace).coerce(held, Grown(list, element))
    seal(tracing, items.values)
    return StagedItems(list, element, tuple(columns))


def rows_to_join(tracing: Tracing, contents: StagedItems, container: Any) -> StagedItems:
    """The contents of a list or tuple as rows that go to others: they tell as much as these."""
    if isinstance(contents.element, Leaf) and contents.element.same:
        values = container if isinstance(container, tuple) else None
        if isinstance(container, list) and staged(tracing, container) is None:
            read_contents(tracing, container)
            items = ContentsPlace(container, tracing).get()
            values = items.values if isinstance(items, Items) else None
        if values and all(isinstance(one, Tensor) for one in values):
            return _known_rows(tracing, Items(tuple(values)))
    return rows_of(tracing, container)


def replace(tracing: Tracing, container: Any, contents: StagedItems) -> None:
    """Give a container other staged contents."""
    if is_namespace(tracing, container):
        raise StateError(
            "the `__dict__` of an object is given a staged key",
            remedy="keep what has staged keys in a dict of its own",
        )
    if id(container) in tracing.shrunk:
        tracing.shrunk[id(container)] = -1
    place = ContentsPlace(container, tracing)
    tracing.touch(place)
    place.set(contents)


def with_columns(contents: StagedItems, columns: Iterable[Any]) -> StagedItems:
    """Contents of the same type."""
    return StagedItems(contents.kind, contents.element, tuple(columns))


def new_list(tracing: Tracing, contents: StagedItems, hidden: bool = False) -> list[Any]:
    """A list made just now, with staged contents. `hidden`: the user's code never sees it."""
    made: list[Any] = tracing.born([])
    if hidden:
        tracing.keeper.hide(made)
    ContentsPlace(made, tracing).set(with_kind(contents, list))
    return made


def with_kind(contents: StagedItems, kind: type) -> StagedItems:
    """The same rows, as those of another kind of container."""
    return StagedItems(kind, contents.element, contents.columns, contents.most)


def length(contents: StagedItems) -> Any:
    """How many rows there are: a staged int."""
    return OPS.list_length(StagedList(contents.columns[0]))


def row(tracing: Tracing, contents: StagedItems, index: Any) -> Any:
    """The row at an index; IndexError at run time where there is none."""
    values = [OPS.list_get(StagedList(column), index) for column in contents.columns]
    return thawed(tracing, contents.element, values)


def thawed(tracing: Tracing, element: Skeleton, values: Iterable[Any]) -> Any:
    """A value made of what the columns hold for one row."""
    value = Thawer(tracing, (value._value for value in values)).thaw(element)
    seal(tracing, value, taken=True)
    return value


def frozen_row(tracing: Tracing, value: Any, element: Skeleton | None = None) -> Skeleton:
    """A value as the columns will hold it, with the graph's values in it.

    Objects in it that containers refer to are put into stores: those that `element` refers to.
    """
    for one in value.values if isinstance(value, Items) else (value,):
        refuse_second_place(tracing, one)
        _note_second_place(tracing, one)
        tracing.keeper.move(one, element)
    return _freezer(tracing).freeze(value)


def refuse_second_place(tracing: Tracing, value: Any) -> None:
    """An object whose value is in a container already is put into one: which it is, counts."""
    if isinstance(value, tuple):
        for part in value:
            refuse_second_place(tracing, part)
    elif has_no_identity(tracing, value) and not isinstance(value, BaseException):
        raise FoundReferences(type(value), tracing.keeper.site_of(value))


def _note_second_place(tracing: Tracing, value: Any) -> None:
    """Note an array of this call whose elements a container has already, or gets in other turns,
    too: if that container leaves the call, it must hold the array."""
    if isinstance(value, tuple):
        for part in value:
            _note_second_place(tracing, part)
        return
    array = value
    while isinstance(array, View) and not isinstance(array.base, Storage):
        array = array.base
    if not isinstance(array, Array) or isinstance(array, View) or id(array) in tracing.paths:
        return
    if tracing.sealed.get(id(array)) == "element" or not is_made_here(tracing, array):
        tracing.callers.held_twice = True


def no_rows(tracing: Tracing, element: Skeleton, kind: type = list) -> StagedItems:
    """The contents of a container that has no rows yet."""
    columns = Coercer(tracing.region.trace).coerce(Held(list, (), ()), Grown(list, element))
    return StagedItems(kind, element, tuple(columns))


def _by_value(frozen: Skeleton) -> Skeleton:
    """A frozen key in which scalars of NumPy's are numbers: which objects, nobody asks."""
    if isinstance(frozen, Cell) and isinstance(frozen.tensor, Scalar):
        return Leaf(frozen.spec, frozen.value, kind=Scalar)
    if isinstance(frozen, Group):
        return with_parts(frozen, items=tuple(map(_by_value, frozen.items)))
    return frozen


def frozen_key(tracing: Tracing, key: Any) -> Skeleton:
    """A key of a dict or a member of a set, as the columns will hold it."""
    frozen = _by_value(_freezer(tracing).freeze(key))
    if isinstance(key, tuple | Text):
        return frozen
    return frozen if isinstance(frozen, Leaf | Reference | Made) else key_skeleton(key)


def widened(tracing: Tracing, contents: StagedItems, element: Skeleton) -> StagedItems:
    """The contents with rows that can hold values of `element`, too."""
    tells = any(isinstance(one, Leaf) and one.same for one in (contents.element, element))
    given = known_tensor(element) if tells else staged_element(element)
    return _with_element(tracing, contents, join(contents.element, given, ROW))


def _with_element(tracing: Tracing, contents: StagedItems, element: Skeleton) -> StagedItems:
    """The contents with rows of a type that holds theirs."""
    if alike(element, contents.element):
        return contents
    frozen = Grown(contents.kind, contents.element, contents.columns)
    columns = Coercer(tracing.region.trace).columns(frozen, element)
    return StagedItems(contents.kind, element, tuple(columns))


ROW = Joining("an element of a container", in_list=True)


def leaves_of(tracing: Tracing, contents: StagedItems, frozen: Skeleton) -> list[Any]:
    """What the columns get for one row."""
    return Coercer(tracing.region.trace).row(frozen, contents.element)


def seal(tracing: Tracing, item: Any, taken: bool = False) -> None:
    """Note that what a value is made of is kept by value in a container from now on.

    `taken`: it was taken out of one, and may be what was put in.
    """
    parts = fixed_parts(item)
    if parts is not None:
        pass
    elif isinstance(item, types.FunctionType):
        if id(item) not in tracing.sealed:
            tracing.sealed[id(item)] = "function"
            parts = held_by_function(tracing, item)
    elif isinstance(item, Tensor):
        tracing.sealed.setdefault(id(item), "element")
        tracing.keep(item)
        if taken:
            tracing.taken.add(id(item))
        else:
            tracing.put.append(item)
    elif id(item) not in tracing.references and tracing.is_born(item):
        if id(item) not in tracing.sealed:
            parts = parts_of(item)
            if parts is not None:
                tracing.sealed[id(item)] = "element"
    for one in parts or ():
        seal(tracing, one, taken)


def held_by_function(tracing: Tracing, function: types.FunctionType) -> list[Any]:
    """What goes by value with a function into a container of staged length."""
    return kept_by_value(_freezer(tracing), function)


def fixed_parts(item: Any) -> Sequence[Any] | None:
    """What a value consists of that cannot be given other parts; None for anything else."""
    if isinstance(item, Choice):
        return item.options
    if isinstance(item, types.MethodType):
        return (item.__self__, item.__func__)
    if isinstance(item, functools.partial):
        return (item.func, *item.args, *item.keywords.values())
    if isinstance(item, tuple):
        return item
    names = declared(type(item), "_staged_parts")
    if names is None or declared(type(item), "_by_value") is not None:
        return None
    return [getattr(item, name) for name in names]


def parts_of(item: Any) -> list[Any] | None:
    """What a mutable object holds; None for anything else."""
    if isinstance(item, list | set | deque):
        return list(item)
    if isinstance(item, dict):
        return list(item.values())
    if isinstance(item, types.FunctionType | type):
        return None
    if isinstance(item, BaseException):
        return [*item.args, *(attributes_of(item) or {}).values()]
    namespace = attributes_of(item)
    return None if namespace is None else list(namespace.values())


def has_no_identity(tracing: Tracing, item: Any) -> bool:
    """Whether an object is in a container of staged length, by value, or came from there."""
    return tracing.sealed.get(id(item)) == "element" and not isinstance(item, Tensor)


def pushed(tracing: Tracing, contents: StagedItems, item: Any) -> StagedItems:
    """The contents with one more row."""
    frozen = frozen_row(tracing, item, contents.element)
    wide = widened(tracing, contents, frozen)
    seal(tracing, item)
    leaves = leaves_of(tracing, wide, frozen)
    pairs = zip(wide.columns, leaves, strict=True)
    return with_columns(wide, (OPS.list_push(StagedList(c), v)._value for c, v in pairs))


def with_row(tracing: Tracing, contents: StagedItems, index: Any, item: Any) -> StagedItems:
    """The contents with another row at an index."""
    frozen = frozen_row(tracing, item, contents.element)
    wide = widened(tracing, contents, frozen)
    seal(tracing, item)
    leaves = leaves_of(tracing, wide, frozen)
    pairs = zip(wide.columns, leaves, strict=True)
    return with_columns(wide, (put_at(c, index, v) for c, v in pairs))


def put_at(column: Any, index: Any, leaf: Any, old: Any = None) -> Any:
    """A column with another value at an index, of other sizes perhaps than the old one."""
    items, leaf = StagedList(column), wrap(leaf)
    if all(isinstance(dim, int) for dim in column.spec.element.shape):
        return OPS.list_set(items, index, leaf)._value
    old = OPS.list_get(items, index) if old is None else wrap(old)
    return OPS.list_exchange(items, index, leaf, old)._value


def without_last(tracing: Tracing, contents: StagedItems) -> tuple[StagedItems, Any]:
    """The contents without the last row, and that row."""
    columns, values = [], []
    for column in contents.columns:
        rest, value = OPS.list_pop(StagedList(column))
        columns.append(rest._value)
        values.append(value)
    return with_columns(contents, columns), thawed(tracing, contents.element, values)


def taken(contents: StagedItems, positions: Any) -> StagedItems:
    """The rows at positions (an int64 tensor), each at most once."""
    columns = [OPS.list_take(StagedList(column), positions) for column in contents.columns]
    return with_columns(contents, (column._value for column in columns))


def joined_rows(tracing: Tracing, first: StagedItems, second: StagedItems) -> StagedItems:
    """The rows of one container, then those of another."""
    one = widened(tracing, first, second.element)
    # Not `widened`, which would have the options of the second first.
    other = _with_element(tracing, second, one.element)
    pairs = zip(one.columns, other.columns, strict=True)
    columns = [OPS.list_extend(StagedList(left), StagedList(right)) for left, right in pairs]
    return with_columns(one, (column._value for column in columns))


INDEX = int64
"""The dtype of positions."""


def numbers(count: Any) -> Tensor:
    """0, 1, 2, … as an int64 tensor."""
    found: Tensor = OPS.arange(count, dtype=int64)
    return found
