"""Carrying out a plan: every Variable and every plain value, or none."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any

from autograph.keeping.checkpoints.matching import Plan
from autograph.keeping.checkpoints.objects import Edge, parts


def carry_out(plan: Plan) -> None:
    """Assign all that a plan says. On an exception, Ctrl-C included, everything is as it was."""
    undone: list[Callable[[], None]] = []
    try:
        for variable, kept in plan.assigned.values():
            undone.append(_keeper(variable))
            variable.assign(kept.array)
        for _, item, name, value in plan.values:
            put(item, name, value, undone)
    except BaseException:
        for undo in reversed(undone):
            undo()
        raise


def _keeper(variable: Any) -> Callable[[], None]:
    held = variable._value

    def undo() -> None:
        variable._value = held

    return undo


def put(item: Any, name: Edge, value: Any, undone: list[Callable[[], None]]) -> None:
    """Give the part `name` of an object a plain value; a list or dict keeps its identity.

    No `__setattr__` of the user's is called. What takes it back is added to `undone`.
    """
    held = next((one for known, one in parts(item) if known == name), None)
    if type(held) is type(value) and isinstance(held, list | dict):
        before = held.copy()
        undone.append(lambda: _refill(held, before))
        _refill(held, value)
    else:
        undone.append(lambda: _store(item, name, held))
        _store(item, name, value)


def _refill(container: Any, contents: Any) -> None:
    container.clear()
    (container.extend if isinstance(container, list) else container.update)(contents)


def _store(item: Any, name: Any, value: Any) -> None:
    is_index = isinstance(item, list | deque) and type(name) is int
    if is_index or (isinstance(item, dict) and name in item):
        item[name] = value
    else:
        object.__setattr__(item, str(name), value)
