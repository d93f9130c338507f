"""A checked call: the eager original, the graph by `evaluate`, the program, one after the other.

All three run on the user's own objects: the state that they can reach is kept before, and put back
in place after each but the last. So identity, closures and globals are what they are without check
mode. Tapes of the outside see the last run only.
"""

from __future__ import annotations

import copy
import functools
import inspect
import threading
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Protocol

from autograph.call.execution import by_references
from autograph.call.iterator_arguments import settle
from autograph.checking.comparison import (
    Close,
    Comparison,
    Difference,
    SameText,
    exactly,
)
from autograph.checking.outcome import (
    Outcome,
    Pictures,
    first_difference,
    observed,
    of_states,
    pictures,
)
from autograph.checking.reach import ITERATORS, ONCE, Reach
from autograph.checking.report import (
    check_error,
    first_line,
    line_of,
    unlogged_effect,
    warn_of_rounding,
)
from autograph.checking.rounding import Rounding
from autograph.checking.snapshot import Snapshot
from autograph.errors import CheckError, StagingError
from autograph.operators.builtins.printing import HostFunction
from autograph.runtime.core.state import STATE
from autograph.runtime.graph.ir import Graph
from autograph.runtime.graph.trace import RunLimitError
from autograph.runtime.lower.complex_pairs.borders import touches_complex
from autograph.runtime.optimizer.rewriting import all_graphs
from autograph.tracing.lent_generators import is_lent
from autograph.tracing.tracing import eagerly
from autograph.values.skeleton import Choices, Group, Grown, Held, Made, Skeleton

if TYPE_CHECKING:
    from autograph.call.concrete import ConcreteFunction

LOCK = threading.RLock()
"""One checked call at a time: it changes and gives back state that threads may share."""
ADMITTED = (
    "Python int too large for a staged one",
    "a staged int to a negative power",
    "a staged negative float to a fractional power",
)
"""How the errors begin that staged numbers raise and Python's own do not: docs/limits.md."""


class _Active(threading.local):
    checking = False


_ACTIVE = _Active()


def is_checking() -> bool:
    """Whether this thread is in a checked call: calls inside it are a part of it."""
    return _ACTIVE.checking


class Checkable(Protocol):
    """What a checked call needs of a staged function."""

    mode: Any
    plain: Any
    """The Python function behind it."""
    bound: tuple[Any, ...]
    """The instance that it is bound to, if any."""

    @property
    def python_function(self) -> Callable[..., Any]:
        """The function as it was written."""

    def prepared(
        self, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> tuple[ConcreteFunction, tuple[Any, ...]]:
        """The trace for a call, and the arguments that it takes."""

    def remember(self, concrete: ConcreteFunction, arguments: tuple[Any, ...]) -> None:
        """Note that a call made Variables."""

    def traced_anew(self, concrete: ConcreteFunction, error: BaseException | None) -> bool:
        """Whether a number overflowed, or a list turned out empty: another trace knows it."""


def checked_call(function: Checkable, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """The result of a call, or its exception, or CheckError where eager Python differs."""
    with LOCK:
        _ACTIVE.checking = True
        try:
            outcome = _Check(function, args, kwargs).run()
        finally:
            _ACTIVE.checking = False
    if outcome.error is not None:
        raise outcome.error
    return outcome.result


class _Check:
    def __init__(self, function: Checkable, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        self.function = function
        self.args = args
        self.kwargs = kwargs
        self.line = first_line(function.plain)
        self.reach = Reach(function.plain, self._named_arguments())
        self.snapshot = Snapshot(self.reach)
        self.before = pictures(self.reach)
        self.outputs: Sequence[Any] = ()

    def _named_arguments(self) -> dict[str, Any]:
        """The arguments by the names of the parameters."""
        given = (*self.function.bound, *self.args)
        try:
            bound = inspect.signature(self.function.plain).bind(*given, **self.kwargs)
        except TypeError:  # the call itself will say so
            return {f"argument {number}": one for number, one in enumerate(given)}
        return dict(bound.arguments)

    def run(self) -> Outcome:
        """What the last run gave, if it is as it should be. Else everything is as before."""
        try:
            while True:
                concrete, outcome = self._run()
                if self.function.traced_anew(concrete, outcome.error):
                    continue
                if concrete.makes and outcome.error is None:
                    self.function.remember(concrete, (*self.function.bound, *self.args))
                return outcome
        except BaseException:
            self.snapshot.restore()
            raise

    def _run(self) -> tuple[ConcreteFunction, Outcome]:
        concrete, arguments = self._traced()
        if concrete.lifted:  # what is done while tracing cannot be done twice
            run = functools.partial(self._run_graph, concrete, arguments, True)
            return concrete, self._observed(run, last=True)
        values = concrete.values(arguments)
        eager = self._observed(self._eager)
        expected = eager
        if eager.error is not None:  # then a staged call has changed nothing, itself
            state = None if _calls_python(concrete.graph, {}) else self._taken_back(eager.state)
            expected = replace(eager, state=state)
        names = ["the graph"] if self.function.mode == "evaluate" else ["the graph", "the program"]
        for name in names:
            last = name == names[-1]
            run = functools.partial(self._run_graph, concrete, arguments, last)
            outcome = self._observed(run, last)
            if _is_admitted(outcome.error):
                break
            if not any(map(_is_too_deep, (expected, outcome))):
                self._judge(concrete, values, expected, outcome, name)
            if isinstance(outcome.error, StagingError):
                break
        if outcome.error is None:
            settle(arguments)
        return concrete, outcome

    def _taken_back(self, after: Pictures | None) -> Pictures | None:
        """The state after a call that raises: as before, but what was drawn stays drawn."""
        if after is None:
            return None
        places = zip(self.reach.places(), self.before, after, strict=True)
        return [drawn if is_lent(one.item) else before for one, before, drawn in places]

    def _judge(
        self,
        concrete: ConcreteFunction,
        values: list[Any],
        expected: Outcome,
        outcome: Outcome,
        run: str,
    ) -> None:
        """Compare a run with the eager one: CheckError, or a warning where rounding decided.

        The graph is eager Python to the bit, but that it adds up gradients in another order, and
        that NumPy rounds products of complex scalars otherwise than those of arrays.
        """
        exact = self._difference(concrete, expected, outcome, exactly)
        if exact is None or isinstance(outcome.error, StagingError):
            return
        found: Difference | None = exact
        turned = None
        if run == "the program" or concrete.differentiates or _has_complex(concrete.graph):
            after = Snapshot(self.reach)
            self.snapshot.restore()
            rounding = Rounding(concrete.graph, values, self.outputs, concrete.differentiates)
            after.restore()
            found = self._difference(
                concrete, expected, outcome, rounding.close, rounding.same_text
            )
            turned = rounding.met if found is None else rounding.explains(found)
            if found is None and turned is not None and exact.origin is rounding.moved:
                found = exact
        if turned is not None:
            warn_of_rounding(turned, found, run, self.line)
        elif found is not None:
            line = line_of(found, concrete.graph, self.outputs, outcome.line or self.line)
            raise check_error(found, run, line)

    def _difference(
        self,
        concrete: ConcreteFunction,
        expected: Outcome,
        actual: Outcome,
        close: Close,
        same: SameText = str.__eq__,
    ) -> Difference | None:
        # docs/limits.md: lists that grew in a staged loop hold tensors of their own
        parts = [concrete.concluded.result, *(one.skeleton for one in concrete.concluded.writes)]
        copies = any(map(_has_grown, parts))
        return first_difference(expected, actual, close, same, copies=copies)

    # the runs ---------------------------------------------------------------------------------
    def _traced(self) -> tuple[ConcreteFunction, tuple[Any, ...]]:
        """The trace; what tracing did to the state must be taken back, refused or not."""
        lifted = False
        try:
            concrete, arguments = self.function.prepared(self.args, self.kwargs)
            lifted = concrete.lifted
            return concrete, arguments
        finally:
            found = of_states(self.before, pictures(self.reach), Comparison(exactly))
            if found is not None and not lifted:
                raise unlogged_effect(found, self.line)

    def _eager(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        with eagerly():
            return self.function.python_function(*args, **kwargs)

    def _run_graph(
        self,
        concrete: ConcreteFunction,
        arguments: tuple[Any, ...],
        last: bool,
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
    ) -> Any:
        """The graph by `evaluate`, or in the last run by what runs it without check mode."""
        for variable, initial in concrete.made:
            variable._value = initial
        with concrete.lending.during(arguments, concrete.objects):
            if not last:
                with eagerly():
                    self.outputs = by_references(concrete.graph, concrete.values(arguments))
            elif STATE.tapes:
                self.outputs = concrete.differentiable(concrete.tensors(arguments))
            else:
                self.outputs = concrete.execute(concrete.values(arguments))
        return concrete.finish(arguments, self.outputs)

    def _observed(self, run: Callable[..., Any], last: bool = False) -> Outcome:
        """What a run shows; all but the last leave no trace."""
        args, kwargs = (self.args, self.kwargs) if last else self._copied()
        self.outputs = ()
        outcome = observed(lambda: run(args, kwargs), self.reach, live=last)
        if not last:
            self.snapshot.restore()
        return outcome

    def _copied(self) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """The arguments, with copies of the iterators among them: a run goes through these."""
        return (
            tuple(map(self._own, self.args)),
            {name: self._own(one) for name, one in self.kwargs.items()},
        )

    def _own(self, argument: Any) -> Any:
        if isinstance(argument, ONCE):
            kind = type(argument).__name__
            raise CheckError(
                f"check mode runs a call several times, and an argument is a {kind}, which can be "
                "gone through once",
                location=self.line,
                remedy="pass a list, or call the function without check mode",
            )
        if not isinstance(argument, ITERATORS):
            return argument
        made = copy.copy(argument)
        self.reach.stands_for(made, argument)
        return made


def _calls_python(graph: Graph, seen: dict[int, Graph]) -> bool:
    """Whether a graph calls functions of the user's, by py_function."""
    if id(graph) in seen:
        return False
    seen[id(graph)] = graph
    return any(
        isinstance(node.attributes.get("function"), HostFunction)
        or any(_calls_python(inner, seen) for inner in node.graphs)
        for node in graph.nodes
    )


def _has_complex(graph: Graph) -> bool:
    return any(touches_complex(node) for one in all_graphs(graph) for node in one.nodes)


def _has_grown(skeleton: Skeleton) -> bool:
    """Whether some list in a result has a length that is known only at run time."""
    match skeleton:
        case Grown():
            return True
        case Group(items=items) | Made(items=items) | Held(items=items):
            return any(map(_has_grown, items))
        case Choices(options=options):
            return any(map(_has_grown, options))
    return False


def _is_too_deep(outcome: Outcome) -> bool:
    """Whether a run ended at the limit of recursion, which is another one in each."""
    return isinstance(outcome.error, RecursionError)


def _is_admitted(error: BaseException | None) -> bool:
    """Whether an error is one that only staged numbers and lists of staged length raise."""
    return isinstance(error, RunLimitError) or str(error or "").startswith(ADMITTED)
