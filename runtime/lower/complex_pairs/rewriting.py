"""The pass: a graph in which complex values are pairs of real ones.

What has no rule takes and gives complex values as they are, made of their parts and taken apart
right there: CPython runs such nodes, and native programs all around them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from autograph.runtime.core.dtypes import DType
from autograph.runtime.core.number import Number
from autograph.runtime.core.record import Elementwise, Movement
from autograph.runtime.core.spec import AnySpec, ListSpec, Spec, promoted
from autograph.runtime.graph.constant import CONSTANT
from autograph.runtime.graph.ir import Graph, Node, Value
from autograph.runtime.graph.trace import Trace, dynamic_operands, wrap
from autograph.runtime.lower.complex_pairs.borders import (
    JOIN,
    JOIN_LISTS,
    SPLIT,
    SPLIT_LIST,
    touches_complex,
)
from autograph.runtime.lower.complex_pairs.elementwise import ELEMENTWISE, OF_CONSTANTS
from autograph.runtime.lower.complex_pairs.pair import Pair, add, is_nonzero
from autograph.runtime.lower.region import SHAPE_ONLY
from autograph.runtime.ops.inference import PARTS
from autograph.runtime.ops.table import OPS
from autograph.runtime.optimizer.rewriting import all_graphs, constant_of

Values = tuple[Value, Value]

BY_PARTS: dict[str, tuple[int, ...]] = {
    "copy": (0,),
    "stop_gradient": (0,),
    "positive": (0,),
    "negative": (0,),
    "astype": (0,),
    "where": (1, 2),
    "sum": (0,),
    "cumulative_sum": (0,),
    "take": (0,),
    "scatter_add": (0, 2),
    "scatter_set": (0, 2),
    "index_set": (0, 1),
    "index_add": (0, 1),
    "reshape_like": (0,),
    "broadcast_like": (0,),
    "stretch": (0,),
    "list_create": (),
    "list_push": (0, 1),
    "list_pop": (0,),
    "list_get": (0,),
    "list_set": (0, 2),
    "list_exchange": (0, 2, 3),
    "list_add_at": (0, 2),
    "list_stack": (0,),
    "list_stack_like": (0,),
    "list_concat": (0,),
    "list_split_like": (0,),
    "list_unstack": (0,),
    "list_zeros_like": (0,),
    "list_add": (0, 1),
    "list_fill": (0,),
    "list_total": (0,),
    "list_take": (0,),
    "list_extend": (0, 1),
}
"""Ops that do to each part what they do to the whole, and the operands that have parts. Movement of
all kinds is among them, with all of its operands unless they stand here. A list of complex tensors
is two lists, of their parts."""


def in_pairs(graph: Graph) -> Graph:
    """`graph`, or where complex values are in it a copy in which they are pairs.

    Inputs and outputs stay complex.
    """
    if not any(touches_complex(node) for one in all_graphs(graph) for node in one.nodes):
        return graph
    return _Rewriting(graph, {}, is_whole=True).run()


def _has_parts(spec: AnySpec) -> bool:
    return (spec.element if isinstance(spec, ListSpec) else spec).dtype.kind == "c"


def _part_spec(spec: Any) -> Any:
    if isinstance(spec, ListSpec):
        return ListSpec(_part_spec(spec.element))
    return replace(spec, dtype=PARTS[spec.dtype])


def _expanded(specs: Sequence[AnySpec]) -> list[AnySpec]:
    """Specs with those of its parts in the place of each complex one."""
    found: list[AnySpec] = []
    for spec in specs:
        found += [_part_spec(spec)] * 2 if _has_parts(spec) else [spec]
    return found


class _Rewriting:
    """One graph, node by node."""

    def __init__(self, graph: Graph, done: dict[int, Graph], is_whole: bool = False) -> None:
        self.graph = graph
        self.done = done
        self.is_whole = is_whole
        """Whether complex inputs and outputs stay what they are."""
        self.trace = Trace(graph.name)
        self.values: dict[Value, Value] = {}
        """What a value has become, as it is."""
        self.parts: dict[Value, Values] = {}

    def run(self) -> Graph:
        """The new graph."""
        result = self.trace.graph
        self.done[id(self.graph)] = result
        for value in self.graph.inputs:
            if _has_parts(value.spec) and not self.is_whole:
                spec = _part_spec(value.spec)
                names = [f"{value.name}_{part}" if value.name else "" for part in ("real", "imag")]
                real, imag = (result.add_input(spec, name) for name in names)
                self.parts[value] = real, imag
            else:
                self.values[value] = result.add_input(value.spec, value.name)
        with self.trace.active():
            for node in self.graph.nodes:
                count = len(result.nodes)
                self._add(node)
                for made in result.nodes[count:]:
                    made.location = node.location
            self._finish(result)
        return result

    def _finish(self, result: Graph) -> None:
        if self.is_whole:
            result.outputs = [self.whole(value) for value in self.graph.outputs]
        else:
            result.outputs = self.expanded(self.graph.outputs)

    # values -----------------------------------------------------------------------------------
    def whole(self, value: Value) -> Value:
        """A value as it is; a complex one is made of its parts."""
        known = self.values.get(value)
        if known is None:
            op = JOIN_LISTS if isinstance(value.spec, ListSpec) else JOIN
            known = self._node(op, self.parts[value], {}, [value.spec])[0]
            self.values[value] = known
        return known

    def pair(self, value: Value) -> Values:
        """The parts of a complex value."""
        known = self.parts.get(value)
        if known is None:
            specs = [_part_spec(value.spec)] * 2
            op = SPLIT_LIST if isinstance(value.spec, ListSpec) else SPLIT
            real, imag = self._node(op, [self.values[value]], {}, specs)
            known = self.parts[value] = real, imag
        return known

    def expanded(self, values: Sequence[Value]) -> list[Value]:
        """Values, each complex one as its two parts."""
        found: list[Value] = []
        for value in values:
            found += self.pair(value) if _has_parts(value.spec) else [self.whole(value)]
        return found

    def number(self, value: Value, dtype: DType) -> Pair:
        """A value as parts of a dtype; those of a real one are itself and zeros."""
        if _has_parts(value.spec):
            parts = [wrap(one) for one in self.pair(value)]
            if isinstance(parts[0], Number):
                return Pair(*(OPS.to_tensor(one, dtype=dtype) for one in parts))
            return Pair(*(OPS.astype(one, dtype, copy=False) for one in parts))
        zero = wrap(self.trace.constant(np.zeros((), dtype)))
        held, own = constant_of(value), wrap(self.whole(value))
        if held is not None:
            return Pair(wrap(self.trace.constant(np.array(held, dtype))), zero, is_real=True)
        if isinstance(own, Number):
            return Pair(OPS.to_tensor(own, dtype=dtype), zero, is_real=True)
        real = OPS.astype(own, dtype, copy=False)
        imag = OPS.apply("broadcast_like", (zero, real), {}) if real.ndim else zero
        return Pair(real, imag, is_real=True)

    # nodes ------------------------------------------------------------------------------------
    def _node(
        self, op: Any, inputs: Sequence[Value], attributes: Any, specs: Sequence[AnySpec]
    ) -> list[Value]:
        return self.trace.graph.add_node(op, inputs, attributes, specs).outputs

    def _add(self, node: Node) -> None:
        if node.op is CONSTANT:
            self._constant(node)
        elif node.op.name in CONTROL:
            CONTROL[node.op.name](self, node)
        elif not touches_complex(node):
            self._as_it_is(node)
        elif not self._by_rule(node):
            self._as_it_is(node)

    def _constant(self, node: Node) -> None:
        self._as_it_is(node)
        held = node.attributes["value"]
        if type(held) is complex or (isinstance(held, np.ndarray) and held.dtype.kind == "c"):
            real, imag = (self.trace.constant(part) for part in (held.real, held.imag))
            self.parts[node.outputs[0]] = real, imag

    def _as_it_is(self, node: Node) -> None:
        specs = [value.spec for value in node.outputs]
        made = self._node(node.op, list(map(self.whole, node.inputs)), node.attributes, specs)
        self.values.update(zip(node.outputs, made, strict=True))

    def _by_rule(self, node: Node) -> bool:
        """Write a node out for the parts of its operands; whether there is a rule."""
        name = node.op.name
        if name in BY_PARTS or isinstance(node.op.lowering, Movement):
            self._by_parts(node)
        elif name in SHAPE_ONLY:
            self._by_sizes(node)
        elif name in OTHERS:
            OTHERS[name](self, node)
        elif name in OF_CONSTANTS and self._of_constants(node):
            pass
        elif name in ELEMENTWISE and isinstance(node.op.lowering, Elementwise):
            self._elementwise(node)
        else:
            return False
        return True

    def _elementwise(self, node: Node) -> None:
        dtype = _part_dtype(node)
        self._bind(node, ELEMENTWISE[node.op.name](*(self.number(v, dtype) for v in node.inputs)))

    def _of_constants(self, node: Node) -> bool:
        """An op that has a rule for some constants as its second operand."""
        dtype, held = _part_dtype(node), constant_of(node.inputs[1])
        if held is None:
            return False
        result = OF_CONSTANTS[node.op.name](self.number(node.inputs[0], dtype), held)
        if result is not None:
            self._bind(node, result)
        return result is not None

    def _bind(self, node: Node, result: Any) -> None:
        value = node.outputs[0]
        if isinstance(result, Pair):
            real, imag = result.real, result.imag
            self.parts[value] = self.trace.value_of(real), self.trace.value_of(imag)
        else:
            self.values[value] = self.trace.value_of(result)

    def _by_sizes(self, node: Node) -> None:
        """Of complex operands only the sizes count: those of a part are the same."""
        inputs = [
            self.pair(value)[0] if _has_parts(value.spec) else self.whole(value)
            for value in node.inputs
        ]
        made = self._node(node.op, inputs, node.attributes, [v.spec for v in node.outputs])
        self.values.update(zip(node.outputs, made, strict=True))

    def _by_parts(self, node: Node) -> None:
        if not any(_has_parts(value.spec) for value in node.outputs):
            self._by_sizes(node)
            return
        dtype = _part_dtype(node)
        places = BY_PARTS.get(node.op.name, range(len(node.inputs)))
        specs = _expanded([value.spec for value in node.outputs])[::2]
        both: list[list[Value]] = []
        counts = dynamic_operands(node.attributes)
        for part in (0, 1):
            inputs = []
            for place, value in enumerate(node.inputs):
                if place in places and isinstance(value.spec, ListSpec):
                    inputs.append(self.pair(value)[part])
                elif place in places and place not in counts:
                    inputs.append(self.trace.value_of(self.number(value, dtype).parts[part]))
                else:
                    inputs.append(
                        self.pair(value)[0] if _has_parts(value.spec) else self.whole(value)
                    )
            both.append(self._node(node.op, inputs, _of_part(node.attributes), specs))
        for value, real, imag in zip(node.outputs, *both, strict=True):
            self.parts[value] = real, imag


def _part_dtype(node: Node) -> DType:
    """The dtype of the parts in which a node computes."""
    for value in (*node.outputs, *node.inputs):
        if _has_parts(value.spec) and (value in node.outputs or isinstance(value.spec, ListSpec)):
            spec = value.spec
            return PARTS[(spec.element if isinstance(spec, ListSpec) else spec).dtype]
    return PARTS[promoted([value.spec for value in node.inputs if isinstance(value.spec, Spec)])]


def _of_part(attributes: Any) -> dict[str, Any]:
    """The attributes for one part: a complex dtype is that of the part."""

    def part(item: Any) -> Any:
        if isinstance(item, np.dtype):
            return PARTS.get(item, item)
        return _part_spec(item) if isinstance(item, Spec) and _has_parts(item) else item

    return {name: part(item) for name, item in attributes.items()}


# products and truth -------------------------------------------------------------------------------
def _matmul(self: _Rewriting, node: Node) -> None:
    """By real products: four, or two beside a real matrix."""
    dtype = _part_dtype(node)
    x, y = (self.number(value, dtype) for value in node.inputs)
    if x.is_real:
        made = Pair(x.real @ y.real, x.real @ y.imag)
    elif y.is_real:
        made = Pair(x.real @ y.real, x.imag @ y.real)
    else:
        made = Pair(
            x.real @ y.real - x.imag @ y.imag,
            x.real @ y.imag + x.imag @ y.real,
        )
    self._bind(node, made)


def _of_truth(self: _Rewriting, node: Node) -> None:
    """`any` and `all`, of whether the elements are not 0."""
    truth = is_nonzero(self.number(node.inputs[0], PARTS[node.inputs[0].spec.dtype]))  # type: ignore[union-attr]
    self._bind(node, OPS.apply(node.op.name, (truth,), dict(node.attributes)))


def _list_of_ones(self: _Rewriting, node: Node) -> None:
    real, imag = self.pair(node.inputs[0])
    spec = [_part_spec(node.outputs[0].spec)]
    (ones,) = self._node(node.op, [real], node.attributes, spec)
    (zeros,) = self._node(OPS.record("list_zeros_like"), [imag], {}, spec)
    self.parts[node.outputs[0]] = ones, zeros


# numbers of Python's ------------------------------------------------------------------------------
def _number_of_parts(self: _Rewriting, node: Node) -> None:
    self._bind(node, Pair(*(wrap(self.whole(value)) for value in node.inputs)))


def _part_of_number(self: _Rewriting, node: Node) -> None:
    self.values[node.outputs[0]] = self.pair(node.inputs[0])[node.op.name == "py_imag"]


def _sum_of_numbers(self: _Rewriting, node: Node) -> None:
    pairs = (self.pair(value) for value in node.inputs)
    self._bind(node, add(*(Pair(*map(wrap, pair)) for pair in pairs)))


def _to_number(self: _Rewriting, node: Node) -> None:
    found = self.number(node.inputs[0], np.dtype(np.float64))
    if node.attributes["kind"] is bool:
        self._bind(node, OPS.to_number(is_nonzero(found), kind=bool))
        return
    self._bind(node, Pair(*(OPS.to_number(one, kind=float) for one in found.parts)))


def _to_tensor(self: _Rewriting, node: Node) -> None:
    self._bind(node, self.number(node.inputs[0], PARTS[node.attributes["dtype"]]))


OTHERS: dict[str, Callable[[_Rewriting, Node], None]] = {
    "py_complex": _number_of_parts,
    "py_real": _part_of_number,
    "py_imag": _part_of_number,
    "py_add": _sum_of_numbers,
    "to_number": _to_number,
    "to_tensor": _to_tensor,
    "matmul": _matmul,
    "any": _of_truth,
    "all": _of_truth,
    "nonzero_flat": _of_truth,
    "list_ones_like": _list_of_ones,
}


# control flow -------------------------------------------------------------------------------------
def _subgraph(self: _Rewriting, graph: Graph) -> Graph:
    """A sub-graph, which takes and gives parts; rewritten once, whoever runs it."""
    known = self.done.get(id(graph))
    return known if known is not None else _Rewriting(graph, self.done).run()


def _cond(self: _Rewriting, node: Node) -> None:
    branches = tuple(_subgraph(self, branch) for branch in node.attributes["branches"])
    _control(self, node, {"branches": branches})


def _while_loop(self: _Rewriting, node: Node) -> None:
    carried = node.inputs[: node.attributes["carried"]]
    count = len(_expanded([value.spec for value in carried]))
    step = _subgraph(self, node.attributes["step"])
    _control(self, node, {"step": step, "carried": count})


def _call(self: _Rewriting, node: Node) -> None:
    changed: dict[str, Any] = {"function": _subgraph(self, node.attributes["function"])}
    if node.attributes.get("results") is not None:
        changed["results"] = tuple(_expanded(node.attributes["results"]))
    _control(self, node, changed)


def _control(self: _Rewriting, node: Node, changed: dict[str, Any]) -> None:
    specs = _expanded([value.spec for value in node.outputs])
    inputs = self.expanded(node.inputs)
    _give(self, node, self._node(node.op, inputs, {**node.attributes, **changed}, specs))


def _give(self: _Rewriting, node: Node, made: Sequence[Value]) -> None:
    """Bind the outputs of a node, of which each complex one came as two."""
    rest = iter(made)
    for value in node.outputs:
        if _has_parts(value.spec):
            self.parts[value] = next(rest), next(rest)
        else:
            self.values[value] = next(rest)


def _raise(self: _Rewriting, node: Node) -> None:
    """What an exception is made of stays as it is; what never comes to be may be parts."""
    attributes = dict(node.attributes)
    if "results" in attributes:
        attributes["results"] = tuple(_expanded(attributes["results"]))
    specs = _expanded([value.spec for value in node.outputs])
    inputs = list(map(self.whole, node.inputs))
    _give(self, node, self._node(node.op, inputs, attributes, specs))


CONTROL: dict[str, Callable[[_Rewriting, Node], None]] = {
    "cond": _cond,
    "while_loop": _while_loop,
    "call": _call,
    "raise_": _raise,
}
