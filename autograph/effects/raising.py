"""Exceptions of staged branches: raised when the graph runs, as eager Python would."""

from __future__ import annotations

import copy
import traceback
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from autograph.effects.coercing import Coercer, leaf_specs
from autograph.effects.freezing import Freezer
from autograph.effects.results import Concrete
from autograph.effects.skeleton import Cell, Choices, Group, Leaf, Made, Skeleton
from autograph.effects.tracing import Tracing
from autograph.runtime.control.records import RAISE
from autograph.runtime.core.location import Location, user_location
from autograph.runtime.core.record import DynamicInt
from autograph.runtime.core.spec import AnySpec
from autograph.runtime.graph.ir import Value
from autograph.runtime.graph.trace import Trace
from autograph.tracebacks import full_tracebacks


class ExceptionFactory:
    """Makes the exception anew for each raise; staged parts of its arguments are filled in."""

    def __init__(self, error: Exception, arguments: Skeleton | None) -> None:
        self.error = error
        self.arguments = arguments
        self.cause: BaseException | None = error.__cause__
        if full_tracebacks():
            self.cause = copy.copy(error).with_traceback(error.__traceback__)

    def __call__(self, *values: Any) -> Exception:
        fresh = copied(self.error)
        if self.arguments is not None:
            fresh.args = Concrete(iter(values)).thaw(self.arguments)
        fresh.__cause__ = self.cause
        return fresh.with_traceback(None)

    def __repr__(self) -> str:
        return repr(self.error)


def copied(error: Exception) -> Exception:
    """An exception like this one; its `__init__` may want other arguments than it kept."""
    try:
        fresh = copy.copy(error)
    except TypeError:
        kind = type(error)
        fresh = kind.__new__(kind, *error.args)
        fresh.__dict__.update(error.__dict__)
    fresh.args = error.args
    return fresh


class DeadEnd(ExceptionFactory):
    """Stands behind a branch all of whose paths raise; it is never reached."""

    def __init__(self) -> None:
        super().__init__(RuntimeError("unreachable"), None)


def freeze_error(tracing: Tracing, error: Exception) -> Skeleton:
    """The arguments of an exception as a skeleton, in the region where it was raised."""
    frozen = by_value(Freezer(tracing, tracing.region).freeze(tuple(error.args)))
    assert isinstance(frozen, Group)
    return frozen


def by_value(frozen: Skeleton) -> Skeleton:
    """A frozen value in which a cell from before is a tensor of its own, with what it held."""
    match frozen:
        case Cell(spec=spec, value=value):
            return Leaf(spec, value)
        case Group(items=items) | Made(items=items):
            return replace(frozen, items=tuple(map(by_value, items)))
        case Choices(options=options):
            return replace(frozen, options=tuple(map(by_value, options)))
    return frozen


def emit_raise(
    trace: Trace,
    error: Exception | None,
    arguments: Skeleton | None,
    specs: Sequence[AnySpec],
) -> list[Value]:
    """A node that raises; gives values of `specs` that never come to be."""
    operands: list[Value] = []
    factory: ExceptionFactory = DeadEnd()
    location = None
    if error is not None:
        staged = arguments if arguments is not None and leaf_specs(arguments) else None
        location = user_line(error)
        factory = ExceptionFactory(error, staged)
        if staged is not None:
            operands = Coercer(trace).coerce(staged, staged)
    attributes = {
        "exception": factory,
        "arguments": tuple(DynamicInt(number) for number in range(len(operands))),
        "results": tuple(specs),
    }
    node = trace.add_node(RAISE, operands, attributes, specs)
    if location is not None:
        node.location = location
    return list(node.outputs)


def user_line(error: BaseException) -> Location | None:
    """The innermost line of the user's own code in the traceback of `error`, with its callers."""
    walked = traceback.walk_tb(error.__traceback__)
    return user_location([(frame.f_code, line) for frame, line in walked])
