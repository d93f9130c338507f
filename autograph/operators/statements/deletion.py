"""`del owner.name` and `delattr`; items are deleted in `expressions/items`."""

from __future__ import annotations

import types
from typing import Any

from autograph.operators.calls.dispatch import call, special_method
from autograph.operators.calls.missing_attributes import refuse_lacking
from autograph.operators.expressions.attributes import attr, is_users_descriptor
from autograph.operators.expressions.truth import choose
from autograph.tracing.places import AttributePlace
from autograph.tracing.tracing import Tracing, current
from autograph.values.choice import Choice
from autograph.values.marks import declared
from autograph.values.sentinels import UNSET


def del_attr(owner: Any, name: str) -> Any:
    """`del owner.name`."""
    tracing = current()
    if tracing is None:
        return delattr(owner, name)
    if isinstance(owner, Choice):
        return choose(tracing, owner, lambda one: del_attr(one, name))
    deleter = type(owner).__delattr__
    if isinstance(deleter, types.FunctionType) and not _is_frozen_dataclass(type(owner)):
        call(deleter, owner, name)
        return
    delete_plain(tracing, owner, name)


def delete_plain(tracing: Tracing, owner: Any, name: str) -> None:
    """`object.__delattr__(owner, name)`."""
    found = special_method(type(owner), name, bound=False)
    if isinstance(found, property) and found.fdel is not None:
        call(found.fdel, owner)
        return
    if is_users_descriptor(found, "__delete__"):
        call(type(found).__delete__, found, owner)
        return
    place = AttributePlace(owner, name)
    held = place.get()
    if isinstance(held, Choice) and any(one is UNSET for one in held.options):
        choose(tracing, held, lambda one: refuse_lacking(owner, name) if one is UNSET else None)
    elif held is not UNSET:
        attr(owner, name)
    elif name in getattr(owner, "__dict__", ()):
        refuse_lacking(owner, name)
    tracing.touch(place)
    tracing.region.note_order(place)
    delattr(owner, name) if _is_frozen_dataclass(type(owner)) else _delete(owner, name)


def _delete(owner: Any, name: str) -> None:
    if isinstance(owner, type):
        type.__delattr__(owner, name)
    else:
        object.__delattr__(owner, name)


def _is_frozen_dataclass(kind: type) -> bool:
    parameters = declared(kind, "__dataclass_params__")
    return parameters is not None and bool(parameters.frozen)
