"""One finished trace: when it is valid, what it takes, how it runs, and what it leaves."""

from __future__ import annotations

import types
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from autograph.call.commit import commit
from autograph.call.fast_path import (
    MISS,
    QuickWrite,
    Shortcut,
    make_shortcut,
    quick_write,
    result_of,
)
from autograph.call.iterator_arguments import iterators_of, keep_places
from autograph.call.outputs import Concluded, conclude
from autograph.call.taped import GraphFunction
from autograph.control.alias_updates import assign
from autograph.control.raising import is_own_failure
from autograph.conversion.convert import convert_function
from autograph.conversion.tracebacks import forget_frames
from autograph.errors import StagingError
from autograph.kernels.compile import origin_of
from autograph.merge.concrete_values import given_as
from autograph.merge.results import Concrete
from autograph.operators.calls.activation_records import FoundRecursion
from autograph.operators.calls.call_rules import note_outer_cells, run_converted
from autograph.operators.containers.object_stores import Stores
from autograph.operators.statements.checked_ops import guard
from autograph.runtime.arrays.cells import Array
from autograph.runtime.autodiff.recording.host import kept_while
from autograph.runtime.core.location import Location, boundary, unpinned
from autograph.runtime.core.spec import Spec
from autograph.runtime.core.state import LOCK, STATE
from autograph.runtime.core.tensor import Tensor
from autograph.runtime.optimizer.rewriting import all_graphs
from autograph.tracing.callbacks import refuse_changed
from autograph.tracing.hints import FoundExplosion, Hints, ReadAppended
from autograph.tracing.lent_generators import Lending
from autograph.tracing.paths import Fetch, compile_fetch, compile_guards, different
from autograph.tracing.reading import observe
from autograph.tracing.tracing import CURRENT, Tracing
from autograph.tracing.variable_creation import Creations
from autograph.values.exception_origins import user_line
from autograph.values.references import FoundReferences, Referring
from autograph.values.skeleton import (
    Leaf,
)

Run = Callable[[Sequence[Any]], list[Any]]


class ConcreteFunction:
    """A trace, compiled: `matches(a)` tells whether it is valid, `run(a)` calls it."""

    def __init__(
        self,
        tracing: Tracing,
        concluded: Concluded,
        differentiable: GraphFunction,
        arity: int,
        exact_key: Any,
    ) -> None:
        self.makes: list[Location | None] = [place for place, _ in tracing.made]
        """Where the call that it was made for makes Variables: it fits no other call."""
        self.made = [(one, one._value) for _, one in tracing.made]
        """These Variables, and the values that they begin with."""
        self.turn = Creations.turns
        self.lifted = tracing.lifted
        self.exact_key = exact_key
        self.graph = concluded.graph
        self.differentiates = tracing.trace.differentiated
        self.concluded = concluded
        self.calls_back = bool(tracing.called_back)
        self.lending = Lending(tracing.sources)
        self.objects = tracing.table.objects
        self.inputs = tracing.inputs
        self.arity = arity
        self.keywords: tuple[str, ...] = ()
        """The names of the last arguments, given by keyword."""
        self.guards = [*tracing.guards, *different(tracing.apart.values())]
        self.check: Fetch | None = compile_guards(self.guards)
        self.fetch: Fetch = compile_fetch([input_expression(one) for one in tracing.inputs])
        self.fetch_given: Fetch = compile_fetch(concluded.given)
        self.arrays = frozenset(tracing.paths[id(one)] for one in tracing.arrays.values())
        self.observed: dict[str, Any] = dict(tracing.observed)
        self.cell_names = tracing.closures.names
        self._looks: dict[str, Fetch] = {}
        self._fetch_cells: Fetch | None = None
        self.used = 0
        """The hit of its function that it was used for last."""
        self.differentiable = differentiable
        self.execute: Run = differentiable.plain
        self.simple = self._is_simple()
        self.shortcut: Shortcut = missing
        """The result of a call that this trace fits, else MISS; made by `shorten`."""

    def _is_simple(self) -> bool:
        """Whether the result is one tensor or number and nothing else is to be done."""
        skeleton = self.concluded.result
        alone = not (self.concluded.writes or self.concluded.stores or self.arrays)
        return isinstance(skeleton, Leaf) and not skeleton.same and alone

    def matches(self, arguments: tuple[Any, ...]) -> bool:
        """Whether everything that the trace read is as it was."""
        if self.check is None:
            return True
        try:
            return bool(self.check(arguments, self.objects))
        except Exception:  # a path that leads nowhere any more
            return False

    @property
    def is_first(self) -> bool:
        """Whether no call has made Variables since this was traced."""
        return self.turn == Creations.turns

    @property
    def is_compiled(self) -> bool:
        """Whether it ran once, so that there is a program."""
        if self.calls_back:
            return False  # such calls are watched, which a shortcut would leave out
        return self.differentiable.program is not None

    def shorten(self, arguments: tuple[Any, ...]) -> None:
        """Make the shortcut: worth its while once the trace is called again, as with these."""
        quick = None if self.lending.any else self._quick_writes(arguments)
        plain = None if quick is None else result_of(self.concluded.result)
        self.shortcut = make_shortcut(
            self.guards,
            [input_expression(one) for one in self.inputs],
            self.objects,
            self.arity,
            plain,
            self.differentiable.program,
            self.run_alone if self.concluded.writes else self.run,
            self.graph.name,
            arguments,
            self.concluded.given,
            quick or (),
        )

    def _quick_writes(self, arguments: tuple[Any, ...]) -> list[QuickWrite] | None:
        """The writes, where each puts a whole new value to one place; None where one does more."""
        if self.concluded.stores:
            return None
        owners = self.fetch_given(arguments, self.objects) if self.concluded.writes else ()
        made = []
        for write in self.concluded.writes:
            path = self.concluded.given[write.owner]
            if isinstance(owners[write.owner], Array):
                return None  # that a tape watches
            one = quick_write(write, owners[write.owner], path, path in self.arrays)
            if one is None:
                return None
            made.append(one)
        return made

    def look(self, path: str, arguments: tuple[Any, ...]) -> Any:
        """What a path gives for a call; None where it leads nowhere, or through other classes.

        An object of another class may run code of the user's when it is asked.
        """
        if path not in self._looks:
            known = self._kinds_on(path)
            self._looks[path] = compile_fetch([f"({path} if {known} else None)" if known else path])
        try:
            return self._looks[path](arguments, self.objects)[0]
        except Exception:  # the object is built otherwise now
            return None

    def _kinds_on(self, path: str) -> str:
        """What guards say of the classes of the objects that a path leads through."""
        kinds = [guard.partition(" and ")[0] for guard in self.guards if guard[:5] == "type("]
        owners = [kind[5:].partition(") is ")[0] for kind in kinds]
        through = [
            kind
            for kind, owner in zip(kinds, owners, strict=True)
            if path.startswith((f"{owner}.", f"{owner}["))
        ]
        return " and ".join(through)

    def values(self, arguments: tuple[Any, ...]) -> list[Any]:
        """The inputs of the graph for a call."""
        fetched = list(self.fetch(arguments, self.objects))
        if self.is_compiled:  # what a program gives shares nothing with what it is given
            return fetched
        for number, one in enumerate(self.inputs):
            if one.path in self.arrays:
                array = fetched[number]
                fetched[number] = np.array(array, array.dtype.newbyteorder("="))
        return fetched

    def tensors(self, arguments: tuple[Any, ...]) -> list[Any]:
        """The inputs of the graph for a call, tensors as the user's own cells."""
        paths = [one.path for one in self.inputs if one.is_tensor]
        if self._fetch_cells is None:
            self._fetch_cells = compile_fetch(paths)
        cells = iter(self._fetch_cells(arguments, self.objects))
        values = self.values(arguments)
        return [
            next(cells) if one.is_tensor else value
            for one, value in zip(self.inputs, values, strict=True)
        ]

    def run_alone(self, arguments: tuple[Any, ...]) -> Any:
        """Call it while no other thread changes state."""
        with LOCK:
            return self.run(arguments)

    def run(self, arguments: tuple[Any, ...]) -> Any:
        """Call it: the result, with every write done. If it raises, nothing was written."""
        if self.lending.any:
            with self.lending.during(arguments, self.objects):
                return self._run(arguments)
        return self._run(arguments)

    def _run(self, arguments: tuple[Any, ...]) -> Any:
        if self.calls_back:
            run = self.execute
            outputs = self.watched(arguments, lambda: run(self.values(arguments)))
            return self.finish(arguments, outputs)
        if self.simple:
            (value,) = self.execute(self.fetch(arguments, self.objects))
            kind = self.concluded.result.kind  # type: ignore[attr-defined]
            return given_as(kind, value) if type(value) is np.ndarray else value
        return self.finish(arguments, self.execute(self.values(arguments)))

    def run_taped(self, arguments: tuple[Any, ...]) -> Any:
        """Call it under an eager tape: the whole graph is one op for that."""
        run, given = self.differentiable, self.tensors(arguments)
        watched = run.watched(given)
        with self.lending.during(arguments, self.objects):
            outputs = self.watched(arguments, lambda: run(given))
        for number, one in enumerate(outputs):
            if isinstance(one, float) and not run.reached(number).isdisjoint(watched):
                _refuse_number()
        return self.finish(arguments, outputs, run.followed(outputs, watched))

    def watched(self, arguments: tuple[Any, ...], run: Callable[[], Any]) -> Any:
        """Run a graph: if it calls back, what it calls may not change what the call uses."""
        if not self.calls_back:
            return run()
        cells = compile_fetch([one.path for one in self.inputs if one.is_tensor])
        used = [one for one in cells(arguments, self.objects) if isinstance(one, Tensor)]

        def call(function: Callable[[], Any]) -> Any:
            before = [one._value for one in used]
            result = function()
            refuse_changed(used, before, self.matches(arguments))
            return result

        outer, CURRENT.running = CURRENT.running, call
        try:
            return kept_while(run)
        finally:
            CURRENT.running = outer

    def finish(
        self,
        arguments: tuple[Any, ...],
        outputs: Sequence[Any],
        followed: frozenset[int] = frozenset(),
    ) -> Any:
        """The result of a run, made of its outputs; the writes are done here.

        `followed` are the ids of outputs that a tape has a gradient of.
        """
        given = self.fetch_given(arguments, self.objects)
        thawer = Concrete(iter(outputs), given, self.concluded.stores)
        thawer.followed = followed
        result = thawer.thaw(self.concluded.result)
        writes = self.concluded.writes
        values = [thawer.thaw(write.skeleton) for write in writes]
        for write, value in zip(writes, values, strict=True):
            if isinstance(given[write.owner], np.ndarray) and isinstance(value, Tensor):
                _require_unfollowed(value, followed)
        commit(writes, given, values)
        return result


def _require_unfollowed(value: Tensor, followed: frozenset[int]) -> None:
    """TypeError for what a tape follows and the call writes into an array of the caller's."""
    if id(value._value) in followed:
        raise TypeError(
            f"a staged function writes into an array of shape {value.shape} what it computed of "
            "tensors that a GradientTape watches, and no gradient goes through NumPy's arrays. "
            "Make the array in the function, or stage the gradient: ag.function(ag.grad(loss))"
        )


def _refuse_number() -> None:
    """TypeError for a Python float that a call gives, computed of what a tape follows."""
    raise TypeError(
        "a Python float that a staged function gives was computed, by a function of math, of "
        "tensors that a GradientTape watches, and no gradient goes through it. Give a tensor, "
        "np.exp(x) for math.exp(x); or, if none is wanted, write math.exp(float(x))"
    )


def explained(concrete: ConcreteFunction) -> str:
    """A line on what became of a trace."""
    specs = ", ".join(str(value.spec) for value in concrete.graph.inputs)
    ops = sum(len(one.nodes) for one in all_graphs(concrete.graph))
    head = f"{concrete.graph.name}({specs}): {ops} ops"
    program: Any = concrete.differentiable.program
    text = getattr(program, "text", None)
    if text is None:
        return f"{head}, {'not run yet' if program is None else 'run op by op'}"
    lines = f"{head}, a program of {text.count(chr(10)) + 1} lines"
    if not program.is_native:
        return f"{lines}, driven by CPython"
    found = origin_of(text, program.engine.name == "compile")
    return f"{lines}, {found.how} in {found.seconds:.3f} s" if found else lines


def missing(arguments: tuple[Any, ...]) -> Any:
    """The shortcut of a trace that has none yet."""
    return MISS


def input_expression(one: Any) -> str:
    """How a call fetches an input: the array of a tensor, an array, or a Python number."""
    if one.is_array or (isinstance(one.spec, Spec) and one.spec.python):
        return str(one.path)
    return f"{one.path}._value" if one.is_tensor else f"held({one.path})"


@boundary
def trace(
    name: str, function: types.FunctionType, arguments: Sequence[Any], keywords: Any, hints: Hints
) -> tuple[Tracing, Concluded]:
    """Convert a function and trace it; Python's state is given back as it was."""
    before: StagingError | None = None
    by_value: Hints | None = None
    while True:
        converted = convert_function(function, hints.resuming)
        tracing = Tracing(name, hints, assign, guard, Stores)
        try:
            return tracing, _trace_once(tracing, converted, arguments, keywords)
        except FoundRecursion as found:
            opened = hints.opened | {found.code} if found.opened else hints.opened
            hints = replace(
                hints,
                recursive=hints.recursive | {found.code},
                cycles=hints.cycles | {found.code} | found.around,
                opened=opened,
            )
        except FoundExplosion as found:
            hints = replace(hints, exploding=hints.exploding | {found.code})
        except ReadAppended as found:
            hints = replace(hints, read_lists=hints.read_lists | {found.path})
        except FoundReferences as found:
            referring = tracing.hints.referring.with_found(found)
            if found.leaving and by_value is None:
                by_value = replace(hints, holds_values=True)
            if referring is not None:
                hints = replace(hints, referring=referring)
                continue
            if by_value is not None:
                hints, by_value = by_value, None
                continue
            error = found.otherwise
            error.location = user_line(found) or error.location or user_line(error)
            wider = _forgetful(tracing) or _less_referred(tracing) or _written_out(tracing)
            if wider is None:
                raise before or error from None
            before, hints = before or error, wider
        except StagingError as error:
            if by_value is not None:
                hints, by_value = by_value, None
                continue
            if error.location is None:
                code = converted.__code__
                first = Location(code.co_filename, code.co_firstlineno, name)
                error.location = user_line(error) or first
            wider = _going_on(tracing)
            if wider is None:
                raise before or error from None
            before, hints = before or error, wider
        except Exception as error:
            if not is_own_failure(error):
                raise
            if before is not None:
                raise before from None
            raise StagingError(
                "tracing met a case that this package has not foreseen",
                location=user_line(error),
                remedy="please report it with the function, and write the line in another way or "
                "call it through ag.py_function",
            ) from error


def _going_on(tracing: Tracing) -> Hints | None:
    """How to trace again what was refused: with fewer objects in stores; with generators that go
    on, if it makes any; then with long lists and short loops that are written out."""
    hints, resumption = tracing.hints, tracing.resumption
    fewer = _forgetful(tracing) or _less_referred(tracing)
    if fewer is not None:
        return fewer
    if not hints.writes_short and resumption.asks_iterators and not hints.iterators:
        return replace(hints, resuming=True, iterators=True)
    if not hints.writes_short and resumption.makes_generators and not hints.resuming:
        return replace(hints, resuming=True)
    return _written_out(tracing)


def _forgetful(tracing: Tracing) -> Hints | None:
    """How to trace again without remembering calls in the graph, if it does."""
    remembers = tracing.caches.remembering and not tracing.hints.forgetful
    return replace(tracing.hints, forgetful=True) if remembers else None


def _less_referred(tracing: Tracing) -> Hints | None:
    """How to trace again without putting into stores what nobody referred to, if there is any."""
    referring = tracing.hints.referring.with_late(tracing.keeper.unused())
    return None if referring is None else replace(tracing.hints, referring=referring)


def _written_out(tracing: Tracing) -> Hints | None:
    """How to trace again with long lists of elements written out, then with short loops, if there
    are any and they were not yet."""
    hints = tracing.hints
    if tracing.long_lists and not hints.writes_lists:
        return replace(hints, writes_lists=True, referring=Referring())
    if not tracing.short_turns or hints.writes_short:
        return None
    return replace(hints, writes_short=True, resuming=False, iterators=False, referring=Referring())


def _trace_once(
    tracing: Tracing, function: types.FunctionType, arguments: Sequence[Any], keywords: Any
) -> Concluded:
    count = len(arguments) - len(keywords)
    code = function.__code__
    parameters = code.co_varnames[: min(code.co_argcount, count)]
    tracing.argument_names = (*parameters, *[""] * (count - len(parameters)), *keywords)
    with unpinned(), restored(tracing), restored(tracing), tracing.active():
        note_outer_cells(tracing, function)
        given = []
        for number, one in enumerate(arguments):
            given.append(observe(tracing, one, f"a[{number}]", by_name=False))
        iterators = iterators_of(tracing, given)
        shown = [iterators.get(id(one), one) for one in given]
        tracing.keeper.begin()
        named = dict(zip(keywords, shown[count:], strict=True))

        def run() -> Any:
            result = run_converted(tracing, function, tuple(shown[:count]), named)
            keep_places(tracing, given, iterators)
            return result

        try:
            concluded = conclude(tracing, run)
        except FoundReferences as found:
            found.met = tracing.keeper.alike()
            raise
        except Exception as error:
            tracing.keeper.learn(error)
            raise
        tracing.keeper.learn(None)
    forget_frames(tracing.raised)
    return concluded


class restored:
    """Gives the thread and the user's objects back as they were.

    Twice around a trace: Ctrl-C may come while one of them does it.
    """

    def __init__(self, tracing: Tracing) -> None:
        self.tracing = tracing
        self.outer = (CURRENT.tracing, CURRENT.outermost, STATE.interpreter, STATE.tapes)

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        CURRENT.tracing, CURRENT.outermost, STATE.interpreter, STATE.tapes = self.outer
        self.tracing.restore(kind is not None and issubclass(kind, KeyboardInterrupt))
