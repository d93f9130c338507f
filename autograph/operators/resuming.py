"""What is emitted for the third form of generators, which goes on where it stood as staged code."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from types import FunctionType, GeneratorType
from typing import Any

from autograph.convert import do_not_convert
from autograph.effects.attempts import Clauses, attempt
from autograph.effects.choice import Choice
from autograph.effects.places import AttributePlace
from autograph.effects.sentinels import DONT_CARE
from autograph.effects.tracing import Tracing, current
from autograph.errors import StateError
from autograph.operators.branching import branch
from autograph.operators.conditions import choose
from autograph.operators.dispatch import call, call_method
from autograph.operators.iterables import Indexed, as_indexed
from autograph.operators.recipes import recipe_of, used_again
from autograph.operators.stepping import SequenceIterator, asking
from autograph.runtime.core.number import Number
from autograph.runtime.core.tensor import Tensor
from autograph.runtime.graph.trace import wrap
from autograph.runtime.ops.table import OPS

Resume = Callable[[Any], tuple[Any, Any, Any]]


class Thrown:
    """An exception that is raised where a generator goes on."""

    def __init__(self, error: BaseException) -> None:
        self.error = error


class ResumableGenerator:
    """A generator of the third form: `resume(sent)` gives whether it goes on, an item, a result."""

    _stays_inside = True
    kind = GeneratorType

    def __init__(self, resume: Resume, stops: bool) -> None:
        self.resume = resume
        self.stops = stops
        self.started: Any = False
        self.ended: Any = False
        self.left: Any = False
        self.form: Any = None

    @do_not_convert
    def __iter__(self) -> ResumableGenerator:
        return self

    @do_not_convert
    def __next__(self) -> Any:
        return self._go_on(None)

    @do_not_convert
    def send(self, value: Any) -> Any:
        """`generator.send(value)`."""

        def check() -> None:
            if value is not None:
                raise TypeError("can't send non-None value to a just-started generator")

        branch(current(), self.started, lambda: None, check)
        return self._go_on(value)

    @do_not_convert
    def throw(self, error: Any, *_: Any) -> Any:
        """`generator.throw(error)`."""
        thrown = error() if isinstance(error, type) else error

        def leave() -> Any:
            _set(self, "ended", True)
            raise thrown

        return branch(current(), self.started, lambda: self._go_on(Thrown(thrown)), leave)

    @do_not_convert
    def close(self) -> None:
        """`generator.close()`: nothing in it would see that."""
        _set(self, "ended", True)

    def _go_on(self, value: Any) -> Any:
        def stop() -> Any:
            if isinstance(value, Thrown):
                raise value.error
            raise StopIteration

        def run() -> Any:
            goes_on, item, result = self._run(value)
            return branch(current(), goes_on, lambda: item, lambda: _end(result))

        self._check()
        return branch(current(), self.ended, stop, run)

    def asked(self, value: Any) -> tuple[Any, Any, Any]:
        """Whether it goes on, the item, the result: nothing is raised where it ends."""
        self._check()
        found: tuple[Any, Any, Any] = branch(
            current(), self.ended, lambda: (False, DONT_CARE, None), lambda: self._run(value)
        )
        return found

    def _check(self) -> None:
        if "resume" not in vars(self) or self.left is not False:
            raise used_again()

    def _run(self, value: Any) -> tuple[Any, Any, Any]:
        _set(self, "started", True)
        _set(self, "ended", True)  # also where it raises
        goes_on, item, result = self._step(value)
        tracing = current()
        if tracing is None or not isinstance(goes_on, Number):
            _set(self, "ended", not goes_on)
            return goes_on, item, result
        _set(self, "ended", OPS.py_not(goes_on))
        return goes_on, item, result

    def _step(self, value: Any) -> tuple[Any, Any, Any]:
        tracing = current()
        if tracing is None:
            return self.resume(value)
        # Which tensors its items are is told as long as it is known whether it has ended.
        traces = tracing.resumption.traces
        known = not isinstance(self.ended, Number) and (not traces or traces[-1] is None)
        traces.append(None if known else tracing.region.trace)
        try:
            return self._stepped(tracing, value)
        finally:
            tracing.resumption.traces.pop()

    def _stepped(self, tracing: Tracing, value: Any) -> tuple[Any, Any, Any]:
        if not self.stops:
            return call(self.resume, value)  # type: ignore[no-any-return]

        def stopped(clause: Any, error: BaseException) -> Any:
            raise RuntimeError("generator raised StopIteration") from error

        def choose_clause(error: BaseException) -> Any:
            return 0 if isinstance(error, StopIteration) else None

        clauses = Clauses(lambda found: found, choose_clause, stopped)
        site = (self.resume.__code__, "stopped")
        found: tuple[Any, Any, Any] = attempt(
            tracing, lambda: call(self.resume, value), clauses, site
        )
        return found


def _of_its_own(tracing: Tracing, item: Any) -> Any:
    """An item that comes on some paths only: its tensors are tensors of their own."""
    if isinstance(item, Tensor):
        tracing.sealed.setdefault(id(item), "element")
        tracing.keep(item)
        made = wrap(tracing.cell_value(item))
        tracing.sealed[id(made)] = "element"
        tracing.keep(made)
        return made
    return tuple(_of_its_own(tracing, one) for one in item) if type(item) is tuple else item


def _end(result: Any) -> Any:
    if result is None:
        raise StopIteration
    raise StopIteration(result)


def _set(owner: Any, name: str, value: Any) -> None:
    tracing = current()
    place = AttributePlace(owner, name)
    if tracing is not None:
        tracing.touch(place)
    place.set(value)


# what is emitted ----------------------------------------------------------------------------------
def yielded(item: Any) -> Any:
    """An item that the generator hands out: apart from what it keeps, if on some paths only."""
    tracing = current()
    if tracing is None or tracing.resumption.traces[-1] in (None, tracing.region.trace):
        return item
    return _of_its_own(tracing, item)


def resumable(resume: Resume, stops: bool) -> Any:
    """The generator that a function of the third form makes."""
    made = ResumableGenerator(resume, stops)
    tracing = current()
    return made if tracing is None else tracing.born(made)


def received(sent: Any) -> Any:
    """The value of a `yield` where the generator goes on."""
    if isinstance(sent, Thrown):
        raise sent.error
    return sent


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
        if isinstance(sent, Thrown):
            raise StateError(
                "an exception is thrown into a generator that stands in a `yield from`, under "
                "staged conditions",
                remedy="write a for statement with a yield in the stead of the `yield from`",
            )
        return choose_each(sent, self._goes_on)

    def _goes_on(self, sent: Any) -> Any:
        if sent is None:
            return self.has_next()
        iterator = self.iterator
        if isinstance(iterator, ResumableGenerator):
            return self._asked(lambda: iterator.send(sent))
        return self._asked(lambda: call(iterator.send, sent))

    @do_not_convert
    def __next__(self) -> Any:
        return branch(current(), self.has_next(), self.take, lambda: _end(None))

    @do_not_convert
    def take(self) -> Any:
        """The item that was asked for, which nothing here holds any longer."""
        item = self.item
        _set(self, "item", DONT_CARE)
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
            _set(self, "item", item)
            _set(self, "ended_with", result)
            return goes_on

        def ask() -> Any:
            if sent is None:
                return call(next, self.iterator)
            return call(self.iterator.send, sent)

        def got(item: Any) -> bool:
            _set(self, "item", item)
            return True

        def ended(clause: Any, error: BaseException) -> bool:
            _set(self, "ended_with", call(getattr, error, "value"))
            return False

        def choose_clause(error: BaseException) -> Any:
            return 0 if isinstance(error, StopIteration) else None

        clauses = Clauses(got, choose_clause, ended)
        return attempt(tracing, ask, clauses, (Stepper, type(self.iterator)))


def items_of(tracing: Tracing, generator: ResumableGenerator, alone: bool = True) -> Any:
    """A generator of what a generator gives: its second form may end at a staged place."""
    stepper = tracing.born(Stepper(generator))
    made = asking(tracing, _while_it_goes_on, stepper)
    if alone and generator.form is not None and generator.started is generator.ended is False:
        form, arguments = generator.form.form, generator.form.arguments
        if form() is not None:
            recipe = recipe_of(tracing, made)
            assert recipe is not None
            recipe.given_form(form, arguments, generator)
    return made


@dataclass(frozen=True, slots=True, eq=False)
class SecondForm:
    """The second form of a generator that has not begun, and its arguments."""

    form: Callable[[], FunctionType | None]
    arguments: dict[str, Any]
    _keeps_identity = True


def with_form(
    made: Any,
    function: FunctionType,
    form: Callable[[], FunctionType | None],
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
) -> Any:
    """A generator of the third form that has a second form, too: that consumes it as a whole."""
    if isinstance(made, ResumableGenerator):
        bound = inspect.signature(function).bind(*args, **kwargs)
        bound.apply_defaults()
        made.form = SecondForm(form, dict(bound.arguments))
    return made


def _while_it_goes_on(iterator: Stepper) -> Any:
    while iterator.has_next():
        yield iterator.take()


def next_or_default(tracing: Tracing, generator: ResumableGenerator, default: Any) -> Any:
    """`next(generator, default)`."""
    goes_on, item, _ = generator.asked(None)
    return branch(tracing, goes_on, lambda: item, lambda: default)


def choose_each(value: Any, function: Callable[[Any], Any]) -> Any:
    """`function(value)`, of each thing that a choice may be."""
    tracing = current()
    if tracing is None or not isinstance(value, Choice):
        return function(value)
    return choose(tracing, value, function)


class Steps:
    """Goes over a sequence around a `yield`."""

    _stays_inside = True

    def __init__(self, iterator: SequenceIterator) -> None:
        self.iterator = iterator

    @do_not_convert
    def has_next(self) -> Any:
        """Whether there is an item more."""
        return call(SequenceIterator.has_next, self.iterator)

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
        _set(self, "position", after)
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
