"""The calls that made iterators: one that leaves a staged function is made again by its call.

`zip(x, x)` that is returned gives its items when the caller asks for them, and a `map` calls its
function then. So nothing is computed of them in the graph: what leaves is the call, with arguments
that are results, and Python's own iterator is made of them. What staged code has asked of it before
is asked again, where that calls nothing.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice
from types import FunctionType, GeneratorType
from typing import Any

from autograph.errors import StateError
from autograph.merge.functions import Freezing, Thawing
from autograph.tracing.tracing import Tracing
from autograph.values.marks import declared
from autograph.values.skeleton import Again, Made, Skeleton


@dataclass(slots=True, eq=False)
class Making:
    """The call that makes an iterator, and how far it has gone."""

    function: Any
    args: tuple[Any, ...]
    kwargs: dict[str, Any]
    taken: Any = 0
    """How many items were asked of it."""
    place: Any = None
    """Where the iterator of a list stands, which may have got shorter meanwhile."""
    ended: Any = False
    known_as: int = 0
    """The id of the iterator."""


def note_making(
    tracing: Tracing, made: Any, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> None:
    """Remember the call that made an iterator."""
    making = Making(function, args, kwargs, known_as=id(made))
    if type(made) is not GeneratorType:
        tracing.makings[id(made)] = making
        tracing.keep(made)
    elif (recipe := tracing.generators.get(id(made))) is not None:
        recipe.making = making  # nobody here keeps a generator alive


def forget_making(tracing: Tracing, iterator: Any) -> None:
    """Note that an iterator of Python's own was asked for items, which nobody can take back."""
    if declared(type(iterator), "_making") is not None:
        return  # it knows where it stands
    tracing.makings.pop(id(iterator), None)


def making_of(tracing: Tracing, value: Any) -> Making | None:
    """How an iterator is made that stands where `value` stands; None where nobody can tell."""
    if isinstance(value, Making):
        return value
    if type(value) is GeneratorType:
        recipe = tracing.generators.get(id(value))
        return None if recipe is None else recipe.made_by
    making: Making | None = tracing.makings.get(id(value))
    known = declared(type(value), "_making")
    if known is None or id(value) in tracing.references:
        return making if known is None else None
    found: Making | None = known(value, making)
    return found


def freeze_making(freezer: Freezing, value: Any) -> Skeleton | None:
    """What an iterator that leaves the staged function is made of; None for anything else."""
    if not freezer.leaving:
        return None
    if declared(type(value), "_given") is not None:
        raise StateError(
            "an iterator that a staged function is given, and goes over, leaves it",
            remedy="keep it outside, or pass a list",
        )
    making = making_of(freezer.tracing, value)
    if making is None:
        return None
    known = making.known_as or id(value)
    if known in freezer.met:
        return Again(freezer.met[known], kind=Making)
    path = freezer.met[known] = freezer.path
    named = making.kwargs
    state = (making.taken, making.place, making.ended)
    parts = (making.function, *making.args, *named.values(), *state)
    return Made(Making, (len(making.args), *named), freezer.freeze_all(parts), (path,))


def thaw_making(thawer: Thawing, skeleton: Made, taken_option: bool) -> Any:
    """Python's own iterator; none in an option that is not `taken_option`."""
    function, *parts, taken, place, ended = [thawer.thaw(item) for item in skeleton.items]
    if not taken_option:
        return None
    count, *names = skeleton.keys
    args, kwargs = parts[:count], dict(zip(names, parts[count:], strict=True))
    if isinstance(function, FunctionType) and function.__code__.co_name == "<genexpr>":
        args = [iter(args[0])]  # Python gives it the iterator
    made = function(*args, **kwargs)
    if place is not None:
        made.__setstate__(place)
    _drop(islice(made, taken))
    if ended:
        _drop(made)
    thawer.note(skeleton.paths, made)
    return made


def _drop(items: Iterable[Any]) -> None:
    for _ in items:
        pass
