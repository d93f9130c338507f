"""`ag.Variable(...)` while tracing: it is made at once, with the value that it has in this call."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from autograph.errors import StateError
from autograph.runtime.control.effects import node_effect
from autograph.runtime.core.location import user_location
from autograph.runtime.core.record import Effect
from autograph.runtime.core.spec import Spec
from autograph.runtime.core.tensor import Tensor
from autograph.runtime.core.variable import Variable
from autograph.runtime.graph.evaluate import evaluate
from autograph.runtime.graph.ir import Graph, Node, Value
from autograph.runtime.ops.table import OPS
from autograph.tracing.tracing import Tracing


def make_variable(
    tracing: Tracing, kind: type[Variable], args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Variable:
    """`kind(*args, **kwargs)`: an object that the graph then reads like one from before.

    Its initial value is computed by the part of the graph that leads to it. StateError in a staged
    branch or loop, and where an earlier call made it.
    """
    place = user_location()
    initial, name, trainable, dtype = _parameters(None, *args, **kwargs)
    if tracing.region.trace is not tracing.trace:
        raise StateError(
            "a Variable is made in a staged branch or loop, or in a try: whether, and how many, is "
            "known only when the function runs",
            location=place,
            remedy="make it before, or under `with ag.init_scope():`",
        )
    tracing.hints.refuse_making(place)
    tensor = initial if isinstance(initial, Tensor) and dtype is None else None
    if tensor is None:
        tensor = OPS.asarray(initial, dtype=dtype)
    array = _computed(tracing, tracing.trace.value_of(tensor))
    with tracing.paused():
        made = kind(array, name, trainable)
    tracing.keep(made)
    tracing.made.append((place, made))
    return made


def _parameters(
    self: None, initial: Any, name: Any = None, trainable: Any = None, dtype: Any = None
) -> tuple[Any, Any, Any, Any]:
    return initial, name, trainable, dtype


_parameters.__qualname__ = "Variable.__init__"  # what Python says of wrong arguments


def _computed(tracing: Tracing, value: Value) -> Any:
    """What a value of the graph is in this call."""
    nodes = _leading_to(value, tracing.trace.graph.nodes)
    if any(node_effect(node) is Effect.CALLS_BACK for node in nodes):
        raise StateError(
            "the initial value of a Variable comes from a py_function, which would be called twice",
            location=user_location(),
            remedy="make the Variable under `with ag.init_scope():`",
        )
    part = Graph("initial")
    part.inputs = [one for one in tracing.trace.graph.inputs if one in tracing.given]
    part.nodes = nodes
    part.outputs = [value]
    try:
        return evaluate(part, [tracing.given[one] for one in part.inputs])[0]
    except Exception:  # the run raises it, at its place among what else happens
        spec = value.spec
        assert isinstance(spec, Spec)
        sizes = [size if isinstance(size, int) else 2 for size in spec.shape]
        with tracing.paused():
            return OPS.zeros(sizes, dtype=spec.dtype).numpy()


def _leading_to(value: Value, nodes: Iterable[Node]) -> list[Node]:
    """The nodes that a value depends on, in order."""
    wanted, found = {value}, []
    for node in reversed(list(nodes)):
        if not wanted.isdisjoint(node.outputs):
            found.append(node)
            wanted.update(node.inputs)
    return found[::-1]
