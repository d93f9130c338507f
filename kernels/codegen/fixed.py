"""Functions that are written in LLVM's language: divisions as Python rounds them, random bits,
products of matrices by BLAS."""

from __future__ import annotations

import functools
import platform

from autograph.kernels.codegen import draws
from autograph.kernels.codegen.lapack import PREFIX, lapack_text
from autograph.kernels.codegen.numpy_sorts import sort_text
from autograph.kernels.codegen.pairwise import sum_text
from autograph.kernels.library import numpy_sorts
from autograph.kernels.library.blas import SYMBOL
from autograph.kernels.scalar.intrinsics import TWO_OVER_PI
from autograph.kernels.scalar.threefry import PARITY, ROTATIONS, ROUNDS
from autograph.kernels.support import clocks, pool, thread_pool
from autograph.kernels.symbols import THREADS, TICKS

INLINE = "alwaysinline nounwind"

_SIGNED = """
define internal i64 @{name}_int64(i64 %a, i64 %b) alwaysinline nounwind {{
  %lowest = icmp eq i64 %a, -9223372036854775808
  %minus = icmp eq i64 %b, -1
  %over = and i1 %lowest, %minus
  %none = icmp eq i64 %b, 0
  %bad = or i1 %over, %none
  br i1 %bad, label %end, label %divide
divide:
  %q = sdiv i64 %a, %b
  %r = srem i64 %a, %b
  %signs = xor i64 %b, %r
  %differ = icmp slt i64 %signs, 0
  %left = icmp ne i64 %r, 0
  %shift = and i1 %left, %differ
  {body}
  br label %end
end:
  %result = phi i64 [ 0, %0 ], [ %rounded, %divide ]
  ret i64 %result
}}
"""
_QUOTIENT = """%less = sext i1 %shift to i64
  %rounded = add i64 %q, %less"""
_REMAINDER = """%more = select i1 %shift, i64 %b, i64 0
  %rounded = add i64 %r, %more"""

_UNSIGNED = """
define internal i64 @{name}_uint64(i64 %a, i64 %b) alwaysinline nounwind {{
  %none = icmp eq i64 %b, 0
  br i1 %none, label %end, label %divide
divide:
  %q = {word} i64 %a, %b
  br label %end
end:
  %result = phi i64 [ 0, %0 ], [ %q, %divide ]
  ret i64 %result
}}
"""

# Python's float_divmod: Objects/floatobject.c
_FLOAT_REMAINDER = """
define internal {t} @remainder_float{n}({t} %a, {t} %b) alwaysinline nounwind {{
  %r = frem {t} %a, %b
  %none = fcmp oeq {t} %b, 0.0
  br i1 %none, label %end, label %divide
divide:
  %left = fcmp une {t} %r, 0.0
  %below = fcmp olt {t} %b, 0.0
  %under = fcmp olt {t} %r, 0.0
  %differ = xor i1 %below, %under
  %sum = fadd {t} %r, %b
  %moved = select i1 %differ, {t} %sum, {t} %r
  %zero = select i1 %below, {t} -0.0, {t} 0.0
  %rounded = select i1 %left, {t} %moved, {t} %zero
  br label %end
end:
  %result = phi {t} [ %r, %0 ], [ %rounded, %divide ]
  ret {t} %result
}}
"""
_FLOAT_QUOTIENT = """
declare {t} @llvm.floor.f{n}({t})
define internal {t} @quotient_float{n}({t} %a, {t} %b) alwaysinline nounwind {{
  %none = fcmp oeq {t} %b, 0.0
  br i1 %none, label %plain, label %divide
plain:
  %q = fdiv {t} %a, %b
  br label %end
divide:
  %r = frem {t} %a, %b
  %difference = fsub {t} %a, %r
  %exact = fdiv {t} %difference, %b
  %left = fcmp une {t} %r, 0.0
  %below = fcmp olt {t} %b, 0.0
  %under = fcmp olt {t} %r, 0.0
  %differ = xor i1 %below, %under
  %shift = and i1 %left, %differ
  %less = fsub {t} %exact, 1.0
  %whole = select i1 %shift, {t} %less, {t} %exact
  %some = fcmp one {t} %whole, 0.0
  %floor = call {t} @llvm.floor.f{n}({t} %whole)
  %rest = fsub {t} %whole, %floor
  %far = fcmp ogt {t} %rest, 0.5
  %next = fadd {t} %floor, 1.0
  %near = select i1 %far, {t} %next, {t} %floor
  %square = fmul {t} %whole, %whole
  %signed = fmul {t} %square, %a
  %zero = fdiv {t} %signed, %b
  %rounded = select i1 %some, {t} %near, {t} %zero
  br label %end
end:
  %result = phi {t} [ %q, %plain ], [ %rounded, %divide ]
  ret {t} %result
}}
"""

_PRODUCT = """
declare i64 @llvm.smax.i64(i64, i64)
declare void @{symbol}{letter}gemm(ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr)
declare {t} @{symbol}{letter}dot(ptr, ptr, ptr, ptr, ptr)
define internal void @multiply_part_float{n}(ptr %out, ptr %a, ptr %b, i64 %first_row,
    i64 %row_count, i64 %first_column, i64 %column_count, i64 %rows, i64 %columns, i64 %inner,
    i64 %transpose_a, i64 %transpose_b, i64 %accumulate) nounwind {{
  %ta = icmp ne i64 %transpose_a, 0
  %tb = icmp ne i64 %transpose_b, 0
  %add = icmp ne i64 %accumulate, 0
  %beta = select i1 %add, {t} 1.0, {t} 0.0
  %ca = select i1 %ta, i8 84, i8 78
  %cb = select i1 %tb, i8 84, i8 78
  %lead_a = select i1 %ta, i64 %rows, i64 %inner
  %lead_b = select i1 %tb, i64 %inner, i64 %columns
  %row_step = select i1 %ta, i64 1, i64 %inner
  %column_step = select i1 %tb, i64 %inner, i64 1
  %at_a = mul i64 %first_row, %row_step
  %at_b = mul i64 %first_column, %column_step
  %at_row = mul i64 %first_row, %columns
  %at_out = add i64 %at_row, %first_column
  %p_a = getelementptr {t}, ptr %a, i64 %at_a
  %p_b = getelementptr {t}, ptr %b, i64 %at_b
  %p_out = getelementptr {t}, ptr %out, i64 %at_out
  %r0 = alloca i8
  store i8 %cb, ptr %r0
  %r1 = alloca i8
  store i8 %ca, ptr %r1
  %r2 = alloca i32
  %columns32 = trunc i64 %column_count to i32
  store i32 %columns32, ptr %r2
  %r3 = alloca i32
  %rows32 = trunc i64 %row_count to i32
  store i32 %rows32, ptr %r3
  %r4 = alloca i32
  %inner32 = trunc i64 %inner to i32
  store i32 %inner32, ptr %r4
  %r5 = alloca {t}
  store {t} 1.0, ptr %r5
  %r6 = alloca i32
  %lead_b1 = call i64 @llvm.smax.i64(i64 %lead_b, i64 1)
  %lead_b32 = trunc i64 %lead_b1 to i32
  store i32 %lead_b32, ptr %r6
  %r7 = alloca i32
  %lead_a1 = call i64 @llvm.smax.i64(i64 %lead_a, i64 1)
  %lead_a32 = trunc i64 %lead_a1 to i32
  store i32 %lead_a32, ptr %r7
  %r8 = alloca {t}
  store {t} %beta, ptr %r8
  %r9 = alloca i32
  %columns1 = call i64 @llvm.smax.i64(i64 %columns, i64 1)
  %lead_out = trunc i64 %columns1 to i32
  store i32 %lead_out, ptr %r9
  %one_row = icmp eq i64 %row_count, 1
  %one_column = icmp eq i64 %column_count, 1
  %one = and i1 %one_row, %one_column
  br i1 %one, label %dot, label %matrices
dot:
  %step_a = select i1 %ta, i64 %rows, i64 1
  %step_b = select i1 %tb, i64 1, i64 %columns
  %step_a32 = trunc i64 %step_a to i32
  %step_b32 = trunc i64 %step_b to i32
  store i32 %step_a32, ptr %r7
  store i32 %step_b32, ptr %r6
  %product = call {t} @{symbol}{letter}dot(ptr %r4, ptr %p_a, ptr %r7, ptr %p_b, ptr %r6)
  %before = load {t}, ptr %p_out
  %sum = fadd {t} %before, %product
  %value = select i1 %add, {t} %sum, {t} %product
  store {t} %value, ptr %p_out
  ret void
matrices:
  call void @{symbol}{letter}gemm(ptr %r0, ptr %r1, ptr %r2, ptr %r3, ptr %r4, ptr %r5, ptr %p_b,
      ptr %r6, ptr %p_a, ptr %r7, ptr %r8, ptr %p_out, ptr %r9)
  ret void
}}
"""
POOL = "autograph_pool"
_POOL = """
@{name} = internal global [{words} x i64] zeroinitializer
define internal i64 @pool() alwaysinline nounwind {{
  %place = ptrtoint ptr @{name} to i64
  ret i64 %place
}}
"""
_POOL_OF_THREADS = """
@{name} = global [{words} x i64] zeroinitializer, align 128
define internal i64 @pool_of_threads() alwaysinline nounwind {{
  %place = ptrtoint ptr @{name} to i64
  ret i64 %place
}}
"""
_TABLE_OF_TICKS = """
@{name} = global [{words} x i64] zeroinitializer
define internal i64 @table_of_ticks() alwaysinline nounwind {{
  %place = ptrtoint ptr @{name} to i64
  ret i64 %place
}}
"""
_PAUSE = {
    True: """
declare void @llvm.x86.sse2.pause()
define internal void @pause() alwaysinline nounwind {
  call void @llvm.x86.sse2.pause()
  ret void
}
""",
    False: """
declare void @llvm.aarch64.hint(i32)
define internal void @pause() alwaysinline nounwind {
  call void @llvm.aarch64.hint(i32 1)
  ret void
}
""",
}
"""The processor's hint that a thread looks for something: by whether it is an x86."""
_WORDS = ", ".join(f"i64 {word}" for word in TWO_OVER_PI)
_TWO_OVER_PI = f"""
@two_over_pi_words = internal constant [{len(TWO_OVER_PI)} x i64] [{_WORDS}]
define internal i64 @two_over_pi(i64 %place) alwaysinline nounwind {{
  %at = getelementptr i64, ptr @two_over_pi_words, i64 %place
  %word = load i64, ptr %at
  ret i64 %word
}}
"""
_LEAST_WORK = """
@{name} = external global i64
define internal i64 @least_work() alwaysinline nounwind {{
  %least = load i64, ptr @{name}
  ret i64 %least
}}
"""

_MINOR = {
    "PyErr_CheckSignals": "declare i32 @PyErr_CheckSignals()\n",
    "malloc": "declare i64 @malloc(i64)\n",
    "free": "declare void @free(i64)\n",
    "memmove": "declare i64 @memmove(i64, i64, i64)\n",
    **{name: f"declare double @{name}(double)\n" for name in ("sin", "cos", "tan", "log")},
    "pow": "declare double @pow(double, double)\n",
}


@functools.cache
def fixed_text(name: str) -> str:
    """The text of a function; empty where there is none of that name."""
    for bits, kind, letter in ((32, "float", "s"), (64, "double", "d")):
        at = {"t": kind, "n": bits, "letter": letter, "symbol": SYMBOL}
        if name == f"remainder_float{bits}":
            return _FLOAT_REMAINDER.format(**at)
        if name == f"quotient_float{bits}":
            return _FLOAT_QUOTIENT.format(**at)
        if name == f"multiply_part_float{bits}":
            return _PRODUCT.format(**at)
    if name.startswith(PREFIX):
        return lapack_text(name)
    if name.startswith(draws.PREFIX):
        return draws.draw_text(name)
    if name.startswith(tuple(numpy_sorts.CALLS)):
        return sort_text(name)
    if name == "quotient_int64":
        return _SIGNED.format(name="quotient", body=_QUOTIENT)
    if name == "remainder_int64":
        return _SIGNED.format(name="remainder", body=_REMAINDER)
    if name == "quotient_uint64":
        return _UNSIGNED.format(name="quotient", word="udiv")
    if name == "remainder_uint64":
        return _UNSIGNED.format(name="remainder", word="urem")
    if name == "random_bits":
        return _random_bits()
    if name == "two_over_pi":
        return _TWO_OVER_PI
    if name == "pool":
        return _POOL.format(name=POOL, words=2 * pool.SLOTS + 2)
    if name == "pause":
        return _PAUSE[platform.machine() in ("x86_64", "AMD64")]
    if name == "pool_of_threads":
        return _POOL_OF_THREADS.format(name=THREADS, words=thread_pool.WORDS)
    if name == "table_of_ticks":
        return _TABLE_OF_TICKS.format(name=TICKS, words=clocks.TABLE)
    if name == "least_work":
        return _LEAST_WORK.format(name=THREADS)
    return _MINOR.get(name) or sum_text(name)


def _random_bits() -> str:
    """Threefry-2x32 of `scalar.threefry`, with rotations as LLVM has them."""
    lines = [
        "declare i32 @llvm.fshl.i32(i32, i32, i32)",
        f"define internal i64 @random_bits(i64 %seed, i64 %counter) {INLINE} {{",
        "  %k0 = trunc i64 %seed to i32",
        "  %seed_high = lshr i64 %seed, 32",
        "  %k1 = trunc i64 %seed_high to i32",
        "  %both = xor i32 %k0, %k1",
        f"  %k2 = xor i32 %both, {PARITY}",
        "  %c0 = trunc i64 %counter to i32",
        "  %counter_high = lshr i64 %counter, 32",
        "  %c1 = trunc i64 %counter_high to i32",
        "  %x_0 = add i32 %c0, %k0",
        "  %y_0 = add i32 %c1, %k1",
    ]
    x, y = "%x_0", "%y_0"
    for turn in range(ROUNDS):
        left = ROTATIONS[turn % 8]
        lines += [
            f"  %x{turn} = add i32 {x}, {y}",
            f"  %t{turn} = call i32 @llvm.fshl.i32(i32 {y}, i32 {y}, i32 {left})",
            f"  %y{turn} = xor i32 %t{turn}, %x{turn}",
        ]
        x, y = f"%x{turn}", f"%y{turn}"
        if turn % 4 == 3:
            group = turn // 4 + 1
            lines += [
                f"  %xk{turn} = add i32 {x}, %k{group % 3}",
                f"  %yk{turn} = add i32 {y}, %k{(group + 1) % 3}",
                f"  %yg{turn} = add i32 %yk{turn}, {group}",
            ]
            x, y = f"%xk{turn}", f"%yg{turn}"
    lines += [
        f"  %low = zext i32 {x} to i64",
        f"  %high = zext i32 {y} to i64",
        "  %shifted = shl i64 %high, 32",
        "  %bits = or i64 %shifted, %low",
        "  ret i64 %bits",
        "}",
    ]
    return "\n".join(lines) + "\n"
