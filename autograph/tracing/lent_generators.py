"""Random generators and counters in a trace: each run asks those that its call brings, or makes.

A program that draws numbers calls generators back. A `Source` stands for one of them there, and
the run says which generator it is: so a call with another generator, made anew with its seed, finds
the same trace, and threads and calls inside of calls have generators of their own.
"""

from __future__ import annotations

import random
import re
import threading
from collections.abc import Callable, Mapping
from itertools import count
from typing import Any

import numpy as np

from autograph.errors import StateError
from autograph.tracing.paths import Fetch, compile_fetch
from autograph.tracing.tracing import Tracing

GENERATORS = (np.random.Generator, np.random.RandomState, random.Random)
"""Classes whose objects are found again by their paths; of subclasses, by identity."""


def state_of(generator: Any) -> Any:
    """What a generator will draw."""
    if isinstance(generator, count):
        return repr(generator)
    if isinstance(generator, random.Random):
        return generator.getstate()
    if isinstance(generator, np.random.RandomState):
        return generator.get_state(legacy=False)
    return generator.bit_generator.state


def put_state(generator: Any, state: Any) -> None:
    """Let a generator draw what one with this state would. StateError for a counter that has gone
    on: there is no way back."""
    if isinstance(generator, count):
        if repr(generator) != state:
            raise StateError(
                f"check mode runs a call several times, and {state}, which it advances, "
                "goes one way",
                remedy="call the function without check mode, or keep the number in an attribute",
            )
        return
    if isinstance(generator, random.Random):
        generator.setstate(state)
    elif isinstance(generator, np.random.RandomState):
        generator.set_state(state)
    else:
        generator.bit_generator.state = state


_numbers = re.compile(r"count\((-?[0-9.e+-]+)(?:, (-?[0-9.e+-]+))?\)")


def kind_of_count(counter: Any) -> type | None:
    """What kind of numbers an `itertools.count` gives, int or float; None for anything else."""
    found = _numbers.fullmatch(repr(counter))
    if found is None:
        return None
    start, step = (float if re.search("[.e]", one) else int for one in found.groups("1"))
    return None if step is float and start is int else start


class Source:
    """Stands for a random generator in what a trace calls back."""

    __slots__ = ()

    def get(self) -> Any:
        """The generator in the run that is going on."""
        return _RUN.generators[self]

    def set(self, generator: Any) -> None:
        """Let it stand for a generator that the run has made."""
        _RUN.generators[self] = generator


class _Run(threading.local):
    def __init__(self) -> None:
        self.generators: dict[Source, Any] = {}


_RUN = _Run()


def is_lent(value: Any) -> bool:
    """Whether an object is a generator that a call may bring anew."""
    return type(value) in GENERATORS or type(value) is count


def asked_of(tracing: Tracing, generator: Any) -> Callable[[], Any]:
    """What finds a generator when the graph runs."""
    made = tracing.sources.get(id(generator))
    if made is not None:
        source: Source = made[0]
        return source.get
    path = tracing.paths.get(id(generator))
    if path is None or not is_lent(generator):
        tracing.guard(f"{tracing.path_of(generator)} is {tracing.table.constant(generator)}")
        return lambda: generator
    source = Source()
    tracing.sources[id(generator)] = source, path
    return source.get


def made_here(tracing: Tracing, generator: Any) -> Source:
    """What stands for a generator that the program makes at this place."""
    source = Source()
    tracing.sources[id(tracing.born(generator))] = source, None
    return source


def was_made_here(tracing: Tracing, value: Any) -> bool:
    """Whether this is a generator that the program makes: anew in each run."""
    known = tracing.sources.get(id(value))
    return known is not None and known[1] is None


def expose(tracing: Tracing, value: Any) -> None:
    """The trace is for this generator alone: code that is not converted gets to see it."""
    if is_lent(value) and not tracing.is_born(value):
        tracing.guard(f"{tracing.path_of(value)} is {tracing.table.constant(value)}")


class Lending:
    """The generators of one trace, and where a call finds them."""

    def __init__(self, sources: Mapping[int, tuple[Source, str | None]]) -> None:
        self.any = bool(sources)
        given = [(source, path) for source, path in sources.values() if path is not None]
        self.sources = [source for source, _ in given]
        self.fetch: Fetch = compile_fetch([path for _, path in given])

    def during(self, arguments: tuple[Any, ...], objects: list[Any]) -> Asking:
        """Runs inside ask the generators of this call."""
        found = self.fetch(arguments, objects)
        return Asking(dict(zip(self.sources, found, strict=True)))


def asking_now() -> dict[Source, Any]:
    """The generators of the run that is going on, for what follows it: the way back."""
    return _RUN.generators


class Asking:
    """Runs inside ask these generators."""

    __slots__ = ("_outer", "generators")

    def __init__(self, generators: dict[Source, Any]) -> None:
        self.generators = generators
        self._outer = _RUN.generators

    def __enter__(self) -> None:
        self._outer, _RUN.generators = _RUN.generators, self.generators

    def __exit__(self, *raised: object) -> None:
        _RUN.generators = self._outer
