"""References: objects that containers of staged length hold by their number in a store.

A store holds what all objects of one origin are made of, as rows of a hidden list. A Python object
that stands for one of them is a *handle*: what it shows is loaded from its row before it is used,
and stored there after it was changed.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass, replace
from types import CellType, FunctionType
from typing import Any, Protocol

from autograph.errors import LoopTypeError, MergeError, StagingError, StateError, TracingSignal
from autograph.runtime.core.anatomy import with_article
from autograph.runtime.core.number import Number
from autograph.values.skeleton import (
    Again,
    Choices,
    Group,
    Grown,
    Held,
    Made,
    Packed,
    Reference,
    Skeleton,
)

StoreKey = tuple[Any, ...]
Site = tuple[Any, ...]
"""Where objects are made: their class, and lines of code."""
GivenArray = tuple[Any, str, tuple[Any, ...]]
"""An array of the caller's: itself, where a call finds it (with {} for each of some objects), and
these objects."""


NOT_REFERRED = (BaseException, functools.partial, CellType, FunctionType)
"""Classes whose objects nothing can stand for: C code looks into them."""


class FoundReferences(TracingSignal):
    """Objects of a class have an identity that counts: the trace is made anew with references.

    `early`: where those are made that must have it from that moment on, or their class alone.
    `rows`: what the rows of stores hold. `given`: arrays of the caller's that must be in a store
    from the start. `leaving`: only the identity of what leaves the call asks for it: where that
    does not help, containers hold values. `otherwise`: what is raised where that does not help.
    """

    def __init__(
        self,
        kind: type,
        early: Site | None = None,
        rows: Mapping[StoreKey, Skeleton] | None = None,
        otherwise: StagingError | None = None,
        met: Sequence[tuple[StoreKey, StoreKey]] = (),
        given: Sequence[GivenArray] = (),
        leaving: bool = False,
    ) -> None:
        super().__init__(kind)
        self.kind = kind
        self.early = frozenset() if early is None else frozenset({early})
        self.rows = rows or {}
        self.met = met
        self.given = given
        self.leaving = leaving
        if kind is CellType:
            otherwise = MergeError(
                "two functions share a variable that changes, and which two do depends on a "
                "staged condition or loop",
                remedy="keep what they share in an attribute of an object, and make them its "
                "methods",
            )
        elif kind is FunctionType and not isinstance(otherwise, LoopTypeError):
            otherwise = MergeError(
                "a function that is made in a staged loop or branch has two names, or one and a "
                "place in a container, and which function that is depends on the run",
                remedy="keep it in one place, and take it from there: functions[-1]",
            )
        elif issubclass(kind, NOT_REFERRED) and kind is not FunctionType:
            otherwise = StateError(
                f"{with_article(kind.__name__)} is in a container of staged length, or of several "
                "lengths by staged conditions, which cannot refer to it",
                remedy="keep what is needed of it there, such as str(error)",
            )
        self.otherwise = otherwise or MergeError(
            f"{with_article(kind.__name__)} that is in a container of staged length, or was "
            "taken out of it, is changed: the container holds its value",
            remedy="make a new one, and put it into the place of the old: items[i] = new",
        )


MOST_ATTEMPTS = 40
"""How often a trace is made anew."""


@dataclass(frozen=True, slots=True)
class Referring:
    """What earlier attempts at the same trace taught about objects that are referred to."""

    kinds: frozenset[type] = frozenset()
    """Classes whose objects containers of staged length refer to."""
    early: frozenset[Site] = frozenset()
    """Where those are made that are put into a store at once: lines, or a class alone."""
    late: frozenset[Site] = frozenset()
    """Where those of such a class are made that are not: nobody referred to them."""
    rows: Mapping[StoreKey, Skeleton] = field(default_factory=dict)
    """What the rows of a store turned out to hold."""
    shared: Mapping[StoreKey, StoreKey] = field(default_factory=dict)
    """Which store takes the place of another: objects of both were met in one place."""
    given: tuple[GivenArray, ...] = ()
    """Arrays of the caller's that are in a store from the start."""
    own: frozenset[type] = frozenset()
    """Classes that the traced function itself makes: each attempt makes them anew."""
    attempts: int = 0

    def key_of(self, key: StoreKey) -> StoreKey:
        """The store that the objects of a place of making are put into."""
        return _end_of(self.shared, key)

    def with_found(self, found: FoundReferences) -> Referring | None:
        """What is known after another attempt; None if it taught nothing."""
        early = self.early | found.early
        if issubclass(found.kind, NOT_REFERRED):
            return None
        shared = dict(self.shared)
        for one, other in found.met:
            first, second = _end_of(shared, one), _end_of(shared, other)
            if first != second:
                shared[second] = first
        before = {id(array) for array, *_ in self.given}
        given = (*self.given, *(one for one in found.given if id(one[0]) not in before))
        known = found.kind in self.kinds and early == self.early and len(shared) == len(self.shared)
        known = known and len(given) == len(self.given)
        if known and not found.rows:
            return None
        if any(one is not found.kind and _title(one) == _title(found.kind) for one in self.kinds):
            found.otherwise = StateError(
                f"objects of {found.kind.__name__}, a class that the staged function itself makes, "
                "stand in one another or in containers of staged length",
                remedy="define the class outside of the function",
            )
            return None  # the next attempt makes another class
        if self.attempts == MOST_ATTEMPTS:
            return None
        kinds = self.kinds | {found.kind}
        if len(shared) != len(self.shared):
            rows: dict[StoreKey, Skeleton] = {}  # which refer to stores that are no more
        else:
            rows = {**(self.rows if kinds == self.kinds else {}), **found.rows}
        return Referring(kinds, early, self.late, rows, shared, given, self.own, self.attempts + 1)

    def with_class(self, made: type, is_new: Callable[[type], bool]) -> Referring:
        """What is known after a class statement of the traced function: its class stands for the
        one that an earlier attempt made there, and is not `is_new` in this one."""
        before = [one for one in self.own if _title(one) == _title(made) and not is_new(one)]
        if len(before) != 1 or before[0] not in self.kinds:
            return replace(self, own=self.own.difference(before) | {made})
        known = {each.name: getattr(self, each.name) for each in fields(self)}
        return Referring(**_with_class(known, before[0], made))

    def with_late(self, unused: frozenset[Site]) -> Referring | None:
        """Where objects are not put into a store at once, since nobody referred to those that
        were made there; None if that is nothing new."""
        late = self.late | unused
        if late == self.late or self.attempts == MOST_ATTEMPTS:
            return None
        return replace(self, late=late, attempts=self.attempts + 1)

    def is_early(self, site: Site) -> bool:
        """Whether objects that are made there are put into a store at once."""
        return site in self.early or (site[:1] in self.early and site not in self.late)


def _end_of(shared: Mapping[StoreKey, StoreKey], key: StoreKey) -> StoreKey:
    while key in shared:
        key = shared[key]
    return key


def _with_class(known: Any, old: type, new: type) -> Any:
    """What was learned, with one class in the place of another."""
    if known is old:
        return new
    if isinstance(known, tuple | frozenset):
        return type(known)(_with_class(one, old, new) for one in known)
    if isinstance(known, Mapping):
        return {
            _with_class(key, old, new): _with_class(one, old, new) for key, one in known.items()
        }
    if isinstance(known, Skeleton) and is_dataclass(known):
        parts = {each.name: getattr(known, each.name) for each in fields(known)}
        return replace(known, **_with_class(parts, old, new))
    return known


def _title(kind: type) -> tuple[str, str]:
    return kind.__module__, kind.__qualname__


@dataclass(slots=True, eq=False)
class Store:
    """What the objects of one origin are made of: a row of `items` for each."""

    key: StoreKey
    kind: type
    items: list[Any]


@dataclass(slots=True, eq=False)
class Standing:
    """Which object a handle stands for, and what was loaded from its row."""

    store: Store
    index: Number
    loaded: Any = None
    """The contents of the store that it was loaded from."""
    leaves: list[Any] = field(default_factory=list)
    """What was loaded: the values of the graph."""
    changed: bool = False


@dataclass(frozen=True, slots=True)
class Snapshot:
    """Staged contents with what the stores that they refer to held at one moment."""

    contents: Any
    rows: Mapping[StoreKey, Any]


class Keeper(Protocol):
    """Keeps the handles of a trace and their stores in step."""

    def refresh(self, value: Any) -> None:
        """Let a handle show what its row holds now."""

    def change(self, handle: Any) -> None:
        """Note that a handle is about to be changed."""

    def settle(self) -> None:
        """Store what was changed."""

    def forget(self) -> None:
        """Drop changes that were not stored: they are rolled back."""

    def made(self, value: Any) -> None:
        """Note that an object of a class that containers refer to was made."""

    def made_array(self, array: Any) -> None:
        """Note where an array of NumPy's was made, if containers may refer to its storage."""

    def begin(self) -> None:
        """At the start of a trace: put arrays of the caller's into stores, those that must be."""

    def require_given(self, arrays: Sequence[Any], leaving: bool = False) -> None:
        """FoundReferences for arrays of the caller's, and others beside them, that are in no store:
        those of one list or dict get their storages together."""

    def given_arrays(self) -> Sequence[tuple[StoreKey, int, Any]]:
        """The arrays of the caller's that are in stores: the store, the number, the array."""

    def changed_arrays(self) -> Sequence[Any]:
        """Those of which the elements may have been changed."""

    def site_of(self, value: Any) -> Site | None:
        """Where an object was made, if that is known in this attempt."""

    def hide(self, value: Any) -> None:
        """Note that nobody else will see an object that was made just now."""

    def meet(self, one: Reference, other: Reference) -> None:
        """Note that objects of two stores were met in one place."""

    def alike(self) -> Sequence[tuple[StoreKey, StoreKey]]:
        """Stores whose objects were met in one place, and are made of the same kinds of values."""

    def tell_apart(self, value: Any, name: str) -> None:
        """Note that an object is another one than those that are made in the same place."""

    def show(self, value: Any) -> None:
        """Note that an object that was hidden can be seen from now on."""

    def learn(self, error: Exception | None) -> None:
        """After an error: raise FoundReferences if more is known of rows than in this attempt.

        Without one, if the attempt was in vain.
        """

    def move(self, value: Any, element: Skeleton | None = None) -> None:
        """Put the objects in a value that containers refer to into stores."""

    def gather(self, carried: list[tuple[Any, Skeleton]]) -> None:
        """At the end of a turn: let containers that are staged for the loop hold references."""

    def refer(self, key: StoreKey, kind: type, index: Number) -> Any:
        """A new handle of an object."""

    def used(self, standing: Standing) -> None:
        """Note that something that leaves a region, or a row, refers to an object."""

    def unused(self) -> frozenset[Site]:
        """Where objects were made that were put into stores for their class alone, and to none of
        which anything referred."""

    def row_of(self, reference: Reference) -> Skeleton:
        """What is known of the objects that a reference may stand for."""


def parts_in(skeleton: Skeleton) -> Iterator[Skeleton]:
    """All parts of a skeleton, itself included."""
    yield skeleton
    match skeleton:
        case Group(items=items) | Made(items=items) | Held(items=items) | Choices(options=items):
            for item in items:
                yield from parts_in(item)
        case Grown(element=element) | Packed(element=element):
            yield from parts_in(element)


def refuse_unmoved(frozen: Skeleton) -> None:
    """For an object that a container should refer to, and that is in no store: it is put there as
    soon as it is made, in the next attempt; MergeError where that does not help."""
    if isinstance(frozen, Made | Again) and frozen.kind is not None:
        error = MergeError(
            f"{with_article(frozen.kind.__name__)} is put into a container of staged "
            "length on a path where it cannot be told from others",
            remedy="append it to the container in the loop or branch where it is made",
        )
        raise FoundReferences(frozen.kind, (frozen.kind,), otherwise=error)
