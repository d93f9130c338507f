"""`verify`: is this a well-formed graph?"""

from __future__ import annotations

from autograph.runtime.core.spec import AnySpec, ListSpec, Spec
from autograph.runtime.graph.ir import Graph, Node, Value
from autograph.runtime.graph.trace import dynamic_operands


class GraphError(AssertionError):
    """A graph that breaks a rule of the IR: a fault of this library, not of the user's program."""

    def __init__(self, graph: Graph, message: str) -> None:
        super().__init__(f"graph {graph.name}: {message}")


def verify(graph: Graph) -> None:
    """Check definitions before uses, ownership, and the signatures of sub-graphs. GraphError.

    What an op needs of its own inputs and attributes is not looked at: its inference knows.
    """
    _verify(graph, set())


def _verify(graph: Graph, seen: set[int]) -> None:
    if id(graph) in seen:
        return
    seen.add(id(graph))
    defined: set[Value] = set()
    for value in graph.inputs:
        if value.graph is not graph or value.node is not None:
            raise GraphError(graph, f"input {value} is foreign")
        defined.add(value)
    for node in graph.nodes:
        for value in node.inputs:
            if value not in defined:
                raise GraphError(graph, f"{node} uses {value}, not defined before it")
        for value in node.outputs:
            if value.graph is not graph or value.node is not node:
                raise GraphError(graph, f"output {value} of {node} is foreign")
            if value in defined:
                raise GraphError(graph, f"{value} is defined twice")
            defined.add(value)
        dynamic = dynamic_operands(node.attributes)
        if dynamic != list(range(len(node.inputs) - len(dynamic), len(node.inputs))):
            raise GraphError(graph, f"the integers in the attributes of {node}: {dynamic}")
        _check_control(graph, node)
        for inner in node.graphs:
            _verify(inner, seen)
    for value in graph.outputs:
        if value not in defined:
            raise GraphError(graph, f"result {value} is not defined")


def _check_control(graph: Graph, node: Node) -> None:
    name = node.op.name
    if name == "cond":
        branches = node.attributes["branches"]
        if not branches:
            raise GraphError(graph, "cond without branches")
        _scalar(graph, "cond index", node.inputs[:1], "biu")
        for branch in branches:
            _match(graph, f"{name} operands", node.inputs[1:], branch.inputs)
            _match(graph, f"{name} results", branch.outputs, node.outputs)
    elif name == "while_loop":
        step, count = node.attributes["step"], node.attributes["carried"]
        _scalar(graph, "while_loop go", step.outputs[:1], "biuf")
        _match(graph, "while_loop operands", node.inputs, step.inputs)
        _match(graph, "while_loop state", step.outputs[1:], step.inputs[:count])
        _match(graph, "while_loop results", step.outputs[1:], node.outputs)
    elif name == "custom_gradient":
        backward, results = node.attributes["backward"], node.attributes["results"]
        _match(graph, "custom_gradient results", node.inputs[:results], node.outputs)
        rest = node.inputs[results + len(backward.outputs) :]
        _match(graph, "custom_gradient operands", [*node.outputs, *rest], backward.inputs)
        sources = node.inputs[results : results + len(backward.outputs)]
        _match(graph, "custom_gradient gradients", backward.outputs, sources)
    elif name in ("call", "recompute"):
        function = node.attributes["function"]
        _match(graph, "call operands", node.inputs, function.inputs)
        if function.outputs:
            _match(graph, "call results", function.outputs, node.outputs)


def _scalar(graph: Graph, what: str, values: list[Value], kinds: str) -> None:
    if not values:
        raise GraphError(graph, f"{what} is missing")
    spec = values[0].spec
    if not (isinstance(spec, Spec) and spec.ndim == 0 and spec.dtype.kind in kinds):
        raise GraphError(graph, f"{what}: {spec} is not a 0-d number")


def _match(graph: Graph, what: str, have: list[Value], want: list[Value]) -> None:
    if len(have) != len(want):
        raise GraphError(graph, f"{what}: {len(have)} values for {len(want)}")
    for one, other in zip(have, want, strict=True):
        if one.spec is not other.spec and not compatible(one.spec, other.spec):
            raise GraphError(graph, f"{what}: {one.spec} for {other.spec}")


def compatible(have: AnySpec, want: AnySpec) -> bool:
    """Whether a value of `have` may stand where `want` is declared: dims may be less known."""
    if isinstance(have, ListSpec) or isinstance(want, ListSpec):
        if not (isinstance(have, ListSpec) and isinstance(want, ListSpec)):
            return False
        return compatible(have.element, want.element)
    return _same_kind(have, want) and all(
        one == other or not (isinstance(one, int) and isinstance(other, int))
        for one, other in zip(have.shape, want.shape, strict=True)
    )


def _same_kind(have: Spec, want: Spec) -> bool:
    return (have.dtype, have.python, have.ndim) == (want.dtype, want.python, want.ndim)
