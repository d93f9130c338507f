"""The rules of elementwise ops on pairs, by the name of the op."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from autograph.runtime.lower.complex_pairs import functions, pair, powers
from autograph.runtime.lower.complex_pairs.pair import Pair, select
from autograph.runtime.ops.table import OPS as o

Rule = Callable[..., Any]


def _made(real: Pair, imag: Pair) -> Pair:
    """The op `complex`: its parts broadcast to each other."""
    return Pair(*(_of_shape(one, other) for one, other in _both(real.real, imag.real)))


def _both(one: Any, other: Any) -> tuple[tuple[Any, Any], tuple[Any, Any]]:
    return (one, other), (other, one)


def _of_shape(one: Any, other: Any) -> Any:
    """A part, as large as both are together."""
    if one.shape == other.shape or not other.ndim:
        return one
    like = other if not one.ndim else one + other
    return o.apply("broadcast_like", (one, like), {})


def _equal(x: Pair, y: Pair) -> Any:
    return o.logical_and(o.equal(x.real, y.real), o.equal(x.imag, y.imag))


def _not_equal(x: Pair, y: Pair) -> Any:
    return o.logical_or(o.not_equal(x.real, y.real), o.not_equal(x.imag, y.imag))


def _ordered(strict: Callable[[Any, Any], Any], last: Callable[[Any, Any], Any]) -> Rule:
    """An order by the real parts, among equal ones by the others, as NumPy has it."""

    def rule(x: Pair, y: Pair) -> Any:
        known = o.logical_not(o.logical_or(o.isnan(x.imag), o.isnan(y.imag)))
        first = o.logical_and(strict(x.real, y.real), known)
        return o.logical_or(first, o.logical_and(o.equal(x.real, y.real), last(x.imag, y.imag)))

    return rule


_less = _ordered(o.less, o.less)
_less_equal = _ordered(o.less, o.less_equal)
_greater = _ordered(o.greater, o.greater)
_greater_equal = _ordered(o.greater, o.greater_equal)


def _either(test: Callable[[Any], Any]) -> Rule:
    return lambda x: o.logical_or(test(x.real), test(x.imag))


def _extreme(order: Rule) -> Rule:
    """The larger or smaller of two; the first that is not a number."""

    def rule(x: Pair, y: Pair) -> Pair:
        nan = o.logical_or(o.isnan(x.real), o.isnan(x.imag))
        return select(o.logical_or(nan, order(x, y)), x, y)

    return rule


def _of_truth(combine: Callable[..., Any]) -> Rule:
    return lambda *operands: combine(*map(pair.is_nonzero, operands))


ELEMENTWISE: dict[str, Rule] = {
    "add": pair.add,
    "subtract": pair.subtract,
    "multiply": pair.multiply,
    "divide": pair.divide,
    "square": pair.square,
    "reciprocal": pair.reciprocal,
    "conj": pair.conjugate,
    "power": powers.power,
    "abs": pair.absolute,
    "complex": _made,
    "real": lambda x: x.real,
    "imag": lambda x: x.imag,
    "equal": _equal,
    "not_equal": _not_equal,
    "less": _less,
    "less_equal": _less_equal,
    "greater": _greater,
    "greater_equal": _greater_equal,
    "maximum": _extreme(_greater_equal),
    "minimum": _extreme(_less_equal),
    "isnan": _either(o.isnan),
    "isinf": _either(o.isinf),
    "isfinite": lambda x: o.logical_and(o.isfinite(x.real), o.isfinite(x.imag)),
    "logical_and": _of_truth(o.logical_and),
    "logical_or": _of_truth(o.logical_or),
    "logical_xor": _of_truth(o.logical_xor),
    "logical_not": pair.is_zero,
    **functions.RULES,
}

OF_CONSTANTS: dict[str, Callable[[Pair, Any], Pair | None]] = {"power": powers.power_of_known}
"""Rules that look at the second operand, which is known; None where there is none for it."""
