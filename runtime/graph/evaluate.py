"""The slow truth: run a graph node by node with the references of its ops."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from autograph.runtime.core.list_value import ListValue
from autograph.runtime.core.spec import Spec
from autograph.runtime.graph.ir import Graph, Node, Value
from autograph.runtime.graph.trace import dynamic_operands, substitute_dynamic

ControlRule = Callable[[Node, list[Any]], Sequence[Any]]

CONTROL_RULES: dict[str, ControlRule] = {}
"""How control flow runs, by the name of the op. Filled below."""


def evaluate(graph: Graph, inputs: Sequence[Any]) -> list[Any]:
    """The outputs of `graph` on these inputs.

    Tensors are arrays, Python numbers are Python numbers and lists are ListValues, in and out.
    Raises what the program raises; the exception carries the Location of the node that raised as
    `__autograph_location__`.
    """
    if len(inputs) != len(graph.inputs):
        raise TypeError(f"graph {graph.name} has {len(graph.inputs)} inputs, not {len(inputs)}")
    values: dict[Value, Any] = dict(zip(graph.inputs, inputs, strict=True))
    for node in graph.nodes:
        operands = [values[value] for value in node.inputs]
        try:
            results = run_node(node, operands)
        except Exception as error:
            if not hasattr(error, "__autograph_location__"):
                error.__autograph_location__ = node.location  # type: ignore[attr-defined]
            raise
        for value, result in zip(node.outputs, results, strict=True):
            values[value] = result
    return [values[value] for value in graph.outputs]


def each_its_own(outputs: list[Any], shared: set[int]) -> list[Any]:
    """Outputs of a run, each array one that nobody else holds: users change what they get.

    `shared` has the ids of arrays that others hold: the inputs, and constants.
    """
    for place, value in enumerate(outputs):
        if isinstance(value, np.ndarray):
            outputs[place] = _own(value, shared)
        elif isinstance(value, ListValue):
            outputs[place] = ListValue(
                _own(one, shared) if isinstance(one, np.ndarray) else one for one in value
            )
    return outputs


def _own(array: Any, shared: set[int]) -> Any:
    if id(array) in shared or array.base is not None or not array.flags.writeable:
        array = array.copy()
    shared.add(id(array))
    return array


def run_node(node: Node, operands: list[Any]) -> Sequence[Any]:
    """The results of one node, as its specs want them."""
    rule = CONTROL_RULES.get(node.op.name)
    if rule is not None:
        return rule(node, operands)
    attributes = substitute_dynamic(node.attributes, operands)
    own = operands[: len(operands) - len(dynamic_operands(node.attributes))]
    results = node.op.reference(*own, **attributes)
    several = results if isinstance(results, tuple) else (results,)
    return [settle(value, result) for value, result in zip(node.outputs, several, strict=True)]


def prepared(node: Node) -> Callable[[list[Any]], Sequence[Any]]:
    """What runs one node again and again, as `run_node` does."""
    if node.op.name in CONTROL_RULES or dynamic_operands(node.attributes):
        return lambda operands: run_node(node, operands)
    reference = functools.partial(node.op.reference, **node.attributes)
    if len(node.outputs) != 1 or not isinstance(node.outputs[0].spec, Spec):
        outputs = list(node.outputs)

        def run_several(operands: list[Any]) -> Sequence[Any]:
            results = reference(*operands)
            several = results if isinstance(results, tuple) else (results,)
            return [settle(value, one) for value, one in zip(outputs, several, strict=True)]

        return run_several
    spec = node.outputs[0].spec
    made: Any = spec.python_type if spec.python else np.asarray

    def run_one(operands: list[Any]) -> Sequence[Any]:
        result = reference(*operands)
        return [made(result[0] if isinstance(result, tuple) else result)]

    return run_one


def settle(value: Value, result: Any) -> Any:
    """`result` as `value.spec` has it: an array for tensors, a Python number for numbers."""
    spec = value.spec
    if isinstance(spec, Spec):
        if spec.python:
            return spec.python_type(result)
        if type(result) is not np.ndarray:
            return np.asarray(result)
    return result


def _cond(node: Node, operands: list[Any]) -> Sequence[Any]:
    index, *rest = operands
    return evaluate(node.attributes["branches"][int(index)], rest)


def _while_loop(node: Node, operands: list[Any]) -> Sequence[Any]:
    count = node.attributes["carried"]
    step = node.attributes["step"]
    carried, invariants = operands[:count], operands[count:]
    going = True
    while going:
        go, *carried = evaluate(step, [*carried, *invariants])
        going = bool(go)
    return carried


def _call(node: Node, operands: list[Any]) -> Sequence[Any]:
    return evaluate(node.attributes["function"], operands)


CONTROL_RULES.update(cond=_cond, while_loop=_while_loop, call=_call, recompute=_call)
