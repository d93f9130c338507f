"""Rows of stores: what two objects of one class are made of, and whether one type holds both."""

from __future__ import annotations

from dataclasses import replace

from autograph.merge.freeze import CONTAINERS
from autograph.values.references import parts_in
from autograph.values.sentinels import UNSET
from autograph.values.skeleton import STAGED_CONTENTS, Fixed, Made, Packed, Skeleton, alike


def with_all_names(left: Skeleton, right: Skeleton) -> tuple[Skeleton, Skeleton]:
    """Two objects of a class with the same attributes, of which some are missing."""
    if not (isinstance(left, Made) and isinstance(right, Made)) or left.keys == right.keys:
        return left, right
    if issubclass(left.kind, CONTAINERS):
        return left, right
    names = tuple(dict.fromkeys(left.keys + right.keys))
    return _named(left, names), _named(right, names)


def _named(made: Made, names: tuple[str, ...]) -> Made:
    known = dict(zip(made.keys, made.items, strict=True))
    return replace(made, keys=names, items=tuple(known.get(k, Fixed(UNSET)) for k in names))


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
