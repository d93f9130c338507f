"""What calls of `itertools` mean on staged values and containers of staged length."""

from __future__ import annotations

import itertools
import operator
from collections import deque
from collections.abc import Callable, Sized
from functools import partial
from typing import Any

from autograph.control.chosen_contents import chosen_contents
from autograph.errors import StateError
from autograph.library import iterators as library
from autograph.merge.leaks import is_staged
from autograph.operators.calls.dispatch import call
from autograph.operators.calls.unconverted import call_native
from autograph.operators.containers import rows
from autograph.operators.containers.slices import as_index
from autograph.operators.iterators.generator_builtins import (
    accumulated,
    accumulated_from,
    chosen,
    cycled,
    cycled_in_turn,
    derived,
    flattened,
    is_endless,
    pairs_after_the_first,
    pairs_of,
    repeated,
    repeated_times,
    sliced,
    taken_to_the_longest,
)
from autograph.operators.iterators.generator_recipes import recipe_of
from autograph.operators.iterators.iterators_in_turn import (
    can_be_asked,
    checked,
    in_turn,
    iterators_in_turn,
)
from autograph.operators.iterators.plain_iteration import iterate, opened
from autograph.operators.iterators.remembered_calls import remembering
from autograph.operators.iterators.resumable_generators import ResumableGenerator
from autograph.operators.iterators.staged_iterables import Listed, has_staged_length, is_indexed
from autograph.operators.iterators.user_iterators import SequenceIterator
from autograph.runtime.core.tensor import Tensor
from autograph.tracing.reading import read_contents
from autograph.tracing.tracing import Tracing

Model = Callable[..., Any]


def _needs_model(tracing: Tracing, value: Any) -> bool:
    """Whether Python's own function can do nothing with an argument."""
    if isinstance(value, Tensor) or is_staged(value) or is_indexed(tracing, value):
        return True
    if chosen_contents(tracing, value) is not None:
        return True
    return isinstance(value, list | tuple | deque) and any(
        _needs_model(tracing, one) for one in value
    )


def _is_iterator(tracing: Tracing, value: Any) -> bool:
    """Whether staged code may go over it."""
    return isinstance(value, SequenceIterator | ResumableGenerator) or (
        recipe_of(tracing, value) is not None
    )


def _lazily(plain: Any, make: Callable[..., Any]) -> Model:
    """A function that gives an iterator, as a generator where Python's own can do nothing."""

    def model(tracing: Tracing, *args: Any, **kwargs: Any) -> Any:
        given = (*args, *kwargs.values())
        if not any(_needs_model(tracing, one) or _is_iterator(tracing, one) for one in given):
            return call_native(tracing, plain, args, kwargs)
        return make(tracing, *args, **kwargs)

    return model


def _accumulate(tracing: Tracing, iterable: Any, func: Any = None, *, initial: Any = None) -> Any:
    iterable, function = opened(iterable), func
    if initial is None and can_be_asked(tracing, iterable):
        return derived(tracing, accumulated_from, in_turn(tracing, iterable), function)
    start = () if initial is None else (initial,)
    return derived(tracing, accumulated, iterable, function, start)


def _islice(tracing: Tracing, iterable: Any, *bounds: Any) -> Any:
    if not 1 <= len(bounds) <= 3:
        return itertools.islice(iterable, *bounds)  # Python's own error
    numbers = [*map(as_index, bounds)]
    start, stop, step = (0, *numbers, 1) if len(bounds) == 1 else (*numbers, 1)[:3]
    start, step = 0 if start is None else start, 1 if step is None else step
    call(library.check_slice, start, stop, step, len(bounds) == 1)
    return derived(tracing, sliced, checked(opened(iterable)), start, stop, step)


def _pairwise(tracing: Tracing, iterable: Any) -> Any:
    iterable = opened(iterable)
    if can_be_asked(tracing, iterable):
        return derived(tracing, pairs_of, in_turn(tracing, iterable))
    return derived(tracing, pairs_after_the_first, iterable)


def _repeat(tracing: Tracing, object: Any, times: Any = None) -> Any:
    if times is None:
        return derived(tracing, repeated, object)
    return derived(tracing, repeated_times, object, call(operator.index, times))


def _cycle(tracing: Tracing, iterable: Any) -> Any:
    iterable = checked(opened(iterable))
    if can_be_asked(tracing, iterable):
        return derived(tracing, cycled_in_turn, in_turn(tracing, iterable))
    return derived(tracing, cycled, iterable)


def _zip_longest(tracing: Tracing, *iterables: Any, fillvalue: Any = None) -> Any:
    iterators = iterators_in_turn(tracing, tuple(map(opened, iterables)))
    return derived(tracing, taken_to_the_longest, iterators, fillvalue)


def _product(tracing: Tracing, *args: Any, **kwargs: Any) -> Any:
    repeat = kwargs.get("repeat", 1)
    if not isinstance(repeat, int) or not set(kwargs) <= {"repeat"}:
        return call_native(tracing, itertools.product, args, kwargs)
    parts = [one if isinstance(one, Sized) else call(list, one) for one in args]
    if not any(_needs_model(tracing, one) for one in parts):
        return _pooled(tracing, call_native(tracing, itertools.product, tuple(parts), kwargs))
    return _listed(tracing, call(library.products, *(parts * repeat)))


def _listed(tracing: Tracing, made: list[Any]) -> Any:
    """An iterator over a list that nobody else has."""
    if rows.staged(tracing, made) is not None:
        return tracing.born(Listed(made))
    return tracing.born(SequenceIterator(made))


def _groupby(tracing: Tracing, iterable: Any, key: Any = None) -> Any:
    if is_endless(tracing, iterable):
        raise StateError(
            "itertools.groupby of an iterator that has no end",
            remedy="group the items that are needed: itertools.islice(items, count)",
        )
    return call(library.grouped, checked(opened(iterable)), key)


def _pooled(tracing: Tracing, made: Any) -> Any:
    """An iterator that has taken its items when it was made, and may be asked after the branch."""
    if tracing.region.trace is tracing.trace:
        return tracing.born(made)
    return tracing.born(SequenceIterator(tracing.born(list(made))))


def _selected(plain: Any, select: Any) -> Model:
    """A function that selects items by where they stand, and looks at none of them.

    `select`: the same as Python, for items whose number only the run tells.
    """

    def model(tracing: Tracing, iterable: Any, r: Any = None) -> Any:
        if is_staged(r) or (r is None and has_staged_length(tracing, iterable)):
            raise StateError(
                f"itertools.{plain.__name__} of a number of items that only the run tells",
                remedy="use nested for statements",
            )
        if not has_staged_length(tracing, iterable):
            counted = () if r is None else (r,)
            return _pooled(tracing, plain(list(iterate(iterable)), *counted))
        plain((), r)  # Python's own error
        return _listed(tracing, call(select, call(list, iterable), r))

    return model


def _from_iterable(tracing: Tracing, iterable: Any) -> Any:
    for part in iterable if isinstance(iterable, list | tuple | deque) else ():
        if isinstance(part, list | dict | set | deque) and tracing.contents(part) is None:
            read_contents(tracing, part)
    return _flattened(tracing, iterable)


_flattened = _lazily(
    itertools.chain.from_iterable,
    lambda tracing, parts: derived(tracing, flattened, checked(parts)),
)
ITERTOOLS_MODELS: dict[Any, Model] = remembering(
    {
        itertools.accumulate: _lazily(itertools.accumulate, _accumulate),
        itertools.chain.from_iterable: _from_iterable,
        itertools.combinations: _selected(
            itertools.combinations, partial(library.combinations, again=1)
        ),
        itertools.combinations_with_replacement: _selected(
            itertools.combinations_with_replacement, partial(library.combinations, again=0)
        ),
        itertools.compress: _lazily(
            itertools.compress,
            lambda tracing, *given: derived(tracing, chosen, *map(checked, given)),
        ),
        itertools.cycle: _cycle,
        itertools.groupby: _groupby,
        itertools.islice: _lazily(itertools.islice, _islice),
        itertools.pairwise: _lazily(itertools.pairwise, _pairwise),
        itertools.permutations: _selected(itertools.permutations, library.permutations),
        itertools.product: _product,
        itertools.repeat: _repeat,
        itertools.zip_longest: _lazily(itertools.zip_longest, _zip_longest),
    }
)
