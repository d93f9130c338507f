"""A compiled program: what a call does before and after the native code."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from autograph.kernels.compile import Engine
from autograph.kernels.phases import LISTENERS, phase
from autograph.kernels.support.frames import NO_MEMORY
from autograph.kernels.ticks import begin, end, with_ticks
from autograph.runtime.core.anatomy import StagingError
from autograph.runtime.core.dims import Dim, DimLike
from autograph.runtime.core.spec import AnySpec, ListSpec, ShapeError
from autograph.runtime.lower.function import Lowered
from autograph.runtime.lower.running.calling import Call, Plan, call_of
from autograph.runtime.lower.sizes.polynomials import evaluated

Array = np.ndarray[Any, Any]
MAXIMUM_PLANS = 256


class CompiledProgram:
    """A graph that runs as one native function (or as its text in CPython: see `Engine`)."""

    def __init__(
        self,
        lowered: Lowered,
        engine: Engine,
        general: Callable[[], CompiledProgram] | None = None,
        name: str = "",
        inner: bool = False,
        drive: Callable[[Sequence[Any]], Any] | None = None,
    ) -> None:
        """`inner`: it is a part of a program, and may be given what stands for no value.

        `drive`: runs the graph in CPython, for exceptions that tell a tensor.
        """
        self.name = name
        self.inner = inner
        self.drive = drive
        self.text = lowered.text
        self.is_native = True
        self.lowered = lowered
        self.engine = engine
        try:
            self.entry = engine.entry_of(lowered.text)
        except IndentationError:
            raise StagingError(
                "a program has more than a hundred branches and loops in one another",
                remedy="stage the recursion, by a tensor that tells how deep it goes, or run the "
                "graph op by op: ag.function(f, mode='evaluate')",
            ) from None
        self.plans: dict[tuple[tuple[int, ...], ...], Plan] = {}
        """By the shapes of the inputs that are arrays."""
        self._run: Any = None
        self._make_general = general
        self._general: CompiledProgram | None = None
        self._with_clocks: CompiledProgram | None = None

    def run(self, inputs: Sequence[Any]) -> list[Any]:
        """The outputs for these inputs; raises what the program raises.

        Arrays must have the dtypes and fit the shapes of the graph's inputs. They are never
        written; tensors come out as new arrays, Python numbers as Python numbers.
        """
        if LISTENERS:
            return self._profiled(inputs)
        if self._run is None:
            self._run = self._compiled_run()
        outputs: list[Any] = self._run(inputs)
        return outputs

    __call__ = run

    def _profiled(self, inputs: Sequence[Any]) -> list[Any]:
        """The same by a program with clocks in it, if it can have some; told as a phase."""
        if not self.engine.has_clocks:
            self._run = self._run or self._compiled_run()
            with phase("run", self.name):
                whole: list[Any] = self._run(inputs)
            return whole
        clocked = self._with_clocks
        if clocked is None:
            lowered = replace(self.lowered, text=with_ticks(self.text))
            clocked = CompiledProgram(
                lowered, self.engine, self._make_general, self.name, drive=self.drive
            )
            clocked._run = clocked._compiled_run()
            self._with_clocks = clocked
        with phase("run", self.name):
            before = begin()
            try:
                outputs: list[Any] = clocked._run(inputs)
            finally:
                end(before)
        return outputs

    def _compiled_run(self) -> Any:
        names = [f"input{number}" for number in range(len(self.lowered.inputs))]
        call = call_of(self, names, trusted=False)
        lines = [
            "def run(inputs):",
            f"    [{', '.join(names)}] = inputs",
            *(f"    {line}" for line in call.lines),
            f"    return [{', '.join(call.outputs)}]",
        ]
        exec(compile("\n".join(lines), "<autograph call>", "exec"), call.names)
        return call.names["run"]

    def call(self, inputs: Sequence[str]) -> Call:
        """The statements of a call whose inputs, given as expressions, need no checks."""
        return call_of(self, inputs, trusted=True)

    def run_general(self, inputs: Sequence[Any]) -> list[Any]:
        """The outputs by a program that takes no sizes to be equal."""
        if self._general is None:
            assert self._make_general is not None
            self._general = self._make_general()
        return self._general.run(inputs)

    def error(self, status: int, words: Array, inputs: Sequence[Any]) -> BaseException:
        """The exception that a status means."""
        if status == NO_MEMORY:
            return MemoryError("there is not the memory that this call needs")
        site = self.lowered.sites[status - 1]
        error = self._driven_error(inputs) if site.make is None else site.make(words)
        if not hasattr(error, "__autograph_location__"):
            error.__autograph_location__ = site.location  # type: ignore[attr-defined]
        return error

    def _driven_error(self, inputs: Sequence[Any]) -> BaseException:
        """The exception that CPython raises for these inputs."""
        assert self.drive is not None
        try:
            self.drive(inputs)
        except BaseException as error:
            return error.with_traceback(None)
        raise AssertionError("what failed natively did not fail in CPython")

    # sizes ------------------------------------------------------------------------------------
    def plan_of_shapes(self, shapes: Sequence[tuple[int, ...] | None]) -> Plan:
        """The plan for inputs of these shapes (None: a number), kept for the next call."""
        key = tuple(shape for shape in shapes if shape is not None)
        known = self.plans.get(key)
        if known is None:
            if len(self.plans) > MAXIMUM_PLANS:
                self.plans.clear()
            known = self.plans[key] = self._new_plan(shapes)
        return known

    def _new_plan(self, given: Sequence[tuple[int, ...] | None]) -> Plan:
        lowered = self.lowered
        symbols = bound_symbols(lowered.inputs, given, self.inner)
        values = evaluated(lowered.sources, symbols)
        for one, other in lowered.assumptions:
            if _number(one, values) != _number(other, values):
                return None, []
        words = np.zeros(lowered.word_count, np.int64)
        for word, name in lowered.sizes:
            words[word] = values[name]
        for word, value, dtype in lowered.literals:
            if dtype.kind == "f":
                words.view(np.float64)[word] = value
            else:
                words[word] = np.asarray(value).astype(np.int64)
        shapes: list[Any] = []
        for result in lowered.results:
            shape: Any = None
            if result.sizes is not None:
                shape = tuple(_number(size, values) for size in result.sizes)
            shapes.append(shape)
        return words, shapes


def _number(size: DimLike, values: dict[str, int]) -> int:
    return size if isinstance(size, int) else size.substitute(values)


def bound_symbols(
    specs: Sequence[AnySpec], shapes: Sequence[tuple[int, ...] | None], inner: bool = False
) -> dict[str, int]:
    """The symbols of the inputs' shapes. ShapeError where the arrays do not fit the specs.

    `inner`: an array without elements may stand for a value that no path taken has made.
    """
    symbols: dict[str, int] = {}
    for plain in (True, False):
        for spec, shape in zip(specs, shapes, strict=True):
            if shape is None or isinstance(spec, ListSpec):
                continue
            if len(shape) != spec.ndim:
                raise ShapeError(f"an array of shape {shape} came in for {spec}")
            for dim, size in zip(spec.shape, shape, strict=True):
                if isinstance(dim, Dim) and (dim.name is not None) == plain:
                    wanted = symbols.setdefault(dim.name, size) if plain and dim.name else None
                    expected = wanted if wanted is not None else dim.substitute(symbols)
                    if expected != size and inner and 0 in (expected, size):
                        if plain and dim.name:
                            symbols[dim.name] = max(expected, size)
                    elif expected != size:
                        raise ShapeError(f"an array of shape {shape} came in for {spec}")
                elif isinstance(dim, int) and plain and dim != size:
                    raise ShapeError(f"an array of shape {shape} came in for {spec}")
    return symbols
