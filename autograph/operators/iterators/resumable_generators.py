"""What is emitted for the third form of generators, which goes on where it stood as staged code."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from types import FunctionType, GeneratorType
from typing import Any

from autograph.conversion.convert import do_not_convert
from autograph.merge.iterator_makers import Making
from autograph.operators.calls.dispatch import call
from autograph.operators.expressions.conditional_expression import branch
from autograph.operators.expressions.truth import choose
from autograph.operators.iterators.generator_recipes import (
    executing,
    parameter_names,
    refuse_running,
    used_again,
)
from autograph.operators.iterators.stop_iteration import as_generator
from autograph.runtime.core.number import Number
from autograph.runtime.core.tensor import Tensor
from autograph.runtime.graph.trace import wrap
from autograph.runtime.ops.table import OPS
from autograph.tracing.places import AttributePlace
from autograph.tracing.tracing import Tracing, current
from autograph.values.choice import Choice
from autograph.values.sentinels import DONT_CARE

Resume = Callable[[Any], tuple[Any, Any, Any]]


class Thrown:
    """An exception that is raised where a generator goes on."""

    def __init__(self, error: BaseException) -> None:
        self.error = error


class ResumableGenerator:
    """A generator of the third form: `resume(sent)` gives whether it goes on, an item, a result."""

    _stays_inside = True
    kind = GeneratorType

    def __init__(self, resume: Resume) -> None:
        self.resume = resume
        self.started: Any = False
        self.ended: Any = False
        self.left: Any = False
        self.of_python = False
        self.is_endless = False
        """Whether it stands for an iterator of Python's own, which an exception does not end."""
        self.form: Any = None

    def _making(self, making: Making | None) -> Making | None:
        """How it is made, as long as nothing was asked of it."""
        return making if self.started is False else None

    @do_not_convert
    def __iter__(self) -> ResumableGenerator:
        return self

    @do_not_convert
    def __next__(self) -> Any:
        return self._go_on(None)

    @do_not_convert
    def send(self, value: Any) -> Any:
        """`generator.send(value)`."""

        def check(one: Any) -> None:
            if one is not None:
                raise TypeError("can't send non-None value to a just-started generator")

        branch(current(), self.started, lambda: None, lambda: choose_each(value, check))
        return self._go_on(value)

    @do_not_convert
    def throw(self, kind: Any, value: Any = None, trace: Any = None) -> Any:
        """`generator.throw(error)`, also by its class and what it is called with."""
        thrown = _made(kind, value)

        def leave() -> Any:
            self.close()
            raise thrown

        return branch(current(), self.started, lambda: self._go_on(Thrown(thrown)), leave)

    @do_not_convert
    def close(self) -> None:
        """`generator.close()`: nothing in it would see that."""
        self._check()
        set_attribute(self, "started", True)
        set_attribute(self, "ended", True)

    def _go_on(self, value: Any) -> Any:
        def stop() -> Any:
            if isinstance(value, Thrown):
                raise value.error
            raise StopIteration

        def run() -> Any:
            goes_on, item, result = self._run(value)
            return branch(current(), goes_on, lambda: item, lambda: end(result))

        self._check()
        return branch(current(), self.ended, stop, run)

    def asked(self, value: Any) -> tuple[Any, Any, Any]:
        """Whether it goes on, the item, the result: nothing is raised where it ends."""

        def over() -> tuple[Any, Any, Any]:
            if isinstance(value, Thrown):
                raise value.error
            return False, DONT_CARE, None

        self._check()
        found: tuple[Any, Any, Any] = branch(current(), self.ended, over, lambda: self._run(value))
        return found

    def _check(self) -> None:
        if "resume" not in vars(self) or self.left is not False:
            raise used_again()
        tracing = current()
        if tracing is not None:
            refuse_running(tracing, self)

    def _run(self, value: Any) -> tuple[Any, Any, Any]:
        set_attribute(self, "started", True)
        set_attribute(self, "ended", True)  # also where it raises
        if self.of_python:
            set_attribute(self, "left", True)
        goes_on, item, result = self._step(value)
        if self.of_python:
            set_attribute(self, "left", False)
        tracing = current()
        if tracing is None or not isinstance(goes_on, Number):
            set_attribute(self, "ended", not goes_on)
            return goes_on, item, result
        set_attribute(self, "ended", OPS.py_not(goes_on))
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
            with executing(tracing, self):
                found: tuple[Any, Any, Any] = as_generator(
                    tracing, lambda: call(self.resume, value), ResumableGenerator
                )
            return found
        finally:
            traces.pop()


def _made(kind: Any, value: Any) -> BaseException:
    """The exception that `throw(kind, value)` throws."""
    if isinstance(kind, type) and issubclass(kind, BaseException):
        if isinstance(value, kind):
            return value
        given = () if value is None else value if isinstance(value, tuple) else (value,)
        made: BaseException = call(kind, *given)
        return made
    if not isinstance(kind, BaseException):
        name = type(kind).__name__
        raise TypeError(
            f"exceptions must be classes or instances deriving from BaseException, not {name}"
        )
    if value is not None:
        raise TypeError("instance exception may not have a separate value")
    return kind


def _of_its_own(tracing: Tracing, item: Any) -> Any:
    """An item that comes on some paths only: its tensors are tensors of their own."""
    if isinstance(item, Tensor):
        tracing.sealed.setdefault(id(item), "element")
        tracing.keep(item)
        made = wrap(tracing.cell_value(item))
        tracing.sealed[id(made)] = "element"
        tracing.put.append(item)
        tracing.taken.add(id(made))
        tracing.keep(made)
        return made
    return tuple(_of_its_own(tracing, one) for one in item) if type(item) is tuple else item


def end(result: Any) -> Any:
    if result is None:
        raise StopIteration
    raise StopIteration(result)


def set_attribute(owner: Any, name: str, value: Any) -> None:
    tracing = current()
    place = AttributePlace(owner, name)
    if tracing is not None:
        tracing.touch(place)
    place.set(value)


def choose_each(value: Any, function: Callable[[Any], Any]) -> Any:
    """`function(value)`, of each thing that a choice may be."""
    tracing = current()
    if tracing is None or not isinstance(value, Choice):
        return function(value)
    return choose(tracing, value, function)


# what is emitted ----------------------------------------------------------------------------------
def yielded(item: Any) -> Any:
    """An item that the generator hands out: apart from what it keeps, if on some paths only."""
    tracing = current()
    if tracing is None or tracing.resumption.traces[-1] in (None, tracing.region.trace):
        return item
    return _of_its_own(tracing, item)


def resumable(resume: Resume) -> Any:
    """The generator that a function of the third form makes."""
    made = ResumableGenerator(resume)
    tracing = current()
    return made if tracing is None else tracing.born(made)


def received(sent: Any) -> Any:
    """The value of a `yield` where the generator goes on."""
    if isinstance(sent, Thrown):
        raise sent.error
    return sent


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
        # Not the parameters of a function that `functools.wraps` names.
        bound = inspect.signature(function, follow_wrapped=False).bind(*args, **kwargs)
        bound.apply_defaults()
        tracing = current()
        if tracing is not None and function.__code__.co_flags & inspect.CO_VARKEYWORDS:
            tracing.born(bound.arguments[parameter_names(function.__code__)[-1]])
        made.form = SecondForm(form, dict(bound.arguments))
    return made


def next_or_default(tracing: Tracing, generator: ResumableGenerator, default: Any) -> Any:
    """`next(generator, default)`."""
    goes_on, item, _ = generator.asked(None)
    return branch(tracing, goes_on, lambda: item, lambda: default)
