"""What handles refer to: whether two are one object, and what a value reaches in stores."""

from __future__ import annotations

from typing import Any

from autograph.merge.reachable import reached
from autograph.operators.containers import rows
from autograph.runtime.ops.table import OPS
from autograph.tracing.places import StagedItems
from autograph.tracing.tracing import Tracing
from autograph.values.references import Snapshot, parts_in
from autograph.values.skeleton import Reference


def is_same(tracing: Tracing, left: Any, right: Any) -> Any:
    """`left is right`, where at least one is a handle: a bool, or a staged one."""
    known = [tracing.references.get(id(one)) for one in (left, right)]
    one, other = known
    if one is None or other is None or one.store is not other.store:
        return False
    return OPS.py_eq(one.index, other.index)


def snapshot(tracing: Tracing, contents: Any) -> Any:
    """Staged contents as they are now, with what they refer to."""
    if not isinstance(contents, StagedItems):
        return contents
    tracing.keeper.settle()
    rows_referred = reached(tracing, contents.element)
    return Snapshot(contents, rows_referred) if rows_referred else contents


def refers(tracing: Tracing, value: Any) -> bool:
    """Whether what an object is made of has references to others."""
    standing = tracing.references.get(id(value))
    contents = tracing.contents(value)
    if isinstance(contents, StagedItems):
        return any(isinstance(part, Reference) for part in parts_in(contents.element))
    if standing is None:
        return False
    row = rows.staged(tracing, standing.store.items)
    return row is not None and any(isinstance(part, Reference) for part in parts_in(row.element))
