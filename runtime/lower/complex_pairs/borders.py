"""Where complex values and their parts meet: ops that only programs have.

In a program a complex tensor is the floats of its buffer, the parts of each element side by side.
No op reads or writes it but `SPLIT` and `JOIN`. Lists of complex tensors come and go through
CPython.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autograph.runtime.core.list_value import ListValue
from autograph.runtime.core.record import NOT_DIFFERENTIABLE, Hosted, Movement, Op
from autograph.runtime.core.spec import ListSpec, Spec
from autograph.runtime.graph.ir import Node, Value
from autograph.runtime.ops.inference import PARTS, WHOLES
from autograph.runtime.optimizer.rewriting import all_graphs


def _split(x: Any) -> tuple[Any, Any]:
    if type(x) is complex:
        return x.real, x.imag
    return np.asarray(x).real, np.asarray(x).imag


def _join(real: Any, imag: Any) -> Any:
    if isinstance(real, float):
        return complex(real, imag)
    result = np.empty(np.shape(real), WHOLES[real.dtype])
    result.real, result.imag = real, imag
    return result


SPLIT = Op(
    name="parts_of_complex",
    summary="The real and the imaginary part of a complex tensor.",
    infer=lambda x: (Spec(PARTS[x.dtype], x.shape),) * 2,
    reference=_split,
    gradient=NOT_DIFFERENTIABLE,
    lowering=Movement("parts_of_complex"),
)

JOIN = Op(
    name="complex_of_parts",
    summary="The complex tensor with these two parts, which have one shape.",
    infer=lambda real, imag: Spec(WHOLES[real.dtype], real.shape),
    reference=_join,
    gradient=NOT_DIFFERENTIABLE,
    lowering=Movement("complex_of_parts"),
)

SPLIT_LIST = Op(
    name="parts_of_complex_list",
    summary="Two lists: of the real and of the imaginary parts of complex tensors.",
    infer=lambda items: (ListSpec(Spec(PARTS[items.element.dtype], items.element.shape)),) * 2,
    reference=lambda items: (
        tuple(ListValue(column) for column in zip(*map(_split, items)))
        or (ListValue(), ListValue())
    ),
    gradient=NOT_DIFFERENTIABLE,
    lowering=Hosted(),
)

JOIN_LISTS = Op(
    name="complex_list_of_parts",
    summary="The list of the complex tensors with these parts.",
    infer=lambda real, imag: ListSpec(Spec(WHOLES[real.element.dtype], real.element.shape)),
    reference=lambda real, imag: ListValue(map(_join, real, imag)),
    gradient=NOT_DIFFERENTIABLE,
    lowering=Hosted(),
)


def is_complex(value: Value) -> bool:
    """Whether a value is a complex tensor, or a list of them."""
    spec = value.spec
    return (spec.element if isinstance(spec, ListSpec) else spec).dtype.kind == "c"


def touches_complex(node: Node) -> bool:
    """Whether a node takes or gives a complex value."""
    for value in node.outputs:
        if is_complex(value):
            return True
    for value in node.inputs:
        if is_complex(value):
            return True
    return False


def without_form(graph: Any) -> list[Node]:
    """The nodes of a graph and its sub-graphs that compute with complex values as they are."""
    return [
        node
        for one in all_graphs(graph)
        for node in one.nodes
        if node.op not in (SPLIT, JOIN) and node.op.name != "constant" and touches_complex(node)
    ]
