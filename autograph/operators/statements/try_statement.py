"""What an emitted `try` means. Its handlers are found by class while tracing, and run as staged."""

from __future__ import annotations

import functools
import sys
import threading
from collections.abc import Callable, Collection, Sequence
from typing import Any

from autograph.control.attempts import AT_RUN_TIME, Clauses, attempt
from autograph.control.raising import attempts_around, copied
from autograph.operators.calls.dispatch import call
from autograph.operators.expressions.truth import choose, condition
from autograph.operators.statements.completion_codes import COMPLETED
from autograph.operators.statements.if_and_while import Body, Locals, equals
from autograph.runtime.core.number import Number
from autograph.runtime.ops.table import OPS
from autograph.tracing.places import CellPlace, Key, NamePlace, Place
from autograph.tracing.tracing import Tracing, current
from autograph.values.choice import Choice
from autograph.values.sentinels import UNSET

Handler = tuple[Callable[[], Any] | None, Body, str | None]
"""The class (None for any), the body, and the variable of `as`, which the body is called with."""


def try_stmt(
    body: Body,
    handlers: Sequence[Handler],
    orelse: Body | None,
    last: Body | None,
    names: Sequence[str],
) -> Any:
    """`try: body() except ...: handler(error) else: orelse() finally: last()`; gives the code."""
    tracing = current()
    if tracing is None:
        return _plain(body, handlers, orelse, last)
    bodies = (
        body,
        orelse,
        last,
        *(part for kind, handler, _ in handlers for part in (kind, handler)),
    )
    local = Locals(tracing, bodies, names, sys._getframe(1))
    return _Try(tracing, local, body, handlers, orelse, last).run()


def _plain(body: Body, handlers: Sequence[Handler], orelse: Body | None, last: Body | None) -> Any:
    """Python's own meaning. A code that `finally` gives replaces what was on its way."""
    if last is None:
        return _plain_handled(body, handlers, orelse)
    try:
        code = _plain_handled(body, handlers, orelse)
    except BaseException:
        code = last()
        if code is None:
            raise
        return code
    final = last()
    return code if final is None else final


def _plain_handled(body: Body, handlers: Sequence[Handler], orelse: Body | None) -> Any:
    try:
        code = body()
    except BaseException as error:
        number = matching(handlers, error)
        if number is None:
            raise
        _, handler, name = handlers[number]
        if name is None:
            return handler()
        try:
            return handler(error)
        finally:
            bound_variable(handler, name).set(UNSET)
    if code is None and orelse is not None:
        return orelse()
    return code


def matching(handlers: Sequence[Handler], error: BaseException) -> int | None:
    """The number of the handler for an exception."""
    for number, (kind, _, _) in enumerate(handlers):
        if kind is None or catches(kind(), error):
            return number
    return None


def catches(kinds: Any, error: BaseException) -> bool:
    """Whether an `except` with these classes takes an exception, by its class as Python does."""
    kinds = kinds if isinstance(kinds, tuple) else (kinds,)
    for one in kinds:
        if not (isinstance(one, type) and issubclass(one, BaseException)):
            raise TypeError(
                "catching classes that do not inherit from BaseException is not allowed"
            )
    return any(one in type(error).__mro__ for one in kinds)


def bound_variable(handler: Body, name: str) -> Place:
    """The variable of an `except ... as`: one of the function around, or a global."""
    code = handler.__code__
    if name in code.co_freevars:
        assert handler.__closure__ is not None
        return CellPlace(handler.__closure__[code.co_freevars.index(name)], name)
    return NamePlace(handler.__globals__, name)


class _Causes(threading.local):
    """The cause of what this thread raises next, between two operators of one statement."""

    cause: Any = None


_CAUSES = _Causes()


def exception(value: Any, cause: Any = UNSET) -> Any:
    """What is raised: one of several exceptions, causes or classes is raised here, on its path."""
    tracing = current()
    if tracing is not None and (isinstance(value, Choice) or isinstance(cause, Choice)):
        return _raised(tracing, value, cause)
    _CAUSES.cause = cause
    if tracing is not None and isinstance(value, type) and issubclass(value, BaseException):
        return value if issubclass(value, Exception) else call(value)
    return value


def cause() -> Any:
    """The cause that `exception` was given just now."""
    found, _CAUSES.cause = _CAUSES.cause, None
    return found


def _raised(tracing: Tracing, value: Any, cause: Any) -> Any:
    if isinstance(value, Choice):
        return choose(tracing, value, lambda one: _raised(tracing, one, cause))
    if isinstance(cause, Choice):
        own = isinstance(value, BaseException)  # each path has one, with its cause
        return choose(
            tracing, cause, lambda one: _raised(tracing, copied(value) if own else value, one)
        )
    if cause is UNSET:
        raise value
    raise value from cause


class _Try:
    """One `try` statement while tracing."""

    def __init__(
        self,
        tracing: Tracing,
        local: Locals,
        body: Body,
        handlers: Sequence[Handler],
        orelse: Body | None,
        last: Body | None,
    ) -> None:
        self.tracing = tracing
        self.local = local
        self.body = body
        self.handlers = handlers
        self.orelse = orelse
        self.last = last

    def run(self) -> Any:
        """The statement; gives its code."""
        if self.last is None:
            return self._handled()
        clauses = Clauses(self._finish, lambda error: 0, self._finish_raising, everything=True)
        return self._attempt(self._handled, clauses, self.last)

    def _attempt(self, run: Callable[[], Any], clauses: Clauses, body: Body) -> Any:
        return attempt(self.tracing, run, clauses, body.__code__, self._forgotten())

    def _forgotten(self) -> Collection[Key]:
        return {place.key for place in self.local.stored_dead()}

    # except -----------------------------------------------------------------------------------
    def _handled(self) -> Any:
        if not self.handlers and self.orelse is None:
            return self.local.run(self.body)
        clauses = Clauses(self._otherwise, self._clause, self._handle)
        return self._attempt(lambda: self.local.run(self.body), clauses, self.body)

    def _otherwise(self, code: Any) -> Any:
        if self.orelse is None:
            return code
        return following(self.tracing, self.local, code, lambda: self.local.run(self.orelse))

    def _clause(self, error: BaseException) -> Any:
        """The number of the handler; AT_RUN_TIME where a class is staged."""
        for number, (kind, _, _) in enumerate(self.handlers):
            if kind is None:
                return number
            found = while_handling(error, functools.partial(self.local.run, kind))
            if any(isinstance(one, Choice) for one in (found, *_items(found))):
                return AT_RUN_TIME
            if catches(found, error):
                return number
        return None

    def _find(self, error: BaseException, start: int = 0) -> Any:
        """Compare the classes when the graph runs."""
        for number, (kind, _, _) in enumerate(self.handlers[start:], start):
            run = functools.partial(self.local.run, kind)
            taken = kind is None or self._catches(while_handling(error, run), error)
            if isinstance(taken, Number):
                ways = [
                    functools.partial(self._find, error, number + 1),
                    functools.partial(self._handle, number, error),
                ]
                return self.local.switch(taken, ways)
            if taken:
                return self._handle(number, error)
        raise error

    def _catches(self, kinds: Any, error: BaseException) -> bool | Number:
        """Whether an exception is of one of some classes, of which some may be staged."""
        if isinstance(kinds, Choice):
            found = choose(self.tracing, kinds, lambda one: self._catches(one, error))
            return condition(self.tracing, found)
        if not any(isinstance(one, Choice) for one in _items(kinds)):
            return catches(kinds, error)
        flags = [self._catches(one, error) for one in kinds]
        return functools.reduce(OPS.py_or, flags)  # of bools

    def _handle(self, number: Any, error: BaseException) -> Any:
        if number is AT_RUN_TIME:
            return self._find(error)
        _, handler, name = self.handlers[number]
        if name is None:
            return while_handling(error, lambda: self.local.run(handler))
        tracing, variable = self.tracing, bound_variable(handler, name)
        around = attempts_around(tracing)
        for one in around:
            one.bound.append(variable)
        try:
            return while_handling(error, lambda: self.local.run(handler, error))
        finally:
            for one in around:
                one.bound.pop()
            tracing.touch(variable)
            variable.set(UNSET)

    # finally ----------------------------------------------------------------------------------
    def _finish(self, code: Any) -> Any:
        final = self.local.run(self.last)
        return following(self.tracing, self.local, final, lambda: code)

    def _finish_raising(self, clause: Any, error: BaseException) -> Any:
        def go_on() -> Any:
            raise error

        final = while_handling(error, lambda: self.local.run(self.last))
        return following(self.tracing, self.local, final, go_on)


def _items(kinds: Any) -> tuple[Any, ...]:
    return kinds if isinstance(kinds, tuple) else ()


def while_handling(error: BaseException, run: Callable[[], Any]) -> Any:
    """Run a handler; a bare `raise` in it raises the exception again."""
    try:
        raise error
    except type(error):
        return run()


def following(tracing: Tracing, local: Locals, code: Any, rest: Callable[[], Any]) -> Any:
    """What follows where `code` says that all before completed; else the code."""
    flag = equals(tracing, code, COMPLETED)
    if isinstance(flag, bool):
        return rest() if flag else code
    return local.switch(flag, [lambda: code, rest])
