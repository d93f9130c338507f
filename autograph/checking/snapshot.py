"""What the reachable state holds, kept to be put back in place: objects stay the same ones."""

from __future__ import annotations

import io
import types
from collections import deque
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from autograph.checking.reach import (
    CONTENTS,
    Name,
    Reach,
    attributes_of,
    contents,
    contents_of,
)
from autograph.runtime.core.tensor import Tensor
from autograph.tracing.lent_generators import is_lent, put_state, state_of
from autograph.tracing.places import base_of_dict, put_pairs
from autograph.values.marks import is_staged_function
from autograph.values.object_state import drop_attribute, keep_attribute

MISSING = object()
Restore = Callable[[], None]


class Snapshot:
    """The state of a moment. `restore` puts it back, and touches only what has changed."""

    def __init__(self, reach: Reach) -> None:
        self._restores: list[Restore] = []
        for place in reach.places():
            self._restores += _restores(place.item)

    def restore(self) -> None:
        """Put everything back, without the user's own methods."""
        for restore in self._restores:
            restore()


def _restores(item: Any) -> list[Restore]:
    """How the parts of one thing are put back."""
    if isinstance(item, Name):
        return [_name(item)]
    if isinstance(item, types.CellType):
        return [_cell(item)]
    if isinstance(item, Tensor):
        return [_tensor(item), *([_attributes(item)] if hasattr(item, "__dict__") else ())]
    if isinstance(item, np.ndarray):
        return [_array(item)]
    if isinstance(item, io.StringIO):
        return [_text(item)]
    if is_lent(item):
        return [partial(put_state, item, state_of(item))]
    if isinstance(item, type):
        return [_class(item)]
    parts = [_contents(item)] if isinstance(item, CONTENTS) else []
    return [*parts, _attributes(item)] if attributes_of(item) or not parts else parts


def _name(item: Name) -> Restore:
    before = item.namespace.get(item.name, MISSING)

    def restore() -> None:
        if before is MISSING:
            item.namespace.pop(item.name, None)
        elif item.namespace.get(item.name, MISSING) is not before:
            item.namespace[item.name] = before

    return restore


def _cell(cell: types.CellType) -> Restore:
    before = contents_of(cell)

    def restore() -> None:
        if before is not cell:
            cell.cell_contents = before
        elif contents_of(cell) is not cell:
            del cell.cell_contents

    return restore


def _tensor(cell: Tensor) -> Restore:
    held = cell._value
    # what a failed trace left behind is no array
    put_back = _array(held) if isinstance(held, np.ndarray) else None

    def restore() -> None:
        cell._value = held
        if put_back is not None:
            put_back()

    return restore


def _array(array: np.ndarray[Any, Any]) -> Restore:
    before = array.copy(order="K")

    def restore() -> None:
        if array.dtype.hasobject or array.tobytes() != before.tobytes():
            locked = not array.flags.writeable
            if locked:
                array.flags.writeable = True
            array[...] = before
            array.flags.writeable = not locked

    return restore


def _text(stream: io.StringIO) -> Restore:
    before, place = stream.getvalue(), stream.tell()

    def restore() -> None:
        if stream.getvalue() != before or stream.tell() != place:
            stream.seek(0)
            stream.truncate()
            stream.write(before)
            stream.seek(place)

    return restore


def _contents(owner: Any) -> Restore:
    before = contents(owner)

    def restore() -> None:
        now = contents(owner)
        if isinstance(owner, dict):
            if not _same_pairs(now, before):
                base_of_dict(owner).clear(owner)
                put_pairs(owner, before)
        elif len(now) == len(before) and all(map(_is, now, before)):
            return
        elif isinstance(owner, list):
            list.__setitem__(owner, slice(None), before)
        elif isinstance(owner, set):
            set.clear(owner)
            set.update(owner, before)
        elif isinstance(owner, deque):
            deque.clear(owner)
            deque.extend(owner, before)
        else:
            owner[:] = bytes(before)

    return restore


def _class(kind: type) -> Restore:
    before = dict(vars(kind))

    def restore() -> None:
        for name in [*before, *vars(kind)]:
            value = before.get(name, MISSING)
            if vars(kind).get(name, MISSING) is value:
                continue
            if value is MISSING:
                type.__delattr__(kind, name)
            else:
                type.__setattr__(kind, name, value)

    return restore


def _attributes(owner: Any) -> Restore:
    before = attributes_of(owner)
    own = None if is_staged_function(owner) else getattr(owner, "__dict__", None)
    pairs = list(own.items()) if type(own) is dict else []

    def restore() -> None:
        now = attributes_of(owner)
        if len(now) == len(before) and all(
            name in now and now[name] is value for name, value in before.items()
        ):
            return
        for name in now.keys() | before.keys():
            if name not in before:
                drop_attribute(owner, name)
            elif now.get(name, MISSING) is not before[name]:
                keep_attribute(owner, name, before[name])
        if type(own) is dict and not _same_pairs(list(own.items()), pairs):  # their order
            own.clear()
            own.update(pairs)

    return restore


def _is(one: Any, other: Any) -> bool:
    return one is other


def _same_pairs(now: list[tuple[Any, Any]], before: list[tuple[Any, Any]]) -> bool:
    return len(now) == len(before) and all(
        key is old_key and value is old
        for (key, value), (old_key, old) in zip(now, before, strict=True)
    )
