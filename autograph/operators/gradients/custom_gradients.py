"""What a call of a function with a gradient of its own means: its gradient is traced beside it."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from autograph.control.branch import Outcome, run_option
from autograph.control.raising import Boundary, emit_raise
from autograph.errors import StagingError, StateError
from autograph.operators.calls.dispatch import call as call_staged
from autograph.operators.expressions.truth import choose
from autograph.runtime.autodiff.recording.attached import (
    CustomCall,
    attach,
    gradients_of,
    is_float,
    require_function,
    require_result,
)
from autograph.runtime.control.records import CUSTOM_GRADIENT
from autograph.runtime.control.structure import flatten
from autograph.runtime.core.tensor import Tensor
from autograph.runtime.graph.ir import Value
from autograph.runtime.graph.trace import Trace, wrap
from autograph.runtime.ops.table import OPS
from autograph.tracing.reading import read_contents
from autograph.tracing.tracing import Tracing, current
from autograph.values.choice import Choice


class StagedCall(CustomCall):
    """One call while tracing; values are those of the graph."""

    def __init__(self, tracing: Tracing, name: str, leaves: list[Any]) -> None:
        super().__init__(name, leaves)
        trace = tracing.region.trace
        self.begun = [trace.value_of(one) if is_float(one) else None for one in leaves]

    def settled(self, gradient: Any, cell: Tensor) -> Any:
        """One that is one of several: None is zeros then."""
        tracing = current()
        if tracing is None or not isinstance(gradient, Choice):
            return gradient
        return choose(tracing, gradient, lambda one: OPS.zeros_like(cell) if one is None else one)


def begun(f: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> CustomCall:
    """What is known of a call before it."""
    tracing = current()
    name = getattr(f, "__name__", repr(f))
    given = _positional(f, args, kwargs)
    if tracing is None:
        return CustomCall(name, flatten(given)[0])
    call: CustomCall = tracing.born(StagedCall(tracing, name, _leaves(tracing, given)))
    return call


def _positional(
    f: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
) -> tuple[Any, ...]:
    """The arguments that have a position, in order, those given by name too."""
    try:
        return inspect.signature(f).bind(*args, **kwargs).args if kwargs else args
    except (TypeError, ValueError):
        return args  # the call will say what is wrong


def _leaves(tracing: Tracing, given: Any) -> list[Any]:
    """The parts of nested lists, tuples and dicts that a trace is given or makes."""

    def look(item: Any) -> None:
        if isinstance(item, list | dict):
            read_contents(tracing, item)
        if tracing.contents(item) is not None:
            raise StagingError(
                "a list of staged length is given to, or by, a function with a gradient of its own",
                remedy="pass one tensor: ag.stack(items)",
            )
        if isinstance(item, list | tuple | dict):
            for one in item.values() if isinstance(item, dict) else item:
                look(one)

    look(given)
    leaves = flatten(given)[0]
    for one in leaves:
        if isinstance(one, Choice):
            raise StagingError(
                "a function with a gradient of its own is given, or gives, a value that is one of "
                f"several, {one.options!r}, depending on a staged condition",
                remedy="call it in the branches, where it is one value",
            )
    return leaves


def attached(call: CustomCall, result: Any, gradient: Any) -> Any:
    """The result of a call, in tensors of its own that have the gradient which `gradient` gives."""
    tracing = current()
    if tracing is None:
        return attach(call, result, gradient)
    for one in gradient.options if isinstance(gradient, Choice) else (gradient,):
        require_function(call, one)
    leaves = _leaves(tracing, result)
    for one in leaves:
        if not isinstance(one, Tensor):
            require_result(call, one)
    made = iter(_staged(tracing, call, [one for one in leaves if is_float(one)], gradient))
    parts = [
        one._alike(next(made)._value)
        if is_float(one)
        else one.copy()
        if isinstance(one, Tensor)
        else one
        for one in leaves
    ]
    return _born(tracing, flatten(result)[1](parts))


def _born(tracing: Tracing, item: Any) -> Any:
    """A nest of results; its lists and dicts were made just now."""
    if isinstance(item, list | dict):
        tracing.born(item)
    if isinstance(item, list | tuple | dict):
        for one in item.values() if isinstance(item, dict) else item:
            _born(tracing, one)
    return item


def _staged(tracing: Tracing, call: CustomCall, outputs: list[Any], gradient: Any) -> list[Any]:
    """The node that has the gradient; gives its outputs."""
    if not outputs:
        return []
    trace = tracing.region.trace
    inner = Trace(f"{call.name}_gradient", trace)
    values = [trace.value_of(one) for one in outputs]
    seeds = [inner.add_input(one.spec) for one in values]

    def called(*given: Any, **named: Any) -> Any:
        return call_staged(gradient, *given, **_born(tracing, named))

    def run() -> list[Any]:
        found = gradients_of(call, called, outputs, seeds)  # cells of this region: their values
        return [None if one is None else Tensor._of(inner.value_of(one)) for one in found]

    tracing.attempts.append(Boundary())
    try:
        outcome = run_option(tracing, inner, run)
    finally:
        tracing.attempts.pop()
    _refuse_changes(call, outcome)
    sources = [trace.lift(value) for _, value in call.sources]
    if outcome.dead:
        specs = [value.spec for value in sources]
        inner.graph.outputs = emit_raise(inner, outcome.raised, specs)
    else:
        given = [place for place, one in enumerate(outcome.result) if one is not None]
        sources = [sources[place] for place in given]
        inner.graph.outputs = [inner.value_of(outcome.result[place]) for place in given]
    operands = [*values, *sources, *inner.operands()]
    own = inner.graph.inputs[: len(seeds)]
    inner.graph.inputs = [*own, *inner.captures.values()]
    attributes = {"backward": inner.graph, "results": len(values)}
    specs = [value.spec for value in values]
    made: list[Value] = trace.add_control(CUSTOM_GRADIENT, operands, attributes, specs).outputs
    return [wrap(value) for value in made]


def _refuse_changes(call: CustomCall, outcome: Outcome) -> None:
    """StateError where the gradient function changes what is not its own."""
    for place in outcome.changed.values():
        raise StateError(
            f"the gradient function of {call.name} changes {place.describe()}: in a staged "
            "function it is traced when the function is called, not when the gradient is asked for",
            remedy="let it only compute, or print through ag.py_function",
        )


MODELS: dict[Any, Callable[..., Any]] = {
    begun: lambda tracing, *given: begun(*given),
    attached: lambda tracing, *given: attached(*given),
}
"""Known to calls, which would else hand copies of lists to functions of this package."""
