"""What the emitted control-flow statements mean: if, the continuation after it, and while."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Iterable, Sequence
from types import CodeType, FrameType
from typing import Any

from autograph.control.branch import Unreachable, switch
from autograph.errors import StagingError
from autograph.operators.expressions.truth import as_value, condition
from autograph.operators.statements.completion_codes import BREAK, COMPLETED, CONTINUE, EXIT, RETURN
from autograph.operators.statements.kept_lengths import Growth, keeping_lengths
from autograph.operators.statements.turns import loop_of_turns
from autograph.runtime.control.records import RAISE
from autograph.runtime.core.number import Number
from autograph.runtime.core.python_versions import cells_stored
from autograph.runtime.graph.ir import Graph, Node
from autograph.runtime.ops.table import OPS
from autograph.tracing.hints import FoundExplosion
from autograph.tracing.places import CellPlace, Place
from autograph.tracing.tracing import Tracing, current
from autograph.values.choice import Choice
from autograph.values.sentinels import DONT_CARE

Body = Callable[..., Any]
Names = Sequence[str]


class Locals:
    """The closure cells that the emitted bodies of one statement share with their function."""

    def __init__(
        self, tracing: Tracing, bodies: Iterable[Body | None], names: Names, frame: FrameType
    ) -> None:
        self.tracing = tracing
        self.places: dict[str, CellPlace] = {}
        self.codes = tuple(body.__code__ for body in bodies if body is not None)
        own = frame.f_code.co_cellvars
        stored: set[str] = set()
        for body in bodies:
            if body is None or body.__closure__ is None:
                continue
            stored |= stored_cells(body.__code__)
            for name, cell in zip(body.__code__.co_freevars, body.__closure__, strict=True):
                if name == "ag__" or name in self.places:
                    continue
                self.places[name] = CellPlace(cell, name)
                if name in own and id(cell) not in tracing.closures.born:
                    tracing.closures.born.add(id(cell))
                    tracing.born(cell)
        self.own_dead = [
            place
            for name, place in self.places.items()
            if name in stored and name not in names and id(place.owner) in tracing.closures.born
            if not name.startswith("ag__result")  # a `finally` may stand before its return
        ]
        self.dead = [*self.own_dead, *tracing.forgotten]

    def watch(self) -> None:
        """Log the cells in the current region."""
        for place in self.places.values():
            self.tracing.touch(place)

    def start_turn(self) -> None:
        """The current region is a turn of a loop: log the cells in it."""
        self.watch()
        self.tracing.region.turn_of = self.codes

    def run(self, body: Body | None, *arguments: Any) -> Any:
        """Run a body in the current region; its completion code, 0 for None."""
        if body is None:
            return COMPLETED
        self.watch()
        code = body(*arguments)
        return COMPLETED if code is None else code

    def switch(self, flag: Number, thunks: Sequence[Callable[[], Any]]) -> Any:
        """Stage a branch over bodies; variables that are dead after it are left out."""
        forgotten = {place.key for place in self.stored_dead()}
        return switch(
            self.tracing, as_value(self.tracing, flag), thunks, "the completion", forgotten
        )

    def stored_dead(self) -> list[Place]:
        """The cells whose variables nobody reads after the statement."""
        return self.dead


@functools.cache
def stored_cells(code: CodeType) -> frozenset[str]:
    """The variables of outer functions that a code object, or one inside it, assigns."""
    names = set(cells_stored(code))
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            names |= stored_cells(constant)
    return frozenset(names.intersection(code.co_freevars))  # others are of scopes inside


def if_stmt(test: Any, body: Body, orelse: Body | None, names: Names) -> Any:
    """`if test: body else: orelse`; gives the completion code."""
    tracing = current()
    if tracing is None:
        if test:
            return body()
        return orelse() if orelse is not None else None
    chosen = Locals(tracing, (body, orelse), names, sys._getframe(1))
    flag = condition(tracing, test)
    if isinstance(flag, bool):
        return chosen.run(body if flag else orelse)
    return chosen.switch(flag, [lambda: chosen.run(orelse), lambda: chosen.run(body)])


def then(code: Any, rest: Body, names: Names = ()) -> Any:
    """What follows a statement that may not have completed."""
    tracing = current()
    if code is None:
        code = COMPLETED
    if tracing is None or (isinstance(code, int) and code != COMPLETED):
        return rest() if code == COMPLETED else code
    following = Locals(tracing, (rest,), names, sys._getframe(1))
    flag = equals(tracing, code, COMPLETED)
    if isinstance(flag, bool):
        return following.run(rest) if flag else code
    return following.switch(flag, [lambda: code, lambda: following.run(rest)])


def equals(tracing: Tracing, code: Any, wanted: int) -> bool | Number:
    """Whether a completion code is `wanted`."""
    if isinstance(code, Number):
        flag: Number = OPS.py_eq(code, wanted)
        return flag
    if isinstance(code, Choice):
        raise AssertionError("a completion code is a number")
    return bool(code == wanted)


def is_staged(code: Any) -> bool:
    """Whether a completion code is known only at run time."""
    return isinstance(code, Number)


def while_stmt(test: Body, body: Body, orelse: Body | None, names: Names) -> Any:
    """`while test(): body() else: orelse()`; gives None or RETURN."""
    tracing = current()
    if tracing is None:
        while test():
            code = body()
            if code == BREAK:
                return None
            if code == RETURN:
                return RETURN
        return orelse() if orelse is not None else None
    local = Locals(tracing, (test, body, orelse), names, sys._getframe(1))
    # A loop without an end of its own may ask C code for each item, which no trace takes back.
    turns, begun, tried = 0, tracing.checkpoint(), never_ends(test)
    growth = Growth()
    early = tried
    rest = functools.partial(_staged_while, tracing, local, test, body, orelse)
    while True:
        if growth.explodes and test.__code__ not in tracing.hints.exploding:
            raise FoundExplosion(test.__code__)
        if not turns and test.__code__ in tracing.hints.exploding:
            code = attempted(tracing, rest)
            if code is not None:
                return code
        if turns in LOOKED_AT and not early and begun.count() > MANY_WRITTEN:
            early = True
            code = attempted(tracing, lambda: keeping_lengths(tracing, rest, numbers=True))
            if code is not None:
                return code
        if turns and turns % ROLLED_AFTER == 0 and not tried and begun.count() > MOST_WRITTEN:
            tried = True
            code = attempted(tracing, rest)
            if code is not None:
                return code
        turns += 1
        checkpoint = tracing.checkpoint()
        with tracing.enter() as region:
            try:
                code, staged = _python_turn(tracing, local, test, body)
            except BaseException:
                region.commit()
                raise
            if turns > UNROLLED and never_ends(test) and may_raise(checkpoint.nodes()):
                staged = True
            if staged:
                region.take_back()
                checkpoint.restore()
            else:
                growth.note(checkpoint)
                region.commit()
        if staged:
            return _staged_while(tracing, local, test, body, orelse)
        if code == EXIT:
            return local.run(orelse)
        if code == BREAK:
            return COMPLETED
        if code == RETURN:
            return RETURN


ROLLED_AFTER = 24
MOST_WRITTEN = 300
"""A loop that a known test ends is written out for so many turns, and so many nodes; what is left
is one staged loop if its body allows it."""


LOOKED_AT = (2, 4, 8, 16)
MANY_WRITTEN = 1000
"""After some turns of so many nodes the rest is tried as a staged loop, too, if it makes no known
container longer that holds objects: others may ask for those."""


def attempted(tracing: Tracing, loop: Callable[[], Any]) -> Any:
    """What a staged loop gives, or None (and nothing changed) where its body does not allow it."""
    checkpoint = tracing.checkpoint()
    with tracing.enter() as region:
        try:
            code = loop()
        except (StagingError, TypeError, ValueError, Unreachable, AttributeError):
            region.roll_back()
            checkpoint.restore()
            return None
        region.commit()
    return code


UNROLLED = 8
"""Turns of an endless loop that run in Python, before what it may raise counts as its end."""


def never_ends(test: Body) -> bool:
    """Whether the test of a loop is the same at every turn."""
    return not test.__code__.co_names and not test.__code__.co_freevars


def may_raise(nodes: Sequence[Node]) -> bool:
    """Whether some of these nodes may raise: then they may end a loop."""
    pending, seen = list(nodes), set[Graph]()
    while pending:
        node = pending.pop()
        if node.op is RAISE:
            return True
        fresh = [graph for graph in node.graphs if graph not in seen]
        seen.update(fresh)
        pending += [inner for graph in fresh for inner in graph.nodes]
    return False


def _python_turn(tracing: Tracing, local: Locals, test: Body, body: Body) -> tuple[Any, bool]:
    local.watch()
    flag = condition(tracing, test())
    if not isinstance(flag, bool):
        return None, True
    if not flag:
        return EXIT, False
    code = local.run(body)
    return code, is_staged(code)


def _staged_while(
    tracing: Tracing, local: Locals, test: Body, body: Body, orelse: Body | None
) -> Any:
    def turn() -> tuple[Any, Any]:
        local.start_turn()
        flag = condition(tracing, test())

        def run() -> tuple[Any, Any]:
            return after_turn(tracing, local.run(body))

        if isinstance(flag, bool):
            return run() if flag else (False, EXIT)
        outcome: tuple[Any, Any] = local.switch(flag, [lambda: (False, EXIT), run])
        return outcome

    code = loop_of_turns(tracing, turn, local.dead)
    return end_of_loop(tracing, local, code, orelse)


def after_turn(tracing: Tracing, code: Any) -> tuple[Any, Any]:
    """Whether a loop goes on after a turn that ended with `code`, and how it ends if not."""
    if not is_staged(code):
        return (True, DONT_CARE) if code in (COMPLETED, CONTINUE) else (False, code)
    done = OPS.py_or(OPS.py_eq(code, BREAK), OPS.py_eq(code, RETURN))
    return OPS.py_not(done), code


def end_of_loop(tracing: Tracing, local: Locals, code: Any, orelse: Body | None) -> Any:
    """The completion of a loop: RETURN, or that of its `else` unless it was broken."""
    if not is_staged(code):
        if code == EXIT:
            return local.run(orelse)
        return RETURN if code == RETURN else COMPLETED
    returned = OPS.py_eq(code, RETURN)
    if orelse is None:
        return OPS.py_mul(returned, RETURN)
    exhausted = OPS.py_eq(code, EXIT)
    return local.switch(
        exhausted, [lambda: OPS.py_mul(returned, RETURN), lambda: local.run(orelse)]
    )
