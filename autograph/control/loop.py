"""The staged loop: one turn is traced until the types of its state settle, else an error."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from autograph.control.alias_updates import refuse_element
from autograph.control.branch import final_value, outer_places
from autograph.control.exchanged_places import pooled
from autograph.errors import LoopTypeError, TracingSignal
from autograph.merge.coerce import Coercer
from autograph.merge.freeze import Freezer
from autograph.merge.join import Joining, join
from autograph.merge.join_specs import Own, renewed
from autograph.merge.object_positions import standing
from autograph.merge.pack import leaf_specs
from autograph.merge.thaw import Thawer
from autograph.runtime.control.records import WHILE_LOOP
from autograph.runtime.graph.ir import Value
from autograph.runtime.graph.trace import Trace
from autograph.tracing.places import ContentsPlace, Key, Place, TensorPlace
from autograph.tracing.region import Region
from autograph.tracing.tracing import Tracing
from autograph.values.description import describe
from autograph.values.references import FoundReferences, parts_in
from autograph.values.sentinels import DONT_CARE, UNSET
from autograph.values.skeleton import Choices, Fixed, Group, Held, Leaf, Made, Skeleton, alike

MAXIMUM_ROUNDS = 14
ROUNDS_APART = 3
"""In how many rounds tensors that exchange their places are told apart; then they are a pool."""

MOST_LENGTHS = 3
"""How often a tuple that is carried may have got longer, or deeper, in one more turn."""

NESTED = 3
"""Objects of a class that stand in one another, after which there is no end expected."""
LISTED = 2
"""How much deeper lists and dicts may stand in one another: they do so in tables, too."""

MANY_ITEMS = 8
"""From so many items on a list through which they move on is not waited for: one place a round."""

Turn = Callable[[], tuple[Any, Any]]


class MovingItems(TracingSignal):
    """Items of long lists or deques move on with each turn: rows settle at once. Never seen."""

    def __init__(self, containers: list[Any], otherwise: LoopTypeError) -> None:
        super().__init__()
        self.containers = containers
        self.otherwise = otherwise


@dataclass(slots=True)
class Carried:
    """One place that the loop carries: what it held before, and its type."""

    place: Place
    initial: Skeleton
    target: Skeleton


@dataclass(slots=True)
class Round:
    """One trial of the turn."""

    region: Region
    trace: Trace
    inputs: list[Value] = field(default_factory=list)
    go: Any = True
    code: Any = DONT_CARE
    changed: dict[Key, Place] = field(default_factory=dict)


def staged_loop(tracing: Tracing, turn: Turn, forgotten: Iterable[Place] = ()) -> Any:
    """Stage `repeat: go, code = turn() while go`; gives the code of the last turn.

    `turn` works on Python's state through places; what it changes becomes the loop's state.
    `forgotten` places do not live from turn to turn: they are emptied before and after.
    """
    for place in forgotten:
        tracing.touch(place)
        place.set(UNSET)
    skip = {place.key for place in forgotten}
    state: dict[Key, Carried] = {}
    own = Own()
    changing: list[tuple[Carried, Skeleton]] = []
    longer: Counter[Key] = Counter()
    for number in range(MAXIMUM_ROUNDS):
        trial = run_round(tracing, turn, state)
        new = {key: place for key, place in trial.changed.items() if key not in skip}
        changing = widen(tracing, trial, state, new, own)
        if not changing:
            for place in new.values():  # what this turn put into a list, the next one assigns to
                if isinstance(place, TensorPlace):
                    refuse_element(tracing, place.owner)
            return emit(tracing, trial, state, own)
        if number >= ROUNDS_APART:
            for carried, before in changing:
                carried.target = pooled(carried.target, before)
        for carried, before in changing:
            longer[carried.place.key] += _is_longer(carried.target, before)
            if longer[carried.place.key] > MOST_LENGTHS:
                raise _unsettled(carried, before)
            kind = nested_in_itself(carried.target)
            if kind is not None:  # a tree grows too large to wait for the last round
                error = _unsettled(carried, before)
                raise FoundReferences(kind, (kind,), otherwise=error)
    told = [one for one in changing if not _is_ours(one[0].place)]
    carried, before = told[-1] if told else changing[-1]
    error = _unsettled(carried, before)
    moving = [one.place.owner for one, _ in changing if _is_long(tracing, one.place)]
    if moving:
        raise MovingItems(moving, error)
    kinds = [one.kind for one in parts_in(carried.target) if isinstance(one, Made)]
    if kinds:  # objects in objects, as in a linked list: references to them have one type
        raise FoundReferences(kinds[0], (kinds[0],), otherwise=error)
    raise error


def _is_ours(place: Place) -> bool:
    """Whether users do not see a place: how far an iterator has come."""
    return type(place.owner).__module__.startswith("autograph.operators.")


def _is_long(tracing: Tracing, place: Place) -> bool:
    if not isinstance(place, ContentsPlace) or type(place.owner) not in (list, deque):
        return False
    return tracing.contents(place.owner) is None and len(place.owner) >= MANY_ITEMS


def _is_longer(skeleton: Skeleton, before: Skeleton) -> bool:
    """Whether a tuple got another length, or nests deeper: with each turn it may do so again."""
    return len(_lengths(skeleton)) > len(_lengths(before)) or nesting(skeleton) > nesting(before)


def _lengths(skeleton: Skeleton) -> set[int]:
    options = skeleton.options if isinstance(skeleton, Choices) else (skeleton,)
    return {len(one.items) for one in options if isinstance(one, Group) and one.kind is tuple}


def nesting(skeleton: Skeleton) -> int:
    """How deep tuples stand in tuples."""
    parts = skeleton.options if isinstance(skeleton, Choices) else getattr(skeleton, "items", ())
    return max(map(nesting, parts), default=0) + isinstance(skeleton, Group)


def _unsettled(carried: Carried, before: Skeleton) -> LoopTypeError:
    return LoopTypeError(
        f"{carried.place.describe()} has no type that stays the same from turn to turn of a staged "
        f"loop: it is {describe(before)} before a turn and {describe(carried.target)} after it",
        remedy=_remedy(carried.target),
    )


def nested_in_itself(
    skeleton: Skeleton, times: int = NESTED, around: tuple[type, ...] = ()
) -> type | None:
    """The class of which objects stand in one another, as in a list that is linked."""
    if isinstance(skeleton, Made):
        around = (*around, skeleton.kind)
        most = times + LISTED if skeleton.kind.__module__ == "builtins" else times
        if around.count(skeleton.kind) >= most:
            return skeleton.kind
    parts = skeleton.options if isinstance(skeleton, Choices) else getattr(skeleton, "items", ())
    for part in parts:
        found = nested_in_itself(part, times, around)
        if found is not None:
            return found
    return None


def _remedy(target: Skeleton) -> str:
    """What to write instead of a value that is of another kind after each turn."""
    options = target.options if isinstance(target, Choices) else (target,)
    if any(isinstance(one, Fixed) and isinstance(one.value, str) for one in options):
        return "count with a number in the loop, and make the string of it after the call"
    if any(isinstance(one, Group | Made | Held) for one in options):
        return (
            "append to a list, which may grow in a staged loop, instead of nesting values, or make "
            "trees of objects of a class"
        )
    return "start with a tensor that has the rank and dtype it has in the loop; sizes may change"


def run_round(tracing: Tracing, turn: Turn, state: dict[Key, Carried]) -> Round:
    """Trace one turn from fresh inputs of the present types, and roll it back."""
    trace = Trace("step", tracing.region.trace)
    with tracing.enter(trace) as region:
        trial = Round(region, trace)
        try:
            for carried in state.values():
                trial.inputs += [trace.graph.add_input(one) for one in leaf_specs(carried.target)]
            thawer = Thawer(tracing, iter(trial.inputs))
            for carried in state.values():
                region.touch(carried.place)
                put(carried.place, thawer.thaw(carried.target))
            trial.go, trial.code = turn()
            tracing.keeper.gather([(one.place, one.target) for one in state.values()])
        except BaseException:
            region.roll_back()
            raise
        trial.changed = outer_places(region.finish(), region)
    return trial


def put(place: Place, thawed: Any) -> None:
    """Store a thawed value: cells of tensors take the bare value."""
    place.set(thawed._value if isinstance(place, TensorPlace) else thawed)


def widen(
    tracing: Tracing,
    trial: Round,
    state: dict[Key, Carried],
    changed: dict[Key, Place],
    own: Own,
) -> list[tuple[Carried, Skeleton]]:
    """Let the state's types hold what the turn left. What became wider, with its type before."""
    wider: list[tuple[Carried, Skeleton]] = []
    # Every object there is was made before the loop: it stays itself.
    before = Freezer(tracing, tracing.region, by_reference=True)
    for key, place in changed.items():
        if key not in state:
            initial = before.freeze_at(key, place.get())
            state[key] = Carried(place, initial, initial)
            wider.append((state[key], initial))
    freezer = Freezer(tracing, trial.region)
    for carried in state.values():
        frozen = freezer.freeze_at(carried.place.key, final_value(carried.place, trial.region))
        context = Joining(carried.place.describe(), grow=True, own=own)
        target = join(carried.target, frozen, context)
        # What other names refer to is found by the places where it stood: these must be known, too.
        settled = alike(target, carried.target) and _sealed(target) == _sealed(carried.target)
        if not settled or standing(target) != standing(carried.target):
            wider.append((carried, carried.target))
            carried.target = target
    return wider


def _sealed(skeleton: Skeleton) -> int:
    """How many parts may be elements of containers of staged length, too."""
    return sum(1 for part in parts_in(skeleton) if isinstance(part, Leaf | Made) and part.sealed)


def emit(tracing: Tracing, trial: Round, state: dict[Key, Carried], own: Own) -> Any:
    """The `while_loop` node of a settled loop; the places get the values after it."""
    inner, outer = trial.trace, tracing.region.trace
    freezer, coercer = Freezer(tracing, trial.region), Coercer(inner)
    results: list[Value] = []
    for carried in state.values():
        frozen = freezer.freeze_at(carried.place.key, final_value(carried.place, trial.region))
        results += coercer.coerce(frozen, carried.target)
    code = freezer.freeze_at("code", trial.code)
    code_type = join(Fixed(DONT_CARE), code, Joining("the completion of a loop"))
    results += coercer.coerce(code, code_type)
    go = inner.value_of(trial.go)
    outside = Coercer(outer)
    initial: list[Value] = []
    for carried in state.values():
        initial += outside.coerce(carried.initial, carried.target)
    initial += outside.dummies(code_type)
    code_inputs = [inner.graph.add_input(spec) for spec in leaf_specs(code_type)]
    captures = dict(inner.captures)
    inner.graph.inputs = [*trial.inputs, *code_inputs, *captures.values()]
    inner.graph.outputs = [go, *results]
    operands = [*initial, *(outer.lift(value) for value in captures)]
    specs = renewed([value.spec for value in [*trial.inputs, *code_inputs]], own, {})
    attributes = {"step": inner.graph, "carried": len(initial)}
    outputs = iter(outer.add_control(WHILE_LOOP, operands, attributes, specs).outputs)
    thawer = Thawer(tracing, outputs)
    for carried in state.values():
        tracing.touch(carried.place)
        put(carried.place, thawer.thaw(carried.target))
    return thawer.thaw(code_type)
