"""Machine code does what CPython does with the same text, bit for bit."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest

from autograph.kernels.codegen import machine, module
from autograph.kernels.codegen.types import FLOAT64, INT64, NUMBERS, TypeMismatch, wider
from autograph.kernels.compile import entry_of

DTYPES = ("bool_", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")
FLOATS = ("float32", "float64")
EDGES = {
    "i": lambda bits: (0, 1, -1, 2, -7, 2 ** (bits - 1) - 1, -(2 ** (bits - 1))),
    "u": lambda bits: (0, 1, 2, 7, 2**bits - 1, 2 ** (bits - 1)),
    "f": lambda bits: (0.0, -0.0, 1.0, -1.5, 3.25, 1e30, -1e-30, np.inf, -np.inf, np.nan),
    "b": lambda bits: (False, True),
}
PROGRAMS = 12
IN_SWEEP = 400
LINES = 25


class Writer:
    """Writes a program of typed assignments, branches and loops over the elements of buffers."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.names: dict[str, list[str]] = {name: [] for name in (*DTYPES, *FLOATS)}
        self.count = 0

    def value(self, dtype: str, depth: int = 0) -> str:
        """An expression of a dtype."""
        choose = self.random.random()
        if self.names[dtype] and (choose < 0.4 or depth > 2):
            return self.random.choice(self.names[dtype])
        if depth > 2:
            return self.literal(dtype)
        if dtype == "bool_":
            return self.truth(depth)
        if choose < 0.5:
            return f"{dtype}({self.value(self.other(dtype), depth + 1)})"
        a, b = self.value(dtype, depth + 1), self.value(dtype, depth + 1)
        if choose < 0.6:
            return f"select({self.truth(depth + 1)}, {a}, {b})"
        if choose < 0.65:
            return f"({a} if {self.truth(depth + 1)} else {b})"
        if dtype in FLOATS:
            return self.floating(dtype, a, b)
        return self.whole(dtype, a, b)

    def floating(self, dtype: str, a: str, b: str) -> str:
        form = self.random.choice(("+", "-", "*", "/", "min", "neg", "abs", "floor", "divide"))
        if form in "+-*/":
            return f"({a} {form} {b})"
        if form == "min":
            return f"{self.random.choice(('minimum', 'maximum'))}_float({a}, {b})"
        if form == "divide":
            return f"{self.random.choice(('floor_divide', 'remainder'))}_number({a}, {b})"
        return {"neg": f"(-{a})", "abs": f"abs({a})", "floor": f"floor_float({a})"}[form]

    def whole(self, dtype: str, a: str, b: str) -> str:
        form = self.random.choice(("+", "-", "*", "&", "|", "^", "shift", "divide", "rest", "min"))
        signed = not dtype.startswith("u")
        kind = "signed" if signed else "unsigned"
        if form == "shift":
            which = self.random.choice(("left", "right"))
            return f"{dtype}({which}_shift_{kind}({a}, {b}))"
        if form == "divide":
            return f"{dtype}(floor_divide_{'signed' if signed else 'number'}({a}, {b}))"
        if form == "rest":
            return f"{dtype}(remainder_number({a}, {b}))"
        if form == "min":
            return f"{dtype}({self.random.choice(('minimum', 'maximum'))}_int({a}, {b}))"
        return f"{dtype}({a} {form} {b})"

    def truth(self, depth: int) -> str:
        form = self.random.random()
        if form < 0.2 and self.names["bool_"]:
            return self.random.choice(self.names["bool_"])
        if form < 0.4:
            one, other = self.truth(depth + 1), self.truth(depth + 1)
            return f"({one} {self.random.choice(('&', '|', '^', 'and', 'or'))} {other})"
        dtype = self.random.choice((*DTYPES[1:], *FLOATS))
        if form < 0.5 and depth < 3:
            return f"(not {self.truth(depth + 1)})"
        if form < 0.55 and dtype in FLOATS:
            test = self.random.choice(("isnan", "isinf", "isfinite"))
            return f"{test}({self.value(dtype, depth + 1)})"
        sign = self.random.choice(("<", "<=", ">", ">=", "==", "!="))
        return f"({self.value(dtype, depth + 1)} {sign} {self.value(dtype, depth + 1)})"

    def other(self, dtype: str) -> str:
        """A dtype that can be cast: floats to integers are undefined outside of their range."""
        found = self.random.choice((*DTYPES, *FLOATS))
        return "int16" if found in FLOATS and dtype not in FLOATS else found

    def literal(self, dtype: str) -> str:
        kind = NUMBERS[dtype]
        value = self.random.choice(EDGES[kind.kind](kind.bits)[:5])
        return f"{dtype}({value!r})"

    def block(self, lines: int, indent: str) -> list[str]:
        """Assignments, some of them in branches and loops."""
        made: list[str] = []
        for _ in range(lines):
            form = self.random.random()
            dtype = self.random.choice((*DTYPES, *FLOATS))
            if form < 0.1 and len(indent) < 12 and self.names[dtype]:
                name = self.random.choice(self.names[dtype])
                made.append(f"{indent}if {self.truth(1)}:")
                made.append(f"{indent}    {name} = {self.value(dtype)}")
                made += [f"{indent}else:", f"{indent}    {name} = {self.value(dtype)}"]
            elif form < 0.2 and len(indent) < 12 and self.names["float64"]:
                self.count += 1
                name = self.random.choice(self.names["float64"])
                made.append(
                    f"{indent}for i{self.count} in range(int64({self.value('uint8')}) % 5):"
                )
                made.append(f"{indent}    {name} = {name} * 0.5 + float64(i{self.count})")
                made.append(f"{indent}    if {self.truth(1)}:")
                made.append(f"{indent}        break")
            else:
                self.count += 1
                name = f"x{self.count}"
                made.append(f"{indent}{name} = {dtype}({self.value(dtype)})")
                self.names[dtype].append(name)
        return made

    def program(self) -> str:
        """Reads a value of each dtype, computes with them, and writes all that it made."""
        lines = ["def program(arguments):"]
        dtypes = (*DTYPES, *FLOATS)
        for number, dtype in enumerate(dtypes):
            place = f"{dtype.rstrip('_')}_at(array_data(arguments, {number}))"
            lines.append(f"    in{number} = {place}")
            lines += [f"    given{number}_{k} = in{number}[{k}]" for k in range(3)]
            self.names[dtype] += [f"given{number}_{k}" for k in range(3)]
        lines += self.block(LINES, "    ")
        for number, dtype in enumerate(dtypes):
            lines += [
                f"    in{number}[{place}] = {name}" for place, name in enumerate(self.names[dtype])
            ]
        return "\n".join([*lines, "    return 0", ""])


def compare(seed: int) -> None:
    text = Writer(seed).program()
    native, plain = entry_of(text, jit=True), entry_of(text, jit=False)
    choose = random.Random(seed)
    for _ in range(6):
        given = []
        for dtype in (*DTYPES, *FLOATS):
            kind = NUMBERS[dtype]
            values = [choose.choice(EDGES[kind.kind](kind.bits)) for _ in range(3)]
            array = np.zeros(200, np.dtype(dtype.rstrip("_")))
            array[:3] = values
            given.append(array)
        one, other = [a.copy() for a in given], [a.copy() for a in given]
        native(*one)
        plain(*other)
        for a, b in zip(one, other, strict=True):
            same = (a == b) | ((a != a) & (b != b))
            assert same.all(), f"{a.dtype} at {np.flatnonzero(~same)}\n{text}"


@pytest.mark.compiled
@pytest.mark.parametrize("seed", range(PROGRAMS))
def test_random_texts(seed: int) -> None:
    compare(seed)


@pytest.mark.compiled
@pytest.mark.parametrize("seed", range(3))
def test_texts_whose_registers_are_not_chosen_with_care(
    seed: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("AUTOGRAPH_CACHE_DIR", str(tmp_path))  # or the object is found on disk
    monkeypatch.setattr(machine, "HUGE", 10)
    compare(seed + 1000)


@pytest.mark.compiled
@pytest.mark.sweep
@pytest.mark.parametrize("seed", range(PROGRAMS, IN_SWEEP))
def test_sweep_of_texts(seed: int) -> None:
    compare(seed)


@pytest.mark.compiled
@pytest.mark.parametrize("count", [1, 30], ids=["in place", "as kernels"])
def test_loops_give_what_they_compute(count: int) -> None:
    """Sums that are read after their loop, loops that run no turn, equal loops over other data."""
    lines = [
        "def program(arguments):",
        "    sizes = int64_at(array_data(arguments, 0))",
        "    x = float64_at(array_data(arguments, 1))",
        "    out = float64_at(array_data(arguments, 2))",
    ]
    for number in range(count):
        lines += [
            f"    total{number} = 0.0",
            f"    last{number} = -1",
            f"    for i{number} in range(sizes[{number} % 3]):",
            f"        value{number} = x[i{number}] * {number + 1}.0",
            f"        total{number} = total{number} + value{number}",
            f"        last{number} = i{number}",
            f"    out[{2 * number}] = total{number}",
            f"    out[{2 * number + 1}] = float64(last{number})",
        ]
    text = "\n".join([*lines, "    return 0", ""])
    sizes, x = np.array([0, 1, 7]), np.arange(1.0, 9.0)
    found = [np.zeros(2 * count), np.zeros(2 * count)]
    for out, jit in zip(found, (True, False), strict=True):
        entry_of(text, jit)(sizes, x, out)
    assert found[0].tolist() == found[1].tolist()
    kernels = module.program_module(text).count("define internal {double, i64} @kernel")
    assert kernels == (30 if count == 30 else 0)


def test_equal_loops_are_one_kernel() -> None:
    lines = ["def program(arguments):", "    n = int64_at(array_data(arguments, 0))[0]"]
    for number in range(20):
        lines += [
            f"    a{number} = float32_at(array_data(arguments, {number + 1}))",
            f"    for i{number} in range(n):",
            f"        a{number}[i{number}] = exp_float32(a{number}[i{number}])",
        ]
    text = module.program_module("\n".join([*lines, "    return 0", ""]))
    assert text.count("define internal void @kernel") == 1
    assert text.count("call void @kernel0(") == 20


def test_types_that_do_not_fit_are_refused() -> None:
    assert wider(NUMBERS["int8"], NUMBERS["int32"]) is NUMBERS["int32"]
    assert wider(INT64, FLOAT64) is FLOAT64
    with pytest.raises(TypeMismatch, match="uint64"):
        wider(INT64, NUMBERS["uint64"])
    with pytest.raises(TypeMismatch, match="nothing_known is not known"):
        module.program_module("def program(arguments):\n    return nothing_known(1)\n")
