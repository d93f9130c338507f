"""Names, displays, strings and the frames of statements that stay Python's own."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from autograph.operators.calls.decorators import check_members
from autograph.operators.calls.dispatch import call
from autograph.operators.expressions.conditional_expression import branch
from autograph.operators.expressions.items import set_item
from autograph.operators.expressions.truth import choose, condition, settled
from autograph.operators.iterators.star_arguments import ORDER, is_spread, made_of
from autograph.tracing.places import CellPlace, NamePlace
from autograph.tracing.tracing import current
from autograph.values.choice import Choice
from autograph.values.sentinels import DONT_CARE, UNSET, Sentinel

UNSET_RESULT = DONT_CARE
"""What the result of a function is on paths that have not returned: nothing reads it there."""


def unbound(name: str) -> UnboundLocalError:
    """The error of CPython for a local variable that holds nothing."""
    return UnboundLocalError(
        f"cannot access local variable '{name}' where it is not associated with a value"
    )


def load(read: Callable[[], Any], name: str) -> Any:
    """A variable that may hold nothing, or on some paths."""
    try:
        value = read()
    except NameError:
        raise unbound(name) from None
    return narrowed(value, name)


def load_free(read: Callable[[], Any], name: str) -> Any:
    """A variable of a function outside, that may hold nothing on some paths."""
    return narrowed(read(), name, _unbound_outside)


def load_global(read: Callable[[], Any], name: str) -> Any:
    """A global variable that the function itself may unset, or sets on some paths."""
    return narrowed(read(), name, _not_defined)


def _not_defined(name: str) -> NameError:
    return NameError(f"name '{name}' is not defined", name=name)


def _unbound_outside(name: str) -> NameError:
    return NameError(
        f"cannot access free variable '{name}' where it is not associated with a value in "
        "enclosing scope"
    )


def narrowed(value: Any, name: str, error: Callable[[str], Exception] = unbound) -> Any:
    """A value that may be unset on some staged paths: there it raises when the graph runs."""
    if isinstance(value, Sentinel):
        raise error(name)
    if not isinstance(value, Choice) or not any(one is UNSET for one in value.options):
        return value
    tracing = current()
    assert tracing is not None
    return choose(tracing, value, lambda one: narrowed(one, name, error))


def returned(result: Any) -> Any:
    """The result of a function that may end by staged `return`s; None where none was reached."""
    return None if isinstance(result, Sentinel) else result


def touch_globals(function: Callable[[], Any], *names: str) -> None:
    """The function or body that starts here may assign these globals."""
    tracing = current()
    if tracing is not None:
        for name in names:
            tracing.touch(NamePlace(function.__globals__, name))


def touch_cells(function: Callable[[], Any], *names: str) -> None:
    """The function or body that starts here may assign these variables of an outer function."""
    tracing = current()
    if tracing is None or function.__closure__ is None:
        return
    for name, cell in zip(function.__code__.co_freevars, function.__closure__, strict=True):
        if name in names:
            tracing.touch(CellPlace(cell, name))


def born(function: Callable[[], Any]) -> None:
    """The variables that `function` sees are locals of the function that starts here.

    They change after functions that use them were made.
    """
    tracing = current()
    if tracing is None:
        return
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        if name != "ag__":
            tracing.closures.changing.add(id(cell))
            if id(cell) not in tracing.closures.born:
                tracing.closures.born.add(id(cell))
                tracing.born(cell)


def new(display: Any) -> Any:
    """A list, dict, set or class that was just made."""
    tracing = current()
    if tracing is None:
        return display
    if isinstance(display, type):
        check_members(display)
        tracing.note_class(display)
        return tracing.born(display)
    parts = display.values() if isinstance(display, dict) else display
    if type(display) is list and any(isinstance(one, Choice | tuple) for one in display):
        display = [settled(tracing, one) for one in display]
    if isinstance(display, dict | set) and any(isinstance(one, Key) for one in display):
        return made_of(tracing, display, partial(_put, display))
    if isinstance(display, list | dict | set) and is_spread(parts):
        return made_of(tracing, display, partial(_put, display))
    return tracing.born(display)


def growing(made: Any) -> Any:
    """The empty container that a comprehension fills: nobody else sees it before it is whole."""
    tracing = current()
    if tracing is not None:
        tracing.keeper.hide(made)
    return made


def grown(made: Any) -> Any:
    """What a comprehension gives."""
    tracing = current()
    if tracing is not None:
        tracing.keeper.show(made)
    return made


def new_tuple(items: list[Any]) -> Any:
    """A tuple that is written out with stars."""
    tracing = current()
    if tracing is None or not is_spread(items):
        return tuple(items)
    return call(tuple, new(items))


def new_set(items: list[Any]) -> Any:
    """A set that is written out with stars."""
    return set(items) if current() is None else call(set, new(items))


class Key:
    """A key in a display while tracing: it is not hashed, since it may be staged."""

    __slots__ = ("order", "value")

    def __init__(self, value: Any) -> None:
        self.value = value
        self.order = next(ORDER)


def key(value: Any) -> Any:
    """A key of a dict or a member of a set that is written out."""
    return value if current() is None else Key(value)


def _put(display: Any, fresh: Any, one: Any) -> None:
    """Add an item of a display to what is made of it; a key or member may be staged."""
    value = one.value if isinstance(one, Key) else one
    if isinstance(display, dict):
        set_item(display[one], fresh, value)
    else:
        call(fresh.append if isinstance(display, list) else fresh.add, value)


def truth(test: Any) -> bool:
    """The truth of a condition that must be known while tracing, in a generator expression."""
    tracing = current()
    if tracing is None:
        return bool(test)
    flag = condition(tracing, test)
    return flag if isinstance(flag, bool) else bool(flag)


def assert_stmt(test: Any, message: Callable[[], Any] | None) -> None:
    """`assert test, message`."""

    def fail() -> None:
        raise AssertionError(message()) if message is not None else AssertionError

    branch(current(), test, lambda: None, fail)
