"""The end of a trace: results and writes become outputs of the graph."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from types import BuiltinFunctionType
from typing import Any

from autograph.call.commit import Write
from autograph.control.branch import Unreachable, outer_places
from autograph.control.raising import emit_raise, is_of_the_program, raised_here
from autograph.errors import StateError
from autograph.merge.array_views import require_references
from autograph.merge.coerce import Coercer
from autograph.merge.freeze import Freezer
from autograph.merge.iterator_makers import Making
from autograph.merge.leaks import refuse_class, refuse_leak, refuse_of_branch, refuse_stand_in
from autograph.merge.reachable import reached
from autograph.merge.results import Given, Stored
from autograph.runtime.arrays.cells import Array, as_tensor
from autograph.runtime.core.tensor import Tensor
from autograph.runtime.core.variable import Variable
from autograph.runtime.graph.ir import Graph, Value
from autograph.tracing.array_storage import ArrayStorage, StoragePlace
from autograph.tracing.callbacks import refuse_touched
from autograph.tracing.paths import apart, different, disjoint
from autograph.tracing.places import (
    AttributePlace,
    CellPlace,
    ContentsPlace,
    Items,
    Key,
    NamePlace,
    Place,
    StagedItems,
    TensorPlace,
)
from autograph.tracing.reading import BY_NAME, IMMUTABLE, is_written, observe_once
from autograph.tracing.tracing import Tracing
from autograph.values.equivalence import ATOMS
from autograph.values.references import StoreKey
from autograph.values.sentinels import UNSET
from autograph.values.skeleton import (
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
    Reference,
    Skeleton,
    Within,
    code_of_path,
)


@dataclass(slots=True)
class Concluded:
    """A trace that has ended: its graph, and what its outputs mean."""

    graph: Graph
    result: Skeleton
    writes: list[Write]
    given: list[str] = field(default_factory=list)
    """Paths of objects that existed before and that the result or the writes mention."""
    stores: list[Stored] = field(default_factory=list)
    """The stores that the result or the writes refer to; their rows are the first outputs."""


def conclude(tracing: Tracing, run: Callable[[], Any]) -> Concluded:
    """Run a converted function to its end in `tracing`; make its results outputs of the graph."""
    try:
        result = run()
        _guard_layouts(tracing)
    except Unreachable:
        return _without_result(tracing, None)
    except BaseException as error:
        if not is_of_the_program(error):
            raise
        return _without_result(tracing, error)
    return _with_result(tracing, result)


def _guard_layouts(tracing: Tracing) -> None:
    """What was a view, and what a copy, holds for arrays that lie in memory as these do."""
    for given in tracing.arrays.values():
        if isinstance(given, Array) and getattr(given, "layout_asked", False):
            path, held = tracing.path_of(given), given._value
            if given.is_contiguous:
                tracing.guard(f"{path}.flags.c_contiguous is True")
            else:
                tracing.guard(f"({path}.shape, {path}.strides) == {(held.shape, held.strides)}")


def _without_result(tracing: Tracing, error: BaseException | None) -> Concluded:
    """Every path raises: the graph ends with that."""
    if error is not None:
        emit_raise(tracing.trace, raised_here(tracing, error), ())
    return Concluded(tracing.trace.graph, Fixed(None), [])


def _with_result(tracing: Tracing, result: Any) -> Concluded:
    root = tracing.root
    if tracing.trace.differentiated:
        for variable in tracing.variables():  # tapes have watched those that are trainable
            _guard_trainable(tracing, variable)
    appended, tracing.ends = list(tracing.ends.values()), {}
    changed = outer_places({**root.changed(), **_assigned(tracing)}, root)
    hidden = {id(store.items) for store in tracing.stores.values()}
    places = [
        place
        for place in changed.values()
        if not _is_own_tensor(place) and id(place.owner) not in hidden
        if not isinstance(place, StoragePlace)  # of the trace alone
    ]
    grown = [ContentsPlace(items, tracing) for items, _ in appended]
    own = {place.key for place in places}
    every = [*places, *(place for place in grown if place.key not in own)]
    stored = tracing.keeper.changed_arrays()
    _guard_against_aliases(tracing, every, stored)
    refuse_touched(tracing.called_back, every)
    root.finals = {place.key: place.get() for place in places}
    freezer = Freezer(tracing, root, leaving=True)
    frozen = [freezer.freeze_at("result", result)]
    writes: list[Write] = []
    concluded = Concluded(tracing.trace.graph, Fixed(None), writes)
    resolver = _Resolver(tracing, concluded)
    for place in places:
        value, keep = _written(tracing, place, root.log[place.key][1])
        skeleton = freezer.freeze_at(place.key, value)
        frozen.append(skeleton)
        owner = resolver.given(place.owner)
        name = getattr(place, "name", "")
        title = "" if isinstance(place, TensorPlace) else place.describe()
        resolved = resolver.resolve(skeleton)
        moved = isinstance(place, AttributePlace) and place.is_moved()
        writes.append(Write(type(place), name, title, owner, resolved, keep, keep >= 0, moved))
    for array in stored:
        skeleton = freezer.freeze_at(("given", id(array)), as_tensor(array))
        frozen.append(skeleton)
        owner, resolved = resolver.given(array), resolver.resolve(skeleton)
        writes.append(Write(TensorPlace, "", "", owner, resolved, -1, False))
    for place, (_, end) in zip(grown, appended, strict=True):
        skeleton = freezer.freeze_at(("appended", *place.key), ContentsPlace(end, tracing).get())
        frozen.append(skeleton)
        owner, resolved = resolver.given(place.owner), resolver.resolve(skeleton)
        writes.append(Write(ContentsPlace, "", place.describe(), owner, resolved, 0, True))
    coercer = Coercer(tracing.trace)
    outputs: list[Value] = []
    contents = {key: freezer.freeze(rows) for key, rows in reached(tracing, *frozen).items()}
    objects = [one for key, one in contents.items() if key[0] is not ArrayStorage]
    require_references([*frozen, *objects])
    concluded.stores = [
        Stored(key, resolver.resolve(one), _given_of(tracing, resolver, key))
        for key, one in contents.items()
    ]
    for skeleton in [*contents.values(), *frozen]:
        outputs += coercer.coerce(skeleton, skeleton)
    concluded.result = resolver.resolve(frozen[0])
    concluded.graph.outputs = outputs
    return concluded


def _given_of(
    tracing: Tracing, resolver: _Resolver, key: StoreKey
) -> tuple[tuple[int, Given], ...]:
    """The rows of a store that stand for arrays of the caller's."""
    given = [(row, array) for store, row, array in tracing.keeper.given_arrays() if store == key]
    return tuple((row, Given(resolver.given(array))) for row, array in given)


def _guard_trainable(tracing: Tracing, variable: Variable) -> None:
    """The trace is for a Variable that is trainable, or for one that is not: no input of it."""
    if not is_written(tracing, ("attribute", id(variable), "trainable")):
        path = tracing.table.attribute(tracing.path_of(variable), "trainable")
        tracing.guard(f"{path} is {bool(variable.trainable)}")


def _assigned(tracing: Tracing) -> dict[Key, Place]:
    """Places that were assigned what they held: another call may find them with something else.

    Attributes are written again, and containers that were emptied unread; what a variable held
    becomes a guard.
    """
    again: dict[Key, Place] = {}
    for key, (place, old) in tracing.root.log.items():
        if isinstance(place, AttributePlace) or ("replaced", id(place.owner)) in tracing.seen:
            again[key] = place
        elif isinstance(place, NamePlace) and old is not UNSET:
            path = tracing.table.item(tracing.table.constant(place.owner), place.name)
            observe_once(tracing, key, old, path, by_name=True)
        elif isinstance(place, CellPlace) and old is not UNSET and not _is_local(tracing, place):
            path = f"{tracing.table.constant(place.owner)}.cell_contents"
            observe_once(tracing, key, old, path, by_name=True)
    return again


def _guard_against_aliases(tracing: Tracing, places: list[Place], stored: Sequence[Array]) -> None:
    """What is written must not be, in another call, an object that the trace took for another."""
    arrays = [*stored]
    written: dict[type, dict[int, Any]] = {}
    for place in places:
        owner = place.owner
        if not isinstance(place, TensorPlace | AttributePlace | ContentsPlace):
            continue
        if isinstance(owner, Array):
            arrays.append(owner)
        else:
            written.setdefault(type(owner), {})[id(owner)] = owner
    _guard_against_shared_elements(tracing, arrays)
    for kind, owners in written.items():
        paths = [tracing.path_of(one) for one in owners.values()]
        others = [
            tracing.path_of(one)
            for one in list(tracing.reached)
            if type(one) is kind and id(one) not in owners
        ]
        for guard in (*different(paths), *disjoint(paths, others)):
            tracing.guard(guard)


FEW_PAIRS = 12
"""So many pairs of arrays are compared one by one."""


def _guard_against_shared_elements(tracing: Tracing, written: Sequence[Array]) -> None:
    """NumPy arrays that are written: they share no elements with others, and may be written."""
    known = tracing.callers.originals  # (what was made as a constant of the trace is no caller's)
    given = {id(one): one for one in written if id(one) in known}
    others = [one for one in tracing.reached if id(one) in known and isinstance(one, Array)]
    others = [one for one in others if id(one) not in given]
    arrays = list(given.values())
    pairs = [(one, other) for n, one in enumerate(arrays) for other in (*arrays[n + 1 :], *others)]
    held = [[known[id(one)] for one in some] for some in (arrays, others)]
    if not apart(*held):
        raise StateError(
            "a NumPy array is changed that shares elements with another array which the function "
            "reads: which elements these are, is not known to it",
            remedy="make the one of the other inside the function, or pass a copy: x.copy()",
        )
    paths = [[tracing.path_of(one) for one in some] for some in (arrays, others)]
    if len(pairs) > FEW_PAIRS:
        tracing.guard(f"apart(({', '.join(paths[0])},), [{', '.join(paths[1])}])")
    else:
        for one, other in pairs:
            watched = any(isinstance(known[id(each)], Array) for each in (one, other))
            shared = "share_elements" if watched else "np.shares_memory"
            tracing.guard(f"not {shared}({tracing.path_of(one)}, {tracing.path_of(other)})")
    for one in arrays:
        is_own = isinstance(known[id(one)], Array)
        flag = "is_writeable" if is_own else "flags.writeable"
        tracing.guard(f"{tracing.path_of(one)}.{flag}")


def _is_local(tracing: Tracing, place: Place) -> bool:
    """Whether a closure cell is one of a call that was traced, and no state from outside."""
    return id(place.owner) not in tracing.closures.outer or id(place.owner) in tracing.closures.born


def _is_own_tensor(place: Place) -> bool:
    """A tensor of the trace itself: nobody outside has it, unless the result does."""
    return isinstance(place, TensorPlace) and isinstance(place.owner._value, Value)


def _written(tracing: Tracing, place: Place, old: Any) -> tuple[Any, int]:
    """What a place gets; for a list that was appended to but never read, only the new items."""
    value = place.get()
    if not isinstance(place, ContentsPlace) or not isinstance(place.owner, list):
        return value, -1
    if isinstance(value, StagedItems) or ("read", id(place.owner)) in tracing.seen:
        return value, -1
    kept = len(old.values)
    if len(value.values) < kept or any(
        one is not other for one, other in zip(old.values, value.values, strict=False)
    ):
        return value, -1
    return Items(value.values[kept:]), kept


def _guard_owner(tracing: Tracing, owner: Any) -> None:
    """A method of C code leaves: it is bound to this object, wherever another call finds one."""
    if id(owner) in tracing.paths:
        tracing.guard(f"{tracing.path_of(owner)} is {tracing.table.constant(owner)}")


class _Resolver:
    """Replaces objects that existed before by where a call finds them."""

    def __init__(self, tracing: Tracing, concluded: Concluded) -> None:
        self.tracing = tracing
        self.concluded = concluded
        self.numbers: dict[str, int] = {}
        self.making = False
        """Whether it is in what an iterator is made of."""

    def given(self, item: Any) -> int:
        """The number of an object among the given ones."""
        path = self.tracing.path_of(item)
        if path not in self.numbers:
            self.numbers[path] = len(self.concluded.given)
            self.concluded.given.append(path)
        return self.numbers[path]

    def resolve(self, skeleton: Skeleton) -> Skeleton:
        """The skeleton with `Given` in the place of objects from before the call."""
        match skeleton:
            case Cell(tensor=tensor):
                return Given(self.given(tensor))
            case Fixed(value=value):
                known = isinstance(value, (*ATOMS, *BY_NAME, *IMMUTABLE))
                if isinstance(value, BuiltinFunctionType):
                    _guard_owner(self.tracing, value.__self__)
                if id(value) not in self.tracing.paths:
                    if self.making and not known:
                        refuse_of_branch(value)
                    refuse_leak(self.tracing, value)
                    return skeleton
                if known:
                    return skeleton
                return Given(self.given(value))
            case Group(kind=kind, items=items):
                refuse_stand_in(kind)
                return Group(kind, tuple(map(self.resolve, items)))
            case Made(items=items):
                refuse_class(self.tracing, skeleton.kind)
                outer, self.making = self.making, self.making or skeleton.kind is Making
                made = replace(skeleton, items=tuple(map(self.resolve, items)))
                self.making = outer
                return made
            case Held(kind=kind, keys=keys, items=items):
                return Held(kind, keys, tuple(map(self.resolve, items)))
            case Choices(options=options):
                return Choices(tuple(map(self.resolve, options)))
            case Grown(element=element):
                return Grown(skeleton.kind, self.resolve(element))
            case Packed(element=element):
                return Packed(skeleton.kind, self.resolve(element))
            case Leaf(same=same) if same:
                candidates = tuple(
                    Given(self.given(one)) if isinstance(one, Tensor) else one for one in same
                )
                numbers = tuple(
                    self.tracing.identities.number_of(one)
                    if isinstance(one, Tensor)
                    else code_of_path(same, one)
                    for one in same
                )
                return replace(skeleton, value=None, same=candidates, tag=None, numbers=numbers)  # type: ignore[arg-type]
            case Reference(kind=kind):
                refuse_class(self.tracing, kind)
                return skeleton
            case Within(stores=stores, item=item):
                tables = tuple((key, self.resolve(table)) for key, table in stores)
                return Within(tables, self.resolve(item))
            case Leaf() | Again():
                return skeleton
        raise AssertionError(skeleton)
