"""Calls back into Python from a graph: print, and functions that are not converted."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from autograph.runtime.core.record import NOT_DIFFERENTIABLE, Control, Effect, Op
from autograph.runtime.core.spec import AnySpec


def _infer(
    *inputs: AnySpec, function: Callable[..., Any], results: tuple[AnySpec, ...] = ()
) -> tuple[AnySpec, ...]:
    return results


def _reference(
    *inputs: Any, function: Callable[..., Any], results: tuple[AnySpec, ...] = ()
) -> tuple[Any, ...]:
    given: tuple[Any, ...] = tuple(function(*inputs))
    return given


HOST_CALL = Op(
    name="host_call",
    summary="Calls a Python function with the inputs; it gives a sequence of `results`.",
    infer=_infer,
    reference=_reference,
    gradient=NOT_DIFFERENTIABLE,
    lowering=Control(),
    effect=Effect.CALLS_BACK,
    variadic=True,
)
"""Inputs arrive as `evaluate` has them: arrays, Python numbers, ListValues; so do the results."""
