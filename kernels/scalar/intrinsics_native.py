"""How numba compiles `scalar.intrinsics` and `scalar.threefry`: imported only when it does."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numba.extending
from llvmlite import ir
from numba.core import types

from autograph.kernels.scalar import intrinsics, threefry

WORD = ir.IntType(32)
WIDE = ir.IntType(64)
UNARY: dict[Callable[..., Any], str] = {
    intrinsics.round_down: "llvm.floor",
    intrinsics.round_up: "llvm.ceil",
    intrinsics.round_to_zero: "llvm.trunc",
    intrinsics.round_even: "llvm.rint",
    intrinsics.square_root: "llvm.sqrt",
}
CASTS = (
    (intrinsics.float32_bits, types.float32, types.int32),
    (intrinsics.float64_bits, types.float64, types.int64),
    (intrinsics.bits_to_float64, types.int64, types.float64),
)
C_LIBRARY: dict[Callable[..., Any], str] = {
    intrinsics.c_sine: "sin",
    intrinsics.c_cosine: "cos",
    intrinsics.c_tangent: "tan",
    intrinsics.c_power: "pow",
}


def _register(function: Callable[..., Any], infer: Any, lower: Any) -> None:
    """`infer` gives the type of a call from those of its arguments, `lower` makes its code."""
    extending: Any = numba.extending
    kinds = [types.Any] * function.__code__.co_argcount
    extending.type_callable(function)(lambda context: infer)
    extending.lower_builtin(function, *kinds)(lower)


def _infer_select(condition: Any, if_true: Any, if_false: Any) -> Any:
    return if_true if if_true == if_false and condition == types.boolean else None


def _lower_select(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    return builder.select(*arguments)


def _infer_two_floats(x: Any, y: Any) -> Any:
    return x if x == y and isinstance(x, types.Float) else None


def _lower_copy_sign(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    kind = arguments[0].type
    instruction = builder.module.declare_intrinsic(
        "llvm.copysign", [kind], ir.FunctionType(kind, [kind, kind])
    )
    return builder.call(instruction, arguments)


def _infer_bits_to_float32(bits: Any) -> Any:
    return types.float32 if bits in (types.int32, types.int64) else None


def _lower_bits_to_float32(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    # numba computes in int64 what NumPy does in int32: the result is cut here
    bits = context.cast(builder, arguments[0], signature.args[0], types.int32)
    return builder.bitcast(bits, ir.FloatType())


def _register_cast(function: Callable[..., Any], source: Any, target: Any) -> None:
    def infer(value: Any) -> Any:
        return target if value == source else None

    def lower(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.bitcast(arguments[0], context.get_value_type(target))

    _register(function, infer, lower)


def _register_unary(function: Callable[..., Any], name: str) -> None:
    def infer(x: Any) -> Any:
        return x if isinstance(x, types.Float) else None

    def lower(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        instruction = builder.module.declare_intrinsic(name, [arguments[0].type])
        return builder.call(instruction, arguments)

    _register(function, infer, lower)


def _register_library(function: Callable[..., Any], name: str) -> None:
    def infer(x: Any) -> Any:
        return x if x == types.float64 else None

    def infer_two(x: Any, y: Any) -> Any:
        return x if x == y == types.float64 else None

    def lower(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        declared = builder.module.globals.get(name)
        if declared is None:
            kind = ir.FunctionType(ir.DoubleType(), [ir.DoubleType()] * len(arguments))
            declared = ir.Function(builder.module, kind, name)
        return builder.call(declared, arguments)

    _register(function, infer if function.__code__.co_argcount == 1 else infer_two, lower)


def _infer_random_bits(seed: Any, counter: Any) -> Any:
    return seed if seed == counter == types.uint64 else None


def _lower_random_bits(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    rotate = builder.module.declare_intrinsic(
        "llvm.fshl", [WORD], ir.FunctionType(WORD, [WORD] * 3)
    )

    def halves(value: Any) -> list[Any]:
        return [builder.trunc(value, WORD), builder.trunc(builder.lshr(value, WIDE(32)), WORD)]

    keys = halves(arguments[0])
    keys.append(builder.xor(builder.xor(*keys), WORD(threefry.PARITY)))
    x, y = halves(arguments[1])
    x, y = builder.add(x, keys[0]), builder.add(y, keys[1])
    for number in range(threefry.ROUNDS):
        x = builder.add(x, y)
        left = WORD(threefry.ROTATIONS[number % 8])
        y = builder.xor(builder.call(rotate, [y, y, left]), x)
        if number % 4 == 3:
            group = number // 4 + 1
            x = builder.add(x, keys[group % 3])
            y = builder.add(builder.add(y, keys[(group + 1) % 3]), WORD(group))
    return builder.or_(builder.shl(builder.zext(y, WIDE), WIDE(32)), builder.zext(x, WIDE))


@functools.cache
def register_intrinsics() -> None:
    """Tell numba how to compile these functions. Later calls do nothing."""
    _register(intrinsics.select, _infer_select, _lower_select)
    _register(intrinsics.copy_sign, _infer_two_floats, _lower_copy_sign)
    _register(intrinsics.bits_to_float32, _infer_bits_to_float32, _lower_bits_to_float32)
    _register(threefry.random_bits, _infer_random_bits, _lower_random_bits)
    for function, source, target in CASTS:
        _register_cast(function, source, target)
    for unary, name in UNARY.items():
        _register_unary(unary, name)
    for routine, name in C_LIBRARY.items():
        _register_library(routine, name)
