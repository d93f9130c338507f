"""The records of control flow. Their sub-graphs are attributes; all that these read is an operand.

`evaluate` and the lowering run the sub-graphs, and `autodiff` differentiates them, each by
the name of the op.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NoReturn

import numpy as np

from autograph.runtime.control.joining import join, renamed
from autograph.runtime.core.record import NOT_DIFFERENTIABLE, Control, Decomposition, Effect, Op
from autograph.runtime.core.spec import AnySpec
from autograph.runtime.core.state import STATE
from autograph.runtime.core.tensor import Tensor
from autograph.runtime.graph.ir import Graph, Value


def _needs_a_runner(name: str) -> NoReturn:
    raise TypeError(f"{name} runs sub-graphs: use graph.evaluate, or compile the graph")


# cond ---------------------------------------------------------------------------------------------
def _infer_cond(
    index: AnySpec, *operands: AnySpec, branches: tuple[Graph, ...]
) -> tuple[AnySpec, ...]:
    columns: list[list[Value]] = [list(column) for column in zip(*(b.outputs for b in branches))]
    return tuple(_merged(column) for column in columns)


def _merged(column: Sequence[Value]) -> AnySpec:
    """The spec of a result, from the branches that live to give it."""
    alive = [value.spec for value in column if not is_dead(value)]
    return join(alive or [column[0].spec])


def _cond(index: Any, *operands: Any, branches: tuple[Graph, ...]) -> Any:
    _needs_a_runner("cond")


COND = Op(
    name="cond",
    summary="Runs one of several graphs: `branches[int(index)]`; of a truth value, (false, true).",
    infer=_infer_cond,
    reference=_cond,
    gradient=NOT_DIFFERENTIABLE,
    lowering=Control(),
    variadic=True,
)


# while_loop ---------------------------------------------------------------------------------------
def _infer_while_loop(*operands: AnySpec, step: Graph, carried: int) -> tuple[AnySpec, ...]:
    results = []
    for initial, inside, out in zip(
        operands, step.inputs[:carried], step.outputs[1:], strict=False
    ):
        # A size that a turn leaves alone is the initial one; one that it changes is unknown.
        settled = inside.spec if is_dead(out) else out.spec
        results.append(join([initial, join([settled, inside.spec])], same=(settled, inside.spec)))
    return tuple(results)


def _while_loop(*operands: Any, step: Graph, carried: int) -> Any:
    _needs_a_runner("while_loop")


WHILE_LOOP = Op(
    name="while_loop",
    summary="Repeats `go, *carried = step(*carried, *invariants)` until not `go`.",
    infer=_infer_while_loop,
    reference=_while_loop,
    gradient=NOT_DIFFERENTIABLE,
    lowering=Control(),
    variadic=True,
)


# call ---------------------------------------------------------------------------------------------
def _infer_call(
    *operands: AnySpec, function: Graph, results: tuple[AnySpec, ...] | None = None
) -> tuple[AnySpec, ...]:
    if results is None:
        results = tuple(value.spec for value in function.outputs)
    return renamed(results, [value.spec for value in function.inputs], operands)


def _call(*operands: Any, function: Graph, results: tuple[AnySpec, ...] | None = None) -> Any:
    _needs_a_runner("call")


CALL = Op(
    name="call",
    summary="Runs a graph, which may call itself. `results`: its specs, while it is being made.",
    infer=_infer_call,
    reference=_call,
    gradient=NOT_DIFFERENTIABLE,
    lowering=Control(),
    effect=Effect.MAY_RAISE,  # RecursionError
    variadic=True,
)


# raise --------------------------------------------------------------------------------------------
def _infer_raise(
    *, exception: Any, arguments: tuple[Any, ...] = (), results: tuple[AnySpec, ...] = ()
) -> tuple[AnySpec, ...]:
    return results


def _raise(
    *, exception: Any, arguments: tuple[Any, ...] = (), results: tuple[AnySpec, ...] = ()
) -> Any:
    raise exception(*(Tensor._of(one) if isinstance(one, np.ndarray) else one for one in arguments))


RAISE = Op(
    name="raise_",
    summary="Ends the run with `exception(*arguments)`, a class or a function that makes one.",
    infer=_infer_raise,
    reference=_raise,
    gradient=NOT_DIFFERENTIABLE,
    lowering=Control(),
    effect=Effect.MAY_RAISE,
)
"""`arguments` are constants, staged numbers or tensors. `results` are the specs of values that
never come to be: what a branch that raises gives as its outputs, so that its siblings decide what
the `cond` gives."""


# gradients of the user's -------------------------------------------------------------------------
def _infer_custom_gradient(
    *operands: AnySpec, backward: Graph, results: int
) -> tuple[AnySpec, ...]:
    return tuple(operands[:results])


def _custom_gradient(*operands: Any, backward: Graph, results: int) -> tuple[Any, ...]:
    return tuple(operands[:results])


CUSTOM_GRADIENT = Op(
    name="custom_gradient",
    summary="Its first `results` operands, whose gradients the graph `backward` gives.",
    infer=_infer_custom_gradient,
    reference=_custom_gradient,
    gradient=NOT_DIFFERENTIABLE,
    lowering=Decomposition(lambda o, *operands, backward, results: tuple(operands[:results])),
    variadic=True,
)
"""The operands are the results, the values that get a gradient (one for each output of `backward`),
and what `backward` takes after the gradients of the results."""


def _recompute(*operands: Any, function: Graph) -> Any:
    _needs_a_runner("recompute")


def _written_as_call(o: Any, *operands: Any, function: Graph) -> Any:
    assert STATE.interpreter is not None
    return STATE.interpreter.apply(CALL, operands, {"function": function})


RECOMPUTE = Op(
    name="recompute",
    summary="Runs a graph; its gradient saves the operands alone, and runs the graph again.",
    infer=_infer_call,
    reference=_recompute,
    gradient=NOT_DIFFERENTIABLE,
    lowering=Decomposition(_written_as_call),
    variadic=True,
)


def is_dead(value: Value) -> bool:
    """Whether a value never comes to be, since what gives it raises."""
    return value.node is not None and value.node.op is RAISE
