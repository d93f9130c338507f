"""The consumer of a generator's second form: the body of the loop over the generator."""

from __future__ import annotations

import sys
import traceback
import types
from collections.abc import Callable
from typing import Any

from autograph.control.attempts import Clauses
from autograph.control.attempts import attempt as attempt_body
from autograph.control.raising import PassingBy
from autograph.errors import StagingError
from autograph.operators.calls.dispatch import call, call_function
from autograph.operators.expressions.truth import choose, condition
from autograph.operators.iterators.generator_recipes import (
    PART,
    WHOLE,
    Recipe,
    attempt,
    executing,
    fresh_recipe,
    use,
)
from autograph.operators.iterators.stop_iteration import as_generator
from autograph.operators.statements.completion_codes import BREAK, COMPLETED, CONTINUE, EXIT
from autograph.operators.statements.if_and_while import Body, Locals
from autograph.runtime.core.location import is_ours, user_location
from autograph.runtime.core.number import Number
from autograph.runtime.ops.table import OPS
from autograph.tracing.places import AttributePlace
from autograph.tracing.tracing import Tracing
from autograph.values.choice import Choice
from autograph.values.sentinels import UNSET


class Abandoned(PassingBy):
    """Carries what a consumer raised past the handlers of the generator, which do not see it."""

    def __init__(self, consumer: Consumer, error: BaseException) -> None:
        super().__init__("a consumer raised")
        self.consumer = consumer
        self.error = error


class Consumer:
    """Takes the items; `left` tells whether it wants no more, `code` how its body ended then."""

    __slots__ = (
        "around", "body", "code", "error", "executing", "failure", "guarded", "left", "line",
        "local", "trace", "traceback", "tracing",
    )  # fmt: skip
    _keeps_identity = True

    def __init__(self, tracing: Tracing, local: Locals, body: Body) -> None:
        self.tracing = tracing
        self.local = local
        self.body = body
        self.trace = tracing.region.trace
        self.around = tracing.forgotten
        self.executing = tracing.resumption.executing
        self.code: Any = EXIT
        self.left: Any = False
        self.guarded = 0
        self.error: BaseException | None = None
        self.traceback: types.TracebackType | None = None
        self.failure: Any = None
        self.line = 0
        if is_ours(body.__code__.co_filename):  # what it raises comes from the line of the call
            self.line = tracing.origins.number(user_location())

    def take(self, item: Any, handled: bool = False) -> Any:
        """Run the body with an item; whether the consumer leaves.

        `handled`: a handler of the generator stands around, which must not see what is raised.
        """
        tracing, resumption = self.tracing, self.tracing.resumption
        outer, tracing.forgotten = tracing.forgotten, self.around
        executing, resumption.executing = resumption.executing, self.executing
        # A StopIteration would be the generator's own, anyway.
        hidden = Exception if handled or self.guarded else StopIteration
        site = (self.body.__code__, Consumer, hidden)

        def choose_clause(error: BaseException) -> Any:
            return 0 if isinstance(error, hidden) and site in tracing.staged_attempts else None

        clauses = Clauses(
            self._leaves,
            choose_clause,
            lambda clause, error: self._fails(error),
            only=None if hidden is Exception else hidden,
        )
        try:
            return attempt_body(tracing, lambda: self._run(item), clauses, site)
        except StagingError:
            raise
        except Exception as error:
            self._keep(error)
            if not isinstance(error, hidden):
                raise
            if tracing.region.trace is not self.trace:
                return self._fails(error)
            raise Abandoned(self, error) from None
        finally:
            tracing.forgotten, resumption.executing = outer, executing

    def _keep(self, error: Exception) -> None:
        """Remember what the body raises, and where: no frame of the generator has a part in it."""
        self.error, self.traceback = error, error.__traceback__
        frames = traceback.walk_tb(error.__traceback__)
        if self.line and all(is_ours(frame.f_code.co_filename) for frame, _ in frames):
            self.tracing.keep(error)
            self.tracing.origins.note(error, self.line)

    def _run(self, item: Any) -> Any:
        return self.local.run(self.body, item)

    def _fails(self, error: BaseException) -> bool:
        """The body raises under a staged condition: it leaves, and that is raised after it."""
        self._note(True, EXIT)
        self._set("failure", error)
        return True

    def _leaves(self, code: Any) -> Any:
        if not isinstance(code, Number):
            if code in (COMPLETED, CONTINUE):
                return False
            self._note(True, code)
            return True
        stays = OPS.py_or(OPS.py_eq(code, COMPLETED), OPS.py_eq(code, CONTINUE))
        leaves = OPS.py_not(stays)
        self._note(leaves, OPS.py_add(OPS.py_mul(leaves, code), OPS.py_mul(stays, EXIT)))
        return leaves

    def _note(self, left: Any, code: Any) -> None:
        self._set("left", left)
        self._set("code", code)

    def _set(self, name: str, value: Any) -> None:
        place = AttributePlace(self, name)
        self.tracing.touch(place)
        place.set(value)

    def raise_failure(self) -> None:
        """Raise what the body raised under a staged condition, if it did."""
        if isinstance(self.failure, Choice):
            choose(self.tracing, self.failure, _raise_if_any)
        else:
            _raise_if_any(self.failure)


def _raise_if_any(error: BaseException | None) -> None:
    if error is not None:
        raise error


def run_inlined(tracing: Tracing, recipe: Recipe, consumer: Consumer) -> Any:
    """Run the second form of a generator; gives what the generator returns."""
    inlined = recipe.inlined
    assert inlined is not None
    use(tracing, recipe, PART)

    def run() -> Any:
        return call_function(tracing, inlined, (), recipe.arguments_with(consumer))

    generator = recipe if recipe.source is None else recipe.source
    try:
        with executing(tracing, generator):
            result = as_generator(tracing, run, inlined.__code__)
    except StagingError:
        raise
    except Exception as error:
        if error is not consumer.error and not recipe.of_python:
            use(tracing, recipe, WHOLE)
        raise
    if consumer.left is False:
        use(tracing, recipe, WHOLE)
    return result


def consume(tracing: Tracing, local: Locals, recipe: Recipe, body: Body) -> Any:
    """The loop over a generator by its second form; gives the completion code of the loop."""
    consumer = Consumer(tracing, local, body)
    tracing.born(consumer)
    tracing.forgotten = (*tracing.forgotten, *local.own_dead)
    raised: BaseException | None = None
    try:
        run_inlined(tracing, recipe, consumer)
    except Abandoned as error:
        if error.consumer is not consumer:
            raise
        raised = error.error
    except Exception as error:
        if error is not consumer.error:
            raise
        raised = error
    finally:
        tracing.forgotten = consumer.around
    if raised is not None:
        raise raised.with_traceback(consumer.traceback)
    consumer.raise_failure()
    return consumer.code


# consumers that are not loops ---------------------------------------------------------------------
def over_items(tracing: Tracing, iterable: Any, action: Callable[[Any], Any]) -> Any:
    """`action(iterable)`; of a list of the items where a generator cannot give them one by one."""
    recipe = fresh_recipe(tracing, iterable)
    if recipe is None:
        return action(iterable)
    return attempt(
        tracing,
        lambda: action(iterable),
        lambda: action(inlined_items(tracing, recipe)),
    )


def inlined_items(tracing: Tracing, recipe: Recipe) -> list[Any]:
    """The items of a generator, by its second form; the list may be one of staged length."""
    items: list[Any] = tracing.born([])
    tracing.keeper.tell_apart(items, "items of a generator")

    def body(item: Any) -> None:
        call(items.append, item)

    local = Locals(tracing, (body,), (), sys._getframe())
    consume(tracing, local, recipe, body)
    return items


def inlined_fold(
    tracing: Tracing, recipe: Recipe, start: Any, step: Callable[[Any, Any], Any]
) -> Any:
    """`step(step(start, item), item) …` over the items of a generator, by its second form."""
    total = start

    def held() -> Any:
        try:
            return total
        except NameError:
            return UNSET  # a variable that was put back to that is empty

    def body(item: Any) -> None:
        nonlocal total
        total = step(held(), item)

    local = Locals(tracing, (body,), ("total",), sys._getframe())
    consume(tracing, local, recipe, body)
    return held()


def inlined_first(tracing: Tracing, recipe: Recipe) -> Any:
    """The first item of a generator, by its second form; UNSET where there is none."""
    found: Any = UNSET

    def body(item: Any) -> Any:
        nonlocal found
        found = item
        return BREAK

    local = Locals(tracing, (body,), ("found",), sys._getframe())
    consume(tracing, local, recipe, body)
    return found


def inlined_search(tracing: Tracing, recipe: Recipe, wanted: bool) -> Any:
    """Whether the truth of some item of a generator is `wanted`, by its second form."""
    found: Any = not wanted

    def body(item: Any) -> Any:
        nonlocal found
        found = condition(tracing, item)
        if isinstance(found, bool):
            return BREAK if found is wanted else COMPLETED
        return OPS.py_mul(found if wanted else OPS.py_not(found), BREAK)

    local = Locals(tracing, (body,), ("found",), sys._getframe())
    consume(tracing, local, recipe, body)
    return found
