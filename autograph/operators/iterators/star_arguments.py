"""`*items` and `**pairs` in calls and displays, where what they give is known only at run time.

What is one of several, or holds one of several contents, is passed on as it is; the call or the
display around it is then made for each.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from autograph.control.chosen_contents import DictView, chosen_contents, with_each
from autograph.errors import ShapeError
from autograph.operators.calls.dispatch import call, special_method
from autograph.operators.containers.chosen_containers import Aligned
from autograph.operators.expressions.truth import choose
from autograph.operators.iterators import plain_iteration
from autograph.operators.iterators.generator_recipes import recipe_of
from autograph.operators.iterators.plain_iteration import all_items, common_pairs
from autograph.operators.iterators.staged_iterables import Transposed, has_staged_length
from autograph.operators.iterators.user_iterators import SequenceIterator
from autograph.tracing.namespaces import in_question
from autograph.tracing.tracing import Tracing, current
from autograph.values.choice import Choice

ORDER = itertools.count()
"""Numbers what is written out in a set: in memory that goes by addresses, other in each process."""


class Spread:
    """What stands behind a star, not yet taken apart."""

    __slots__ = ("order", "value")

    def __init__(self, value: Any) -> None:
        self.value = value
        self.order = next(ORDER)


def spread(value: Any) -> Iterable[Any]:
    """What `*value` goes over."""
    tracing = current()
    if tracing is None:
        return value  # type: ignore[no-any-return]
    if isinstance(value, Choice):
        return Aligned.of(tracing, value) or (Spread(value),)
    if isinstance(value, DictView) and isinstance(value.container, Choice):
        return Aligned.of(tracing, value) or (Spread(value),)
    if isinstance(value, SequenceIterator):
        value = call(list, value)
    if recipe_of(tracing, value) is None and _is_open(tracing, value):
        return (Spread(value),)
    return all_items(value)


def _is_open(tracing: Tracing, value: Any) -> bool:
    """Whether it depends on staged conditions which items a container has."""
    return chosen_contents(tracing, value) is not None or has_staged_length(tracing, value)


def mapping(value: Any) -> Mapping[Any, Any]:
    """What Python unpacks for `**value`: a dict whose pairs are all read."""
    tracing = current()
    if tracing is None:
        return value  # type: ignore[no-any-return]
    if isinstance(value, Choice) and common_pairs(tracing, value) is None:
        return _held_back(value)
    if isinstance(value, dict) and (
        tracing.contents(value) is not None or in_question(tracing, value) is not None
    ):
        return _held_back(value)
    if _is_no_mapping(value):
        return _held_back(value)
    return plain_iteration.mapping(value)  # type: ignore[no-any-return]


def _is_no_mapping(value: Any) -> bool:
    return special_method(type(value), "keys") is None and not isinstance(value, Choice)


def _no_mapping(function: Any, value: Any) -> TypeError:
    return TypeError(
        f"{_name_of(function)}() argument after ** must be a mapping, not {type(value).__name__}"
    )


def _held_back(value: Any) -> dict[Any, Any]:
    found = Spread(value)
    return {f"**{id(found)}": found}


def is_spread(values: Iterable[Any]) -> bool:
    """Whether there is something among arguments or items that is not taken apart."""
    return any(type(one) is Spread for one in values)


def made_of(tracing: Tracing, display: Any, put: Callable[[Any, Any], None]) -> Any:
    """A list, dict or set that is written out with such parts; `put` adds any other one."""
    fresh = tracing.born(type(display)())
    tracing.keeper.hide(fresh)  # nobody sees it before it is whole
    parts = display
    if isinstance(display, set):
        parts = sorted(display, key=lambda one: getattr(one, "order", -1))
    for one in parts:
        part = display[one] if isinstance(display, dict) else one
        if type(part) is not Spread:
            put(fresh, one)
        elif isinstance(display, list):
            call(fresh.extend, part.value)
        elif isinstance(display, dict) and _is_no_mapping(part.value):
            raise TypeError(f"{type(part.value).__name__!r} object is not a mapping")
        else:
            call(fresh.update, part.value)
    tracing.keeper.show(fresh)
    return fresh


def call_spread(
    tracing: Tracing, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Any:
    """A call with such arguments: for each of the values that the first of them may be."""
    places = [place for place, one in enumerate(args) if type(one) is Spread]
    if places:
        before, after = args[: places[0]], args[places[0] + 1 :]
        rows = args[places[0]].value
        if len(args) == 1 and has_staged_length(tracing, rows):
            if function is zip and not kwargs:
                return tracing.born(Transposed(call(list, rows)))
            if function is print and isinstance(kwargs.get("sep", ""), str):
                between = kwargs.pop("sep", " ")
                return call(print, call(between.join, call(map, str, rows)), **kwargs)
        return _for_each(
            tracing,
            args[places[0]].value,
            lambda value: call(function, *before, *spread(value), *after, **kwargs),
        )
    name = next(name for name, one in kwargs.items() if type(one) is Spread)
    if _is_no_mapping(kwargs[name].value):
        raise _no_mapping(function, kwargs[name].value)

    def with_pairs(value: Any) -> Any:
        named: dict[str, Any] = {}
        for key, item in kwargs.items():
            for inner, given in mapping(value).items() if key == name else ((key, item),):
                if inner in named or (key == name and inner in kwargs):
                    raise TypeError(
                        f"{_name_of(function)}() got multiple values for keyword argument '{inner}'"
                    )
                named[inner] = given
        return call(function, *args, **named)

    return _for_each(tracing, kwargs[name].value, with_pairs)


def call_named(function: Any, args: list[Any], *parts: tuple[Any, ...]) -> Any:
    """`function(*args, name=value, **pairs)`, of parts `(name, value)` and `(pairs,)`."""
    named: dict[Any, Any] = {}
    for part in parts:
        pairs = {part[0]: part[1]} if len(part) == 2 else part[0]
        for name, value in {**pairs}.items():
            _put_named(function, named, name, value)
    return call(function, *args, **named)


def _put_named(function: Any, named: dict[Any, Any], name: Any, value: Any) -> None:
    if name in named:
        raise TypeError(f"{_name_of(function)}() got multiple values for keyword argument '{name}'")
    named[name] = value


def _for_each(tracing: Tracing, value: Any, action: Callable[[Any], Any]) -> Any:
    if isinstance(value, Choice):
        return choose(tracing, value, action)
    if isinstance(value, DictView) and isinstance(value.container, Choice):
        return choose(tracing, value.container, lambda one: action(DictView(one, value.kind)))
    contents = chosen_contents(tracing, value)
    if contents is not None:
        return with_each(tracing, value, contents, lambda: action(value))
    raise ShapeError(
        "a call gets arguments by * or ** of which there are as many as only the run tells",
        remedy="pass the list itself, and go over it in the function",
    )


def _name_of(function: Any) -> str:
    module = getattr(function, "__module__", None)
    name = getattr(function, "__qualname__", type(function).__name__)
    return name if module in (None, "builtins") else f"{module}.{name}"
