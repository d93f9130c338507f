"""Tensors as keys of dicts and members of sets: known by identity, which differs in each call."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from autograph.errors import StateError
from autograph.runtime.core.tensor import Tensor


def tensors_among(keys: Iterable[Any]) -> Iterator[Tensor]:
    """The tensors, but Variables, among keys and the parts of those that are tuples."""
    for one in keys:
        if type(one) is Tensor:
            yield one
        elif isinstance(one, tuple | frozenset):
            yield from tensors_among(one)


def tensor_leaves() -> StateError:
    """The error for a tensor that is a key of what leaves a staged function, or a branch."""
    return StateError(
        "a tensor is a key of a dict or a member of a set that leaves a staged function, or the "
        "branch or loop in which the tensor was made",
        remedy="use the number in it, int(x) or float(x), or a list",
    )
