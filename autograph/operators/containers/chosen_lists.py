"""Lists of which one, that the run tells, is changed: they get staged contents before.

As plain lists each of them would be one of several afterwards, and all that is done with one would
be traced for each.
"""

from __future__ import annotations

import contextlib
import types
from collections import deque
from collections.abc import Sequence
from typing import Any

from autograph.errors import StagingError
from autograph.operators.containers import rows
from autograph.operators.containers.sequences import common_spec
from autograph.runtime.core.number import Number
from autograph.runtime.core.tensor import Tensor
from autograph.tracing.reading import read_contents
from autograph.tracing.tracing import Tracing

FEW_LISTS = 2
"""Of so many lists each may become one of several."""
GROWING = ("append", "appendleft", "insert")


def let_grow(tracing: Tracing, methods: Sequence[Any], args: tuple[Any, ...]) -> None:
    """Give lists staged contents of which one, which the run tells, is about to get a number.

    `buckets[i].append(x)`: as plain lists each would be of any length up to then.
    """
    owners = [_growing(method) for method in methods]
    if len(owners) <= FEW_LISTS or tracing.hints.writes_lists or not all(map(_is_list, owners)):
        return
    if tracing.any_handle(owners):
        return  # one that is known by a number: it is there on the paths alone where it is meant
    plain = [owner for owner in owners if rows.staged(tracing, owner) is None]
    if any(tracing.contents(owner) is not None for owner in plain):
        return  # it is one of several lists already
    held = [one for owner in plain for one in owner]
    if not args or not all(map(_is_of_numbers, (args[-1], *held))):
        return
    tracing.long_lists += 1
    with contextlib.suppress(StagingError):  # what is in one of them cannot be rows
        for owner in plain:
            read_contents(tracing, owner)
            if isinstance(args[-1], Tensor) and not owner:
                rows.expect_known(tracing, owner, args[-1])
            elif isinstance(args[-1], Tensor) and type(owner) is list:
                rows.make_known(tracing, owner)
            else:
                rows.make_staged(tracing, owner)


def _growing(method: Any) -> Any:
    """The container of a method that lets it grow by one item; else None."""
    is_method = isinstance(method, types.BuiltinMethodType) and method.__name__ in GROWING
    return method.__self__ if is_method else None


def _is_list(owner: Any) -> bool:
    return type(owner) in (list, deque)


def _is_of_numbers(item: Any) -> bool:
    if type(item) is tuple:
        return all(map(_is_of_numbers, item))
    return isinstance(item, Tensor | Number | int | float)


def let_change(tracing: Tracing, lists_of_one: Sequence[Any]) -> None:
    """Let rows tell which tensors are in lists of which one, that the run tells, gets an item.

    `table[i][j] = x`: else there would be a branch for each place of each list, and after it each
    place would hold one of several tensors.
    """
    if len(lists_of_one) <= FEW_LISTS or tracing.any_handle(lists_of_one):
        return
    if not all(type(one) is list and rows.staged(tracing, one) is None for one in lists_of_one):
        return
    specs = [common_spec(tracing, one) for one in lists_of_one]
    if all(spec is not None and not spec.shape for spec in specs):
        for one in lists_of_one:
            read_contents(tracing, one)
            rows.make_known(tracing, one)
