"""Making Python values of the concrete outputs of a run, by their skeletons."""

from __future__ import annotations

import functools
import types
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from autograph.errors import MergeError
from autograph.merge.concrete_values import given_as, in_columns, is_plain, rebuild_plain
from autograph.merge.freeze import CONTAINERS
from autograph.merge.functions import thaw_function, thaw_partial
from autograph.merge.iterator_makers import Making, thaw_making
from autograph.merge.pack import leaf_specs, packed_columns
from autograph.runtime.arrays.cells import Array, Scalar, View, as_array, as_result
from autograph.runtime.core.state import STATE
from autograph.runtime.core.tensor import Tensor
from autograph.runtime.ops.lists.list_selection import PADDING
from autograph.runtime.ops.table import OPS
from autograph.tracing.array_storage import ArrayStorage
from autograph.tracing.places import DictItems, Items, SetItems, put_pairs
from autograph.values.exception_objects import ORIGIN, new_exception
from autograph.values.object_state import BASE, empty, give_attributes, made_by_base
from autograph.values.skeleton import (
    PAIRS,
    STAGED_CONTENTS,
    Again,
    Cell,
    Choices,
    Fixed,
    Group,
    Grown,
    Held,
    Leaf,
    Made,
    Packed,
    Path,
    Reference,
    Skeleton,
    Within,
)

AMBIGUOUS = object()
"""Two objects stood there, on two paths of the program."""


class Concrete:
    """Thaws skeletons with arrays, Python numbers and ListValues, in the order of the outputs.

    `existing` maps the number of an object that existed before the call to the object, for `Given`.
    """

    def __init__(
        self, values: Iterator[Any], existing: Any = (), stores: Iterable[Stored] = ()
    ) -> None:
        self.values = values
        self.existing = existing
        self.made: dict[Path, Any] = {}
        self.origins: dict[int, int] = {}
        """By the id of an exception, the number of the line that raised it."""
        self.copies: dict[int, np.ndarray[Any, Any]] = {}
        self.taken = True
        """Whether it thaws what the run has chosen, and no other option."""
        self.followed: frozenset[int] = frozenset()
        """The ids of values that a tape follows: arrays and scalars of them are cells it knows."""
        self.referred: dict[tuple[Any, int], Any] = {}
        """Objects that were referred to, by their stores and numbers."""
        self.rows: dict[Any, tuple[Skeleton, list[Any]]] = {}
        for one in stores:
            self.load(one.key, one.contents)
            for number, given in one.given:
                storage: Any = ArrayStorage.__new__(ArrayStorage)
                storage.array = self.existing[given.index]
                self.referred[one.key, number] = storage

    def load(self, key: Any, contents: Skeleton) -> None:
        """Take the rows of a store."""
        columns = [next(self.values) for _ in leaf_specs(contents)]
        element = contents.element if isinstance(contents, Grown) else contents
        self.rows[key] = (element, columns)

    def row(self, row: Iterable[Any]) -> Concrete:
        """What thaws one row of columns."""
        inner = Concrete(iter(row), self.existing)
        inner.referred, inner.rows = self.referred, self.rows
        inner.taken = self.taken
        return inner

    def _referred(self, skeleton: Reference) -> Any:
        """The object that is referred to: made once."""
        number = int(next(self.values))
        if skeleton.kind is ArrayStorage:
            return self._storage(skeleton.key, number)
        known = self.referred.get((skeleton.key, number))
        if known is None:
            kind: Any = skeleton.kind
            there = self.rows.get(skeleton.key) if not self.taken else self.rows[skeleton.key]
            if there is None or (there[1] and number >= len(there[1][0])):
                return None  # an option that is not taken
            known = self.referred[skeleton.key, number] = empty(kind, skeleton.key[1])
            element, columns = self.rows[skeleton.key]
            if isinstance(element, Made):
                self.row(column[number] for column in columns).fill_object(known, element)
        return known

    def _storage(self, key: Any, number: int) -> Any:
        """The storage of an array that is referred to: made once."""
        known = self.referred.get((key, number))
        if known is None:
            (elements,) = self.rows[key][1]
            if number >= len(elements):
                return None  # an option that is not taken
            known = self.referred[key, number] = ArrayStorage.__new__(ArrayStorage)
            known.array = self._given_as(Array, elements[number])
        return known

    def _as_they_were(self, within: Within) -> Any:
        """What a text shows, of objects as they were when it was made."""
        now = self.referred, self.rows
        self.referred, self.rows = {}, dict(self.rows)
        for key, contents in within.stores:
            self.load(key, contents)
        made = self.thaw(within.item)
        self.referred, self.rows = now
        return made

    def _unpacked(self, packed: Packed) -> Iterable[Any]:
        columns = []
        for spec, padded in packed_columns(packed.element):
            array = next(self.values)
            if padded:
                columns.append([row[row != PADDING] for row in np.asarray(array)])
            else:
                columns.append(array.tolist() if spec.python else _items_of(array))
        if columns and self._is_plain(packed.element):
            return in_columns(packed.element, iter(columns), len(columns[0]))
        return (self.row(row).thaw(packed.element) for row in zip(*columns, strict=True))

    def note(self, paths: Iterable[Path], made: Any) -> None:
        """Remember an object by where it stood when it was frozen."""
        for path in paths:
            self.made[path] = AMBIGUOUS if path in self.made else made

    def thaw_all(self, skeletons: Iterable[Skeleton]) -> list[Any]:
        """The values of parts."""
        return [self.thaw(skeleton) for skeleton in skeletons]

    def thaw(self, skeleton: Skeleton) -> Any:
        """The next value; mutable objects are new ones."""
        match skeleton:
            case Given(index=index):
                return self.existing[index]
            case Fixed(value=value):
                return self._own(value) if isinstance(value, np.ndarray) else value
            case Cell(tensor=tensor):
                return tensor
            case Leaf():
                return self._leaf(skeleton)
            case Group(kind=kind, items=items):
                group = self.thaw_all(items)
                return self._perhaps(lambda: rebuild_plain(kind, group))
            case Held(kind=kind, keys=keys, items=items):
                parts = self.thaw_all(items)
                if keys is PAIRS:
                    return DictItems(tuple(parts)) if kind is dict else SetItems(tuple(parts))
                if kind is dict:
                    return DictItems(tuple(zip(keys, parts, strict=True)))
                return SetItems(keys) if kind is set else Items(tuple(parts))
            case Grown():
                elements = self._elements(skeleton)
                return self._perhaps(lambda: Items(tuple(elements)))
            case Packed():
                unpacked = self._unpacked(skeleton)
                return self._perhaps(lambda: Items(tuple(unpacked)))
            case Reference():
                return self._referred(skeleton)
            case Within():
                return self._as_they_were(skeleton)
            case Made():
                return self._made(skeleton)
            case Again(path=path):
                return self._met(path)
            case Choices(options=options):
                return self._choice(options)
        raise AssertionError(skeleton)

    def _met(self, path: Path) -> Any:
        found = self.made.get(path, AMBIGUOUS)
        if found is AMBIGUOUS:
            raise MergeError("which object two names share depends on a staged condition")
        return found

    def _own(self, array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        """An array that was made while tracing: each call gives one of its own."""
        return self.copies.setdefault(id(array), array.copy())

    def _leaf(self, skeleton: Leaf) -> Any:
        value = next(self.values)
        tag = int(next(self.values)) if skeleton.same else 0
        if tag in skeleton.numbers:
            known = self._object(skeleton.same[skeleton.numbers.index(tag)])
            if known is not None:
                self.note(skeleton.paths, known)
                return known
        if isinstance(value, np.ndarray):
            made = self._given_as(skeleton.kind, value)
            self.note(skeleton.paths, made)
            return made
        return value

    def _given_as(self, kind: type[Tensor], value: np.ndarray[Any, Any]) -> Any:
        if kind is not Tensor and id(value) in self.followed:
            made = Tensor._of(value)
            return as_result(made) if kind is Scalar else as_array(made)
        return given_as(kind, value)

    def _object(self, candidate: Any) -> Any:
        if isinstance(candidate, Given):
            return self.existing[candidate.index]
        is_object = isinstance(candidate, Tensor)
        return candidate if is_object else self.made.get(candidate)

    def _is_plain(self, element: Skeleton) -> bool:
        """Whether rows of this type are made a column at a time."""
        return self.taken and not self.followed and is_plain(element)

    def _elements(self, grown: Grown) -> Iterable[Any]:
        columns = [next(self.values) for _ in leaf_specs(grown)]
        if columns and self._is_plain(grown.element):
            return in_columns(grown.element, iter(columns), len(columns[0]))
        return self._of_columns(grown, columns)

    def _of_columns(self, grown: Grown, columns: list[Any]) -> Iterator[Any]:
        if not columns:
            return
        if _is_whole_storage(grown.element):
            key = grown.element.items[0].key  # type: ignore[attr-defined]
            for number in columns[0]:
                yield self._storage(key, int(number)).array
            return
        for row in zip(*columns, strict=True):
            yield self.row(row).thaw(grown.element)

    def _choice(self, options: tuple[Skeleton, ...]) -> Any:
        tag = int(next(self.values))
        found = None
        for number, option in enumerate(options):
            outer, self.taken = self.taken, self.taken and number == tag
            value = self.thaw(option)
            self.taken = outer
            found = value if number == tag else found
        return found

    def _made(self, skeleton: Made) -> Any:
        return self._perhaps(lambda: self._made_of(skeleton))

    def _perhaps(self, make: Callable[[], Any]) -> Any:
        """What is made; of an option that is not taken, None where that fails: its parts were made
        on no path, and fit nothing. What two options share is made by either."""
        if self.taken:
            return make()
        try:
            return make()
        except Exception:
            return None

    def _made_of(self, skeleton: Made) -> Any:
        kind: Any = skeleton.kind
        if kind is types.FunctionType:
            return thaw_function(self, skeleton, original=True)
        if issubclass(kind, functools.partial):
            return thaw_partial(self, skeleton)
        if kind is Making:
            return thaw_making(self, skeleton, self.taken)
        if issubclass(kind, BaseException):
            parts = self.thaw_all(skeleton.items)
            made = new_exception(kind, skeleton.keys, parts)
            self.origins[id(made)] = parts[skeleton.keys.index(ORIGIN)]
            self.note(skeleton.paths, made)
            return made
        if skeleton.keys and skeleton.keys[0] is BASE:
            made = made_by_base(kind, skeleton.keys, self.thaw_all(skeleton.items))
            self.note(skeleton.paths, made)
            return made
        fresh = empty(kind, skeleton.setting)
        self.note(skeleton.paths, fresh)
        self.fill_object(fresh, skeleton)
        return fresh

    def fill_object(self, fresh: Any, skeleton: Made) -> None:
        """Give a new object what it is made of."""
        parts = self.thaw_all(skeleton.items)
        if not isinstance(fresh, CONTAINERS):
            give_attributes(fresh, skeleton.keys, parts)
            return
        names = skeleton.setting.names if skeleton.setting is not None else ()
        give_attributes(fresh, names, parts[len(parts) - len(names) :])
        items = parts[: len(parts) - len(names)]
        if skeleton.keys is STAGED_CONTENTS:
            fill(fresh, items[0].values)
        elif skeleton.keys is PAIRS:
            fill(fresh, items)
        elif isinstance(fresh, dict):
            put_pairs(fresh, zip(skeleton.keys, items, strict=True))
        elif isinstance(fresh, set):
            set.update(fresh, skeleton.keys)
        else:
            fill(fresh, items)


def _is_whole_storage(element: Skeleton) -> bool:
    """Whether the rows of a container are arrays that have storages, each all of one."""
    if not isinstance(element, Group) or element.kind is not View:
        return False
    base, name, _ = element.items
    stored = isinstance(base, Reference) and base.kind is ArrayStorage
    return stored and isinstance(name, Fixed) and name.value == "storage"


def _items_of(array: Any) -> list[Any]:
    """The parts of what was packed; where a tape watches, it sees them come from the whole."""
    if not STATE.tapes:
        return [np.array(one) for one in array]
    whole = Tensor._of(array)
    return [OPS.copy(whole[number])._value for number in range(len(array))]


def fill(container: Any, values: Iterable[Any]) -> None:
    """Put contents into a new container."""
    if isinstance(container, dict):
        put_pairs(container, values)
    elif isinstance(container, set):
        set.update(container, values)
    elif isinstance(container, list):
        list.extend(container, values)
    else:
        deque.extend(container, values)


@dataclass(frozen=True, slots=True)
class Stored:
    """A store that a call leaves objects of: its key, and what its rows are."""

    key: Any
    contents: Skeleton
    given: tuple[tuple[int, Given], ...] = ()
    """The rows that stand for arrays of the caller's."""


class Given(Skeleton):
    """An object that existed before the call, found again by its path."""

    __slots__ = ("index",)
    __match_args__ = ("index",)

    def __init__(self, index: int) -> None:
        self.index = index
