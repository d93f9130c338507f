"""`with` over a context manager of the user's: its methods are converted like any other call."""

from __future__ import annotations

import contextlib
import dis
import types
from contextlib import AbstractContextManager
from types import TracebackType
from typing import Any

from autograph.effects.tracing import Tracing, current
from autograph.errors import StateError
from autograph.operators.dispatch import call_method
from autograph.operators.recipes import note_advanced, recipe_of
from autograph.operators.trying import refuse_raising
from autograph.runtime.core.number import Number


def context(manager: Any) -> AbstractContextManager[Any]:
    """The context manager of a `with` statement."""
    tracing = current()
    if tracing is None or type(manager).__module__.split(".")[0] == "autograph":
        return manager  # type: ignore[no-any-return]
    if isinstance(manager, contextlib._RedirectStream):
        raise StateError(
            f"{type(manager).__name__} inside a staged function, which prints when the graph runs",
            remedy="redirect the output around the call of the staged function",
        )
    if isinstance(manager, contextlib._GeneratorContextManager):
        return GeneratorContext(tracing, manager)
    if not hasattr(type(manager).__enter__, "__code__"):
        return manager  # type: ignore[no-any-return]
    return Context(tracing, manager)


class Context:
    """The manager, with its two methods called while tracing."""

    def __init__(self, tracing: Tracing, manager: Any) -> None:
        self.tracing = tracing
        self.manager = manager
        self.start = 0

    def __enter__(self) -> Any:
        entered = call_method(self.manager, "__enter__")
        self.start = len(self.tracing.region.trace.graph.nodes)
        return entered

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> Any:
        if may_swallow(type(self.manager).__exit__):
            nodes = self.tracing.region.trace.graph.nodes[self.start :]
            refuse_raising(nodes, "a with whose __exit__ may swallow what it raises")
        result = call_method(self.manager, "__exit__", kind, error, trace)
        return result if isinstance(result, Number) else bool(result)


class GeneratorContext:
    """A manager made by `contextlib.contextmanager`, whose generator is converted."""

    def __init__(self, tracing: Tracing, manager: Any) -> None:
        self.tracing = tracing
        self.manager = manager
        self.start = 0

    def __enter__(self) -> Any:
        if recipe_of(self.tracing, self.manager.gen) is None:
            raise StateError(
                "a context manager of a generator that was not made while tracing",
                remedy="call the function that makes it inside the staged function",
            )
        note_advanced(self.tracing, self.manager.gen)
        entered = self.manager.__enter__()
        self.start = len(self.tracing.region.trace.graph.nodes)
        return entered

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> Any:
        if "StagingError" in self.manager.gen.gi_code.co_names:  # it has handlers
            nodes = self.tracing.region.trace.graph.nodes[self.start :]
            refuse_raising(nodes, "a with whose generator may catch what it raises")
        note_advanced(self.tracing, self.manager.gen)
        return self.manager.__exit__(kind, error, trace)


def may_swallow(leave: Any) -> bool:
    """Whether an `__exit__` may return something true: it returns more than None and False."""
    if not isinstance(leave, types.FunctionType):
        return True
    before: Any = None
    for instruction in dis.get_instructions(leave):
        if instruction.opname == "RETURN_VALUE":
            constant = before is not None and before.opname == "LOAD_CONST"
            if not constant or before.argval not in (None, False):
                return True
        if instruction.opname == "RETURN_CONST" and instruction.argval not in (None, False):
            return True
        before = instruction
    return False
