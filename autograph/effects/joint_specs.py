"""The spec that holds the values of two paths."""

from __future__ import annotations

from autograph.runtime.core.dims import Dim, DimLike
from autograph.runtime.core.spec import AnySpec, ListSpec, Spec


def join_specs(left: AnySpec, right: AnySpec) -> AnySpec | None:
    """The spec that holds both: dims that differ become unknown. None for other dtype or rank."""
    if isinstance(left, ListSpec) or isinstance(right, ListSpec):
        if not (isinstance(left, ListSpec) and isinstance(right, ListSpec)):
            return None
        element = join_specs(left.element, right.element)
        return ListSpec(element) if isinstance(element, Spec) else None
    if (left.dtype, left.python, left.ndim) != (right.dtype, right.python, right.ndim):
        return None
    shape = tuple(map(_join_dims, left.shape, right.shape))
    return Spec(left.dtype, shape, left.python)


def is_any(dim: DimLike) -> bool:
    """Whether a dim stands for sizes that differ by path."""
    return isinstance(dim, Dim) and (dim.name or "").startswith("any")


def _join_dims(left: DimLike, right: DimLike) -> DimLike:
    if left == right or is_any(left):
        return left
    return right if is_any(right) else Dim.fresh("any")
