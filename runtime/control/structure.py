"""Nested lists, tuples and dicts of values, taken apart and put together again."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

Rebuild = Callable[[Iterable[Any]], Any]


def flatten(nested: Any) -> tuple[list[Any], Rebuild]:
    """The leaves of nested lists, tuples (named ones too) and dicts, keys in sorted order.

    The second result puts as many leaves together again in the same structure.
    """
    if not isinstance(nested, _NESTING):
        return [nested], _only
    leaves: list[Any] = []
    skeleton = _collect(nested, leaves)
    return leaves, lambda values: _build(skeleton, iter(values))


_NESTING = (list, tuple, dict)


def _only(values: Iterable[Any]) -> Any:
    (value,) = values
    return value


class _Leaf:
    """Where a leaf goes."""


_LEAF = _Leaf()


def _collect(nested: Any, leaves: list[Any]) -> Any:
    if isinstance(nested, list):
        return [_collect(one, leaves) for one in nested]
    if isinstance(nested, tuple):
        items = [_collect(one, leaves) for one in nested]
        return type(nested)(*items) if hasattr(nested, "_fields") else tuple(items)
    if isinstance(nested, dict):
        found = {key: _collect(nested[key], leaves) for key in ordered(nested)}
        return {key: found[key] for key in nested}
    leaves.append(nested)
    return _LEAF


def _build(skeleton: Any, leaves: Iterator[Any]) -> Any:
    if isinstance(skeleton, list):
        return [_build(one, leaves) for one in skeleton]
    if isinstance(skeleton, tuple):
        items = [_build(one, leaves) for one in skeleton]
        return type(skeleton)(*items) if hasattr(skeleton, "_fields") else tuple(items)
    if isinstance(skeleton, dict):
        found = {key: _build(skeleton[key], leaves) for key in ordered(skeleton)}
        return {key: found[key] for key in skeleton}
    return next(leaves)


def ordered(mapping: dict[Any, Any]) -> list[Any]:
    """The keys in the order in which their values are leaves."""
    try:
        return sorted(mapping)
    except TypeError:
        return list(mapping)  # keys that do not compare: the order in which they were added


def same_structure(one: Any, other: Any) -> bool:
    """Whether two values nest alike."""
    return bool(_outline(one) == _outline(other))


def _outline(nested: Any) -> Any:
    if isinstance(nested, list | tuple):
        return type(nested), [_outline(one) for one in nested]
    if isinstance(nested, dict):
        return dict, [(key, _outline(nested[key])) for key in ordered(nested)]
    return None
