"""Whether the specs that a graph states for its values are those that its ops give."""

from __future__ import annotations

from collections.abc import Iterable

from autograph.runtime.core.dims import Dim, DimLike
from autograph.runtime.core.spec import AnySpec, ListSpec
from autograph.runtime.graph.ir import Graph, Node
from autograph.runtime.graph.notation import GraphTextError, specs_text
from autograph.runtime.graph.trace import dynamic_operands

_BY_WORD = ("raise_", "host_call")
"""Ops whose results are what their attribute says."""
_CONTROL = ("cond", "while_loop", "call", "recompute")
"""Ops of which a size may be known that is not stated."""


def check_specs(graph: Graph) -> None:
    """GraphTextError where a value is stated to be of another spec than its op gives.

    A program reads memory by the specs, so that those of a graph from elsewhere are not believed.
    """
    waiting, seen = [graph], {graph}
    while waiting:
        one = waiting.pop()
        known = _symbols(value.spec for value in one.inputs)
        for node in one.nodes:
            _check_operands(node)
            _check_results(node, known)
            known |= _symbols(value.spec for value in node.outputs)
            fresh = [inner for inner in node.graphs if inner not in seen]
            seen.update(fresh)
            waiting += fresh


def _check_results(node: Node, known: set[str]) -> None:
    if node.op.name in _BY_WORD:
        return
    own = node.inputs[: len(node.inputs) - len(dynamic_operands(node.attributes))]
    found = node.op.infer(*(value.spec for value in own), **node.attributes)
    given = list(found) if isinstance(found, tuple) else [found]
    stated = [value.spec for value in node.outputs]
    control = node.op.name in _CONTROL
    if len(given) != len(stated) or not all(
        _kind(one) == _kind(other)
        and all(_may_be(*pair, known, control) for pair in zip(_shape(one), _shape(other)))
        for one, other in zip(given, stated, strict=True)
    ):
        raise GraphTextError(
            f"{node.op.name} gives {specs_text(given)}, and the text says {specs_text(stated)}"
        )


def _may_be(given: DimLike, stated: DimLike, known: set[str], control: bool) -> bool:
    """Whether a size may be stated for one that an op gives."""
    if isinstance(stated, int):
        return given == stated
    if control or (isinstance(given, Dim) and not given.symbols <= known):
        return True
    return bool(given == stated)


def _check_operands(node: Node) -> None:
    """A sub-graph may know less of the sizes that it is given, and not more."""
    name = node.op.name
    operands = node.inputs[1:] if name == "cond" else node.inputs
    for inner in node.graphs if name in _CONTROL else ():
        for operand, parameter in zip(operands, inner.inputs, strict=True):
            pairs = zip(_shape(operand.spec), _shape(parameter.spec), strict=True)
            if any(isinstance(size, int) and size != have for have, size in pairs):
                raise GraphTextError(
                    f"{inner.name} takes {parameter.spec}, and is given {operand.spec}"
                )


def _symbols(specs: Iterable[AnySpec]) -> set[str]:
    dims = (dim for spec in specs for dim in _shape(spec))
    return {name for dim in dims if isinstance(dim, Dim) for name in dim.symbols}


def _shape(spec: AnySpec) -> tuple[DimLike, ...]:
    return spec.element.shape if isinstance(spec, ListSpec) else spec.shape


def _kind(spec: AnySpec) -> tuple[object, ...]:
    one = spec.element if isinstance(spec, ListSpec) else spec
    return type(spec), one.dtype, one.python, len(one.shape)
