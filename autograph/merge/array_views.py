"""Views of arrays in containers of staged length, which hold them by value: their elements."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from autograph.runtime.arrays.cells import View, taken
from autograph.runtime.core.tensor import Tensor
from autograph.runtime.graph.trace import Trace, wrap
from autograph.values.skeleton import Fixed, Group, Leaf, Skeleton, leaf_of

Given = Callable[[Any], Any]
"""The tensor or number that a leaf stands for."""


def is_view(frozen: Skeleton) -> bool:
    """Whether a frozen value is a view of an array."""
    return isinstance(frozen, Group) and frozen.kind is View


def spec_of_view(frozen: Group) -> Any:
    """The dtype and shape of a frozen view, whose leaves need no values."""
    trace = Trace("view")
    with trace.active():
        found = _elements(frozen, lambda leaf: trace.add_input(leaf.spec))
        return trace.value_of(found).spec


def view_value(trace: Trace, frozen: Group) -> Any:
    """The elements of a frozen view, as a value of the graph that it was frozen in."""
    with trace.active():
        return trace.value_of(_elements(frozen, lambda leaf: wrap(trace.lift(leaf.value))))


def _elements(frozen: Skeleton, given: Given) -> Any:
    if not isinstance(frozen, Group):
        return Tensor._of(given(leaf_of(frozen))._value)  # type: ignore[arg-type]
    base, name, argument = frozen.items
    assert isinstance(name, Fixed)
    return taken(_elements(base, given), name.value, _argument(argument, given))


def _argument(frozen: Skeleton, given: Given) -> Any:
    if isinstance(frozen, Fixed):
        return frozen.value
    if isinstance(frozen, Leaf):
        return given(frozen)
    assert isinstance(frozen, Group)
    parts = [_argument(one, given) for one in frozen.items]
    return slice(*parts) if frozen.kind is slice else tuple(parts)
