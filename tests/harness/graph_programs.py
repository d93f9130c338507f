"""Graphs made by hand, each with inputs to run it on: what printing, reading and running meet."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from autograph.runtime.control.building import build_cond, build_while, while_step
from autograph.runtime.control.functional import cond, while_loop
from autograph.runtime.control.host import HOST_CALL
from autograph.runtime.control.records import CALL, RAISE
from autograph.runtime.core import dtypes
from autograph.runtime.core.dims import Dim
from autograph.runtime.core.list_value import ListValue
from autograph.runtime.core.record import DynamicInt
from autograph.runtime.core.spec import PYBOOL, PYFLOAT, PYINT, AnySpec, ListSpec, Spec
from autograph.runtime.graph.ir import Graph
from autograph.runtime.graph.trace import Trace, wrap
from autograph.runtime.ops.indexing.entries import Slice
from autograph.runtime.ops.table import OPS

N = Dim.symbol("n")
F32 = Spec(dtypes.float32)
F64 = Spec(dtypes.float64)
ROWS = Spec(dtypes.float32, (N, 3))
VECTOR = Spec(dtypes.float64, (N,))

Body = Callable[..., Any]
Example = Callable[[], tuple[Graph, list[list[Any]]]]


def graph_of(
    name: str, inputs: dict[str, AnySpec], body: Body, parent: Trace | None = None
) -> Graph:
    """The graph of `body(trace, *inputs)`, which gives a tuple of results."""
    trace = Trace(name, parent)
    handles = [trace.add_input(spec, one) for one, spec in inputs.items()]
    with trace.active():
        trace.graph.outputs = [trace.value_of(item) for item in body(trace, *handles)]
    return trace.graph


def f32(*items: Any) -> np.ndarray[Any, Any]:
    """An array of float32."""
    return np.array(items, np.float32)


def call(trace: Trace, function: Graph, operands: list[Any], specs: list[AnySpec]) -> list[Any]:
    """The results of a call of `function`, which may be unfinished."""
    values = [trace.value_of(one) for one in operands]
    node = trace.add_control(CALL, values, {"function": function}, specs)
    return [wrap(value) for value in node.outputs]


def arithmetic() -> tuple[Graph, list[list[Any]]]:
    """Elementwise ops, weak numbers, broadcasting, constants of several dtypes."""

    def body(trace: Trace, x: Any, k: Any) -> Any:
        y = OPS.multiply(x, k)
        y = OPS.add(y, np.array([0.5, -0.0, np.inf], np.float32))
        return OPS.where(OPS.isnan(y), np.array(np.nan, np.float32), y), k // 2 + True

    graph = graph_of("arithmetic", {"x": ROWS, "k": PYINT}, body)
    return graph, [[f32([1, 2, 3], [4, 5, 6]), 7], [f32([0, 0, 0]), -3]]


def attributes() -> tuple[Graph, list[list[Any]]]:
    """Attributes of every kind: axes, dtypes, types, slices, integers of the run, specs."""

    def body(trace: Trace, x: Any, k: Any) -> Any:
        part = OPS.apply(
            "index", (x,), {"index": (Slice(k, None, None), None, Slice(None, None, -1))}
        )
        sums = OPS.sum(part, axis=(0, 1), keepdims=True)
        wide = OPS.reshape(OPS.broadcast_to(sums, (k, 1, 3)), (k, 3))
        whole = OPS.astype(OPS.max(wide), dtypes.int16)
        empty = OPS.apply("list_create", (), {"element": Spec(dtypes.float32, (N,))})
        flags = OPS.astype(x, dtypes.bool_)
        number = OPS.apply("to_number", (OPS.any(flags),), {"kind": bool})
        return part, wide, whole, empty, number, np.zeros((0, 3), np.int8), -float("inf"), True

    graph = graph_of("attributes", {"x": ROWS, "k": PYINT}, body)
    return graph, [[f32([1, 2, 3], [4, 5, 6]), 1], [f32([1, 2, 3], [4, 5, 6]), 2]]


def branches() -> tuple[Graph, list[list[Any]]]:
    """Conds inside conds, by truth and by number, whose branches give other sizes."""

    def body(trace: Trace, x: Any, which: Any) -> Any:
        def inner() -> Any:
            return cond(OPS.greater(OPS.sum(x), 0.0), lambda: (x[1:], 1), lambda: (x, 2))

        return build_cond(
            trace, which, (lambda: (OPS.exp(x), 0), inner, lambda: (OPS.concat([x, x]), 5))
        )

    graph = graph_of("branches", {"x": ROWS, "which": PYINT}, body)
    some = f32([1, 2, 3], [4, 5, 6])
    return graph, [[some, 0], [some, 1], [-some, 1], [some, 2]]


def loops() -> tuple[Graph, list[list[Any]]]:
    """A loop in a loop, with a size that changes and invariants of both levels."""

    def body(trace: Trace, x: Any, turns: Any) -> Any:
        def outer(i: Any, total: Any) -> Any:
            j, part = while_loop(lambda j, part: j < i, lambda j, part: (j + 1, part + x), (0, x))
            return i + j, OPS.concat([total, part])

        return while_loop(lambda i, total: i < turns, outer, (1, x))

    graph = graph_of("loops", {"x": VECTOR, "turns": PYINT}, body)
    return graph, [[np.array([1.0, 2.0]), turns] for turns in (0, 2, 9)]


def lists() -> tuple[Graph, list[list[Any]]]:
    """A list that grows in a loop, is read, written, and put together."""

    def body(trace: Trace, items: Any, k: Any) -> Any:
        def turn(i: Any, grown: Any) -> Any:
            return i + 1, OPS.list_push(grown, OPS.list_get(items, i % OPS.list_length(items)))

        _, grown = while_loop(lambda i, grown: i < k, turn, (0, items))
        shorter, last = OPS.list_pop(grown)
        written = OPS.list_set(shorter, 0, last)
        return OPS.list_stack(written, axis=1), written, items, OPS.list_length(grown)

    element = Spec(dtypes.float64, (2,))
    graph = graph_of("lists", {"items": ListSpec(element), "k": PYINT}, body)
    rows = [np.array([1.0, 2.0]), np.array([3.0, 4.0])]
    return graph, [[ListValue(rows), 0], [ListValue(rows), 3]]


def recursion() -> tuple[Graph, list[list[Any]]]:
    """Two functions that call each other, one of them from two places."""
    specs: list[AnySpec] = [PYINT, F64]
    even, odd = Trace("even"), Trace("odd")
    for trace, other in ((even, odd), (odd, even)):
        n, x = trace.add_input(PYINT, "n"), trace.add_input(F64, "x")
        with trace.active():
            results = cond(
                n <= 0,
                lambda n=n, x=x: (n, x),
                lambda n=n, x=x, other=other: tuple(
                    call(_current(), other.graph, [n - 1, x * 2.0 + 1.0], specs)
                ),
            )
            trace.graph.outputs = [trace.value_of(one) for one in results]

    def body(trace: Trace, n: Any, x: Any) -> Any:
        first = call(trace, even.graph, [n, x], specs)
        second = cond(x > 0.0, lambda: call(_current(), odd.graph, [n, x], specs)[1], lambda: x)
        return *first, second

    graph = graph_of("recursion", {"n": PYINT, "x": F64}, body)
    return graph, [[0, np.array(1.0)], [5, np.array(2.0)], [3, np.array(-1.0)]]


def itself() -> tuple[Graph, list[list[Any]]]:
    """A graph that calls itself."""
    trace = Trace("factorial")
    n = trace.add_input(PYINT, "n")
    with trace.active():
        result = cond(
            n <= 1, lambda: 1, lambda: n * call(_current(), trace.graph, [n - 1], [PYINT])[0]
        )
        trace.graph.outputs = [trace.value_of(result)]
    return trace.graph, [[0], [1], [10]]


NOTED: list[Any] = []


def note(*items: Any) -> tuple[Any, ...]:
    """A host function: keeps what it gets, gives the first item, doubled."""
    NOTED.append(items)
    return (items[0] * 2,)


def too_large(size: Any) -> Exception:
    """Makes an exception."""
    return ValueError(f"too large: {float(size)}")


def host_and_raise() -> tuple[Graph, list[list[Any]]]:
    """Calls of Python functions with and without results, and a branch that raises."""

    def body(trace: Trace, x: Any) -> Any:
        value = trace.value_of(x)
        attributes = {"function": note, "results": (VECTOR,)}
        doubled = wrap(trace.add_node(HOST_CALL, [value], attributes, [VECTOR]).outputs[0])
        trace.add_node(HOST_CALL, [value], {"function": _nothing, "results": ()}, [])

        def fails() -> Any:
            inner = _current()
            specs = [Spec(dtypes.float64, (Dim.symbol("m"),))]
            attributes = {
                "exception": too_large,
                "arguments": (DynamicInt(0),),
                "results": tuple(specs),
            }
            operands = [inner.value_of(OPS.max(doubled))]
            return wrap(inner.add_node(RAISE, operands, attributes, specs).outputs[0])

        return (cond(OPS.any(OPS.greater(doubled, 10.0)), fails, lambda: doubled),)

    graph = graph_of("host", {"x": VECTOR}, body)
    return graph, [[np.array([1.0, 2.0])], [np.array([1.0, 6.0])]]


def _nothing(*items: Any) -> tuple[Any, ...]:
    return ()


def sizes() -> tuple[Graph, list[list[Any]]]:
    """Sizes that are polynomials, and sizes that only the data decide."""

    def body(trace: Trace, x: Any, mask: Any) -> Any:
        twice = OPS.concat([x, x, np.zeros(3)])
        picked = OPS.apply("nonzero_flat", (mask,), {})
        return OPS.reshape(OPS.stack([twice, twice]), (-1,)), picked, OPS.size_of(x, axis=0)

    graph = graph_of("sizes", {"x": VECTOR, "mask": Spec(dtypes.bool_, (N,))}, body)
    return graph, [[np.array([1.0, 2.0]), np.array([True, False])]]


def unnamed() -> tuple[Graph, list[list[Any]]]:
    """Inputs without names, or with names that mean something else; results that are inputs."""
    trace = Trace("<lambda>")
    inputs = [trace.add_input(F64, name) for name in ("", "def", "v7", "sin", "array", "x", "x")]
    with trace.active():
        total = OPS.sin(inputs[3])
        for one in inputs:
            total = total + one
    trace.graph.outputs = [trace.value_of(one) for one in (total, inputs[1], inputs[1])]
    return trace.graph, [[np.array(float(number)) for number in range(7)]]


def shared() -> tuple[Graph, list[list[Any]]]:
    """One branch that two conds run, and that one runs in both cases; results that nobody uses."""

    def body(trace: Trace, flag: Any, x: Any) -> Any:
        first = build_cond(trace, flag, (lambda: (x + 1.0,), lambda: (x * 2.0,)))[0]
        node = trace.graph.nodes[-1]
        branch = node.attributes["branches"][1]
        values = [node.inputs[0], trace.value_of(first)]
        both = trace.add_control(node.op, values, {"branches": (branch, branch)}, [F64])
        return (wrap(both.outputs[0]),)

    graph = graph_of("shared", {"flag": PYBOOL, "x": F64}, body)
    return graph, [[True, np.array(3.0)], [False, np.array(3.0)]]


def deep() -> tuple[Graph, list[list[Any]]]:
    """More branches inside one another than Python has levels of indentation."""

    def level(trace: Trace, number: int, k: Any) -> Any:
        if number == 130:
            return (k,)
        return build_cond(
            trace, k > number, (lambda: (number,), lambda: level(_current(), number + 1, k))
        )

    graph = graph_of("deep", {"k": PYINT}, lambda trace, k: level(trace, 0, k))
    return graph, [[0], [57], [500]]


def nothing() -> tuple[Graph, list[list[Any]]]:
    """No inputs, no nodes, no results."""
    return Graph("nothing"), [[]]


def newton() -> tuple[Graph, list[list[Any]]]:
    """A loop that stops at a tolerance, or raises what a negative number deserves."""

    def body(trace: Trace, x: Any, tolerance: Any) -> Any:
        step = while_step(
            lambda guess: OPS.abs(guess * guess - x) > tolerance,
            lambda guess: ((guess + x / guess) / 2.0,),
        )
        return build_while(trace, (OPS.maximum(x, 1.0),), step)

    graph = graph_of("newton", {"x": F32, "tolerance": PYFLOAT}, body)
    return graph, [[np.array(2.0, np.float32), 1e-3], [np.array(0.25, np.float32), 1e-2]]


def _current() -> Trace:
    from autograph.runtime.core.state import STATE

    trace = STATE.interpreter
    assert isinstance(trace, Trace)
    return trace


EXAMPLES: tuple[Example, ...] = (
    arithmetic,
    attributes,
    branches,
    loops,
    lists,
    recursion,
    itself,
    host_and_raise,
    sizes,
    unnamed,
    shared,
    deep,
    nothing,
    newton,
)
