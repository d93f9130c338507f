"""Statements that read or change what lives outside of the function, called again and again.

Between the calls plain code changes it: other objects, other values, other sizes. What a trace
wrote down of an earlier call without a guard is seen in a later one.
"""

from __future__ import annotations

import contextlib
import io
import linecache
import re
import sys
import types
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

import autograph as ag

_numbers = iter(range(10**9))


@dataclass(frozen=True)
class Table:
    """What statements stand in, how they are called, and what happens between the calls.

    `text` is a module with a function `program`, in which `$` stands for the statement.
    """

    text: str
    arguments: Callable[[int], tuple[Any, ...]]
    change: Callable[[Any, int], None]
    state: Callable[[Any], Any]
    turns: int

    def module(self, statement: str, surroundings: str = "") -> types.ModuleType:
        """A module with the program of a statement; its lines can be found."""
        lines = statement.replace("; ", "\n").replace("\\n", "\n").splitlines()
        if surroundings:
            lines = [surroundings, *("    " + one for one in lines)]
        text = self.text.replace("$", "\n".join("    " + one for one in lines))
        name = f"state_outside_{next(_numbers)}"
        filename = f"<{name}>"
        linecache.cache[filename] = (len(text), None, text.splitlines(True), filename)
        made = types.ModuleType(name)
        sys.modules[name] = made
        exec(compile(text, filename, "exec", dont_inherit=True), vars(made))
        return made

    def outcome(self, place: Any, turn: int) -> Any:
        """What a call returns, leaves and prints; or the error that it raises."""
        printed = io.StringIO()
        try:
            with contextlib.redirect_stdout(printed):
                result = place.program(*self.arguments(turn))
        except Exception as error:
            return type(error).__name__
        return shown(result), shown(self.state(place)), printed.getvalue()

    def differences(self, statement: str, surroundings: str = "") -> Iterator[str]:
        """The first call in which the staged function differs."""
        plain, staged = (self.module(statement, surroundings) for _ in range(2))
        staged.program = ag.function(staged.program)  # type: ignore[attr-defined]
        try:
            for turn in range(self.turns):
                for place in (plain, staged):
                    self.change(place, turn)
                wanted, found = self.outcome(plain, turn), self.outcome(staged, turn)
                if not alike(wanted, found):
                    yield f"{statement!r}, call {turn}: {wanted}\n    staged: {found}"
                    return
        finally:
            for place in (plain, staged):
                sys.modules.pop(place.__name__, None)
                linecache.cache.pop(f"<{place.__name__}>", None)

    def verify(self, statements: list[str], surroundings: str = "") -> None:
        found = [text for one in statements for text in self.differences(one, surroundings)]
        assert not found, "\n".join(found)


def shown(value: Any, within: tuple[int, ...] = ()) -> Any:
    """What is compared: kinds, dtypes, values, and attributes of objects."""
    if id(value) in within:
        return "again"
    inner = (*within, id(value))
    if isinstance(value, ag.Tensor | np.ndarray | np.generic):
        return type(value).__name__, str(value.dtype), np.asarray(value).tolist()
    if isinstance(value, ag.Variable):
        return "Variable", shown(value.read())
    if isinstance(value, dict):
        pairs = [(shown(key, inner), shown(one, inner)) for key, one in value.items()]
        return type(value).__name__, pairs
    if isinstance(value, set | frozenset):
        return type(value).__name__, sorted(map(repr, value))
    if isinstance(value, list | tuple | deque):
        return type(value).__name__, [shown(one, inner) for one in value]
    if isinstance(value, types.FunctionType | type):
        return value.__name__
    own = type(value).__module__.startswith("state_outside") or type(value).__module__ == "types"
    if own and hasattr(value, "__slots__"):
        return type(value).__name__, [shown(getattr(value, one), inner) for one in value.__slots__]
    if own and hasattr(value, "__dict__"):
        return type(value).__name__, shown(vars(value), inner)
    return re.sub(r"0x[0-9a-f]+|state_outside_\d+", "", repr(value))


def alike(wanted: Any, found: Any) -> bool:
    """Whether two outcomes are the same but for the rounding of sums."""
    if type(wanted) is not type(found):
        return False
    if isinstance(wanted, list | tuple):
        return len(wanted) == len(found) and all(map(alike, wanted, found))
    if isinstance(wanted, float):
        return bool(np.isclose(wanted, found, rtol=1e-12, atol=0, equal_nan=True))
    return bool(wanted == found)
