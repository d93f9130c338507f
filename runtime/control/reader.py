"""Reads a graph from the Python text that `runtime.graph.printer` writes."""

from __future__ import annotations
import __future__

import ast
import math
from collections.abc import Callable, Mapping, Sequence
from types import FunctionType
from typing import Any

import numpy as np

from autograph.runtime.control.host import HOST_CALL
from autograph.runtime.control.records import (
    CALL,
    COND,
    CUSTOM_GRADIENT,
    RAISE,
    RECOMPUTE,
    WHILE_LOOP,
)
from autograph.runtime.core.dtypes import DType
from autograph.runtime.core.record import DynamicInt, Op
from autograph.runtime.core.spec import AnySpec
from autograph.runtime.graph.ir import Graph, Value
from autograph.runtime.graph.notation import (
    DTYPE_NAMES,
    GraphTextError,
    read_dim,
    read_spec,
    read_specs,
)
from autograph.runtime.graph.printer import NUMBERED
from autograph.runtime.graph.trace import dynamic_operands
from autograph.runtime.graph.verify import verify
from autograph.runtime.ops.entries import Slice
from autograph.runtime.ops.table import RECORDS

_CONTROL = (COND, WHILE_LOOP, CALL, RAISE, HOST_CALL, CUSTOM_GRADIENT, RECOMPUTE)
OPS: Mapping[str, Op] = RECORDS | {op.name: op for op in _CONTROL}


def read_graph(text: str, objects: Sequence[Any] = ()) -> Graph:
    """The graph that `text` defines: one def, whose annotations are specs.

    The text is executed, with ops that add nodes: read none that you would not run. `objects` are
    what it calls `objects[0]`, .... Raises GraphTextError or SyntaxError for text of another form,
    GraphError for a graph that is not well-formed, and what the inference of an op raises.
    """
    tree = ast.parse(text)
    if len(tree.body) != 1 or not isinstance(tree.body[0], ast.FunctionDef):
        raise GraphTextError("the text of a graph is one def")
    reader = _Reader()
    names = reader.names(objects)
    # As strings, annotations need no definitions of the symbols in them.
    flags = __future__.annotations.compiler_flag
    exec(compile(tree, "<graph>", "exec", flags=flags, dont_inherit=True), names)
    graph = reader.graph(names[tree.body[0].name])
    verify(graph)
    return graph


class _Reader:
    def __init__(self) -> None:
        self.graphs: dict[FunctionType, Graph] = {}
        self.open: list[Graph] = []
        """The graphs whose defs are being executed; nodes go to the last."""

    def names(self, objects: Sequence[Any]) -> dict[str, Any]:
        """What the text can refer to."""
        return {
            "__builtins__": {},
            **{name: dtype for dtype, name in DTYPE_NAMES.items()},
            **{kind.__name__: kind for kind in (bool, int, float, DynamicInt, Slice)},
            "array": _array,
            "dim": read_dim,
            "inf": math.inf,
            "nan": math.nan,
            "objects": objects,
            "scalar": _scalar,
            "spec": read_spec,
            **{name: self._adder(op) for name, op in OPS.items()},
        }

    def graph(self, function: FunctionType) -> Graph:
        """The graph of a def: made at its first use, so that it can refer to itself."""
        known = self.graphs.get(function)
        if known is not None:
            return known
        graph = self.graphs[function] = Graph(function.__name__)
        code = function.__code__
        for name in code.co_varnames[: code.co_argcount]:
            spec = function.__annotations__.get(name)
            if spec is None:
                raise GraphTextError(f"{name} of {graph.name} has no spec")
            graph.add_input(read_spec(spec), "" if NUMBERED.fullmatch(name) else name)
        self.open.append(graph)
        results = function(*graph.inputs)
        self.open.pop()
        graph.outputs = _values(() if results is None else results)
        return graph

    def _adder(self, op: Op) -> Callable[..., Any]:
        def add(*inputs: Value, specs: str | None = None, **attributes: Any) -> Any:
            values = _values(inputs)
            fixed = {name: self._attribute(item) for name, item in attributes.items()}
            found = _inferred(op, values, fixed) if specs is None else read_specs(specs)
            node = self.open[-1].add_node(op, values, fixed, found)
            return node.outputs[0] if len(node.outputs) == 1 else tuple(node.outputs)

        return add

    def _attribute(self, item: Any) -> Any:
        if isinstance(item, FunctionType) and item.__code__.co_filename == "<graph>":
            return self.graph(item)
        if type(item) is tuple:
            return tuple(map(self._attribute, item))
        return item


def _values(items: Any) -> list[Value]:
    """Operands, or what a def returned, as values. GraphTextError for anything else."""
    found = list(items) if isinstance(items, tuple) else [items]
    for item in found:
        if not isinstance(item, Value):
            raise GraphTextError(f"{item!r} is no value of a graph")
    return found


def _inferred(
    op: Op, inputs: Sequence[Value], attributes: Mapping[str, Any]
) -> tuple[AnySpec, ...]:
    own = inputs[: len(inputs) - len(dynamic_operands(attributes))]
    found = op.infer(*(value.spec for value in own), **attributes)
    return found if isinstance(found, tuple) else (found,)


def _array(items: Any, dtype: DType, shape: tuple[int, ...] | None = None) -> Any:
    if isinstance(items, str):
        raise GraphTextError(f"an abbreviated array cannot be read: {items}")
    array = np.array(items, dtype)
    if shape is not None:
        array = array.reshape(shape)
    array.flags.writeable = False
    return array


def _scalar(item: Any, dtype: DType) -> Any:
    return dtype.type(item)
