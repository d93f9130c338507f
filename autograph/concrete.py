"""One finished trace: when it is valid, what it takes, how it runs, and what it leaves."""

from __future__ import annotations

import types
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from autograph.effects.callbacks import refuse_changed, refuse_touched
from autograph.effects.coercing import Coercer
from autograph.effects.committing import Write, commit
from autograph.effects.freezing import Freezer
from autograph.effects.identity import assign
from autograph.effects.leaks import refuse_class, refuse_leak
from autograph.effects.origins import user_line
from autograph.effects.paths import Fetch, compile_fetch, compile_guards
from autograph.effects.places import (
    AttributePlace,
    CellPlace,
    ContentsPlace,
    Items,
    Key,
    NamePlace,
    Place,
    StagedItems,
    TensorPlace,
)
from autograph.effects.raising import emit_raise, is_of_the_program, raised_here
from autograph.effects.reading import BY_NAME, IMMUTABLE, observe, observe_once
from autograph.effects.results import Concrete, Given
from autograph.effects.sentinels import UNSET
from autograph.effects.skeleton import (
    ATOMS,
    Again,
    Cell,
    Choices,
    Fixed,
    Group,
    Grown,
    Held,
    Leaf,
    Made,
    Skeleton,
)
from autograph.effects.switch import Unreachable, outer_places
from autograph.effects.tracing import CURRENT, Hints, Tracing
from autograph.errors import StagingError
from autograph.operators.calls import note_outer_cells, run_converted
from autograph.operators.recursion import FoundRecursion
from autograph.operators.risks import guard
from autograph.runtime.autodiff.host import kept_while
from autograph.runtime.core.location import Location, boundary
from autograph.runtime.core.spec import Spec
from autograph.runtime.core.tensor import Tensor
from autograph.runtime.graph.ir import Graph, Value
from autograph.shortcut import MISS, Shortcut, make_shortcut, result_of
from autograph.taped import GraphFunction

Run = Callable[[Sequence[Any]], list[Any]]


@dataclass(slots=True)
class Concluded:
    """A trace that has ended: its graph, and what its outputs mean."""

    graph: Graph
    result: Skeleton
    writes: list[Write]
    given: list[str] = field(default_factory=list)
    """Paths of objects that existed before and that the result or the writes mention."""


def conclude(tracing: Tracing, run: Callable[[], Any]) -> Concluded:
    """Run a converted function to its end in `tracing`; make its results outputs of the graph."""
    try:
        result = run()
    except Unreachable:
        return _without_result(tracing, None)
    except BaseException as error:
        if not is_of_the_program(error):
            raise
        return _without_result(tracing, error)
    return _with_result(tracing, result)


def _without_result(tracing: Tracing, error: BaseException | None) -> Concluded:
    """Every path raises: the graph ends with that."""
    if error is not None:
        emit_raise(tracing.trace, raised_here(tracing, error), ())
    return Concluded(tracing.trace.graph, Fixed(None), [])


def _with_result(tracing: Tracing, result: Any) -> Concluded:
    root = tracing.root
    changed = outer_places({**root.changed(), **_assigned(tracing)}, root)
    places = [place for place in changed.values() if not _is_own_tensor(place)]
    _guard_against_aliases(tracing, places)
    refuse_touched(tracing.called_back, places)
    root.finals = {place.key: place.get() for place in places}
    freezer = Freezer(tracing, root, leaving=True)
    frozen = [freezer.freeze_at("result", result)]
    writes: list[Write] = []
    concluded = Concluded(tracing.trace.graph, Fixed(None), writes)
    resolver = _Resolver(tracing, concluded)
    for place in places:
        value, keep = _written(tracing, place, root.log[place.key][1])
        skeleton = freezer.freeze_at(place.key, value)
        frozen.append(skeleton)
        owner = resolver.given(place.owner)
        writes.append(Write(place, owner, resolver.resolve(skeleton), keep, keep >= 0))
    coercer = Coercer(tracing.trace)
    outputs: list[Value] = []
    for skeleton in frozen:
        outputs += coercer.coerce(skeleton, skeleton)
    concluded.result = resolver.resolve(frozen[0])
    concluded.graph.outputs = outputs
    return concluded


def _assigned(tracing: Tracing) -> dict[Key, Place]:
    """Places that were assigned what they held: another call may find them with something else.

    Attributes are written again; what a variable held becomes a guard.
    """
    again: dict[Key, Place] = {}
    for key, (place, old) in tracing.root.log.items():
        if isinstance(place, AttributePlace):
            again[key] = place
        elif isinstance(place, NamePlace) and old is not UNSET:
            path = tracing.table.item(tracing.table.constant(place.owner), place.name)
            observe_once(tracing, key, old, path, by_name=True)
        elif isinstance(place, CellPlace) and old is not UNSET and not _is_local(tracing, place):
            path = f"{tracing.table.constant(place.owner)}.cell_contents"
            observe_once(tracing, key, old, path, by_name=True)
    return again


def _guard_against_aliases(tracing: Tracing, places: list[Place]) -> None:
    """What is written must not be, in another call, an object that the trace took for another."""
    for place in places:
        owner = place.owner
        if not isinstance(place, TensorPlace | AttributePlace | ContentsPlace):
            continue
        written = tracing.path_of(owner)
        for other in list(tracing.reached):
            if other is not owner and type(other) is type(owner):
                tracing.guard(f"{written} is not {tracing.path_of(other)}")


def _is_local(tracing: Tracing, place: Place) -> bool:
    """Whether a closure cell is one of a call that was traced, and no state from outside."""
    return id(place.owner) not in tracing.outer_cells or id(place.owner) in tracing.cells_born


def _is_own_tensor(place: Place) -> bool:
    """A tensor of the trace itself: nobody outside has it, unless the result does."""
    return isinstance(place, TensorPlace) and isinstance(place.owner._value, Value)


def _written(tracing: Tracing, place: Place, old: Any) -> tuple[Any, int]:
    """What a place gets; for a list that was appended to but never read, only the new items."""
    value = place.get()
    if not isinstance(place, ContentsPlace) or not isinstance(place.owner, list):
        return value, -1
    if isinstance(value, StagedItems) or ("read", id(place.owner)) in tracing.seen:
        return value, -1
    kept = len(old.values)
    if len(value.values) < kept or any(
        one is not other for one, other in zip(old.values, value.values, strict=False)
    ):
        return value, -1
    return Items(value.values[kept:]), kept


class _Resolver:
    """Replaces objects that existed before by where a call finds them."""

    def __init__(self, tracing: Tracing, concluded: Concluded) -> None:
        self.tracing = tracing
        self.concluded = concluded
        self.numbers: dict[str, int] = {}

    def given(self, item: Any) -> int:
        """The number of an object among the given ones."""
        path = self.tracing.path_of(item)
        if path not in self.numbers:
            self.numbers[path] = len(self.concluded.given)
            self.concluded.given.append(path)
        return self.numbers[path]

    def resolve(self, skeleton: Skeleton) -> Skeleton:
        """The skeleton with `Given` in the place of objects from before the call."""
        match skeleton:
            case Cell(tensor=tensor):
                return Given(self.given(tensor))
            case Fixed(value=value):
                known = isinstance(value, (*ATOMS, *BY_NAME, *IMMUTABLE))
                if id(value) not in self.tracing.paths:
                    refuse_leak(self.tracing, value)
                    return skeleton
                if known:
                    return skeleton
                return Given(self.given(value))
            case Group(kind=kind, items=items):
                return Group(kind, tuple(map(self.resolve, items)))
            case Made(items=items):
                refuse_class(self.tracing, skeleton.kind)
                return replace(skeleton, items=tuple(map(self.resolve, items)))
            case Held(kind=kind, keys=keys, items=items):
                return Held(kind, keys, tuple(map(self.resolve, items)))
            case Choices(options=options):
                return Choices(tuple(map(self.resolve, options)))
            case Grown(element=element):
                return Grown(skeleton.kind, self.resolve(element))
            case Leaf(same=same) if same:
                candidates = tuple(
                    Given(self.given(one)) if isinstance(one, Tensor) else one for one in same
                )
                return Leaf(skeleton.spec, same=candidates, paths=skeleton.paths)  # type: ignore[arg-type]
            case Leaf() | Again():
                return skeleton
        raise AssertionError(skeleton)


class ConcreteFunction:
    """A trace, compiled: `matches(a)` tells whether it is valid, `run(a)` calls it."""

    def __init__(self, tracing: Tracing, concluded: Concluded, arity: int) -> None:
        self.graph = concluded.graph
        self.differentiates = tracing.trace.differentiated
        self.concluded = concluded
        self.calls_back = bool(tracing.called_back)
        self.objects = tracing.table.objects
        self.inputs = tracing.inputs
        self.arity = arity
        self.keywords: tuple[str, ...] = ()
        """The names of the last arguments, given by keyword."""
        self.guards = list(tracing.guards)
        self.check: Fetch | None = compile_guards(self.guards)
        self.fetch: Fetch = compile_fetch([input_expression(one) for one in tracing.inputs])
        self.fetch_given: Fetch = compile_fetch(concluded.given)
        self.arrays = frozenset(tracing.paths[id(one)] for one in tracing.arrays.values())
        self.observed: dict[str, Any] = dict(tracing.observed)
        self.cell_names = tracing.cell_names
        self._looks: dict[str, Fetch] = {}
        self._fetch_cells: Fetch | None = None
        self.used = 0
        """The hit of its function that it was used for last."""
        self.execute: Run | None = None
        self.differentiable: GraphFunction | None = None
        self.simple = self._is_simple()
        self.shortcut: Shortcut = missing
        """The result of a call that this trace fits, else MISS; made by `shorten`."""

    def _is_simple(self) -> bool:
        """Whether the result is one tensor or number and nothing else is to be done."""
        skeleton = self.concluded.result
        alone = not self.concluded.writes and not self.arrays
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
    def is_compiled(self) -> bool:
        """Whether it ran once, so that there is a program."""
        if self.calls_back:
            return False  # such calls are watched, which a shortcut would leave out
        return self.differentiable is not None and self.differentiable.program is not None

    def shorten(self) -> None:
        """Make the shortcut: worth its while once the trace is called again."""
        plain = None if self.concluded.writes else result_of(self.concluded.result)
        assert self.differentiable is not None
        self.shortcut = make_shortcut(
            self.guards,
            [input_expression(one) for one in self.inputs],
            self.objects,
            self.arity,
            plain,
            self.differentiable.program,
            self.run,
            self.graph.name,
        )

    def look(self, path: str, arguments: tuple[Any, ...]) -> Any:
        """What a path gives for a call; None where it leads nowhere."""
        if path not in self._looks:
            self._looks[path] = compile_fetch([path])
        try:
            return self._looks[path](arguments, self.objects)[0]
        except Exception:  # the object is built otherwise now
            return None

    def values(self, arguments: tuple[Any, ...]) -> list[Any]:
        """The inputs of the graph for a call."""
        fetched = list(self.fetch(arguments, self.objects))
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

    def run(self, arguments: tuple[Any, ...]) -> Any:
        """Call it: the result, with every write done. If it raises, nothing was written."""
        assert self.execute is not None
        if self.calls_back:
            run = self.execute
            outputs = self.watched(arguments, lambda: run(self.values(arguments)))
            return self.finish(arguments, outputs)
        if self.simple:
            (value,) = self.execute(self.fetch(arguments, self.objects))
            return Tensor._of(value) if type(value) is np.ndarray else value
        return self.finish(arguments, self.execute(self.values(arguments)))

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

    def finish(self, arguments: tuple[Any, ...], outputs: Sequence[Any]) -> Any:
        """The result of a run, made of its outputs; the writes are done here."""
        given = self.fetch_given(arguments, self.objects)
        thawer = Concrete(iter(outputs), given)
        result = thawer.thaw(self.concluded.result)
        thawed = [thawer.thaw(write.skeleton) for write in self.concluded.writes]
        for write, value in zip(self.concluded.writes, thawed, strict=True):
            commit(write, given[write.owner], value)
        return result


def missing(arguments: tuple[Any, ...]) -> Any:
    """The shortcut of a trace that has none yet."""
    return MISS


def input_expression(one: Any) -> str:
    """How a call fetches an input: the array of a tensor, or a Python number."""
    if isinstance(one.spec, Spec) and one.spec.python:
        return str(one.path)
    return f"{one.path}._value" if one.is_tensor else f"held({one.path})"


@boundary
def trace(
    name: str, function: types.FunctionType, arguments: Sequence[Any], keywords: Any, hints: Hints
) -> tuple[Tracing, Concluded]:
    """Trace a converted function; Python's state is given back as it was."""
    recursive: frozenset[types.CodeType] = frozenset()
    while True:
        try:
            return _trace_once(
                name, function, arguments, keywords, replace(hints, recursive=recursive)
            )
        except FoundRecursion as found:
            recursive |= {found.code}
        except StagingError as error:
            if error.location is None:
                code = function.__code__
                first = Location(code.co_filename, code.co_firstlineno, name)
                error.location = user_line(error) or first
            raise


def _trace_once(
    name: str, function: types.FunctionType, arguments: Sequence[Any], keywords: Any, hints: Hints
) -> tuple[Tracing, Concluded]:
    tracing = Tracing(name, hints, assign, guard)
    count = len(arguments) - len(keywords)
    code = function.__code__
    parameters = code.co_varnames[: min(code.co_argcount, count)]
    tracing.argument_names = (*parameters, *[""] * (count - len(parameters)), *keywords)
    with tracing.active():
        try:
            note_outer_cells(tracing, function)
            given = []
            for number, one in enumerate(arguments):
                given.append(observe(tracing, one, f"a[{number}]", by_name=False))
            named = dict(zip(keywords, given[count:], strict=True))
            concluded = conclude(
                tracing, lambda: run_converted(tracing, function, tuple(given[:count]), named)
            )
        finally:
            tracing.restore()
    return tracing, concluded
