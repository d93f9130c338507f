"""The spec that holds the values of two paths."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from autograph.runtime.core.dims import Dim, DimLike
from autograph.runtime.core.spec import AnySpec, ListSpec, Spec

JoinDims = Callable[[DimLike, DimLike], DimLike]


class Own(set[str]):
    """The symbols of the sizes that a loop or a recursion changes: they are nobody else's."""

    def apart(self, size: DimLike) -> DimLike:
        """A known size, a size of one of these symbols, or a new one of them for any other."""
        return self.new() if isinstance(size, Dim) and size.name not in self else size

    def new(self) -> Dim:
        """A new symbol that is one of these."""
        made = Dim.fresh("any")
        self.update(made.symbols)
        return made


def join_specs(left: AnySpec, right: AnySpec, own: Own | None = None) -> AnySpec | None:
    """The spec that holds both: dims that differ become unknown. None for other dtype or rank.

    Dims of `own` symbols stay what they are: those of what a loop carries from turn to turn.
    """
    return _join(left, right, partial(_different, own if own is not None else Own()))


def join_items(left: AnySpec, right: AnySpec) -> AnySpec | None:
    """The same for items of a list: an unknown dim stands for sizes that differ by item."""
    return _join(left, right, _ragged)


def _join(left: AnySpec, right: AnySpec, join_dims: JoinDims) -> AnySpec | None:
    if isinstance(left, ListSpec) or isinstance(right, ListSpec):
        if not (isinstance(left, ListSpec) and isinstance(right, ListSpec)):
            return None
        element = _join(left.element, right.element, _ragged)
        return ListSpec(element) if isinstance(element, Spec) else None
    if (left.dtype, left.python, left.ndim) != (right.dtype, right.python, right.ndim):
        return None
    shape = tuple(map(join_dims, left.shape, right.shape))
    return Spec(left.dtype, shape, left.python)


def _different(own: Own, left: DimLike, right: DimLike) -> DimLike:
    if left == right or (isinstance(left, Dim) and left.name in own):
        return left
    return own.new()


def _ragged(left: DimLike, right: DimLike) -> DimLike:
    if left == right or _is_any(left):
        return left
    return right if _is_any(right) else Dim.fresh("any")


def _is_any(dim: DimLike) -> bool:
    """Whether a dim stands for sizes that differ by path."""
    return isinstance(dim, Dim) and (dim.name or "").startswith("any")


def renewed(specs: Sequence[AnySpec], own: Own, known: Mapping[str, DimLike]) -> list[AnySpec]:
    """The specs of what comes out: symbols that are the callee's are `known`, or new ones."""
    found: dict[str, DimLike] = {}

    def renew(dim: DimLike) -> DimLike:
        if isinstance(dim, int) or dim.symbols.isdisjoint(own):
            return dim
        for name in sorted(dim.symbols & own):
            if name not in found:
                found[name] = known[name] if name in known else Dim.fresh("any")
        return _substituted(dim, found)

    return [
        Spec(one.dtype, tuple(map(renew, one.shape)), one.python) if isinstance(one, Spec) else one
        for one in specs
    ]


def _substituted(dim: Dim, found: Mapping[str, DimLike]) -> DimLike:
    total: DimLike = 0
    for names, factor in dim.terms.items():
        term: DimLike = factor
        for name in names:
            term = term * found.get(name, Dim.symbol(name))
        total = total + term
    return total
