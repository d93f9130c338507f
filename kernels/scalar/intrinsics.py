"""The primitives beyond NumPy casts that scalar functions use.

In CPython they are what is written here. numba, once `register_intrinsics()` ran, turns each call
of the very same functions into one LLVM instruction. `select` matters most: LLVM moves the
computation of an arm of `a if c else b` into a branch, and then does not vectorise the loop around
it; it never does so with a `select`.
"""

from __future__ import annotations

import functools
import math
from typing import Any

import numpy as np

__all__ = [
    "bits_to_float32",
    "bits_to_float64",
    "c_cosine",
    "c_power",
    "c_sine",
    "c_tangent",
    "copy_sign",
    "float32_bits",
    "float64_bits",
    "register_intrinsics",
    "round_down",
    "round_even",
    "round_to_zero",
    "round_up",
    "select",
    "square_root",
]


def select(condition: Any, if_true: Any, if_false: Any) -> Any:
    """`if_true` where `condition` (a bool), else `if_false`, both of one type."""
    return if_true if condition else if_false


def copy_sign(magnitude: Any, sign: Any) -> Any:
    """`magnitude` with the sign bit of `sign`: two floats of one type."""
    return np.copysign(magnitude, sign)


def float32_bits(x: Any) -> Any:
    """The int32 that has the bits of a float32."""
    return x.view(np.int32)


def bits_to_float32(bits: Any) -> Any:
    """The float32 that has the low 32 bits of an integer."""
    return np.int32(bits).view(np.float32)


def float64_bits(x: Any) -> Any:
    """The int64 that has the bits of a float64."""
    return x.view(np.int64)


def bits_to_float64(bits: Any) -> Any:
    """The float64 that has the bits of an int64."""
    return bits.view(np.float64)


def round_down(x: Any) -> Any:
    """The largest integer not above a float, as a float."""
    return np.floor(x)


def round_up(x: Any) -> Any:
    """The smallest integer not below a float, as a float."""
    return np.ceil(x)


def round_to_zero(x: Any) -> Any:
    """A float without its fraction."""
    return np.trunc(x)


def round_even(x: Any) -> Any:
    """The integer nearest to a float, as a float; halves go to the even one."""
    return np.rint(x)


def square_root(x: Any) -> Any:
    """The square root of a float; nan below 0."""
    return np.sqrt(x)


def c_sine(x: Any) -> Any:
    """The C library's sin of a float64; nan for infinities."""
    return np.float64(math.sin(x)) if math.isfinite(x) else x - x


def c_cosine(x: Any) -> Any:
    """The C library's cos of a float64; nan for infinities."""
    return np.float64(math.cos(x)) if math.isfinite(x) else x - x


def c_tangent(x: Any) -> Any:
    """The C library's tan of a float64; nan for infinities."""
    return np.float64(math.tan(x)) if math.isfinite(x) else x - x


def c_power(x: Any, y: Any) -> Any:
    """The C library's pow of two float64."""
    return x**y


@functools.cache
def register_intrinsics() -> None:
    """Tell numba how to compile the functions of this module. Later calls do nothing."""
    import numba.extending
    from llvmlite import ir
    from numba.core import types

    extending: Any = numba.extending

    def register(function: Any, infer: Any, lower: Any) -> None:
        """`infer` gives the type of a call from those of its arguments, `lower` makes its code."""
        extending.type_callable(function)(lambda context: infer)
        kinds = [types.Any] * function.__code__.co_argcount
        extending.lower_builtin(function, *kinds)(lower)

    def infer_select(condition: Any, if_true: Any, if_false: Any) -> Any:
        return if_true if if_true == if_false and condition == types.boolean else None

    def lower_select(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        condition, if_true, if_false = arguments
        return builder.select(condition, if_true, if_false)

    def infer_copy_sign(magnitude: Any, sign: Any) -> Any:
        return magnitude if magnitude == sign and isinstance(sign, types.Float) else None

    def lower_copy_sign(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        kind = arguments[0].type
        instruction = builder.module.declare_intrinsic(
            "llvm.copysign", [kind], ir.FunctionType(kind, [kind, kind])
        )
        return builder.call(instruction, arguments)

    def infer_bits_to_float32(bits: Any) -> Any:
        return types.float32 if bits in (types.int32, types.int64) else None

    def lower_bits_to_float32(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        # numba computes in int64 what NumPy does in int32: the result is cut here
        bits = context.cast(builder, arguments[0], signature.args[0], types.int32)
        return builder.bitcast(bits, ir.FloatType())

    def register_library(function: Any, name: str) -> None:
        def infer(x: Any) -> Any:
            return x if x == types.float64 else None

        def infer_two(x: Any, y: Any) -> Any:
            return x if x == y == types.float64 else None

        def lower(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            kind = ir.FunctionType(ir.DoubleType(), [ir.DoubleType()] * len(arguments))
            declared = builder.module.globals.get(name)
            if declared is None:
                declared = ir.Function(builder.module, kind, name)
            return builder.call(declared, arguments)

        register(function, infer if function.__code__.co_argcount == 1 else infer_two, lower)

    def register_cast(function: Any, source: Any, target: Any) -> None:
        def infer(value: Any) -> Any:
            return target if value == source else None

        def lower(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return builder.bitcast(arguments[0], context.get_value_type(target))

        register(function, infer, lower)

    def register_unary(function: Any, name: str) -> None:
        def infer(x: Any) -> Any:
            return x if isinstance(x, types.Float) else None

        def lower(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            instruction = builder.module.declare_intrinsic(name, [arguments[0].type])
            return builder.call(instruction, arguments)

        register(function, infer, lower)

    register(select, infer_select, lower_select)
    register(copy_sign, infer_copy_sign, lower_copy_sign)
    register(bits_to_float32, infer_bits_to_float32, lower_bits_to_float32)
    register_cast(float32_bits, types.float32, types.int32)
    register_cast(float64_bits, types.float64, types.int64)
    register_cast(bits_to_float64, types.int64, types.float64)
    register_unary(round_down, "llvm.floor")
    register_unary(round_up, "llvm.ceil")
    register_unary(round_to_zero, "llvm.trunc")
    register_unary(round_even, "llvm.rint")
    register_unary(square_root, "llvm.sqrt")
    register_library(c_sine, "sin")
    register_library(c_cosine, "cos")
    register_library(c_tangent, "tan")
    register_library(c_power, "pow")
