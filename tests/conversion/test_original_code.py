"""Outside of a trace the code that runs is the user's own: at its own speed, with its own lines."""

from __future__ import annotations

import sys
from types import CodeType
from typing import Any

import pytest

import autograph as ag

RAN: list[CodeType] = []


@ag.do_not_convert
def note() -> None:
    """Keep the code object that called it."""
    frame = sys._getframe()
    while frame.f_code.co_name != "helper":
        assert frame.f_back is not None
        frame = frame.f_back
    RAN.append(frame.f_code)


def helper(x: Any) -> Any:
    """Is called by a staged function, and by itself."""
    note()
    return x * 2 if x > 0 else x - 1


@ag.function(mode="evaluate")
def decorated(x: Any) -> Any:
    return helper(x) + 1


@ag.function(mode="evaluate")
def calls_back(x: Any) -> Any:
    return ag.py_function(helper, [x], ag.TensorSpec((), ag.float32))


class Model:
    @ag.function(mode="evaluate")
    def method(self, x: Any) -> Any:
        return helper(x)


@ag.do_not_convert
def kept(x: Any) -> Any:
    return helper(x)


@pytest.mark.parametrize(
    "call",
    [
        lambda x: helper(x),
        lambda x: decorated.python_function(x),
        lambda x: Model().method.python_function(x),
        lambda x: calls_back(x),
        lambda x: kept(x),
    ],
    ids=["a helper", "python_function", "of a method", "called back", "do_not_convert"],
)
def test_original_code_runs(call: Any) -> None:
    x = ag.asarray(2.0)
    decorated(x)  # converts the helper
    code = helper.__code__
    call(x)  # what is decorated is traced
    RAN.clear()
    call(x)
    assert RAN and all(one is code for one in RAN)
    assert helper.__code__ is code


def test_a_trace_runs_converted_code() -> None:
    """The counter-test: inside a trace it is other code."""
    RAN.clear()
    ag.function(mode="evaluate")(helper)(ag.asarray(1.0))
    assert RAN and all(one is not helper.__code__ for one in RAN)
