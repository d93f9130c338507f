"""Building control flow in a trace: branches and steps become graphs, what they use operands."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from autograph.runtime.control.joining import JoinError
from autograph.runtime.control.records import COND, WHILE_LOOP
from autograph.runtime.core.dims import Dim, DimLike
from autograph.runtime.core.spec import AnySpec, ListSpec, Spec
from autograph.runtime.core.state import STATE
from autograph.runtime.graph.ir import Value
from autograph.runtime.graph.trace import Trace

Branch = Callable[[], Sequence[Any]]
Step = Callable[..., tuple[Any, Sequence[Any]]]


def trace_branch(parent: Trace, name: str, branch: Branch) -> Trace:
    """A trace of `branch()` below `parent`; its results are the outputs of the graph."""
    trace = Trace(name, parent)
    with trace.active():
        trace.graph.outputs = [trace.value_of(item) for item in branch()]
    return trace


def share_captures(traces: Sequence[Trace]) -> list[Value]:
    """Give sibling traces the same inputs, all that any of them captured: the operands."""
    union: dict[Value, None] = {}
    for trace in traces:
        union.update(dict.fromkeys(trace.captures))
    for trace in traces:
        trace.graph.inputs = [trace.lift(value) for value in union]
    parent = traces[0].parent
    assert parent is not None
    return [parent.lift(value) for value in union]


def build_cond(trace: Trace, index: Any, branches: Sequence[Branch]) -> tuple[Any, ...]:
    """Add a cond that runs `branches[int(index)]()`; gives its results.

    Branches give the same number of tensors, numbers or lists. JoinError where they do not fit.
    """
    inner = [trace_branch(trace, f"branch_{i}", branch) for i, branch in enumerate(branches)]
    counts = {len(one.graph.outputs) for one in inner}
    if len(counts) != 1:
        raise JoinError(f"the branches of a cond give {' and '.join(map(str, counts))} values")
    operands = share_captures(inner)
    graphs = tuple(one.graph for one in inner)
    result: tuple[Any, ...] = trace.apply(COND, (index, *operands), {"branches": graphs})
    return result


def build_while(trace: Trace, initial: Sequence[Any], step: Step) -> tuple[Any, ...]:
    """Add a loop that repeats `go, state = step(*state)` until not `go`; gives the last state.

    A size that a turn changes becomes a symbol. JoinError where a turn changes a dtype, a rank,
    or a Python number into a tensor.
    """
    values = [trace.value_of(item) for item in initial]
    specs = [value.spec for value in values]
    unknown: set[DimLike] = set()
    while True:
        inner = _trace_step(trace, specs, step)
        after = [value.spec for value in inner.graph.outputs[1:]]
        if len(after) != len(specs):
            raise JoinError(f"a turn gives {len(after)} values for a state of {len(specs)}")
        widened = [_widened(one, other, unknown) for one, other in zip(specs, after, strict=True)]
        if widened == specs:
            break
        specs = widened
    operands = (*values, *inner.operands())
    attributes = {"step": inner.graph, "carried": len(values)}
    result: tuple[Any, ...] = trace.apply(WHILE_LOOP, operands, attributes)
    return result


def _trace_step(parent: Trace, specs: Sequence[AnySpec], step: Step) -> Trace:
    trace = Trace("step", parent)
    with trace.active():
        state = [trace.add_input(spec) for spec in specs]
        go, after = step(*state)
        trace.graph.outputs = [trace.value_of(item) for item in (go, *after)]
    return trace


def _widened(spec: AnySpec, after: AnySpec, unknown: set[DimLike]) -> AnySpec:
    """`spec` with every size that a turn changes made a symbol of its own; `unknown` has these."""
    if isinstance(spec, ListSpec) and isinstance(after, ListSpec):
        element = _widened(spec.element, after.element, unknown)
        assert isinstance(element, Spec)
        return ListSpec(element)
    if not (isinstance(spec, Spec) and isinstance(after, Spec)) or (
        (spec.dtype, spec.python, spec.ndim) != (after.dtype, after.python, after.ndim)
    ):
        raise JoinError(f"a loop begins with {spec}, and a turn makes it {after}")
    shape: list[DimLike] = []
    for have, got in zip(spec.shape, after.shape, strict=True):
        if have != got and have not in unknown:
            have = Dim.fresh()
            unknown.add(have)
        shape.append(have)
    return Spec(spec.dtype, tuple(shape), spec.python)


def while_step(test: Callable[..., Any], body: Callable[..., Sequence[Any]]) -> Step:
    """The step of `while test(*state): state = body(*state)`."""

    def step(*state: Any) -> tuple[Any, Sequence[Any]]:
        trace = STATE.interpreter
        assert isinstance(trace, Trace)
        go, *after = build_cond(
            trace,
            test(*state),
            (lambda: (False, *state), lambda: (True, *_turned(state, body(*state)))),
        )
        return go, after

    return step


def _turned(state: Sequence[Any], after: Sequence[Any]) -> Sequence[Any]:
    """The state after a turn. JoinError, naming both, where it cannot follow the one before."""
    trace = STATE.interpreter
    assert isinstance(trace, Trace)
    for before, value in zip(state, after, strict=False):
        _widened(trace.value_of(before).spec, trace.value_of(value).spec, set())
    return after
