"""NumPy's universal functions: each is an op, or made of ops; with `where`, `dtype` and methods."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from autograph.runtime.arrays.table import IMPLEMENTATIONS, Implementation, strong_dtype, tensor_of
from autograph.runtime.core.dtypes import SHORT_NAMES
from autograph.runtime.core.number import Number
from autograph.runtime.core.tensor import Tensor
from autograph.runtime.ops.table import OPS

RENAMED = {
    "absolute": "abs",
    "fabs": "abs",
    "arcsin": "asin",
    "arccos": "acos",
    "arctan": "atan",
    "arcsinh": "asinh",
    "arccosh": "acosh",
    "arctanh": "atanh",
    "arctan2": "atan2",
    "invert": "bitwise_invert",
    "left_shift": "bitwise_left_shift",
    "right_shift": "bitwise_right_shift",
    "rint": "round",
    "conjugate": "conj",
    "float_power": "power",
}


def _fmin_fmax(function: Callable[..., Any], x: Any, y: Any) -> Any:
    return OPS.where(OPS.isnan(x), y, OPS.where(OPS.isnan(y), x, function(x, y)))


def _fmod(x: Any, y: Any) -> Any:
    if np.result_type(strong_dtype(x), strong_dtype(y)).kind in "biu":
        rest = OPS.remainder(x, y)  # whose sign is that of y
        other = OPS.logical_and(OPS.not_equal(rest, 0), OPS.not_equal(rest < 0, OPS.less(x, 0)))
        return OPS.where(other, rest - y, rest)
    rest = OPS.remainder(OPS.abs(x), OPS.abs(y))
    return OPS.where(OPS.less(x, 0), OPS.negative(rest), rest)


def _cbrt(x: Any) -> Any:
    root = OPS.power(OPS.abs(x), 1.0 / 3.0)
    return OPS.where(OPS.less(x, 0), OPS.negative(root), root)


def _heaviside(x: Any, y: Any) -> Any:
    step = OPS.where(OPS.greater(x, 0), OPS.ones_like(x), OPS.zeros_like(x))
    return OPS.where(OPS.isnan(x), x, OPS.where(OPS.equal(x, 0), y, step))


def _modf(x: Any) -> Any:
    whole = OPS.trunc(x)
    return OPS.copysign(OPS.where(OPS.isinf(x), OPS.zeros_like(x), x - whole), x), whole


def _frexp(x: Any) -> Any:
    """x as m * 2**e, where m is from 0.5 up to 1."""
    plain = OPS.logical_or(OPS.equal(x, 0), OPS.logical_not(OPS.isfinite(x)))
    size = OPS.where(plain, OPS.ones_like(x), OPS.abs(x))
    exponent = OPS.floor(OPS.log2(size)) + 1.0  # which may be one too many, or too few
    found = _scaled(size, -exponent)
    exponent = exponent + OPS.astype(found >= 1.0, x.dtype) - OPS.astype(found < 0.5, x.dtype)
    fraction = OPS.copysign(_scaled(size, -exponent), x)
    whole = OPS.astype(OPS.where(plain, OPS.zeros_like(x), exponent), np.dtype(np.int32))
    return OPS.where(plain, x, fraction), whole


def _scaled(x: Any, exponent: Any) -> Any:
    """x * 2**exponent, in two steps: one alone may be too large or too small for a float."""
    half = OPS.trunc(exponent * 0.5)
    return x * OPS.power(2.0, half) * OPS.power(2.0, exponent - half)


COMPOSED: dict[str, Callable[..., Any]] = {
    "fmax": lambda x, y: _fmin_fmax(OPS.maximum, x, y),
    "fmin": lambda x, y: _fmin_fmax(OPS.minimum, x, y),
    "fmod": _fmod,
    "cbrt": _cbrt,
    "exp2": lambda x: OPS.exp(x * math.log(2.0)),
    "deg2rad": lambda x: x * (math.pi / 180),
    "radians": lambda x: x * (math.pi / 180),
    "rad2deg": lambda x: x * (180 / math.pi),
    "degrees": lambda x: x * (180 / math.pi),
    "logaddexp2": lambda x, y: OPS.logaddexp(x * math.log(2.0), y * math.log(2.0)) / math.log(2.0),
    "heaviside": _heaviside,
    "divmod": lambda x, y: (OPS.floor_divide(x, y), OPS.remainder(x, y)),
    "modf": _modf,
    "frexp": _frexp,
    "ldexp": lambda x, n: _scaled(x, OPS.astype(n, x.dtype)),
}
_REDUCING = {
    "add": np.sum,
    "multiply": np.prod,
    "maximum": np.max,
    "minimum": np.min,
    "logical_and": np.all,
    "logical_or": np.any,
}
_ACCUMULATING = {"add": np.cumsum, "multiply": np.cumprod}
_KINDS = {bool: np.dtype(bool), int: int, float: float, complex: complex}


def function_of(ufunc: np.ufunc) -> Callable[..., Any] | None:
    """The function of tensors for a universal function, if there is one."""
    name = RENAMED.get(ufunc.__name__, ufunc.__name__)
    if name in OPS:
        found: Callable[..., Any] = getattr(OPS, name)
        return found
    return COMPOSED.get(ufunc.__name__)


def _signature_part(value: Any) -> Any:
    """What an operand counts as when the dtypes of a universal function are found."""
    if isinstance(value, Tensor | np.ndarray | np.generic):
        return value.dtype
    kind = value.kind if isinstance(value, Number) else type(value)
    return _KINDS.get(kind, kind)


_WEAK = (bool, int, float, complex)


def _as_operand(value: Any) -> Any:
    """Lists become tensors, of the dtype that NumPy gives them; so do numbers of a class of the
    user's, such as members of an IntEnum: NumPy knows Python's own classes as weak ones."""
    if isinstance(value, int | float | complex) and type(value) not in _WEAK:
        return OPS.asarray(value, dtype=np.asarray(value).dtype)
    if not isinstance(value, list | tuple):
        return value
    return OPS.asarray(value, dtype=strong_dtype(value))


def call(
    ufunc: np.ufunc,
    *operands: Any,
    where: Any = True,
    dtype: Any = None,
    casting: str = "same_kind",
    **ignored: Any,
) -> Any:
    """`ufunc(*operands)`, of tensors and numbers, in the dtypes in which NumPy computes it.

    TypeError for dtypes that it has not.
    """
    function = function_of(ufunc)
    if function is None:
        raise NotImplementedError
    if ufunc in (np.matmul, np.vecdot):
        return function(*operands)
    values = [_as_operand(one) for one in operands]
    parts = (*map(_signature_part, values), *[None] * ufunc.nout)
    chosen = None if dtype is None else np.dtype(dtype)
    loops, is_supported = _loops(ufunc, parts, chosen, casting)
    if is_supported:
        composed = ufunc.__name__ in COMPOSED
        held = set() if composed else {one.dtype for one in values if isinstance(one, Tensor)}
        values = [_in_dtype(one, loop, held) for one, loop in zip(values, loops, strict=False)]
    elif any(not isinstance(one, Tensor) for one in values):
        values = [tensor_of(one) for one in values]
    result = function(*values)
    if where is not True:
        raise NotImplementedError  # elements that nobody computes
    return result


def result_dtypes(
    ufunc: np.ufunc,
    *operands: Any,
    dtype: Any = None,
    casting: str = "same_kind",
    **ignored: Any,
) -> tuple[Any, ...]:
    """The dtypes of NumPy's results: of small integers float16, which no tensor has."""
    values = [_as_operand(one) for one in operands]
    parts = (*map(_signature_part, values), *[None] * ufunc.nout)
    loops, _ = _loops(ufunc, parts, None if dtype is None else np.dtype(dtype), casting)
    return loops[ufunc.nin :]


@functools.lru_cache(4096)
def _loops(
    ufunc: np.ufunc, parts: tuple[Any, ...], dtype: Any, casting: str
) -> tuple[tuple[Any, ...], bool]:
    """The dtypes in which NumPy computes, and whether they are those of tensors."""
    signature = (*[None] * ufunc.nin, *[dtype] * ufunc.nout)
    resolve: Any = functools.partial(ufunc.resolve_dtypes, casting=casting)  # type: ignore[arg-type]
    loops = resolve(parts) if dtype is None else resolve(parts, signature=signature)
    return loops, all(one in SHORT_NAMES for one in loops)


def _in_dtype(value: Any, dtype: Any, held: set[Any]) -> Any:
    """An operand in a dtype; a Python number takes that of the tensors beside it, if it is that."""
    if isinstance(value, Tensor):
        return value if value.dtype == dtype else OPS.astype(value, dtype)
    kind = value.kind if isinstance(value, Number) else type(value)
    if held == {dtype} and (kind in (bool, int) or (kind is float and dtype.kind in "fc")):
        return value
    return OPS.asarray(value, dtype=dtype)


def method(ufunc: np.ufunc, name: str, *args: Any, **keywords: Any) -> Any:
    """`ufunc.reduce(...)` and the other methods of universal functions."""
    if name == "reduce" and ufunc.__name__ in _REDUCING:
        if len(args) < 2:
            keywords.setdefault("axis", 0)
        implementation = IMPLEMENTATIONS[_REDUCING[ufunc.__name__]]
        return implementation.function(*args, **keywords)
    if name == "accumulate" and ufunc.__name__ in _ACCUMULATING:
        if len(args) < 2:
            keywords.setdefault("axis", 0)
        return IMPLEMENTATIONS[_ACCUMULATING[ufunc.__name__]].function(*args, **keywords)
    if name == "outer":
        left, right = (tensor_of(one) for one in args)
        for _ in range(len(right.shape)):
            left = OPS.expand_dims(left, -1)
        return call(ufunc, left, right, **keywords)
    raise NotImplementedError


def install() -> None:
    """Put every universal function that can be computed into the table."""
    for ufunc in list(vars(np).values()):  # not by dir(), which imports f2py, testing, ma, ...
        if isinstance(ufunc, np.ufunc) and function_of(ufunc) is not None:
            dtypes = partial(result_dtypes, ufunc)
            IMPLEMENTATIONS[ufunc] = Implementation(partial(call, ufunc), dtypes=dtypes)


install()
