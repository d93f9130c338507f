"""From a graph to what runs it."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any, Protocol

from autograph.kernels.compile import CPYTHON, NATIVE, Engine, jit_enabled
from autograph.kernels.phases import making
from autograph.runtime.graph.ir import Graph
from autograph.runtime.lower import complex_buffers
from autograph.runtime.lower.complex_pairs.rewriting import in_pairs
from autograph.runtime.lower.control import branches_and_loops, numbers
from autograph.runtime.lower.expand import expand
from autograph.runtime.lower.function import lower
from autograph.runtime.lower.fuse import fuse
from autograph.runtime.lower.library import convolution, draws, linear_algebra, matrix, pooling
from autograph.runtime.lower.lists import list_buffers, list_joins, list_selection
from autograph.runtime.lower.loops import elementwise, scans
from autograph.runtime.lower.movement import indexing, joining, views_and_copies
from autograph.runtime.lower.running.compiled import CompiledProgram
from autograph.runtime.lower.running.drawing import DrawingProgram, native_draws
from autograph.runtime.lower.running.driven import DrivenProgram
from autograph.runtime.lower.sizes import control_sizes, library_sizes, list_sizes, movement_sizes
from autograph.runtime.lower.sizes.analysis import NotNativeError
from autograph.runtime.optimizer import optimize

RULE_MODULES = (
    complex_buffers,
    branches_and_loops,
    control_sizes,
    convolution,
    draws,
    indexing,
    joining,
    library_sizes,
    linear_algebra,
    list_joins,
    list_selection,
    list_sizes,
    list_buffers,
    elementwise,
    matrix,
    views_and_copies,
    movement_sizes,
    numbers,
    pooling,
    scans,
)
"""They fill the tables of rules."""


class Runnable(Protocol):
    """What `build` gives."""

    @property
    def text(self) -> str:
        """The program, as Python."""
        ...

    @property
    def is_native(self) -> bool:
        """Whether it is native as a whole."""
        ...

    def run(self, inputs: Sequence[Any]) -> list[Any]:
        """The outputs for these inputs."""
        ...

    def __call__(self, inputs: Sequence[Any]) -> list[Any]:
        """The same."""
        ...


def build(graph: Graph, jit: bool | None = None, engine: Engine | None = None) -> Runnable:
    """The program of a graph.

    `jit`: whether its text is compiled (by default unless AUTOGRAPH_JIT=0); `engine`: what else is
    to run it. What has no native form is driven by CPython, with programs for the stretches that
    have one.
    """
    if engine is None:
        engine = NATIVE if (jit_enabled() if jit is None else jit) else CPYTHON
    with making("optimise", graph.name):
        plain = optimize(in_pairs(expand(graph)))
        fuse(plain)
    if native_draws(plain):
        return DrawingProgram(plain, engine, graph.name)
    try:
        with making("lower", graph.name):
            lowered = lower(plain, optimistic=True, may_drive=True)
    except NotNativeError as reason:
        return DrivenProgram(plain, engine, reason)
    name = graph.name

    @functools.cache
    def driven() -> DrivenProgram:
        """The program that CPython drives: its exceptions may tell tensors."""
        try:
            lower(plain, optimistic=True)
        except NotNativeError as reason:
            return DrivenProgram(plain, engine, reason)
        raise AssertionError("no exception tells a tensor")

    def drive(inputs: Sequence[Any]) -> list[Any]:
        return driven().run(inputs)

    def general() -> CompiledProgram:
        return CompiledProgram(lower(plain, may_drive=True), engine, name=name, drive=drive)

    return CompiledProgram(lowered, engine, general, name, drive=drive)
