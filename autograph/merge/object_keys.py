"""Keys of dicts and members of sets that are no constants: Variables, and objects of the user's."""

from __future__ import annotations

import enum
import types
from collections.abc import Iterable, Sequence
from typing import Any

from autograph.tracing.reading import BY_NAME, IMMUTABLE, is_users
from autograph.tracing.region import Region
from autograph.tracing.tracing import Tracing
from autograph.values.equivalence import ATOMS
from autograph.values.object_state import attributes_of
from autograph.values.references import FoundReferences


def is_hashed_by_address(value: Any) -> bool:
    """Whether the hash of an object is made of its address."""
    return getattr(type(value), "__hash__") is object.__hash__  # noqa: B009


def refuse_own(tracing: Tracing, regions: Sequence[Region], keys: Iterable[Any]) -> None:
    """FoundReferences for an object of a branch or loop that is a key by its address there.

    Outside it would be another object.
    """
    for key in keys:
        if isinstance(key, tuple | frozenset):
            refuse_own(tracing, regions, key)
        made = any(id(key) in region.born for region in regions)
        known = not made or id(key) in tracing.references or attributes_of(key) is None
        if known or not is_hashed_by_address(key):
            continue
        raise FoundReferences(type(key), tracing.keeper.site_of(key))


def are_constant(tracing: Tracing, regions: Sequence[Region], keys: Iterable[Any]) -> bool:
    """Whether keys are the same in each call: no objects that this one has made or was given."""
    return all(_is_constant(tracing, regions, key) for key in keys)


def _is_constant(tracing: Tracing, regions: Sequence[Region], key: Any) -> bool:
    if isinstance(key, tuple | frozenset):
        return are_constant(tracing, regions, key)
    if isinstance(key, types.MethodType):
        return _is_constant(tracing, regions, key.__self__)
    if isinstance(key, types.FunctionType) and id(key) not in tracing.paths:
        return False  # it may be one that was made in this call
    if any(id(key) in region.born for region in regions):
        return False
    known = isinstance(key, (*ATOMS, *BY_NAME, *IMMUTABLE))
    return known or id(key) not in tracing.paths


_BUILT_IN = (int, float, str, bytes, tuple, frozenset, BaseException, type, enum.Enum)


def is_known_by_value(kind: type) -> bool:
    """Whether objects of a class of the user's say by methods of their own which are one key."""
    if not is_users(kind) or issubclass(kind, _BUILT_IN):
        return False
    return isinstance(kind.__hash__, types.FunctionType)
