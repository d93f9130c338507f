"""Causes of exceptions that are joined: Python holds one object there, never one of several."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from autograph.values.skeleton import Again, Choices, Made, Skeleton, alike


def have_other_causes(left: Made, right: Made) -> bool:
    """Whether one of two exceptions has a cause that stands elsewhere, too: `raise A from e`."""
    return any(
        (isinstance(one, Again) or isinstance(other, Again)) and not alike(one, other)
        for one, other in zip(
            _causes(left.kind, left.keys, left.items),
            _causes(right.kind, right.keys, right.items),
            strict=True,
        )
    )


def has_several_causes(kind: type, keys: tuple[Any, ...], items: tuple[Skeleton, ...]) -> bool:
    """Whether an exception that was joined would have one of several causes."""
    return any(isinstance(one, Choices) for one in _causes(kind, keys, items))


def _causes(kind: type, keys: tuple[Any, ...], items: tuple[Skeleton, ...]) -> Iterator[Skeleton]:
    if issubclass(kind, BaseException):
        for key, item in zip(keys, items, strict=True):
            if key in ("__cause__", "__context__"):
                yield item
