"""Activations of functions: their arguments, and what agrees where one is a turn of another."""

from __future__ import annotations

import inspect
import types
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from autograph.errors import TracingSignal
from autograph.runtime.arrays.cells import View
from autograph.runtime.core.number import Number
from autograph.runtime.core.state import STATE
from autograph.runtime.core.tensor import Tensor
from autograph.runtime.graph.trace import Trace
from autograph.strings.text import Text
from autograph.tracing.array_storage import is_stored_array, load_storage
from autograph.tracing.tracing import Tracing, current
from autograph.values.choice import Choice
from autograph.values.references import NOT_REFERRED, FoundReferences


class FoundRecursion(TracingSignal):
    """A function was re-entered under a staged condition: trace again, knowing that.

    `opened`: its first call is no turn like the others, and is traced where it stands.
    `around`: the codes of the functions through which it was called again.
    """

    def __init__(
        self, code: types.CodeType, opened: bool = False, around: Iterable[types.CodeType] = ()
    ) -> None:
        super().__init__(code)
        self.code = code
        self.opened = opened
        self.around = frozenset(around)


@dataclass(slots=True)
class Activation:
    """A converted function that is running."""

    identity: Any
    trace: Trace
    kind: Any
    sizes: tuple[Any, ...]


def identity_of(function: types.FunctionType) -> tuple[Any, ...]:
    """What two functions share that do the same: a decorator makes many of one code."""
    code = function.__code__
    cells = zip(code.co_freevars, function.__closure__ or (), strict=True)
    defaults = (*(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values())
    own = (id(cell) for name, cell in cells if name != "ag__")
    return (code, *own, *map(id, defaults))


def kind_of(value: Any) -> Any:
    """What must agree between two activations for them to be turns of one recursion."""
    if is_stored_array(value):
        return kind_of(value.base)
    if isinstance(value, View):  # of an option that is not taken, its elements may not be there
        outer = STATE.interpreter
        assert isinstance(outer, Trace)
        load_storage(value)
        with Trace("view", outer, guard=lambda *_: None).active():  # whose nodes nobody has
            return (Tensor, value.dtype, value.ndim)
    if isinstance(value, Tensor):
        return (Tensor, value.dtype, value.ndim)
    if isinstance(value, Number):
        return value.kind
    if type(value) in (bool, int, float):
        return type(value)
    if isinstance(value, tuple):
        return (type(value), *map(kind_of, value))
    if isinstance(value, Choice):
        return (Choice, *map(kind_of, value.options))
    tracing = current()
    if tracing is not None and tracing.is_born(value):
        standing = tracing.references.get(id(value))
        if standing is not None:
            return standing.store.key
        if tracing.sealed.get(id(value)) == "element":
            return type(value)
        if isinstance(value, list | dict | set | deque):
            staged = tracing.contents(value) is not None
            return type(value), None if staged else id(value)
    return value if isinstance(value, str | None) else (object, id(value))


MADE = "made"
"""The size of an object that the function itself made: each call may be given another one."""


def size_of(value: Any) -> Any:
    """How many items a list has that the function itself made, how many characters a string; the
    class of another object that it made, the code of a function, the kind of any other value."""
    tracing = current()
    if type(value) is str:
        return len(value)
    if type(value) is list and tracing is not None and tracing.is_born(value):
        if tracing.contents(value) is None:
            return len(value)
    kind = kind_of(value)
    made = isinstance(value, Text) or (tracing is not None and tracing.is_born(value))
    if not made or kind != (object, id(value)):
        return kind
    return MADE, value.__code__ if isinstance(value, types.FunctionType) else type(value)


MOST_GROWN = 3
"""So many calls inside one another, each with a longer list or with an object made for it, under
staged conditions are turns."""


def grow(active: list[Activation], sizes: tuple[Any, ...], trace: Trace) -> bool:
    """Whether the lists or strings that the calls of a function are given grow, as where they pass
    on what they found: `go(found + [item])`. Those of a function that goes over a list shrink.

    Objects that were made for the calls, `go(Found())`, are no end of it either.
    """
    if len(active) < MOST_GROWN or active[-MOST_GROWN].trace is trace:
        return False
    rows = [*(one.sizes for one in active[-MOST_GROWN:]), sizes]
    pairs = list(zip(rows, rows[1:]))
    return all(_is_longer(one, other) for one, other in pairs)


def _is_longer(before: tuple[Any, ...], after: tuple[Any, ...]) -> bool:
    if len(before) != len(after):
        return False
    counts = [(a, b) for a, b in zip(before, after) if type(a) is int and type(b) is int]
    others = [(a, b) for a, b in zip(before, after) if not (type(a) is int and type(b) is int)]
    if not all(a == b for a, b in others):
        return False
    grown = sum(b - a for a, b in counts)
    made = any(isinstance(a, tuple) and a[:1] == (MADE,) for a, _ in others)
    return grown > 0 or (made and grown == 0)


MOST_DEEP = 3
MOST_ENTERED = 24
"""So many calls, some so deep in one another, with objects that the call made, go over a tree that
staged conditions shape: each object in it would double the paths."""


def refer_to_trees(
    tracing: Tracing, active: list[Activation], args: tuple[Any, ...], identity: Any
) -> None:
    """FoundReferences for the objects of a tree that a recursive function goes over."""
    if len(active) < MOST_DEEP:
        return
    kinds = {type(one) for one in _possible(args) if _is_of_a_tree(tracing, one)}
    if kinds:
        tracing.entered[identity] += 1
        if tracing.entered[identity] > MOST_ENTERED:
            kind = min(kinds, key=lambda one: one.__qualname__)
            raise FoundReferences(kind, (kind,))


def _possible(args: tuple[Any, ...]) -> Iterator[Any]:
    for one in args:
        yield from one.options if isinstance(one, Choice) else (one,)


def _is_of_a_tree(tracing: Tracing, value: Any) -> bool:
    """Whether it is an object that the call made, of a class from outside, and in no store."""
    kind = type(value)
    if kind.__module__ == "builtins" or isinstance(value, Tensor | Number | tuple):
        return False
    if issubclass(kind, NOT_REFERRED) or kind in tracing.hints.referring.kinds:
        return False
    return tracing.is_born(value) and not tracing.is_born(kind) and hasattr(value, "__dict__")


def bound(
    function: types.FunctionType, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> inspect.BoundArguments:
    """The arguments of a call, defaults included. The dict of `**named` is made for the call."""
    signature = inspect.signature(function, follow_wrapped=False)
    arguments = signature.bind(*args, **kwargs)
    arguments.apply_defaults()
    tracing = current()
    for one in signature.parameters.values():
        if one.kind is inspect.Parameter.VAR_KEYWORD and tracing is not None:
            tracing.born(arguments.arguments[one.name])
    return arguments
