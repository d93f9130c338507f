"""Clocks and `time.sleep`: asked each time the graph runs, in the order of the program."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

from autograph.runtime.control.host import HOST_CALL
from autograph.runtime.core.number import Number
from autograph.runtime.core.spec import PYFLOAT, PYINT, Spec
from autograph.tracing.tracing import Tracing

Model = Callable[..., Any]

CLOCKS = ("time", "perf_counter", "monotonic", "process_time", "thread_time")


class Asked:
    """A function of the module `time`, called when the graph runs."""

    def __init__(self, function: Callable[..., Any], gives: bool) -> None:
        self.function = function
        self.gives = gives

    def __call__(self, *values: Any) -> Sequence[Any]:
        result = self.function(*values)
        return (result,) if self.gives else ()


def _ask(tracing: Tracing, function: Any, results: tuple[Spec, ...], *args: Any) -> Any:
    trace = tracing.region.trace
    attributes = {"function": Asked(function, bool(results)), "results": results}
    operands = [trace.value_of(one) for one in args]
    node = trace.add_control(HOST_CALL, operands, attributes, results)
    return Number(node.outputs[0]) if results else None


def _clock(function: Any, spec: Spec) -> Model:
    def ask(tracing: Tracing) -> Any:
        return _ask(tracing, function, (spec,))

    return ask


def _sleep(tracing: Tracing, secs: Any, /) -> None:
    _ask(tracing, time.sleep, (), secs)


CLOCK_MODELS: dict[Any, Model] = {time.sleep: _sleep}
for _name in CLOCKS:
    CLOCK_MODELS[getattr(time, _name)] = _clock(getattr(time, _name), PYFLOAT)
    CLOCK_MODELS[getattr(time, f"{_name}_ns")] = _clock(getattr(time, f"{_name}_ns"), PYINT)
