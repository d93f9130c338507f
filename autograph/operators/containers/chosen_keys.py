"""Keys that are tuples or slices of which a part is one of several values."""

from __future__ import annotations

from functools import partial
from typing import Any

from autograph.control.branch import switch
from autograph.merge.thaw import rebuild
from autograph.operators.calls.user_hashing import note_key
from autograph.operators.containers.dicts_and_sets import by_number, is_staged
from autograph.operators.containers.rows import length, make_staged, row
from autograph.operators.containers.slices import as_index
from autograph.operators.expressions.truth import choose
from autograph.operators.iterators.staged_iterables import StagedTuple
from autograph.tracing.places import StagedItems
from autograph.tracing.tracing import Tracing
from autograph.values.choice import Choice

MOST_ITEMS = 8
"""So many items has the longest key of which each length is gone through."""


def as_key(tracing: Tracing, key: Any, container: Any, stored: bool = False) -> Any:
    """A key as a dict or set is asked for it, with all noted that is read for that.

    `stored`: it may be kept, as what it is.
    """
    key = _of_known_lengths(tracing, key)
    if not isinstance(key, Choice):
        if not stored and not is_staged(tracing, container):
            key = by_number(key)
        note_key(tracing, key, container)
    return spread(tracing, key)


def spread(tracing: Tracing, key: Any) -> Any:
    """A tuple or slice of which a part is one of several values, as one of several; else `key`."""
    if not isinstance(key, tuple | slice):
        return key
    parts = (key.start, key.stop, key.step) if isinstance(key, slice) else key
    for place, part in enumerate(parts):
        one = spread(tracing, part)
        if isinstance(one, Choice):
            others = ([*parts[:place], option, *parts[place + 1 :]] for option in one.options)
            options = [
                slice(*found) if isinstance(key, slice) else rebuild(type(key), found)
                for found in others
            ]
            for made in options:
                tracing.rebuild(made)
            return Choice(one.tag, tuple(options))
    return key


def _of_known_lengths(tracing: Tracing, key: Any) -> Any:
    """A key in which a tuple of at most a few items is one of several, of each length."""
    if type(key) is tuple and any(isinstance(one, tuple | StagedTuple) for one in key):
        return tuple([_of_known_lengths(tracing, one) for one in key])
    if not isinstance(key, StagedTuple):
        return key
    contents = make_staged(tracing, key.items)
    if contents.most is None or contents.most > MOST_ITEMS:
        return key
    index = tracing.region.trace.lift(length(contents)._value)
    options = [
        partial(_first_items, tracing, contents, count) for count in range(contents.most + 1)
    ]
    return switch(tracing, index, options)


def _first_items(tracing: Tracing, contents: StagedItems, count: int) -> tuple[Any, ...]:
    return tuple([row(tracing, contents, place) for place in range(count)])


def with_bounds(tracing: Tracing, key: Any) -> Any:
    """An index of an array, in whose slices a bound that is one of several ints is a staged int."""
    if type(key) is tuple:
        return tuple([with_bounds(tracing, one) for one in key])
    if not isinstance(key, slice):
        return key
    bounds = (key.start, key.stop, key.step)
    if not any(isinstance(one, Choice) for one in bounds):
        return key
    return slice(
        *[choose(tracing, one, as_index) if isinstance(one, Choice) else one for one in bounds]
    )
