"""Attempts: the body of a `try` or a `with`, whose exceptions are caught when the graph runs.

A body in which nothing staged may raise runs as in Python. Another one is traced into a graph of
its own; each point where it may raise keeps the exception and what the changed places hold there.
The graph is then emitted with its raises as data flow (`control/unwinding`), and what follows is a
switch over how it ended: each option puts the places as they were at that end, and goes on.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from autograph.control.branch import Unreachable, final_value, leaves, outer_places, switch
from autograph.control.raising import (
    Attempt,
    MustBeStaged,
    PassingBy,
    Raised,
    emit_raise,
    is_catchable,
)
from autograph.errors import MergeError
from autograph.merge.coerce import Coercer
from autograph.merge.freeze import Freezer
from autograph.merge.join import Joining, join
from autograph.merge.thaw import Thawer
from autograph.runtime.control.records import RAISE
from autograph.runtime.control.unwinding import Ending, unwind
from autograph.runtime.core.location import Location
from autograph.runtime.core.number import Number
from autograph.runtime.graph.ir import Graph, Value
from autograph.runtime.graph.trace import Trace
from autograph.runtime.ops.table import OPS
from autograph.tracing.places import Key, Place, TensorPlace
from autograph.tracing.region import Region
from autograph.tracing.tracing import Tracing
from autograph.values.sentinels import DONT_CARE
from autograph.values.skeleton import Choices, Made, Skeleton

AT_RUN_TIME = object()
"""Stands for the clause, where it is known only when the graph runs."""


@dataclass(frozen=True, slots=True)
class Clauses:
    """What follows a body, and is not protected by it.

    `choose` tells which clause takes an exception, None for none, AT_RUN_TIME where `caught` finds
    it; exceptions of one clause that have one class are taken together. What `completed` and
    `caught` give is the attempt's result.
    """

    completed: Callable[[Any], Any]
    choose: Callable[[BaseException], Any]
    caught: Callable[[Any, BaseException], Any]
    everything: bool = False
    """Whether they are for `finally` or `__exit__`, and take what passes by handlers, too."""
    only: type[BaseException] | None = None
    """The only exceptions that `choose` has a clause for, where that is known."""


@dataclass(slots=True)
class Body:
    """A body traced into a graph of its own."""

    trace: Trace
    skeletons: list[Skeleton] | None
    """Of its result and of what it changed; None where it never completes."""
    places: list[Place] = field(default_factory=list)
    points: list[Raised] = field(default_factory=list)


def attempt(
    tracing: Tracing,
    run: Callable[[], Any],
    clauses: Clauses,
    site: Any,
    forgotten: Collection[Key] = (),
) -> Any:
    """Run a body and what follows it. `site` tells bodies of the program apart."""
    if site in tracing.staged_attempts:
        body = _trace_body(tracing, run, forgotten)
        if body.points:
            return _follow(tracing, body, clauses, forgotten)
        tracing.staged_attempts.discard(site)
    # What follows runs outside of any `except` here: exceptions keep what they were raised in.
    caught: BaseException | None = None
    result: Any = None
    staged = False
    try:
        result = _run_in_python(tracing, run, clauses.only)
    except MustBeStaged as found:
        if found.attempt.run is not run:
            raise
        staged = True
    except BaseException as error:
        if not (is_catchable(error) or (clauses.everything and isinstance(error, PassingBy))):
            raise
        caught = error
        if not tracing.is_born(error) and id(error) not in tracing.paths:
            tracing.born(error)  # raised by Python itself: what a handler does to it is no effect
    if staged:
        tracing.staged_attempts.add(site)
        return _follow(tracing, _trace_body(tracing, run, forgotten), clauses, forgotten)
    return clauses.completed(result) if caught is None else _catch(clauses, caught)


def _run_in_python(
    tracing: Tracing, run: Callable[[], Any], only: type[BaseException] | None
) -> Any:
    """Run a body that does not raise at run time; else nothing is done, and it must be staged."""
    trial = Attempt(run, only)
    checkpoint = tracing.checkpoint()
    with tracing.enter() as region:
        tracing.attempts.append(trial)
        try:
            result = run()
        except MustBeStaged as found:
            if found.attempt is trial:
                region.take_back()
                checkpoint.restore()
            else:
                region.commit()
            raise
        except BaseException:
            region.commit()
            raise
        finally:
            tracing.attempts.pop()
        region.commit()
    return result


def _catch(clauses: Clauses, error: BaseException) -> Any:
    """What a clause makes of an exception; it goes on where there is none for it."""
    clause = clauses.choose(error)
    if clause is None:
        raise error
    return clauses.caught(clause, error)


# the body -----------------------------------------------------------------------------------------
def _trace_body(tracing: Tracing, run: Callable[[], Any], forgotten: Collection[Key]) -> Body:
    """The body in a graph of its own; what it changed is taken back."""
    trial, trace = Attempt(run), Trace("try", tracing.region.trace)
    raised: Raised | None = None
    result, completes = DONT_CARE, False
    with tracing.enter(trace) as region:
        trial.region = region
        tracing.attempts.append(trial)
        try:
            result, completes = run(), True
        except Unreachable:
            pass
        except BaseException as error:
            try:
                if not is_catchable(error):
                    raise
                raised = leaves(tracing, error)
            except BaseException:
                region.roll_back()
                raise
        finally:
            tracing.attempts.pop()
        changed = outer_places(region.finish(), region)
    if raised is not None:
        emit_raise(trace, raised, ())
    body = Body(trace, None, points=list(_points(trace.graph, set())))
    if completes:
        _freeze_end(tracing, body, region, result, changed, forgotten)
    return body


def _points(graph: Graph, seen: set[int]) -> Iterator[Raised]:
    """The raises of a graph that are caught, in program order."""
    if id(graph) in seen:
        return
    seen.add(id(graph))
    for node in graph.nodes:
        if node.op is RAISE and isinstance(node.attributes["exception"], Raised):
            yield node.attributes["exception"]
        for inner in node.graphs:
            yield from _points(inner, seen)


def _freeze_end(
    tracing: Tracing,
    body: Body,
    region: Region,
    result: Any,
    changed: dict[Key, Place],
    forgotten: Collection[Key],
) -> None:
    """The outputs of a body that completes: its result, and what it changed."""
    freezer, coercer = Freezer(tracing, region), Coercer(body.trace)
    body.places = [place for key, place in changed.items() if key not in forgotten]
    body.skeletons = [freezer.freeze_at("result", result)]
    for place in body.places:
        body.skeletons.append(freezer.freeze_at(place.key, final_value(place, region)))
    body.trace.graph.outputs = [
        value for one in body.skeletons for value in coercer.coerce(one, one)
    ]


# what follows -------------------------------------------------------------------------------------
@dataclass(slots=True)
class Group:
    """Raises that one clause takes, or that go on, with exceptions of one type."""

    clause: Any
    frozen: Skeleton
    numbers: list[int]
    location: Location | None

    def take(self, clause: Any, point: Raised, number: int) -> bool:
        """Take one more raise, if it fits."""
        if self.clause != clause or not self._knows_line(point):
            return False
        joined = _joined(self.frozen, point.frozen)
        if joined is None:
            return False
        self.frozen = joined
        self.numbers.append(number)
        return True

    def _knows_line(self, point: Raised) -> bool:
        """Whether the joined exception knows where it was raised: one from before does not."""
        return isinstance(self.frozen, Made) or _same_line(point.location, self.location)


def _follow(tracing: Tracing, body: Body, clauses: Clauses, forgotten: Collection[Key]) -> Any:
    """The switch over how a body ended."""
    numbers = {point: number for number, point in enumerate(body.points, 1)}
    outputs = None if body.skeletons is None else body.trace.graph.outputs
    ending = unwind(tracing.region.trace, body.trace, outputs, numbers)
    groups = _groups(tracing, body, ending, clauses)
    options: list[tuple[list[int], Callable[[], Any]]] = []
    if body.skeletons is not None:
        options.append(([0], lambda: _complete(tracing, body, ending, clauses)))
    for group in groups:
        run = functools.partial(_enter, tracing, body, ending, clauses, group)
        options.append((group.numbers, run))
    if not options:
        raise Unreachable
    if isinstance(ending.tag, int):
        return next(run for numbers, run in options if ending.tag in numbers)()
    if len(options) == 1:
        return options[0][1]()
    index = _renumbered(tracing, ending.tag, [numbers for numbers, _ in options])
    return switch(tracing, index, [run for _, run in options], "the completion", forgotten)


def _renumbered(tracing: Tracing, tag: Value, numbers: Sequence[Sequence[int]]) -> Value:
    """The number of the option that has the number `tag`."""
    trace = tracing.region.trace
    options = {number: option for option, several in enumerate(numbers) for number in several}
    first, *others = sorted(options)
    with trace.active():
        known = OPS.to_tensor(Number(tag), dtype=np.dtype(np.int64))
        if all(option == number - first for number, option in options.items()):
            found = OPS.subtract(known, first)
        else:
            found, before = OPS.asarray(options[first], dtype=np.dtype(np.int64)), options[first]
            for number in others:
                if options[number] != before:
                    before = options[number]
                    found = OPS.where(OPS.greater_equal(known, number), before, found)
        return trace.value_of(OPS.to_number(found, kind=int))


def _groups(tracing: Tracing, body: Body, ending: Ending, clauses: Clauses) -> list[Group]:
    groups: list[Group] = []
    for number, point in enumerate(body.points, 1):
        clause = _clause_of(tracing, point, ending.payloads.get(number), clauses)
        if ending.payloads.get(number) is None:
            continue  # it stands after what always raises
        if not any(group.take(clause, point, number) for group in groups):
            groups.append(Group(clause, point.frozen, [number], point.location))
    return groups


def _same_line(one: Location | None, other: Location | None) -> bool:
    if one is None or other is None:
        return one is other
    return one == other and one.callers == other.callers


def _joined(left: Skeleton, right: Skeleton) -> Skeleton | None:
    """The type of two exceptions that can be one object; None where they cannot."""
    try:
        joined = join(left, right, Joining("the exception"))
    except MergeError:
        return None
    return None if isinstance(joined, Choices) else joined


def _clause_of(
    tracing: Tracing, point: Raised, payload: list[Value] | None, clauses: Clauses
) -> Any:
    """The clause for what is raised at a point, asked for in the state that is there.

    Where asking does something, or raises, it is not known before the graph runs.
    """
    if payload is None:
        return None
    checkpoint = tracing.checkpoint()
    with tracing.enter() as restored:
        try:
            _restore(tracing, [point.frozen, *point.contents], point.places, payload)
            nodes = len(restored.trace.graph.nodes)
            with tracing.enter() as region:
                try:
                    clause = clauses.choose(point.error)
                    acted = len(region.trace.graph.nodes) > nodes or region.changed()
                    return AT_RUN_TIME if acted else clause
                except BaseException as error:
                    if not is_catchable(error):
                        raise
                    return AT_RUN_TIME
                finally:
                    region.roll_back()
        finally:
            restored.roll_back()
            checkpoint.restore()


def _complete(tracing: Tracing, body: Body, ending: Ending, clauses: Clauses) -> Any:
    assert body.skeletons is not None and ending.outputs is not None
    result = _restore(tracing, body.skeletons, body.places, ending.outputs)
    return clauses.completed(result)


def _enter(tracing: Tracing, body: Body, ending: Ending, clauses: Clauses, group: Group) -> Any:
    """Go on where the raises of a group lead."""

    def restored(number: int) -> BaseException:
        point = body.points[number - 1]
        skeletons = [point.frozen, *point.contents]
        error: BaseException = _restore(tracing, skeletons, point.places, ending.payloads[number])
        return error

    if len(group.numbers) == 1:
        error = restored(group.numbers[0])
    else:
        assert isinstance(ending.tag, Value)
        index = _renumbered(tracing, ending.tag, [[number] for number in group.numbers])
        thunks = [lambda number=number: restored(number) for number in group.numbers]
        error = switch(tracing, index, thunks, "the exception")
    if group.location is not None and not isinstance(group.frozen, Made):
        tracing.origins.note(error, tracing.origins.number(group.location))
        tracing.keep(error)
    if group.clause is None:
        raise error
    return clauses.caught(group.clause, error)


def _restore(
    tracing: Tracing, skeletons: Sequence[Skeleton], places: Sequence[Place], held: Sequence[Value]
) -> Any:
    """Let the places hold what they held at an end of the body; gives the first value."""
    trace = tracing.region.trace
    thawer = Thawer(tracing, iter([trace.lift(value) for value in held]))
    result = thawer.thaw(skeletons[0])
    for place, skeleton in zip(places, skeletons[1:], strict=True):
        tracing.touch(place)
        thawed = thawer.thaw(skeleton)
        place.set(thawed._value if isinstance(place, TensorPlace) else thawed)
    return result
