"""Plain iteration and unpacking, with what they read noted."""

from __future__ import annotations

import enum
import itertools
import operator
import types
from collections import deque
from collections.abc import Iterable, Iterator
from typing import Any

from autograph.control.chosen_contents import DictView, chosen_contents, with_each
from autograph.errors import ShapeError, StateError
from autograph.library import sequences as library
from autograph.library.iterators import items_by_index
from autograph.merge.iterator_makers import forget_making
from autograph.operators.calls.dispatch import call, call_method, special_method
from autograph.operators.containers.chosen_containers import Aligned
from autograph.operators.expressions.truth import choose, condition
from autograph.operators.iterators.generator_consumers import over_items
from autograph.operators.iterators.generator_recipes import note_advanced, pulled, recipe_of
from autograph.operators.iterators.replayable_iterators import Replayed, Watched
from autograph.operators.iterators.resumable_generators import ResumableGenerator
from autograph.operators.iterators.resumable_sources import items_of
from autograph.operators.iterators.staged_iterables import (
    Consumed,
    Indexed,
    Sequence,
    as_indexed,
    has_staged_length,
)
from autograph.operators.iterators.user_iterators import SequenceIterator, one_by_one, walked
from autograph.runtime.core.number import Number
from autograph.runtime.core.python_versions import too_many
from autograph.runtime.core.tensor import Tensor
from autograph.strings.text import Text
from autograph.tracing.reading import is_users, read_contents
from autograph.tracing.region import advanced_outside
from autograph.tracing.tracing import Tracing, current
from autograph.values.choice import Choice
from autograph.values.sentinels import UNSET

DICT_VIEWS: tuple[type, ...] = (type({}.keys()), type({}.values()), type({}.items()))
PLAIN = (list, dict, set, deque, tuple, str, bytes, frozenset)
ITERATORS = (enumerate, zip, map, filter, reversed, range, types.GeneratorType)


def iterate(iterable: Any) -> Iterable[Any]:
    """What a plain Python iteration over `iterable` goes over. Tensors must have a known length."""
    tracing = current()
    if tracing is None:
        return iterable  # type: ignore[no-any-return]
    if isinstance(iterable, Choice):
        return _one_kind(unpack(iterable, None))  # type: ignore[no-any-return]
    indexed = as_indexed(tracing, iterable)
    if indexed is not None:
        return _known_items(tracing, indexed)
    contents = chosen_contents(tracing, iterable)
    if contents is not None:
        raise ShapeError(
            "a plain iteration goes over a container whose contents depend on a staged condition",
            remedy="use a for statement over it, which is staged",
        )
    if isinstance(iterable, list | dict | set | deque):
        read_contents(tracing, iterable)
        return iterable
    if isinstance(iterable, DictView):
        if isinstance(iterable.container, Choice):
            return Aligned.of(tracing, iterable) or _items_of_each(tracing, iterable)
        read_contents(tracing, iterable.container)
        return iterable.native  # type: ignore[no-any-return]
    if is_enumeration(iterable):
        return tuple(iterable)
    recipe = recipe_of(tracing, iterable)
    if recipe is not None:
        return pulled(tracing, recipe)  # type: ignore[no-any-return]
    if isinstance(iterable, SequenceIterator):
        return stepped(tracing, iterable)
    if isinstance(iterable, Iterator) and (
        id(iterable) in tracing.paths or id(iterable) in tracing.lost
    ):
        raise advanced_outside(tracing, iterable)
    if isinstance(iterable, Replayed | Aligned):
        return iterable
    if isinstance(iterable, Iterator) and tracing.is_born(iterable):
        if not isinstance(special_method(type(iterable), "__next__"), types.FunctionType):
            forget_making(tracing, iterable)
            tracing.region.advance(iterable)
            return iterable
    if isinstance(iterable, (*PLAIN, *ITERATORS, *DICT_VIEWS)):
        return iterable  # type: ignore[return-value]
    return _foreign(tracing, iterable)


def _items_of_each(tracing: Tracing, view: DictView) -> Any:
    container: Any = view.container
    return _one_kind(
        choose(tracing, container, lambda one: tuple(iterate(DictView(one, view.kind))))
    )


def _one_kind(items: Any) -> Any:
    """The items, of which there must be as many on each path."""
    if isinstance(items, Choice):
        error = StateError(
            "a plain iteration goes over one of several containers of other lengths, depending on "
            "a staged condition",
            remedy="use a for statement over it, which is staged",
        )
        error.__dict__["around_yield"] = True
        raise error
    return items


def mapping(value: Any) -> Any:
    """What Python unpacks for `**value`: a dict whose pairs are all read."""
    tracing = current()
    if tracing is None:
        return value
    if isinstance(value, Choice):
        common = common_pairs(tracing, value)
        if common is not None:
            return common
    if isinstance(value, Choice | dict):
        if isinstance(value, Choice) or tracing.contents(value) is not None:
            raise StateError(
                "a dict that a staged condition or loop changed is taken apart by **",
                remedy="name the items that are needed, without **",
            )
        read_contents(tracing, value)
        return value
    if special_method(type(value), "keys") is None:
        return value
    keys = iterate(call_method(value, "keys"))
    return {key: call_method(value, "__getitem__", key) for key in keys}


def common_pairs(tracing: Tracing, value: Choice) -> dict[Any, Any] | None:
    """The pairs of dicts of which a value is one, if their keys are the same in all."""
    aligned = Aligned.of(tracing, value)
    if aligned is None or aligned.keys is None:
        return None
    return {key: call(operator.getitem, value, key) for key in aligned.keys}


def lazily(iterable: Any) -> Iterable[Any]:
    """Like `iterate`, for items that are taken one by one while other code runs in between."""
    tracing = current()
    if isinstance(iterable, Aligned):
        return iterable
    found = iterate(iterable)
    container = iterable.container if isinstance(iterable, DictView) else iterable
    if tracing is None or not isinstance(container, list | dict | set | deque):
        return found
    return Watched(tracing, container, iter(found))


def _known_items(tracing: Tracing, indexed: Indexed) -> list[Any]:
    length = indexed.length(tracing)
    if isinstance(length, Number):
        raise ShapeError(
            "a plain iteration (a comprehension, unpacking, or a call such as list) goes over "
            "something whose length is known only at run time",
            remedy="use a for statement over it, which is staged",
        )
    return [indexed.get(tracing, index) for index in range(length)]


def is_enumeration(item: Any) -> bool:
    """Whether an item is an enumeration or a flag: code of the library gives the members of it."""
    own = special_method(type(item), "__iter__")
    return isinstance(item, enum.EnumMeta | enum.Flag) and getattr(own, "__module__", "") == "enum"


def has_own_iterator(value: Any) -> bool:
    """Whether code of the user's gives the items of an object, which C code would not convert."""
    own = special_method(type(value), "__iter__")
    return isinstance(own, types.FunctionType) and is_users(type(value))


def iterator_of(iterable: Any) -> Any:
    """What the converted `__iter__` or `__getitem__` of the user's object gives; else UNSET."""
    kind = type(iterable)
    own = special_method(kind, "__iter__")
    by_index = own is None and isinstance(special_method(kind, "__getitem__"), types.FunctionType)
    if isinstance(iterable, PLAIN) and (by_index or kind.__module__ == "collections"):
        return UNSET
    if not by_index and not isinstance(own, types.FunctionType):
        return UNSET
    tracing = current()
    if tracing is not None and is_enumeration(iterable):
        generator = types.GeneratorType
        return tracing.born(Replayed(tracing, generator, (tuple(iterable),), lambda n, one: one[0]))
    if current() is None or (
        own is Tensor.__iter__ if issubclass(kind, Tensor) else _is_ours(kind)
    ):
        return UNSET
    return call(items_by_index, iterable) if by_index else _asked_for_iterator(iterable)


def _is_ours(kind: type) -> bool:
    return kind.__module__.split(".")[0] == "autograph"


def _asked_for_iterator(iterable: Any) -> Any:
    """What `__iter__` gives, which must be an iterator."""
    made = call_method(iterable, "__iter__")
    stands_in = type(made).__module__.startswith("autograph.")
    if stands_in and not isinstance(made, Tensor | Number | Sequence | DictView | Text):
        return made
    if special_method(type(made), "__next__") is None:
        kind = f"dict_{made.kind}" if isinstance(made, DictView) else None
        name = kind or getattr(made, "kind", type(made)).__name__
        raise TypeError(f"iter() returned non-iterator of type {name!r}")
    return made


def opened(iterable: Any, alone: bool = True) -> Any:
    """What gives the items of an object of the user's; anything else is the same.

    `alone`: nobody asks a generator for more items afterwards.
    """
    tracing = current()
    if isinstance(iterable, ResumableGenerator) and tracing is not None:
        return items_of(tracing, iterable, alone)
    if isinstance(iterable, SequenceIterator) and tracing is not None:
        known = isinstance(left_over(tracing, iterable), bool)
        return iterable if known else walked(tracing, iterable)
    if tracing is not None and is_enumeration(iterable):
        return tuple(iterable)
    made = iterator_of(iterable)
    if made is UNSET or tracing is None:
        return iterable
    if recipe_of(tracing, made) is not None or isinstance(made, Replayed | Consumed):
        return made
    if isinstance(made, ResumableGenerator):
        return items_of(tracing, made, alone)
    if isinstance(special_method(type(made), "__next__"), types.FunctionType):
        return walked(tracing, made)
    return iterate(made)


def _foreign(tracing: Tracing, iterable: Any) -> Iterable[Any]:
    """An object of the user's with `__iter__`: its methods are converted, too."""
    kind = type(iterable)
    if not special_method(kind, "__iter__") and not special_method(kind, "__getitem__"):
        return iterable  # type: ignore[no-any-return]  # iter() raises Python's own error
    found = opened(iterable)
    if found is not iterable:
        return iterate(found)
    if isinstance(special_method(kind, "__next__"), types.FunctionType):
        return iterate(walked(tracing, iterable))
    if special_method(kind, "__next__"):
        if tracing.is_born(iterable) and tracing.region.trace is tracing.trace:
            return iterable  # type: ignore[no-any-return]
        raise advanced_outside(tracing, iterable)
    return iterable  # type: ignore[no-any-return]


def advance(tracing: Tracing, iterator: Any) -> Any:
    """What to ask an item of in the stead of an iterator of Python's own; noted as advanced."""
    recipe = recipe_of(tracing, iterator)
    if recipe is not None:
        return pulled(tracing, recipe)
    counted = isinstance(iterator, Indexed)
    if counted or id(iterator) in tracing.lost or not tracing.is_born(iterator):
        tracing.resumption.asks_iterators |= isinstance(iterator, Consumed)
        raise advanced_outside(tracing, iterator)
    note_advanced(tracing, iterator)
    return iterator


def all_items(iterable: Any) -> Iterable[Any]:
    """What `*iterable` goes over."""
    tracing = current()
    if tracing is None:
        return iterable  # type: ignore[no-any-return]
    if recipe_of(tracing, iterable) is None:
        return iterate(iterable)
    found: list[Any] = over_items(tracing, iterable, lambda items: list(iterate(items)))
    return found


def stepped(tracing: Tracing, iterator: SequenceIterator) -> Iterator[Any]:
    """The items that are left to an iterator, whose number must be known while tracing."""
    if not isinstance(left_over(tracing, iterator), bool):
        raise ShapeError(
            "a plain iteration (unpacking, or a call such as list) goes over an iterator that "
            "staged code has advanced: how many items are left is known only at run time",
            remedy="use a for statement over it, which is staged",
        )
    return one_by_one(iterator)


def left_over(tracing: Tracing, iterator: SequenceIterator) -> bool | Number:
    """Whether an iterator has items left; staged where its place or its length is."""
    return condition(tracing, call(type(iterator).has_next, iterator))


def unpack(value: Any, count: int | None) -> Any:
    """The items of `value` for `a, b = value`: exactly `count` of them."""
    tracing = current()
    if tracing is None or type(value) is tuple:
        return value
    if isinstance(value, Choice):
        return choose(tracing, value, lambda option: _unpack_exactly(option, count))
    contents = chosen_contents(tracing, value)
    if contents is not None and count is not None:
        return with_each(tracing, value, contents, lambda: _unpack_exactly(value, count))
    if count is not None and has_staged_length(tracing, value):
        indexed = as_indexed(tracing, value)
        assert indexed is not None
        kind = getattr(value, "kind", type(value))
        call(library.check_length, indexed.length(tracing), count, too_many(count, kind))
        return tuple(indexed.get(tracing, place) for place in range(count))
    value = opened(value)
    if recipe_of(tracing, value) is None:
        return iterate(value)
    asked = None if count is None else count + 1
    return over_items(
        tracing, value, lambda items: exactly(itertools.islice(iterate(items), asked), count)
    )


def _unpack_exactly(value: Any, count: int | None) -> tuple[Any, ...]:
    return exactly(unpack(value, count), count, type(value))


def exactly(items: Iterable[Any], count: int | None, kind: type = object) -> tuple[Any, ...]:
    """The items, of which there must be `count`; `kind` is the class of what holds them."""
    _require_iterable(items)
    found = tuple(items)
    if count is not None and len(found) != count:
        if len(found) < count:
            raise ValueError(f"not enough values to unpack (expected {count}, got {len(found)})")
        raise ValueError(too_many(count, kind).format(len(found)))
    return found


def _require_iterable(value: Any) -> None:
    kind = value.kind if isinstance(value, Number) else type(value)
    if kind.__module__.startswith("autograph."):
        return
    if not any(special_method(kind, name) for name in ("__iter__", "__getitem__")):
        raise TypeError(f"cannot unpack non-iterable {kind.__name__} object")


def unpack_star(value: Any, before: int, after: int) -> tuple[Any, ...]:
    """The items of `value` for `a, *b, c = value`, the starred ones as a list."""
    tracing = current()
    if tracing is not None and isinstance(value, Choice):
        found: tuple[Any, ...] = choose(
            tracing, value, lambda option: unpack_star(option, before, after)
        )
        return found
    if tracing is not None:
        value = opened(value)
        if recipe_of(tracing, value) is not None:
            value = call(list, value)
    if tracing is not None and has_staged_length(tracing, value):
        return _unpack_staged(tracing, value, before, after)
    contents = None if tracing is None else chosen_contents(tracing, value)
    if contents is not None:
        assert tracing is not None
        return with_each(tracing, value, contents, lambda: unpack_star(value, before, after))  # type: ignore[no-any-return]
    _require_iterable(value)
    items = list(value if tracing is None else unpack(value, None))
    if len(items) < before + after:
        raise ValueError(
            f"not enough values to unpack (expected at least {before + after}, got {len(items)})"
        )
    stop = len(items) - after
    middle = items[before:stop]
    if tracing is not None:
        tracing.born(middle)
    return (*items[:before], middle, *items[stop:])


def _unpack_staged(tracing: Tracing, value: Any, before: int, after: int) -> tuple[Any, ...]:
    """`a, *b, c = value` where the length of `value` is staged."""
    indexed = as_indexed(tracing, call(list, value) if isinstance(value, Consumed) else value)
    assert indexed is not None
    length = indexed.length(tracing)
    call(library.check_least, length, before + after)
    stop = length - after
    first = [indexed.get(tracing, place) for place in range(before)]
    middle = call(library.middle, indexed, before, stop)
    return (*first, middle, *(indexed.get(tracing, stop + place) for place in range(after)))
