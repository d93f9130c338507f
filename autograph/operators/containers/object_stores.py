"""Stores: the objects that containers of staged length refer to, and their handles in the trace."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from types import FunctionType
from typing import Any

from autograph.errors import MergeError, StagingError
from autograph.library import is_plain_python
from autograph.merge.coerce import Coercer
from autograph.merge.freeze import CONTAINERS, Freezer
from autograph.merge.join import Joining, in_store, join
from autograph.merge.thaw import Thawer
from autograph.operators.containers import rows
from autograph.operators.containers.object_rows import (
    needs_new_columns,
    renewed,
    replace_attributes,
    with_all_names,
)
from autograph.runtime.arrays.cells import Array, View
from autograph.runtime.core.anatomy import with_article
from autograph.runtime.core.location import is_ours
from autograph.runtime.core.number import Number
from autograph.runtime.core.tensor import Tensor
from autograph.runtime.graph.ir import Value
from autograph.runtime.graph.trace import StagedList, wrap
from autograph.runtime.ops.table import OPS
from autograph.tracing.array_storage import (
    ArrayStorage,
    StoragePlace,
    is_made_here,
    may_be_kept,
)
from autograph.tracing.namespaces import refuse_namespace
from autograph.tracing.places import ContentsPlace, Items, Place, StagedItems
from autograph.tracing.reading import observe
from autograph.tracing.tracing import Tracing
from autograph.values.object_state import attributes_of, empty, setting_of
from autograph.values.references import (
    NOT_REFERRED,
    FoundReferences,
    Site,
    Standing,
    Store,
    StoreKey,
    parts_in,
)
from autograph.values.sentinels import DONT_CARE, UNSET
from autograph.values.skeleton import (
    STAGED_CONTENTS,
    Fixed,
    Grown,
    Made,
    Reference,
    Skeleton,
    alike,
)

PRIVATE = ("autograph.library.ordering", "autograph.derivatives", "autograph.nn.module")
"""Modules that make lists and dicts for their own use, or tensors by which is derived: these are
put into a store when a container is to hold them, not before."""
ROW = Joining("an object in a store", in_list=True, pack=True)


class StandingPlace(Place):
    """Whether a Python object is a handle, and of what.

    An object that is none any more, where its region was taken back, has what it had before: since
    then it may have been shown what its row held.
    """

    __slots__ = ("attributes", "contents", "references", "tracing")

    def __init__(self, owner: Any, tracing: Tracing) -> None:
        self.owner = owner
        self.tracing = tracing
        self.references = tracing.references
        self.key = ("standing", id(owner))
        self.attributes = attributes_of(owner) or {}
        is_container = isinstance(owner, CONTAINERS)
        self.contents = ContentsPlace(owner, tracing).get() if is_container else UNSET

    def get(self) -> Any:
        return self.references.get(id(self.owner), UNSET)

    def set(self, value: Any) -> None:
        if value is not UNSET:
            self.references[id(self.owner)] = value
        elif self.references.pop(id(self.owner), None) is not None:
            if self.contents is not UNSET:
                ContentsPlace(self.owner, self.tracing).set(self.contents)
            replace_attributes(self.owner, self.attributes)

    def describe(self) -> str:
        return f"{with_article(type(self.owner).__name__)} in a container of staged length"


class Stores:
    """The keeper of one trace: see `values.references`."""

    def __init__(self, tracing: Tracing) -> None:
        self.tracing = tracing
        self.moving: dict[int, bool] = {}
        """The objects whose parts are put into stores, outer ones first: whether they are, too."""
        self.waiting: list[Any] = []
        """Objects that were made just now, and will be put into stores."""
        self.sites: dict[int, Site] = {}
        """Where objects were made that containers may refer to."""
        self.changed: list[Any] = []
        """The handle that was changed since its row was stored, if any."""
        self.shown: list[Standing] = []
        """What was loaded in the current region or further out."""
        self.seen: dict[StoreKey, Skeleton] = {}
        """What rows turned out to hold, in any branch."""
        self.met: dict[tuple[StoreKey, StoreKey], None] = {}
        """Stores whose objects were met in one place."""
        self.in_vain: type | None = None
        """The class of which rows got a type that their columns cannot have: this attempt goes on
        to learn about other rows, and comes to nothing."""
        self.given: list[tuple[StoreKey, int, Array]] = []
        """The arrays of the caller's that are in stores, with their rows."""
        self.begun: dict[StoreKey, Any] = {}
        """What the stores held when the trace began."""
        self.eager: dict[Site, StoreKey] = {}
        """Where objects were made that were put into stores for their class alone."""
        self.referred: set[StoreKey] = set()
        """The stores to objects of which something referred."""

    # handles ----------------------------------------------------------------------------------
    def refresh(self, value: Any) -> None:
        """Let a handle show what its row holds now."""
        standing = self.tracing.references.get(id(value))
        if standing is None or standing.changed:
            return
        self.settle()
        contents = self._contents(standing.store)
        if standing.loaded is contents:
            return
        columns = map(StagedList, contents.columns)
        leaves = [OPS.list_get(column, standing.index)._value for column in columns]
        if isinstance(contents.element, Fixed):
            return  # nothing is known of it yet
        self._show(value, Thawer(self.tracing, iter(leaves)).thaw(contents.element))
        self._loaded(standing, contents, leaves)

    def _show(self, handle: Any, row: Any) -> None:
        """Give a handle what an object made of its row has."""
        self._seal(row)
        self.hide(row)
        if isinstance(handle, CONTAINERS):
            contents = ContentsPlace(row, self.tracing).get()
            ContentsPlace(handle, self.tracing).set(contents)
        replace_attributes(handle, attributes_of(row) or {})

    def _loaded(self, standing: Standing, contents: StagedItems, leaves: list[Any]) -> None:
        standing.loaded, standing.leaves = contents, leaves
        self.shown.append(standing)

    def change(self, handle: Any) -> None:
        """Note that a handle is about to be changed."""
        self.refresh(handle)
        standing = self.tracing.references[id(handle)]
        if not standing.changed:
            standing.changed = True
            self.changed.append(handle)

    def settle(self) -> None:
        """Store what was made or changed, before it can be used in another region."""
        while self.waiting:
            self.move(self.waiting.pop(0))
        while self.changed:
            handle = self.changed.pop()
            standing = self.tracing.references[id(handle)]
            try:
                self._store(handle, standing)
            except BaseException:  # the region is traced again: its row is shown anew then
                standing.loaded = None
                raise
            finally:
                standing.changed = False

    def forget(self) -> None:
        """At the end of a region: what was not stored is rolled back, what was loaded is gone."""
        for handle in self.changed:
            if (standing := self.tracing.references.get(id(handle))) is not None:
                standing.changed = False
                standing.loaded = None
        for standing in self.shown:
            standing.loaded = None
        self.changed, self.shown, self.waiting = [], [], []

    def refer(self, key: StoreKey, kind: type, index: Number) -> Any:
        """A new handle of an object."""
        store = self._store_of(key, kind)
        handle = empty(kind, key[1])
        self.tracing.references[id(handle)] = Standing(store, index)
        return self.tracing.born(handle)

    def gather(self, carried: list[tuple[Any, Skeleton]]) -> None:
        """At the end of a turn: let containers that are staged for the loop hold references."""
        if not self.tracing.hints.referring.kinds:
            return
        for place, target in carried:
            value = place.get()
            owner = place.owner if isinstance(value, Items) else value
            grown = isinstance(target, Grown) or (
                isinstance(target, Made) and target.keys is STAGED_CONTENTS
            )
            if grown and isinstance(owner, CONTAINERS) and self.tracing.contents(owner) is None:
                if isinstance(place, ContentsPlace) or self.tracing.is_born(owner):
                    rows.make_staged(self.tracing, owner)

    def meet(self, one: Reference, other: Reference) -> None:
        """See Keeper.meet."""
        if (
            issubclass(one.kind, CONTAINERS)
            and one.kind is other.kind
            and one.key[1] is other.key[1]
        ):
            self.met[one.key, other.key] = None

    def alike(self) -> list[tuple[StoreKey, StoreKey]]:
        """See Keeper.alike."""
        return [pair for pair in list(self.met) if self._are_alike(*pair)]

    def _are_alike(self, one: StoreKey, other: StoreKey) -> bool:
        if one not in self.seen or other not in self.seen:
            return False
        try:
            return isinstance(join(self.seen[one], self.seen[other], ROW), Made)
        except (StagingError, FoundReferences):
            return False

    def learn(self, error: Exception | None) -> None:
        """After an error: raise FoundReferences if more is known of rows than in this attempt.

        Without one, if the attempt was in vain.
        """
        if self.in_vain is None and not isinstance(error, StagingError):
            return
        known, sighted = self.tracing.hints.referring.rows, self.tracing.closures.sighted
        found = {
            key: row
            for key, row in self.seen.items()
            if key not in known or not alike(row, renewed(known[key], row, sighted))
        }
        kind = next(iter(found))[0] if found else self.in_vain
        if kind is not None:
            otherwise = error if isinstance(error, StagingError) else None
            raise FoundReferences(kind, rows=found, otherwise=otherwise, met=self.alike()) from None

    # rows -------------------------------------------------------------------------------------
    def _store_of(self, key: StoreKey, kind: type) -> Store:
        if key not in self.tracing.stores:
            store = self.tracing.stores[key] = Store(key, kind, [])
            self.tracing.keep(store.items)
        return self.tracing.stores[key]

    def row_of(self, reference: Reference) -> Skeleton:
        """See Keeper.row_of."""
        row: Skeleton = self._contents(self._store_of(reference.key, reference.kind)).element
        return row

    def _contents(self, store: Store) -> StagedItems:
        known = rows.staged(self.tracing, store.items)
        if known is not None:
            return known
        element = self.tracing.hints.referring.rows.get(store.key, Fixed(DONT_CARE))
        return rows.no_rows(self.tracing, element)

    def _widened(self, store: Store, frozen: Skeleton) -> StagedItems:
        """The rows of a store as ones that can hold this, too."""
        contents, sighted = self._contents(store), self.tracing.closures.sighted
        narrow = renewed(contents.element, frozen, sighted)
        if narrow is not contents.element:
            contents = StagedItems(list, narrow, contents.columns)
        wide = join(*with_all_names(narrow, in_store(frozen)), ROW)
        if not isinstance(wide, Made):
            raise MergeError(
                f"objects of {store.kind.__name__} in a container of staged length are not made "
                "of the same kinds of values",
                remedy="give each the same attributes, or keep them in containers of their own",
            )
        seen = renewed(self.seen.get(store.key, Fixed(DONT_CARE)), frozen, sighted)
        self.seen[store.key] = join(*with_all_names(seen, wide), ROW)
        if alike(narrow, wide):
            return contents
        if not isinstance(narrow, Fixed) and needs_new_columns(narrow, wide):
            self.in_vain = store.kind
            return rows.no_rows(self.tracing, wide)
        grown = Grown(list, narrow, contents.columns)
        columns = Coercer(self.tracing.region.trace).columns(grown, wide)
        return StagedItems(list, wide, tuple(columns))

    def _leaves(self, frozen: Skeleton, contents: StagedItems) -> list[Value]:
        frozen, _ = with_all_names(frozen, contents.element)
        return Coercer(self.tracing.region.trace).row(frozen, contents.element)

    def _store(self, handle: Any, standing: Standing) -> None:
        """Write the row of a handle that was changed."""
        frozen = self._frozen(handle)
        contents = self._widened(standing.store, frozen)
        leaves = self._leaves(frozen, contents)
        before = standing.leaves if standing.loaded is contents else []
        columns = []
        for number, (column, leaf) in enumerate(zip(contents.columns, leaves, strict=True)):
            if number < len(before) and before[number] is leaf:
                columns.append(column)
                continue
            old = before[number] if number < len(before) else None
            columns.append(rows.put_at(column, standing.index, leaf, old))
        changed = rows.with_columns(contents, columns)
        rows.replace(self.tracing, standing.store.items, changed)
        self._seal(handle)
        self._loaded(standing, changed, leaves)

    def _frozen(self, value: Any) -> Skeleton:
        for part in _parts(value):
            self.move(part)
        tracing = self.tracing
        return Freezer(tracing, tracing.region, tracing.root).state_of(value)

    def made(self, value: Any) -> None:
        """Note that an object of a class that containers refer to was made."""
        if id(value) not in self.tracing.references:
            site = self.sites[id(value)] = (type(value), *_lines())
            if self._is_early(site):
                self.waiting.append(value)

    def site_of(self, value: Any) -> Site | None:
        """See Keeper.site_of."""
        return self.sites.get(id(value))

    def hide(self, value: Any) -> None:
        """Note that nobody else will see an object that was made just now."""
        self.sites.pop(id(value), None)
        self.waiting = [one for one in self.waiting if one is not value]

    def tell_apart(self, value: Any, name: str) -> None:
        """See Keeper.tell_apart."""
        site = self.sites.get(id(value))
        if site is not None:
            self.hide(value)
            self.sites[id(value)] = (*site, name)
            if self._is_early((*site, name)):
                self.waiting.append(value)

    def show(self, value: Any) -> None:
        """See Keeper.show."""
        if type(value) in self.tracing.hints.referring.kinds:
            self.made(value)

    def _is_early(self, site: Site) -> bool:
        referring = self.tracing.hints.referring
        return site in referring.early or (referring.is_early(site) and site[1][0] not in PRIVATE)

    def used(self, standing: Standing) -> None:
        """See Keeper.used."""
        self.referred.add(standing.store.key)

    def unused(self) -> frozenset[Site]:
        """See Keeper.unused."""
        return frozenset(site for site, key in self.eager.items() if key not in self.referred)

    # moving -----------------------------------------------------------------------------------
    def move(self, value: Any, element: Skeleton | None = None) -> None:
        """Put the objects in a value that containers refer to into stores."""
        referring = self.tracing.hints.referring
        if not referring.kinds or id(value) in self.tracing.references:
            return
        parts = rows.fixed_parts(value)
        if parts is not None:
            for part in parts:
                self.move(part, element)
        elif isinstance(value, FunctionType) and id(value) not in self.moving:
            self.moving[id(value)] = False
            for part in rows.held_by_function(self.tracing, value):
                self.move(part)
            self.moving.pop(id(value), None)
        elif isinstance(value, Array) and ArrayStorage in referring.kinds:
            self._move_array(value, element)
        elif isinstance(value, Tensor | Number) or not self.tracing.is_born(value):
            return
        elif type(value) in referring.kinds:
            self._put(value, element)
        elif id(value) not in self.moving:
            self.moving[id(value)] = False
            for part in rows.parts_of(value) or ():
                self.move(part)
            self.moving.pop(id(value), None)
        elif not issubclass(type(value), NOT_REFERRED):
            self._refuse_within_itself(value)

    def _move_array(self, array: Array, element: Skeleton | None) -> None:
        """Put an array that this call made into a store: it is a view of its storage then."""
        if id(array) in self.tracing.paths:
            self.require_given([array])
            return
        if not isinstance(array._value, Value):
            return
        self.require_given(list(self._candidates(array)))
        site = self.sites.get(id(array), (ArrayStorage,))
        plain = array.is_contiguous and array.is_writeable  # as a storage is
        known = self.tracing.identities.of(array) is None
        if known and plain and is_made_here(self.tracing, array):
            self._keep_array(array, element)
            return
        error = MergeError(
            "an array that was made before a staged branch or loop is put into a container of "
            "staged length inside it, whose arrays are changed in place",
            remedy="put a copy into it: items.append(x.copy())",
        )
        raise FoundReferences(ArrayStorage, early=site, otherwise=error)

    def _candidates(self, array: Array) -> Iterator[Array]:
        """The arrays of the caller's that an array may be."""
        identity = self.tracing.identities.of(array)
        for one in () if identity is None else identity.objects:
            if isinstance(one, Array):
                yield from self._candidates(one)
                if id(one) in self.tracing.callers.originals:
                    yield one

    def require_given(self, arrays: Sequence[Array], leaving: bool = False) -> None:
        """See Keeper.require_given."""
        tracing = self.tracing
        lacking = [
            one
            for one in arrays
            if id(one) in tracing.callers.originals
            if may_be_kept(one) and not isinstance(one, View)
        ]
        around = {tracing.path_of(one).rpartition("[")[0] for one in lacking}
        given = [
            tracing.table.place_of(tracing.callers.originals[id(one)], tracing.path_of(one))
            for one in tracing.arrays.values()
            if id(one) in tracing.callers.originals
            if isinstance(one, Array) and may_be_kept(one) and not isinstance(one, View)
            if any(one is other for other in lacking)
            or tracing.path_of(one).rpartition("[")[0] in around - {"", "a"}
        ]
        if lacking:
            raise FoundReferences(ArrayStorage, given=given, leaving=leaving)

    def begin(self) -> None:
        """See Keeper.begin."""
        tracing = self.tracing
        for elements, path, objects in tracing.hints.referring.given:
            where = path.format(*map(tracing.table.constant, objects))
            array = observe(tracing, elements, where)
            self._keep_array(array)
            standing = tracing.references[id(array.base)]
            self.given.append((standing.store.key, self._count(standing.store), array))
        self.settle()
        self.begun = {key: self._contents(one).columns for key, one in tracing.stores.items()}

    def _count(self, store: Store) -> int:
        return sum(key == store.key for key, _, _ in self.given)

    def given_arrays(self) -> Sequence[tuple[StoreKey, int, Any]]:
        """See Keeper.given_arrays."""
        return self.given

    def changed_arrays(self) -> Sequence[Any]:
        """See Keeper.changed_arrays."""
        self.settle()
        stores = self.tracing.stores
        return [
            array
            for key, _, array in self.given
            if array.is_writeable and self._contents(stores[key]).columns is not self.begun[key]
        ]

    def _keep_array(self, array: Array, element: Skeleton | None = None) -> None:
        elements = self.tracing.region.trace.value_of(array)
        storage = self.tracing.born(ArrayStorage(elements, bool(array.is_writeable)))
        place = StoragePlace(array)
        self.tracing.region.touch(place)
        self.tracing.keep(array)
        place.set(storage)
        self._put(storage, element)

    def made_array(self, array: Array) -> None:
        """Note where an array was made, if containers may refer to its storage."""
        if ArrayStorage in self.tracing.hints.referring.kinds and isinstance(array._value, Value):
            site = self.sites[id(array)] = (ArrayStorage, *_lines())
            self.tracing.born(array)
            if self._is_early(site):
                self._keep_array(array)

    def _refuse_within_itself(self, value: Any) -> None:
        """An object that is a part of itself by way of a row of its own: no value holds it."""
        inner = list(self.moving.values())[list(self.moving).index(id(value)) :]
        if any(inner):
            raise FoundReferences(type(value))

    def _put(self, value: Any, element: Skeleton | None) -> None:
        tracing, kind = self.tracing, type(value)
        site = self.sites.get(id(value), (kind,))
        if not self._is_ours(value):
            if self._is_early(site):
                raise MergeError(
                    f"{with_article(kind.__name__)} that was made before a staged branch or "
                    "loop is put into a container of staged length inside it",
                    remedy="make it there, or put it into the container before",
                )
            raise FoundReferences(kind, early=site)
        if id(getattr(value, "__dict__", None)) in tracing.namespaces:
            refuse_namespace(value)
        store = self._store_of(self._key(value, element), kind)
        if self._is_early(site) and site not in tracing.hints.referring.early:
            self.eager[site] = store.key
        if id(value) in self.moving:
            # It is not whole yet: what it is made of is stored once it is. Its row shows nothing.
            self._register(value, store, Fixed(DONT_CARE))
            tracing.references[id(value)].changed = True
            self.changed.append(value)
            return
        self.moving[id(value)] = True
        frozen = self._frozen(value)
        self.moving.pop(id(value), None)
        if id(value) in tracing.references:  # it is a part of itself
            self.change(value)
        else:
            self._register(value, store, frozen)

    def _is_ours(self, value: Any) -> bool:
        """Whether an object was made in the graph that is traced now, not further out."""
        region: Any = self.tracing.region
        trace = region.trace
        while region is not None and region.trace is trace:
            if id(value) in region.born:
                return True
            region = region.parent
        return False

    def _key(self, value: Any, element: Skeleton | None) -> StoreKey:
        kind = type(value)
        if isinstance(value, ArrayStorage):
            return kind, value.form
        setting = setting_of(value) if isinstance(value, CONTAINERS) else None
        for part in parts_in(element) if element is not None else ():
            if isinstance(part, Reference) and part.kind is kind and part.key[1] is setting:
                known: StoreKey = part.key
                return known
        if not isinstance(value, CONTAINERS):
            return kind, setting
        return self.tracing.hints.referring.key_of((kind, setting, self.sites.get(id(value))))

    def _register(self, value: Any, store: Store, frozen: Skeleton) -> None:
        """Add a row, and let the object be a handle of it from now on."""
        tracing = self.tracing
        if isinstance(frozen, Fixed):
            contents = self._contents(store)
            leaves = Coercer(tracing.region.trace).row(frozen, contents.element)
        else:
            contents = self._widened(store, frozen)
            leaves = self._leaves(frozen, contents)
        index = rows.length(contents)
        pairs = zip(contents.columns, leaves, strict=True)
        columns = [OPS.list_push(StagedList(column), wrap(leaf))._value for column, leaf in pairs]
        changed = rows.with_columns(contents, columns)
        rows.replace(tracing, store.items, changed)
        place = StandingPlace(value, tracing)
        tracing.region.touch(place)
        standing = Standing(store, index)
        place.set(standing)
        if not isinstance(frozen, Fixed):
            self._seal(value)
        self._loaded(standing, changed, leaves)

    def _seal(self, value: Any) -> None:
        """A row holds values: of tensors that are in it, too."""
        for part in rows.parts_of(value) or ():
            rows.seal(self.tracing, part)


def _lines() -> Iterator[Any]:
    """The lines of code that make an object: the user's, and those of the library it calls."""
    frame: Any = sys._getframe(2)
    while frame is not None:
        filename, module = frame.f_code.co_filename, frame.f_globals.get("__name__", "")
        if not is_ours(filename):
            yield filename, frame.f_lineno, frame.f_lasti
            return
        if is_plain_python(module):
            yield module, frame.f_lineno, frame.f_lasti
        frame = frame.f_back


def _parts(value: Any) -> Iterator[Any]:
    """What an object holds: items and attributes."""
    if isinstance(value, ArrayStorage):
        return  # its array is its own
    yield from rows.parts_of(value) or ()
    if isinstance(value, CONTAINERS):
        yield from (attributes_of(value) or {}).values()
