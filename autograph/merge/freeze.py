"""Freezing Python values into skeletons: what leaves a region."""

from __future__ import annotations

import functools
import types
from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from autograph.merge.frozen_tensors import MetTensors
from autograph.merge.functions import freeze_function, freeze_partial
from autograph.merge.iterator_makers import freeze_making
from autograph.merge.leaks import refuse_own_objects
from autograph.merge.object_keys import are_constant, refuse_own
from autograph.runtime.arrays.cells import View
from autograph.runtime.core.number import Number
from autograph.runtime.core.tensor import Tensor
from autograph.runtime.core.variable import Variable
from autograph.runtime.graph.ir import Value
from autograph.runtime.graph.trace import StagedList, Trace
from autograph.tracing.namespaces import refuse_in_question
from autograph.tracing.opaque_objects import is_closed
from autograph.tracing.places import (
    POISON,
    ContentsPlace,
    DictItems,
    Items,
    SetItems,
    StagedItems,
    base_of_dict,
)
from autograph.tracing.region import Region
from autograph.tracing.sameness import (
    is_element,
    object_number,
)
from autograph.tracing.tracing import Tracing
from autograph.values.choice import Choice
from autograph.values.exception_objects import parts_of_exception
from autograph.values.marks import declared
from autograph.values.object_state import attributes_of, parts_by_base, setting_of
from autograph.values.references import FoundReferences, Snapshot
from autograph.values.sentinels import Sentinel
from autograph.values.skeleton import (
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
    kind_of,
)

CONTAINERS = (list, dict, set, deque)


def is_made_in(tensor: Tensor, trace: Trace) -> bool:
    """Whether a cell was made by the ops of this very graph (asked after the roll-back)."""
    return isinstance(tensor._value, Value) and tensor._value.graph is trace.graph


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
        self.objects: dict[Path, Any] = {}
        """What stood where: the objects that were frozen by their values."""
        self.tensors = MetTensors(tracing, region.trace, self.is_inside)
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

    def meet(self, value: Any, path: Path) -> None:
        """Note where an object stands that is frozen by its value."""
        self.met[id(value)] = path
        self.objects[path] = value

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
        if isinstance(value, View):
            return Group(View, self.freeze_all((value.base, value.name, value.argument)))
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
        return freeze_making(self, value) or self._structure(value)

    def _choice(self, choice: Choice) -> Skeleton:
        outer, taken, options = self.path, self.tensors.taken, []
        for number, option in enumerate(choice.options):
            self.path = (*outer, (OPTION, number))
            self.tensors.taken = (*taken, (choice.tag, number))
            options.append(self.freeze(option))
        self.path, self.tensors.taken = outer, taken
        return Choices(tuple(options), self.trace.lift(choice.tag._value))

    def _tensor(self, tensor: Tensor) -> Skeleton:
        held = self.value_at_end(tensor)
        lifted = self.trace.lift(held)
        if self.by_value:
            return Leaf(lifted.spec, lifted, sealed=True, kind=kind_of(tensor))
        sealed = is_element(self.tracing, tensor)
        if not self.by_reference and self.is_inside(tensor):
            self.objects[self.path] = tensor
            return self.tensors.frozen(tensor, self.path, lifted, sealed)
        number = partial(object_number, self.tracing, tensor)
        same: tuple[Tensor, ...] = ()
        if (identity := self.tracing.identities.of(tensor)) is not None:
            same = (*((tensor,) if identity.own else ()), *identity.objects)
        return Cell(tensor, lifted.spec, lifted, sealed, same, number)

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
        """Keys or members as they are."""
        known = tuple(keys)
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
            self.tracing.keeper.used(standing)
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
            self.meet(value, self.path)
            contents = ContentsPlace(value, self.tracing).get()
            setting = setting_of(value)
            own = [value.__dict__[name] for name in setting.names]
            if not isinstance(contents, Items):
                frozen = self.freeze_all((contents, *own))
                return Made(kind, STAGED_CONTENTS, frozen, here, setting)
            if isinstance(value, dict):
                base = base_of_dict(value)
                pairs = self._keyed(base.keys(value), base.values(value), own)
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
        self.meet(value, self.path)
        return Made(kind, tuple(namespace), self.freeze_all(namespace.values()), here)
