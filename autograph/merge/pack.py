"""What a type needs of the graph: the specs of its leaves, and contents packed into tensors."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from autograph.runtime.core.dims import Dim
from autograph.runtime.core.spec import PYINT, AnySpec, ListSpec, Spec
from autograph.runtime.core.tensor import Tensor
from autograph.runtime.graph.ir import Value
from autograph.runtime.graph.trace import StagedList, wrap
from autograph.runtime.ops.table import OPS
from autograph.strings.text import Characters
from autograph.values.skeleton import (
    Choices,
    Group,
    Grown,
    Held,
    Leaf,
    Made,
    Packed,
    Reference,
    Skeleton,
    Within,
)

TAG = Spec(np.dtype(np.int64))


def leaf_specs(skeleton: Skeleton) -> list[AnySpec]:
    """The specs of the leaves of a type, in order."""
    match skeleton:
        case Leaf(spec=spec, same=same):
            return [spec, TAG] if same else [spec]
        case Group(items=items) | Made(items=items) | Held(items=items):
            return [spec for one in items for spec in leaf_specs(one)]
        case Choices(options=options):
            return [PYINT, *(spec for one in options for spec in leaf_specs(one))]
        case Reference():
            return [PYINT]
        case Within(stores=stores, item=item):
            parts = (*(table for _, table in stores), item)
            return [spec for part in parts for spec in leaf_specs(part)]
        case Grown(element=element):
            inner = leaf_specs(element)
            return [ListSpec(spec) for spec in inner or [PYINT] if isinstance(spec, Spec)]
        case Packed(element=element):
            along = (Dim.fresh("any"),)
            return [
                Spec(one.dtype, (*along, *((Dim.fresh("any"),) if padded else one.shape)))
                for one, padded in packed_columns(element)
            ]
    return []


def packed_columns(element: Skeleton) -> list[tuple[Spec, bool]]:
    """The specs of the parts of a row of packed contents, and which are strings of any length.

    Strings are as long as each is: the shorter ones are filled up in the tensor of a column.
    """
    specs, strings = leaf_specs(element) or [PYINT], list(_are_strings(element)) or [False]
    pairs = zip(specs, strings, strict=True)
    return [(spec, is_string) for spec, is_string in pairs if isinstance(spec, Spec)]


def as_tensors(element: Skeleton, columns: Iterable[Value]) -> list[Tensor]:
    """The columns of contents as tensors, which are packed."""
    pairs = zip(columns, packed_columns(element), strict=True)
    return [
        OPS.list_pad(StagedList(column))
        if padded
        else OPS.list_pack(StagedList(column), element=spec)
        for column, (spec, padded) in pairs
    ]


def as_columns(element: Skeleton, columns: Iterable[Value]) -> list[StagedList]:
    """The columns of packed contents as lists again."""
    pairs = zip(columns, packed_columns(element), strict=True)
    return [
        OPS.list_unpad(wrap(column))
        if padded
        else OPS.list_unpack(wrap(column), python=spec.python)
        for column, (spec, padded) in pairs
    ]


def _are_strings(skeleton: Skeleton) -> Iterator[bool]:
    """For each leaf whether it is the characters of a string of any length."""
    if isinstance(skeleton, Choices):
        yield False
    if isinstance(skeleton, Group) and skeleton.kind is Characters:
        (spec,) = leaf_specs(skeleton)
        yield isinstance(spec, Spec) and isinstance(spec.shape[0], Dim)
    elif isinstance(skeleton, Group | Made | Held | Choices):
        parts = skeleton.options if isinstance(skeleton, Choices) else skeleton.items
        for part in parts:
            yield from _are_strings(part)
    else:
        yield from (False for _ in leaf_specs(skeleton))
