"""How `sum` of Python adds, staged numbers and tensors too.

From left to right. Since Python 3.12 it keeps what additions of floats lose by rounding, and gives
it back at the end; so a sum under way is a pair: the total, and what that has lost. None stands in
its place where Python keeps nothing: before 3.12, and for all items after the first that is neither
a float nor an int.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from autograph.operators.expressions.arithmetic import BINARY
from autograph.operators.expressions.truth import choose
from autograph.runtime.core.number import Number
from autograph.runtime.core.python_versions import SUM_IS_EXACT_LONGER, SUM_TAKES_INTS
from autograph.runtime.core.tensor import Tensor
from autograph.runtime.ops.reducing import summation
from autograph.runtime.ops.table import OPS
from autograph.tracing.tracing import Tracing
from autograph.values.choice import Choice

Pair = tuple[Any, Any]
_NUMBERS = (bool, int, float, complex)


def started(start: Any) -> Pair:
    """A sum that begins with `start`."""
    keeps = SUM_IS_EXACT_LONGER and _kind(start) in (int, float)
    return start, 0.0 if keeps else None


def added(tracing: Tracing, pair: Pair, item: Any) -> Pair:
    """A sum with one item more."""
    total, lost = pair
    if lost is None:
        return BINARY["add"](total, item), None
    of_each: tuple[tuple[Any, Callable[[Any], tuple[Pair, Any]]], ...] = (
        (lost, lambda option: ((total, option), item)),
        (total, lambda option: ((option, lost), item)),
        (item, lambda option: (pair, option)),
    )
    for one, given in of_each:
        if isinstance(one, Choice):
            found: Pair = choose(tracing, one, lambda option: added(tracing, *given(option)))  # noqa: B023
            return found
    return _added(tracing, pair, item)


def _added(tracing: Tracing, pair: Pair, item: Any) -> Pair:
    total, lost = pair
    kind = _kind(item)
    if type(lost) is complex and type(item) in _NUMBERS:
        return _with_complex(total, lost, item)
    if kind in (bool, int, float):
        if _kind(total) is int:
            found = BINARY["add"](total, item)
            return found, None if kind is not float and _is_large(item, found) else lost
        if _kind(total) is float and (kind is float or SUM_TAKES_INTS):
            return _with_lost(total, lost, item if kind is float else _as_float(item))
        if _kind(total) is float and not _is_large(item):
            return BINARY["add"](total, item), lost
    found = BINARY["add"](summed(tracing, pair), item)
    if SUM_TAKES_INTS and type(found) is complex and type(lost) is not complex:
        return found, 0j
    # No tensor becomes a float again. That a loop over them keeps nothing is known before.
    return found, lost if isinstance(found, Tensor) and _kind(total) is not float else None


def summed(tracing: Tracing, pair: Pair) -> Any:
    """What the sum is that was made so far."""
    total, lost = pair
    if isinstance(lost, Choice):
        return choose(tracing, lost, lambda option: summed(tracing, (total, option)))
    if isinstance(total, Choice):
        return choose(tracing, total, lambda option: summed(tracing, (option, lost)))
    if type(lost) is complex:
        regained = summation.regained
        return complex(regained(total.real, lost.real), regained(total.imag, lost.imag))
    if lost is None or _kind(total) is not float:
        return total
    if isinstance(total, Number) or isinstance(lost, Number):
        return OPS.py_regained(total, lost)
    return summation.regained(total, lost)


def _with_lost(total: Any, lost: Any, item: Any) -> Pair:
    if isinstance(total, Number) or isinstance(item, Number):
        return OPS.py_add(total, item), OPS.py_add(lost, OPS.py_lost(total, item))
    return total + item, BINARY["add"](lost, summation.lost(total, item))


def _with_complex(total: complex, lost: complex, item: complex) -> Pair:
    """The same of known complex numbers; what has no imaginary part adds none."""
    real, imaginary = _with_lost(total.real, lost.real, float(item.real)), (total.imag, lost.imag)
    if type(item) is complex:
        imaginary = _with_lost(*imaginary, item.imag)
    return tuple(map(complex, real, imaginary))  # type: ignore[return-value]


def _as_float(item: Any) -> Any:
    return OPS.py_float(item) if isinstance(item, Number) else float(item)


def _kind(value: Any) -> type:
    return value.kind if isinstance(value, Number) else type(value)


def _is_large(*values: Any) -> bool:
    """Whether one is a known int that C has no room for."""
    return any(type(one) is int and not -(2**63) <= one < 2**63 for one in values)
