"""Graphs with symbolic sizes run as programs, too, wherever a test only evaluates them.

In CPython, where a wrong index is an IndexError, and compiled. The optimizer and the lowering know
less of such a graph, and a program that only the evaluator has run tells nothing of them. So each
of these graphs becomes a program that runs on the same inputs.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from autograph.call import execution
from autograph.runtime.control.effects import graph_effect
from autograph.runtime.core.dims import Dim
from autograph.runtime.core.list_value import ListValue
from autograph.runtime.core.record import Effect
from autograph.runtime.core.spec import ListSpec
from autograph.runtime.graph.ir import Graph
from autograph.runtime.optimizer.rewriting import all_graphs

LARGEST = 600
"""How many nodes a graph has at most."""
Run = Callable[[Sequence[Any]], list[Any]]


class DifferentProgramError(BaseException):
    """A program gave something else than the graph: no Exception, so that nothing catches it."""


def install() -> None:
    """Run every small graph with symbolic sizes as a program beside."""
    vars(sys.modules["autograph.call.function"])["executor"] = executor


def executor(graph: Graph, mode: execution.Mode) -> Run:
    """What runs a graph; evaluated ones of symbolic sizes beside their programs."""
    run = execution.executor(graph, mode)
    return _beside(graph, run) if mode == "evaluate" and has_symbols(graph) else run


def has_symbols(graph: Graph) -> bool:
    """Whether a small graph, which calls nothing back, has sizes that are not known."""
    graphs = all_graphs(graph)
    nodes = [node for one in graphs for node in one.nodes]
    if len(nodes) > LARGEST or graph_effect(graph) is Effect.CALLS_BACK:
        return False
    values = [value for node in nodes for value in node.outputs] + graph.inputs
    specs = [value.spec for value in values]
    shapes = [one.element.shape if isinstance(one, ListSpec) else one.shape for one in specs]
    return any(isinstance(size, Dim) for shape in shapes for size in shape)


def _beside(graph: Graph, evaluated: Run) -> Run:
    programs: list[Run] = []

    def run(inputs: Sequence[Any]) -> list[Any]:
        if not programs:
            programs.extend(execution.lower(graph, jit=jit).run for jit in (False, True))
        found = [_outcome(functools.partial(program, inputs)) for program in programs]
        wanted = _outcome(lambda: evaluated(inputs))
        for one in found:
            _compare(wanted, one)
        if isinstance(wanted, Exception):
            raise wanted
        return wanted

    return run


def _compare(wanted: list[Any] | Exception, found: list[Any] | Exception) -> None:
    if isinstance(wanted, Exception) or isinstance(found, Exception):
        if not isinstance(found, type(wanted)):
            raise DifferentProgramError(f"{wanted!r}, but the program {found!r}")
        return
    for one, other in zip(wanted, found, strict=True):
        if not alike(one, other):
            raise DifferentProgramError(f"{one!r}, but the program gave {other!r}")


def _outcome(run: Callable[[], list[Any]]) -> list[Any] | Exception:
    try:
        return run()
    except Exception as error:
        return error


def alike(one: Any, other: Any) -> bool:
    """Whether two results are the same but for rounding."""
    if isinstance(one, ListValue):
        return len(one) == len(other) and all(map(alike, one, other))
    left, right = np.asarray(one), np.asarray(other)
    if left.dtype != right.dtype or left.shape != right.shape:
        return False
    if left.dtype.kind not in "fc":
        return bool((left == right).all())
    close = 1e-4 if left.dtype.itemsize == 4 or not left.ndim else 1e-9  # it may be a float32's
    return bool(np.allclose(left, right, rtol=close, atol=close, equal_nan=True))
