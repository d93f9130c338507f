"""What is emitted for generators: statements around `yield`, `yield from`, the second form."""

from __future__ import annotations

import types
from collections.abc import Iterable, Iterator
from types import GeneratorType, TracebackType
from typing import Any

from autograph.errors import ShapeError, StagingError, TracingSignal
from autograph.operators.calls.dispatch import call_method, special_method
from autograph.operators.expressions.truth import choose, condition
from autograph.operators.iterators.generator_consumers import Consumer, run_inlined
from autograph.operators.iterators.generator_recipes import around_yield, fresh_recipe
from autograph.operators.iterators.plain_iteration import (
    advance,
    is_enumeration,
    iterate,
    lazily,
    opened,
)
from autograph.operators.statements.completion_codes import BREAK
from autograph.operators.statements.loops import for_stmt
from autograph.operators.statements.uncaught import refuse_raising
from autograph.runtime.core.number import Number
from autograph.runtime.core.tensor import Tensor, no_iteration
from autograph.runtime.ops.table import OPS
from autograph.tracing.places import AttributePlace
from autograph.tracing.tracing import Tracing, current
from autograph.values.choice import Choice


# statements around a `yield` ----------------------------------------------------------------------
def known(test: Any) -> bool:
    """The truth of a condition around a `yield`, which must be known while tracing."""
    tracing = current()
    if tracing is None:
        return bool(test)
    flag = condition(tracing, test)
    if isinstance(flag, Number):
        raise around_yield("a condition")
    return flag


def each(iterable: Any) -> Iterable[Any]:
    """What a `for` around a `yield`, or a `yield from`, goes over."""
    try:
        return lazily(iterable)
    except ShapeError as error:
        raise around_yield("the length of what is gone over") from error


def iterator(iterable: Any) -> Any:
    """The first iterable of a generator expression, whose iterator Python makes at once."""
    if current() is None:
        return iter(iterable)
    if isinstance(iterable, Tensor) and not iterable.shape:
        raise no_iteration(iterable)
    if _is_ours(type(iterable)) or is_enumeration(iterable):
        return iterable
    own = special_method(type(iterable), "__iter__")
    if isinstance(own, types.FunctionType):
        return call_method(iterable, "__iter__")
    if own is None and special_method(type(iterable), "__getitem__") is None:
        iter(iterable)  # raises Python's own error
    return iterable


def _is_ours(kind: type) -> bool:
    return kind.__module__.split(".")[0] == "autograph"


class suspending:
    """Around the body of a `try` that holds a `yield`: its own staged code must not raise.

    What the consumer does while the generator is suspended does not count.
    """

    def __init__(self) -> None:
        self.nodes: list[Any] = []
        self.start = 0
        self.runs = False

    def __enter__(self) -> suspending:
        self.begin()
        return self

    def begin(self) -> None:
        """A piece of the generator's own code starts here."""
        tracing = current()
        if tracing is not None:
            self.nodes = tracing.region.trace.graph.nodes
            self.start = len(self.nodes)
            self.runs = True

    def end(self) -> None:
        """The piece ends here."""
        if current() is not None and self.runs:
            self.runs = False
            refuse_raising(self.nodes[self.start :], "try")

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if kind is None or not issubclass(kind, (StagingError, TracingSignal)):
            self.end()  # what stands before a plain exception might have raised first


def suspended(piece: suspending, item: Any) -> Any:
    """`item`, about to be yielded."""
    piece.end()
    return item


def resumed(piece: suspending, sent: Any) -> Any:
    """`sent`, what a `yield` gives when the generator goes on."""
    piece.begin()
    return sent


# the second form ----------------------------------------------------------------------------------
def consumed(consumer: Consumer, item: Any, handled: bool = False) -> Any:
    """Hand an item to the consumer; whether it leaves."""
    return consumer.take(item, handled)


def delegated(consumer: Consumer, iterable: Any, handled: bool = False) -> tuple[Any, Any]:
    """`yield from iterable`: whether the consumer leaves, and the value of the expression."""
    tracing = consumer.tracing
    if isinstance(iterable, Choice):
        found: tuple[Any, Any] = choose(
            tracing, iterable, lambda one: delegated(consumer, one, handled)
        )
        return found
    if not _is_ours(type(iterable)):
        iterable = opened(iterable)  # `__iter__` may be a generator that asks itself: recursion
    recipe = fresh_recipe(tracing, iterable)
    consumer.guarded += handled
    try:
        if recipe is None:
            return _one_by_one(consumer, iterable)
        value = run_inlined(tracing, recipe, consumer)
    finally:
        consumer.guarded -= handled
    return AttributePlace(consumer, "left").get(), value


def _one_by_one(consumer: Consumer, iterable: Any) -> tuple[Any, Any]:
    tracing = consumer.tracing
    returned: list[Any] = []
    if isinstance(iterable, GeneratorType):
        iterable = tracing.born(_with_result(iterate(iterable), returned))

    def body(item: Any) -> Any:
        leaves = consumer.take(item)
        return OPS.py_mul(leaves, BREAK) if isinstance(leaves, Number) else BREAK * leaves

    for_stmt(iterable, body, None, ())
    return consumer.left, returned[0] if returned else None


def _with_result(generator: Any, returned: list[Any]) -> Iterator[Any]:
    """The items of a generator; what it returns at last goes into a list."""
    returned.append((yield from generator))


# its methods --------------------------------------------------------------------------------------
def generator_method(tracing: Tracing, generator: Any, name: str, args: tuple[Any, ...]) -> Any:
    """`generator.send(value)` and the like."""
    return getattr(advance(tracing, generator), name)(*args)
