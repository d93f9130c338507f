"""What a tape notes: watched cells, eager operations, and the nodes of the trace it is in."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Self

import numpy as np

from autograph.runtime.arrays.cells import View, as_tensor, put
from autograph.runtime.autodiff.backward.moves import only_moves
from autograph.runtime.autodiff.recording.eager import Record, varied_from
from autograph.runtime.autodiff.recording.reads import is_trainable
from autograph.runtime.autodiff.recording.sources import Reading, taken_apart
from autograph.runtime.core.anatomy import StagingError
from autograph.runtime.core.door import NO_ATTRIBUTES
from autograph.runtime.core.location import user_location
from autograph.runtime.core.record import Op
from autograph.runtime.core.state import STATE
from autograph.runtime.core.tensor import Tensor, describe
from autograph.runtime.core.variable import Variable
from autograph.runtime.graph.ir import Graph, Node, Value
from autograph.runtime.graph.trace import Trace
from autograph.runtime.ops.table import OPS


class Recorder:
    """A tape, as far as it records."""

    def __init__(self, persistent: bool = False, watch_accessed_variables: bool = True) -> None:
        self._persistent = persistent
        self._automatic = watch_accessed_variables
        self._trace: Trace | None = None
        self._home = STATE.interpreter
        self._recording = False
        self._used = False
        self._cells: dict[int, tuple[Tensor, Any]] = {}
        self._watched: tuple[Tensor, ...] = ()
        self._clear()

    def _clear(self) -> None:
        self._watched = self._variables()
        self._cells = {}
        self._records: list[Record] = []
        # Eager values by id, kept alive by the records; values of a graph by themselves.
        self._tracked: dict[Any, Any] = {}
        self._nodes: dict[Node, None] = {}
        self._moves: set[Node] = set()
        self._used_in: list[Any] = []
        self._by_branch = False

    # recording --------------------------------------------------------------------------------
    def __enter__(self) -> Self:
        self._require_home("with")
        if self._recording:
            raise RuntimeError("this tape is recording already")
        if self._used is not False:  # in a trace it may be a staged one
            self._forget()
        elif self._nodes:
            self._require_own_trace("with")
        trace = STATE.interpreter
        self._trace = trace if isinstance(trace, Trace) else None
        if self._trace is not None:  # what was watched before it started
            for cell, held in list(self._cells.values()):
                if not isinstance(held, Value):
                    self._watch_cell(cell, self._trace.value_of(cell))
        self._start()
        return self

    def __exit__(self, *exception: object) -> None:
        self._require_home("__exit__")
        if self._recording:
            self._stop()

    def _require_home(self, what: str) -> None:
        """StagingError in a staged function for a tape that was made outside of it."""
        if STATE.interpreter is None or self._home is not None:
            return
        raise StagingError(
            f"`{what}` of a tape that was made outside of a staged function is called in it",
            location=user_location(),
            remedy="make the tape in the function, or use it outside",
        )

    def _start(self) -> None:
        if self._trace is None:
            STATE.tapes = (*STATE.tapes, self)
        else:
            self._trace.tapes = (*self._trace.tapes, self)
            self._trace.stopped = tuple(one for one in self._trace.stopped if one is not self)
        self._recording = True

    def _stop(self) -> None:
        if self._trace is None:
            STATE.tapes = tuple(tape for tape in STATE.tapes if tape is not self)
        else:
            self._trace.tapes = tuple(tape for tape in self._trace.tapes if tape is not self)
            self._trace.stopped = (*self._trace.stopped, self)
        self._recording = False

    def stop_recording(self) -> Stopped:
        """`with` it: nothing is recorded inside."""
        self._require_home("stop_recording")
        return Stopped(self)

    def reset(self) -> None:
        """Forget everything recorded and watched."""
        self._require_home("reset")
        self._require_own_trace("reset")
        self._forget()

    def _forget(self) -> None:
        self._clear()
        self._used = False
        self._watched = ()

    def watch(self, tensors: Any) -> None:
        """Watch a float tensor, or nested containers, dataclasses and modules of them, as they are.

        TypeError for what is no tensor, or holds no floats.
        """
        self._require_home("watch")
        for tensor in taken_apart(tensors, Reading())[0]:
            if not isinstance(tensor, Tensor):
                raise TypeError(f"a tape watches tensors, not {type(tensor).__name__} {tensor!r}")
            require_inexact(tensor, "watched tensor")
            if isinstance(tensor, View) and tensor.name == "storage":
                put(tensor, OPS.copy(as_tensor(tensor)))  # for what the store holds to come of it
            value = self._key_value(tensor)
            known = not isinstance(value, Value) or value in self._tracked
            if not known or (isinstance(value, Value) and not self._sees(value)):
                self._require_own_trace("watch")
            self._watch_cell(tensor, value)

    def _require_own_trace(self, what: str) -> None:
        """StagingError in a staged branch or loop, of which a tape of outside sees the result."""
        if self._trace is not None and STATE.interpreter is not self._trace:
            raise StagingError(
                f"`{what}` of a tape that was started outside of a staged branch or loop is called "
                "in it",
                location=user_location(),
                remedy="call it outside; to record nothing of a computation, use ag.stop_gradient",
            )

    def _watch_cell(self, tensor: Tensor, value: Any) -> None:
        self._cells[id(tensor)] = (tensor, value)
        self._tracked[value if isinstance(value, Value) else id(value)] = value

    def _key_value(self, tensor: Tensor) -> Any:
        """The value that stands for `tensor` where this tape records."""
        if self._trace is None or not self._sees(tensor._value):
            return tensor._value
        return self._trace.value_of(tensor)

    def watched_variables(self) -> tuple[Tensor, ...]:
        """The Variables watched so far. StagingError where that depends on a staged branch."""
        self._require_home("watched_variables")
        if self._by_branch:
            raise StagingError(
                "which Variables a tape has watched depends on a staged branch",
                location=user_location(),
                remedy="name the Variables: model.trainable_variables",
            )
        return self._variables()

    def _variables(self) -> tuple[Tensor, ...]:
        now = [cell for cell, _ in self._cells.values() if isinstance(cell, Variable)]
        before = set(map(id, self._watched))
        return (*self._watched, *(cell for cell in now if id(cell) not in before))

    def record(
        self, op: Op, inputs: tuple[Any, ...], attributes: Mapping[str, Any], outputs: Any
    ) -> None:
        """Note that `op` was applied eagerly; the door calls this."""
        if len(inputs) == 1 and type(inputs[0]) is Tensor and type(outputs) is not tuple:
            self._record_one(op, inputs, attributes, outputs)
            return
        tracked, relevant = self._tracked, False
        values: list[Any] = []
        for x in inputs:
            if isinstance(x, Tensor):
                value = x._value
                values.append(value)
                if id(value) in tracked:
                    relevant = True
                elif type(x) is not Tensor and self._is_new_variable(x):
                    self._watch_cell(x, value)
                    relevant = True
            else:
                values.append(None)
        if not relevant or not op.gradient:
            return
        if type(outputs) is tuple:
            made = tuple(one._value for one in outputs)
            for value in made:
                if value.dtype.kind in "fc":
                    tracked[id(value)] = value
            self._records.append((op, attributes, inputs, values, outputs, made))
        else:
            value = outputs._value
            self._records.append((op, attributes, inputs, values, outputs, value))
            if value.dtype.kind in "fc":
                tracked[id(value)] = value

    def _record_one(
        self, op: Op, inputs: tuple[Any, ...], attributes: Mapping[str, Any], output: Any
    ) -> None:
        tracked, held = self._tracked, inputs[0]._value
        if id(held) in tracked and op.gradient:
            value = output._value
            self._records.append((op, attributes, inputs, [held], output, value))
            if value.dtype.kind in "fc":
                tracked[id(value)] = value

    def record_two(self, op: Op, x: Any, y: Any, output: Any) -> None:
        """Like `record`, of two inputs and no attributes: what operators are."""
        if type(x) is not Tensor or type(y) is not Tensor:
            self.record(op, (x, y), NO_ATTRIBUTES, output)
            return
        tracked, left, right = self._tracked, x._value, y._value
        if (id(left) in tracked or id(right) in tracked) and op.gradient:
            value = output._value
            self._records.append((op, NO_ATTRIBUTES, (x, y), [left, right], output, value))
            if value.dtype.kind in "fc":
                tracked[id(value)] = value

    def looked_at(self, cell: Tensor) -> None:
        """Python takes the value of a cell: no gradient goes through that."""

    def assigned(self, cell: Tensor) -> None:
        """A cell is about to be given another value: what was watched is the value."""

    def follows(self, tensor: Tensor) -> bool:
        """Whether this tape records what is computed from `tensor`."""
        return id(tensor._value) in self._tracked or (
            type(tensor) is not Tensor and self._is_new_variable(tensor)
        )

    def record_function(
        self,
        inputs: Sequence[Tensor],
        outputs: Sequence[Tensor],
        backward: Callable[[Sequence[Any]], Sequence[Any]],
        values: Sequence[Any] | None = None,
    ) -> None:
        """Note an eager call of something that knows its own gradient.

        `backward` gets a gradient or None for each output, and gives one for each input. `values`
        are the arrays that the inputs held, if they have been assigned since.
        """
        held = [x._value for x in inputs] if values is None else list(values)
        relevant = False
        for x, value in zip(inputs, held, strict=True):
            if type(x) is not Tensor and self._is_new_variable(x):
                self._watch_cell(x, value)
            relevant = relevant or id(value) in self._tracked
        if not relevant:
            return
        made = tuple(one._value for one in outputs)
        self._records.append((backward, {}, tuple(inputs), held, tuple(outputs), made))
        for value in made:
            if value.dtype.kind in "fc":
                self._tracked[id(value)] = value

    def _is_new_variable(self, cell: Tensor) -> bool:
        return self._automatic and id(cell) not in self._cells and is_trainable(cell)

    def notice(self, cell: Tensor, value: Value) -> None:
        """Note that a trace below the one of this tape reads `cell`, which holds `value`."""
        if not self._is_new_variable(cell) or self._trace is None:
            return
        if not self._sees(value):
            name = getattr(cell, "name", None)
            raise StagingError(
                f"{f'the Variable {name!r}' if name else 'a Variable'} is assigned and then read "
                "for the first time in a staged branch or loop, of which a tape that started "
                "outside sees the result alone",
                location=user_location(),
                remedy="read it before, or make the tape there; with watch_accessed_variables="
                "False no Variable is watched that is not asked for",
            )
        value = self._trace.lift(value)
        if self._is_computed(value):
            return
        self._watch_cell(cell, value)
        here = STATE.interpreter
        while isinstance(here, Trace) and here is not self._trace:
            self._by_branch |= here.graph.name.startswith("branch")
            here = here.parent

    def _is_computed(self, value: Value) -> bool:
        """Whether a value was computed from what is watched: then nothing is to be watched anew."""
        if value.node not in self._nodes:
            return value in self._tracked
        computed = varied_from(list(self._tracked), list(self._nodes))(value)
        # the path that is taken tells it eagerly
        self._by_branch |= computed and any(next(node.graphs, None) for node in self._nodes)
        return computed

    def reaches(self, value: Value) -> bool:
        """Whether a value was computed, in a differentiable way, of what is watched."""
        return varied_from(list(self._tracked), list(self._nodes))(value)

    def forget_graph(self, graph: Graph) -> None:
        """Forget what was watched of values that belong to no trace any more."""
        lost = [key for key, (_, held) in self._cells.items() if _is_of(held, graph)]
        for key in lost:
            del self._cells[key]
        for value in [one for one in self._tracked.values() if _is_of(one, graph)]:
            del self._tracked[value]

    def _sees(self, value: Any) -> bool:
        """Whether a value is there in the trace of this tape: it, or what encloses it, made it."""
        trace = self._trace
        while isinstance(value, Value) and trace is not None and trace.graph is not value.graph:
            trace = trace.parent
        return trace is not None

    def record_node(self, node: Node) -> None:
        """Note a node of the trace of this tape; the trace calls this."""
        for value in node.inputs:
            if value in self._tracked or value.node in self._nodes:
                self._nodes[node] = None
                return

    def record_move(self, node: Node) -> None:
        """Note a node of the trace of this tape, which has stopped, if it only moves tensors."""
        if only_moves(node):
            self.record_node(node)
            self._moves.add(node)


def _is_of(value: Any, graph: Graph) -> bool:
    return isinstance(value, Value) and value.graph is graph


class Stopped:
    """A stretch that a tape does not record."""

    def __init__(self, tape: Recorder) -> None:
        self.tape = tape

    def __enter__(self) -> None:
        if not self.tape._recording:
            raise RuntimeError("the tape is not recording")
        self.tape._require_own_trace("stop_recording")
        self.tape._stop()

    def __exit__(self, *exception: object) -> None:
        self.tape._start()


def require_float(tensor: Any, role: str) -> Tensor:
    """The tensor. TypeError where it holds no floats: for complex ones, what to write."""
    require_inexact(tensor, role)
    if tensor.dtype.kind == "c":
        raise TypeError(
            f"the {role} is {describe(tensor)}, and this is asked of real numbers: take "
            "ag.real(x), ag.imag(x) or ag.abs(x), or say with output_gradients what to begin with"
        )
    checked: Tensor = tensor
    return checked


def require_inexact(tensor: Any, role: str) -> Tensor:
    """The tensor. TypeError where it holds neither floats nor complex numbers."""
    if not isinstance(tensor, Tensor):
        told = f"the {role} must be a tensor, not {type(tensor).__name__} {tensor!r}"
        if isinstance(tensor, float | np.floating | np.ndarray):
            told += (
                "; no tape follows Python's numbers and NumPy's arrays. Leave out float(x) and "
                "x.item(), and see that it depends on what is watched"
            )
        raise TypeError(told)
    value = tensor._value
    dtype = value.dtype if type(value) is np.ndarray else tensor.dtype
    if dtype.kind not in "fc":
        raise TypeError(
            f"the {role} is {describe(tensor)}, and integers and bools have no gradient; "
            "convert it with ag.astype(x, ag.float32) before it is watched or computed with"
        )
    return tensor
