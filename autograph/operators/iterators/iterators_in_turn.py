"""`zip`, `map` and the like of iterators that must be asked for one item in turn.

What an iterator stands at afterwards, and when the function of a `map` is called, can be seen.
"""

from __future__ import annotations

import operator
from collections import deque
from collections.abc import Iterator
from functools import partial
from typing import Any

from autograph.control.chosen_contents import DictView
from autograph.errors import StateError
from autograph.operators.calls.dispatch import call, special_method
from autograph.operators.containers.chosen_containers import Aligned
from autograph.operators.containers.rows import make_staged
from autograph.operators.expressions.items import Sequenced
from autograph.operators.iterators.generator_recipes import recipe_of
from autograph.operators.iterators.plain_iteration import is_enumeration, iterate
from autograph.operators.iterators.replayable_iterators import Replayed
from autograph.operators.iterators.staged_iterables import (
    Consumed,
    Enumerated,
    Indexed,
    KnownMembers,
    Mapped,
    Reversed,
    Rows,
    StagedListItems,
    StagedRange,
    StagedTuple,
    Zipped,
    as_indexed,
    is_indexed,
)
from autograph.operators.iterators.user_iterators import (
    DequeIterator,
    EnumeratedIterator,
    IndexedIterator,
    MappedIterator,
    ReversedIterator,
    SequenceIterator,
    ZippedIterator,
)
from autograph.runtime.core.number import Number
from autograph.runtime.core.tensor import Tensor, no_iteration
from autograph.tracing.places import AttributePlace
from autograph.tracing.tracing import Tracing
from autograph.values.choice import Choice

SEQUENCES = (list, tuple, range, str, bytes)


def reversed_list(tracing: Tracing, items: list[Any] | Choice) -> Any:
    """`reversed(items)` of a list, or of one of several."""
    return tracing.born(ReversedIterator(items, call(len, items)))


def checked(iterable: Any) -> Any:
    """What can be gone over; Python's own TypeError for anything else, where it is made."""
    if isinstance(iterable, Tensor) and not iterable.shape:
        raise no_iteration(iterable)
    if isinstance(iterable, Number):
        raise TypeError(f"{iterable.kind.__name__!r} object is not iterable")
    if not isinstance(iterable, Indexed | Tensor | Choice | Aligned):
        kind = type(iterable)
        if not (special_method(kind, "__iter__") or special_method(kind, "__getitem__")):
            iter(iterable)
    return iterable


def calls_functions(iterable: Any) -> bool:
    """Whether a function is called for each item that is asked for."""
    if isinstance(iterable, Zipped):
        return any(map(calls_functions, iterable.items))
    if isinstance(iterable, Enumerated | Reversed):
        return calls_functions(iterable.items)
    return isinstance(iterable, Mapped)


def asked_in_turn(tracing: Tracing, iterables: tuple[Any, ...]) -> bool:
    """Whether what is gone over beside something staged must be asked for one item in turn."""
    if not any(is_indexed(tracing, one) for one in iterables):
        return False
    return any(map(calls_functions, iterables[:-1])) or any(
        isinstance(one, Iterator) for one in iterables
    )


def iterators_in_turn(tracing: Tracing, iterables: tuple[Any, ...]) -> tuple[Any, ...]:
    """Iterators over these, each of which tells whether it has an item left."""
    return tuple(in_turn(tracing, one) for one in iterables)


def in_turn(tracing: Tracing, iterable: Any, taken: int = 0) -> Any:
    """An iterator that tells whether it has an item left, after so many items that were taken.

    StateError where there is none.
    """
    found = _iterator(tracing, iterable, taken)
    if found is None:
        named = getattr(iterable, "kind", None)  # of a view of a dict, a word
        kind = named if isinstance(named, str) else (named or type(iterable)).__name__
        raise StateError(
            f"the items of the iterator {kind} are asked for in turn with what is known only when "
            "the function runs",
            remedy="make a list of its items first",
        )
    return found


def can_be_asked(tracing: Tracing, iterable: Any) -> bool:
    """Whether `in_turn` gives an iterator."""
    return recipe_of(tracing, iterable) is None and (
        isinstance(iterable, (*SEQUENCES, Tensor, StagedRange, StagedTuple, SequenceIterator))
    )


def goes_by_index(value: Any) -> bool:
    """Whether `iter(value)` asks for items by their places: a sequence of Python's, or one of a
    subclass of list that has no ways of its own to its items."""
    names = ("__iter__", "__getitem__", "__len__")
    return type(value) in SEQUENCES or (
        isinstance(value, list)
        and all(
            special_method(type(value), one, bound=False) is getattr(list, one) for one in names
        )
    )


def _iterator(tracing: Tracing, iterable: Any, taken: int = 0) -> Any:
    """See `in_turn`; None where there is none. An iterator stands where it stands."""
    if isinstance(iterable, SequenceIterator):
        return iterable
    if isinstance(iterable, Replayed):
        return _going_on(tracing, iterable)
    if isinstance(iterable, Rows):
        return _iterator(tracing, iterable.tensor, taken)
    if isinstance(iterable, StagedListItems | Sequenced):
        return _iterator(tracing, iterable.items, taken)
    if isinstance(iterable, Tensor) and not iterable.shape:
        raise no_iteration(iterable)
    if goes_by_index(iterable) or isinstance(iterable, Tensor | StagedRange | StagedTuple):
        made = SequenceIterator(iterable)
        made.position = taken
        return tracing.born(made)
    if is_enumeration(iterable):
        return _iterator(tracing, tuple(iterable), taken)
    if taken:
        return None
    if isinstance(iterable, Consumed):
        return _of_consumed(tracing, iterable)
    if isinstance(iterable, dict | set | frozenset | DictView) and not isinstance(
        iterable, Indexed
    ):
        if not is_indexed(tracing, iterable):
            return tracing.born(SequenceIterator(tuple(iterate(iterable))))
    return indexed_iterator(tracing, iterable)


def indexed_iterator(tracing: Tracing, iterable: Any) -> Any:
    """`iter(iterable)` of a dict, a view of one, a set or a deque of staged length; else None."""
    if not isinstance(iterable, dict | DictView | deque | KnownMembers):
        return None
    if isinstance(iterable, deque):
        make_staged(tracing, iterable)
    indexed = as_indexed(tracing, iterable)
    kind = DequeIterator if isinstance(iterable, deque) else IndexedIterator
    return indexed and tracing.born(kind(indexed))


def _of_consumed(tracing: Tracing, iterable: Consumed) -> Any:
    """What `map`, `zip`, `enumerate` and `reversed` give."""
    if isinstance(iterable, Mapped):
        zipped = iterable.items
        if len(zipped.items) == 1:
            inner = _iterator(tracing, zipped.items[0])
            made: Any = inner and MappedIterator(iterable.function, inner)
        elif calls_functions(zipped):
            return None
        else:
            inner = tracing.born(IndexedIterator(zipped))
            made = MappedIterator(partial(_spread, iterable.function), inner)
    elif isinstance(iterable, Enumerated):
        inner = _iterator(tracing, iterable.items)
        made = inner and EnumeratedIterator(iterable.start, inner)
    elif isinstance(iterable, Reversed) or (
        isinstance(iterable, Zipped) and not calls_functions(iterable)
    ):
        made = IndexedIterator(iterable)
    else:
        return None
    iterable.use(tracing)
    return made and tracing.born(made)


def after_changes(tracing: Tracing, iterator: Any) -> Any:
    """What goes on in the stead of `zip`, `map` or `enumerate` over lists of which one has got
    contents that the run tells, after so many items as it gave; else None."""
    if not isinstance(iterator, Replayed) or not iterator.is_changed():
        return None
    return _going_on(tracing, iterator)


def _going_on(tracing: Tracing, iterator: Replayed) -> Any:
    """The same iterator as one that may stand at a staged place; None where there is none."""
    taken = iterator.taken
    if iterator.again is None or isinstance(taken, Number):
        return None
    made = iterator.again(taken)
    if made is not None:
        place = AttributePlace(iterator, "taken")
        tracing.touch(place)
        place.set(Number(tracing.region.trace.constant(0)))  # nobody may ask it any more
    return made


def mapped_again(
    tracing: Tracing, function: Any, iterables: tuple[Any, ...], taken: int = 0
) -> Any:
    """`map(function, *iterables)` of plain containers, after so many items."""
    inner = zipped_again(tracing, iterables, taken) if len(iterables) > 1 else None
    if inner is not None:
        return tracing.born(MappedIterator(partial(_spread, function), inner))
    one = _iterator(tracing, iterables[0], taken) if len(iterables) == 1 else None
    return one and tracing.born(MappedIterator(function, one))


def _spread(function: Any, items: tuple[Any, ...]) -> Any:
    return call(function, *items)


def enumerated_again(tracing: Tracing, iterable: Any, start: Any, taken: int = 0) -> Any:
    """`enumerate(iterable, start)` of a plain container, after so many items."""
    inner = _iterator(tracing, iterable, taken)
    number = call(operator.add, start, taken) if taken else start
    return inner and tracing.born(EnumeratedIterator(number, inner))


def zipped_again(tracing: Tracing, iterables: tuple[Any, ...], taken: int = 0) -> Any:
    """`zip(*iterables)` of plain containers, after so many items."""
    parts = tuple(_iterator(tracing, one, taken) for one in iterables)
    return tracing.born(ZippedIterator(parts)) if all(parts) else None
