"""Specs where control flow meets: what holds of a value that comes from several places."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from autograph.runtime.core.dims import Dim, DimLike
from autograph.runtime.core.spec import AnySpec, ListSpec, Spec


class JoinError(TypeError):
    """Values that cannot be one: another dtype, another rank, or a list and a tensor."""


def join(specs: Sequence[AnySpec], same: tuple[AnySpec, AnySpec] | None = None) -> AnySpec:
    """The spec of a value that has one of `specs`: sizes that differ become a symbol of their own.

    Where the two specs of `same` agree on a size, the first of `specs` decides it. JoinError where
    the dtypes, ranks or kinds differ.
    """
    first = specs[0]
    if isinstance(first, ListSpec):
        elements = [one.element for one in specs if isinstance(one, ListSpec)]
        if len(elements) != len(specs):
            raise JoinError(_differ(specs))
        if same is None:
            return _list_of(join(elements))
        inner = [one.element for one in same if isinstance(one, ListSpec)]
        return _list_of(join(elements, same=(inner[0], inner[1])))
    tensors = [one for one in specs if isinstance(one, Spec)]
    kinds = {(one.dtype, one.python, one.ndim) for one in tensors}
    if len(tensors) != len(specs) or len(kinds) != 1:
        raise JoinError(_differ(specs))
    shape: list[DimLike] = []
    for axis, dims in enumerate(zip(*(one.shape for one in tensors), strict=True)):
        if same is not None and _agree(same, axis):
            shape.append(dims[0])
        else:
            shape.append(dims[0] if len(set(dims)) == 1 else Dim.fresh())
    return Spec(first.dtype, tuple(shape), first.python)


def _list_of(element: AnySpec) -> ListSpec:
    assert isinstance(element, Spec)
    return ListSpec(element)


def _agree(same: tuple[AnySpec, AnySpec], axis: int) -> bool:
    one, other = same
    return (
        isinstance(one, Spec) and isinstance(other, Spec) and one.shape[axis] == other.shape[axis]
    )


def _differ(specs: Sequence[AnySpec]) -> str:
    return " and ".join(str(one) for one in dict.fromkeys(specs)) + " cannot be one value"


def renamed(
    results: Sequence[AnySpec], parameters: Sequence[AnySpec], operands: Sequence[AnySpec]
) -> tuple[AnySpec, ...]:
    """The results of a function in the sizes of its caller.

    A symbol that names a size of a parameter becomes that size of the operand; any other symbol,
    which belongs to the function alone, becomes a fresh one.
    """
    sizes: dict[str, DimLike] = {}
    for parameter, operand in zip(parameters, operands, strict=False):
        for inside, outside in zip(_shape(parameter), _shape(operand), strict=False):
            if isinstance(inside, Dim) and inside.name is not None:
                sizes.setdefault(inside.name, outside)
    return tuple(_renamed(spec, sizes) for spec in results)


def _shape(spec: AnySpec) -> tuple[DimLike, ...]:
    return spec.element.shape if isinstance(spec, ListSpec) else spec.shape


def _renamed(spec: AnySpec, sizes: Mapping[str, DimLike]) -> AnySpec:
    if isinstance(spec, ListSpec):
        return _list_of(_renamed(spec.element, sizes))
    return Spec(spec.dtype, tuple(_size(dim, sizes) for dim in spec.shape), spec.python)


def _size(dim: DimLike, sizes: Mapping[str, DimLike]) -> DimLike:
    if isinstance(dim, int):
        return dim
    if not dim.symbols <= sizes.keys():
        return Dim.fresh()
    total: DimLike = 0
    for names, factor in dim.terms.items():
        term: DimLike = factor
        for name in names:
            term = term * sizes[name]
        total = total + term
    return total
