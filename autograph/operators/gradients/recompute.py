"""What a call of a recomputed function means: a graph of its own, whose gradient runs it again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from autograph.control.branch import run_option, settled
from autograph.control.raising import is_attempted
from autograph.errors import StateError
from autograph.operators.calls.dispatch import call
from autograph.runtime.autodiff.recording.recomputed import recomputed
from autograph.runtime.control.records import RECOMPUTE
from autograph.runtime.core.spec import AnySpec
from autograph.runtime.graph.ir import Value
from autograph.runtime.graph.trace import Trace
from autograph.tracing.places import TensorPlace
from autograph.tracing.tracing import current


def run_recomputed(f: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """`f(*args, **kwargs)`, of which a gradient keeps what goes in alone."""
    tracing = current()
    if tracing is None:
        return recomputed(f, args, kwargs)
    if is_attempted(tracing):
        return call(f, *args, **kwargs)  # what it raises is caught in the graph around
    outer = tracing.region.trace
    inner = Trace(getattr(f, "__name__", "recomputed"), outer)
    outcome = run_option(tracing, inner, lambda: call(f, *args, **kwargs))
    for place in outcome.changed.values():
        if not isinstance(place, TensorPlace):  # what it assigns to is put back for the second run
            raise StateError(
                f"a recomputed function changes {place.describe()}: it would do so again for the "
                "gradient",
                remedy="return what it would change, and change it outside",
            )

    def emit(leaves: Sequence[list[Value]], specs: Sequence[AnySpec]) -> list[Value]:
        operands = inner.operands()
        inner.graph.outputs = list(leaves[0])
        return outer.add_control(RECOMPUTE, operands, {"function": inner.graph}, specs).outputs

    return settled(tracing, [outcome], emit, "the result")


MODELS: dict[Any, Callable[..., Any]] = {
    run_recomputed: lambda tracing, *given: run_recomputed(*given)
}
