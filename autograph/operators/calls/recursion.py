"""Recursion: a function re-entered under a staged condition becomes a graph that calls itself.

The trace is started again when that is found; the function is then traced until the types of its
arguments, of its result and of the places it changes settle. A call whose result is not known yet
puts its branch aside: the result's type is a least fixed point from "does not return".
"""

from __future__ import annotations

import inspect
import sys
import types
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from autograph.control.attempts import Clauses, attempt
from autograph.control.branch import Unreachable, final_value, outer_places, switch
from autograph.control.raising import Attempt, Boundary, changed_since, is_attempted
from autograph.errors import NoReturnError, StagingError
from autograph.merge.coerce import Coercer
from autograph.merge.freeze import Freezer
from autograph.merge.given_back import Given, freeze_arguments, note_arguments
from autograph.merge.join import Joining, join, lengthened
from autograph.merge.join_specs import Own
from autograph.merge.pack import leaf_specs
from autograph.merge.thaw import Thawer
from autograph.operators.calls.activation_records import (
    Activation,
    FoundRecursion,
    bound,
    grow,
    identity_of,
    kind_of,
    refer_to_trees,
    size_of,
)
from autograph.operators.calls.recursion_types import (
    CallTypes,
    Growth,
    refuse_changed_arguments,
    refuse_changed_form,
    result_specs,
    with_own_sizes,
)
from autograph.operators.expressions.truth import as_value, choose
from autograph.runtime.control.records import CALL
from autograph.runtime.core.location import is_ours, standing, stands
from autograph.runtime.core.number import Number
from autograph.runtime.core.tensor import Tensor
from autograph.runtime.graph.ir import Graph, Value
from autograph.runtime.graph.trace import RunLimitError, Trace
from autograph.tracing.places import Key, Place, TensorPlace
from autograph.tracing.region import Region
from autograph.tracing.tracing import Tracing
from autograph.values.choice import Choice
from autograph.values.numpy_arrays import is_array_of_numbers
from autograph.values.sentinels import DONT_CARE
from autograph.values.skeleton import Fixed, Skeleton, alike

MAXIMUM_ROUNDS = 12


MOST_ACTIVE = 48  # times that a function of staged arguments runs before it is taken to recur


@dataclass(slots=True)
class Recursive:
    """A function being traced as a graph of its own, in one round.

    An argument that is one and the same object in every call is given by reference (`shared`), so
    that what the function changes in it is seen outside; any other by value.
    """

    function: types.FunctionType
    graph: Graph
    values: list[Skeleton]
    """The arguments of the first call, by value."""
    first: list[Skeleton]
    arguments: list[Skeleton]
    shared: set[int]
    places: dict[Key, Place]
    contents: dict[Key, Skeleton]
    captures: list[Value]
    boundary: Boundary
    catches: bool
    """Whether what it raises is caught further out: then it gives that as a part of its result."""
    found: dict[Key, Place] = field(default_factory=dict)
    """Places that a call inside finds changed, and that are not passed to it yet."""
    region: Region | None = None
    inside: Mapping[str, Any] = field(default_factory=dict)
    """The arguments as they are inside the graph."""
    result: Skeleton | None = None
    wider: bool = False
    wanted: list[Skeleton] = field(default_factory=list)
    own: Own = field(default_factory=Own)
    """The symbols of sizes of arguments and places: other sizes in each call."""
    given: Own = field(default_factory=Own)
    """The same of the result."""

    def joining(self, what: str) -> Joining:
        """How what a place holds is merged, from call to call."""
        return Joining(what, grow=True, own=self.own)

    def joined(self, key: Key, frozen: Skeleton, what: str) -> Skeleton:
        """The type of a place that holds what it held, and this."""
        return with_own_sizes(join(self.contents[key], frozen, self.joining(what)), self.own)


@standing
def run(
    tracing: Tracing, function: types.FunctionType, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Any:
    """Run a converted function; what recurs is staged."""
    if any(map(is_array_of_numbers, _defaults_of(function))):
        args, kwargs = _with_arrays(tracing, function, args, kwargs)
    code, identity = function.__code__, identity_of(function)
    if code in tracing.hints.recursive or code in tracing.caches.remembering:
        context = tracing.recursions.get(identity)
        if context is not None:
            return _call_again(tracing, context, args, kwargs)
        outermost = all(one.identity != identity for one in tracing.activations)
        opened = code in tracing.hints.opened or code in tracing.caches.remembered
        if not opened or not outermost:
            return _trace_recursive(tracing, function, args, kwargs)
    given = (*args, *kwargs.values())
    kind, sizes = tuple(map(kind_of, given)), tuple(map(size_of, given))
    trace = tracing.region.trace
    active = [one for one in tracing.activations if one.identity == identity]
    again = [one for one in active if one.kind == kind]
    if any(one.trace is not trace for one in again) or grow(active, sizes, trace):
        first = tracing.activations.index(active[0])
        raise FoundRecursion(code, around=[one.identity[0] for one in tracing.activations[first:]])
    refer_to_trees(tracing, active, given, identity)
    # all of its ends raise: none of it is in a branch
    if len(again) >= MOST_ACTIVE and _counts_staged(args):
        raise FoundRecursion(code)
    limit = sys.getrecursionlimit()
    if tracing.activations and tracing.activations[-1].trace is trace:
        if len(tracing.activations) > tracing.room:
            tracing.exceeded = RecursionError("maximum recursion depth exceeded")
            raise tracing.exceeded
        sys.setrecursionlimit(limit + FRAMES)  # for what a call takes that is traced
    tracing.activations.append(Activation(identity, trace, kind, sizes))
    try:
        with stands():
            return function(*args, **kwargs)
    except RecursionError as error:
        if active and error is not tracing.exceeded and _is_too_deep(error):
            raise RunLimitError(
                f"a recursion of {function.__name__} by known values, with a staged condition "
                "in each call, is too deep to be traced; pass a tensor that tells how deep it "
                "goes, so that it is staged"
            ) from None
        raise
    finally:
        tracing.activations.pop()
        sys.setrecursionlimit(limit)


FRAMES = 30
"""So many of Python's frames a call takes at most while it is traced."""


def _is_too_deep(error: RecursionError) -> bool:
    """Whether Python's stack was full in code of ours: plain Python might have had room."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    is_own = trace is not None and is_ours(trace.tb_frame.f_code.co_filename)
    return is_own and str(error).startswith("maximum recursion depth exceeded")


def _counts_staged(args: tuple[Any, ...]) -> bool:
    """Whether a function is given what is staged, and nothing known that could count its calls."""
    staged = [one for one in args if isinstance(one, Number | Tensor)]
    counting = (bool, int, float, str, tuple, list, dict, set, deque)
    others = [one for one in args if not isinstance(one, Number | Tensor)]
    return bool(staged) and not any(isinstance(one, counting) for one in others)


def _defaults_of(function: types.FunctionType) -> tuple[Any, ...]:
    return (*(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values())


def _with_arrays(
    tracing: Tracing, function: types.FunctionType, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """The arguments with the defaults of those that are left out: arrays, which may be changed."""

    def held(default: Any) -> Any:
        if is_array_of_numbers(default):
            return tracing.array_tensor(default, tracing.path_of(default))
        return default

    code, defaults = function.__code__, function.__defaults__ or ()
    given, named = list(args), dict(kwargs)
    first = code.co_argcount - len(defaults)
    for place in range(len(given), code.co_argcount):
        name = code.co_varnames[place]
        if name in named and place >= code.co_posonlyargcount:
            given.append(named.pop(name))
        elif place >= first:
            given.append(held(defaults[place - first]))
        else:
            return args, kwargs  # Python's own error
    for name, default in (function.__kwdefaults__ or {}).items():
        named.setdefault(name, held(default))
    return tuple(given), named


# a call of the function inside itself -----------------------------------------------------------
def _call_again(
    tracing: Tracing, context: Recursive, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Any:
    _note_attempts(tracing, context)
    tracing.keeper.settle()
    _note_changed(tracing, context)
    values = bound(context.function, args, kwargs).arguments
    freezer = Freezer(tracing, tracing.region, context.region)
    frozen = freeze_arguments(freezer, values)
    demoted = False
    for number, skeleton in enumerate(frozen):
        if number in context.shared and not alike(skeleton, context.first[number]):
            context.shared.remove(number)
            context.first[number] = context.wanted[number] = context.values[number]
            context.wider = demoted = True
    frozen_places = {
        key: freezer.freeze_at(key, place.get()) for key, place in context.places.items()
    }
    if demoted:
        raise Unreachable
    for number, skeleton in enumerate(frozen):
        what = f"argument '{[*values][number]}'"
        wider = lengthened(context.wanted[number], skeleton, what, context.own)
        wider = with_own_sizes(wider, context.own)
        context.wider |= not alike(wider, context.arguments[number])
        context.wanted[number] = wider
    for key, skeleton in frozen_places.items():
        what = context.places[key].describe()
        wider = context.joined(key, skeleton, what)
        context.wider |= not alike(wider, context.contents[key])
        context.contents[key] = wider
    if context.result is None or context.wider:
        context.wider = True
        raise Unreachable  # what the call gives is not known yet: put this branch aside
    given = Given(values, frozen, freezer.objects)
    return _result(tracing, context, _emit_call(tracing, context, given, frozen_places))


def _note_changed(tracing: Tracing, context: Recursive) -> None:
    """What is changed before the call, the call sees: also what is changed back after it."""
    for key, place in changed_since(tracing, context.region).items():
        if key not in context.places and key not in context.found:
            context.found[key] = place
    if context.found:
        context.wider = True


def _note_attempts(tracing: Tracing, context: Recursive) -> None:
    """Where the function calls itself inside a `try` or `with`, it must give what it raises."""
    inside = tracing.attempts[tracing.attempts.index(context.boundary) :]
    if not context.catches and any(isinstance(one, Attempt) and one.takes(None) for one in inside):
        context.catches = context.wider = True
        context.result = None


def _result(tracing: Tracing, context: Recursive, given: Any) -> Any:
    """The result of a call; what the function raised is raised here."""
    if not context.catches:
        return given
    failed, value, error = given

    def fail(one: Any) -> Any:
        raise one

    def go_on() -> Any:
        return choose(tracing, error, fail) if isinstance(error, Choice) else fail(error)

    if isinstance(failed, bool):
        return go_on() if failed else value
    return switch(tracing, as_value(tracing, failed), [lambda: value, go_on])


def _emit_call(
    tracing: Tracing,
    context: Recursive,
    given: Given,
    places: dict[Key, Skeleton],
) -> Any:
    trace = tracing.region.trace
    coercer = Coercer(trace)
    operands: list[Value] = []
    for skeleton, target in zip(given.frozen, context.arguments, strict=True):
        operands += coercer.coerce(skeleton, target)
    for key, skeleton in places.items():
        operands += coercer.coerce(skeleton, context.contents[key])
    operands += [trace.lift(value) for value in context.captures]
    assert context.result is not None
    taken = [*context.arguments, *context.contents.values()]
    own = Own(context.own | context.given)
    specs = result_specs(context.result, list(context.contents.values()), taken, operands, own)
    attributes = {"function": context.graph, "results": tuple(specs)}
    outputs = trace.add_control(CALL, operands, attributes, specs).outputs
    thawer = Thawer(tracing, iter(outputs))
    note_arguments(thawer, given, context.arguments)
    result = thawer.thaw(context.result)
    for key, place in context.places.items():
        thawed = thawer.thaw(context.contents[key])
        tracing.touch(place)
        place.set(thawed._value if isinstance(place, TensorPlace) else thawed)
    return result


# the first call -----------------------------------------------------------------------------------
def _trace_recursive(
    tracing: Tracing, function: types.FunctionType, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Any:
    arguments = bound(function, args, kwargs)
    tracing.keeper.settle()
    by_value = Freezer(tracing, tracing.region)
    values = freeze_arguments(by_value, arguments.arguments)
    freezer = Freezer(tracing, tracing.region, by_reference=True)
    first = freeze_arguments(freezer, arguments.arguments)
    shared = {number for number, one in enumerate(first) if not alike(one, values[number])}
    graph, boundary = Graph(function.__name__), Boundary()
    catches = is_attempted(tracing)
    context = Recursive(
        function, graph, values, first, list(first), shared, {}, {}, [], boundary, catches
    )
    context.arguments = [with_own_sizes(one, context.own) for one in first]
    identity = identity_of(function)
    tracing.recursions[identity] = context
    tracing.origins.recursions += 1
    tracing.attempts.append(boundary)
    try:
        growth = Growth()
        for _ in range(MAXIMUM_ROUNDS):
            places = _places(tracing, context) if _round(tracing, context, arguments) else None
            if places is not None:
                break
            growth.look(_types(context))
        else:
            raise _types(context).unsettled()
    finally:
        tracing.attempts.pop()
        tracing.origins.recursions -= 1
        del tracing.recursions[identity]
    assert places is not None
    given = Given(arguments.arguments, context.first, by_value.objects)
    return _result(tracing, context, _emit_call(tracing, context, given, places))


def _places(tracing: Tracing, context: Recursive) -> dict[Key, Skeleton] | None:
    """What the places hold before the first call; None where that needs wider types.

    Frozen together, they may turn out to share tensors. Every object there is stays itself.
    """
    freezer = Freezer(tracing, tracing.region, by_reference=True)
    frozen = {key: freezer.freeze_at(key, place.get()) for key, place in context.places.items()}
    wider = {
        key: context.joined(key, one, context.places[key].describe()) for key, one in frozen.items()
    }
    settled = all(alike(one, context.contents[key]) for key, one in wider.items())
    context.contents = wider
    return frozen if settled else None


def _types(context: Recursive) -> CallTypes:
    return CallTypes(context.function, context.arguments, context.result, context.catches)


def _round(tracing: Tracing, context: Recursive, arguments: inspect.BoundArguments) -> bool:
    """Trace the function once; whether its types have settled."""
    context.wider = False
    catches = context.catches
    context.wanted = list(context.arguments)
    trace = Trace(context.function.__name__, tracing.region.trace)
    context.graph = trace.graph
    known = list(context.captures)
    with tracing.enter(trace) as region:
        context.region = region
        try:
            given = _enter(tracing, context, arguments, trace)
            context.inside = given.arguments
            result, dead = DONT_CARE, False
            try:
                result = _run_function(tracing, context, given)
            except Unreachable:
                dead = True
            except Exception as error:
                if not context.wider or isinstance(error, StagingError):
                    raise
                dead = True  # so it does on the paths that are known by now
            refuse_changed_arguments(tracing, context.function, region)
        except BaseException:
            region.roll_back()
            raise
        changed = outer_places(region.finish(), region)
    if context.catches is not catches:
        context.arguments = list(context.wanted)
        return False
    changed = {**context.found, **changed}
    settled = all(map(alike, context.wanted, context.arguments)) and not context.found
    if dead and context.result is None and settled:
        if any(one.wider for one in tracing.recursions.values() if one is not context):
            raise Unreachable  # it waits for what another one gives, which calls it
        raise NoReturnError(
            f"'{context.function.__name__}' calls itself on every path, so it never returns",
            remedy="give it a condition under which it returns without calling itself",
        )
    if dead and context.result is None:
        _add_places(tracing, context, context.found)
        context.arguments = list(context.wanted)
        return False
    _widen(tracing, context, region, result, changed)
    for value in trace.captures:
        if value not in known:
            context.captures.append(value)
            context.wider = True
    if context.wider:
        context.arguments = list(context.wanted)
        return False
    _finish(tracing, context, region, trace, result)
    return True


def _run_function(tracing: Tracing, context: Recursive, given: inspect.BoundArguments) -> Any:
    """The function's result; with whether it raised, and what, where that is caught."""

    tracing.region.turn_of = (context.function.__code__,)

    def run() -> Any:
        return context.function(*given.args, **given.kwargs)

    def caught(clause: Any, error: BaseException) -> Any:
        return True, DONT_CARE, error

    if not context.catches:
        return run()
    clauses = Clauses(lambda result: (False, result, DONT_CARE), lambda error: 0, caught)
    return attempt(tracing, run, clauses, (context.function.__code__, "call"))


def _enter(
    tracing: Tracing, context: Recursive, arguments: inspect.BoundArguments, trace: Trace
) -> inspect.BoundArguments:
    """Inputs for the arguments, the places and the captures of the function's graph."""
    targets = [*context.arguments, *context.contents.values()]
    inputs = [trace.graph.add_input(spec) for target in targets for spec in leaf_specs(target)]
    for value in context.captures:
        trace.captures[value] = trace.graph.add_input(value.spec)
    thawer = Thawer(tracing, iter(inputs))
    before = dict(tracing.region.born)
    given = inspect.BoundArguments(arguments.signature, dict(arguments.arguments))
    for name, target in zip(arguments.arguments, context.arguments, strict=True):
        given.arguments[name] = thawer.thaw(target)
    born = tracing.region.born
    tracing.region.given = {key: one for key, one in born.items() if key not in before}
    for key, place in context.places.items():
        tracing.touch(place)
        thawed = thawer.thaw(context.contents[key])
        place.set(thawed._value if isinstance(place, TensorPlace) else thawed)
    refuse_changed_form(tracing, _types(context), given)
    return given


def _add_places(tracing: Tracing, context: Recursive, changed: dict[Key, Place]) -> None:
    """Pass these places to the calls from the next round on."""
    before = Freezer(tracing, tracing.region, by_reference=True)
    for key, place in changed.items():
        if key not in context.places:
            context.places[key] = place
            frozen = before.freeze_at(key, place.get())
            context.contents[key] = with_own_sizes(frozen, context.own)
            context.wider = True
    context.found = {}


def _widen(
    tracing: Tracing, context: Recursive, region: Any, result: Any, changed: dict[Key, Place]
) -> None:
    """Let the types hold what this round gave."""
    _add_places(tracing, context, changed)
    freezer = Freezer(tracing, region)
    freeze_arguments(freezer, context.inside)
    frozen = freezer.freeze_at("result", result)
    old = context.result if context.result is not None else Fixed(DONT_CARE)
    what = f"the result of '{context.function.__name__}'"
    wider = with_own_sizes(lengthened(old, frozen, what, context.given), context.given)
    if context.result is None or not alike(wider, context.result):
        context.wider = True
    context.result = wider
    for key, place in context.places.items():
        final = freezer.freeze_at(key, final_value(place, region))
        target = context.joined(key, final, place.describe())
        context.wider |= not alike(target, context.contents[key])
        context.contents[key] = target


def _finish(tracing: Tracing, context: Recursive, region: Any, trace: Trace, result: Any) -> None:
    """The outputs of the settled graph."""
    assert context.result is not None
    freezer, coercer = Freezer(tracing, region), Coercer(trace)
    freeze_arguments(freezer, context.inside)
    outputs = coercer.coerce(freezer.freeze_at("result", result), context.result)
    for key, place in context.places.items():
        final = freezer.freeze_at(key, final_value(place, region))
        outputs += coercer.coerce(final, context.contents[key])
    trace.graph.outputs = outputs
