"""Freezing Python values into skeletons, and thawing them into new values."""

from __future__ import annotations

import functools
import types
from collections import deque
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from autograph.effects.choice import Choice
from autograph.effects.exceptions import ORIGIN, new_exception, parts_of_exception
from autograph.effects.functions import (
    freeze_function,
    freeze_partial,
    own_cells,
    thaw_function,
    thaw_partial,
)
from autograph.effects.namespaces import refuse_in_question
from autograph.effects.objects import attributes_of, empty, give_attributes, setting_of
from autograph.effects.places import (
    POISON,
    ContentsPlace,
    DictItems,
    Items,
    SetItems,
    StagedItems,
    put_pairs,
)
from autograph.effects.region import Region
from autograph.effects.sameness import same_object_flag
from autograph.effects.sentinels import Sentinel
from autograph.effects.skeleton import (
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
    Path,
    Skeleton,
)
from autograph.effects.tracing import Tracing
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


AMBIGUOUS = object()
"""Two objects stood there, on two paths of the program."""
NO_CANDIDATE = np.asarray(0, np.int64)


class Freezer:
    """Freezes all that leaves one region, in one walk: an object met twice is frozen once.

    The region may have been rolled back: cells are read as they were at its end. With `outermost`,
    what the regions up to that one made is frozen, too. `by_reference`: objects and cells stay the
    ones they are. `leaving`: what is frozen leaves the staged function.
    """

    def __init__(
        self,
        tracing: Tracing,
        region: Region,
        outermost: Region | None = None,
        by_reference: bool = False,
        leaving: bool = False,
    ) -> None:
        self.tracing = tracing
        self.leaving = leaving
        self.by_reference = by_reference
        self.region = region
        self.trace = region.trace
        self.regions = [region]
        while outermost is not None and self.regions[-1] is not outermost:
            parent = self.regions[-1].parent
            assert parent is not None
            self.regions.append(parent)
        self.graphs = [one.trace.graph for one in self.regions]
        self.met: dict[int, Path] = {}
        self.tensors: dict[int, Tensor] = {}
        self.path: Path = ()

    def is_inside(self, tensor: Tensor) -> bool:
        """Whether a cell was made by the ops of what is frozen, so that nobody outside has it."""
        held = tensor._value
        if not isinstance(held, Value):
            return False
        key = ("tensor", id(tensor))
        for region in self.regions:  # a cell may have been written since: what it held first counts
            if key in region.log:
                held = region.log[key][1]
        return any(held.graph is graph for graph in self.graphs)

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
        if value is POISON:
            POISON()
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
            return Grown(value.kind, value.element, tuple(map(self.trace.lift, value.columns)))
        return self._structure(value)

    def _tensor(self, tensor: Tensor) -> Skeleton:
        held = self.value_at_end(tensor)
        lifted = self.trace.lift(held)
        if self.by_reference or not self.is_inside(tensor):
            return Cell(tensor, lifted.spec, lifted)
        sealed = self.tracing.sealed.get(id(tensor)) == "element"
        identity = self.tracing.identities.get(id(tensor))
        leaf = Leaf(lifted.spec, lifted, sealed=sealed, paths=(self.path,))
        if identity is not None or id(tensor) in self.tracing.followers:
            same, tag = self._candidates(tensor)
            if same:
                leaf = Leaf(lifted.spec, lifted, tuple(same), tag, sealed, (self.path,))
        if id(tensor) in self.met:
            return Again(self.met[id(tensor)], leaf)
        self.met[id(tensor)] = self.path
        self.tensors[id(tensor)] = tensor
        return leaf

    def _candidates(self, tensor: Tensor) -> tuple[list[Tensor | Path], Value | None]:
        """The objects outside, and the ones met before, that a tensor may be; and its tag."""
        with self.trace.active():
            known: dict[int, tuple[Tensor, Tensor | Path]] = {
                **{id(one): (one, one) for one in self._outer_objects(tensor)},
                **{id(one): (one, path) for one, path in self._relatives()},
            }
            same: list[Tensor | Path] = []
            tag: Any = NO_CANDIDATE
            for other, candidate in known.values():
                flag = same_object_flag(self.tracing, tensor, other)
                if flag is False:
                    continue
                same.append(candidate)
                number = np.asarray(len(same), np.int64)
                tag = number if flag is True else OPS.where(flag, number, tag)
            return same, self.trace.value_of(tag) if same else None

    def _outer_objects(self, tensor: Tensor) -> Iterator[Tensor]:
        """Tensors from before the region that a tensor may be."""
        identity = self.tracing.identities.get(id(tensor))
        for other in identity.objects if identity is not None else ():
            if other is None:
                continue
            if self.is_inside(other):
                yield from self._outer_objects(other)
            else:
                yield other

    def _relatives(self) -> Iterator[tuple[Tensor, Path]]:
        """Tensors met in this walk that may be others."""
        tracing = self.tracing
        for key, path in self.met.items():
            other = self.tensors.get(key)
            if other is not None and (key in tracing.identities or key in tracing.followers):
                yield other, path

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
        if kind is types.FunctionType:
            return Fixed(value) if self.by_reference else freeze_function(self, value)
        made = any(id(value) in region.born for region in self.regions)
        if self.by_reference or not made:
            return Fixed(value)
        return self._made(value)

    def _made(self, value: Any) -> Skeleton:
        kind = type(value)
        here = (self.path,)
        if id(value) in self.met:
            return Again(self.met[id(value)])
        if isinstance(value, CONTAINERS):
            refuse_in_question(self.tracing, value)
            self.met[id(value)] = self.path
            contents = ContentsPlace(value, self.tracing).get()
            setting = setting_of(value)
            own = [value.__dict__[name] for name in setting.names]
            if not isinstance(contents, Items):
                frozen = self.freeze_all((contents, *own))
                return Made(kind, STAGED_CONTENTS, frozen, here, setting)
            if isinstance(value, dict):
                frozen = self.freeze_all((*value.values(), *own))
                return Made(kind, tuple(value), frozen, here, setting)
            if isinstance(value, set):
                return Made(kind, tuple(value), self.freeze_all(own), here, setting)
            return Made(kind, (), self.freeze_all((*value, *own)), here, setting)
        if isinstance(value, types.GeneratorType | type) or hasattr(kind, "_keeps_identity"):
            return Fixed(value)
        if isinstance(value, functools.partial):
            return freeze_partial(self, value)
        raised, origins = isinstance(value, BaseException), self.tracing.origins
        namespace = parts_of_exception(value, origins) if raised else attributes_of(value)
        if namespace is None:
            return Fixed(value)
        self.met[id(value)] = self.path
        return Made(kind, tuple(namespace), self.freeze_all(namespace.values()), here)


class Thawer:
    """Makes Python values of a skeleton type and a stream of the graph's values."""

    def __init__(self, tracing: Tracing, values: Iterator[Value]) -> None:
        self.tracing = tracing
        self.values = values
        self.made: dict[Path, Any] = {}

    def note(self, paths: Iterable[Path], made: Any) -> None:
        """Remember an object by where it stood when it was frozen."""
        for path in paths:
            self.made[path] = AMBIGUOUS if path in self.made else made

    def thaw_all(self, skeletons: Iterable[Skeleton]) -> list[Any]:
        """The values of parts."""
        return [self.thaw(skeleton) for skeleton in skeletons]

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
            case Grown(kind=kind, element=element):
                columns = tuple(next(self.values) for _ in range(count_leaves(skeleton)))
                return StagedItems(kind, element, columns)
            case Made():
                return self._made(skeleton)
            case Again(path=path):
                return self._met(path)
            case Choices(options=options):
                tag = Number(next(self.values))
                return Choice(tag, tuple(self.thaw_all(options)))
        raise AssertionError(skeleton)

    def _met(self, path: Path) -> Any:
        if self.made.get(path, AMBIGUOUS) is AMBIGUOUS:
            raise MergeError(
                "two names share one object, but which one depends on a staged condition",
                remedy="make the branches agree on which names share an object, or copy it",
            )
        return self.made[path]

    def _leaf(self, skeleton: Leaf) -> Any:
        made = wrap(next(self.values))
        if isinstance(made, Tensor):
            if skeleton.same:
                tag = self._own_tag(skeleton, Tensor._of(next(self.values)))
                self.tracing.identify(made, tag, tuple(map(self._object, skeleton.same)))
            self.note(skeleton.paths, made)
            self.tracing.born(made)
            if skeleton.sealed:
                self.tracing.sealed[id(made)] = "element"
        return made

    def _own_tag(self, skeleton: Leaf, tag: Tensor) -> Tensor:
        """The tag, 0 where it says that the tensor is what stood at its own place."""
        for number, candidate in enumerate(skeleton.same):
            if not isinstance(candidate, Tensor) and candidate in skeleton.paths:
                if candidate not in self.made:
                    tag = OPS.where(OPS.equal(tag, number + 1), NO_CANDIDATE, tag)
        return tag

    def _object(self, candidate: Tensor | Path) -> Tensor | None:
        """The tensor that a candidate means here; None where it did not leave the region."""
        if isinstance(candidate, Tensor):
            return candidate
        found = self.made.get(candidate)
        return found if isinstance(found, Tensor) else None

    def _made(self, skeleton: Made) -> Any:
        kind: Any = skeleton.kind
        if kind is types.FunctionType:
            return self._function(skeleton)
        if issubclass(kind, functools.partial):
            return self.tracing.born(thaw_partial(self, skeleton))
        if issubclass(kind, BaseException):
            parts = self.thaw_all(skeleton.items)
            made = new_exception(kind, skeleton.keys, parts)
            self.tracing.origins.note(made, parts[skeleton.keys.index(ORIGIN)])
            self.note(skeleton.paths, made)
            return self.tracing.born(made)
        fresh = empty(kind, skeleton.setting)
        self.note(skeleton.paths, fresh)
        self.tracing.born(fresh)
        if skeleton.keys is STAGED_CONTENTS:
            contents, *own = self.thaw_all(skeleton.items)
            ContentsPlace(fresh, self.tracing).set(contents)
            give_attributes(fresh, skeleton.setting.names, own)
            return fresh
        parts = self.thaw_all(skeleton.items)
        if isinstance(fresh, CONTAINERS) and skeleton.setting is not None:
            names = skeleton.setting.names
            give_attributes(fresh, names, parts[len(parts) - len(names) :])
            parts = parts[: len(parts) - len(names)]
        if isinstance(fresh, dict):
            put_pairs(fresh, zip(skeleton.keys, parts, strict=True))
        elif isinstance(fresh, set):
            fresh.update(skeleton.keys)
        elif isinstance(fresh, list | deque):
            fresh.extend(parts)
        else:
            for name, part in zip(skeleton.keys, parts, strict=True):
                object.__setattr__(fresh, name, part)
        return fresh

    def _function(self, skeleton: Made) -> Any:
        function = thaw_function(self, skeleton, original=False)
        for cell in own_cells(self.tracing, function).values():
            self.tracing.cells_born.add(id(cell))
            self.tracing.born(cell)
        return self.tracing.born(function)


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
            return count_leaves(element) or 1
    return 0
