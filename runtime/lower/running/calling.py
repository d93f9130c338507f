"""The call of a program as Python statements: made once for a program, run on every call."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np

from autograph.kernels.compile import Engine
from autograph.kernels.results import KeptArray, KeptList
from autograph.runtime.core.spec import AnySpec, ListSpec, Spec
from autograph.runtime.lower.function import Lowered
from autograph.runtime.lower.lists.list_values import list_in, list_out
from autograph.runtime.lower.running.generators import Generators

Array = np.ndarray[Any, Any]
Plan = tuple[Array | None, list[Any]]
"""The parameters of a call, and the shapes of its results (None where only the run tells).

Without parameters: the sizes are not what the program takes them to be, and another one runs."""


class Callee(Protocol):
    """What a call needs of a program."""

    lowered: Lowered
    engine: Engine
    entry: Any
    plans: dict[tuple[tuple[int, ...], ...], Plan]

    def plan_of_shapes(self, shapes: Sequence[tuple[int, ...] | None]) -> Plan:
        """The plan for inputs of these shapes (None: a number)."""
        ...

    def run_general(self, inputs: Sequence[Any]) -> list[Any]:
        """The outputs by a program that takes no sizes to be equal."""
        ...

    def error(self, status: int, words: Array, inputs: Sequence[Any]) -> BaseException:
        """The exception that a status means."""
        ...


@dataclass(slots=True)
class Call:
    """Statements that call a program, the expressions of its outputs, and what the names mean."""

    lines: list[str]
    outputs: list[str]
    names: dict[str, Any] = field(default_factory=dict)


def call_of(program: Callee, inputs: Sequence[str], trusted: bool) -> Call:
    """The statements that call `program` with the values of these expressions.

    `trusted`: the inputs are known to be arrays of the dtypes and shapes of the program's inputs
    (numbers of their types), so that only their layout in memory is looked at.
    """
    return _Writer(program, inputs, trusted).write()


class _Writer:
    def __init__(self, program: Callee, inputs: Sequence[str], trusted: bool) -> None:
        self.program = program
        self.lowered = program.lowered
        self.inputs = inputs
        self.trusted = trusted
        self.lines: list[str] = []
        self.lists: dict[int, str] = {}
        self.names: dict[str, Any] = {
            "empty": program.engine.empty,
            "entry": program.entry,
            "float64": np.float64,
            "ready": ready,
            "program": program,
            "ndarray": np.ndarray,
            "KeptArray": KeptArray,
            "KeptList": KeptList,
            "list_in": list_in,
            "list_out": list_out,
        }

    def write(self) -> Call:
        """The whole call."""
        arrays = self._arrays()
        self._parameters(arrays)
        rooms, outputs = self._rooms()
        constants = []
        for number, constant in enumerate(self.lowered.constants):
            self.names[f"constant{number}"] = constant
            constants.append(f"constant{number}")
        inputs = [one or self.lists.get(number, "None") for number, one in enumerate(arrays)]
        given = ", ".join(["words", *inputs, *rooms, *constants])
        self.lines += [
            *self._asking(f"status = entry({given})"),
            "if status:",
            f"    raise program.error(status, words, [{self._given(arrays)}])",
        ]
        if not self.lowered.assumptions:
            return Call(self.lines, outputs, self.names)
        return self._with_general(arrays, outputs)

    def _asking(self, run: str) -> list[str]:
        """The statement that runs the program, while no other thread asks its generators."""
        if not self.lowered.generators:
            return [run]
        self.names["generators"] = Generators(self.lowered.generators)
        return ["with generators.found(words):", f"    {run}"]

    def _with_general(self, arrays: list[str | None], outputs: list[str]) -> Call:
        """The call, or that of the general program where the sizes are not as assumed."""
        place = self.planned
        names = [f"output{number}" for number in range(len(outputs))]
        given = self._given(arrays)
        targets = f"[{', '.join(names)}]"
        usual = [*self.lines[place:], f"{targets} = [{', '.join(outputs)}]"]
        lines = [
            *self.lines[:place],
            "if words is None:",
            f"    {targets} = program.run_general([{given}])",
            "else:",
            *(f"    {line}" for line in usual),
        ]
        return Call(lines, names, self.names)

    def _given(self, arrays: list[str | None]) -> str:
        """The inputs of the call, as a program takes them."""
        return ", ".join(a or i for a, i in zip(arrays, self.inputs, strict=True))

    def _arrays(self) -> list[str | None]:
        """The names of the arrays as native code takes them; None for a number or a list."""
        arrays: list[str | None] = []
        for number, (one, spec) in enumerate(zip(self.inputs, self.lowered.inputs, strict=True)):
            if isinstance(spec, ListSpec):
                self.names[f"spec{number}"] = spec
                self.lines.append(f"list{number} = list_in({one}, spec{number})")
                self.lists[number] = self._passed(f"list{number}")
                arrays.append(None)
                continue
            if spec.python and spec.dtype.kind != "c":
                arrays.append(None)
                continue
            name = f"array{number}"
            self.names[f"spec{number}"] = spec
            self.names["asarray"] = np.asarray
            self.lines.append(f"{name} = asarray({one})" if spec.python else f"{name} = {one}")
            # `carray`: contiguous, aligned and writeable; one look for what nearly all arrays are
            test = f"{name}.flags.carray"
            if not self.trusted:
                self.names[f"kind{number}"] = spec.dtype
                test = f"type({name}) is ndarray and {name}.dtype is kind{number} and {test}"
            self.lines += [f"if not ({test}):", f"    {name} = ready({name}, spec{number})"]
            arrays.append(name)
        return arrays

    def _parameters(self, arrays: list[str | None]) -> None:
        """`words`, and `shapes` (of the results) where these are not the same on every call."""
        lowered = self.lowered
        known = [one for one in arrays if one is not None]
        self.fixed: list[Any] | None = None
        if self.trusted and all(map(_is_static, lowered.inputs)):
            known_shapes = list(map(known_shape, lowered.inputs))
            words, self.fixed = self.program.plan_of_shapes(known_shapes)
            self.names["planned"] = words
            self.lines.append("words = planned")
        else:
            self.names["plans"] = self.program.plans
            shapes = "".join(f"{one}.shape, " for one in known)
            every = ", ".join("None" if one is None else f"{one}.shape" for one in arrays)
            self.lines += [
                f"plan = plans.get(({shapes}))",
                "if plan is None:",
                f"    plan = program.plan_of_shapes([{every}])",
                "words, shapes = plan",
            ]
        self.planned = len(self.lines)
        numbers = lowered.words or any(one.word is not None for one in lowered.results)
        if numbers or lowered.sites or lowered.generators:
            self.lines.append("words = words.copy()")  # a call's own: the program writes there
        if numbers:
            self.lines.append("numbers = words.view(float64)")
        for place, word in lowered.words.items():
            spec = lowered.inputs[place]
            assert isinstance(spec, Spec)
            target = "numbers" if spec.dtype.kind == "f" else "words"
            self.lines.append(f"{target}[{word}] = {self.inputs[place]}")

    def _rooms(self) -> tuple[list[str], list[str]]:
        """What the results are written to, and the expressions that give them afterwards."""
        rooms, outputs = [], []
        for number, result in enumerate(self.lowered.results):
            name = f"result{number}"
            if isinstance(result.spec, ListSpec):
                self.names[f"list_spec{number}"] = result.spec
                self.lines.append(f"{name} = KeptList()")
                rooms.append(self._passed(name))
                outputs.append(f"list_out({name}, list_spec{number})")
                continue
            if result.word is not None:
                rooms.append("None")
                outputs.append(_number(result.spec, result.word))
                continue
            self.names[f"dtype{number}"] = result.spec.dtype
            if result.sizes is None:
                self.lines.append(f"{name} = KeptArray(dtype{number}, {result.spec.ndim})")
                rooms.append(self._passed(name))
                outputs.append(f"{name}.array()")
                continue
            shape = repr(self.fixed[number]) if self.fixed else f"shapes[{number}]"
            self.lines.append(f"{name} = empty({shape}, dtype{number})")
            rooms.append(name)
            outputs.append(f"{name}.item()" if result.spec.python else name)
        return rooms, outputs

    def _passed(self, name: str) -> str:
        """What native code gets of a `KeptArray` or a `KeptList`."""
        return f"{name}.words" if self.program.engine.by_words else name


def _is_static(spec: AnySpec) -> bool:
    return isinstance(spec, ListSpec) or spec.is_static


def known_shape(spec: AnySpec) -> tuple[int, ...] | None:
    """The shape of a tensor whose sizes are all known; None for numbers and lists."""
    if isinstance(spec, ListSpec) or (spec.python and spec.dtype.kind != "c"):
        return None
    return tuple(dim for dim in spec.shape if isinstance(dim, int))


def _number(spec: Spec, word: int) -> str:
    """The expression for a Python number that came out as a word."""
    if spec.dtype.kind == "f":
        return f"float(numbers[{word}])"
    return f"{'bool' if spec.dtype.kind == 'b' else 'int'}(words[{word}])"


def ready(value: Any, spec: Spec) -> Array:
    """An array as native code takes it: of the dtype, native, aligned, contiguous."""
    array = value if type(value) is np.ndarray else np.asarray(value)
    flags = array.flags
    if array.dtype != spec.dtype or not array.dtype.isnative:
        if array.dtype.newbyteorder("=") != spec.dtype:
            raise TypeError(f"an array of dtype {array.dtype} came in for {spec}")
        return np.array(array, spec.dtype, order="C")
    if not (flags.c_contiguous and flags.aligned):
        return np.array(array, order="C")
    return array
