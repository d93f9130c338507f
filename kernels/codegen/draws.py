"""Calls of NumPy's functions that draw random numbers, in LLVM's language."""

from __future__ import annotations

from autograph.kernels.library.draws import DRAWS, SYMBOL, UNIT
from autograph.kernels.library.older_draws import INVERTED, KEPT_NORMAL

PREFIX = "draw_"
_TYPES = {"float64": "double", "int64": "i64", "uint64": "i64", "bool": "i1"}

_KEPT_NORMAL = f"""
declare double @{SYMBOL}{UNIT}(ptr)
declare double @log(double)
declare double @llvm.sqrt.f64(double)
define internal double @{KEPT_NORMAL}(i64 %g) noinline nounwind {{
  %room = inttoptr i64 %g to ptr
  %flag = getelementptr i8, ptr %room, i64 8
  %place = getelementptr i8, ptr %room, i64 16
  %kept = load i32, ptr %flag
  %is_kept = icmp ne i32 %kept, 0
  br i1 %is_kept, label %known, label %pair
known:
  %number = load double, ptr %place
  store i32 0, ptr %flag
  store double 0.0, ptr %place
  ret double %number
pair:
  %generator = load ptr, ptr %room
  br label %try
try:
  %u = call double @{SYMBOL}{UNIT}(ptr %generator)
  %u2 = fmul double %u, 2.0
  %x = fsub double %u2, 1.0
  %v = call double @{SYMBOL}{UNIT}(ptr %generator)
  %v2 = fmul double %v, 2.0
  %y = fsub double %v2, 1.0
  %xx = fmul double %x, %x
  %yy = fmul double %y, %y
  %square = fadd double %xx, %yy
  %outside = fcmp oge double %square, 1.0
  %none = fcmp oeq double %square, 0.0
  %again = or i1 %outside, %none
  br i1 %again, label %try, label %found
found:
  %log = call double @log(double %square)
  %twice = fmul double %log, -2.0
  %ratio = fdiv double %twice, %square
  %length = call double @llvm.sqrt.f64(double %ratio)
  %later = fmul double %length, %x
  store i32 1, ptr %flag
  store double %later, ptr %place
  %now = fmul double %length, %y
  ret double %now
}}
"""
_INVERTED = f"""
declare double @{SYMBOL}{UNIT}(ptr)
declare double @log(double)
define internal double @{INVERTED}(i64 %g) alwaysinline nounwind {{
  %generator = inttoptr i64 %g to ptr
  %u = call double @{SYMBOL}{UNIT}(ptr %generator)
  %rest = fsub double 1.0, %u
  %log = call double @log(double %rest)
  %minus = fneg double %log
  ret double %minus
}}
"""
_OLDER = {KEPT_NORMAL: _KEPT_NORMAL, INVERTED: _INVERTED}


def draw_text(name: str) -> str:
    """The function of this name, such as draw_uniform; empty where there is none.

    It takes the address of the generator's `bitgen_t` first.
    """
    draw = DRAWS.get(name)
    if draw is None:
        return _OLDER.get(name, "")
    kinds = [_TYPES[one] for one in draw.parameters]
    passed = ["ptr", *("i1 zeroext" if kind == "i1" else kind for kind in kinds)]
    parameters = ["i64 %g", *(f"{kind} %p{place}" for place, kind in enumerate(kinds))]
    names = ["%generator", *(f"%p{place}" for place in range(len(kinds)))]
    given = [f"{kind} {one}" for kind, one in zip(passed, names, strict=True)]
    result, symbol = _TYPES[draw.result], SYMBOL + draw.name
    return "\n".join(
        [
            f"declare {result} @{symbol}({', '.join(passed)})",
            f"define internal {result} @{name}({', '.join(parameters)}) alwaysinline nounwind {{",
            "  %generator = inttoptr i64 %g to ptr",
            f"  %drawn = call {result} @{symbol}({', '.join(given)})",
            f"  ret {result} %drawn",
            "}",
            "",
        ]
    )
