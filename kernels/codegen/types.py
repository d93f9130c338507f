"""The types of values in programs, and their names in LLVM's language."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple


@dataclass(frozen=True, slots=True)
class Number:
    """A dtype. `kind` is "b" (bool), "i" (signed), "u" (unsigned) or "f" (float)."""

    name: str
    kind: str
    bits: int
    ir: str
    """What a value of it is in LLVM."""
    stored: str
    """What it is in memory: a bool takes a byte."""


@dataclass(frozen=True, slots=True)
class Flat:
    """A flat buffer of numbers: where the first one lies."""

    element: Number

    @property
    def ir(self) -> str:
        """An address."""
        return "ptr"


@dataclass(frozen=True, slots=True)
class Several:
    """What a function that returns a tuple gives."""

    items: tuple[Number, ...]

    @property
    def ir(self) -> str:
        """A structure."""
        return "{" + ", ".join(one.ir for one in self.items) + "}"


@dataclass(frozen=True, slots=True)
class Nothing:
    """What a call that is made for its effect gives."""

    ir: str = "void"


Type = Number | Flat | Several | Nothing


class Value(NamedTuple):
    """A value with its type; `text` is a constant or, from "%" on, a name in LLVM's language."""

    type: Type
    text: str

    @property
    def constant(self) -> bool:
        """Whether the text says the value itself."""
        return self.text[0] != "%"


BOOL = Number("bool", "b", 1, "i1", "i8")
INTEGERS = {
    f"{sign}int{bits}": Number(f"{sign}int{bits}", sign or "i", bits, f"i{bits}", f"i{bits}")
    for sign in ("", "u")
    for bits in (8, 16, 32, 64)
}
INT32 = INTEGERS["int32"]
INT64 = INTEGERS["int64"]
UINT64 = INTEGERS["uint64"]
FLOAT32 = Number("float32", "f", 32, "float", "float")
FLOAT64 = Number("float64", "f", 64, "double", "double")
NUMBERS: dict[str, Number] = {
    **INTEGERS,
    "bool": BOOL,
    "bool_": BOOL,
    "float32": FLOAT32,
    "float64": FLOAT64,
}
NOTHING = Nothing()


class TypeMismatch(TypeError):
    """A program that no types fit: an error of whatever wrote its text."""


def wider(one: Type, other: Type) -> Type:
    """The type of a variable that is assigned values of both."""
    if one == other:
        return one
    if isinstance(one, Number) and isinstance(other, Number):
        if one.kind == other.kind:
            return one if one.bits >= other.bits else other
        if "b" in (one.kind, other.kind):
            return other if one.kind == "b" else one
        if {one.kind, other.kind} == {"i", "u"}:
            signed, unsigned = (one, other) if one.kind == "i" else (other, one)
            if unsigned.bits < signed.bits:
                return signed
        elif "f" in (one.kind, other.kind):
            return FLOAT64
    raise TypeMismatch(f"{one} and {other}")


def arithmetic_type(one: Number, other: Number) -> Number:
    """The type of a sum: of integers and bools one of 64 bits, unsigned where both are."""
    if "f" in (one.kind, other.kind):
        if one.kind == other.kind:
            return one if one.bits >= other.bits else other
        return FLOAT64
    return UINT64 if one.kind == other.kind == "u" else INT64
