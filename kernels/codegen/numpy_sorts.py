"""Calls of NumPy's functions that sort a row, in LLVM's language."""

from __future__ import annotations

from autograph.kernels.codegen.types import NUMBERS
from autograph.kernels.library.numpy_sorts import CALLS, addresses, symbol_of


def sort_text(name: str) -> str:
    """The function of this name, such as sort_part_float64; empty where there is none of it.

    What it calls gives 0; where NumPy has no such function, it gives 1.
    """
    call, _, dtype = name.rpartition("_")
    if call not in CALLS:
        return ""
    ordering = call != "sort_part"
    parameters = "ptr %places, ptr %row" if ordering else "ptr %row"
    head = f"define internal i64 @{name}({parameters}, i64 %first, i64 %count) noinline nounwind {{"
    symbol = symbol_of(call, dtype)
    if symbol not in addresses():
        return f"{head}\n  ret i64 1\n}}\n"
    places = ["  %p = getelementptr i64, ptr %places, i64 %first"] if ordering else []
    pointers = "ptr %a, ptr %p" if ordering else "ptr %a"
    return "\n".join(
        [
            f"declare i32 @{symbol}({'ptr, ptr' if ordering else 'ptr'}, i64, ptr)",
            head,
            f"  %a = getelementptr {NUMBERS[dtype].stored}, ptr %row, i64 %first",
            *places,
            f"  %failed = call i32 @{symbol}({pointers}, i64 %count, ptr null)",
            "  %result = sext i32 %failed to i64",
            "  ret i64 %result",
            "}",
            "",
        ]
    )
