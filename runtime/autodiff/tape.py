"""GradientTape: records what is computed from watched values, and goes back over it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from autograph.runtime.autodiff import calls, control  # noqa: F401  (they fill the table of rules)
from autograph.runtime.autodiff.accumulate import Gradients
from autograph.runtime.autodiff.backward import sweep
from autograph.runtime.autodiff.eager import Record, eager_gradients, varied_in
from autograph.runtime.autodiff.nested import Below
from autograph.runtime.control.structure import flatten
from autograph.runtime.core.door import NO_ATTRIBUTES
from autograph.runtime.core.dtypes import FLOATS
from autograph.runtime.core.record import Op
from autograph.runtime.core.state import STATE
from autograph.runtime.core.tensor import Tensor, describe
from autograph.runtime.graph.ir import Node, Value
from autograph.runtime.graph.trace import Trace
from autograph.runtime.ops.table import OPS


class GradientTape:
    """Records operations on watched tensors, to differentiate what came of them.

    Trainable float Variables are watched when they are first used, unless
    `watch_accessed_variables` is false; other tensors by `watch`. A watched cell means the value
    that it had then, whatever is assigned to it later. `gradient` may be called once, or, if
    `persistent`, any number of times. Tapes nest: the outer one records the gradients of the inner
    one. A tape works eagerly, and in a staged function through its branches, loops and calls.
    """

    def __init__(self, persistent: bool = False, watch_accessed_variables: bool = True) -> None:
        self._persistent = persistent
        self._automatic = watch_accessed_variables
        self._trace: Trace | None = None
        self._recording = False
        self._used = False
        self._clear()

    def _clear(self) -> None:
        self._cells: dict[int, tuple[Tensor, Any]] = {}
        self._records: list[Record] = []
        # Eager values by id, kept alive by the records; values of a graph by themselves.
        self._tracked: dict[Any, Any] = {}
        self._nodes: dict[Node, None] = {}
        self._skipped: set[Node] = set()
        self._used_in: list[Any] = []

    # recording --------------------------------------------------------------------------------
    def __enter__(self) -> GradientTape:
        if self._recording:
            raise RuntimeError("this tape is recording already")
        if self._used:
            self.reset()
        trace = STATE.interpreter
        self._trace = trace if isinstance(trace, Trace) else None
        self._start()
        return self

    def __exit__(self, *exception: object) -> None:
        if self._recording:
            self._stop()

    def _start(self) -> None:
        if self._trace is None:
            STATE.tapes = (*STATE.tapes, self)
        else:
            self._trace.tapes = (*self._trace.tapes, self)
        self._recording = True

    def _stop(self) -> None:
        if self._trace is None:
            STATE.tapes = tuple(tape for tape in STATE.tapes if tape is not self)
        else:
            self._trace.tapes = tuple(tape for tape in self._trace.tapes if tape is not self)
        self._recording = False

    @contextmanager
    def stop_recording(self) -> Iterator[None]:
        """Record nothing inside this context."""
        if not self._recording:
            raise RuntimeError("the tape is not recording")
        self._stop()
        trace = STATE.interpreter
        before = len(trace.graph.nodes) if isinstance(trace, Trace) else 0
        try:
            yield
        finally:
            self._start()
            if isinstance(trace, Trace) and trace is not self._trace:
                self._skipped.update(trace.graph.nodes[before:])

    def reset(self) -> None:
        """Forget everything recorded and watched."""
        self._clear()
        self._used = False

    def watch(self, tensors: Any) -> None:
        """Watch a float tensor, or nested lists, tuples and dicts of them, as they are now.

        TypeError for what is no tensor, or holds no floats.
        """
        for tensor in flatten(tensors)[0]:
            if not isinstance(tensor, Tensor):
                raise TypeError(f"a tape watches tensors, not {type(tensor).__name__} {tensor!r}")
            _require_float(tensor, "watched tensor")
            self._watch_cell(tensor, self._key_value(tensor))

    def _watch_cell(self, tensor: Tensor, value: Any) -> None:
        self._cells[id(tensor)] = (tensor, value)
        self._tracked[value if isinstance(value, Value) else id(value)] = value

    def _key_value(self, tensor: Tensor) -> Any:
        """The value that stands for `tensor` where this tape records."""
        if self._trace is None or not self._sees(tensor._value):
            return tensor._value
        return self._trace.value_of(tensor)

    def watched_variables(self) -> tuple[Tensor, ...]:
        """The Variables watched so far."""
        return tuple(cell for cell, _ in self._cells.values() if type(cell) is not Tensor)

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
                if value.dtype.kind == "f":
                    tracked[id(value)] = value
            self._records.append((op, attributes, inputs, values, outputs, made))
        else:
            value = outputs._value
            self._records.append((op, attributes, inputs, values, outputs, value))
            if value.dtype.kind == "f":
                tracked[id(value)] = value

    def _record_one(
        self, op: Op, inputs: tuple[Any, ...], attributes: Mapping[str, Any], output: Any
    ) -> None:
        tracked, held = self._tracked, inputs[0]._value
        if id(held) in tracked and op.gradient:
            value = output._value
            self._records.append((op, attributes, inputs, [held], output, value))
            if value.dtype.kind == "f":
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
            if value.dtype.kind == "f":
                tracked[id(value)] = value

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
    ) -> None:
        """Note an eager call of something that knows its own gradient.

        `backward` gets a gradient or None for each output, and gives one for each input.
        """
        relevant = False
        for x in inputs:
            if type(x) is not Tensor and self._is_new_variable(x):
                self._watch_cell(x, x._value)
            relevant = relevant or id(x._value) in self._tracked
        if not relevant:
            return
        values, made = [x._value for x in inputs], tuple(one._value for one in outputs)
        self._records.append((backward, {}, tuple(inputs), values, tuple(outputs), made))
        for value in made:
            if value.dtype.kind == "f":
                self._tracked[id(value)] = value

    def _is_new_variable(self, cell: Tensor) -> bool:
        return (
            self._automatic
            and id(cell) not in self._cells
            and getattr(cell, "trainable", False)
            and cell.dtype.kind == "f"
        )

    def notice(self, cell: Tensor, value: Value) -> None:
        """Note that a trace below the one of this tape reads `cell`, which holds `value`."""
        if self._is_new_variable(cell) and self._trace is not None and self._sees(value):
            self._watch_cell(cell, self._trace.lift(value))

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

    # going back -------------------------------------------------------------------------------
    def gradient(
        self,
        target: Any,
        sources: Any,
        output_gradients: Any = None,
        unconnected_gradients: str = "none",
    ) -> Any:
        """The gradient of the sum of `target` with respect to `sources`.

        `target` is a float tensor or several, nested; `sources` likewise, and the result nests as
        they do, with None for what `target` does not depend on (zeros, if `unconnected_gradients`
        is "zero"). `output_gradients`, nested as `target`, are what to begin with instead of ones.
        TypeError for a target or source that holds no floats; RuntimeError on a second call, unless
        the tape is persistent.
        """
        if unconnected_gradients not in ("none", "zero"):
            raise ValueError(
                f"unconnected_gradients is 'none' or 'zero', not {unconnected_gradients!r}"
            )
        if self._is_spent():
            raise RuntimeError(
                "gradient was called on this tape already. A tape that is not persistent gives "
                "its gradients once: use GradientTape(persistent=True)"
            )
        targets = [_require_float(one, "target of the gradient") for one in flatten(target)[0]]
        leaves, rebuild = flatten(sources)
        for leaf in leaves:
            _require_float(leaf, "source of the gradient")
        recording = self._recording
        outer = recording and not self._persistent
        if outer:
            self._stop()  # nothing more can be asked of it
        try:
            seeds = self._seeds(targets, output_gradients)
            if self._trace is None:
                found = self._eager(seeds, leaves)
            else:
                below = Below(self._trace, recording, self._skipped)
                found = self._staged(self._trace, below, seeds, leaves)
        finally:
            if outer:
                self._start()
        self._used = True
        if self._trace is not None:
            self._used_in.append(STATE.interpreter)
        elif not self._persistent:
            self._clear()
        if unconnected_gradients == "zero":
            pairs = zip(found, leaves, strict=True)
            found = [OPS.zeros_like(leaf) if one is None else one for one, leaf in pairs]
        return rebuild(list(map(_own_cell, found)))

    def _is_spent(self) -> bool:
        """Whether `gradient` was called already. In a trace: here, or in what encloses this.

        A branch or turn that was traced and dropped, or that excludes this one, does not count.
        """
        if self._persistent or self._trace is None:
            return self._used and not self._persistent
        here: Any = STATE.interpreter
        while here is not None:
            if any(one is here for one in self._used_in):
                return True
            here = here.parent
        return False

    def _seeds(self, targets: list[Tensor], given: Any) -> list[tuple[Tensor, Any]]:
        if given is None:
            return [(target, _ones(target)) for target in targets]
        seeds = flatten(given)[0]
        if len(seeds) != len(targets):
            raise ValueError(f"{len(seeds)} output gradients for {len(targets)} targets")
        pairs = []
        for target, seed in zip(targets, seeds, strict=True):
            if seed is None:
                continue
            tensor = OPS.asarray_or_same(seed)
            if tensor.dtype != target.dtype:
                tensor = OPS.astype(tensor, target.dtype)
            if tensor.shape != target.shape:
                tensor = OPS.broadcast_like(tensor, target)
            pairs.append((target, tensor))
        return pairs

    def _source_value(self, source: Tensor) -> Any:
        known = self._cells.get(id(source))
        if known is not None:
            return known[1]
        return self._key_value(source)

    def _eager(self, seeds: list[tuple[Tensor, Any]], sources: list[Tensor]) -> list[Any]:
        keys = [id(self._source_value(source)) for source in sources]
        known = {key for key in keys if key in self._tracked}
        pairs = [(target._value, seed) for target, seed in seeds]
        everything = len(known) == len(self._cells)  # what was watched is what is asked for
        varied = self._tracked if everything else varied_in(self._records, known)
        found = eager_gradients(self._records, pairs, varied)
        return [found.get(key) if key in known else None for key in keys]

    def _staged(
        self,
        trace: Trace,
        below: Below,
        seeds: list[tuple[Tensor, Any]],
        sources: list[Tensor],
    ) -> list[Any]:
        differentiated: Trace | None = below.traces[0] if below.traces else trace
        while differentiated is not None:
            differentiated.differentiated, differentiated = True, differentiated.parent
        values = [self._source_value(source) for source in sources]
        nodes = list(self._nodes)
        tracked = [one in self._tracked or one.node in self._nodes for one in values]
        if any(map(below.has, values)):
            follows = below.varied(list(self._tracked), nodes)
            tracked = [one or follows(v) for one, v in zip(tracked, values, strict=True)]
        known = [one for one, is_tracked in zip(values, tracked, strict=True) if is_tracked]
        varied = below.varied(known, nodes)
        gradients = Gradients()
        for target, seed in seeds:
            if self._sees(target._value):
                gradients.add(trace.value_of(target), seed)
            elif below.has(target._value):
                gradients.add(target._value, seed)
        below.sweep(gradients, varied)
        sweep(nodes, gradients, varied)
        return [
            gradients.get(one) if is_tracked else None
            for one, is_tracked in zip(values, tracked, strict=True)
        ]

    def jacobian(self, target: Tensor, source: Tensor) -> Any:
        """The gradients of every element of `target`, stacked: its shape, then that of `source`.

        The tape must be persistent, and the shape of `target` known. None where unconnected.
        """
        if not self._persistent:
            raise RuntimeError("jacobian goes back many times: use GradientTape(persistent=True)")
        rows = []
        for position in np.ndindex(*target.shape):
            seed = np.zeros(target.shape, target.dtype)
            seed[position] = 1
            rows.append(self.gradient(target, source, seed))
        if any(row is None for row in rows):
            return None
        if not rows:
            return OPS.zeros((*target.shape, *source.shape), dtype=source.dtype)
        return OPS.reshape(OPS.stack(rows), (*target.shape, *source.shape))


_ONES = {dtype: np.ones((), dtype) for dtype in FLOATS}


def _ones(target: Tensor) -> Tensor:
    value = target._value
    if STATE.interpreter is None and isinstance(value, np.ndarray):
        if not value.shape:
            return Tensor._of(_ONES[value.dtype])
        array = np.empty(value.shape, value.dtype)
        array.fill(1)
        return Tensor._of(array)
    ones: Tensor = OPS.ones_like(target)
    return ones


def _own_cell(gradient: Any) -> Any:
    """A gradient in a cell of its own: two sources may share one, or one with what was given."""
    return Tensor._of(gradient._value) if isinstance(gradient, Tensor) else gradient


def _require_float(tensor: Any, role: str) -> Tensor:
    if not isinstance(tensor, Tensor):
        raise TypeError(f"the {role} must be a tensor, not {type(tensor).__name__} {tensor!r}")
    value = tensor._value
    dtype = value.dtype if type(value) is np.ndarray else tensor.dtype
    if dtype.kind != "f":
        raise TypeError(
            f"the {role} is {describe(tensor)}, and integers and bools have no gradient; "
            "convert it with ag.astype(x, ag.float32) before it is watched or computed with"
        )
    return tensor
