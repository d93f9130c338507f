"""Random structured programs do the same before and after conversion, over plain operators."""

from __future__ import annotations

import linecache
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, assume, given, settings
from hypothesis import strategies as st

from tests.harness.conversion_harness import converted, outcome, text_of
from tests.harness.statement_programs import programs

INPUTS = [(0, 1), (3, 2), (1, 5)]
FILE = "<program>"


class Exhausted(Exception):
    """The program has taken all its turns."""


@contextmanager
def swallow(log: Callable[..., Any], kind: type[Exception]) -> Iterator[int]:
    log("enter")
    try:
        yield 6
    except kind as error:
        log("swallowed", str(error))
    finally:
        log("exit")


def compiled(text: str) -> Any:
    """The function of a program's text, which tracebacks and the converter can find."""
    linecache.cache[FILE] = (len(text), None, text.splitlines(keepends=True), FILE)
    names: dict[str, Any] = {"swallow": swallow}
    exec(compile(text, FILE, "exec", dont_inherit=True), names)
    return names["program"]


def run(function: Any, a: int, b: int) -> Any:
    """Run with a fresh count of turns, and without the global that programs may assign."""
    function.__globals__.pop("g", None)

    def program(log: Any) -> Any:
        turns = 12

        def tick(value: Any) -> Any:
            nonlocal turns
            turns -= 1
            if turns < 0:
                raise Exhausted
            return value

        return function(log, tick, a, b)

    return outcome(program, (), FILE)


def check(text: str) -> None:
    try:
        original = compiled(text)
    except SyntaxError:  # a name that is both a parameter and declared nonlocal, say
        assume(False)
    other = converted(original)
    for a, b in INPUTS:
        expected = run(original, a, b)
        assert run(other, a, b) == expected, f"{(a, b)}\n{text}\n{text_of(original)}"


# Shrinking takes minutes: a failing program is shown as it was drawn.
PHASES = [Phase.explicit, Phase.reuse, Phase.generate]
SLOW = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much]


@settings(max_examples=150, phases=PHASES, suppress_health_check=SLOW)
@given(programs())
def test_random_programs(text: str) -> None:
    check(text)


@pytest.mark.sweep
@settings(max_examples=2000, phases=PHASES, suppress_health_check=SLOW)
@given(st.integers(2, 5).flatmap(programs))
def test_many_random_programs(text: str) -> None:
    check(text)
