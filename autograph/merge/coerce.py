"""Coercing a frozen value to a wider type; the errors where two types cannot meet are made here."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import compress
from typing import Any, NoReturn

import numpy as np

from autograph.errors import MergeError
from autograph.merge.array_views import (
    is_stored,
    is_view,
    note_copied,
    refuse_without_storage,
    view_value,
)
from autograph.merge.join import Joining, find_option
from autograph.merge.object_positions import standing, tensors_in
from autograph.merge.pack import TAG, as_columns, as_tensors, leaf_specs
from autograph.merge.shared_objects import with_own_names
from autograph.runtime.control.building import build_cond
from autograph.runtime.control.unwinding import dummy
from autograph.runtime.core.number import Number
from autograph.runtime.core.spec import NUMBER_SPECS, ListSpec, Spec
from autograph.runtime.core.state import STATE
from autograph.runtime.core.tensor import Tensor
from autograph.runtime.graph.ir import Value
from autograph.runtime.graph.trace import StagedList, Trace, wrap
from autograph.runtime.ops.table import OPS
from autograph.strings.characters import kind_spelled, spelled_column, spelled_leaf
from autograph.strings.growing_strings import is_string, rows_of_text, string_columns
from autograph.tracing.sameness import OWN, as_number
from autograph.values.description import describe
from autograph.values.references import FoundReferences, parts_in, refuse_unmoved
from autograph.values.sentinels import DONT_CARE, PENDING
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
    alike,
    attributes_of_container,
    candidates,
    code_of_path,
    contents_of,
    elements_of,
    have_names,
    leaf_of,
    position,
    with_names,
)

Options = tuple[Value, list[int]]
"""The tag of a choice, and some numbers of its options."""


class Coercer:
    """Emits into `trace`, the graph that the frozen values belong to."""

    def __init__(self, trace: Trace, outer: Coercer | None = None) -> None:
        self.trace = trace
        self.nested = outer is not None
        self.blurred: set[Path] = set() if outer is None else outer.blurred
        """Where objects stood that another one may take the place of: nothing else can be them."""
        self.erased: dict[Path, tuple[Value, int]] = {} if outer is None else outer.erased
        """Where objects stood in an option that is made of the one taken: what they hold is there
        where that one is taken alone."""
        self.taken: dict[Value, int] = dict(outer.taken) if outer else {}
        """The options that it is in."""
        self.options: dict[Path, Options] = dict(outer.options) if outer else {}
        """Where tensors stood in some of several options that become one."""
        self.shared: dict[Path, Options] = dict(outer.shared) if outer else {}
        """Where tensors stood in an option, and others in another one when another branch ended."""

    def inside(self, trace: Trace) -> Coercer:
        return Coercer(trace, self)

    def coerce(self, frozen: Skeleton, target: Skeleton) -> list[Value]:
        """The values of `frozen` for the leaves of `target`, a type that holds it."""
        if isinstance(frozen, Fixed) and (frozen.value is DONT_CARE or frozen.value is PENDING):
            return self.dummies(target)
        if isinstance(target, Fixed) and target.value is PENDING:
            refuse_unmoved(frozen)
            refuse_without_storage(frozen)
        if is_stored(target):
            refuse_without_storage(frozen)
        if isinstance(target, Choices):
            return self._choice(frozen, target)
        if (rows := rows_of_text(target)) is not None:
            columns = string_columns(self, frozen, rows)
            whole = Grown(rows.kind, rows.element, tuple(columns))
            return self._packed(whole, rows) if isinstance(rows, Packed) else columns
        if (leaf := spelled_leaf(self.trace, frozen, target)) is not None:
            return [leaf]
        if isinstance(frozen, Choices) and kind_spelled(target):
            return self._for_each_option(frozen, target)
        if isinstance(frozen, Again):
            self._refuse_blurred(frozen.path, frozen.kind)
            if isinstance(target, Again) and frozen.path in self.options:
                self._refuse()  # there is no tag that could tell
        match frozen, target:
            case _, Fixed() | Again() | Cell():
                if is_string(target) and not alike(frozen, target):
                    raise _unlike(frozen, target)
                return []
            case (Leaf() | Cell() | Again(), Leaf()):
                return self._leaf(frozen, target)
            case Group(), Leaf() if is_view(frozen):
                return [view_value(self.trace, frozen)]
            case Fixed(value=np.generic() as number), Leaf(same=same):
                value = self.trace.constant(np.asarray(number))
                return [value, self.trace.constant(OWN)] if same else [value]
            case Fixed(value=number), Leaf() if type(number) in NUMBER_SPECS:
                return [self.trace.constant(number)]
            case Made(), Made() if target.keys is STAGED_CONTENTS:
                contents = contents_of(frozen)
                assert contents is not None
                parts = (contents, *attributes_of_container(frozen))
                pairs = zip(parts, target.items, strict=True)
                return [value for one, wanted in pairs for value in self.coerce(one, wanted)]
            case (Group() | Made() | Held(), Group() | Made() | Held()):
                pairs = zip(frozen.items, target.items, strict=True)
                return [value for one, wanted in pairs for value in self.coerce(one, wanted)]
            case Within(), Within():
                parts = (*(table for _, table in frozen.stores), frozen.item)
                return [value for part in parts for value in self.coerce(part, part)]
            case Reference(value=value), Reference():
                assert value is not None
                return [self.trace.lift(value)]
            case Packed(), Packed() if alike(frozen.element, target.element):
                return [self.trace.lift(column) for column in frozen.columns]
            case (Held() | Grown() | Choices() | Packed(), Packed()):
                return self._packed(frozen, target)
            case Made(referred=True) | Again(referred=True), Reference():
                refuse_unmoved(frozen)
            case Grown(), Grown():
                return self.columns(frozen, target.element)
            case Held(), Grown():
                return self._grow(frozen, target)
            case Choices(), Grown() | Reference() | Made():
                return self._for_each_option(frozen, target)
        raise _unlike(frozen, target)

    def _refuse_blurred(self, path: Path, kind: type | None = None) -> None:
        tag, number = self.erased.get(path, (None, 0))
        if path in self.blurred or (tag is not None and self.taken.get(tag) != number):
            self._refuse(kind)

    def _refuse(self, kind: type | None = None) -> NoReturn:
        error = MergeError(
            "two names share an object on one path only, and another one of its kind stands in "
            "its place on the other",
            remedy="make the branches agree on which names share an object, or copy it",
        )
        if kind is None:
            raise error
        raise FoundReferences(kind, (kind,), otherwise=error)

    def _leaf(self, frozen: Leaf | Cell | Again, target: Leaf) -> list[Value]:
        leaf = leaf_of(frozen)
        assert leaf is not None and leaf.value is not None
        values = [self.trace.lift(leaf.value)]
        if target.same:
            values.append(self._identity(frozen, target))
        return values

    def _identity(self, frozen: Leaf | Cell | Again, target: Leaf) -> Value:
        """Which of the target's candidates a tensor is."""
        if isinstance(frozen, Cell):
            assert frozen.number is not None
            with self.trace.active():
                return self.trace.value_of(frozen.number())
        paths = [one for one in candidates(frozen) if not isinstance(one, Tensor)]
        there = [position(target.same, path) is not None for path in paths]
        for path in compress(paths, there):
            self._refuse_blurred(path)
        # Rows tell tensors of before the call alone: one that stands elsewhere is their own.
        pairs = zip(paths, there, strict=True)
        codes = [code_of_path(target.same, path) if known else 0 for path, known in pairs]
        conditions = [self.options.get(path) for path in paths]
        if not isinstance(frozen, Again):
            conditions = [
                one or self.shared.get(path) for one, path in zip(conditions, paths, strict=True)
            ]
        if isinstance(frozen, Again):
            number = self._where(conditions[0], codes[0], OWN)
            return self.trace.value_of(self._or_from_outside(frozen.leaf, number))
        if frozen.tag is None:
            return self.trace.constant(OWN)
        tag: Any = Tensor._of(self.trace.lift(frozen.tag))
        told = [code_of_path(frozen.same, path) for path in paths]
        if codes == told and not any(conditions):
            return self.trace.value_of(tag)
        total = tag
        with self.trace.active():
            for before, code, condition in zip(told, codes, conditions, strict=True):
                here = OPS.equal(tag, as_number(before))
                total = OPS.where(here, self._where(condition, code, OWN), total)
        return self.trace.value_of(total)

    def _or_from_outside(self, leaf: Leaf | None, number: Any) -> Any:
        """The number of the tensor from outside that a leaf is, if it is one, else `number`."""
        if leaf is None or leaf.tag is None or not any(isinstance(x, Tensor) for x in leaf.same):
            return number
        with self.trace.active():
            tag: Any = Tensor._of(self.trace.lift(leaf.tag))
            return OPS.where(OPS.greater(tag, OWN), tag, number)

    def _where(self, condition: Options | None, place: int, other: Any) -> Any:
        """`place` if one of the options that a condition tells is taken, else `other`."""
        wanted = np.asarray(place, np.int64)
        if condition is None:
            return wanted
        tag, numbers = condition
        with self.trace.active():
            for number in numbers:
                here = OPS.py_eq(Number(self.trace.lift(tag)), number)
                other = OPS.where(here, wanted, other)
        return other

    def _renumbered(self, tag: Value, places: list[int]) -> Value:
        """A tag whose number n becomes places[n]."""
        lifted = self.trace.lift(tag)
        if places == list(range(len(places))):
            return lifted
        total: Any = 0
        with self.trace.active():
            for number, place in enumerate(places):
                if place:
                    chosen = OPS.py_mul(OPS.py_eq(Number(lifted), number), place)
                    total = OPS.py_add(total, chosen)
        return self.trace.value_of(total)

    def row(self, frozen: Skeleton, element: Skeleton) -> list[Value]:
        """What is pushed to the columns of a container of staged length for one row."""
        note_copied(frozen)
        leaves = self.coerce(with_own_names(frozen), element)
        return leaves or [self.trace.constant(0)]

    def columns(self, frozen: Grown, element: Skeleton) -> list[Value]:
        """The columns of a container of staged length, for rows of a wider type."""
        columns = [self.trace.lift(column) for column in frozen.columns]
        if alike(frozen.element, element):
            return columns
        with self.trace.active():
            length = OPS.list_length(StagedList(columns[0]))
            given = iter(columns if leaf_specs(frozen.element) else ())
            wider = self._wider(frozen.element, element, given, length)
            return wider or [self._filled(self.trace.constant(0), length)]

    def _wider(
        self, narrow: Skeleton, wide: Skeleton, columns: Iterator[Value], length: Any
    ) -> list[Value]:
        """The columns of a part of each row, where that part gets a wider type."""
        if isinstance(wide, Choices):
            return self._wider_choice(narrow, wide, columns, length)
        if kind_spelled(wide) not in (None, kind_spelled(narrow)):
            given = [next(columns) for _ in leaf_specs(narrow)]
            spelled = spelled_column(self.trace, narrow, wide, given, length)
            if spelled is not None:
                return spelled
            columns = iter(given)
        match narrow, wide:
            case Leaf(same=known), Leaf(same=same):
                values = [next(columns), *([next(columns)] if known else ())]
                if same and not known:
                    values.append(self._filled(self.trace.constant(OWN), length))
                return values[: 2 if same else 1]
            case Reference(), Reference():
                return [next(columns)]
            case Again(), Again() if narrow.path == wide.path:
                return []
            case Packed(), Packed() if _have_columns_alike(narrow.element, wide.element):
                return [next(columns) for _ in leaf_specs(narrow)][: len(leaf_specs(wide))]
            case Made(stored=True), Made() if narrow.keys != wide.keys and have_names(wide):
                taken = [[next(columns) for _ in leaf_specs(one)] for one in narrow.items]
                by_name = dict(zip(narrow.keys, taken, strict=True))
                made = zip(wide.keys, with_names(narrow, wide.keys).items, wide.items, strict=True)
                parts = [
                    self._wider(one, other, iter(by_name.get(name, ())), length)
                    for name, one, other in made
                ]
                return [value for part in parts for value in part]
            case Group() | Made() | Held(), Group() | Made() | Held() if len(narrow.items) == len(
                wide.items
            ):
                pairs = zip(narrow.items, wide.items, strict=True)
                return [v for one, other in pairs for v in self._wider(one, other, columns, length)]
            case Fixed(), _:
                row = self.coerce(narrow, wide)
                return [self._filled(value, length) for value in row]
        raise MergeError(
            "the elements of a list grown in a staged loop change their kind from turn to turn",
            remedy="append values of one dtype and structure",
        )

    def _wider_choice(
        self, narrow: Skeleton, wide: Choices, columns: Iterator[Value], length: Any
    ) -> list[Value]:
        if isinstance(narrow, Fixed) and (narrow.value is DONT_CARE or narrow.value is PENDING):
            return [self._filled(value, length) for value in self.dummies(wide)]
        options = narrow.options if isinstance(narrow, Choices) else (narrow,)
        places = [find_option(wide.options, one, Joining()) for one in options]
        if isinstance(narrow, Choices):
            found = [self._renumbered_column(next(columns), [place or 0 for place in places])]
        else:
            found = [self._filled(self.trace.constant(places[0]), length)]
        # The columns come in the order of the narrow options.
        given = [[next(columns) for _ in leaf_specs(one)] for one in options]
        for number, one in enumerate(wide.options):
            if number in places:
                place = places.index(number)
                found += self._wider(options[place], one, iter(given[place]), length)
            else:
                found += [self._filled(value, length) for value in self.dummies(one)]
        return found

    def _renumbered_column(self, tags: Value, places: list[int]) -> Value:
        """A column of tags whose number n becomes places[n]."""
        if places == list(range(len(places))):
            return tags
        old = OPS.list_values(StagedList(tags), dtype=TAG.dtype)
        new: Any = old
        for number, place in enumerate(places):
            new = OPS.where(OPS.equal(old, number), place, new)
        return self.trace.value_of(OPS.list_numbers(new))

    def _packed(self, frozen: Held | Grown | Choices | Packed, target: Packed) -> list[Value]:
        """Contents of an object as tensors, one for each column."""
        whole = Grown(target.kind, target.element)
        with self.trace.active():
            given = self.unpacked(frozen) if isinstance(frozen, Packed) else frozen
            made = as_tensors(target.element, self.coerce(given, whole))
        return [self.trace.value_of(one) for one in made]

    def unpacked(self, packed: Packed) -> Grown:
        """The columns of packed contents as lists again."""
        with self.trace.active():
            given = [self.trace.lift(column) for column in packed.columns]
            columns = [one._value for one in as_columns(packed.element, given)]
        return Grown(packed.kind, packed.element, tuple(columns))

    def _filled(self, value: Value, length: Any) -> Value:
        return self.trace.value_of(OPS.list_fill(wrap(value), length))

    def _grow(self, frozen: Held, target: Grown) -> list[Value]:
        """A list of known length as a staged one: its elements are pushed one after the other."""
        elements = elements_of(frozen)
        known = known_columns(elements, target.element)
        with self.trace.active():
            if known is not None:  # as data: a node for each column, not one for each element
                lists = [OPS.list_unpack(column, python=True) for column in known]
                return [one._value for one in lists]
            columns: list[Any] = [
                OPS.list_create(element=one.element)
                for one in leaf_specs(target)
                if isinstance(one, ListSpec)
            ]
            for item in elements:
                leaves = self.row(item, target.element)
                columns = [
                    OPS.list_push(column, leaf)
                    for column, leaf in zip(columns, leaves, strict=True)
                ]
        return [column._value for column in columns]

    def _for_each_option(self, frozen: Choices, target: Skeleton) -> list[Value]:
        """The leaves that the option gives which is taken when the graph runs."""
        assert frozen.tag is not None
        trace = self.trace

        def branch(number: int) -> Any:
            def run() -> tuple[Any, ...]:
                inner = STATE.interpreter
                assert isinstance(inner, Trace) and frozen.tag is not None
                coercer = self.inside(inner)
                coercer.taken[frozen.tag] = number
                leaves = coercer.coerce(frozen.options[number], target)
                return tuple(wrap(leaf) for leaf in leaves)

            return run

        with trace.active():
            tag = Number(trace.lift(frozen.tag))
            chosen = build_cond(trace, tag, [branch(one) for one in range(len(frozen.options))])
        return [trace.value_of(one) for one in chosen]

    # choices ----------------------------------------------------------------------------------
    def _choice(self, frozen: Skeleton, target: Choices) -> list[Value]:
        context = Joining()
        parts = frozen.options if isinstance(frozen, Choices) else (frozen,)
        options = tuple(parts)
        places: list[int] = []
        for option in options:
            place = find_option(target.options, option, context)
            if place is None:
                refuse_without_storage(option)
                raise _unlike(option, target)
            places.append(place)
        if len(set(places)) != len(places):
            assert isinstance(frozen, Choices)
            assert frozen.tag is not None
            for number, (option, place) in enumerate(zip(options, places, strict=True)):
                if places.count(place) > 1:
                    together = [n for n, other in enumerate(places) if other == place]
                    self._note_options(option, frozen.tag, {n: options[n] for n in together})
                else:  # where another option is taken, nothing stands in the places of this one
                    self.shared |= dict.fromkeys(standing(option), (frozen.tag, [number]))
            leaves = self._for_each_option(frozen, target)
            for number, (option, place) in enumerate(zip(options, places, strict=True)):
                if places.count(place) == 1:
                    self._note_erased(option, frozen.tag, number)
            return leaves
        if isinstance(frozen, Choices):
            self._note_shared(frozen, target, places)
        leaves = [self._tag(frozen, places)]
        before = dict(self.taken)
        for number, wanted in enumerate(target.options):
            if number not in places:
                leaves += self.dummies(wanted)
                continue
            taken = places.index(number)
            if isinstance(frozen, Choices) and frozen.tag is not None:
                self.taken[frozen.tag] = taken
            leaves += self.coerce(options[taken], wanted)
        self.taken = before
        return leaves

    def _note_erased(self, option: Skeleton, tag: Value, number: int) -> None:
        for part in parts_in(option):
            if isinstance(part, Made):
                for path in part.paths:
                    self.erased[path] = (tag, number)

    def _note_options(self, option: Skeleton, tag: Value, together: dict[int, Skeleton]) -> None:
        """What tells whether a tensor of an option is the one in its part of the joint option."""
        own = option.paths if isinstance(option, Made) else ()
        self.blurred.update(standing(option) if self.nested else own)
        found = {n: {one[:2] for one in tensors_in(other)} for n, other in together.items()}
        for slot, path, first in tensors_in(option):
            if first:
                self.options[path] = (tag, [n for n, here in found.items() if (slot, path) in here])

    def _note_shared(self, frozen: Choices, target: Choices, places: list[int]) -> None:
        """An option's number is that of one branch: in another one it may be another option's.

        So what such a place tells counts only where this option is taken.
        """
        assert frozen.tag is not None
        stands = [standing(one) for one in target.options]
        for number, (option, place) in enumerate(zip(frozen.options, places, strict=True)):
            others = frozenset().union(*stands[:place], *stands[place + 1 :])
            for path in standing(option) & others:
                self.shared[path] = (frozen.tag, [number])

    def _tag(self, frozen: Skeleton, places: list[int]) -> Value:
        if not isinstance(frozen, Choices):
            return self.trace.constant(places[0])
        assert frozen.tag is not None
        return self._renumbered(frozen.tag, places)

    # dummies ----------------------------------------------------------------------------------
    def dummies(self, target: Skeleton) -> list[Value]:
        """Values that nothing reads, of the types that `target` has."""
        return [dummy(self.trace, spec) for spec in leaf_specs(target)]


def known_columns(elements: Sequence[Skeleton], target: Skeleton) -> list[Any] | None:
    """The columns of rows of plain numbers, as arrays; None where a row has anything else."""
    specs = leaf_specs(target)
    if len(elements) < AS_DATA or not all(isinstance(one, Spec) and one.python for one in specs):
        return None
    table: list[list[Any]] = [[] for _ in specs]
    for one in elements:
        row = list(_plain_numbers(one, target))
        if len(row) != len(specs) or None in row:
            return None
        for column, number in zip(table, row, strict=True):
            column.append(number)
    dtypes = [one.dtype for one in specs if isinstance(one, Spec)]
    try:
        return [np.array(one, dtype) for one, dtype in zip(table, dtypes, strict=True)] or None
    except OverflowError:
        return None


AS_DATA = 8
"""So many known elements become a list of staged length as data."""


def _plain_numbers(frozen: Skeleton, target: Skeleton) -> Iterator[Any]:
    """The known numbers of a row; None for what is none."""
    match frozen, target:
        case Fixed(value=number), Leaf(spec=spec):
            right = NUMBER_SPECS.get(type(number)) == spec
            yield number if right else None
        case Group(), Group() if len(frozen.items) == len(target.items):
            for one, wanted in zip(frozen.items, target.items, strict=True):
                yield from _plain_numbers(one, wanted)
        case _:
            yield None


def _unlike(frozen: Skeleton, target: Skeleton) -> MergeError:
    return MergeError(
        f"a value that is {describe(frozen)} on some path cannot become {describe(target)} "
        "after a staged condition or loop",
        remedy="give it the same kind of value on each path",
    )


def _have_columns_alike(narrow: Skeleton, wide: Skeleton) -> bool:
    """Whether elements are kept alike: the tags of tensors that they may be are the trace's, and
    may be left out."""
    if isinstance(narrow, Leaf) and isinstance(wide, Leaf) and (narrow.same or not wide.same):
        return alike(replace(narrow, same=()), replace(wide, same=()))
    return alike(narrow, wide)
