"""`copy.copy` and `copy.deepcopy`: of containers and objects, with what they hold noted."""

from __future__ import annotations

import copy
import types
from collections import deque
from typing import Any

from autograph.effects.choice import Choice
from autograph.effects.objects import attributes_of, empty, give_attributes, setting_of
from autograph.effects.reading import BY_NAME, IMMUTABLE
from autograph.effects.tracing import Tracing
from autograph.effects.values import ATOMS
from autograph.errors import StateError
from autograph.operators import handles
from autograph.operators.attributes import load_plain
from autograph.operators.conditions import choose
from autograph.operators.containers import call_container_method
from autograph.operators.dispatch import call_method, special_method
from autograph.operators.iteration import iterate
from autograph.operators.variables import make_variable
from autograph.runtime.core.anatomy import with_article
from autograph.runtime.core.number import Number
from autograph.runtime.core.tensor import Tensor
from autograph.runtime.core.variable import Variable
from autograph.runtime.ops.table import OPS

CONTAINERS = (list, dict, set, deque)
SAME = (*ATOMS, *BY_NAME, *IMMUTABLE, Number)
Memo = dict[int, Any]


def shallow(tracing: Tracing, value: Any) -> Any:
    """`copy.copy(value)`."""
    if isinstance(value, Choice):
        return choose(tracing, value, lambda one: shallow(tracing, one))
    if isinstance(value, tuple) or _is_kept(value):
        return value
    if isinstance(special_method(type(value), "__copy__"), types.FunctionType) and not isinstance(
        value, Tensor
    ):
        return call_method(value, "__copy__")
    return _copied(tracing, value, lambda one: one, {})


def deep(tracing: Tracing, value: Any, memo: Memo | None = None) -> Any:
    """`copy.deepcopy(value)`: what is met twice is copied once."""
    known: Memo = {} if memo is None else memo
    if isinstance(value, Choice):
        return choose(tracing, value, lambda one: deep(tracing, one, known))
    if _is_kept(value):
        return value
    if id(value) in known:
        return known[id(value)]
    if handles.refers(tracing, value):
        raise StateError(
            f"copy.deepcopy of {with_article(type(value).__name__)} that refers to objects in a "
            "container of staged length",
            remedy="copy it level by level: [row[:] for row in rows]",
        )
    if isinstance(value, tuple):
        parts = [deep(tracing, one, known) for one in value]
        if all(one is other for one, other in zip(parts, value, strict=True)):
            return value
        make: Any = getattr(type(value), "_make", tuple)
        return make(parts)
    if isinstance(
        special_method(type(value), "__deepcopy__"), types.FunctionType
    ) and not isinstance(value, Tensor):
        return call_method(value, "__deepcopy__", tracing.born(known))
    return _copied(tracing, value, lambda one: deep(tracing, one, known), known)


def _is_kept(value: Any) -> bool:
    return isinstance(value, SAME) and not isinstance(value, Tensor)


def _copied(tracing: Tracing, value: Any, part: Any, memo: Memo) -> Any:
    if isinstance(value, Variable):
        made = make_variable(tracing, type(value), (value, value.name, value.trainable), {})
        memo[id(value)] = made
        return made
    tracing.keep(value)
    if isinstance(value, Tensor):
        made = memo[id(value)] = OPS.copy(value)
        return made
    if type(value) in CONTAINERS and tracing.contents(value) is not None and part is not None:
        return call_container_method(tracing, value, "copy", (), {})
    fresh = memo[id(value)] = tracing.born(_empty(value))
    if isinstance(value, dict):
        for key in list(iterate(value)):
            dict.__setitem__(fresh, key, part(value[key]))
    elif isinstance(value, set):
        set.update(fresh, iterate(value))
    elif isinstance(value, list):
        list.extend(fresh, [part(one) for one in iterate(value)])
    elif isinstance(value, deque):
        deque.extend(fresh, [part(one) for one in iterate(value)])
    names = tuple(attributes_of(value) or ())
    give_attributes(fresh, names, [part(load_plain(tracing, value, name)) for name in names])
    return fresh


def _empty(value: Any) -> Any:
    own = setting_of(value) if isinstance(value, CONTAINERS) else None
    return empty(type(value), own)


MODELS = {copy.copy: shallow, copy.deepcopy: deep}
