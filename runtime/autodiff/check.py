"""check_gradients: gradients against differences of the function itself."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from autograph.runtime.arrays.watched import is_array, watched
from autograph.runtime.autodiff.recording.sources import Build, Reading, taken_apart
from autograph.runtime.autodiff.recording.tape import GradientTape
from autograph.runtime.core.tensor import Array, Tensor, as_array, describe
from autograph.runtime.ops.table import OPS


class GradientError(AssertionError):
    """A gradient that differs from the numerical one: the argument, and the worst element of it."""


@dataclass(slots=True)
class _Check:
    """The function of a check, and what it is given."""

    f: Callable[..., Any]
    rebuild: Build
    names: list[str]
    moving: list[int]
    """Which tensors are moved: those of floats."""
    kinds: list[Tensor]
    """Cells of the kinds that `f` is given: it may change them, so it gets others each time."""

    def total(self, tensors: Sequence[Tensor]) -> Any:
        """The results of `f`, combined to one number with weights that are the same each time."""
        random = np.random.default_rng(0)
        pairs = zip(self.kinds, tensors, strict=True)
        result = self.f(*self.rebuild(kind._alike(OPS.copy(one)._value) for kind, one in pairs))
        found: Any = OPS.asarray(0.0, dtype=np.float64)
        for leaf in taken_apart(result, Reading())[0]:
            if isinstance(leaf, Tensor) and leaf.dtype.kind == "c":
                leaf = OPS.view_as_real(leaf)
            if isinstance(leaf, Tensor) and leaf.dtype.kind == "f":
                weights = random.uniform(0.5, 1.5, leaf.shape)
                found = found + OPS.sum(OPS.astype(leaf, np.float64) * weights)
        return found

    def gradients(self, tensors: Sequence[Tensor]) -> list[Any]:
        """Those of the total, for the tensors that are moved."""
        chosen = [tensors[k] for k in self.moving]
        with GradientTape() as tape:
            tape.watch(chosen)
            total = self.total(tensors)
        found: list[Any] = tape.gradient(total, chosen, unconnected_gradients="zero")
        return found


def check_gradients(
    f: Callable[..., Any],
    *arguments: Any,
    order: int = 1,
    eps: float = 1e-5,
    rtol: float = 1e-4,
    atol: float = 1e-6,
) -> None:
    """Check the gradients of `f(*arguments)` up to `order` against central differences.

    Arguments are tensors, arrays or numbers, nested in lists, tuples, dicts and dataclasses. Those
    of floats are converted to float64, complex ones to complex128 and moved along both axes, those
    of integers held fixed. The results of `f`, a tensor
    or several, nested, are combined with fixed random weights to one number. GradientError tells
    of the element that is furthest off, where one is by more than `atol + rtol * |difference
    quotient|`.
    """
    leaves, rebuild = taken_apart(arguments, Reading())
    names = [name for k, one in enumerate(arguments) for name in _names(one, f"argument {k}")]
    tensors = [_as_float64(one) for one in leaves]
    moving = [k for k, one in enumerate(tensors) if one.dtype.kind in "fc"]
    kinds = [watched(one) if is_array(one) else x for one, x in zip(leaves, tensors, strict=True)]
    check = _Check(f, rebuild, names, moving, kinds)
    for level in range(1, order + 1):
        _compare(check, tensors, level, eps, rtol, atol)
        if level < order:
            inner = check
            flat = taken_apart(tuple(tensors), Reading())[1]
            check = _Check(_gradients_of(inner), flat, names, moving, tensors)


def _gradients_of(check: _Check) -> Callable[..., Any]:
    return lambda *tensors: check.gradients(tensors)


def _names(argument: Any, name: str) -> Iterator[str]:
    """What the leaves of an argument are called."""
    leaves, _ = taken_apart(argument, Reading())
    if isinstance(argument, list | tuple | dict) or len(leaves) != 1:
        yield from (f"{name}, tensor {number}" for number in range(len(leaves)))
    else:
        yield name


def _as_float64(value: Any) -> Tensor:
    array = value.numpy() if isinstance(value, Tensor) else as_array(value)
    wide = {"f": np.float64, "c": np.complex128}.get(array.dtype.kind)
    return Tensor(array if wide is None else array.astype(wide))


def _compare(
    check: _Check, tensors: list[Tensor], level: int, eps: float, rtol: float, atol: float
) -> None:
    exact = [one.numpy() for one in check.gradients(tensors)]
    worst: tuple[float, str] = (0.0, "")
    wrong = count = 0
    for k, gradient in zip(check.moving, exact, strict=True):
        base = tensors[k].numpy()
        directions = (1.0, 1.0j) if base.dtype.kind == "c" else (1.0,)
        for position, way in itertools.product(np.ndindex(*base.shape), directions):
            step = eps * max(1.0, float(abs(base[position])))
            ends = []
            for sign in (1.0, -1.0):
                moved = Tensor(_moved(base, position, sign * step * way))
                ends.append(float(check.total([*tensors[:k], moved, *tensors[k + 1 :]])))
            quotient = (ends[0] - ends[1]) / (2 * step)
            found = float((gradient[position] * way).real)
            off, allowed = abs(found - quotient), atol + rtol * abs(quotient)
            count += 1
            if not off <= allowed:
                wrong += 1
                share = off / allowed if off == off else np.inf
                if not worst[1] or share > worst[0]:
                    where = f"{check.names[k]} ({describe(tensors[k])}) at {position}"
                    text = f"for {where} is {found:.10g}, and differences give {quotient:.10g}"
                    worst = (share, text)
    if wrong:
        raise GradientError(
            f"order {level}: the gradient {worst[1]}\n"
            f"  {wrong} of {count} elements are off by more than {atol:g} + {rtol:g} of the "
            "difference quotient; this one is the worst"
        )


def _moved(base: Array, position: tuple[int, ...], by: complex) -> Array:
    result = base.copy()
    result[position] += by
    return result
