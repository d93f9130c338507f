"""Arguments described by TensorSpecs: checked, and made up for a trace without a call."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from autograph.errors import ArgumentError
from autograph.runtime.core.location import Location
from autograph.runtime.core.number import Number
from autograph.runtime.core.tensor import Tensor, describe
from autograph.runtime.ops.table import OPS
from autograph.tensor_spec import TensorSpec

Axes = dict[str, frozenset[int]]


class InputSignature:
    """What each argument must be: a TensorSpec, lists, tuples and dicts of them, or anything.

    `specs` are those of the arguments in the order of `names`.
    """

    def __init__(self, title: str, names: Sequence[str], specs: Sequence[Any]) -> None:
        self.title = title
        self.names = names
        self.specs = specs
        self.location: Location | None = None

    def fitted(self, arguments: Sequence[Any]) -> tuple[Any, ...]:
        """The arguments, with numbers and arrays as tensors; ArgumentError names one that is not
        what its spec says.
        """
        rest = arguments[len(self.specs) :]
        pairs = zip(self.names, self.specs, arguments, strict=False)
        return (*(self._fitted(name, spec, one) for name, spec, one in pairs), *rest)

    def _fitted(self, place: str, spec: Any, value: Any) -> Any:
        if isinstance(spec, TensorSpec):
            return self._tensor(place, spec, value)
        if isinstance(spec, list | tuple) and has_specs(spec):
            if type(value) is not type(spec) or len(value) != len(spec):
                raise self._unfit(place, value, f"a {type(spec).__name__} of {len(spec)}")
            parts = [
                self._fitted(f"{place}[{number}]", *pair)
                for number, pair in enumerate(zip(spec, value, strict=True))
            ]
            if all(one is other for one, other in zip(parts, value, strict=True)):
                return value
            return type(spec)(*parts) if hasattr(spec, "_fields") else type(spec)(parts)
        if isinstance(spec, dict) and has_specs(spec):
            if not isinstance(value, dict) or value.keys() != spec.keys():
                raise self._unfit(place, value, f"a dict with the keys {[*spec]}")
            made = {
                key: self._fitted(f"{place}[{key!r}]", spec[key], one) for key, one in value.items()
            }
            return value if all(made[key] is value[key] for key in made) else made
        return value

    def _tensor(self, place: str, spec: TensorSpec, value: Any) -> Any:
        if isinstance(value, bool | int | float | Number | list | tuple):
            value = self._converted(place, spec, value)
        if not isinstance(value, Tensor | np.ndarray | np.generic) or not spec.fits(value):
            raise self._unfit(place, value, str(spec))
        return value if isinstance(value, Tensor) else OPS.asarray(value)

    def _converted(self, place: str, spec: TensorSpec, value: Any) -> Any:
        made = OPS.asarray(value)
        if not np.can_cast(made.dtype, spec.dtype, "same_kind"):
            raise self._unfit(place, value, str(spec))
        return OPS.asarray(value, dtype=spec.dtype)

    def _unfit(self, place: str, value: Any, wanted: str) -> ArgumentError:
        held = isinstance(value, Tensor | np.ndarray | np.generic)
        given = describe(value) if held else f"{value!r:.60}"
        return ArgumentError(
            f"argument {place!r} of {self.title} is {given}, and its input signature says {wanted}",
            location=self.location,
            remedy="convert the argument (x.astype, ag.reshape), or let the TensorSpec say None "
            "where a size varies",
        )


def has_specs(value: Any) -> bool:
    """Whether there is a TensorSpec in a nest of lists, tuples and dicts."""
    return any(isinstance(one, TensorSpec) for _, one in leaves("", value))


def leaves(path: str, value: Any) -> Iterator[tuple[str, Any]]:
    """The leaves of a nest, each with its access path."""
    if isinstance(value, dict):
        parts: Any = value.items()
    elif isinstance(value, list | tuple):
        parts = enumerate(value)
    else:
        yield path, value
        return
    for key, one in parts:
        yield from leaves(f"{path}[{key!r}]", one)


def unknown_axes(specs: Sequence[Any]) -> Axes:
    """By the access path of each tensor, the axes whose size is not known."""
    found: Axes = {}
    for number, spec in enumerate(specs):
        for path, leaf in leaves(f"a[{number}]", spec):
            if isinstance(leaf, TensorSpec):
                axes = frozenset(n for n, size in enumerate(leaf.shape) if size is None)
                if axes:
                    found[path] = axes
    return found


def made_up(value: Any) -> Any:
    """An argument with a tensor of zeros in the place of every TensorSpec.

    Sizes that are not known get values of their own, so that no two are equal by chance.
    """
    sizes = itertools.count(5, 2)
    return _replaced(value, lambda spec: Tensor._of(_zeros(spec, sizes)))


def _zeros(spec: TensorSpec, sizes: Iterator[int]) -> np.ndarray[Any, Any]:
    shape = [next(sizes) if size is None else size for size in spec.shape]
    return np.zeros(shape, spec.dtype)


def _replaced(value: Any, make: Callable[[TensorSpec], Any]) -> Any:
    if isinstance(value, TensorSpec):
        return make(value)
    if not has_specs(value):
        return value
    if isinstance(value, dict):
        return {key: _replaced(one, make) for key, one in value.items()}
    parts = [_replaced(one, make) for one in value]
    return type(value)(*parts) if hasattr(value, "_fields") else type(value)(parts)
