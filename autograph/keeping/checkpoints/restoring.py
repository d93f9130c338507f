"""Carrying out a plan: every Variable and every plain value, or none."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import numpy as np

from autograph.keeping.checkpoints.matching import Plan
from autograph.keeping.checkpoints.objects import Edge, parts
from autograph.values.object_state import keep_attribute


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
            with suppress(Exception):  # what refused to be written is as it was
                undo()
        raise


def _keeper(variable: Any) -> Callable[[], None]:
    held = variable._value

    def undo() -> None:
        variable._value = held

    return undo


def put(item: Any, name: Edge, value: Any, undone: list[Callable[[], None]]) -> None:
    """Give the part `name` of an object a value; a list, dict or array keeps its identity.

    (An array of another shape or dtype, or one that is read-only, is replaced by the kept one.)

    No `__setattr__` of the user's is called. What takes it back is added to `undone`.
    """
    held: Any = next((one for known, one in parts(item) if known == name), None)
    if type(held) is type(value) and isinstance(held, list | dict):
        before = held.copy()
        undone.append(lambda: _refill(held, before))
        _refill(held, value)
    elif _fits(held, value):
        elements = held.copy()
        undone.append(lambda: np.copyto(held, elements))
        np.copyto(held, value)
    else:
        undone.append(lambda: _store(item, name, held))
        _store(item, name, value)


def _fits(held: Any, value: Any) -> bool:
    """Whether an array can take the elements of another one."""
    if type(held) is not np.ndarray or type(value) is not np.ndarray or not held.flags.writeable:
        return False
    return bool(held.shape == value.shape and held.dtype == value.dtype)


def _refill(container: Any, contents: Any) -> None:
    container.clear()
    (container.extend if isinstance(container, list) else container.update)(contents)


def _store(item: Any, name: Any, value: Any) -> None:
    is_index = isinstance(item, list | deque) and type(name) is int
    if is_index or (isinstance(item, dict) and name in item):
        item[name] = value
    else:
        keep_attribute(item, str(name), value)
