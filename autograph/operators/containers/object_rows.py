"""Rows of stores: what two objects of one class are made of, and whether one type holds both."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import replace
from types import FunctionType
from typing import Any

from autograph.conversion.syntax.build import is_inner
from autograph.merge.freeze import CONTAINERS
from autograph.values.object_state import attributes_of, give_attributes
from autograph.values.references import parts_in
from autograph.values.skeleton import (
    STAGED_CONTENTS,
    Choices,
    Fixed,
    Made,
    Packed,
    Skeleton,
    alike,
    with_names,
)


def with_all_names(left: Skeleton, right: Skeleton) -> tuple[Skeleton, Skeleton]:
    """Two objects of a class with the same attributes, of which some are missing."""
    if not (isinstance(left, Made) and isinstance(right, Made)) or left.keys == right.keys:
        return left, right
    if issubclass(left.kind, CONTAINERS):
        return left, right
    names = tuple(dict.fromkeys(left.keys + right.keys))
    return with_names(left, names), with_names(right, names)


def needs_new_columns(narrow: Skeleton, wide: Skeleton) -> bool:
    """Whether rows become of a type that columns cannot be brought to: the trace is made anew."""
    if isinstance(narrow, Made) and isinstance(wide, Made):
        staged = (narrow.keys is STAGED_CONTENTS, wide.keys is STAGED_CONTENTS)
        if staged[0] is not staged[1] or narrow.keys != wide.keys:
            return True
    one, other = (
        [part for part in parts_in(row) if isinstance(part, Packed)] for row in (narrow, wide)
    )
    return len(one) != len(other) or not all(map(alike, one, other))


def replace_attributes(value: Any, attributes: dict[str, Any]) -> None:
    """Give an object these attributes and no others."""
    for name in attributes_of(value) or ():
        object.__delattr__(value, name)
    give_attributes(value, tuple(attributes), list(attributes.values()))


def renewed(row: Skeleton, other: Skeleton, sighted: Container[int]) -> Skeleton:
    """A row type that an attempt to trace learned, with functions of this attempt for its own.

    Those that the same definitions make in `other` take their places. `sighted`: the ids of those
    that were met in this attempt.
    """
    row, other = with_all_names(row, other)
    if not isinstance(row, Made) or not isinstance(other, Made) or row.keys != other.keys:
        return row
    if len(row.items) != len(other.items):
        return row
    items = tuple(
        _renewed_part(one, now, sighted) for one, now in zip(row.items, other.items, strict=True)
    )
    same = all(one is now for one, now in zip(items, row.items, strict=True))
    return row if same else replace(row, items=items)


def _renewed_part(part: Skeleton, other: Skeleton, sighted: Container[int]) -> Skeleton:
    options = list(part.options) if isinstance(part, Choices) else [part]
    for now in other.options if isinstance(other, Choices) else (other,):
        code = _code_of(now)
        if code is None or any(alike(one, now) for one in options):
            continue
        for place, one in enumerate(options):
            if _code_of(one) is code and id(getattr(one, "value", None)) not in sighted:
                options[place] = now
                break
    if not isinstance(part, Choices):
        return options[0]
    return replace(part, options=tuple(options))


def _code_of(option: Skeleton) -> Any:
    """The code of a function that was made while tracing."""
    if not isinstance(option, Fixed) or not isinstance(option.value, FunctionType):
        return None
    return option.value.__code__ if is_inner(option.value.__code__) else None
