"""Builtins over generators, as generators: they have a second form, too."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import count, cycle
from types import FunctionType, GeneratorType
from typing import Any

from autograph.conversion.convert import convert_function, convert_inlined
from autograph.operators.calls.dispatch import call_function
from autograph.operators.iterators.generator_recipes import is_generator_function, recipe_of, start
from autograph.operators.iterators.resumable_generators import with_form
from autograph.tracing.tracing import Tracing


def enumerated(iterable: Iterable[Any], start: Any) -> Iterator[Any]:
    """`enumerate`."""
    for item in iterable:
        yield start, item
        start = start + 1


def mapped(function: Callable[[Any], Any], iterable: Iterable[Any]) -> Iterator[Any]:
    """`map` of one iterable."""
    for item in iterable:
        yield function(item)


def filtered(function: Callable[[Any], Any] | None, iterable: Iterable[Any]) -> Iterator[Any]:
    """`filter`."""
    for item in iterable:
        if item if function is None else function(item):
            yield item


def equalities(wanted: Any, iterable: Iterable[Any]) -> Iterator[Any]:
    """What `wanted in iterable` asks of the items."""
    for item in iterable:
        yield item is wanted or item == wanted


def called_until(function: Callable[[], Any], sentinel: Any) -> Iterator[Any]:
    """`iter(function, sentinel)`."""
    while True:
        item = function()
        if item == sentinel:
            return
        yield item


def counted(start: Any = 0, step: Any = 1) -> Iterator[Any]:
    """`itertools.count`."""
    while True:
        yield start
        start = start + step


def taken_while(test: Callable[[Any], Any], iterable: Iterable[Any]) -> Iterator[Any]:
    """`itertools.takewhile`."""
    for item in iterable:
        if not test(item):
            return
        yield item


def dropped_while(test: Callable[[Any], Any], iterable: Iterable[Any]) -> Iterator[Any]:
    """`itertools.dropwhile`."""
    dropping = True
    for item in iterable:
        if dropping and test(item):
            continue
        dropping = False
        yield item


def left_out(test: Callable[[Any], Any] | None, iterable: Iterable[Any]) -> Iterator[Any]:
    """`itertools.filterfalse`."""
    for item in iterable:
        if not (item if test is None else test(item)):
            yield item


def spread(function: Callable[..., Any], iterable: Iterable[Any]) -> Iterator[Any]:
    """`itertools.starmap`."""
    for items in iterable:
        yield function(*items)


def zipped(before: tuple[Any, ...], iterable: Iterable[Any], after: tuple[Any, ...]) -> Any:
    """`zip` of one iterable and of sequences, of which some are asked before it and some after."""
    place = 0
    for one in before:
        if len(one) == 0:
            return
    for item in iterable:
        for one in after:
            if place >= len(one):
                return
        yield (*[one[place] for one in before], item, *[one[place] for one in after])
        place = place + 1
        for one in before:
            if place >= len(one):
                return


def zipped_in_turn(iterables: tuple[Iterable[Any], ...]) -> Any:
    """`zip` of any iterables, each asked for one item in turn."""
    iterators = [iter(one) for one in iterables]
    while True:
        try:
            items = [next(one) for one in iterators]
        except StopIteration:
            return
        yield tuple(items)


def mapped_in_turn(function: Callable[..., Any], iterables: tuple[Iterable[Any], ...]) -> Any:
    """`map` of any iterables, each asked for one item in turn."""
    iterators = [iter(one) for one in iterables]
    while True:
        try:
            items = [next(one) for one in iterators]
        except StopIteration:
            return
        yield function(*items)


def taken_in_turn(iterators: tuple[Any, ...]) -> Any:
    """`zip` of iterators that tell whether they have an item left."""
    while True:
        items = []
        for one in iterators:
            if not one.has_next():
                return
            items.append(one.step())
        yield tuple(items)


def called_with_each(function: Callable[..., Any], tuples: Iterable[Any]) -> Any:
    """`map` of any iterables, of what `zip` gives of them."""
    for items in tuples:
        yield function(*items)


def taken_beside(before: tuple[Any, ...], iterable: Any, after: tuple[Any, ...]) -> Any:
    """`zip` of one iterable and of iterators that tell whether they have an item left, of which
    some are asked before it and some after."""
    first = []
    for one in before:
        if not one.has_next():
            return
        first.append(one.step())
    for item in iterable:
        last = []
        for one in after:
            if not one.has_next():
                return
            last.append(one.step())
        yield (*first, item, *last)
        first = []
        for one in before:
            if not one.has_next():
                return
            first.append(one.step())


def taken_to_the_longest(iterators: tuple[Any, ...], fill: Any) -> Any:
    """`itertools.zip_longest` of iterators that tell whether they have an item left."""
    while True:
        items = []
        some = False
        for one in iterators:
            left = one.has_next()
            some = some or left
            items.append(one.step() if left else fill)
        if not some:
            return
        yield tuple(items)


def accumulated(iterable: Iterable[Any], function: Any, start: tuple[Any, ...]) -> Any:
    """`itertools.accumulate`; `start` is what it starts with, if anything."""
    first = True
    total = None
    for one in start:
        total = one
        first = False
        yield total
    for item in iterable:
        if first:
            total = item
            first = False
        else:
            total = total + item if function is None else function(total, item)
        yield total


def accumulated_from(iterator: Any, function: Any) -> Any:
    """`itertools.accumulate` of an iterator that tells whether it has an item left."""
    if not iterator.has_next():
        return
    total = iterator.step()
    yield total
    for item in iterator:
        total = total + item if function is None else function(total, item)
        yield total


def sliced(iterable: Iterable[Any], start: Any, stop: Any, step: Any) -> Any:
    """`itertools.islice`: no item is asked for that it need not see."""
    place = 0
    wanted = start
    if stop is None:
        for item in iterable:
            if place == wanted:
                yield item
                wanted = wanted + step
            place = place + 1
        return
    end = max(start, stop)
    if end == 0:
        return
    for item in iterable:
        if place == wanted and place < stop:
            yield item
            wanted = wanted + step
        place = place + 1
        if place == end:
            return


def pairs_of(iterator: Any) -> Any:
    """`itertools.pairwise` of an iterator that tells whether it has an item left."""
    if not iterator.has_next():
        return
    before = iterator.step()
    for item in iterator:
        yield before, item
        before = item


def pairs_after_the_first(iterable: Iterable[Any]) -> Any:
    """`itertools.pairwise`."""
    first = True
    before = None
    for item in iterable:
        if not first:
            yield before, item
        before = item
        first = False


def repeated(item: Any) -> Any:
    """`itertools.repeat` without end."""
    while True:
        yield item


def repeated_times(item: Any, times: Any) -> Any:
    """`itertools.repeat`."""
    for _ in range(times):
        yield item


def cycled(iterable: Iterable[Any]) -> Any:
    """`itertools.cycle`."""
    kept = []
    for item in iterable:
        yield item
        kept.append(item)
    place = 0
    while len(kept) > 0:
        yield kept[place]
        place = (place + 1) % len(kept)


def cycled_in_turn(iterator: Any) -> Any:
    """`itertools.cycle` of an iterator that tells whether it has an item left."""
    kept: list[Any] = []
    place = 0
    while True:
        if iterator.has_next():
            item = iterator.step()
            kept.append(item)
        elif len(kept) == 0:
            return
        else:
            item = kept[place]
            place = (place + 1) % len(kept)
        yield item


def chosen(items: Iterable[Any], selectors: Iterable[Any]) -> Any:
    """`itertools.compress`."""
    for item, selector in zip(items, selectors):
        if selector:
            yield item


def flattened(parts: Iterable[Any]) -> Any:
    """`itertools.chain.from_iterable`."""
    for part in parts:
        yield from part


def chained(*iterables: Iterable[Any]) -> Iterator[Any]:
    """`itertools.chain`."""
    for iterable in iterables:
        yield from iterable


KINDS: dict[Any, type] = {
    enumerated: enumerate,
    filtered: filter,
    mapped: map,
    mapped_in_turn: map,
    called_with_each: map,
    taken_in_turn: zip,
    zipped_in_turn: zip,
}

ENDLESS = (counted, cycled, cycled_in_turn, repeated)
"""Those whose items have no end, where there are any."""


def is_endless(tracing: Tracing, iterable: Any) -> bool:
    """Whether an iterator of those above never ends."""
    recipe = recipe_of(tracing, iterable)
    if recipe is None:
        return getattr(iterable, "is_endless", isinstance(iterable, count | cycle))
    names = [one.__name__ for one in ENDLESS]
    return recipe.of_python and iterable.gi_code.co_name in names


def derived(tracing: Tracing, function: Any, *args: Any) -> Any:
    """A generator of one of the functions above."""
    assert isinstance(function, FunctionType)
    made = convert_function(function, tracing.hints.resuming)
    if not is_generator_function(made):
        generator = call_function(tracing, made, args, {})
        generator.kind = KINDS.get(function, GeneratorType)
        generator.of_python = True
        generator.is_endless = function in ENDLESS
        return with_form(generator, made, partial(convert_inlined, function), args, {})
    started = start(tracing, made, partial(convert_inlined, function), args, {})
    recipe = recipe_of(tracing, started)
    assert recipe is not None
    recipe.of_python = True
    return started
