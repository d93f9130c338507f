"""What a `for` or a `yield from` of a generator of the third form goes over."""

from __future__ import annotations

from typing import Any

from autograph.conversion.convert import do_not_convert
from autograph.errors import StateError
from autograph.operators.calls.dispatch import call, call_method
from autograph.operators.expressions.conditional_expression import branch
from autograph.operators.iterators.generator_recipes import recipe_of, used_again
from autograph.operators.iterators.resumable_generators import (
    ResumableGenerator,
    Thrown,
    choose_each,
    end,
    set_attribute,
)
from autograph.operators.iterators.staged_iterables import Indexed, as_indexed
from autograph.operators.iterators.stop_iteration import unless_ended
from autograph.operators.iterators.user_iterators import SequenceIterator, asking
from autograph.runtime.core.number import Number
from autograph.runtime.ops.table import OPS
from autograph.tracing.tracing import Tracing, current
from autograph.values.choice import Choice
from autograph.values.sentinels import DONT_CARE


class Stepper:
    """Goes over an iterable: `has_next()` asks for the item that `take()` gives."""

    _stays_inside = True

    def __init__(self, iterator: Any) -> None:
        self.iterator = iterator
        self.item: Any = DONT_CARE
        self.ended_with: Any = None

    @do_not_convert
    def has_next(self) -> Any:
        """Whether there is an item more, which is asked for."""
        return self._asked(None)

    @do_not_convert
    def goes_on(self, sent: Any) -> Any:
        """The same where a value is sent to the iterator."""
        return choose_each(sent, self._asked)

    @do_not_convert
    def __next__(self) -> Any:
        return branch(current(), self.has_next(), self.take, lambda: end(None))

    @do_not_convert
    def take(self) -> Any:
        """The item that was asked for, which nothing here holds any longer."""
        item = self.item
        set_attribute(self, "item", DONT_CARE)
        return item

    @do_not_convert
    def result(self) -> Any:
        """What the iterator has returned."""
        return self.ended_with

    def _asked(self, sent: Any) -> Any:
        tracing = current()
        assert tracing is not None
        if "iterator" not in vars(self):  # made on some other path only
            raise used_again()
        if isinstance(self.iterator, ResumableGenerator):
            goes_on, item, result = self.iterator.asked(sent)
            set_attribute(self, "item", item)
            set_attribute(self, "ended_with", result)
            return goes_on

        def ask() -> Any:
            if sent is None:
                return call(next, self.iterator)
            if not isinstance(sent, Thrown):
                return call(self.iterator.send, sent)
            if not hasattr(type(self.iterator), "throw"):
                raise sent.error
            raise StateError(
                "an exception is thrown into a generator that stands in a `yield from`, under "
                "staged conditions",
                remedy="write a for statement with a yield in the stead of the `yield from`",
            )

        def got(item: Any) -> bool:
            set_attribute(self, "item", item)
            return True

        def ended(error: BaseException) -> bool:
            set_attribute(self, "ended_with", call(getattr, error, "value"))
            return False

        return unless_ended(tracing, ask, got, ended, (Stepper, type(self.iterator)))


def items_of(tracing: Tracing, generator: ResumableGenerator, alone: bool = True) -> Any:
    """A generator of what a generator gives: its second form may end at a staged place."""
    stepper = tracing.born(Stepper(generator))
    made = asking(tracing, _while_it_goes_on, stepper)
    if generator.form is None or isinstance(generator.form, Choice):
        return made
    if alone and generator.started is generator.ended is False:
        form, arguments = generator.form.form, generator.form.arguments
        if form() is not None:
            recipe = recipe_of(tracing, made)
            assert recipe is not None
            recipe.given_form(form, arguments, generator)
            recipe.of_python = generator.of_python
    return made


def _while_it_goes_on(iterator: Stepper) -> Any:
    while iterator.has_next():
        yield iterator.take()


class Steps:
    """Goes over a sequence around a `yield`."""

    _stays_inside = True

    def __init__(self, iterator: SequenceIterator) -> None:
        self.iterator = iterator

    @do_not_convert
    def has_next(self) -> Any:
        """Whether there is an item more."""
        return call(type(self.iterator).has_next, self.iterator)

    @do_not_convert
    def take(self) -> Any:
        """The next item."""
        return call_method(self.iterator, "__next__")


class IndexedSteps:
    """Goes over what has an item at each index around a `yield`."""

    _stays_inside = True

    def __init__(self, items: Indexed) -> None:
        self.items = items
        self.position: Any = 0

    @do_not_convert
    def has_next(self) -> Any:
        """Whether there is an item more."""
        tracing = current()
        assert tracing is not None
        length = self.items.length(tracing)
        staged = isinstance(self.position, Number) or isinstance(length, Number)
        return OPS.py_lt(self.position, length) if staged else self.position < length

    @do_not_convert
    def take(self) -> Any:
        """The next item."""
        tracing = current()
        assert tracing is not None
        position = self.position
        after = OPS.py_add(position, 1) if isinstance(position, Number) else position + 1
        set_attribute(self, "position", after)
        return self.items.get(tracing, position)


def stepper(iterable: Any) -> Any:
    """What a `for` around a `yield` goes over."""
    tracing = current()
    assert tracing is not None
    indexed = as_indexed(tracing, iterable)
    if indexed is not None:
        return tracing.born(IndexedSteps(indexed))
    iterator = call(iter, unwrapped(tracing, iterable))
    if isinstance(iterator, SequenceIterator):
        return tracing.born(Steps(iterator))
    return tracing.born(Stepper(iterator))


def delegate(iterable: Any) -> Any:
    """What a `yield from` goes over."""
    tracing = current()
    assert tracing is not None
    return tracing.born(Stepper(call(iter, unwrapped(tracing, iterable))))


def unwrapped(tracing: Tracing, iterator: Any) -> Any:
    """The iterator of the user's behind a generator that only asks it for items."""
    recipe = recipe_of(tracing, iterator)
    if recipe is None:
        return iterator
    if recipe.source is not None:
        return recipe.source
    asked = recipe.arguments.get("iterator", iterator)
    return asked.iterator if isinstance(asked, Stepper) else asked
