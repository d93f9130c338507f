"""Thawing skeletons into new Python values, with the graph's values in them."""

from __future__ import annotations

import functools
import types
from collections import deque
from collections.abc import Iterable, Iterator
from typing import Any, NoReturn

from autograph.errors import MergeError
from autograph.merge.freeze import CONTAINERS
from autograph.merge.functions import CHANGING, own_cells, sight, thaw_function, thaw_partial
from autograph.merge.pack import as_columns, leaf_specs
from autograph.runtime.arrays.cells import as_tensor
from autograph.runtime.core.number import Number
from autograph.runtime.core.spec import PYINT
from autograph.runtime.core.tensor import Tensor
from autograph.runtime.graph.ir import Value
from autograph.runtime.graph.trace import wrap
from autograph.runtime.ops.table import OPS
from autograph.tracing.aliases import Identity
from autograph.tracing.places import (
    ContentsPlace,
    DictItems,
    Items,
    SetItems,
    StagedItems,
    put_pairs,
)
from autograph.tracing.sameness import OWN, as_number, object_number
from autograph.tracing.tracing import Tracing
from autograph.values.choice import Choice
from autograph.values.exception_objects import ORIGIN, new_exception
from autograph.values.marks import declared
from autograph.values.object_state import BASE, empty, give_attributes, keep_attribute, made_by_base
from autograph.values.references import FoundReferences, Snapshot
from autograph.values.skeleton import (
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
    code_of_path,
    in_option,
    kind_of,
    made_of,
)
from autograph.values.thawed_objects import Conditions, Meetings, where_all


class Thawer:
    """Makes Python values of a skeleton type and a stream of the graph's values."""

    def __init__(self, tracing: Tracing, values: Iterator[Value]) -> None:
        self.tracing = tracing
        self.values = values
        self.made = Meetings()

    def note(self, paths: Iterable[Path], made: Any) -> None:
        """Remember an object by where it stood when it was frozen."""
        for path in paths:
            self.made.note(path, made)

    def thaw_all(self, skeletons: Iterable[Skeleton]) -> list[Any]:
        """The values of parts."""
        return [self.thaw(skeleton) for skeleton in skeletons]

    def thaw(self, skeleton: Skeleton) -> Any:
        """The next value. Mutable objects are new, and born in the current region."""
        match skeleton:
            case Fixed(value=value, born=born):
                return self._given_back(value) if born else value
            case Cell(tensor=tensor):
                return tensor
            case Leaf():
                return self._leaf(skeleton)
            case Group(kind=kind, items=items):
                made = rebuild(kind, self.thaw_all(items))
                self.tracing.rebuild(made)
                own = _is_subclass(kind) or declared(kind, "_staged_parts") is not None
                return self.tracing.born(made) if own else made
            case Held(kind=kind, keys=keys, items=items):
                parts = self.thaw_all(items)
                if kind is dict:
                    return DictItems(tuple(zip(keys, parts, strict=True)))
                return SetItems(keys) if kind is set else Items(tuple(parts))
            case Grown(kind=kind, element=element):
                columns = tuple(next(self.values) for _ in range(count_leaves(skeleton)))
                return StagedItems(kind, element, columns)
            case Packed():
                return self._unpacked(skeleton)
            case Reference(key=key, kind=kind):
                return self.tracing.keeper.refer(key, kind, Number(next(self.values)))
            case Within(stores=stores, item=item):
                tables = {key: self.thaw(table) for key, table in stores}
                return Snapshot(self.thaw(item), tables)
            case Made():
                return self._made(skeleton)
            case Again(path=path):
                return self._met(path, skeleton.kind)
            case Choices():
                return self._choice(skeleton)
        raise AssertionError(skeleton)

    def _given_back(self, value: Any) -> Any:
        """An object with an identity that was made in a branch or turn, here born as well."""
        recipe = self.tracing.generators.get(id(value))
        if recipe is None:
            return self.tracing.born(value)
        self.tracing.region.born[id(value)] = self.tracing.born(recipe)  # which keeps none alive
        return value

    def _unpacked(self, skeleton: Packed) -> StagedItems:
        element = skeleton.element
        given = [next(self.values) for _ in leaf_specs(element) or [PYINT]]
        columns = tuple(one._value for one in as_columns(element, given))
        return StagedItems(skeleton.kind, element, columns)

    def _choice(self, skeleton: Choices) -> Choice:
        tag, options = Number(next(self.values)), []
        for number, option in enumerate(skeleton.options):
            with self.made.option(tag, number):
                options.append(self.thaw(option))
        return Choice(tag, tuple(options))

    def _met(self, path: Path, kind: type | None) -> Any:
        """The object that stood at `path`."""
        noted = self.made.noted.get(path, [])
        if len(noted) == 1:
            return noted[0][0]
        found = [] if in_option(path) else self.made.perhaps(path)
        specs = {one._value.spec for one, _ in found if isinstance(one, Tensor)}
        if len(specs) != 1 or not all(isinstance(one, Tensor) for one, _ in found):
            self._refuse(kind)
        value = found[0][0]
        number: Any = object_number(self.tracing, value)
        for one, conditions in found[1:]:
            here = where_all(True, conditions)
            value = OPS.where(here, as_tensor(one), as_tensor(value))
            number = OPS.where(here, object_number(self.tracing, one), number)
        made = made_of(kind_of(found[0][0]), value._value)
        objects = self._resolved([one for one, _ in found])
        self.tracing.identities.note(made, Identity(number, objects, own=False, lost=False))
        return self.tracing.born(made)

    def _refuse(self, kind: type | None) -> NoReturn:
        error = MergeError(
            "two names share one object, but which one depends on a staged condition",
            remedy="make the branches agree on which names share an object, or copy it",
        )
        if kind is None:
            raise error
        raise FoundReferences(kind, (kind,), otherwise=error)

    def _leaf(self, skeleton: Leaf) -> Any:
        made = wrap(next(self.values))
        if isinstance(made, Tensor):
            if skeleton.kind is not Tensor:
                made = made_of(skeleton.kind, made._value)
            if skeleton.same:
                tag = Tensor._of(next(self.values))
                self.tracing.identities.note(made, self._identity(skeleton, tag))
            self.note(skeleton.paths, made)
            self.tracing.born(made)
            if skeleton.sealed:
                self.tracing.sealed[id(made)] = "element"
                self.tracing.taken.add(id(made))
        return made

    def _identity(self, skeleton: Leaf, tag: Tensor) -> Identity:
        """Which tensors a merged one may be, and the number that tells which it is.

        A candidate that did not leave the region is lost: then the tensor stands for it.
        """
        number: Any = tag
        meant: list[Tensor] = []
        own, told, lost = skeleton.own, False, False
        for candidate in skeleton.same:
            if isinstance(candidate, Tensor):
                meant.append(candidate)
                continue
            own = told = True  # in options that are not taken, nothing stood there
            code = as_number(code_of_path(skeleton.same, candidate))
            for one, conditions in self._objects(candidate):
                if one is None:
                    lost |= candidate not in skeleton.paths
                    continue
                meant.append(one)
                here = where_all(OPS.equal(tag, code), conditions)
                number = OPS.where(here, object_number(self.tracing, one), number)
        if told:  # no place is left in it
            number = OPS.where(OPS.greater(number, OWN), number, OWN)
        return Identity(number, self._resolved(meant), own, lost)

    def _resolved(self, tensors: Iterable[Tensor]) -> tuple[Tensor, ...]:
        """The objects that tensors may be, none of which is one that was merged of others."""
        found: dict[int, Tensor] = {}
        for one in tensors:
            identity = self.tracing.identities.of(one)
            for each in (one,) if identity is None or identity.own else ():
                found[id(each)] = each
            for each in identity.objects if identity is not None else ():
                found[id(each)] = each
        return tuple(found.values())

    def _objects(self, candidate: Tensor | Path) -> list[tuple[Tensor | None, Conditions]]:
        """What a candidate means here, in each option of the choices where it stood."""
        if isinstance(candidate, Tensor):
            return [(candidate, ())]
        noted = self.made.noted.get(candidate, [])
        if len(noted) < 2:
            made = noted[0][0] if noted else None
            return [(made if isinstance(made, Tensor) else None, ())]
        return [each for each in self.made.perhaps(candidate) if isinstance(each[0], Tensor)]

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
        if skeleton.keys and skeleton.keys[0] is BASE:
            made = made_by_base(kind, skeleton.keys, self.thaw_all(skeleton.items))
            self.note(skeleton.paths, made)
            return self.tracing.born(made)
        fresh = empty(kind, skeleton.setting)
        self.note(skeleton.paths, fresh)
        self.tracing.born(fresh)
        if skeleton.sealed:
            self.tracing.sealed[id(fresh)] = "element"
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
                keep_attribute(fresh, name, part)
        return fresh

    def _function(self, skeleton: Made) -> Any:
        function = thaw_function(self, skeleton, original=False)
        parts = dict(zip(skeleton.keys, skeleton.items, strict=True))
        for name, cell in own_cells(self.tracing, function).items():
            part = parts[f"cell {name}"]
            if not isinstance(part, Fixed):  # which is of a call from before
                self.tracing.closures.born.add(id(cell))
                self.tracing.born(cell)
            if isinstance(part, Made) and CHANGING in part.keys:
                self.tracing.closures.changing.add(id(cell))
        sight(self.tracing, function)
        return self.tracing.born(function)


def _is_subclass(kind: Any) -> bool:
    return kind is not tuple and isinstance(kind, type) and issubclass(kind, tuple)


def rebuild(kind: Any, parts: list[Any]) -> Any:
    """An immutable structure of this kind from its parts."""
    if kind is tuple:
        return tuple(parts)
    if kind is frozenset:
        return frozenset(parts)
    if hasattr(kind, "_fields"):
        return kind._make(parts)
    if issubclass(kind, tuple):
        return tuple.__new__(kind, parts)
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
        case Grown(element=element) | Packed(element=element):
            return count_leaves(element) or 1
        case Reference():
            return 1
    return 0
