"""The staged branch: every option is traced in a region, rolled back, and merged."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from typing import Any

from autograph.control.raising import Raised, emit_raise, is_of_the_program, raised_here
from autograph.errors import TracingSignal
from autograph.merge.coerce import Coercer
from autograph.merge.freeze import Freezer, is_made_in
from autograph.merge.join import Joining, join
from autograph.merge.join_specs import join_items
from autograph.merge.pack import leaf_specs
from autograph.merge.thaw import Thawer
from autograph.runtime.control.records import COND
from autograph.runtime.core.location import pinned, standing, stands
from autograph.runtime.core.spec import AnySpec
from autograph.runtime.graph.ir import Value
from autograph.runtime.graph.trace import Trace
from autograph.tracing.places import Key, Place, TensorPlace
from autograph.tracing.region import Region
from autograph.tracing.tracing import Tracing
from autograph.values.sentinels import DONT_CARE
from autograph.values.skeleton import Fixed, Skeleton

Thunk = Callable[[], Any]
Emit = Callable[[Sequence[list[Value]], Sequence[AnySpec]], list[Value]]


class Unreachable(TracingSignal):
    """No path of a staged branch comes out: what follows is dead code. Never seen by users."""


@dataclass(slots=True)
class Outcome:
    """How one option ended: in a result, or (dead) in an exception."""

    region: Region
    result: Any = DONT_CARE
    changed: dict[Key, Place] = field(default_factory=dict)
    dead: bool = False
    raised: Raised | None = None
    skeletons: list[Skeleton] = field(default_factory=list)


@standing
def run_option(tracing: Tracing, trace: Trace, thunk: Thunk) -> Outcome:
    """Trace one option in a region of its own, and roll it back."""
    with tracing.enter(trace) as region:
        outcome = Outcome(region)
        try:
            with stands():
                outcome.result = thunk()
        except Unreachable:
            outcome.dead = True
        except BaseException as error:
            try:
                outcome.raised = leaves(tracing, error)
            except BaseException:
                region.roll_back()
                raise
            outcome.dead = True
        changed = region.finish()
    outcome.changed = {} if outcome.dead else outer_places(changed, region)
    return outcome


def leaves(tracing: Tracing, error: BaseException) -> Raised:
    """An exception of the program that leaves the current region; any other one is raised."""
    if not is_of_the_program(error):
        raise error
    return raised_here(tracing, error)


def outer_places(changed: dict[Key, Place], region: Region) -> dict[Key, Place]:
    """The changed places that existed before the region."""
    return {
        key: place
        for key, place in changed.items()
        if not (isinstance(place, TensorPlace) and is_made_in(place.owner, region.trace))
        and id(place.owner) not in region.born
    }


def switch(
    tracing: Tracing,
    index: Value,
    thunks: Sequence[Thunk],
    what: str = "the result",
    forgotten: Collection[Key] = (),
) -> Any:
    """Stage `thunks[index]()`: its result, with the changes of all options merged.

    `index` is a bool or an int of the graph: False takes the first thunk. `forgotten` places are
    read by nobody afterwards.
    """
    if len(thunks) == 1:
        return thunks[0]()
    outer = tracing.region
    traces = [Trace(f"branch_{number}", outer.trace) for number in range(len(thunks))]
    outcomes = [
        run_option(tracing, trace, thunk) for trace, thunk in zip(traces, thunks, strict=True)
    ]

    def emit(leaves: Sequence[list[Value]], specs: Sequence[AnySpec]) -> list[Value]:
        return emit_cond(outer.trace, index, traces, leaves, specs)

    return settled(tracing, outcomes, emit, what, forgotten)


def settled(
    tracing: Tracing,
    outcomes: Sequence[Outcome],
    emit: Emit,
    what: str,
    forgotten: Collection[Key] = (),
) -> Any:
    """The result of what `emit` adds, with the changes of all outcomes merged.

    `emit` gets what each graph gives, and the merged specs; it gives the outputs of the node.
    """
    alive = [outcome for outcome in outcomes if not outcome.dead]
    if not alive:
        for outcome in outcomes:
            emit_raise(outcome.region.trace, outcome.raised, ())
        emit([[] for _ in outcomes], [])
        raise Unreachable
    places: dict[Key, Place] = {}
    for outcome in alive:
        places.update(
            (key, place) for key, place in outcome.changed.items() if key not in forgotten
        )
    with pinned():
        targets = merge_outcomes(tracing, alive, list(places.values()), what)
        specs = [spec for target in targets for spec in leaf_specs(target)]
        leaves = [outcome_leaves(outcome, targets, specs) for outcome in outcomes]
        outputs = emit(leaves, specs)
    thawer = Thawer(tracing, iter(outputs))
    result = thawer.thaw(targets[0])
    for place, target in zip(places.values(), targets[1:], strict=True):
        tracing.touch(place)
        thawed = thawer.thaw(target)
        place.set(thawed._value if isinstance(place, TensorPlace) else thawed)
    return result


def outcome_leaves(outcome: Outcome, targets: list[Skeleton], specs: list[AnySpec]) -> list[Value]:
    """What the graph of one option gives for the merged types."""
    trace = outcome.region.trace
    if outcome.dead:
        return emit_raise(trace, outcome.raised, specs)
    coercer = Coercer(trace)
    return [
        value
        for frozen, target in zip(outcome.skeletons, targets, strict=True)
        for value in coercer.coerce(frozen, target)
    ]


def merge_outcomes(
    tracing: Tracing, alive: list[Outcome], places: list[Place], what: str
) -> list[Skeleton]:
    """The types of the result and of each place, over all options that come out."""
    for outcome in alive:
        freezer = Freezer(tracing, outcome.region)
        outcome.skeletons = [freezer.freeze_at("result", outcome.result)]
        for place in places:
            final = final_value(place, outcome.region)
            outcome.skeletons.append(freezer.freeze_at(place.key, final))
    names = [what, *(place.describe() for place in places)]
    targets = []
    for number, name in enumerate(names):
        target: Skeleton = Fixed(DONT_CARE)
        for outcome in alive:
            target = join(target, outcome.skeletons[number], Joining(name))
        targets.append(target)
    return targets


def final_value(place: Place, region: Region) -> Any:
    """What a place held when the region ended; it has been rolled back since."""
    return region.finals[place.key] if place.key in region.finals else place.get()


def emit_cond(
    trace: Trace,
    index: Value,
    traces: Sequence[Trace],
    leaves: Sequence[list[Value]],
    specs: Sequence[AnySpec],
) -> list[Value]:
    """The `cond` node over finished branches, which get the same operands in the same order."""
    operands: dict[Value, None] = {}
    for branch in traces:
        operands.update(dict.fromkeys(branch.captures))
    for branch, outputs in zip(traces, leaves, strict=True):
        inputs = []
        for value in operands:
            inner = branch.captures.get(value)
            inputs.append(inner or branch.graph.add_input(value.spec))
        branch.graph.inputs = inputs
        branch.graph.outputs = list(outputs)
    wider = list(specs)
    for outputs in leaves:
        for number, output in enumerate(outputs):
            joined = join_items(wider[number], output.spec)
            if joined is not None:
                wider[number] = joined
    values = [trace.lift(index), *(trace.lift(value) for value in operands)]
    attributes = {"branches": tuple(branch.graph for branch in traces)}
    return trace.add_control(COND, values, attributes, wider).outputs
