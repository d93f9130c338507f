"""Values in strings, as they were when the text was asked for."""

from __future__ import annotations

import copy
import types
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Callable
from typing import Any, TypeVar

from autograph.control.chosen_contents import CONTAINERS, DictView
from autograph.control.whole_reads import read_whole
from autograph.errors import StateError
from autograph.merge.thaw import rebuild
from autograph.operators.calls.dispatch import call, overrides, special_method
from autograph.operators.containers import object_handles
from autograph.operators.expressions.truth import choose
from autograph.runtime.core.anatomy import with_article
from autograph.runtime.core.number import Number
from autograph.runtime.core.tensor import Tensor
from autograph.tracing.places import Items
from autograph.tracing.tracing import Tracing, current
from autograph.values.choice import Choice
from autograph.values.marks import declared
from autograph.values.skeleton import kind_of, made_of

REPRESENTED = ("__repr__",)
SHOWN = ("__str__", "__repr__")
FORMATTED = ("__format__", *SHOWN)
SETS = (set, frozenset)
SHOWN_BY_ITEMS = (dict, Counter, OrderedDict, defaultdict)
T = TypeVar("T")


def is_staged(value: Any, within: tuple[int, ...] = ()) -> bool:
    """Whether the text of a value is known only when the graph runs."""
    if isinstance(value, Tensor):
        return current() is not None
    if isinstance(value, Number | Choice) or declared(type(value), "_concrete") is not None:
        return True
    if isinstance(value, DictView):
        value = value.container
    if isinstance(value, CONTAINERS):
        tracing = current()
        if tracing is not None and tracing.contents(value) is not None:
            return True
    if has_own_text(value):
        return current() is not None
    if isinstance(value, BaseException):
        return is_staged(value.args, within) or (
            current() is not None and isinstance(type(value).__str__, types.FunctionType)
        )
    if isinstance(value, slice):
        return any(map(is_staged, (value.start, value.stop, value.step)))
    if id(value) in within:
        return False
    return any(is_staged(one, (*within, id(value))) for one in _shown_parts(value))


def _shown_parts(value: Any) -> Any:
    """What Python's own text of a value shows besides."""
    if isinstance(value, dict):
        return (*value, *value.values())
    if isinstance(value, types.SimpleNamespace):
        return vars(value).values()
    return value if isinstance(value, tuple | list | deque | set | frozenset) else ()


def has_own_text(value: Any, methods: tuple[str, ...] = REPRESENTED) -> bool:
    """Whether a method of the user's, or of `dataclasses`, makes the text of an object."""
    kind = type(value)
    if isinstance(value, type) or kind.__module__.split(".")[0] == "autograph":
        return False
    if not (hasattr(value, "__dict__") or hasattr(kind, "__slots__")):
        return False
    if isinstance(value, str) and methods is FORMATTED:
        methods = FORMATTED[:2]  # a string is its own text, whatever represents it
    if kind is Counter:  # written in Python, and known
        return False
    if isinstance(value, Tensor):  # which one is asked, where its text is made
        return methods is FORMATTED and overrides(value, "__format__")
    found = (special_method(kind, name) for name in methods)
    return any(isinstance(one, types.FunctionType) and one.__module__ != "enum" for one in found)


_under_way: set[int] = set()
"""What a text is being made of. One trace is made at a time, so this is the same for all."""


def unless_under_way(value: Any, ring: T, show: Callable[[], T]) -> T:
    """What `show` gives; `ring` for what holds itself, and is met again while it is shown."""
    if id(value) in _under_way:
        return ring
    _under_way.add(id(value))
    try:
        return show()
    finally:
        _under_way.discard(id(value))


def frozen_parts(value: Any, represented: bool = True) -> Any:
    """A value as it is now: cells by their value, lists as they stand."""
    known = current()
    if known is not None:
        read_whole(known, value)
    if isinstance(value, Tensor) and not (represented and overrides(value, "__repr__")):
        tracing = current()
        assert tracing is not None
        return made_of(kind_of(value), tracing.region.trace.value_of(value))
    if isinstance(value, Choice):
        assert known is not None
        if known.any_handle(value.options):  # no row may be there of one that is not taken
            return choose(known, value, frozen_parts)
        return Choice(value.tag, tuple(map(frozen_parts, value.options)))
    if isinstance(value, (*CONTAINERS, DictView, frozenset)):
        ring = Represented(_ring(value))
        return unless_under_way(value, ring, lambda: _frozen_container(value))
    if not isinstance(value, tuple) and (
        has_own_text(value)
        or isinstance(value, Tensor)
        or (isinstance(value, BaseException | types.SimpleNamespace) and is_staged(value))
    ):
        return Represented(call(repr, value))
    if isinstance(value, tuple):
        return unless_under_way(value, Represented("(...)"), lambda: _frozen_tuple(value))
    return value


def _frozen_tuple(value: Any) -> Any:
    return rebuild(type(value), list(map(frozen_parts, value)))


def _ring(value: Any) -> str:
    """How Python shows a container within itself."""
    if isinstance(value, SETS):
        return f"{type(value).__name__}(...)"
    return "{...}" if isinstance(value, dict) else "[...]"


def _frozen_container(value: Any) -> Any:
    tracing = current()
    assert tracing is not None
    staged = _as_they_stand(tracing, tracing.contents(value))
    if not is_staged(value) and type(value) not in (list, dict):
        return copy.copy(value)
    if isinstance(value, dict) and type(value) in SHOWN_BY_ITEMS:
        items = staged
        if staged is None:
            items = tuple((frozen_parts(key), frozen_parts(one)) for key, one in value.items())
        if type(value) is not defaultdict:
            return DictText(items, type(value))
        if isinstance(value.default_factory, type | None):
            return DictText(items, defaultdict, value.default_factory)
    if type(value) in (list, deque):
        held = tuple(map(frozen_parts, value)) if staged is None else staged
        return ListText(held) if type(value) is list else DequeText(held, value.maxlen)
    if isinstance(value, SETS) and staged is None:
        name = "" if type(value) is set else type(value).__name__
        return MembersText(name, tuple(map(frozen_parts, value)))
    if type(value) is set:
        return SetText(staged)
    raise StateError(
        f"the text of {with_article(type(value).__name__)} with staged items is known only when "
        "it runs",
        remedy="print its items, or make a list or a dict of them",
    )


def _as_they_stand(tracing: Tracing, contents: Any) -> Any:
    """Staged contents as they are now."""
    if isinstance(contents, Choice):
        options = (_as_they_stand(tracing, one) for one in contents.options)
        return Choice(contents.tag, tuple(options))
    if isinstance(contents, Items):
        return type(contents)(tuple(map(frozen_parts, contents.values)))
    return object_handles.snapshot(tracing, contents)


class Represented:
    """An object in a container, as its `repr` showed it when the text was asked for."""

    __slots__ = ("text",)
    _staged_parts = ("text",)

    def __init__(self, text: Any) -> None:
        self.text = text

    @staticmethod
    def _concrete(text: str) -> Any:
        return _Shown(text)


class _Shown:
    def __init__(self, text: str) -> None:
        self.text = text

    def __repr__(self) -> str:
        return self.text


class ListText:
    """A list with staged items, as it was when its text was asked for."""

    __slots__ = ("items",)
    _staged_parts = ("items",)

    def __init__(self, items: Any) -> None:
        self.items = items

    @staticmethod
    def _concrete(items: Any) -> list[Any]:
        return list(items.values if isinstance(items, Items) else items)


class DequeText:
    """A deque with staged items, as it was when its text was asked for."""

    __slots__ = ("items", "maxlen")
    _staged_parts = ("items", "maxlen")

    def __init__(self, items: Any, maxlen: Any) -> None:
        self.items = items
        self.maxlen = maxlen

    @staticmethod
    def _concrete(items: Any, maxlen: Any) -> deque[Any]:
        return deque(items.values if isinstance(items, Items) else items, maxlen)


class SetText:
    """A set with staged members, as it was when its text was asked for."""

    __slots__ = ("items",)
    _staged_parts = ("items",)

    def __init__(self, items: Any) -> None:
        self.items = items

    @staticmethod
    def _concrete(items: Any) -> set[Any]:
        return set(items.values)


class MembersText:
    """A set of objects that know how they are shown, in the order in which it has them."""

    __slots__ = ("items", "name")
    _staged_parts = ("name", "items")

    def __init__(self, name: str, items: tuple[Any, ...]) -> None:
        self.name = name
        self.items = items

    @staticmethod
    def _concrete(name: str, items: tuple[Any, ...]) -> Any:
        inside = "{" + ", ".join(map(repr, items)) + "}"
        return _Shown(f"{name}({inside})" if name else inside)


class DictText:
    """A dict with staged values, as it was when its text was asked for."""

    __slots__ = ("factory", "items", "kind")
    _staged_parts = ("items", "kind", "factory")

    def __init__(self, items: Any, kind: type, factory: type | None = None) -> None:
        self.items = items
        self.kind = kind
        self.factory = factory

    @staticmethod
    def _concrete(items: Any, kind: type, factory: type | None) -> dict[Any, Any]:
        held = dict(items.values if isinstance(items, Items) else items)
        return defaultdict(factory, held) if kind is defaultdict else kind(held)
