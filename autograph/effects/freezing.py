"""Freezing Python values into skeletons, and thawing them into new values."""

from __future__ import annotations

import types
from collections import deque
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from autograph.effects.choice import Choice
from autograph.effects.places import (
    ContentsPlace,
    DictItems,
    Items,
    SetItems,
    StagedItems,
)
from autograph.effects.region import Region
from autograph.effects.sentinels import Sentinel
from autograph.effects.skeleton import (
    Again,
    Cell,
    Choices,
    Fixed,
    Group,
    Grown,
    Held,
    Leaf,
    Made,
    Path,
    Skeleton,
    position,
)
from autograph.effects.tracing import Identity, Tracing
from autograph.errors import MergeError
from autograph.runtime.core.number import Number
from autograph.runtime.core.tensor import Tensor
from autograph.runtime.core.variable import Variable
from autograph.runtime.graph.ir import Value
from autograph.runtime.graph.trace import StagedList, Trace, wrap
from autograph.runtime.ops.table import OPS

CONTAINERS = (list, dict, set, deque)


def is_made_in(tensor: Tensor, trace: Trace) -> bool:
    """Whether a cell was made by the ops of this very graph (asked after the roll-back)."""
    return isinstance(tensor._value, Value) and tensor._value.graph is trace.graph


STAGED_CONTENTS = ("staged contents",)
NO_CANDIDATE = np.asarray(0, np.int64)


def _add(same: list[Tensor | Path], candidate: Tensor | Path) -> int:
    """The number of a candidate among `same`, from 1; it is added if need be."""
    place = position(same, candidate)
    if place is None:
        same.append(candidate)
        return len(same)
    return place + 1


class Freezer:
    """Freezes all that leaves one region, in one walk: an object met twice is frozen once.

    The region may have been rolled back: cells are read as they were at its end.
    """

    def __init__(self, tracing: Tracing, region: Region) -> None:
        self.tracing = tracing
        self.region = region
        self.trace = region.trace
        self.met: dict[int, Path] = {}
        self.path: Path = ()

    def freeze_at(self, label: Any, value: Any) -> Skeleton:
        """Like `freeze`, of the value that stands at `label`: a place's key, for instance."""
        self.path = (label,)
        return self.freeze(value)

    def freeze_all(self, values: Iterable[Any]) -> tuple[Skeleton, ...]:
        """The skeletons of the parts of a value."""
        outer = self.path
        frozen = []
        for number, value in enumerate(values):
            self.path = (*outer, number)
            frozen.append(self.freeze(value))
        self.path = outer
        return tuple(frozen)

    def freeze(self, value: Any) -> Skeleton:
        """The skeleton of `value`, with the graph's values (of the region's graph) in it."""
        if isinstance(value, Sentinel):
            return Fixed(value)
        if isinstance(value, Number | StagedList):
            lifted = self.trace.lift(value._value)
            return Leaf(lifted.spec, lifted)
        if isinstance(value, Choice):
            tag = self.trace.lift(value.tag._value)
            return Choices(self.freeze_all(value.options), tag)
        if isinstance(value, Variable):
            return Fixed(value)
        if isinstance(value, Tensor):
            return self._tensor(value)
        if isinstance(value, Value):
            lifted = self.trace.lift(value)
            return Leaf(lifted.spec, lifted)
        if isinstance(value, Items):
            return self._contents(value)
        if isinstance(value, StagedItems):
            return Grown(value.element, tuple(map(self.trace.lift, value.columns)))
        return self._structure(value)

    def _tensor(self, tensor: Tensor) -> Skeleton:
        held = self.value_at_end(tensor)
        lifted = self.trace.lift(held)
        if not is_made_in(tensor, self.trace):
            return Cell(tensor, lifted.spec, lifted)
        sealed = self.tracing.sealed.get(id(tensor)) == "element"
        identity = self.tracing.identities.get(id(tensor))
        leaf = Leaf(lifted.spec, lifted, sealed=sealed)
        if identity is not None:
            same, tag = self._candidates(identity)
            if same:
                leaf = Leaf(lifted.spec, lifted, tuple(same), tag, sealed)
        if id(tensor) in self.met:
            return Again(self.met[id(tensor)], leaf)
        self.met[id(tensor)] = self.path
        return leaf

    def _candidates(self, identity: Identity) -> tuple[list[Tensor | Path], Value]:
        """The objects outside that a tensor may be, and the tag that tells which.

        One that does not leave the region stands for what it may be itself, or for nothing.
        """
        same: list[Tensor | Path] = []
        parts: list[tuple[int, Any]] = []
        for number, other in enumerate(identity.objects):
            if other is None:
                continue
            known: Tensor | Path | None = other
            if is_made_in(other, self.trace):
                known = self.met.get(id(other))
            if known is not None:
                parts.append((number + 1, _add(same, known)))
                continue
            deeper = self.tracing.identities.get(id(other))
            if deeper is not None:
                inner, tag = self._candidates(deeper)
                places = [_add(same, one) for one in inner]
                parts.append((number + 1, self._renumbered(tag, places)))
        lifted = self.trace.lift(identity.tag._value)
        if all(place == number for number, place in parts if isinstance(place, int)) and all(
            isinstance(place, int) for _, place in parts
        ):
            return same, lifted
        return same, self._chosen(lifted, parts)

    def _renumbered(self, tag: Value, places: list[int]) -> Any:
        return self._chosen(tag, [(number + 1, place) for number, place in enumerate(places)])

    def _chosen(self, tag: Value, parts: list[tuple[int, Any]]) -> Value:
        """The tag that is, where `tag` is the first of a pair, the second; else 0."""
        with self.trace.active():
            total: Any = Tensor._of(self.trace.constant(NO_CANDIDATE))
            for number, place in parts:
                here = OPS.equal(Tensor._of(tag), number)
                value = np.asarray(place) if isinstance(place, int) else Tensor._of(place)
                total = OPS.where(here, value, total)
        return self.trace.value_of(total)

    def value_at_end(self, tensor: Tensor) -> Value:
        """What the cell held when the region ended."""
        key = ("tensor", id(tensor))
        if key in self.region.finals:
            final: Value = self.region.finals[key]
            return final
        return self.tracing.cell_value(tensor)

    def _contents(self, items: Items) -> Skeleton:
        values = items.values
        if isinstance(items, DictItems):
            keys = tuple(one[0] for one in values)
            return Held(dict, keys, self.freeze_all(one[1] for one in values))
        if isinstance(items, SetItems):
            return Held(set, values, ())
        return Held(list, (), self.freeze_all(values))

    def _structure(self, value: Any) -> Skeleton:
        kind = type(value)
        if kind is tuple or (isinstance(value, tuple) and hasattr(kind, "_fields")):
            return Group(kind, self.freeze_all(value))
        if kind is slice:
            return Group(slice, self.freeze_all((value.start, value.stop, value.step)))
        if kind is types.MethodType:
            return Group(kind, self.freeze_all((value.__func__, value.__self__)))
        parts = getattr(kind, "_staged_parts", None)
        if parts is not None:
            return Group(kind, self.freeze_all(getattr(value, name) for name in parts))
        if id(value) not in self.region.born:
            return Fixed(value)
        return self._made(value)

    def _made(self, value: Any) -> Skeleton:
        kind = type(value)
        if id(value) in self.met:
            return Again(self.met[id(value)])
        if isinstance(value, CONTAINERS):
            self.met[id(value)] = self.path
            contents = ContentsPlace(value, self.tracing).get()
            if not isinstance(contents, Items):
                return Made(kind, STAGED_CONTENTS, self.freeze_all((contents,)))
            if isinstance(value, dict):
                keys = tuple(value)
                return Made(kind, keys, self.freeze_all(value.values()))
            if isinstance(value, set):
                return Made(kind, tuple(value), ())
            return Made(kind, (), self.freeze_all(value))
        namespace = getattr(value, "__dict__", None)
        if namespace is None or isinstance(value, types.FunctionType | type | BaseException):
            return Fixed(value)
        self.met[id(value)] = self.path
        return Made(kind, tuple(namespace), self.freeze_all(namespace.values()))


class Thawer:
    """Makes Python values of a skeleton type and a stream of the graph's values."""

    def __init__(self, tracing: Tracing, values: Iterator[Value]) -> None:
        self.tracing = tracing
        self.values = values
        self.made: dict[Path, Any] = {}
        self.path: Path = ()

    def thaw_at(self, label: Any, skeleton: Skeleton) -> Any:
        """Like `thaw`, for the value that stands at `label`."""
        self.path = (label,)
        return self.thaw(skeleton)

    def thaw_all(self, skeletons: Iterable[Skeleton]) -> list[Any]:
        """The values of parts."""
        outer = self.path
        thawed = []
        for number, skeleton in enumerate(skeletons):
            self.path = (*outer, number)
            thawed.append(self.thaw(skeleton))
        self.path = outer
        return thawed

    def thaw(self, skeleton: Skeleton) -> Any:
        """The next value. Mutable objects are new, and born in the current region."""
        match skeleton:
            case Fixed(value=value):
                return value
            case Cell(tensor=tensor):
                return tensor
            case Leaf():
                return self._leaf(skeleton)
            case Group(kind=kind, items=items):
                return rebuild(kind, self.thaw_all(items))
            case Held(kind=kind, keys=keys, items=items):
                parts = self.thaw_all(items)
                if kind is dict:
                    return DictItems(tuple(zip(keys, parts, strict=True)))
                return SetItems(keys) if kind is set else Items(tuple(parts))
            case Grown(element=element):
                columns = tuple(next(self.values) for _ in range(count_leaves(element)))
                return StagedItems(element, columns)
            case Made():
                return self._made(skeleton)
            case Again(path=path):
                return self._met(path)
            case Choices(options=options):
                tag = Number(next(self.values))
                return Choice(tag, tuple(self.thaw_all(options)))
        raise AssertionError(skeleton)

    def _met(self, path: Path) -> Any:
        if path not in self.made:
            raise MergeError(
                "two names share one mutable object on one path only",
                remedy="make the branches agree on which names share an object, or copy it",
            )
        return self.made[path]

    def _leaf(self, skeleton: Leaf) -> Any:
        made = wrap(next(self.values))
        if isinstance(made, Tensor):
            self.made[self.path] = made
            self.tracing.born(made)
            if skeleton.same:
                tag = Tensor._of(next(self.values))
                self.tracing.identify(made, tag, tuple(map(self._object, skeleton.same)))
            if skeleton.sealed:
                self.tracing.sealed[id(made)] = "element"
        return made

    def _object(self, candidate: Tensor | Path) -> Tensor | None:
        """The tensor that a candidate means here; None where it did not leave the region."""
        if isinstance(candidate, Tensor):
            return candidate
        found = self.made.get(candidate)
        return found if isinstance(found, Tensor) else None

    def _made(self, skeleton: Made) -> Any:
        kind = skeleton.kind
        fresh = kind.__new__(kind)
        self.made[self.path] = fresh
        self.tracing.born(fresh)
        if skeleton.keys is STAGED_CONTENTS:
            (contents,) = self.thaw_all(skeleton.items)
            ContentsPlace(fresh, self.tracing).set(contents)
            return fresh
        parts = self.thaw_all(skeleton.items)
        if isinstance(fresh, dict):
            dict.update(fresh, zip(skeleton.keys, parts, strict=True))
        elif isinstance(fresh, set):
            fresh.update(skeleton.keys)
        elif isinstance(fresh, list | deque):
            fresh.extend(parts)
        else:
            fresh.__dict__.update(zip(skeleton.keys, parts, strict=True))
        return fresh


def rebuild(kind: Any, parts: list[Any]) -> Any:
    """An immutable structure of this kind from its parts."""
    if kind is tuple:
        return tuple(parts)
    if hasattr(kind, "_fields"):
        return kind._make(parts)
    return kind(*parts)


def count_leaves(skeleton: Skeleton) -> int:
    """How many values of the graph a value of this type has."""
    match skeleton:
        case Leaf(same=same):
            return 2 if same else 1
        case Group(items=items) | Made(items=items) | Held(items=items):
            return sum(map(count_leaves, items))
        case Choices(options=options):
            return 1 + sum(map(count_leaves, options))
        case Grown(element=element):
            return count_leaves(element)
    return 0
