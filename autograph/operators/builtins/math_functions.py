"""What calls of Python's `math` mean on staged numbers."""

from __future__ import annotations

import math
import types
from collections.abc import Callable
from typing import Any

import numpy as np

from autograph.library import mathematics as library
from autograph.operators.calls.dispatch import call, special_method
from autograph.operators.calls.unconverted import call_native
from autograph.operators.expressions.truth import to_number
from autograph.operators.iterators.plain_iteration import iterate
from autograph.runtime.arrays.cells import Scalar
from autograph.runtime.core.number import Number
from autograph.runtime.core.python_versions import NO_LOGARITHM, OUTSIDE_DOMAIN
from autograph.runtime.core.tensor import Tensor, no_index
from autograph.runtime.ops.elementwise.mathematics import DERIVATIVES, PARTIAL_DERIVATIVES
from autograph.runtime.ops.table import OPS
from autograph.tracing.tracing import Tracing

Model = Callable[..., Any]

OVERFLOWING = frozenset({"cosh", "exp", "exp2", "expm1", "sinh"})
"""What is too large for a float raises OverflowError."""
SAFE = frozenset({"asinh", "atan", "cbrt", "tanh"})
"""It has a value for every float."""


def _staged(args: tuple[Any, ...]) -> bool:
    return any(isinstance(one, Number | Tensor) for one in args)


def _opened(value: Any) -> Any:
    """A number; of an object of the user's what its own method makes of it."""
    if isinstance(value, float):  # Python asks no float, nor one of a subclass
        return value
    method = special_method(type(value), "__float__") or special_method(type(value), "__index__")
    if isinstance(method, types.FunctionType) and not isinstance(value, Number | Tensor):
        return call(method, value)
    return value


def _as_float(value: Any) -> Any:
    if isinstance(value, Tensor):
        return to_number(value, float, connects=True)
    if isinstance(value, Number) and value.kind is complex:
        return math.sqrt(0j)  # type: ignore[arg-type]  # raises Python's own error
    if isinstance(value, Number):
        return value if value.kind is float else OPS.py_float(value)
    return float(value)


def _as_int(value: Any) -> Any:
    if isinstance(value, Tensor):
        if value.ndim or value.dtype.kind not in "iu":
            raise no_index(value)
        return to_number(value, int)
    if isinstance(value, Number) and value.kind is not float:
        return OPS.py_int(value)
    if isinstance(value, Number | float):
        raise TypeError("'float' object cannot be interpreted as an integer")
    return value


def _function(name: str) -> Model:
    """The model of a function of one number that is an op."""
    plain = getattr(math, name)

    def model(tracing: Tracing, *args: Any) -> Any:
        args = tuple(map(_opened, args))
        if not _staged(args) or len(args) != 1:
            return call_native(tracing, plain, args, {})
        x = _as_float(args[0])
        result = OPS.apply("py_math", (x,), {"function": name})
        if name in SAFE:
            return result
        return call(library.check, x, result, name in OVERFLOWING, _refusal(name, args[0]))

    return model


def _error_function(name: str) -> Model:
    """The model of `erf` or `erfc`, which have a value for every float."""
    plain = getattr(math, name)

    def model(tracing: Tracing, *args: Any) -> Any:
        args = tuple(map(_opened, args))
        if not _staged(args) or len(args) != 1:
            return call_native(tracing, plain, args, {})
        x = OPS.asarray(_as_float(args[0]), dtype=np.dtype(float))
        return to_number(OPS.apply(name, (x,), {}), float, connects=True)

    return model


def _refusal(name: str, given: Any) -> str:
    """What a function of one number says of one that it has no value for."""
    if name.startswith("log") and name != "log1p" and isinstance(given, Number):
        if given.kind is not float:
            return NO_LOGARITHM
    return OUTSIDE_DOMAIN.get(name, "")


def _pair(name: str, check: Any = None) -> Model:
    """The model of a function of two numbers; `check` knows when it raises."""
    plain = getattr(math, name)

    def model(tracing: Tracing, *args: Any) -> Any:
        args = tuple(map(_opened, args))
        if not _staged(args) or len(args) != 2:
            return call_native(tracing, plain, args, {})
        x, y = map(_as_float, args)
        result = OPS.apply("py_math_pair", (x, y), {"function": name})
        return result if check is None else call(check, x, y, result)

    return model


def _hypot(tracing: Tracing, *args: Any) -> Any:
    if len(args) == 1 and _staged(args):
        return abs(_as_float(args[0]))
    if len(args) > 2 and _staged(args):
        *before, last = args
        return _PAIR_MODELS["hypot"](tracing, _hypot(tracing, *before), last)
    return _PAIR_MODELS["hypot"](tracing, *args)


def _distance(tracing: Tracing, p: Any, q: Any) -> Any:
    points = [tuple(iterate(one)) for one in (p, q)]
    if not _staged((*points[0], *points[1])) or len(points[0]) != len(points[1]):
        return call_native(tracing, math.dist, tuple(points), {})
    apart = [_as_float(one) - _as_float(other) for one, other in zip(*points, strict=True)]
    return _hypot(tracing, *apart)


def _log(tracing: Tracing, *args: Any) -> Any:
    if not _staged(args):
        return call_native(tracing, math.log, args, {})
    log = MATH_MODELS_OF_ONE["log"]
    if len(args) == 1:
        return log(tracing, *args)
    return call(_divided, log(tracing, args[0]), log(tracing, args[1]))


def _divided(left: Any, right: Any) -> Any:
    return left / right


def _written(plain: Any, written: Any, convert: Callable[[Any], Any]) -> Model:
    """The model of a function that is written in plain Python."""

    def model(tracing: Tracing, *args: Any) -> Any:
        args = tuple(map(_opened, args))
        if not _staged(args):
            return call_native(tracing, plain, args, {})
        return call(written, *map(convert, args))

    return model


def _product(tracing: Tracing, numbers: Any, *, start: Any = 1) -> Any:
    return call(library.product, numbers, start)


def _is_close(tracing: Tracing, a: Any, b: Any, *, rel_tol: Any = 1e-09, abs_tol: Any = 0.0) -> Any:
    if not _staged((a, b, rel_tol, abs_tol)):
        return math.isclose(a, b, rel_tol=rel_tol, abs_tol=abs_tol)
    return call(library.is_close, _as_float(a), _as_float(b), rel_tol, abs_tol)


def _trunc(tracing: Tracing, x: Any) -> Any:
    if isinstance(x, Scalar) and x.dtype.kind != "c":
        math.trunc(x.dtype.type(1))  # raises Python's own error
    elif isinstance(x, Tensor):
        return math.trunc(x)  # type: ignore[arg-type]  # the same
    return _rounding(math.trunc, lambda one: OPS.py_int(one))(tracing, x)


def _rounding(plain: Any, staged: Callable[[Any], Any]) -> Model:
    def model(tracing: Tracing, *args: Any) -> Any:
        if not _staged(args):
            return call_native(tracing, plain, args, {})
        (x,) = args
        if isinstance(x, Tensor):
            x = to_number(x, int if x.dtype.kind in "iu" else float)
        return staged(x)

    return model


MATH_MODELS_OF_ONE: dict[str, Model] = {name: _function(name) for name in DERIVATIVES}
_PAIR_CHECKS = {"hypot": library.length, "pow": library.power_of_floats}
_PAIR_MODELS = {name: _pair(name, _PAIR_CHECKS.get(name)) for name in PARTIAL_DERIVATIVES}
MATH_MODELS: dict[Any, Model] = {
    **{getattr(math, name): model for name, model in _PAIR_MODELS.items()},
    **{getattr(math, name): model for name, model in MATH_MODELS_OF_ONE.items()},
    math.log: _log,
    math.ceil: _rounding(math.ceil, lambda x: OPS.py_ceil(x)),
    math.floor: _rounding(math.floor, lambda x: OPS.py_floor(x)),
    math.trunc: _trunc,
    math.fabs: _written(math.fabs, abs, _as_float),
    math.degrees: _written(math.degrees, library.degrees, _as_float),
    math.radians: _written(math.radians, library.radians, _as_float),
    math.isnan: _written(math.isnan, library.is_nan, _as_float),
    math.isinf: _written(math.isinf, library.is_infinite, _as_float),
    math.isfinite: _written(math.isfinite, library.is_finite, _as_float),
    math.isclose: _is_close,
    math.gcd: _written(math.gcd, library.greatest_divisor_of, _as_int),
    math.lcm: _written(math.lcm, library.least_multiple_of, _as_int),
    math.factorial: _written(math.factorial, library.factorial, _as_int),
    math.comb: _written(math.comb, library.combinations, _as_int),
    math.perm: _written(math.perm, library.permutations, _as_int),
    math.fmod: _written(math.fmod, library.modulo, _as_float),
    math.remainder: _written(math.remainder, library.remainder, _as_float),
    math.modf: _written(math.modf, library.fraction_and_whole, _as_float),
    math.ulp: _written(math.ulp, library.last_place, _as_float),
    math.erf: _error_function("erf"),
    math.erfc: _error_function("erfc"),
    math.hypot: _hypot,
    math.dist: _distance,
    math.isqrt: _written(math.isqrt, library.integer_root, _as_int),
    math.prod: _product,
}
