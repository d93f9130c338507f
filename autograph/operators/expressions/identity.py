"""`is`, `is not` and `not`."""

from __future__ import annotations

from types import MethodType
from typing import Any

from autograph.control.alias_updates import is_same, require_one
from autograph.operators.containers import object_handles, rows
from autograph.operators.expressions.truth import choose, condition
from autograph.runtime.core.number import Number
from autograph.runtime.core.tensor import Tensor
from autograph.runtime.ops.table import OPS
from autograph.tracing.array_storage import is_stored_array
from autograph.tracing.reading import BY_NAME
from autograph.tracing.tracing import Tracing, current
from autograph.values.choice import Choice
from autograph.values.references import FoundReferences


def is_(left: Any, right: Any, or_equal: bool = False) -> Any:
    """`left is right`; `or_equal`: it is asked next whether they are equal, if this is false."""
    tracing = current()
    if tracing is None:
        return left is right
    if isinstance(left, Choice):
        return choose(tracing, left, lambda one: is_(one, right, or_equal))
    if isinstance(right, Choice):
        return choose(tracing, right, lambda one: is_(left, one, or_equal))
    if isinstance(left, Number) and isinstance(right, Number):
        return left is right
    if left is not right and is_stored_array(left) and is_stored_array(right):
        return object_handles.is_same(tracing, left.base, right.base)
    for one, other in ((left, right), (right, left)):
        if isinstance(one, Number) and one.kind is bool and isinstance(other, bool):
            return one if other else OPS.py_not(one)
    if left is not right and not (left is None or right is None):
        if id(left) in tracing.references or id(right) in tracing.references:
            return object_handles.is_same(tracing, left, right)
        require_identity(tracing, left, right)
        if not or_equal:
            require_one(tracing, left, right)
    if isinstance(left, Tensor) and isinstance(right, Tensor):
        same = is_same(tracing, left, right, or_equal)
        if same is not False:
            return same
    if left is not right and _both_existed(tracing, left, right):
        known = tracing.callers.originals.get(id(left))
        one = known is not None and known is tracing.callers.originals.get(id(right))
        word = "is" if one else "is not"
        tracing.guard(f"{tracing.path_of(left)} {word} {tracing.path_of(right)}")
        return one
    return left is right


def is_told_by_identity(value: Any) -> bool:
    """Whether an object of before the call equals itself alone: another call may find two in one.

    What is known by name is guarded where it is read.
    """
    tracing = current()
    known = tracing is None or id(value) not in tracing.paths or isinstance(value, BY_NAME)
    plain: Any = object.__eq__
    return not known and type(value).__eq__ is plain


def equal_methods(left: MethodType, right: MethodType) -> Any:
    """`left == right`: whether they are one function of one object."""
    found: Any = True
    for one, other in ((left.__self__, right.__self__), (left.__func__, right.__func__)):
        here = is_(one, other)
        if here is False:
            return False
        if here is not True:
            found = here if found is True else OPS.py_and(found, here)
    return found


def require_identity(tracing: Tracing, left: Any, right: Any) -> None:
    """Two objects may be one, and only their values were kept: the trace is made anew."""
    if type(left) is type(right) and any(rows.has_no_identity(tracing, x) for x in (left, right)):
        raise FoundReferences(type(left), tracing.keeper.site_of(left))


def _both_existed(tracing: Tracing, left: Any, right: Any) -> bool:
    return id(left) in tracing.paths and id(right) in tracing.paths


def is_not(left: Any, right: Any) -> Any:
    """`left is not right`."""
    return not_(is_(left, right))


def not_(value: Any) -> Any:
    """`not value`."""
    tracing = current()
    if tracing is None:
        return not value
    flag = condition(tracing, value)
    if isinstance(flag, bool):
        return not flag
    return OPS.py_not(flag)
