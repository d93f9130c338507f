"""Runs a program of the corpus in a mode and writes down all there is to see.

The scenario, the same in every mode: for every set of arguments call, mutate what came back, change
the argument cells in place and call again with the same objects, call with new objects of other
values; then every change that the program declares, each followed by a call. What is written down
after every step is the outcome, what was printed, and one frozen picture of everything reachable:
results, arguments, state, globals and earlier results, with which object is which.
"""

from __future__ import annotations

import contextlib
import io
import signal
import traceback
import types
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

import autograph as ag
from autograph.checking.comparison import difference
from autograph.checking.picture import freeze
from autograph.checking.reach import Reach
from autograph.checking.texts import same_text
from autograph.conversion.tracebacks import trimmed
from autograph.runtime.core.location import is_ours
from autograph.runtime.ops.indexing.assignment import DerivedError
from autograph.tracing.lent_generators import GENERATORS, put_state, state_of
from tests.corpus.registry import Case, Program, World, fresh

EXACT = ("converted", "evaluate", "checked")
SECONDS = {
    "eager": 10,
    "compile": 120,
    "text": 60,
    "emulate": 120,
    "checked": 60,
    "checked-text": 60,
    "checked-compile": 120,
}


@dataclass
class Observation:
    """What one step showed."""

    step: str
    outcome: Any
    printed: str
    picture: Any
    drawn: dict[str, Any] = field(default_factory=dict)
    """The states of the random generators that a call which raised left, by their paths."""


@dataclass
class Scenario:
    """One run of a program in one mode."""

    program: Program
    mode: str
    void: dict[int, Observation] = field(default_factory=dict)
    """Calls that raised in an earlier run of the same scenario, and are now as if never made."""
    mutations: dict[int, list[bool]] = field(default_factory=dict)
    """Which mutations the eager run could make; the other modes make the same."""
    seen: list[Observation] = field(default_factory=list)
    kept: list[Any] = field(default_factory=list)
    world: World | None = None

    def play(self, transaction: bool = False) -> list[Observation]:
        """Run it; `transaction`: a call that raises leaves everything as it was before."""
        while True:
            self.seen, self.kept = [], []
            try:
                self.world = self.program.world(lambda function: in_mode(self.mode, function))
                for step in self._steps():
                    step()
                    if self.seen[-1].outcome[0] == "endless":
                        return self.seen
            finally:
                self.program.reset()
            if not transaction or not self._newly_void():
                return self.seen

    def _newly_void(self) -> bool:
        found = {
            number: one
            for number, one in enumerate(self.seen)
            if one.outcome[0] == "raised" and number not in self.void
        }
        if found:
            number = min(found)
            self.void[number] = found[number]
        return bool(found)

    def _steps(self) -> Iterator[Callable[[], None]]:
        for number, one in enumerate(self.program.cases):
            yield lambda one=one, n=number: self._call(f"case {n}", fresh_case(one))
            if self.program.mutate:
                again = self._last
                yield lambda n=number: self._mutate_result(f"case {n}, result mutated")
                if self.program.vary:
                    yield lambda n=number, a=again: self._call(
                        f"case {n}, argument cells changed", self._changed(n, a)
                    )
            other = changed_in_place(fresh_case(one), 2) if self.program.vary else fresh_case(one)
            yield lambda one=other, n=number: self._call(f"case {n}, other values", one)
        for number, action in enumerate(self.program.between):
            yield lambda n=number, a=action: self._change(f"change {n}", a)
            yield lambda n=number: self._call(
                f"after change {n}", fresh_case(self.program.cases[0])
            )
        yield lambda: self._call("first case again", fresh_case(self.program.cases[0]))

    def _call(self, step: str, one: Case) -> None:
        assert self.world is not None
        number = len(self.seen)
        self._last = one
        printed = io.StringIO()
        known = self.void.get(number)
        if known is not None:
            self.kept.append(None)
            for path, generator in self._generators(one).items():
                put_state(generator, known.drawn[path])
            self._write_down(step, known.outcome, known.printed, one)
            return
        result = None
        with contextlib.redirect_stdout(printed), time_limit(SECONDS.get(self.mode, 60)):
            try:
                result = self.world.function(*one.args, **one.kwargs)
                outcome: Any = ("returned",)
            except Exception as error:
                if self.mode == "converted":
                    trimmed(error)  # what a call of a staged function does itself
                outcome = ("raised", raised(error, self.program), error)
                assert self.mode == "eager" or not frames_of_ours(error), "a frame of this package"
            except TooLong as error:
                outcome = ("endless", str(error))
        self.kept.append(result)
        self._write_down(step, outcome, printed.getvalue(), one)
        if outcome[0] == "raised":
            self.seen[-1].drawn = {
                path: state_of(generator) for path, generator in self._generators(one).items()
            }

    def _generators(self, one: Case) -> dict[str, Any]:
        """The random generators that a call can reach: what they gave stays given."""
        assert self.world is not None
        arguments = {**dict(enumerate(one.args)), **one.kwargs}
        named = {f"argument {name}": value for name, value in arguments.items()}
        function: Any = self.world.function
        reach = Reach(function if hasattr(function, "__name__") else function.__call__, named)
        found = [place for place in reach.places() if type(place.item) in GENERATORS]
        return {place.path: place.item for place in found}

    def _changed(self, number: int, one: Case) -> Case:
        """The arguments with other values in those cells that take them in the eager run."""
        plan, done = self.mutations.get(-1 - number), []  # type: ignore[var-annotated]
        changed_in_place(one, plan=plan, done=done)
        if plan is None:
            self.mutations[-1 - number] = done
        return one

    def _mutate_result(self, step: str) -> None:
        number = len(self.seen)
        plan = self.mutations.get(number)
        done: list[bool] = []
        mutate(self.kept[-1], plan, done, set())
        if plan is None:
            self.mutations[number] = done
        self._write_down(step, ("mutated",), "", self._last)

    def _change(self, step: str, action: Callable[[World], Any]) -> None:
        assert self.world is not None
        action(self.world)
        self._write_down(step, ("changed",), "", self._last)

    def _write_down(self, step: str, outcome: Any, printed: str, one: Case) -> None:
        assert self.world is not None
        everything = {
            "result": self.kept[-1] if self.kept else None,
            "args": one.args,
            "kwargs": dict(one.kwargs),
            "state": state_in(self.world),
            "globals": {name: self.world.globals[name] for name in self.program.globals},
            "earlier": self.kept[-4:-1],
        }
        self.seen.append(Observation(step, outcome, printed, freeze(everything)))


def in_mode(mode: str, function: Callable[..., Any]) -> Callable[..., Any]:
    """The function as it runs in a mode."""
    if mode == "eager":
        return function
    if mode == "converted":
        plain = isinstance(function, types.FunctionType | types.MethodType)
        return ag.convert(function if plain else function.__call__)
    kind, _, after = mode.partition("-")
    if kind == "checked":
        return ag.function(mode=after or "evaluate", check=True)(function)
    return ag.function(mode=mode)(function)


def state_in(world: World) -> Any:
    """The state to look at; a function without parameters is asked for it."""
    code = getattr(world.state, "__code__", None)
    return world.state() if code is not None and not code.co_argcount else world.state


def fresh_case(one: Case) -> Case:
    """The arguments as new objects, with the same identities among them."""
    args, kwargs = fresh((one.args, dict(one.kwargs)))
    return Case(args, kwargs)


def raised(error: BaseException, program: Program) -> tuple[Any, ...]:
    """Class, message, the user's own fields, the cause, and the lines in the program's file."""
    filename = program.source.__code__.co_filename if hasattr(program.source, "__code__") else ""
    lines = [
        frame.lineno
        for frame in traceback.extract_tb(error.__traceback__)
        if frame.filename == filename
    ]
    cause = type(error.__cause__).__name__ if error.__cause__ is not None else None
    fields = {name: one for name, one in vars(error).items() if name == "code"}
    return type(error).__name__, str(error), fields, cause, lines


def frames_of_ours(error: BaseException) -> list[str]:
    """The frames of this package in the traceback, as they would be shown."""
    shown = traceback.extract_tb(error.__traceback__)
    return [f"{one.filename}:{one.lineno}" for one in shown if is_ours(one.filename)]


# changing things ----------------------------------------------------------------------------------
def other_value(array: np.ndarray[Any, Any], turn: int = 1) -> np.ndarray[Any, Any]:
    """Other elements of the same dtype and shape."""
    if array.dtype.kind == "b":
        return ~array if turn % 2 else array.copy()
    if array.dtype.kind == "f":
        return (array + array.dtype.type(0.75) if turn == 1 else 1.25 - array).astype(array.dtype)
    return array + array.dtype.type(turn)


def write(cell: Any, turn: int = 1) -> None:
    """Put another value into a tensor, Variable or array."""
    if isinstance(cell, np.ndarray):
        if cell.flags.writeable:
            cell[...] = other_value(cell, turn)
    elif isinstance(cell, ag.Variable):
        cell.assign(other_value(np.array(cell.numpy()), turn))
    else:
        cell[...] = other_value(np.array(cell.numpy()), turn)


def changed_in_place(
    one: Case, turn: int = 1, plan: list[bool] | None = None, done: list[bool] | None = None
) -> Case:
    """The same objects; every tensor, array and Variable in them holds another value.

    Not a slice that the program has put into a list: `plan` and `done` are as in `mutate`.
    """
    seen: set[int] = set()
    done = [] if done is None else done

    def walk(value: Any) -> None:
        if id(value) in seen:
            return
        seen.add(id(value))
        if isinstance(value, ag.Tensor | ag.Variable | np.ndarray):
            place = len(done)
            done.append(plan is None or (place < len(plan) and plan[place]))
            if done[place]:
                try:
                    write(value, turn)
                except DerivedError:
                    done[place] = False
        elif isinstance(value, list | tuple):
            for item in list(value):
                walk(item)
        elif isinstance(value, dict):
            for item in list(value.values()):
                walk(item)

    walk((one.args, dict(one.kwargs)))
    return one


def mutate(value: Any, plan: list[bool] | None, done: list[bool], seen: set[int]) -> None:
    """Mutate everything in a result that can be mutated; `plan` says what the eager run could."""
    if id(value) in seen or not isinstance(
        value, ag.Tensor | ag.Variable | np.ndarray | list | tuple | dict
    ):
        return
    seen.add(id(value))
    for part in (
        list(value.values() if isinstance(value, dict) else value)
        if isinstance(value, list | tuple | dict)
        else ()
    ):
        mutate(part, plan, done, seen)
    if isinstance(value, tuple):
        return
    position = len(done)
    if plan is not None and (position >= len(plan) or not plan[position]):
        done.append(False)
        return
    try:
        if isinstance(value, list):
            value.append(value[-1] if value else 0.5)
        elif isinstance(value, dict):
            value["mutated"] = 1
        else:
            write(value)
    except (TypeError, ValueError):
        if plan is not None:
            raise
        done.append(False)
    else:
        done.append(True)


class TooLong(BaseException):
    """The call did not end. Not an Exception: a trace takes those for the program's own."""


# time ---------------------------------------------------------------------------------------------
@contextlib.contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """A program that does not end fails instead of stopping the whole run."""

    def stop(*_: Any) -> None:
        raise TooLong(f"the program did not end within {seconds} seconds")

    previous = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, previous)


# comparing ----------------------------------------------------------------------------------------
def same_printed(expected: str, actual: str, ulps: int) -> bool:
    """Whether two printed texts are the same but for the last digits of floats."""
    return same_text(expected, actual) if ulps else expected == actual


def compare(truth: list[Observation], seen: list[Observation], ulps: int) -> str | None:
    """The first difference, in words."""
    for expected, actual in zip(truth, seen, strict=False):
        found = _compare_step(expected, actual, ulps)
        if found:
            return f"{expected.step}: {found}"
    return None


def _same_outcome(expected: Observation, actual: Observation) -> bool:
    """Whether both returned, or raised the same on the same line.

    An error of this project that is also of the expected class may have a text of its own.
    """
    if expected.outcome[:2] == actual.outcome[:2]:
        return True
    if expected.outcome[0] != "raised" or actual.outcome[0] != "raised":
        return False
    wanted, given = type(expected.outcome[2]), type(actual.outcome[2])
    ours = given.__module__.startswith("autograph.") and issubclass(given, wanted)
    return ours and given is not wanted and expected.outcome[1][-1] == actual.outcome[1][-1]


def _compare_step(expected: Observation, actual: Observation, ulps: int) -> str | None:
    if not _same_outcome(expected, actual):
        return f"{_outcome(expected)}, but {_outcome(actual)}"
    if not same_printed(expected.printed, actual.printed, ulps):
        return f"printed {expected.printed!r}, but {actual.printed!r}"
    return difference(expected.picture, actual.picture, ulps)


def _outcome(one: Observation) -> str:
    if one.outcome[0] != "raised":
        return f"{one.outcome[0]} {one.picture.shown('result')}"
    text = "".join(traceback.format_exception(one.outcome[2])[-12:])
    return f"raised {one.outcome[1]}\n{text}"
