"""The instructions of one function, as lines of LLVM's language."""

from __future__ import annotations

from typing import Protocol

from autograph.kernels.codegen.types import NOTHING, Number, Type, TypeMismatch, Value


class Callees(Protocol):
    """What a function may call: declared, or made, when it is first called."""

    def intrinsic(self, name: str, arguments: list[Value], result: Type) -> str:
        """The full name of one of LLVM's own functions."""

    def given(self, name: str) -> None:
        """Note that a function is called whose text is fixed."""


class Block:
    """Appends instructions; knows the label that it is at, and what its variables need."""

    def __init__(self, callees: Callees) -> None:
        self.callees = callees
        self.lines: list[str] = []
        self.rooms: list[str] = []
        self.label = "entry"
        self.ended = False
        self._count = 0

    def number(self) -> int:
        """A number that no other name of the function has."""
        self._count += 1
        return self._count

    def make(self, kind: Type, instruction: str) -> Value:
        """The value of an instruction."""
        self._count += 1
        name = f"%v{self._count}"
        self.lines.append(f"  {name} = {instruction}")
        return Value(kind, name)

    def do(self, instruction: str) -> None:
        """An instruction without a value."""
        self.lines.append("  " + instruction)

    def room(self, kind: Type) -> str:
        """Room for a variable, on the stack."""
        name = f"%room{self.number()}"
        self.rooms.append(f"  {name} = alloca {kind.ir}")
        return name

    def words(self, count: int) -> str:
        """Room for so many int64, on the stack."""
        name = f"%room{self.number()}"
        self.rooms.append(f"  {name} = alloca [{count} x i64], align 64")
        return name

    def buffer(self, kind: Number, count: int) -> str:
        """Room for so many numbers, on the stack."""
        name = f"%room{self.number()}"
        self.rooms.append(f"  {name} = alloca [{count} x {kind.ir}], align 64")
        return name

    # control flow ---------------------------------------------------------------------------------
    def start(self, label: str) -> None:
        """What follows stands at `label`; what stood before goes on there."""
        if not self.ended:
            self.do(f"br label %{label}")
        self.lines.append(f"{label}:")
        self.label = label
        self.ended = False

    def jump(self, label: str) -> None:
        """Go on at a label."""
        self.end(f"br label %{label}")

    def branch(self, condition: Value, label: str, otherwise: str) -> None:
        """Go on at one of two labels."""
        self.end(f"br i1 {condition.text}, label %{label}, label %{otherwise}")

    def end(self, instruction: str) -> None:
        """The last instruction at this label."""
        if not self.ended:
            self.do(instruction)
        self.ended = True

    # calls ----------------------------------------------------------------------------------------
    def call(self, kind: Type, name: str, arguments: list[Value]) -> Value:
        """The result of a function whose text is fixed, or of one of the program's."""
        self.callees.given(name)
        return self.call_symbol(kind, name, arguments)

    def call_symbol(self, kind: Type, name: str, arguments: list[Value]) -> Value:
        """The result of a function by its name in the module."""
        given = ", ".join(f"{one.type.ir} {one.text}" for one in arguments)
        instruction = f"call {kind.ir} @{name}({given})"
        if kind == NOTHING:
            self.do(instruction)
            return Value(NOTHING, "%")
        return self.make(kind, instruction)

    def intrinsic(self, kind: Type, name: str, arguments: list[Value]) -> Value:
        """The result of one of LLVM's own functions."""
        full = self.callees.intrinsic(name, arguments, kind)
        return self.call_symbol(kind, full, arguments)

    # memory ---------------------------------------------------------------------------------------
    def address(self, value: Value) -> str:
        """An int64 as an address."""
        if not isinstance(value.type, Number) or value.type.bits != 64:
            raise TypeMismatch(f"{value.type} is no address")
        return self.make(value.type, f"inttoptr i64 {value.text} to ptr").text

    def load(self, kind: Number, place: str) -> Value:
        """The number at an address."""
        if kind.stored == kind.ir:
            return self.make(kind, f"load {kind.ir}, ptr {place}")
        byte = self.make(kind, f"load {kind.stored}, ptr {place}")
        return self.make(kind, f"trunc {kind.stored} {byte.text} to {kind.ir}")

    def store(self, value: Value, place: str) -> None:
        """Put a number at an address."""
        kind = value.type
        assert isinstance(kind, Number)
        if kind.stored != kind.ir:
            value = self.make(kind, f"zext {kind.ir} {value.text} to {kind.stored}")
        self.do(f"store {kind.stored} {value.text}, ptr {place}")
