"""Places: what can be written. Each knows how to read, write and restore itself.

Reading and writing a place never runs the user's code: no properties, no `__setattr__`.
"""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Iterable
from types import CellType
from typing import Any, Protocol

from autograph.errors import MergeError, StateError
from autograph.runtime.core.anatomy import with_article
from autograph.runtime.core.tensor import Tensor
from autograph.runtime.graph.ir import Value
from autograph.values.marks import declared
from autograph.values.object_state import drop_attribute, is_hidden, keep_attribute, put_in_order
from autograph.values.sentinels import UNSET

Key = tuple[Any, ...]


class Holdings(Protocol):
    """The part of a trace that places read and write: what it holds in the stead of the user's."""

    staged_items: dict[int, StagedItems]
    sealed: dict[int, str]
    put: list[Tensor]
    popped: dict[int, bool]
    disturbed: set[int]

    def cell_value(self, tensor: Tensor) -> Value:
        """What a tensor cell holds now."""

    def set_cell(self, tensor: Tensor, value: Any) -> None:
        """Put a value of the graph into a tensor cell."""


class Place:
    """Something that holds a value: `key` identifies it, `owner` is kept alive by it."""

    __slots__ = ("key", "owner")
    key: Key
    owner: Any

    def get(self) -> Any:
        """The value it holds now, UNSET if none."""
        raise NotImplementedError

    def set(self, value: Any) -> None:
        """Make it hold `value`; UNSET empties it."""
        raise NotImplementedError

    def same(self, old: Any, new: Any) -> bool:
        """Whether two values that `get` gave are one and the same."""
        return old is new

    def describe(self) -> str:
        """What the user calls it."""
        raise NotImplementedError


class CellPlace(Place):
    """A closure cell: a local that nested functions see."""

    __slots__ = ("name",)

    def __init__(self, cell: CellType, name: str) -> None:
        self.owner = cell
        self.name = name
        self.key = ("cell", id(cell))

    def get(self) -> Any:
        try:
            return self.owner.cell_contents
        except ValueError:
            return UNSET

    def set(self, value: Any) -> None:
        if value is UNSET:
            try:
                del self.owner.cell_contents
            except ValueError:
                pass
        else:
            self.owner.cell_contents = value

    def describe(self) -> str:
        if self.name.startswith("ag__result"):
            return "what is returned"
        return f"variable '{self.name}'"


class NamePlace(Place):
    """A global variable: a key of a namespace that is reached by name."""

    __slots__ = ("name",)

    def __init__(self, namespace: dict[str, Any], name: str) -> None:
        self.owner = namespace
        self.name = name
        self.key = ("name", id(namespace), name)

    def get(self) -> Any:
        return self.owner.get(self.name, UNSET)

    def set(self, value: Any) -> None:
        if value is UNSET:
            self.owner.pop(self.name, None)
        else:
            self.owner[self.name] = value

    def describe(self) -> str:
        return f"global variable '{self.name}'"


class AttributePlace(Place):
    """An attribute kept in an object's own `__dict__` or slots."""

    __slots__ = ("name", "order")

    def __init__(self, owner: Any, name: str) -> None:
        self.owner = owner
        self.name = name
        self.key = ("attribute", id(owner), name)
        self.order: tuple[str, ...] = ()
        """The names of all attributes, of an object from which this one was deleted."""

    def get(self) -> Any:
        namespace = getattr(self.owner, "__dict__", None)
        if namespace is not None and self.name in namespace:
            return namespace[self.name]
        if is_hidden(type(self.owner), self.name):
            return UNSET
        slot = declared(type(self.owner), self.name)
        if hasattr(type(slot), "__set__"):
            try:
                return object.__getattribute__(self.owner, self.name)
            except AttributeError:
                return UNSET
        return UNSET

    def set(self, value: Any) -> None:
        if isinstance(self.owner, type):
            if value is UNSET:
                if self.name in self.owner.__dict__:
                    type.__delattr__(self.owner, self.name)
            else:
                type.__setattr__(self.owner, self.name, value)
        elif value is UNSET:
            if self.get() is not UNSET:
                self.note_order()
                drop_attribute(self.owner, self.name)
        else:
            try:
                keep_attribute(self.owner, self.name, value)
            except TypeError as error:  # a member of a C class, of one type
                raise MergeError(
                    f"{self.describe()} would be one of several values, which it cannot hold",
                    remedy="set it on both paths, or keep the value in another attribute",
                ) from error
            if self.order:
                put_in_order(self.owner.__dict__, self.order)

    def note_order(self) -> None:
        """Note in what order the attributes stand, before this one is deleted."""
        self.order = self.order or tuple(getattr(self.owner, "__dict__", ()))

    def is_moved(self) -> bool:
        """Whether it stands now behind one that stood behind it before it was deleted."""
        names = [*self.owner.__dict__] if self.order else []
        if self.name not in names or self.name not in self.order:
            return False
        before = set(names[: names.index(self.name)])
        return not before.isdisjoint(self.order[self.order.index(self.name) :])

    def describe(self) -> str:
        return f"attribute '{self.name}' of {with_article(type(self.owner).__name__)}"


class StagedItems:
    """The contents of a container whose length is known only at run time.

    `kind` is list (of a deque, too), dict or set, `element` the skeleton of one row, and `columns`
    the graph lists, one for each leaf of a row and at least one. `most`: so many rows there are at
    most, if that is known.
    """

    __slots__ = ("columns", "element", "kind", "most")

    def __init__(
        self, kind: type, element: Any, columns: tuple[Any, ...], most: int | None = None
    ) -> None:
        self.kind = kind
        self.element = element
        self.columns = columns
        self.most = most


class Items:
    """The contents of a container at one moment: a list's items, a dict's pairs, a set's."""

    __slots__ = ("values",)

    def __init__(self, values: tuple[Any, ...]) -> None:
        self.values = values


class DictItems(Items):
    """The pairs of a dict."""


class SetItems(Items):
    """The members of a set. `unpopped`: of one that nothing was popped from so far."""

    __slots__ = ("unpopped",)

    def __init__(self, values: tuple[Any, ...], unpopped: bool = False) -> None:
        super().__init__(values)
        self.unpopped = unpopped


WIDEST = 8192
"""So many places has the largest table that `start_again` helps."""


def start_again(members: set[Any]) -> None:
    """Let an empty set pop from the start of its table, as a new one does.

    CPython goes on from behind the place of the last `pop`, also after `clear`
    (Objects/setobject.c). The last place of a large table is a multiple of all smaller ones away.
    """
    filler = range(1300)
    set.update(members, filler)
    set.add(members, WIDEST - 1)
    for one in filler:
        set.discard(members, one)
    set.pop(members)
    set.clear(members)


def kind_of_items(container: Any) -> type[Items]:
    """The class of the contents of a container."""
    if isinstance(container, dict):
        return DictItems
    return SetItems if isinstance(container, set) else Items


def poisoned(container: Any) -> tuple[Any, ...]:
    """What a container holds in the place of staged contents."""
    return ((POISON, POISON),) if isinstance(container, dict) else (POISON,)


def base_of_dict(owner: dict[Any, Any]) -> type[dict[Any, Any]]:
    """The built-in class whose methods keep the pairs of a dict; an OrderedDict has its own."""
    return OrderedDict if isinstance(owner, OrderedDict) else dict


def put_pairs(owner: dict[Any, Any], pairs: Iterable[tuple[Any, Any]]) -> None:
    """Put pairs into a dict, without the user's own methods."""
    store = base_of_dict(owner).__setitem__
    for key, value in pairs:
        store(owner, key, value)


class ContentsPlace(Place):
    """All that a list, dict, set or deque holds, order included."""

    __slots__ = ("tracing",)

    def __init__(self, owner: Any, tracing: Holdings) -> None:
        self.owner = owner
        self.tracing = tracing
        self.key = ("contents", id(owner))

    def get(self) -> Any:
        staged = self.tracing.staged_items.get(id(self.owner))
        if staged is not None:
            return staged
        owner = self.owner
        if isinstance(owner, dict):
            return DictItems(tuple(owner.items()))
        if isinstance(owner, set):
            return SetItems(tuple(owner), id(owner) not in self.tracing.popped)
        return Items(tuple(owner))

    def set(self, value: Any) -> None:
        owner = self.owner
        self.tracing.staged_items.pop(id(owner), None)
        if isinstance(value, StagedItems):
            for item in owner:
                if isinstance(item, Tensor):
                    self.tracing.sealed.setdefault(id(item), "element")
                    self.tracing.put.append(item)
        if not isinstance(value, Items):
            self.tracing.staged_items[id(owner)] = value
            value = kind_of_items(owner)(poisoned(owner))
        if isinstance(owner, list):
            list.__setitem__(owner, slice(None), value.values)
        elif isinstance(owner, dict):
            base_of_dict(owner).clear(owner)
            put_pairs(owner, value.values)
        elif isinstance(owner, set):
            set.clear(owner)
            if id(owner) in self.tracing.popped:
                self.tracing.disturbed.add(id(owner))
                if isinstance(value, SetItems) and value.unpopped:
                    start_again(owner)
            set.update(owner, value.values)
        elif isinstance(owner, deque) and len(owner) == len(value.values):
            for place, item in enumerate(value.values):  # which a loop over it may not notice
                deque.__setitem__(owner, place, item)
        elif isinstance(owner, deque):
            deque.clear(owner)
            deque.extend(owner, value.values)

    def same(self, old: Any, new: Any) -> bool:
        if not isinstance(old, Items) or not isinstance(new, Items):
            return old is new
        if len(old.values) != len(new.values):
            return False
        if isinstance(self.owner, dict):
            return all(
                a[0] is b[0] and a[1] is b[1] for a, b in zip(old.values, new.values, strict=True)
            )
        return all(a is b for a, b in zip(old.values, new.values, strict=True))

    def describe(self) -> str:
        return f"the contents of {with_article(type(self.owner).__name__)}"


class TensorPlace(Place):
    """What a tensor cell holds: a value of the graph."""

    __slots__ = ("tracing",)

    def __init__(self, owner: Tensor, tracing: Holdings) -> None:
        self.owner = owner
        self.tracing = tracing
        self.key = ("tensor", id(owner))

    def get(self) -> Any:
        return self.tracing.cell_value(self.owner)

    def set(self, value: Any) -> None:
        self.tracing.set_cell(self.owner, value)

    def describe(self) -> str:
        name = getattr(self.owner, "name", None)
        return f"variable {name!r}" if name else f"a tensor {self.owner!r}"


class Poison:
    """Stands in a Python list whose real contents are staged: any use of it is an error."""

    def _refuse(self, *_: Any, **__: Any) -> Any:
        raise StateError(
            "a container was changed in a staged loop or branch, and what it holds is known only "
            "when the function runs",
            remedy="use append, pop, len, indexing, iteration or ag.stack on it",
        )

    __iter__ = __len__ = __bool__ = __getattr__ = __call__ = __getitem__ = __setitem__ = _refuse
    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = _refuse
    __rtruediv__ = __floordiv__ = __rfloordiv__ = __mod__ = __rmod__ = __neg__ = __abs__ = _refuse
    __lt__ = __le__ = __gt__ = __ge__ = __int__ = __float__ = __index__ = _refuse
    __hash__ = object.__hash__

    def __repr__(self) -> str:
        return "<staged contents>"


POISON = Poison()
