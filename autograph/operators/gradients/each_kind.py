"""Functions of ours with an argument that is one of several: run for each, with results merged.

Where a staged condition chose the dtype or the rank of a tensor, or how parameters nest, what takes
them apart sees one of the cases at a time.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass
from typing import Any

from autograph.control.chosen_contents import chosen_contents, with_each
from autograph.errors import StateError
from autograph.operators.calls.dispatch import call
from autograph.operators.calls.unconverted import may_nest, refuse_too_many, replaced
from autograph.operators.expressions.truth import choose
from autograph.runtime.arrays.watched import is_array, watched
from autograph.runtime.core.number import Number
from autograph.runtime.core.tensor import Tensor
from autograph.runtime.ops.table import OPS
from autograph.tracing.tracing import Tracing
from autograph.values.choice import Choice

CONTAINERS = (list, tuple, dict)


def for_each_nest(function: Callable[..., Any], *args: Any) -> Any:
    """`function(*args)`, for each way in which an argument nests. It makes copies of containers."""
    return function(*args)


def for_each_kind(function: Callable[..., Any], *args: Any) -> Any:
    """`function(*args)`, for each kind that a tensor among the arguments, or in tuples, may be."""
    return function(*args)


def _each_nest(tracing: Tracing, function: Callable[..., Any], *args: Any) -> Any:
    for one in _containers(tracing, args):
        contents = chosen_contents(tracing, one)
        if contents is not None:
            return with_each(tracing, one, contents, lambda: _each_nest(tracing, function, *args))
        for item in one.values() if isinstance(one, dict) else one:
            if isinstance(item, Choice) and may_nest(item):
                return choose(
                    tracing, item, _with_option(_each_nest, tracing, function, args, item)
                )
    return call(function, *args)


def _each_kind(tracing: Tracing, function: Callable[..., Any], *args: Any) -> Any:
    chosen = [one for one in _choices(args) if any(isinstance(x, Tensor) for x in one.options)]
    if not chosen:
        return call(function, *args)
    refuse_too_many(chosen)
    return choose(tracing, chosen[0], _with_option(_each_kind, tracing, function, args, chosen[0]))


def _with_option(
    run: Callable[..., Any],
    tracing: Tracing,
    function: Callable[..., Any],
    args: tuple[Any, ...],
    chosen: Choice,
) -> Callable[[Any], Any]:
    """The call with one of the options in the place of a choice."""

    def call_with(option: Any) -> Any:
        known = replaced(args, chosen, option, True)
        for made, one in zip(_parts(known), _parts(args), strict=False):
            if made is not one:
                tracing.born(made)
        return run(tracing, function, *known)

    return call_with


def _parts(nested: Any) -> Iterator[Any]:
    """The lists and dicts in nested lists, tuples and dicts."""
    if isinstance(nested, list | dict):
        yield nested
    if isinstance(nested, CONTAINERS):
        for one in nested.values() if isinstance(nested, dict) else nested:
            yield from _parts(one)


def _containers(tracing: Tracing, nested: Any) -> Iterator[Any]:
    """Nested lists, tuples and dicts, those of staged length left out."""
    if not isinstance(nested, CONTAINERS):
        return
    contents = None if isinstance(nested, tuple) else tracing.contents(nested)
    if contents is not None and not isinstance(contents, Choice):
        return
    yield nested
    for one in nested.values() if isinstance(nested, dict) else nested:
        yield from _containers(tracing, one)


def _choices(nested: Any) -> Iterator[Choice]:
    """The choices in nested tuples."""
    if isinstance(nested, Choice):
        yield nested
    elif isinstance(nested, tuple):
        for one in nested:
            yield from _choices(one)


def own_place(x: Any, again: bool) -> Any:
    """A leaf as a cell of its own that a tape can watch: a number is a tensor, an array an array,
    and a Variable itself, but for `again`."""
    if is_array(x):
        return watched(x)
    if isinstance(x, float | complex | Number):
        return OPS.asarray(x) if _is_inexact(x) else x
    if is_dataclass(x) and any(is_array(getattr(x, one.name, None)) for one in fields(x)):
        raise TypeError(
            f"a derivative is asked by a {type(x).__name__}, a dataclass with arrays of NumPy's, "
            "which a tape cannot watch; hand them on in a dict, dataclasses.asdict(x), or make "
            "tensors of them"
        )
    is_own = isinstance(x, Tensor) and (again or type(x) is Tensor)
    return OPS.copy(x) if is_own else x


def _is_inexact(x: Any) -> bool:
    return not isinstance(x, Number) or x.kind in (float, complex)


def _own_place(tracing: Tracing, x: Any, again: bool) -> Any:
    """The same in a trace, for each of several that it may be."""
    if not isinstance(x, Choice):
        return tracing.born_within(own_place(x, again))
    refuse_too_many([x])
    if len(set(map(is_array, x.options))) > 1:
        raise StateError(
            "a derivative is asked by what is an array or a scalar of NumPy's on one path, and a "
            "tensor on another",
            remedy="make it a tensor on each: x = ag.asarray(x)",
        )
    copies = again is not False  # where only the run tells, too
    return choose(tracing, x, lambda one: tracing.born_within(own_place(one, copies)))


def own_source(x: Any) -> Any:
    """A leaf by which is derived, as it is before the function may give it other attributes."""
    if is_dataclass(x) and not isinstance(x, type | Tensor | Choice):
        return call(copy.copy, x)
    return x


MODELS: dict[Any, Callable[..., Any]] = {
    for_each_nest: _each_nest,
    for_each_kind: _each_kind,
    own_place: _own_place,
    own_source: lambda tracing, x: own_source(x),
}
