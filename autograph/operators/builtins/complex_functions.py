"""What `complex`, the operators of complex numbers and `cmath` mean where a part is staged."""

from __future__ import annotations

import builtins
import cmath
from collections.abc import Callable
from typing import Any

import numpy as np

from autograph.library import complex_numbers as library
from autograph.operators.calls.dispatch import call
from autograph.operators.calls.unconverted import call_native
from autograph.operators.expressions.truth import to_number
from autograph.runtime.core.number import Number
from autograph.runtime.core.tensor import Tensor
from autograph.runtime.ops.table import OPS
from autograph.tracing.tracing import Tracing

COMPLEX128 = np.dtype(np.complex128)
OVERFLOWING = ("cosh", "exp", "sinh")
FUNCTIONS = (
    *("sqrt", "exp", "log", "sin", "cos", "tan", "asin", "acos", "atan"),
    *("sinh", "cosh", "tanh", "asinh", "acosh", "atanh"),
)


def _staged(args: Any) -> bool:
    return any(isinstance(one, Number | Tensor) for one in args)


def _as_number(value: Any) -> Any:
    """A tensor of one element as a number of Python's."""
    if isinstance(value, Tensor):
        return to_number(value, complex if value.dtype.kind == "c" else float)
    return value


def _made(tracing: Tracing, *args: Any, **named: Any) -> Any:
    """`complex(real, imag)`."""
    if not _staged((*args, *named.values())):
        return call_native(tracing, complex, args, named)
    args = tuple(map(_as_number, args))
    named = {name: _as_number(one) for name, one in named.items()}
    if all(type(one) is float or _is_float(one) for one in args) and len(args) == 2:
        return OPS.py_complex(*args)
    return call(library.made, *args, **named)


def _is_float(value: Any) -> bool:
    return isinstance(value, Number) and value.kind is float


def _function(name: str) -> Callable[..., Any]:
    """The model of a function of one number that is an op of tensors."""
    plain = getattr(cmath, name)

    def model(tracing: Tracing, *args: Any) -> Any:
        if not _staged(args) or len(args) != 1:
            return call_native(tracing, plain, args, {})
        x = _as_number(args[0])
        found = OPS.apply(name, (OPS.to_tensor(x, dtype=COMPLEX128),), {})
        result = OPS.to_number(found, kind=complex)
        return call(library.check, x, result, name in OVERFLOWING)

    return model


def _log(tracing: Tracing, *args: Any) -> Any:
    logarithm = _function("log")
    if len(args) != 2 or not _staged(args):
        return logarithm(tracing, *args)
    return call(library.logarithm, *(logarithm(tracing, one) for one in args))


def _log10(tracing: Tracing, *args: Any) -> Any:
    if len(args) != 1 or not _staged(args):
        return call_native(tracing, cmath.log10, args, {})
    return call(library.decimal_logarithm, _function("log")(tracing, *args))


def _written(plain: Any, written: Any) -> Callable[..., Any]:
    def model(tracing: Tracing, *args: Any) -> Any:
        if not _staged(args):
            return call_native(tracing, plain, args, {})
        return call(written, *map(_as_number, args))

    return model


def _is_close(tracing: Tracing, a: Any, b: Any, *, rel_tol: Any = 1e-09, abs_tol: Any = 0.0) -> Any:
    if not _staged((a, b, rel_tol, abs_tol)):
        return cmath.isclose(a, b, rel_tol=rel_tol, abs_tol=abs_tol)
    return call(library.is_close, _as_number(a), _as_number(b), rel_tol, abs_tol)


COMPLEX_MODELS: dict[Any, Callable[..., Any]] = {
    builtins.complex: _made,
    **{getattr(cmath, name): _function(name) for name in FUNCTIONS},
    cmath.log: _log,
    cmath.log10: _log10,
    cmath.phase: _written(cmath.phase, library.phase),
    cmath.polar: _written(cmath.polar, library.polar),
    cmath.rect: _written(cmath.rect, library.rect),
    cmath.isfinite: _written(cmath.isfinite, library.is_finite),
    cmath.isinf: _written(cmath.isinf, library.is_infinite),
    cmath.isnan: _written(cmath.isnan, library.is_nan),
    cmath.isclose: _is_close,
}
