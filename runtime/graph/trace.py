"""Trace: the interpreter that adds nodes to a graph instead of computing."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from autograph.runtime.core import dtypes
from autograph.runtime.core.anatomy import StagingError
from autograph.runtime.core.complex_use import require_real
from autograph.runtime.core.door import operand
from autograph.runtime.core.dtypes import DType
from autograph.runtime.core.location import user_location
from autograph.runtime.core.number import Number
from autograph.runtime.core.record import Control, DynamicInt, Effect, Elementwise, Op
from autograph.runtime.core.spec import NUMBER_SPECS, AnySpec, ListSpec, Spec
from autograph.runtime.core.state import STATE
from autograph.runtime.core.tensor import Tensor
from autograph.runtime.core.variable import Variable
from autograph.runtime.graph.constant import CONSTANT
from autograph.runtime.graph.ir import Graph, Node, Value
from autograph.runtime.graph.stretch import FIRST, SECOND, STRETCH, needed

Capture = Callable[[Tensor], Value | None]
Store = Callable[[Tensor, Tensor], None]
Guard = Callable[["Trace", Op, tuple[Any, ...], Mapping[str, Any]], None]


class LeakedValueError(StagingError, RuntimeError):
    """A value of a staged branch, loop or function is used outside of it.

    Such a value exists only while the graph that computes it runs. Return it from the function,
    or assign it to a variable that exists outside of the branch or loop.

        kept = []
        @ag.do_not_convert
        def keep(x): kept.append(x)         # called while tracing; later, `kept[0] + 1` raises
    """


class RunLimitError(ValueError):
    """The run found what a staged function cannot follow, and eager Python can.

    So no handler of the program's catches it.
    """


class IntegerLimitError(OverflowError):
    """A Python int meets a staged one and does not fit into it: an OverflowError of staging."""


class StagedList:
    """A handle of a list value of a graph."""

    __slots__ = ("_value",)

    def __init__(self, value: Value) -> None:
        self._value = value


class Trace:
    """Builds one graph. A sub-graph has a trace of its own whose `parent` is the enclosing one.

    A value of an enclosing graph becomes an input here (`captures` maps it to that), at every level
    between its definition and its use. A concrete tensor is offered to `capture`, which may give a
    value that stands for it; otherwise it becomes a constant. `store` is told of each assignment
    to a cell, and does it; `guard` of each op that may raise, before it is added.
    """

    def __init__(
        self,
        name: str,
        parent: Trace | None = None,
        capture: Capture | None = None,
        store: Store | None = None,
        guard: Guard | None = None,
    ) -> None:
        self.graph = Graph(name)
        self.parent = parent
        self.captures: dict[Value, Value] = {}
        self.capture: Capture | None = capture or (parent.capture if parent else None)
        self.store: Store | None = store or (parent.store if parent else None)
        self.guard: Guard | None = guard or (parent.guard if parent else None)
        self.made: Callable[[Tensor], None] | None = parent.made if parent else None
        """Told of each array of NumPy's that the program makes."""
        self.is_steep = False
        """Whether gradients of its inputs may meet infinite factors outside of it."""
        self.differentiated = False
        """Whether gradients were taken in it, or in a sub-graph."""
        self.generation = 0
        """How often nodes were taken out of the graph again."""
        self.tapes: tuple[Any, ...] = ()
        self.stopped: tuple[Any, ...] = ()
        """Tapes of this trace that may be asked yet; of lists they are still shown the moves."""
        self._constants: dict[tuple[type, str], Value] = {}

    # inputs -----------------------------------------------------------------------------------
    def add_input(self, spec: AnySpec, name: str = "") -> Any:
        """A new input of the graph, as a Tensor, Number or StagedList."""
        return wrap(self.graph.add_input(spec, name))

    def lift(self, value: Value) -> Value:
        """`value` of this graph or of an enclosing one, as a value of this graph."""
        if value.graph is self.graph:
            return value
        known = self.captures.get(value)
        if known is not None:
            return known
        if self.parent is None:
            raise LeakedValueError(
                f"a staged {value.spec} is used outside the branch, loop or function in which it "
                "was computed",
                remedy="return it, or keep it in a variable that the region assigns",
            )
        self.parent.lift(value)
        inner = self.graph.add_input(value.spec, value.name)
        self.captures[value] = inner
        return inner

    def operands(self) -> list[Value]:
        """The captured values as values of the parent's graph, in the order of the inputs here."""
        assert self.parent is not None
        return [self.parent.lift(value) for value in self.captures]

    def value_of(self, item: Any, shown: bool = True) -> Value:
        """The value in this graph for a tensor, number, list, array or Python number.

        `shown`: tapes may watch a Variable that is read.
        """
        if isinstance(item, Tensor):
            held = item._value
            if not isinstance(held, Value):
                captured = None if self.capture is None else self.capture(item)
                if captured is None:
                    return self.constant(held)
                held = captured
            if shown and isinstance(item, Variable):
                self._show(item, held)
            return self.lift(held)
        if isinstance(item, Number | StagedList):
            return self.lift(item._value)
        if isinstance(item, Value):
            return self.lift(item)
        return self.constant(operand(item))

    def constant(self, value: Any) -> Value:
        """A constant: an array, or a Python number."""
        if isinstance(value, bool | int | float | complex) and not isinstance(value, np.generic):
            spec = NUMBER_SPECS[type(value)]
            key = (type(value), repr(value))
            known = self._constants.get(key)
            if known is not None:
                return known
            if type(value) is int and not -(2**63) <= value < 2**63:
                raise IntegerLimitError(
                    f"the Python int {value} is too large for a staged one (int64)"
                )
            made = self.graph.add_node(CONSTANT, (), {"value": value}, (spec,)).outputs[0]
            self._constants[key] = made
            return made
        array = np.array(value)
        array.flags.writeable = False
        spec = Spec(array.dtype, array.shape)
        return self.graph.add_node(CONSTANT, (), {"value": array}, (spec,)).outputs[0]

    def forget_constants(self, dropped: set[int]) -> None:
        """Make no use of constants whose nodes (by id) were taken out of the graph."""
        self.generation += 1
        self._constants = {
            key: value for key, value in self._constants.items() if id(value.node) not in dropped
        }

    # the interpreter --------------------------------------------------------------------------
    def apply(self, op: Op, inputs: tuple[Any, ...], attributes: Mapping[str, Any]) -> Any:
        """Add a node. Gives a Tensor, Number or StagedList, or a tuple of them."""
        if self.guard is not None:
            self.guard(self, op, inputs, attributes)
        values = [self.value_of(item) for item in inputs]
        if len(values) > 1 and isinstance(op.lowering, Elementwise):
            values = self._stretched(values)
        fixed, dynamic = extract_dynamic(attributes, len(values))
        if dtypes.complex_in_use:
            require_real(op, [_dtype_of(value) for value in values], fixed)
        specs = _inferred(op, values, fixed, bool(dynamic))
        values += [self.value_of(item) for item in dynamic]
        several = isinstance(specs, tuple)
        node = self.add_node(op, values, fixed, specs if several else (specs,))
        outputs = tuple(wrap(value) for value in node.outputs)
        self.observe(node)
        return outputs if several else outputs[0]

    def _stretched(self, values: list[Value]) -> list[Value]:
        """The operands of an elementwise op, with the sizes of its result where these differ."""
        result, wanted = list(values), needed(values)

        def stretch(number: int, like: int, axes: tuple[int, ...], mutual: bool) -> None:
            role = SECOND if number > like else FIRST
            attributes = {"axes": axes, "role": role, "mutual": mutual}
            made = self.apply(STRETCH, (wrap(result[number]), wrap(result[like])), attributes)
            result[number] = self.value_of(made)

        for one in wanted:
            if one.mutual:
                stretch(one.like, one.number, one.axes, True)
        for one in wanted:
            stretch(one.number, one.like, one.axes, False)
        return result

    def assign(self, tensor: Tensor, value: Tensor) -> None:
        """Put a value into a cell. Who traces a whole function logs it, to roll it back."""
        if self.store is not None:
            self.store(tensor, value)
        else:
            tensor._value = self.value_of(value)

    def add_node(
        self,
        op: Op,
        inputs: Sequence[Value],
        attributes: Mapping[str, Any],
        specs: Sequence[AnySpec],
    ) -> Node:
        """Append a node at the user's current line; `inputs` are values of this graph."""
        return self.graph.add_node(op, inputs, attributes, specs, user_location())

    def add_control(
        self,
        op: Op,
        inputs: Sequence[Value],
        attributes: Mapping[str, Any],
        specs: Sequence[AnySpec],
    ) -> Node:
        """Append a node of control flow, and show it to the tapes."""
        node = self.add_node(op, inputs, attributes, specs)
        self.observe(node)
        return node

    def observe(self, node: Node) -> None:
        """Show the tapes that were started in this very region what was applied."""
        for tape in self.tapes:
            tape.record_node(node)
        for tape in self.stopped:
            tape.record_move(node)

    def _show(self, cell: Tensor, value: Value) -> None:
        """Show a Variable that is read to the tapes here and further out: they may watch it."""
        trace: Trace | None = self
        while trace is not None:
            for tape in trace.tapes:
                tape.notice(cell, value)
            trace = trace.parent

    @contextmanager
    def active(self) -> Iterator[Trace]:
        """Make this the interpreter of the thread."""
        outer = STATE.interpreter
        STATE.interpreter = self
        try:
            yield self
        finally:
            STATE.interpreter = outer


def _dtype_of(value: Value) -> DType:
    spec = value.spec
    return spec.element.dtype if isinstance(spec, ListSpec) else spec.dtype


def _inferred(op: Op, values: list[Value], attributes: dict[str, Any], dynamic: bool) -> Any:
    try:
        return op.infer(*(value.spec for value in values), **attributes)
    except (ValueError, TypeError, IndexError) as error:
        if not (dynamic and isinstance(error, TypeError)):
            raise _as_eager(op, values, attributes, dynamic) or error from None
        names = ", ".join(name for name, one in attributes.items() if "DynamicInt" in repr(one))
        raise StagingError(
            f"'{names}' of '{op.name}' must be known while tracing, and is a staged number",
            remedy=f"pass a plain Python number as {names}",
        ) from error


def _as_eager(
    op: Op, values: list[Value], attributes: dict[str, Any], dynamic: bool
) -> Exception | None:
    """What the reference raises for inputs of these sizes, in its own words."""
    specs = [value.spec for value in values]
    if dynamic or op.effect is Effect.CALLS_BACK or isinstance(op.lowering, Control):
        return None
    arrays = []
    for spec in specs:
        if not isinstance(spec, Spec) or not spec.is_static:
            return None
        shape = tuple(map(int, spec.shape))  # type: ignore[arg-type]
        one = np.ones((), spec.dtype)
        arrays.append(spec.python_type(1) if spec.python else np.broadcast_to(one, shape))
    try:
        with np.errstate(all="ignore"):
            op.reference(*arrays, **attributes)
    except (ValueError, TypeError, IndexError) as error:
        return error
    except Exception:  # nothing to say
        return None
    return None


def wrap(value: Value) -> Any:
    """The handle with which Python code holds a value of a graph."""
    if isinstance(value.spec, ListSpec):
        return StagedList(value)
    return Number(value) if value.spec.python else Tensor._of(value)


def _mapped(item: Any, leaf: Callable[[Any], Any]) -> Any:
    """An attribute with `leaf` applied to each of its parts.

    (A function that refers to itself would be a cycle, and keep the values of a run.)
    """
    if type(item) is tuple:
        return tuple([_mapped(one, leaf) for one in item])
    if hasattr(item, "map_integers"):
        return item.map_integers(lambda one: _mapped(one, leaf))
    return leaf(item)


def extract_dynamic(attributes: Mapping[str, Any], count: int) -> tuple[dict[str, Any], list[Any]]:
    """Attributes with every staged integer replaced by a DynamicInt, and those integers."""
    dynamic: list[Any] = []

    def extract(item: Any) -> Any:
        if not isinstance(item, Number | Tensor):
            return item
        dynamic.append(item)
        return DynamicInt(count + len(dynamic) - 1)

    return {name: _mapped(item, extract) for name, item in attributes.items()}, dynamic


def substitute_dynamic(attributes: Mapping[str, Any], inputs: Sequence[Any]) -> dict[str, Any]:
    """Attributes with every DynamicInt replaced by the input it stands for."""

    def substitute(item: Any) -> Any:
        return inputs[item.operand] if isinstance(item, DynamicInt) else item

    return {name: _mapped(item, substitute) for name, item in attributes.items()}


def dynamic_operands(attributes: Mapping[str, Any]) -> list[int]:
    """Which inputs of a node belong to its attributes, in ascending order: they follow its own."""
    found: set[int] = set()

    def note(item: Any) -> Any:
        if isinstance(item, DynamicInt):
            found.add(item.operand)
        return item

    for attribute in attributes.values():
        _mapped(attribute, note)
    return sorted(found)
