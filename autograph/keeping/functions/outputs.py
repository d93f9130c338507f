"""Whether the structure of what a saved call gives takes what its graph gives."""

from __future__ import annotations

from collections.abc import Iterable

from autograph.keeping.errors import DamagedError
from autograph.merge.pack import leaf_specs
from autograph.runtime.core.spec import AnySpec, ListSpec
from autograph.runtime.graph.ir import Graph
from autograph.values.skeleton import PAIRS, STAGED_CONTENTS, Fixed, Group, Held, Made, Skeleton


def check_outputs(graph: Graph, structures: Iterable[Skeleton]) -> None:
    """DamagedError unless the structures have one leaf for each output, of its dtype and rank."""
    leaves = [spec for one in structures for spec in leaf_specs(one)]
    given = [value.spec for value in graph.outputs]
    if len(leaves) != len(given) or not all(map(_agree, leaves, given)):
        raise DamagedError(f"{graph.name} gives other values than its result is made of")


def _agree(leaf: AnySpec, given: AnySpec) -> bool:
    if isinstance(leaf, ListSpec) and isinstance(given, ListSpec):
        return _agree(leaf.element, given.element)
    if isinstance(leaf, ListSpec) or isinstance(given, ListSpec):
        return False
    kinds = (leaf.dtype, leaf.python, leaf.ndim), (given.dtype, given.python, given.ndim)
    return kinds[0] == kinds[1]


def checked_keys(skeleton: Held | Made) -> Skeleton:
    """The structure, if it has a key for each item and only then. Else DamagedError."""
    keys, kind, count = skeleton.keys, skeleton.kind, len(skeleton.items)
    is_set = isinstance(kind, type) and issubclass(kind, set | frozenset)
    has_keys = isinstance(kind, type) and issubclass(kind, dict | BaseException)
    if keys is STAGED_CONTENTS:
        agree = count == 1
    elif keys is PAIRS:
        agree = is_set or (has_keys and all(map(_is_pair, skeleton.items)))
    elif is_set:
        agree = count == 0
    elif has_keys:
        agree = len(keys) == count
    else:
        agree = not keys
    if not agree:
        raise DamagedError(f"a {getattr(kind, '__name__', kind)} has other keys than items")
    return skeleton


def _is_pair(item: Skeleton) -> bool:
    """Whether it is a key with its value."""
    if isinstance(item, Fixed):
        return type(item.value) is tuple and len(item.value) == 2
    return isinstance(item, Group) and item.kind is tuple and len(item.items) == 2
