"""Draws at random that a graph makes by calling Python: noted for ways back, and their native form.

A gradient that computes the forward values again needs the numbers that were drawn. So what is
drawn while somebody notes it is drawn by CPython, one call at a time; else a program draws what has
a native form by itself.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from autograph.runtime.control.host import HOST_CALL
from autograph.runtime.core.dtypes import DType
from autograph.runtime.core.record import DynamicInt
from autograph.runtime.graph.ir import Node

Draw = tuple[Any, Sequence[Any]]
"""A call that drew at random, and what it gave."""
Owner = Callable[[], Any]
"""Finds a generator in the run that is going on; KeyError where that has none (yet)."""


class _Noted(threading.local):
    draws: list[Draw] | None = None
    again: Iterator[Draw] | None = None


_noted = _Noted()


@contextmanager
def recording_draws() -> Iterator[list[Draw]]:
    """What is drawn at random inside is noted in the list that this gives."""
    outer, _noted.draws = _noted.draws, []
    try:
        yield _noted.draws
    finally:
        _noted.draws = outer


@contextmanager
def drawing_again(draws: list[Draw] | None) -> Iterator[None]:
    """What is drawn inside is what was drawn before, in order; None: it is drawn anew.

    A gradient that computes the forward values again needs those that it is the gradient of.
    """
    outer, _noted.again = _noted.again, None if draws is None else iter(draws)
    try:
        yield
    finally:
        _noted.again = outer


def are_noted() -> bool:
    """Whether draws are noted, or are those that were noted before."""
    return _noted.draws is not None or _noted.again is not None


def drawn(asked: Any, draw: Callable[[], Sequence[Any]]) -> Sequence[Any]:
    """What a call that draws at random gives; `asked` says which call of the program it is."""
    before = next(_noted.again, None) if _noted.again is not None else None
    if before is None:
        result = draw()
    else:
        known, result = before
        assert known is asked, "a program draws in another order when it runs again"
    if _noted.draws is not None:
        _noted.draws.append((asked, result))
    return result


@dataclass(frozen=True, slots=True)
class NativeDraw:
    """How a program draws what a host call draws, element by element, without CPython.

    `arguments` are expressions of programs over `{0}`, `{1}`, …: the `values`, plain ones and
    inputs of the node, each cast to its dtype. The first argument of `function`, one of
    `kernels.library.draws`, `older_draws` or `python_generators`, is the generator; `result` is
    what becomes of the number `{drawn}`. Where the expression `fails` holds, or a size is negative,
    the host call raises.
    """

    function: str
    owner: Owner
    values: tuple[tuple[int | float | DynamicInt, DType], ...] = ()
    arguments: tuple[str, ...] = ()
    result: str = "{drawn}"
    fails: str = ""
    sizes: tuple[int | DynamicInt, ...] = ()


def native_draw(node: Node) -> NativeDraw | None:
    """The native form of a node that draws at random; None for any other."""
    if node.op is not HOST_CALL:
        return None
    found: NativeDraw | None = getattr(node.attributes["function"], "native", None)
    return found
