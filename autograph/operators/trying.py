"""What an emitted `try` means. Its handlers are found by class while tracing, and run as staged."""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Sequence
from typing import Any

from autograph.effects.attempts import Clauses, attempt
from autograph.effects.choice import Choice
from autograph.effects.places import CellPlace, Key, NamePlace, Place
from autograph.effects.raising import Attempt
from autograph.effects.sentinels import UNSET
from autograph.effects.tracing import Tracing, current
from autograph.operators.codes import COMPLETED
from autograph.operators.conditions import choose
from autograph.operators.statements import Body, Locals, equals

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
    bodies = (body, orelse, last, *(handler for _, handler, _ in handlers))
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
    """The number of the handler for an exception, by its class as Python compares it."""
    for number, (kind, _, _) in enumerate(handlers):
        if kind is None:
            return number
        found = kind()
        kinds = found if isinstance(found, tuple) else (found,)
        for one in kinds:
            if not (isinstance(one, type) and issubclass(one, BaseException)):
                raise TypeError(
                    "catching classes that do not inherit from BaseException is not allowed"
                )
        if any(one in type(error).__mro__ for one in kinds):
            return number
    return None


def bound_variable(handler: Body, name: str) -> Place:
    """The variable of an `except ... as`: one of the function around, or a global."""
    code = handler.__code__
    if name in code.co_freevars:
        assert handler.__closure__ is not None
        return CellPlace(handler.__closure__[code.co_freevars.index(name)], name)
    return NamePlace(handler.__globals__, name)


def exception(value: Any, cause: Callable[[], Any] | None = None) -> Any:
    """What is raised: one of several exceptions or classes is raised here, each on its path."""
    tracing = current()
    if tracing is None or not isinstance(value, Choice):
        return value

    def fail(one: Any) -> Any:
        if cause is None:
            raise one
        raise one from cause()

    return choose(tracing, value, fail)


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
        choose = lambda error: matching(self.handlers, error)  # noqa: E731
        clauses = Clauses(self._otherwise, choose, self._handle)
        return self._attempt(lambda: self.local.run(self.body), clauses, self.body)

    def _otherwise(self, code: Any) -> Any:
        if self.orelse is None:
            return code
        return following(self.tracing, self.local, code, lambda: self.local.run(self.orelse))

    def _handle(self, number: int, error: BaseException) -> Any:
        _, handler, name = self.handlers[number]
        if name is None:
            return while_handling(error, lambda: self.local.run(handler))
        tracing, variable = self.tracing, bound_variable(handler, name)
        around = tracing.attempts[-1] if tracing.attempts else None
        if isinstance(around, Attempt):
            around.bound.append(variable)
        try:
            return while_handling(error, lambda: self.local.run(handler, error))
        finally:
            if isinstance(around, Attempt):
                around.bound.pop()
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
