"""A program that draws from random generators: natively, or by CPython where draws are noted."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

from autograph.kernels.compile import CPYTHON, NATIVE, Engine
from autograph.kernels.library.python_generators import DRAWS as PYTHON_DRAWS
from autograph.kernels.library.python_generators import is_usual
from autograph.kernels.phases import making
from autograph.runtime.control.draws import Owner, are_noted, native_draw
from autograph.runtime.graph.ir import Graph, Node
from autograph.runtime.lower.function import lower
from autograph.runtime.lower.running.compiled import CompiledProgram
from autograph.runtime.lower.running.driven import DrivenProgram
from autograph.runtime.lower.running.segments import calls_back
from autograph.runtime.lower.sizes.analysis import NotNativeError


def native_draws(graph: Graph) -> set[Node]:
    """The nodes of a graph and its sub-graphs that draw at random and have a native form."""
    return {node for node in calls_back(graph) if native_draw(node) is not None}


class DrawingProgram:
    """A graph with draws that have a native form.

    On a device, which asks no generator, only the loops and branches that draw run on the CPU. A
    generator of Python's whose methods were replaced since is asked by CPython.
    """

    def __init__(self, graph: Graph, engine: Engine, name: str) -> None:
        self.graph = graph
        self.engine = engine
        self.name = name
        self._noting: DrivenProgram | None = None
        draws = [native_draw(node) for node in native_draws(graph)]
        self._python = {one.owner for one in draws if one and one.function in PYTHON_DRAWS}

    @property
    def text(self) -> str:
        """The program, where draws are not noted."""
        return self.program.text

    @property
    def is_native(self) -> bool:
        """Whether that is native as a whole."""
        return self.program.is_native

    @functools.cached_property
    def program(self) -> CompiledProgram | DrivenProgram:
        """What runs while draws are not noted; made when it is asked for first."""
        graph, engine = self.graph, self.engine
        others = calls_back(graph) - native_draws(graph)
        if engine not in (NATIVE, CPYTHON):
            others |= native_draws(graph).intersection(graph.nodes)
        if others:
            reason = NotNativeError("host_call has no native form")
            return DrivenProgram(graph, engine, reason, others)
        try:
            with making("lower", self.name):
                lowered = lower(graph, optimistic=True)
        except NotNativeError as reason:
            return DrivenProgram(graph, engine, reason, set())
        return CompiledProgram(lowered, engine, self._general, self.name)

    def _general(self) -> CompiledProgram:
        return CompiledProgram(lower(self.graph), self.engine, name=self.name)

    def run(self, inputs: Sequence[Any]) -> list[Any]:
        """The outputs for these inputs; raises what the graph raises."""
        if are_noted() or not all(map(_is_usual, self._python)):
            return self._noted(inputs)
        return self.program.run(inputs)

    __call__ = run

    def _noted(self, inputs: Sequence[Any]) -> list[Any]:
        """The same by calls of CPython's, one for each draw."""
        if self._noting is None:
            reason = NotNativeError("draws are noted")
            self._noting = DrivenProgram(self.graph, self.engine, reason, calls_back(self.graph))
        return self._noting.run(inputs)


def _is_usual(owner: Owner) -> bool:
    """Whether a generator of Python's draws as they all do; one that the run makes does."""
    try:
        return is_usual(owner())
    except KeyError:
        return True
