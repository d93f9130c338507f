"""What calls of the builtins that go over something, or make iterators, mean while tracing."""

from __future__ import annotations

import builtins
import itertools
import types
from collections import deque
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from autograph.control.chosen_contents import DictView
from autograph.errors import StateError
from autograph.library.iterators import items_by_index_backwards
from autograph.operators.builtins.random_functions import counted as counted_on
from autograph.operators.calls.dispatch import (
    call,
    call_method,
    callback,
    overrides,
    special_method,
)
from autograph.operators.containers.chosen_containers import Aligned
from autograph.operators.containers.slices import as_index
from autograph.operators.expressions.conditional_expression import branch
from autograph.operators.expressions.identity import is_
from autograph.operators.expressions.items import Sequenced
from autograph.operators.expressions.names import narrowed
from autograph.operators.iterators.generator_builtins import (
    called_until,
    called_with_each,
    chained,
    counted,
    derived,
    dropped_while,
    enumerated,
    filtered,
    left_out,
    mapped,
    mapped_in_turn,
    spread,
    taken_beside,
    taken_in_turn,
    taken_while,
    zipped,
    zipped_in_turn,
)
from autograph.operators.iterators.generator_consumers import inlined_first
from autograph.operators.iterators.generator_recipes import Recipe, attempt, fresh_recipe, wraps
from autograph.operators.iterators.iterators_in_turn import (
    SEQUENCES,
    asked_in_turn,
    can_be_asked,
    checked,
    enumerated_again,
    goes_by_index,
    in_turn,
    indexed_iterator,
    iterators_in_turn,
    mapped_again,
    reversed_list,
    zipped_again,
)
from autograph.operators.iterators.plain_iteration import (
    advance,
    is_enumeration,
    iterate,
    iterator_of,
    lazily,
    opened,
)
from autograph.operators.iterators.remembered_calls import remembering
from autograph.operators.iterators.replayable_iterators import Replayed
from autograph.operators.iterators.resumable_generators import ResumableGenerator, next_or_default
from autograph.operators.iterators.resumable_sources import unwrapped
from autograph.operators.iterators.staged_iterables import (
    Enumerated,
    Indexed,
    KnownMembers,
    Mapped,
    Reversed,
    StagedRange,
    StagedTuple,
    Zipped,
    as_indexed,
    has_staged_length,
    is_indexed,
)
from autograph.operators.iterators.user_iterators import IndexedIterator, SequenceIterator, next_or
from autograph.runtime.core.number import Number
from autograph.runtime.core.tensor import Tensor, no_iteration
from autograph.tracing.reading import package_of
from autograph.tracing.tracing import Tracing
from autograph.values.sentinels import UNSET

CONTAINERS = (list, dict, set, deque)
Model = Callable[..., Any]


def _enumerate(tracing: Tracing, iterable: Any, start: Any = 0) -> Any:
    iterable = opened(iterable)
    if isinstance(start, Tensor):
        start = as_index(start)
    if isinstance(iterable, SequenceIterator):
        return derived(tracing, enumerated, iterable, start)
    if fresh_recipe(tracing, iterable) is not None or _goes_on(tracing, iterable):
        return derived(tracing, enumerated, iterable, start)
    indexed = as_indexed(tracing, iterable)
    if indexed is None:
        if not isinstance(start, Number):
            if _can_be_replayed(iterable):
                made = _replayed(
                    tracing, enumerate, (iterable,), lambda n, one: (start + n, one[0])
                )
                made.again = partial(enumerated_again, tracing, iterable, start)
                return made
            items = lazily(iterable)
            return wraps(tracing, tracing.born(enumerate(items, start)), (items,))
        made = None
        if goes_by_index(iterable) or isinstance(iterable, Replayed):
            made = enumerated_again(tracing, iterable, start)
        return made or derived(tracing, enumerated, iterable, start)
    return tracing.born(Enumerated(indexed, start))


def _zip(tracing: Tracing, *iterables: Any, strict: bool = False) -> Any:
    given = iterables
    iterables = tuple(map(opened, iterables))
    generators = [n for n, one in enumerate(iterables) if fresh_recipe(tracing, one) is not None]
    several = len(generators) > 1 or any(isinstance(one, SequenceIterator) for one in iterables)
    if several and not strict and all(can_be_asked(tracing, one) for one in given):
        return derived(tracing, taken_in_turn, iterators_in_turn(tracing, given))
    resuming = tracing.hints.resuming and not strict
    containers = iterables and all(map(_is_container, iterables))
    goes_on = tracing.hints.iterators and any(_goes_on(tracing, one) for one in iterables)
    if resuming and (generators or containers or goes_on):
        parts = tuple(unwrapped(tracing, one) for one in iterables)
        return derived(tracing, zipped_in_turn, parts)
    if len(generators) == 1 and not strict:
        (place,) = generators
        before, after = iterables[:place], iterables[place + 1 :]
        if all(_has_items(tracing, one) for one in (*before, *after)):
            return derived(tracing, zipped, before, iterables[place], after)
        parts = (iterators_in_turn(tracing, before), iterators_in_turn(tracing, after))
        return derived(tracing, taken_beside, parts[0], iterables[place], parts[1])
    if asked_in_turn(tracing, iterables):
        if strict:
            raise StateError(
                "zip(strict=True) of an iterator and what is known only when the function runs",
                remedy="make a list of its items first",
            )
        return derived(tracing, taken_in_turn, iterators_in_turn(tracing, iterables))
    indexed = [as_indexed(tracing, one) for one in iterables]
    if strict and any(has_staged_length(tracing, one) for one in iterables):
        raise StateError(
            "zip(strict=True) goes over something whose length is known only when the function "
            "runs",
            remedy="compare the lengths first: if len(a) != len(b): raise ValueError(...)",
        )
    if not any(indexed) or strict or _one_by_one(tracing, iterables, indexed):
        if iterables and not strict and all(map(_can_be_replayed, iterables)):
            made = _replayed(tracing, zip, iterables, lambda n, items: items)
            made.again = partial(zipped_again, tracing, iterables)
            return made
        items = tuple(map(lazily, iterables))
        return wraps(tracing, tracing.born(zip(*items, strict=strict)), items)
    pairs = zip(iterables, indexed, strict=True)
    return tracing.born(Zipped(tuple(two or Sequenced(tuple(iterate(one))) for one, two in pairs)))


def _goes_on(tracing: Tracing, iterable: Any) -> bool:
    """Whether an iterator over it may have to go on where it was left."""
    if not tracing.hints.resuming:
        return False
    return tracing.hints.iterators if is_indexed(tracing, iterable) else _is_container(iterable)


def _is_container(iterable: Any) -> bool:
    """Whether it can be gone over any number of times."""
    return isinstance(iterable, (*CONTAINERS, *SEQUENCES, frozenset, DictView, Aligned))


def _can_be_replayed(iterable: Any) -> bool:
    """Whether it is a container, or goes over some and can go on where they change."""
    return _is_container(iterable) or isinstance(iterable, Replayed)


def _replayed(tracing: Tracing, kind: type, sources: tuple[Any, ...], step: Any) -> Any:
    return tracing.born(Replayed(tracing, kind, map(lazily, sources), step))


def _has_items(tracing: Tracing, iterable: Any) -> bool:
    """Whether it has a length and an item at each place."""
    return type(iterable) in SEQUENCES or isinstance(iterable, Tensor | StagedRange | StagedTuple)


def _one_by_one(tracing: Tracing, iterables: Any, indexed: Any) -> bool:
    """Whether one is an iterator, which may have no end, and all that is indexed is counted."""
    counted = all(isinstance(one.length(tracing), int) for one in indexed if one is not None)
    return counted and any(isinstance(one, Iterator) for one in iterables)


def _reversed(tracing: Tracing, sequence: Any) -> Any:
    if type(sequence) is list:
        return reversed_list(tracing, sequence)
    if isinstance(sequence, Aligned):
        return _reversed_choice(tracing, sequence)
    if is_enumeration(sequence):
        return _reversed(tracing, tuple(sequence))
    if isinstance(special_method(type(sequence), "__reversed__"), types.FunctionType):
        if package_of(type(sequence)) not in ("autograph", "collections"):
            return call_method(sequence, "__reversed__")
    indexed = as_indexed(tracing, sequence)
    if indexed is not None:
        backwards = tracing.born(Reversed(indexed))
        keyed = isinstance(sequence, dict | DictView)
        return tracing.born(IndexedIterator(backwards)) if keyed else backwards
    if isinstance(sequence, tuple | range | str | bytes):  # what nobody changes meanwhile
        backwards = sequence[::-1]
        made = _replayed(tracing, type(reversed(sequence)), (backwards,), lambda n, items: items[0])
        made.again = partial(in_turn, tracing, backwards)
        return made
    if isinstance(sequence, (*CONTAINERS, DictView)):
        if tracing.region.trace is not tracing.trace:  # the contents may be put back
            return reversed_list(tracing, tracing.born(list(iterate(sequence))))
        native = tracing.born(reversed(iterate(sequence)))  # type: ignore[call-overload]
        return _replayed(tracing, type(native), (native,), lambda n, items: items[0])
    if hasattr(special_method(type(sequence), "__reversed__"), "__code__"):
        return call_method(sequence, "__reversed__")
    if isinstance(special_method(type(sequence), "__getitem__"), types.FunctionType):
        if special_method(type(sequence), "__len__") is not None:
            return call(items_by_index_backwards, sequence)
    return reversed(sequence)


def _reversed_choice(tracing: Tracing, items: Aligned) -> Any:
    """`reversed(items)` of one of several lists or tuples of one length, or dicts of like keys."""
    container = items.choice.options[0]
    if isinstance(container, list):  # which may get longer or shorter meanwhile
        return reversed_list(tracing, items.choice)
    shown = container if items.kind == "keys" else getattr(container, items.kind)()
    backwards = items.reversed()
    return _replayed(tracing, type(reversed(shown)), (backwards,), lambda n, found: found[0])


def _map(tracing: Tracing, function: Any, *iterables: Any, **options: Any) -> Any:
    if options:
        map(function, *iterables, **options)  # Python's own error; before 3.14 it takes none
        if options["strict"]:
            raise StateError(
                "map(..., strict=True) is not staged",
                remedy="go over the items of zip(..., strict=True), which is",
            )
    iterables = tuple(map(opened, iterables))
    if len(iterables) == 1 and fresh_recipe(tracing, iterables[0]) is not None:
        return derived(tracing, mapped, function, *iterables)
    if tracing.hints.iterators and any(_goes_on(tracing, one) for one in iterables):
        parts = tuple(unwrapped(tracing, one) for one in iterables)
        return derived(tracing, mapped_in_turn, function, parts)
    if len(iterables) == 1 and isinstance(iterables[0], SequenceIterator):
        return derived(tracing, mapped, function, *iterables)
    generated = any(
        fresh_recipe(tracing, one) is not None or isinstance(one, SequenceIterator)
        for one in iterables
    )
    if generated or asked_in_turn(tracing, iterables):
        return derived(tracing, called_with_each, function, _zip(tracing, *iterables))
    if any(is_indexed(tracing, one) for one in iterables):
        indexed = [as_indexed(tracing, one) for one in iterables]
        pairs = zip(iterables, indexed, strict=True)
        parts = tuple(two or Sequenced(tuple(iterate(one))) for one, two in pairs)
        return tracing.born(Mapped(function, Zipped(parts)))
    if iterables and all(map(_can_be_replayed, iterables)):
        made = _replayed(tracing, map, iterables, lambda n, items: call(function, *items))
        made.again = partial(mapped_again, tracing, function, iterables)
        return made
    items = tuple(map(lazily, iterables))
    return wraps(tracing, tracing.born(map(callback(function), *items)), items)


def _filter(tracing: Tracing, function: Any, iterable: Any) -> Any:
    iterable = opened(iterable)
    return derived(tracing, filtered, function, checked(iterable))


def _iter(tracing: Tracing, value: Any, *rest: Any) -> Any:
    plain = not isinstance(value, Tensor) or not overrides(value, "__iter__")
    if not rest and plain and (goes_by_index(value) or isinstance(value, Tensor | StagedRange)):
        if isinstance(value, Tensor) and not value.shape:
            raise no_iteration(value)
        return tracing.born(SequenceIterator(value))
    if isinstance(value, SequenceIterator | ResumableGenerator):
        return value
    if rest:
        if not callable(value):
            return iter(value, *rest)  # Python's own error
        return derived(tracing, called_until, value, *rest)
    made = iterator_of(value)
    if made is not UNSET:
        return made
    if has_staged_length(tracing, value) and (made := indexed_iterator(tracing, value)):
        return made
    if isinstance(value, dict | set | DictView) and tracing.region.trace is not tracing.trace:
        items = tracing.born(list(iterate(value)))  # an iterator that may leave the branch
        return indexed_iterator(tracing, KnownMembers.of(tracing, value, items))
    if _is_container(value):
        return _replayed(tracing, type(iter(value)), (value,), lambda n, items: items[0])
    return tracing.born(iter(iterate(value)))


def _next(tracing: Tracing, iterator: Any, *default: Any) -> Any:
    if isinstance(iterator, SequenceIterator) and default:
        return call(type(iterator).take, iterator, *default)
    if isinstance(iterator, Replayed):
        return next(advance(tracing, iterator), *default)
    if hasattr(special_method(type(iterator), "__next__"), "__code__"):
        if not default:
            return call_method(iterator, "__next__")
        if isinstance(iterator, ResumableGenerator):
            return next_or_default(tracing, iterator, *default)
        return call(next_or, iterator, *default)
    if special_method(type(iterator), "__next__") is None and not isinstance(iterator, Indexed):
        return next(iterator)  # raises Python's own error
    if type(iterator) is itertools.count and not tracing.is_born(iterator):
        number = counted_on(tracing, iterator)
        if number is not None:
            return number
    recipe = fresh_recipe(tracing, iterator)
    if recipe is None:
        return next(advance(tracing, iterator), *default)
    return attempt(
        tracing,
        lambda: next(advance(tracing, iterator), *default),
        lambda: _first(tracing, recipe, *default),
    )


def _first(tracing: Tracing, recipe: Recipe, *default: Any) -> Any:
    """`next(generator, default)` by the second form of a generator: nothing else is asked of it."""
    found = inlined_first(tracing, recipe)

    def nothing() -> Any:
        if default:
            return default[0]
        raise StopIteration

    return branch(tracing, is_(found, UNSET), nothing, lambda: narrowed(found, ""))


def _chain(tracing: Tracing, *iterables: Any) -> Any:
    return derived(tracing, chained, *map(opened, iterables))


def _count(tracing: Tracing, start: Any = 0, step: Any = 1) -> Any:
    return derived(tracing, counted, start, step)


def _dropwhile(tracing: Tracing, test: Any, iterable: Any) -> Any:
    return derived(tracing, dropped_while, test, checked(opened(iterable)))


def _filterfalse(tracing: Tracing, test: Any, iterable: Any) -> Any:
    return derived(tracing, left_out, test, checked(opened(iterable)))


def _starmap(tracing: Tracing, function: Any, iterable: Any) -> Any:
    return derived(tracing, spread, function, checked(opened(iterable)))


def _takewhile(tracing: Tracing, test: Any, iterable: Any) -> Any:
    return derived(tracing, taken_while, test, checked(opened(iterable)))


ITERATOR_MODELS: dict[Any, Model] = {
    builtins.next: _next,
    **remembering(
        {
            builtins.enumerate: _enumerate,
            builtins.zip: _zip,
            builtins.reversed: _reversed,
            builtins.map: _map,
            builtins.filter: _filter,
            builtins.iter: _iter,
            itertools.chain: _chain,
            itertools.count: _count,
            itertools.dropwhile: _dropwhile,
            itertools.filterfalse: _filterfalse,
            itertools.starmap: _starmap,
            itertools.takewhile: _takewhile,
        }
    ),
}
