"""What an emitted `with` means: the methods of the manager are converted like any other call."""

from __future__ import annotations

import contextlib
import sys
import types
import warnings
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from types import TracebackType
from typing import Any

import numpy as np

from autograph.control.attempts import Clauses, attempt
from autograph.control.raising import PassingBy
from autograph.errors import StagingError, StateError, TracingSignal
from autograph.operators.builtins.warning_functions import with_filters_held
from autograph.operators.calls.dispatch import call_method, special_method
from autograph.operators.expressions.conditional_expression import branch
from autograph.operators.expressions.truth import choose, condition
from autograph.operators.iterators.generator_consumers import Consumer, run_inlined
from autograph.operators.iterators.generator_recipes import fresh_recipe, note_advanced, recipe_of
from autograph.operators.statements.completion_codes import COMPLETED
from autograph.operators.statements.if_and_while import Body, Locals
from autograph.operators.statements.try_statement import while_handling
from autograph.operators.statements.uncaught import refuse_raising
from autograph.runtime.core.number import Number
from autograph.runtime.core.python_versions import returns_only_false
from autograph.tracing.region import Region
from autograph.tracing.tracing import Tracing, current
from autograph.values.choice import Choice


def with_stmt(manager: Any, body: Body, names: Sequence[str]) -> Any:
    """`with manager as target: body(target)`; gives the completion code."""
    tracing = current()
    if tracing is None:
        with manager as target:
            return body(target)
        return COMPLETED
    _refuse_redirection(manager)
    local = Locals(tracing, (body,), names, sys._getframe(1))
    if isinstance(manager, np.errstate):
        _require_silence(manager)
    if isinstance(manager, warnings.catch_warnings):
        return with_filters_held(tracing, manager, lambda: local.run(body, None))
    if isinstance(manager, contextlib._GeneratorContextManager):
        if fresh_recipe(tracing, manager.gen) is not None:
            return _around_yield(tracing, local, manager.gen, body)
        return _protected(tracing, local, GeneratorContext(tracing, manager), body)
    if isinstance(manager, Choice) and all(map(is_converted, manager.options)):
        return _protected(tracing, local, MethodsOfEach(tracing, manager), body)
    _refuse_choice(manager)
    if not is_converted(manager):
        with manager as target:
            return local.run(body, target)
        return COMPLETED
    return _protected(tracing, local, Methods(manager), body)


def _refuse_redirection(manager: Any) -> None:
    if isinstance(manager, contextlib._RedirectStream):
        raise StateError(
            f"{type(manager).__name__} inside a staged function, which prints when the graph runs",
            remedy="redirect the output around the call of the staged function",
        )


def _require_silence(manager: Any) -> None:
    """StateError for floating-point errors that are to be told: no op of a graph tells them."""
    kinds = ("_all", "_divide", "_over", "_under", "_invalid")
    told = [getattr(manager, kind, None) for kind in kinds]
    if any(one in ("raise", "call", "print", "log") for one in told):
        raise StateError(
            "np.errstate has floating-point errors raise or be told, which staged code does not",
            remedy="test for them: if not np.isfinite(y).all(): raise FloatingPointError(...)",
        )


def _refuse_choice(manager: Any) -> None:
    if isinstance(manager, Choice):
        raise StateError(
            "a with statement is given one of several context managers, depending on a staged "
            "condition",
            remedy="put the with statement into the branches, where it is one manager",
        )


def is_converted(manager: Any) -> bool:
    """Whether the methods of a manager are Python functions, and not this package's."""
    ours = type(manager).__module__.split(".")[0] == "autograph"
    found = [special_method(type(manager), name) for name in ("__enter__", "__exit__")]
    return not ours and all(hasattr(one, "__code__") for one in found)


def _protected(tracing: Tracing, local: Locals, manager: Any, body: Body) -> Any:
    """The body between `__enter__` and `__exit__`, which is told how it ended."""
    entered = manager.__enter__()

    def completed(code: Any) -> Any:
        manager.__exit__(None, None, None)
        return code

    def caught(clause: Any, error: BaseException) -> Any:
        def leave() -> Any:
            return manager.__exit__(type(error), error, error.__traceback__)

        def go_on() -> Any:
            raise error

        if isinstance(error, PassingBy):  # what Python tells a generator that is left
            manager.__exit__(GeneratorExit, GeneratorExit(), None)
            return go_on()
        swallows = condition(tracing, while_handling(error, leave))
        if isinstance(swallows, bool):
            return COMPLETED if swallows else go_on()
        return local.switch(swallows, [go_on, lambda: COMPLETED])

    clauses = Clauses(completed, lambda error: 0, caught, everything=True)
    forgotten = {place.key for place in local.stored_dead()}
    run: Callable[[], Any] = lambda: local.run(body, entered)  # noqa: E731
    return attempt(tracing, run, clauses, body.__code__, forgotten)


class Methods:
    """A manager, whose two methods are converted."""

    def __init__(self, manager: Any) -> None:
        self.manager = manager

    def __enter__(self) -> Any:
        return call_method(self.manager, "__enter__")

    def __exit__(self, *given: Any) -> Any:
        return call_method(self.manager, "__exit__", *given)


class MethodsOfEach:
    """One of several managers, whose methods are all converted."""

    def __init__(self, tracing: Tracing, manager: Choice) -> None:
        self.tracing = tracing
        self.manager = manager

    def __enter__(self) -> Any:
        return choose(self.tracing, self.manager, lambda one: call_method(one, "__enter__"))

    def __exit__(self, *given: Any) -> Any:
        return choose(self.tracing, self.manager, lambda one: call_method(one, "__exit__", *given))


# generators made into managers --------------------------------------------------------------------
class WithBody(Consumer):
    """The body of a `with` over a generator: it runs where that yields, and raises there."""

    __slots__ = ("entered",)

    def __init__(self, tracing: Tracing, local: Locals, body: Body) -> None:
        super().__init__(tracing, local, body)
        self.code = COMPLETED
        self.entered: Any = False

    def take(self, item: Any, handled: bool = False) -> Any:
        """Run the body; the generator goes on after it."""
        tracing = self.tracing
        branch(tracing, self.entered, _did_not_stop, lambda: None)
        self._set("entered", True)
        outer, tracing.forgotten = tracing.forgotten, self.around
        try:
            code = self.local.run(self.body, item)
        except Exception as error:
            self.error = error
            raise
        finally:
            tracing.forgotten = outer
        self._set("code", code)
        return False


def _did_not_stop() -> None:
    raise RuntimeError("generator didn't stop")


def _did_not_yield() -> None:
    raise RuntimeError("generator didn't yield")


def _around_yield(tracing: Tracing, local: Locals, generator: Any, body: Body) -> Any:
    """The body in the place of the `yield` of a generator's second form."""
    recipe = fresh_recipe(tracing, generator)
    assert recipe is not None
    consumer = WithBody(tracing, local, body)
    tracing.born(consumer)
    tracing.forgotten = (*tracing.forgotten, *local.own_dead)
    try:
        run_inlined(tracing, recipe, consumer)
    finally:
        tracing.forgotten = consumer.around
    branch(tracing, consumer.entered, lambda: None, _did_not_yield)
    return consumer.code


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
        if "Staging" in self.manager.gen.gi_code.co_names:  # it has handlers
            nodes = self.tracing.region.trace.graph.nodes[self.start :]
            refuse_raising(nodes, "a with whose generator may catch what it raises")
        note_advanced(self.tracing, self.manager.gen)
        return self.manager.__exit__(kind, error, trace)


# around a `yield` ---------------------------------------------------------------------------------
def context(manager: Any) -> AbstractContextManager[Any]:
    """The context manager of a `with` that stays one, since a `yield` stands in it."""
    tracing = current()
    ours = type(manager).__module__.split(".")[0] == "autograph"
    if tracing is None or (ours and not isinstance(manager, Choice)):
        return manager  # type: ignore[no-any-return]
    _refuse_redirection(manager)
    _refuse_choice(manager)
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
        if _is_ours(error):
            return False  # the trace goes on elsewhere: this is nobody's to see, or to swallow
        if may_swallow(type(self.manager).__exit__):
            nodes = self.tracing.region.trace.graph.nodes[self.start :]
            refuse_raising(nodes, "a with whose __exit__ may swallow what it raises")
        result = call_method(self.manager, "__exit__", kind, error, trace)
        return result if isinstance(result, Number) else bool(result)


def _is_ours(error: BaseException | None) -> bool:
    """Whether an exception is one of staging, which no program raises."""
    return isinstance(error, (StagingError, TracingSignal))


def may_swallow(leave: Any) -> bool:
    """Whether an `__exit__` may return something true: it returns more than None, False and 0."""
    return not (isinstance(leave, types.FunctionType) and returns_only_false(leave.__code__))


ENTERING = ("_BaseExitStack.push", "ExitStack.enter_context", "_BaseExitStack.enter_context")
"""Methods of `contextlib.ExitStack` that leave a context to be closed by the stack."""


def refuse_late_entry(tracing: Tracing, stack: Any) -> None:
    """StateError for a context that a staged branch or loop gives to a stack from outside of it.

    How many contexts the stack is to close, and which, only the run would tell.
    """
    region: Region | None = tracing.region
    while region is not None and id(stack) not in region.born:
        own = region.parent is None or region.trace is not region.parent.trace
        if own and region.trace.graph.name.startswith(("branch", "step")):
            raise StateError(
                "an ExitStack that was made before a staged branch or loop is given a context in "
                "it",
                remedy="write `with` inside the branch, or make the stack there",
            )
        region = region.parent
