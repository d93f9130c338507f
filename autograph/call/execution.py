"""What runs a graph: machine code, its text in CPython, or the references, op by op."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from autograph.runtime.graph.evaluate import each_its_own, evaluate
from autograph.runtime.graph.ir import Graph

if TYPE_CHECKING:
    from autograph.kernels.compile import Engine
    from autograph.runtime.lower.build import Runnable

Mode = str
"""One of `MODES`, or a GPU by its number, such as `cuda:1`."""
MODES = ("compile", "evaluate", "text", "cuda", "emulate")
_gpu = re.compile(r"cuda(?::(\d+))?")


def chosen_mode(mode: Mode | None) -> Mode:
    """The mode that is asked for, or the default; ValueError for what is no mode."""
    if mode is None:
        return "text" if os.environ.get("AUTOGRAPH_JIT") == "0" else "compile"
    if mode not in MODES and not (isinstance(mode, str) and _gpu.fullmatch(mode)):
        known = ", ".join(map(repr, MODES))
        raise ValueError(f"mode is one of {known}, or a GPU such as 'cuda:1', not {mode!r}")
    return mode


def executor(graph: Graph, mode: Mode) -> Callable[[Sequence[Any]], list[Any]]:
    """What runs a graph."""
    if mode == "evaluate":
        return lambda values: by_references(graph, values)
    return lower(graph, engine=engine_of(mode))


def engine_of(mode: Mode) -> Engine:
    """What runs the programs of a mode."""
    if mode == "emulate":
        from autograph.kernels.cuda.emulator import EMULATOR

        return EMULATOR
    gpu = _gpu.fullmatch(mode)
    if gpu:
        from autograph.kernels.cuda.launch import engine_on_gpu

        return engine_on_gpu(int(gpu[1] or 0))
    from autograph.kernels.compile import CPYTHON, NATIVE

    return NATIVE if mode == "compile" else CPYTHON


def kernel_of(program: Runnable, mode: Mode) -> str:
    """The text of a program as its mode runs it: that of a kernel, on a GPU."""
    if not (mode == "emulate" or _gpu.fullmatch(mode)) or not program.is_native:
        return program.text
    from autograph.kernels.cuda.spread import spread

    return spread(program.text)


def by_references(graph: Graph, values: Sequence[Any]) -> list[Any]:
    """The outputs of a graph, op by op; each is an array of its own, as a program gives them."""
    return each_its_own(evaluate(graph, values), set(map(id, values)))


def lower(graph: Graph, jit: bool | None = None, engine: Engine | None = None) -> Runnable:
    """The program of a graph. The compiler is loaded only by those who compile."""
    from autograph.runtime.lower import build

    return build(graph, jit=jit, engine=engine)
