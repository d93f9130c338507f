"""Arguments described by TensorSpecs: checked, and made up for a trace without a call."""

from __future__ import annotations

import inspect
import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from autograph.errors import ArgumentError
from autograph.runtime.core.location import Location
from autograph.runtime.core.number import Number
from autograph.runtime.core.tensor import Tensor, describe
from autograph.runtime.ops.shaping.shapes import known_size
from autograph.runtime.ops.table import OPS
from autograph.tensor_spec import TensorSpec

Axes = dict[str, frozenset[int]]


class InputSignature:
    """What each argument must be: a TensorSpec, lists, tuples and dicts of them, or anything.

    `specs` are those of the arguments in the order of `names`.
    """

    def __init__(
        self,
        title: str,
        names: Sequence[str],
        specs: Sequence[Any],
        by_keyword: Mapping[str, Any] | None = None,
    ) -> None:
        self.title = title
        self.names = names
        self.specs = specs
        self.by_keyword = by_keyword or {}
        """The specs of parameters that are given by keyword only."""
        self.location: Location | None = None

    @classmethod
    def of(
        cls, title: str, signature: inspect.Signature, skipped: int, specs: Any
    ) -> InputSignature:
        """The specs that a user gives for the parameters of a function after the first ones.

        In their order, then for each of `*args`, else for those given by keyword only.
        ArgumentError where they do not fit.
        """
        if not isinstance(specs, list | tuple):
            raise ArgumentError(
                f"the input signature of {title} is {specs!r:.60}",
                remedy="give a list with an ag.TensorSpec for each parameter",
            )
        parameters = list(signature.parameters.values())
        named = [one for one in parameters if one.kind in _POSITIONAL]
        only = [one for one in parameters if one.kind is one.KEYWORD_ONLY]
        variadic = any(one.kind is one.VAR_POSITIONAL for one in parameters)
        count = len(specs) + skipped
        wanted = [*named, *([] if variadic else only)]
        missing = [one.name for one in wanted[count:] if one.default is one.empty]
        if missing or (count > len(wanted) and not variadic):
            of_these = f"none for {missing[0]!r}" if missing else f"{len(wanted) - skipped} wanted"
            raise ArgumentError(
                f"the input signature of {title} has {len(specs)} entries, {of_these}",
                remedy="give an ag.TensorSpec for each parameter, None where anything goes",
            )
        for one in specs:
            nested = isinstance(one, list | tuple) and not any(type(x) is int for x in one)
            if not (one is None or nested or isinstance(one, dict) or has_specs(one)):
                raise _no_spec(title, one)
        names = [one.name for one in named]
        own = [None] * skipped + list(specs)
        if variadic:
            return cls(title, names, own)
        rest = own[len(names) :]
        own += [None] * (len(names) - len(own))
        by_keyword = dict(zip([one.name for one in only], rest, strict=False))
        return cls(title, names, own[: len(names)], by_keyword)

    @property
    def unknown_axes(self) -> Axes:
        """By the access path of each tensor, the axes whose size is not known."""
        named = (self.by_keyword[name] for name in sorted(self.by_keyword))
        return unknown_axes([*self.specs, *named])

    def fitted(
        self,
        arguments: Sequence[Any],
        keywords: Sequence[str] = (),
        words: Sequence[str] | None = None,
    ) -> tuple[Any, ...]:
        """The arguments, with numbers and arrays as tensors; ArgumentError names one that is not
        what its spec says. `keywords`: the names of the last ones; `words`: what each is called.
        """
        count = len(arguments) - len(keywords)
        specs = [*self.specs[:count], *[None] * (count - len(self.specs))]
        specs += [self.by_keyword.get(name) for name in keywords]
        triples = zip(words or self.names, specs, arguments, strict=True)
        return tuple(self._fitted(name, spec, one) for name, spec, one in triples)

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
        for axis, size in enumerate(spec.shape):
            if size is not None and isinstance(value, Tensor):
                known_size(value, axis, f"argument {place!r}, whose size is to be {size},")
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


_POSITIONAL = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)


def _no_spec(title: str, given: Any) -> ArgumentError:
    return ArgumentError(
        f"the input signature of {title} has {given!r:.60}, which says nothing of an argument",
        remedy="write ag.TensorSpec(shape, dtype), or None where anything goes",
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
