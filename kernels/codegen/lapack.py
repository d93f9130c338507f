"""Calls of LAPACK's routines in LLVM's language: numbers go by reference, as Fortran has them."""

from __future__ import annotations

from autograph.kernels.library.lapack import CHARACTER, LETTERS, ROUTINES, SYMBOL, WHOLE

PREFIX = "lapack_"
_WIDTHS = {CHARACTER: "i8", WHOLE: "i32"}
_ELEMENTS = {"float32": "float", "float64": "double"}


def lapack_text(name: str) -> str:
    """The function of this name, such as lapack_potrf_float64; empty where there is none."""
    routine, _, dtype = name.removeprefix(PREFIX).partition("_")
    if not name.startswith(PREFIX) or routine not in ROUTINES or dtype not in LETTERS:
        return ""
    parameters: list[str] = []
    lines: list[str] = []
    pointers: list[str] = []
    for place, kind in enumerate(ROUTINES[routine]):
        width = _WIDTHS.get(kind)
        if width is None:
            element = "i32" if kind == "pivots" else _ELEMENTS[dtype]
            parameters += [f"ptr %b{place}", f"i64 %o{place}"]
            made = f"getelementptr {element}, ptr %b{place}, i64 %o{place}"
            lines.append(f"  %p{place} = {made}")
        else:
            parameters.append(f"i64 %v{place}")
            lines += [
                f"  %p{place} = alloca {width}",
                f"  %t{place} = trunc i64 %v{place} to {width}",
                f"  store {width} %t{place}, ptr %p{place}",
            ]
        pointers.append(f"ptr %p{place}")
    symbol = SYMBOL + LETTERS[dtype] + routine
    kinds = ", ".join(["ptr"] * (len(pointers) + 1))
    return "\n".join(
        [
            f"declare void @{symbol}({kinds})",
            f"define internal i64 @{name}({', '.join(parameters)}) noinline nounwind {{",
            *lines,
            "  %info = alloca i32",
            "  store i32 0, ptr %info",
            f"  call void @{symbol}({', '.join(pointers)}, ptr %info)",
            "  %found = load i32, ptr %info",
            "  %result = sext i32 %found to i64",
            "  ret i64 %result",
            "}",
            "",
        ]
    )
