"""Freezing Python values into skeletons: what leaves a region."""

from __future__ import annotations

import functools
import types
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from autograph.effects.choice import Choice
from autograph.effects.exceptions import parts_of_exception
from autograph.effects.functions import (
    freeze_function,
    freeze_partial,
)
from autograph.effects.hashed import are_constant, refuse_own, tensor_leaves, tensors_among
from autograph.effects.leaks import refuse_own_objects
from autograph.effects.marks import declared
from autograph.effects.meetings import Conditions, where_all
from autograph.effects.namespaces import refuse_in_question
from autograph.effects.objects import attributes_of, parts_by_base, setting_of
from autograph.effects.opaque import is_closed
from autograph.effects.places import (
    POISON,
    ContentsPlace,
    DictItems,
    Items,
    SetItems,
    StagedItems,
)
from autograph.effects.references import FoundReferences, Snapshot
from autograph.effects.region import Region
from autograph.effects.sameness import is_element, same_object_flag
from autograph.effects.sentinels import Sentinel
from autograph.effects.skeleton import (
    OPTION,
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
    Path,
    Reference,
    Skeleton,
    Within,
    in_option,
    is_option,
)
from autograph.effects.tracing import Tracing
from autograph.runtime.core.location import pinned
from autograph.runtime.core.number import Number
from autograph.runtime.core.tensor import Tensor
from autograph.runtime.core.variable import Variable
from autograph.runtime.graph.ir import Value
from autograph.runtime.graph.trace import StagedList, Trace
from autograph.runtime.ops.table import OPS

CONTAINERS = (list, dict, set, deque)


def is_made_in(tensor: Tensor, trace: Trace) -> bool:
    """Whether a cell was made by the ops of this very graph (asked after the roll-back)."""
    return isinstance(tensor._value, Value) and tensor._value.graph is trace.graph


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
        self.taken: Conditions = ()
        """The options that the walk is in."""
        self.stood: dict[int, list[tuple[Path, Conditions]]] = {}
        """Where each tensor stood in options of choices, and which options these are."""
        self.roots: dict[int, frozenset[int]] = {}
        self.path: Path = ()
        self.by_value = False
        """Whether it is in what is only shown: nobody asks which tensor that is."""

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
            return self._choice(value)
        if isinstance(value, Variable):
            return Fixed(value)
        if isinstance(value, Tensor):
            return self._tensor(value)
        if isinstance(value, Value):
            lifted = self.trace.lift(value)
            return Leaf(lifted.spec, lifted)
        if isinstance(value, Items):
            return self._contents(value)
        if isinstance(value, Snapshot):
            tables = tuple((key, self.freeze(one)) for key, one in value.rows.items())
            return Within(tables, self.freeze(value.contents))
        if isinstance(value, StagedItems):
            if not self.by_reference:
                refuse_own_objects(self.tracing, value.element, self.region)
            return Grown(value.kind, value.element, tuple(map(self.trace.lift, value.columns)))
        return self._structure(value)

    def _choice(self, choice: Choice) -> Skeleton:
        outer, taken, options = self.path, self.taken, []
        for number, option in enumerate(choice.options):
            self.path = (*outer, (OPTION, number))
            self.taken = (*taken, (choice.tag, number))
            options.append(self.freeze(option))
        self.path, self.taken = outer, taken
        return Choices(tuple(options), self.trace.lift(choice.tag._value))

    def _tensor(self, tensor: Tensor) -> Skeleton:
        held = self.value_at_end(tensor)
        lifted = self.trace.lift(held)
        if self.by_value:
            return Leaf(lifted.spec, lifted, sealed=True)
        if self.by_reference or not self.is_inside(tensor):
            return Cell(tensor, lifted.spec, lifted, is_element(self.tracing, tensor))
        sealed = is_element(self.tracing, tensor)
        leaf = Leaf(lifted.spec, lifted, sealed=sealed, paths=(self.path,))
        before = self.met.get(id(tensor))
        if before is not None and self._surely_met(before):
            return Again(before, self._identified(tensor, leaf))
        # Where it stood in an option before, a tag tells that place: it may not be the one taken.
        leaf = self._identified(tensor, leaf)
        if before is None or not in_option(self.path):
            self.met[id(tensor)] = self.path
            self.tensors[id(tensor)] = tensor
        if in_option(self.path):
            self.stood.setdefault(id(tensor), []).append((self.path, self.taken))
        return leaf

    def _surely_met(self, before: Path) -> bool:
        """Whether on each path of the program that comes here something stood at `before`."""
        last = max((n for n, part in enumerate(before) if is_option(part)), default=-1)
        return before[: last + 1] == self.path[: last + 1]

    def _identified(self, tensor: Tensor, leaf: Leaf) -> Leaf:
        """The leaf, with what the tensor may be."""
        if self._may_be_another(tensor) or id(tensor) in self.met:
            same, tag = self._candidates(tensor)
            if same:
                return Leaf(leaf.spec, leaf.value, tuple(same), tag, leaf.sealed, leaf.paths)
        return leaf

    def _may_be_another(self, tensor: Tensor) -> bool:
        return id(tensor) in self.tracing.identities or id(tensor) in self.tracing.followers

    def _candidates(self, tensor: Tensor) -> tuple[list[Tensor | Path], Value | None]:
        """The objects outside, and the ones met before, that a tensor may be; and its tag.

        Of several that it is, the tag tells the first: outer ones stay themselves in every merge,
        and what stands in an option of a choice may lose its place to another option.
        """
        relatives = sorted(self._relatives(tensor), key=lambda each: in_option(each[1]))
        known: list[tuple[Tensor | Path, Tensor, Conditions]] = [
            *((one, one, ()) for one in self._outer_objects(tensor)),
            *(place for one, path in relatives for place in self._places(one, path)),
        ]
        same: list[Tensor | Path] = []
        flags: list[Any] = []
        with self.trace.active(), pinned():
            for candidate, other, conditions in known:
                flag = same_object_flag(self.tracing, tensor, other)
                if flag is not False:
                    flag = where_all(flag, conditions)
                    same.append(candidate)
                    flags.append(flag)
            tag: Any = NO_CANDIDATE
            for number in reversed(range(len(same))):
                here = np.asarray(number + 1, np.int64)
                tag = here if flags[number] is True else OPS.where(flags[number], here, tag)
            return same, self.trace.value_of(tag) if same else None

    def _places(
        self, tensor: Tensor, path: Path
    ) -> Iterator[tuple[Tensor | Path, Tensor, Conditions]]:
        """Where a tensor that was met stood: at `path`, or in each of several options."""
        stood = self.stood.get(id(tensor), ())
        if not in_option(path) or len(stood) < 2:
            yield path, tensor, ()
            return
        for place, taken in stood:
            here = [(tag._value, number) for tag, number in self.taken]
            still = [
                (tag, number)
                for tag, number in taken
                if not any(tag._value is known and number == one for known, one in here)
            ]
            yield place, tensor, tuple(still)

    def _outer_objects(self, tensor: Tensor) -> Iterator[Tensor]:
        """Tensors from before the region that a tensor may be."""
        pending, seen = [tensor], {id(tensor)}
        while pending:
            identity = self.tracing.identities.get(id(pending.pop()))
            for other in identity.objects if identity is not None else ():
                if other is not None and id(other) not in seen:
                    seen.add(id(other))
                    if self.is_inside(other):
                        pending.append(other)
                    else:
                        yield other

    def _relatives(self, tensor: Tensor) -> Iterator[tuple[Tensor, Path]]:
        """Tensors met in this walk that may be the given one, and where they stood.

        Two that may only be one outer object are told to be that one, each by itself.
        """
        inner = self._inner_roots(tensor)
        for other in self.tensors.values():
            before = self.met[id(other)]
            if other is tensor:
                related = not self._surely_met(before)
            else:
                related = self._may_be_another(other)
            if related and not inner.isdisjoint(self._inner_roots(other)):
                yield other, before

    def _inner_roots(self, tensor: Tensor) -> frozenset[int]:
        """The ids of the objects made in the region that a tensor may be, itself included."""
        known = self.roots.get(id(tensor))
        if known is None:
            known = frozenset({id(tensor)} if self.is_inside(tensor) else ())
            identity = self.tracing.identities.get(id(tensor))
            for other in identity.objects if identity is not None else ():
                if other is not None:
                    known |= self._inner_roots(other)
            self.roots[id(tensor)] = known
        return known

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
            return Held(dict, *self._keyed([one[0] for one in values], [one[1] for one in values]))
        if isinstance(items, SetItems):
            return Held(set, *self._keyed(values, None))
        return Held(list, (), self.freeze_all(values))

    def _keys(self, keys: Iterable[Any]) -> tuple[Any, ...]:
        """Keys or members as they are: no tensors of this call, which the next one has not."""
        known = tuple(keys)
        if any(self.leaving or self.is_inside(one) for one in tensors_among(known)):
            raise tensor_leaves()
        if not (self.leaving or self.by_reference):
            refuse_own(self.tracing, self.regions, known)
        return known

    def _keyed(
        self, keys: Iterable[Any], values: Iterable[Any] | None, own: Sequence[Any] = ()
    ) -> tuple[tuple[Any, ...], tuple[Skeleton, ...]]:
        """The keys and the parts of a dict, or of a set that has no `values`; then `own` parts."""
        known = self._keys(keys)
        if not self.leaving or are_constant(self.tracing, self.regions, known):
            return known, self.freeze_all((*(values or ()), *own))
        parts = known if values is None else zip(known, values, strict=True)
        return PAIRS, self.freeze_all((*parts, *own))

    def _structure(self, value: Any) -> Skeleton:
        kind = type(value)
        if kind is frozenset and self._keyed(value, None)[0] is PAIRS:
            return Group(kind, self.freeze_all(value))
        if kind is tuple or (isinstance(value, tuple) and hasattr(kind, "_fields")):
            return Group(kind, self.freeze_all(value))
        if isinstance(value, tuple) and id(value) not in self.tracing.paths:
            return self._subclass_of_tuple(value)
        if kind is slice:
            return Group(slice, self.freeze_all((value.start, value.stop, value.step)))
        if kind is types.MethodType:
            return Group(kind, self.freeze_all((value.__func__, value.__self__)))
        parts = declared(kind, "_staged_parts")
        if parts is not None:
            outer, self.by_value = (
                self.by_value,
                self.by_value or declared(kind, "_by_value") is not None,
            )
            frozen = self.freeze_all(getattr(value, name) for name in parts)
            self.by_value = outer
            return Group(kind, frozen)
        if kind is types.FunctionType:
            return freeze_function(self, value)
        if (standing := self.tracing.references.get(id(value))) is not None:
            index = self.trace.lift(standing.index._value)
            return Reference(standing.store.key, kind, index)
        made = any(id(value) in region.born for region in self.regions)
        if self.by_reference or not made or is_closed(value):
            return Fixed(value)
        return self._made(value)

    def _subclass_of_tuple(self, value: Any) -> Skeleton:
        if getattr(value, "__dict__", None):
            return self._made(value)
        return Group(type(value), self.freeze_all(tuple.__iter__(value)))

    def _made(self, value: Any) -> Skeleton:
        if id(value) in self.met:
            referred = type(value) in self.tracing.hints.referring.kinds
            return Again(self.met[id(value)], kind=type(value), referred=referred)
        return self.state_of(value)

    def state_of(self, value: Any) -> Skeleton:
        """What a mutable object is made of, whatever it is known as."""
        sealed = self.tracing.sealed.get(id(value)) == "element"
        if sealed and self.leaving:  # which one it is, can be seen by the caller
            raise FoundReferences(type(value), early=self.tracing.keeper.site_of(value))
        frozen = self._state_of(value)
        referred = type(value) in self.tracing.hints.referring.kinds
        if isinstance(frozen, Made) and (sealed or referred):
            return replace(frozen, sealed=sealed, referred=referred)
        return frozen

    def _state_of(self, value: Any) -> Skeleton:
        kind = type(value)
        here = (self.path,)
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
                pairs = self._keyed(dict.keys(value), dict.values(value), own)
                return Made(kind, *pairs, here, setting)
            if isinstance(value, set):
                return Made(kind, *self._keyed(set.__iter__(value), None, own), here, setting)
            return Made(kind, (), self.freeze_all((*value, *own)), here, setting)
        if (
            isinstance(value, types.GeneratorType | type)
            or declared(kind, "_keeps_identity") is not None
        ):
            return Fixed(value, born=True)
        if isinstance(value, functools.partial):
            return freeze_partial(self, value)
        raised, origins = isinstance(value, BaseException), self.tracing.origins
        namespace = parts_of_exception(value, origins) if raised else parts_by_base(value)
        namespace = attributes_of(value) if namespace is None else namespace
        if namespace is None:
            return Fixed(value)
        self.met[id(value)] = self.path
        return Made(kind, tuple(namespace), self.freeze_all(namespace.values()), here)
