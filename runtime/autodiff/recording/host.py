"""Gradients through functions of Python's: a call is recorded by a tape, which the way back asks.

A node that is differentiated gets one more result, a number by which the backward node finds what
the call left. That is kept as long as the run, or the call under an eager tape, that made it. A
second derivative calls the function again, as a function of its inputs and of the gradients.
"""

from __future__ import annotations

import itertools
import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Protocol
from weakref import WeakValueDictionary

import numpy as np

from autograph.runtime.autodiff.backward.accumulate import Gradients
from autograph.runtime.autodiff.backward.activity import differentiable, gradient_spec
from autograph.runtime.autodiff.backward.backward_pass import CONTROL_RULES, Varied
from autograph.runtime.autodiff.control.branches import current_trace, emit
from autograph.runtime.autodiff.recording.tape import GradientTape
from autograph.runtime.control.host import HOST_CALL
from autograph.runtime.core.anatomy import StagingError
from autograph.runtime.core.location import Location
from autograph.runtime.core.spec import PYINT
from autograph.runtime.core.tensor import Tensor
from autograph.runtime.graph.ir import Node, Value
from autograph.runtime.ops.table import OPS


class Host(Protocol):
    """A function that a graph calls back, and that a tape can look into."""

    def call(self, given: list[Any]) -> Sequence[Any]:
        """Its results for tensors and numbers."""
        ...

    def arrays(self, results: Sequence[Any]) -> list[Any]:
        """The results as the graph takes them."""
        ...


class Entry:
    """What one call left: the tape that saw it, its inputs and its results."""

    def __init__(self, tape: GradientTape, given: list[Any], results: Sequence[Any]) -> None:
        self.tape = tape
        self.given = given
        self.results = results


_entries: WeakValueDictionary[int, Entry] = WeakValueDictionary()
_numbers = itertools.count(1)


class _Kept(threading.local):
    entries: list[Entry] | None = None


_kept = _Kept()


@contextmanager
def keeping() -> Iterator[list[Entry]]:
    """What is recorded inside is kept as long as the list that this gives."""
    outer, _kept.entries = _kept.entries, []
    try:
        yield _kept.entries
    finally:
        _kept.entries = outer


def kept_while(run: Callable[[], Any]) -> Any:
    """`run()`; what it records is kept until it ends."""
    with keeping():
        return run()


class Recording:
    """A function whose calls are recorded; its last result is the number of the call."""

    def __init__(self, host: Host) -> None:
        self.host = host
        self._last: deque[Entry] = deque(maxlen=1000)

    def __call__(self, *values: Any) -> Sequence[Any]:
        # a program may use the memory of what it gave for other values
        given = _tensors([one.copy() if isinstance(one, np.ndarray) else one for one in values])
        with GradientTape(persistent=True) as tape:
            tape.watch([one for one in given if _is_float(one)])
            results = self.host.call(given)
        number, entry = next(_numbers), Entry(tape, given, results)
        _entries[number] = entry
        (self._last if _kept.entries is None else _kept.entries).append(entry)
        return [*self.host.arrays(results), number]


class Pull:
    """The way back: from inputs, the number of the call and gradients to those of the inputs."""

    def __init__(
        self,
        host: Host,
        wanted: list[int],
        arriving: list[int],
        count: int,
        location: Location | None,
    ) -> None:
        self.host = host
        self.location = location
        self.wanted = wanted
        self.arriving = arriving
        self.count = count
        """How many inputs there are, before the number."""

    def __call__(self, *values: Any) -> Sequence[Any]:
        entry = _entries.get(values[self.count])
        if entry is None:
            raise StagingError("what a function called back left for its gradient is released")
        seeds = _tensors(values[self.count + 1 :])
        return self.arrays(self.asked(entry.tape, entry.given, entry.results, seeds))

    def call(self, given: list[Any]) -> Sequence[Any]:
        """The same by another call, for those who look on."""
        inputs, seeds = given[: self.count], given[self.count + 1 :]
        with GradientTape(persistent=True) as tape:
            tape.watch([one for one in inputs if _is_float(one)])
            results = self.host.call(inputs)
        return self.asked(tape, inputs, results, seeds)

    def arrays(self, results: Sequence[Any]) -> list[Any]:
        """See Host."""
        return [one._value for one in results]

    def asked(
        self, tape: GradientTape, given: list[Any], results: Sequence[Any], seeds: list[Any]
    ) -> list[Any]:
        """The gradients of the wanted inputs. StagingError where a Variable should have one."""
        sources = [given[k] for k in self.wanted]
        variables = [one for one in tape.watched_variables() if all(one is not s for s in given)]
        pairs = [(results[j], seed) for j, seed in zip(self.arriving, seeds, strict=True)]
        pairs = [(one, seed) for one, seed in pairs if _is_float(one)]
        if not pairs:
            return [OPS.zeros_like(one) for one in sources]
        targets, seeds = [one for one, _ in pairs], [seed for _, seed in pairs]
        if variables and any(one is not None for one in tape.gradient(targets, variables, seeds)):
            raise StagingError(
                "a gradient goes through a function called by py_function, which reads trainable "
                f"Variables ({', '.join(str(getattr(one, 'name', None)) for one in variables)})",
                location=self.location,
                remedy="give them to it in the inputs: ag.py_function(f, [x, w], spec)",
            )
        found: list[Any] = tape.gradient(targets, sources, seeds, unconnected_gradients="zero")
        return found


def _tensors(values: Sequence[Any]) -> list[Any]:
    return [Tensor._of(one) if isinstance(one, np.ndarray) else one for one in values]


def _is_float(item: Any) -> bool:
    return isinstance(item, Tensor) and item.dtype.kind == "f"


def host_gradient(node: Node, gradients: Gradients, varied: Varied) -> None:
    """Ask the tape that saw the call."""
    trace = current_trace()
    function: Callable[..., Any] = node.attributes["function"]
    recording = isinstance(function, Recording)
    inputs = list(node.inputs)
    wanted = [k for k, one in enumerate(inputs) if differentiable(one.spec) and varied(one)]
    outputs = node.outputs[:-1] if recording else list(node.outputs)
    arriving = [j for j, value in enumerate(outputs) if gradients.get(value) is not None]
    if not wanted or not arriving:
        return
    if not isinstance(function, Recording):
        if not hasattr(function, "call"):
            raise StagingError("a gradient goes through a function that is called back")
        function = Recording(function)  # type: ignore[arg-type]
        specs = tuple(value.spec for value in node.outputs)
        node.attributes.update(function=function, results=(*specs, PYINT))
        node.outputs.append(Value(PYINT, node.outputs[0].graph, node, "call"))
    pull = Pull(function.host, wanted, arriving, len(inputs), node.location)
    seeds = [gradients.get(outputs[j]) for j in arriving]
    operands = [trace.value_of(one) for one in (*inputs, node.outputs[-1], *seeds)]
    specs = tuple(gradient_spec(inputs[k].spec) for k in wanted)
    attributes = {"function": pull, "results": specs}
    for k, found in zip(wanted, emit(trace, HOST_CALL, operands, attributes, specs, node, None)):
        gradients.add(inputs[k], found)


CONTROL_RULES.update(host_call=host_gradient)
