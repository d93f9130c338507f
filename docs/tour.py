"""The idea in miniature: run it, then read it from the top. Nothing here imports the project.

Plain Python on tensors; `staged(f)` rewrites its `if` and `while`, runs the result once to record a
graph, and runs the graph from then on. The real rooms are named beside each part; what they add is
what makes it true for all of Python, and fast.
"""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import numpy as np

# ---- 1. Tensors, and one record for each op (runtime/core, runtime/ops) --------------------------


@dataclass(frozen=True)
class Op:
    """All that is known of an op: its meaning, its gradient, the operator it implements."""

    name: str
    reference: Callable[..., Any]
    gradient: Callable[..., tuple[Any, ...]]  # (output, its gradient, *inputs) -> a gradient each
    dunder: str = ""


class Tensor:
    """A cell with a value: an array when eager, a `Value` of a graph while tracing."""

    def __init__(self, value: Any) -> None:
        self.value = value if isinstance(value, Value) else np.asarray(value)

    def __bool__(self) -> bool:
        if isinstance(self.value, Value):
            raise TypeError("a staged tensor has no truth yet: convert the function")
        return bool(self.value)

    def __repr__(self) -> str:
        return f"Tensor({self.value})"


def zero(x: Tensor) -> Tensor:
    return Tensor(0.0)


RECORDS = [
    Op("add", np.add, lambda o, g, x, y: (g, g), "__add__"),
    Op("subtract", np.subtract, lambda o, g, x, y: (g, g * -1.0), "__sub__"),
    Op("multiply", np.multiply, lambda o, g, x, y: (g * y, g * x), "__mul__"),
    Op("divide", np.divide, lambda o, g, x, y: (g / y, g * o / y * -1.0), "__truediv__"),
    Op("absolute", np.abs, lambda o, g, x: (g * x / o,), "__abs__"),
    Op("remainder", np.remainder, lambda o, g, x, y: (zero(x), zero(y)), "__mod__"),
    Op("greater", np.greater, lambda o, g, x, y: (zero(x), zero(y)), "__gt__"),
    Op("equal", np.equal, lambda o, g, x, y: (zero(x), zero(y)), "__eq__"),
    Op("constant", np.asarray, lambda o, g: ()),
]
OPS = {op.name: op for op in RECORDS}

# ---- 2. The graph (runtime/graph) ----------------------------------------------------------------


class Value:
    """The result of a node, or an input: a name in a graph."""

    count = 0

    def __init__(self, trace: Trace) -> None:
        Value.count += 1
        self.name, self.trace = f"v{Value.count}", trace


@dataclass
class Node:
    op: str
    inputs: list[Value]
    outputs: list[Value]
    attributes: dict[str, Any] = field(default_factory=dict)


@dataclass
class Graph:
    """Nodes in program order. Sub-graphs are attributes; what they use, they get as inputs."""

    inputs: list[Value]
    nodes: list[Node]
    outputs: list[Value]

    def text(self, name: str = "graph", indent: str = "") -> str:
        """The graph as Python (the real one reads back)."""
        lines = [f"def {name}({', '.join(v.name for v in self.inputs)}):"]
        for node in self.nodes:
            given = [v.name for v in node.inputs]
            for key, value in node.attributes.items():
                if isinstance(value, Graph):
                    lines.append(textwrap.indent(value.text(key), "    "))
                given.append(f"{key}={key if isinstance(value, Graph) else value}")
            results = ", ".join(v.name for v in node.outputs)
            lines.append(f"    {results} = {node.op}({', '.join(given)})")
        return "\n".join([*lines, f"    return {', '.join(v.name for v in self.outputs)}"])


def evaluate(graph: Graph, inputs: Sequence[Tensor]) -> list[Tensor]:
    """Run a graph node by node, each through the door: so a tape sees the turns that were taken."""
    known = dict(zip(graph.inputs, inputs, strict=True))
    for node in graph.nodes:
        given = [known[v] for v in node.inputs]
        sub = node.attributes
        if node.op == "cond":
            results = evaluate(sub["yes"] if given[0] else sub["no"], given[1:])
        elif node.op == "while_loop":
            results, rest = given[: sub["carried"]], given[sub["carried"] :]
            while evaluate(sub["test"], [*results, *rest])[0]:
                results = evaluate(sub["body"], [*results, *rest])
        else:
            results = [apply(node.op, *given, **sub)]
        known.update(zip(node.outputs, results, strict=True))
    return [known[v] for v in graph.outputs]


def without_dead_nodes(graph: Graph) -> Graph:
    """One pass of an optimizer (runtime/optimizer): what nobody reads is not computed."""
    live, kept = set(graph.outputs), []
    for node in reversed(graph.nodes):
        if live & set(node.outputs):
            live |= set(node.inputs)
            kept.append(node)
    return Graph(graph.inputs, kept[::-1], graph.outputs)


# ---- 3. One door: every op goes through `apply` (runtime/core/door) ------------------------------


class Trace:
    """The interpreter that records. A tensor from outside becomes an input: no hidden closures."""

    def __init__(self) -> None:
        self.inputs: list[Value] = []
        self.nodes: list[Node] = []
        self.operands: list[Tensor] = []  # what stands outside for each input
        self.lifted: dict[Value, Value] = {}

    def new_input(self, outside: Tensor) -> Tensor:
        self.inputs.append(Value(self))
        self.operands.append(outside)
        return Tensor(self.inputs[-1])

    def lift(self, tensor: Tensor) -> Value:
        value = tensor.value
        if not isinstance(value, Value):
            return self.record("constant", [], a=value.tolist())[0].value
        if value.trace is self:
            return value
        if value not in self.lifted:
            self.lifted[value] = self.new_input(tensor).value
        return self.lifted[value]

    def record(
        self, op: str, inputs: Sequence[Tensor], results: int = 1, **attributes: Any
    ) -> list[Tensor]:
        node = Node(op, [self.lift(t) for t in inputs], [], attributes)
        node.outputs = [Value(self) for _ in range(results)]
        self.nodes.append(node)
        return [Tensor(v) for v in node.outputs]


INTERPRETERS: list[Trace | None] = [None]  # the last is current; None is eager
TAPES: list[Tape] = []


def apply(name: str, *inputs: Any, **attributes: Any) -> Tensor:
    tensors = [x if isinstance(x, Tensor) else Tensor(x) for x in inputs]
    trace = INTERPRETERS[-1]
    if trace is not None:
        return trace.record(name, tensors, **attributes)[0]
    output = Tensor(OPS[name].reference(*(t.value for t in tensors), **attributes))
    for tape in TAPES:
        tape.seen.append((OPS[name], tensors, output))
    return output


def install(name: str, dunder: str) -> None:
    setattr(Tensor, dunder, lambda *inputs: apply(name, *inputs))


for record in RECORDS:
    if record.dunder:
        install(record.name, record.dunder)
Tensor.__hash__ = object.__hash__


def trace(f: Callable[..., Any], *operands: Tensor) -> tuple[Trace, Graph]:
    recorder = Trace()
    INTERPRETERS.append(recorder)
    try:
        results = f(*[recorder.new_input(t) for t in operands])
        results = results if isinstance(results, tuple) else (results,)
        outputs = [recorder.lift(r if isinstance(r, Tensor) else Tensor(r)) for r in results]
    finally:
        INTERPRETERS.pop()
    return recorder, Graph(recorder.inputs, recorder.nodes, outputs)


# ---- 4. The tape: gradients of what ran (runtime/autodiff) ---------------------------------------


class Tape:
    def __init__(self) -> None:
        self.seen: list[tuple[Op, list[Tensor], Tensor]] = []

    def gradient(self, target: Tensor, source: Tensor) -> Tensor:
        totals = {id(target): Tensor(1.0)}
        for op, inputs, output in reversed(self.seen):
            if id(output) in totals:
                for x, g in zip(inputs, op.gradient(output, totals[id(output)], *inputs)):
                    totals[id(x)] = totals[id(x)] + g if id(x) in totals else g
        return totals.get(id(source), Tensor(0.0))


@contextmanager
def recording() -> Iterator[Tape]:
    TAPES.append(Tape())
    try:
        yield TAPES[-1]
    finally:
        TAPES.pop()


# ---- 5. `if` and `while` rewritten (autograph/passes) --------------------------------------------


class ControlFlow(ast.NodeTransformer):
    """Bodies become functions that share the user's own variables; an operator decides the rest.

    before:  if x > 0: y = x            after:  def yes_1(): nonlocal y; y = x
                                                def no_1(): nonlocal y; pass
                                                def get_1(): return (y,)
                                                def put_1(ag__new): nonlocal y; (y,) = ag__new
                                                if_stmt(x > 0, yes_1, no_1, get_1, put_1)
    """

    count = 0

    def visit_If(self, node: ast.If) -> list[ast.stmt]:
        return self.rewrite(node, "if_stmt", ast.unparse(node.test), yes=node.body, no=node.orelse)

    def visit_While(self, node: ast.While) -> list[ast.stmt]:
        test: list[ast.stmt] = [ast.Return(node.test)]
        return self.rewrite(node, "while_stmt", "", test=test, body=node.body)

    def rewrite(
        self, node: ast.stmt, operator: str, first: str, **bodies: list[ast.stmt]
    ) -> list[ast.stmt]:
        stores = [n for n in ast.walk(node) if isinstance(getattr(n, "ctx", None), ast.Store)]
        names = sorted({n.id for n in stores if isinstance(n, ast.Name)})
        state = f"({', '.join(names)},)"
        self.generic_visit(node)
        self.count += 1
        text = {name: "\n".join(map(ast.unparse, body)) for name, body in bodies.items()}
        text |= {"get": f"return {state}", "put": f"{state} = ag__new"}
        lines = []
        for name, body in text.items():
            lines.append(f"def {name}_{self.count}({'ag__new' * (name == 'put')}):")
            lines += [f"    nonlocal {', '.join(names)}", textwrap.indent(body or "pass", "    ")]
        given = [*([first] if first else []), *(f"{name}_{self.count}" for name in text)]
        return ast.parse("\n".join([*lines, f"{operator}({', '.join(given)})"])).body


def converted_source(f: Callable[..., Any]) -> str:
    (tree,) = ast.parse(textwrap.dedent(inspect.getsource(f))).body
    assert isinstance(tree, ast.FunctionDef)
    arguments = [a.arg for a in tree.args.args]
    born = [name for name in f.__code__.co_varnames if name not in arguments]
    tree = ControlFlow().visit(tree)
    tree.decorator_list = []
    tree.body[:0] = ast.parse("".join(f"{name} = UNSET\n" for name in born)).body
    return ast.unparse(tree)


# ---- 6. What the rewritten statements mean (autograph/operators) ---------------------------------

UNSET = Tensor(np.nan)  # the real one raises UnboundLocalError where it is read


def is_staged(x: Any) -> bool:
    return isinstance(x, Tensor) and isinstance(x.value, Value)


def region(body: Callable[[], Any], get: Any, put: Any, state: tuple[Any, ...]) -> Any:
    """`body` as a function from the state's tensors to its result; the state is put back after."""

    def run(*carried: Tensor) -> Any:
        put(carried or state)
        result = body()
        result = get() if result is None else result
        put(state)
        return result

    return run


def if_stmt(test: Any, yes: Any, no: Any, get: Any, put: Any) -> None:
    if not is_staged(test):
        return yes() if test else no()
    state = get()
    traces = [trace(region(body, get, put, state)) for body in (yes, no)]
    put(stage("cond", traces, [test], len(state), yes=traces[0][1], no=traces[1][1]))


def while_stmt(test: Any, body: Any, get: Any, put: Any) -> None:
    if not is_staged(test()):
        while test():
            body()
        return
    state = tuple(x if isinstance(x, Tensor) else Tensor(x) for x in get())
    traces = [trace(region(part, get, put, state), *state) for part in (test, body)]
    graphs = {"test": traces[0][1], "body": traces[1][1]}
    put(stage("while_loop", traces, [*state], len(state), carried=len(state), **graphs))


def stage(op: str, traces: Any, given: list[Tensor], results: int, **attributes: Any) -> Any:
    """Record `op`, its graphs with one common list of what they take from outside."""
    skip = attributes.get("carried", 0)
    outside = list({t.value: t for r, _ in traces for t in r.operands[skip:]}.values())
    for r, graph in traces:
        mine = dict(zip((t.value for t in r.operands[skip:]), r.inputs[skip:]))
        graph.inputs[skip:] = [mine.get(t.value) or Value(r) for t in outside]
    recorder = INTERPRETERS[-1]
    assert recorder is not None
    return tuple(recorder.record(op, [*given, *outside], results, **attributes))


# ---- 7. The decorator (autograph/function) -------------------------------------------------------


class staged:
    """`f`, traced at its first call; from then on its graph runs."""

    def __init__(self, f: Callable[..., Any]) -> None:
        self.eager, self.source = f, converted_source(f)
        self.graph: Graph | None = None
        space = {**f.__globals__, "if_stmt": if_stmt, "while_stmt": while_stmt, "UNSET": UNSET}
        exec(self.source, space)
        self.converted = space[f.__name__]

    def __call__(self, *inputs: Any) -> Tensor:
        tensors = [x if isinstance(x, Tensor) else Tensor(x) for x in inputs]
        if self.graph is None:
            self.graph = without_dead_nodes(trace(self.converted, *tensors)[1])
        return evaluate(self.graph, tensors)[0]


# ---- 8. And so -----------------------------------------------------------------------------------


@staged
def collatz(n):
    steps = Tensor(0)
    while abs(n - 1) > 0:
        if n % 2 == 0:
            n = n / 2
        else:
            n = n * 3 + 1
        steps = steps + 1
    return steps


@staged
def root(x):
    guess = x
    while abs(guess * guess - x) > 1e-12:
        guess = (guess + x / guess) / 2
    return guess


def main() -> None:
    print(collatz.source, "\n")
    for n in (27, 1, 6):
        assert collatz(n).value == collatz.eager(Tensor(n)).value
    assert collatz.graph is not None
    print(collatz.graph.text("collatz"), "\n")
    x = Tensor(2.0)
    with recording() as tape:
        y = root(x)
    slope = tape.gradient(y, x)
    print(
        f"{collatz(27).value} steps from 27; the root of 2: {y.value:.6f}, slope {slope.value:.6f}"
    )
    assert np.isclose(y.value, 2**0.5) and np.isclose(slope.value, 0.5 / 2**0.5)


if __name__ == "__main__":
    main()
