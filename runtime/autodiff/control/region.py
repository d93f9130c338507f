"""Region: the trace of a backward graph, which remembers values of the forward graph it reverses.

A gradient rule that uses a value of the forward graph finds it here, in the cheapest way there is:
as an operand that both graphs are given, computed again, or saved. Where the forward node runs once
at most (`flat`), a saved value becomes one more output of it. Where it runs many times, in loops
and calls, the value is noted in `saves`, and `stacks` puts it on a list that the forward node
pushes and the backward node pops.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from autograph.runtime.autodiff.saving.cheap import COMPUTED_AGAIN, REARRANGED
from autograph.runtime.autodiff.saving.saved_values import put_in, settle
from autograph.runtime.control.joining import join
from autograph.runtime.core.anatomy import StagingError
from autograph.runtime.core.dims import Dim
from autograph.runtime.core.record import Decomposition, Op
from autograph.runtime.core.spec import AnySpec, ListSpec, Spec
from autograph.runtime.graph.constant import CONSTANT
from autograph.runtime.graph.ir import Graph, Node, Value
from autograph.runtime.graph.trace import Trace, wrap
from autograph.runtime.ops.table import OPS


@dataclass(slots=True)
class Save:
    """A value of a forward graph that the backward graph of `placeholder` needs, turn by turn."""

    value: Value
    placeholder: Value


@dataclass(slots=True)
class Session:
    """What belongs to one outermost loop or call that is being reversed."""

    saves: list[Save] = field(default_factory=list)
    functions: dict[Graph, Any] = field(default_factory=dict)
    """Called functions and what is known of their backward functions."""


class Region(Trace):
    """The backward trace of `forward`, a sub-graph of `node`.

    `operands[i]` is the value outside that input i of `forward` is on every turn, None where it
    has one of its own on each; a value of the trace itself where the backward graph is given it.
    `session` is None where values that are saved become outputs of `node`.
    """

    def __init__(
        self,
        name: str,
        parent: Trace | None,
        forward: Graph,
        operands: Mapping[Value, Value | None],
        session: Session | None,
        node: Node | None = None,
    ) -> None:
        super().__init__(name, parent)
        self.forward = forward
        self.given = dict(operands)
        self.session = session
        self.node = node
        self.recalled: dict[Value, Value] = {}
        self.placeholders: dict[Value, Value] = {}
        self._free: dict[Value, bool] = {}

    # looking values up ------------------------------------------------------------------------
    def lift(self, value: Value) -> Value:
        """`value` of the forward graph, or of what encloses it, in this backward graph."""
        if value.graph is self.graph:
            return value
        if value.graph is not self.forward:
            return super().lift(value)
        known = self.recalled.get(value)
        if known is None:
            known = self.recalled[value] = self._recall(value)
        return known

    def _recall(self, value: Value) -> Value:
        outside = self.given.get(value)
        if outside is not None:
            return self.lift(outside)
        node = value.node
        if node is None:
            return self.save(value)
        if node.op is CONSTANT:
            return self.constant(node.attributes["value"])
        if self._is_free(value) or self._is_rearranged(value):
            inputs = [self.lift(one) for one in node.inputs]
            specs = [one.spec for one in node.outputs]
            again = self.graph.add_node(node.op, inputs, node.attributes, specs, node.location)
            return again.outputs[node.outputs.index(value)]
        return self.save(value)

    def _is_free(self, value: Value) -> bool:
        """Whether computing it again needs nothing saved but 0-d values, and little work."""
        known = self._free.get(value)
        if known is None:
            known = self._free[value] = self._find_free(value)
        return known

    def _find_free(self, value: Value) -> bool:
        if value.graph is not self.forward:
            return self.parent._is_free(value) if isinstance(self.parent, Region) else True
        outside = self.given.get(value)
        if outside is not None:
            return outside.graph is self.graph or self._is_free(outside)
        node = value.node
        if node is None:
            return False
        if node.op is CONSTANT:
            return True
        if node.op.name not in COMPUTED_AGAIN:
            return False
        small = _is_scalar(value.spec)
        return all(
            self._is_free(one) or (_is_scalar(one.spec) and not small) for one in node.inputs
        )

    def _is_rearranged(self, value: Value) -> bool:
        """Whether it holds the elements of one other value, no fewer of them, in another order."""
        node = value.node
        return node is not None and node.op.name in REARRANGED and not _is_scalar(value.spec)

    # saving values ----------------------------------------------------------------------------
    def save(self, value: Value) -> Value:
        """Have the forward graph hand out `value`; gives it in this backward graph."""
        if self.session is not None and isinstance(value.spec, ListSpec):
            raise StagingError(
                f"a gradient needs a list of every call of a recursive function: {value.spec}",
                remedy="join the items to a tensor as they are made, x = ag.concat([x, item]), or "
                "build it outside of the function",
            )
        placeholder = Value(value.spec, self.graph, None, value.name)
        self.placeholders[value] = placeholder
        return placeholder

    def finish(self) -> None:
        """Decide what is saved, now that all that this graph needs is known; have it saved."""
        settle(self)
        if self.session is not None:
            self.session.saves += [Save(*pair) for pair in self.placeholders.items()]
            return
        found = {}
        for value, placeholder in self.placeholders.items():
            found[placeholder] = super().lift(self.hand_out(value))
            found[placeholder].spec = value.spec
        put_in(self.graph, found)

    def comes_in(self, value: Value) -> bool:
        """See Keeper.comes_in."""
        return self.given.get(value) is not None

    def costs_nothing(self, value: Value) -> bool:
        """See Keeper.costs_nothing."""
        outside, parent = self.given[value], self.parent
        assert outside is not None
        if outside.graph is self.graph or value in self.recalled or not isinstance(parent, Region):
            return True
        return outside in parent.recalled or parent._is_free(outside)

    def bring_in(self, value: Value) -> Value:
        """See Keeper.bring_in."""
        outside = self.given[value]
        assert outside is not None
        return self.lift(outside)

    def hand_out(self, value: Value) -> Value:
        """`value` of one branch of a cond that runs at most once, as an output of the cond."""
        assert self.node is not None
        known = self.forward.saved.get(value)
        if isinstance(known, Value):
            return known
        for branch in self.node.attributes["branches"]:
            branch.outputs.append(value if branch is self.forward else stand_in(branch, value.spec))
        output = Value(_widest(value.spec), self.node.outputs[0].graph, self.node)
        self.node.outputs.append(output)
        self.forward.saved[value] = output
        return output

    # the interpreter --------------------------------------------------------------------------
    def apply(self, op: Op, inputs: tuple[Any, ...], attributes: Mapping[str, Any]) -> Any:
        """Add a node; one that takes a tensor for its shape alone does without it if it can."""
        shaped = _SHAPED.get(op.name)
        if shaped is not None and len(inputs) == 2:
            spec = self._spec_of(inputs[1])
            if isinstance(spec, Spec) and not spec.python:
                if spec.is_static:
                    return shaped(op, inputs, spec, spec.shape)
                if self._is_unsaved(inputs[1]):
                    result = shaped(op, inputs, spec, self._sizes(spec, inputs[1]))
                    result._value.spec = spec.with_shape(spec.shape)
                    return result
        if op.name in _MEASURES and self._is_unsaved(inputs[0]):
            return wrap(self.lift(self._measured(op, inputs, attributes)))
        if op.name == "list_zeros_like" and self._is_unsaved(inputs[0]):
            element = inputs[0]._value.spec.element
            if element.is_static:
                zeros = OPS.zeros(element.shape, dtype=element.dtype)
                return OPS.list_fill(zeros, OPS.list_length(inputs[0]))
        return super().apply(op, inputs, attributes)

    def _sizes(self, spec: Spec, like: Any) -> tuple[Any, ...]:
        """The sizes of `like`, found elsewhere if they can be: it need not be saved for them."""
        return tuple(
            dim if isinstance(dim, int) else self._size(dim, like, axis)
            for axis, dim in enumerate(spec.shape)
        )

    def _size(self, dim: Dim, like: Any, axis: int) -> Any:
        for value in self.graph.inputs:
            spec = value.spec
            if isinstance(spec, Spec) and dim in spec.shape:
                return OPS.dimension(wrap(value), spec.shape.index(dim))
        return OPS.dimension(like, axis)

    def _spec_of(self, item: Any) -> AnySpec | None:
        value = getattr(item, "_value", None)
        if isinstance(value, np.ndarray):
            return Spec(value.dtype, value.shape)
        return value.spec if isinstance(value, Value) else None

    def _is_unsaved(self, item: Any) -> bool:
        value = getattr(item, "_value", None)
        return (
            isinstance(value, Value)
            and value.graph is self.forward
            and value not in self.recalled
            and not self._is_free(value)
        )

    def _measured(self, op: Op, inputs: tuple[Any, ...], attributes: Mapping[str, Any]) -> Value:
        """A size, taken in the forward graph: a number is saved instead of the whole value."""
        value: Value = inputs[0]._value
        key = (op.name, value, tuple(attributes.items()))
        known = self.forward.saved.get(key)
        if known is None:
            spec = op.infer(value.spec, **attributes)
            node = self.forward.add_node(op, (value,), attributes, (spec,))
            known = self.forward.saved[key] = node.outputs[0]
        assert isinstance(known, Value)
        return known


_MEASURES = frozenset({"list_length", "size_of"})


def _is_scalar(spec: AnySpec) -> bool:
    return isinstance(spec, Spec) and not spec.shape


def _broadcast(op: Op, inputs: tuple[Any, ...], like: Spec, shape: tuple[Any, ...]) -> Any:
    return OPS.apply("broadcast_to", (inputs[0],), {"shape": shape})


def _reshape(op: Op, inputs: tuple[Any, ...], like: Spec, shape: tuple[Any, ...]) -> Any:
    return OPS.apply("reshape", (inputs[0],), {"shape": shape})


def _sum(op: Op, inputs: tuple[Any, ...], like: Spec, shape: tuple[Any, ...]) -> Any:
    assert isinstance(op.lowering, Decomposition)
    return op.lowering.rule(OPS, inputs[0], wrap(Value(like, Graph("shape"), None)), shape)


_SHAPED = {"broadcast_like": _broadcast, "reshape_like": _reshape, "sum_like": _sum}


def appending(graph: Graph) -> Trace:
    """A trace that adds nodes at the end of a graph that is there already."""
    trace = Trace(graph.name)
    trace.graph = graph
    return trace


def stand_in(graph: Graph, spec: AnySpec) -> Value:
    """A value that nobody reads, at the end of `graph`: empty, or zeros where sizes are known."""
    trace = appending(graph)
    with trace.active():
        if isinstance(spec, ListSpec):
            return trace.value_of(OPS.apply("list_create", (), {"element": spec.element}))
        if spec.python:
            return trace.constant(spec.python_type(0))
        shape = tuple(dim if isinstance(dim, int) else 0 for dim in spec.shape)
        return trace.value_of(OPS.zeros(shape, dtype=spec.dtype))


def _widest(spec: AnySpec) -> AnySpec:
    """The spec of what is a value of `spec` or its stand-in."""
    if isinstance(spec, ListSpec) or spec.is_static:
        return spec
    empty = tuple(dim if isinstance(dim, int) else 0 for dim in spec.shape)
    return join([spec, Spec(spec.dtype, empty, spec.python)])
