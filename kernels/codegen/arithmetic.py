"""Arithmetic, comparisons and casts of numbers in LLVM's language.

As the texts of programs mean them: integers of fewer than 64 bits are widened to 64, quotients and
remainders are rounded as Python's, an integer divided by 0 is 0, and nothing is reordered.
"""

from __future__ import annotations

import struct
from collections.abc import Callable

from autograph.kernels.codegen.block import Block
from autograph.kernels.codegen.types import (
    BOOL,
    FLOAT32,
    FLOAT64,
    INT32,
    INT64,
    UINT64,
    Number,
    TypeMismatch,
    Value,
    arithmetic_type,
)

SAME = {"Add": "add", "Sub": "sub", "Mult": "mul"}
BITS = {"BitAnd": "and", "BitOr": "or", "BitXor": "xor"}
ORDERED = {"Lt": "lt", "LtE": "le", "Gt": "gt", "GtE": "ge"}


def number(value: Value) -> Number:
    """The type of a value that must be a number."""
    if not isinstance(value.type, Number):
        raise TypeMismatch(f"{value.type} is no number")
    return value.type


# constants ----------------------------------------------------------------------------------------
def integer(value: int, kind: Number = INT64) -> Value:
    """A constant integer, cut to the width of its type."""
    if kind.kind == "b":
        return Value(kind, "true" if value else "false")
    value &= (1 << kind.bits) - 1
    if value >> (kind.bits - 1):
        value -= 1 << kind.bits
    return Value(kind, str(value))


def floating(value: float, kind: Number = FLOAT64) -> Value:
    """A constant float, written as the bits of a float64, which is how LLVM reads both."""
    if kind is FLOAT32:
        value = rounded_to_float32(value)
    return Value(kind, f"0x{struct.unpack('>Q', struct.pack('>d', value))[0]:016X}")


def rounded_to_float32(value: float) -> float:
    """The float32 next to a float; infinite where it is too large."""
    try:
        return float(struct.unpack(">f", struct.pack(">f", value))[0])
    except OverflowError:
        return float("inf") if value > 0 else float("-inf")


def constant_of(value: Value) -> int | float | None:
    """The number that a constant says; None for other values."""
    if not value.constant:
        return None
    kind = number(value)
    if kind.kind == "b":
        return int(value.text == "true")
    if kind.kind == "f":
        return float(struct.unpack(">d", struct.pack(">Q", int(value.text, 16)))[0])
    known = int(value.text)
    return known + (1 << kind.bits) if kind.kind == "u" and known < 0 else known


# casts --------------------------------------------------------------------------------------------
def cast(block: Block, value: Value, target: Number) -> Value:
    """The value as one of another type."""
    source = number(value)
    if source is target:
        return value
    known = constant_of(value)
    if known is not None:
        folded = _cast_constant(known, source, target)
        if folded is not None:
            return folded
    if target.kind == "b":
        if source.kind == "f":
            return block.make(BOOL, f"fcmp une {source.ir} {value.text}, 0.0")
        return block.make(BOOL, f"icmp ne {source.ir} {value.text}, 0")
    if source.kind == "f":
        if target.kind != "f":
            return _to_integer(block, value, target)
        word = "fpext" if target.bits > source.bits else "fptrunc"
    elif target.kind == "f":
        word = "sitofp" if source.kind == "i" else "uitofp"
    elif target.bits == source.bits:
        return Value(target, value.text)
    elif target.bits < source.bits:
        word = "trunc"
    else:
        word = "sext" if source.kind == "i" else "zext"
    return block.make(target, f"{word} {source.ir} {value.text} to {target.ir}")


def _to_integer(block: Block, value: Value, target: Number) -> Value:
    """A float without its fraction, by way of signed integers, which every machine has: a negative
    one wraps around in an unsigned type, as NumPy's does, for vectors of any width."""
    source = number(value)
    if target.kind == "i" and target.bits >= INT32.bits:
        return block.make(target, f"fptosi {source.ir} {value.text} to {target.ir}")
    if target.bits == UINT64.bits:
        half = floating(2.0**63, source)
        upper = block.make(BOOL, f"fcmp oge {source.ir} {value.text}, {half.text}")
        rest = block.make(source, f"fsub {source.ir} {value.text}, {half.text}")
        low = block.make(INT64, f"fptosi {source.ir} {value.text} to i64")
        high = block.make(INT64, f"fptosi {source.ir} {rest.text} to i64")
        high = block.make(INT64, f"xor i64 {high.text}, {integer(1 << 63).text}")
        return block.make(target, f"select i1 {upper.text}, i64 {high.text}, i64 {low.text}")
    wide = INT32 if target.bits < INT32.bits else INT64
    whole = block.make(wide, f"fptosi {source.ir} {value.text} to {wide.ir}")
    return block.make(target, f"trunc {wide.ir} {whole.text} to {target.ir}")


def _cast_constant(known: int | float, source: Number, target: Number) -> Value | None:
    if target.kind == "b":
        return integer(int(known != 0), BOOL)
    if target.kind == "f":
        exact = source.kind == "f" or abs(known) < 1 << 24
        return floating(float(known), target) if exact else None
    return integer(int(known), target) if source.kind != "f" else None


# arithmetic ---------------------------------------------------------------------------------------
def binary(block: Block, operator: str, left: Value, right: Value) -> Value:
    """`left operator right`; operators by the names of their nodes in `ast`."""
    one, other = number(left), number(right)
    if operator in BITS and one is other is BOOL:
        return block.make(BOOL, f"{BITS[operator]} i1 {left.text}, {right.text}")
    kind = arithmetic_type(one, other)
    if operator == "Div" and kind.kind != "f":
        kind = FLOAT64
    a, b = cast(block, left, kind), cast(block, right, kind)
    if operator in SAME:
        word = ("f" if kind.kind == "f" else "") + SAME[operator]
        return block.make(kind, f"{word} {kind.ir} {a.text}, {b.text}")
    if operator == "Div":
        return block.make(kind, f"fdiv {kind.ir} {a.text}, {b.text}")
    if operator in ("FloorDiv", "Mod"):
        return _quotient(block, operator == "Mod", kind, a, b)
    if operator in BITS:
        return block.make(kind, f"{BITS[operator]} {kind.ir} {a.text}, {b.text}")
    if operator == "LShift":
        return block.make(kind, f"shl {kind.ir} {a.text}, {b.text}")
    if operator == "RShift":
        word = "ashr" if kind.kind == "i" else "lshr"
        return block.make(kind, f"{word} {kind.ir} {a.text}, {b.text}")
    raise TypeMismatch(f"{operator} of {one} and {other}")


def _quotient(block: Block, rest: bool, kind: Number, a: Value, b: Value) -> Value:
    """a // b or a % b."""
    known = constant_of(b)
    if kind.kind == "f" or known is None or known == 0 or known == -1:
        name = f"{'remainder' if rest else 'quotient'}_{kind.name}"
        return block.call(kind, name, [a, b])
    if kind.kind == "u":
        return block.make(kind, f"{'urem' if rest else 'udiv'} {kind.ir} {a.text}, {b.text}")
    if known > 0 and int(known) & (int(known) - 1) == 0:
        if rest:
            return block.make(kind, f"and {kind.ir} {a.text}, {int(known) - 1}")
        return block.make(kind, f"ashr {kind.ir} {a.text}, {int(known).bit_length() - 1}")
    return block.call(kind, f"{'remainder' if rest else 'quotient'}_{kind.name}", [a, b])


def negative(block: Block, value: Value) -> Value:
    """-value."""
    kind = number(value)
    if kind.kind == "f":
        return block.make(kind, f"fneg {kind.ir} {value.text}")
    wide = cast(block, value, arithmetic_type(kind, kind))
    known = constant_of(wide)
    if known is not None:
        return integer(-int(known), number(wide))
    return block.make(wide.type, f"sub {wide.type.ir} 0, {wide.text}")


def inverted(block: Block, value: Value) -> Value:
    """~value."""
    wide = cast(block, value, arithmetic_type(number(value), number(value)))
    return block.make(wide.type, f"xor {wide.type.ir} {wide.text}, -1")


def absolute(block: Block, value: Value) -> Value:
    """abs(value)."""
    kind = number(value)
    if kind.kind == "f":
        return block.intrinsic(kind, "llvm.fabs", [value])
    wide = cast(block, value, arithmetic_type(kind, kind))
    if number(wide).kind == "u":
        return wide
    below = compare(block, "Lt", wide, integer(0))
    return choose(block, below, negative(block, wide), wide)


def choose(block: Block, condition: Value, left: Value, right: Value) -> Value:
    """`left` where the condition, a bool, holds, else `right`, both of one type."""
    if left.type != right.type or condition.type != BOOL:
        raise TypeMismatch(f"select of {condition.type}, {left.type}, {right.type}")
    ir = left.type.ir
    return block.make(left.type, f"select i1 {condition.text}, {ir} {left.text}, {ir} {right.text}")


def extreme(block: Block, operator: str, values: list[Value]) -> Value:
    """min ("Lt") or max ("Gt"), as Python finds it: a nan that comes first stays."""
    result = values[0]
    for value in values[1:]:
        kind = arithmetic_type(number(result), number(value))
        result, value = cast(block, result, kind), cast(block, value, kind)
        result = choose(block, compare(block, operator, value, result), value, result)
    return result


# comparisons --------------------------------------------------------------------------------------
def compare(block: Block, operator: str, left: Value, right: Value) -> Value:
    """`left operator right`, a bool."""
    one, other = number(left), number(right)
    kind = BOOL if one is other is BOOL else arithmetic_type(one, other)
    if {one.kind, other.kind} == {"i", "u"} and 64 in (one.bits, other.bits):
        return _compare_signs(block, operator, left, right)
    a, b = cast(block, left, kind), cast(block, right, kind)
    if kind.kind == "f":
        word = {"Eq": "oeq", "NotEq": "une"}.get(operator) or "o" + ORDERED[operator]
        return block.make(BOOL, f"fcmp {word} {kind.ir} {a.text}, {b.text}")
    sign = "s" if kind.kind == "i" else "u"
    word = {"Eq": "eq", "NotEq": "ne"}.get(operator) or sign + ORDERED[operator]
    return block.make(BOOL, f"icmp {word} {kind.ir} {a.text}, {b.text}")


def _compare_signs(block: Block, operator: str, left: Value, right: Value) -> Value:
    """A signed integer beside an unsigned one: a negative one is the smaller."""
    signed_left = number(left).kind == "i"
    a, b = cast(block, left, INT64), cast(block, right, INT64)
    sign = "u"
    word = {"Eq": "eq", "NotEq": "ne"}.get(operator) or sign + ORDERED[operator]
    same = block.make(BOOL, f"icmp {word} i64 {a.text}, {b.text}")
    below = block.make(BOOL, f"icmp slt i64 {(a if signed_left else b).text}, 0")
    answer = operator == "NotEq" or (operator in ("Lt", "LtE")) == signed_left
    if operator == "Eq":
        answer = False
    return choose(block, below, integer(int(answer), BOOL), same)


# tests of floats ----------------------------------------------------------------------------------
INFINITY = "0x7FF0000000000000"


def is_nan(block: Block, value: Value) -> Value:
    """Whether a number is nan; an integer never is."""
    kind = number(value)
    if kind.kind != "f":
        return integer(0, BOOL)
    return block.make(BOOL, f"fcmp uno {kind.ir} {value.text}, {value.text}")


def is_infinite(block: Block, value: Value) -> Value:
    """Whether a number is infinite."""
    kind = number(value)
    if kind.kind != "f":
        return integer(0, BOOL)
    return block.make(BOOL, f"fcmp oeq {kind.ir} {absolute(block, value).text}, {INFINITY}")


def is_finite(block: Block, value: Value) -> Value:
    """Whether a number is neither infinite nor nan."""
    kind = number(value)
    if kind.kind != "f":
        return integer(1, BOOL)
    return block.make(BOOL, f"fcmp one {kind.ir} {absolute(block, value).text}, {INFINITY}")


UNARY: dict[str, Callable[[Block, Value], Value]] = {
    "abs": absolute,
    "isnan": is_nan,
    "isinf": is_infinite,
    "isfinite": is_finite,
}
