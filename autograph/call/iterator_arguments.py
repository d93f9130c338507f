"""Iterators that a staged function is given: their items are taken before, and are its inputs.

An iterator of Python's own keeps its place where no graph can see it. So a function that goes over
an argument gets what is left in it as a list, and goes over that; how far it comes is state of the
call, and the caller's iterator is advanced as far. One that goes over a list, a tuple or the like
is looked through by a copy. Any other (a generator, a `map`, a file) can only be asked for all that
it has: then the function must take all of it.
"""

from __future__ import annotations

import copy
import gc
from collections import deque
from collections.abc import Callable, Iterator
from itertools import islice
from types import FunctionType
from typing import Any, TypeVar

from autograph.errors import ArgumentError, StateError
from autograph.operators.expressions.attributes import set_attr
from autograph.operators.iterators.user_iterators import GivenIterator
from autograph.runtime.core.location import Location
from autograph.runtime.core.number import Number
from autograph.runtime.core.tensor import Tensor
from autograph.tracing.tracing import Tracing

_OVER: tuple[Any, ...] = ([], (), "", "ä", b"", range(0), range(2**70), {}, set())
_VIEWS: tuple[Any, ...] = ({}.values(), {}.items())
COPIED = (*(type(iter(one)) for one in (*_OVER, *_VIEWS)), type(reversed([])), type(reversed(())))
"""Iterators of which there are copies that stand for themselves."""
T = TypeVar("T")
MOST = 100_000
"""So many items are taken of an iterator, which may have no end."""


class Taken(list[Any]):
    """What is left in an iterator, and how far a call has gone over it."""

    def __init__(self, iterator: Iterator[Any]) -> None:
        self.sources = sources_of(iterator)
        """The containers that it goes over: what changes in them it would give changed."""
        self.copied = _copy(iterator)
        super().__init__(islice(iterator if self.copied is None else self.copied, MOST + 1))
        self.iterator = iterator
        self.position = 0
        self.ended = False

    def settle(self) -> None:
        """Let the iterator stand where the call left it."""
        if self.copied is not None:
            for _ in islice(self.iterator, self.position):
                pass
            if self.ended:
                next(self.iterator, None)
        self.position, self.ended = 0, False


def sources_of(iterator: Iterator[Any]) -> tuple[Any, ...]:
    """The containers that an iterator refers to, itself or through others."""
    found: list[Any] = []
    pending, seen = [iterator], {id(iterator)}
    while pending:
        for one in gc.get_referents(pending.pop()):
            if id(one) in seen:
                continue
            seen.add(id(one))
            if isinstance(one, list | dict | set | deque):
                found.append(one)
            elif isinstance(one, Iterator | tuple):
                pending.append(one)  # type: ignore[arg-type]
    return tuple(found)


def _copy(iterator: Iterator[Any]) -> Any:
    """An iterator that gives the same items and leaves this one alone; None if there is none."""
    if isinstance(iterator, COPIED):
        return copy.copy(iterator)
    if isinstance(iterator, enumerate | zip):
        try:
            reduced: Any = iterator.__reduce__()
            make, (first, *others) = reduced[:2]
        except (TypeError, ValueError):
            return None
        inner = [_copy(one) for one in ([first] if make is enumerate else [first, *others])]
        if len({id(one) for one in (first, *others)}) < 1 + len(others):
            return None  # of one iterator twice
        if any(one is None for one in inner):
            return None
        return make(*inner, *(others if make is enumerate else ()))
    return None


def is_given(argument: Any) -> bool:
    """Whether an argument is an iterator whose `__next__` is not converted."""
    if isinstance(argument, Tensor) or not hasattr(type(argument), "__next__"):
        return False
    return not isinstance(type(argument).__next__, FunctionType)


class GivenIterators:
    """Which arguments of a function were found to be iterators that it goes over."""

    def __init__(self, place: Callable[[], Location]) -> None:
        self.place = place
        """Where the function is defined."""
        self.asked: frozenset[int] = frozenset()

    def learning(
        self, make: Callable[[tuple[Any, ...]], T], arguments: tuple[Any, ...]
    ) -> tuple[T, tuple[Any, ...]]:
        """What `make` gives of the arguments, and these, with what it asks of iterators."""
        while True:
            try:
                return make(arguments), arguments
            except StateError as error:
                number = vars(error).get("asked")
                if number is None or not is_given(arguments[number]):
                    raise
                self.asked |= {number}
            arguments = self.taken(arguments)

    def taken(self, arguments: tuple[Any, ...]) -> tuple[Any, ...]:
        """The arguments, with what is left in the iterators among them that are asked."""
        if not any(n < len(arguments) and is_given(arguments[n]) for n in self.asked):
            return arguments
        known: dict[int, Taken] = {}
        return tuple(
            known.setdefault(id(one), known.get(id(one)) or _taken(one, self.place()))
            if n in self.asked and is_given(one)
            else one
            for n, one in enumerate(arguments)
        )


def _taken(iterator: Any, place: Location) -> Taken:
    found = Taken(iterator)
    if len(found) > MOST:
        raise ArgumentError(
            f"a staged function goes over an iterator that has more than {MOST:,} items, or no end",
            location=place,
            remedy="pass a list of those that it needs: list(itertools.islice(items, n))",
        )
    return found


def settle(arguments: tuple[Any, ...]) -> None:
    """Let the iterators among the arguments of a call stand where it left them."""
    for one in arguments:
        if type(one) is Taken:
            one.settle()


def iterators_of(tracing: Tracing, given: list[Any]) -> dict[int, GivenIterator]:
    """The iterators that stand for what was taken: one for each."""
    for number, one in enumerate(given):
        if type(one) is Taken:
            path = f"a[{number}].sources"
            tracing.guard(f"len({path}) == {len(one.sources)}")
            for place, source in enumerate(one.sources):
                kind = tracing.table.constant(type(source))
                tracing.guard(f"type({path}[{place}]) is {kind}")
                tracing.reach(source, f"{path}[{place}]")
    return {id(one): tracing.born(GivenIterator(one)) for one in given if type(one) is Taken}


def keep_places(tracing: Tracing, given: list[Any], iterators: dict[int, GivenIterator]) -> None:
    """Write how far the iterators have gone. StateError where that cannot be done."""
    changed = {id(place.owner) for place, _ in tracing.root.log.values()}
    for one in given:
        found = iterators.get(id(one))
        if found is None:
            continue
        for source in one.sources:
            if id(source) in changed:
                raise StateError(
                    f"a staged function changes a {type(source).__name__} that an iterator goes "
                    "over, which it was given: its items were taken before the call",
                    remedy="give it the iterator of a copy, iter(list(items)), or the container, "
                    "and call iter(items) in it",
                )
        position, ended = found.position, found.ended
        known = not isinstance(position, Number)
        if one.copied is None and not (ended is True or (known and position == len(one))):
            left = f"{len(one) - position} of its items" if known else "some of its items, perhaps,"
            raise StateError(
                f"a staged function is given a {type(one.iterator).__name__} and leaves {left} in "
                "it, which were taken before the call",
                remedy="pass a list, or the iterator of one: f(iter(list(items)))",
            )
        set_attr(position, one, "position")
        set_attr(ended, one, "ended")
