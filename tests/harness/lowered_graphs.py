"""Small graphs built by hand, for the tests of the lowering and of the optimizer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from autograph.runtime.control.building import build_cond, build_while, while_step
from autograph.runtime.core.dims import Dim
from autograph.runtime.core.spec import NUMBER_SPECS, Spec
from autograph.runtime.core.state import STATE
from autograph.runtime.graph.ir import Graph
from autograph.runtime.graph.trace import Trace
from autograph.runtime.ops.table import OPS

FLOAT = np.dtype(np.float32)
INT = np.dtype(np.int64)


def traced(specs: Sequence[Any], body: Callable[..., Sequence[Any]], name: str = "graph") -> Graph:
    """The graph of `body` on inputs of these specs."""
    trace = Trace(name)
    with trace.active():
        inputs = [trace.add_input(spec, f"x{number}") for number, spec in enumerate(specs)]
        trace.graph.outputs = [trace.value_of(one) for one in body(*inputs)]
    return trace.graph


def now() -> Trace:
    """The trace that is active."""
    trace = STATE.interpreter
    assert isinstance(trace, Trace)
    return trace


def choose(test: Any, yes: Callable[[], Sequence[Any]], no: Callable[[], Sequence[Any]]) -> Any:
    """A cond in the active trace."""
    return build_cond(now(), test, (no, yes))


def repeat(
    test: Callable[..., Any], body: Callable[..., Sequence[Any]], initial: Sequence[Any]
) -> Any:
    """A while loop in the active trace."""
    return build_while(now(), initial, while_step(test, body))


def spec(*shape: int | str, dtype: np.dtype[Any] = FLOAT) -> Spec:
    """A tensor's spec; a name in the shape is a symbol."""
    return Spec(dtype, tuple(Dim.symbol(d) if isinstance(d, str) else d for d in shape))


PYINT = NUMBER_SPECS[int]
PYFLOAT = NUMBER_SPECS[float]


def collatz() -> Graph:
    """How many turns the Collatz sequence of a number takes, and the last number."""

    def body(n: Any) -> Sequence[Any]:
        def turn(n: Any, steps: Any) -> Sequence[Any]:
            (following,) = choose(OPS.equal(n % 2, 0), lambda: (n // 2,), lambda: (3 * n + 1,))
            return following, steps + 1

        n, steps = repeat(lambda n, steps: OPS.not_equal(n, 1), turn, (n, 0))
        return steps, n

    return traced([spec(dtype=INT)], body, "collatz")


def recurrent(time: int | str, batch: int | str, width: int | str) -> Graph:
    """A tanh cell over time, masked by lengths, its states stacked."""

    def body(xs: Any, lengths: Any, state: Any, w: Any, u: Any, b: Any) -> Sequence[Any]:
        longest = OPS.to_int(OPS.max(lengths))

        def turn(t: Any, state: Any, seen: Any) -> Sequence[Any]:
            place = OPS.apply("checked_index", (t, xs), {"axis": 0})
            x = OPS.apply("index", (xs,), {"index": (place,)})
            new = OPS.tanh(x @ w + state @ u + b)
            state = OPS.where(OPS.expand_dims(OPS.greater(lengths, t), 1), new, state)
            return t + 1, state, OPS.apply("list_push", (seen, state), {})

        seen = OPS.apply("list_create", (), {"element": spec(batch, width)})
        _, state, seen = repeat(lambda t, state, seen: t < longest, turn, (0, state, seen))
        return state, OPS.apply("list_stack", (seen,), {"axis": 0})

    shapes = ((time, batch, width), (batch,), (batch, width), (width, width), (width, width))
    specs = [spec(*shape) for shape in (*shapes, (width,))]
    specs[1] = spec(batch, dtype=INT)
    return traced(specs, body, "recurrent")


def recurrent_inputs(time: int, batch: int, width: int) -> list[np.ndarray[Any, Any]]:
    """Inputs for `recurrent`."""
    rng = np.random.default_rng(time * 100 + batch)
    lengths = rng.integers(1, time + 1, batch)
    lengths[0] = time
    matrices = [rng.standard_normal((width, width)) / width**0.5 for _ in range(2)]
    return [
        rng.standard_normal((time, batch, width)).astype(FLOAT),
        lengths,
        rng.standard_normal((batch, width)).astype(FLOAT),
        *(one.astype(FLOAT) for one in matrices),
        rng.standard_normal(width).astype(FLOAT),
    ]
