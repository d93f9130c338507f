"""Thousands of traces and calls stay within fixed bounds of memory and of cache entries."""

from __future__ import annotations

import gc
import resource
import sys
import warnings
from typing import Any

import pytest

import autograph as ag
from autograph.kernels import compile as compiling
from autograph.tracing.tracing import Tracing

pytestmark = pytest.mark.usefixtures("small_heap")
t = ag.asarray


def memory() -> int:
    """The resident memory of this process, in KiB."""
    gc.collect()
    try:
        with open("/proc/self/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * resource.getpagesize() // 1024
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def make(mode: Any) -> Any:
    total = ag.Variable(0.0)

    @ag.function(mode=mode)
    def f(x, name):
        y = x * 2
        for _ in range(3):
            if ag.sum(y) > 0:
                y = y + len(name)
        total.assign_add(ag.sum(y))
        return y

    return f, total


def run(mode: Any, calls: int, words: int) -> tuple[Any, Any]:
    """Calls with changing sizes, numbers of axes and strings: each new string is a new trace."""
    f, total = make(mode)
    for k in range(calls):
        shape = [(2 + k % 17,), (1 + k % 5, 3), (), (k % 3, 2, 2)][k % 4]
        name = "n" * (k % 5) if k % 10 else f"word {k // 10 % words}"
        found = f(ag.ones(shape), name)
        assert found.shape == shape
    return f, total


@pytest.mark.parametrize(
    ("mode", "calls", "words"),
    [
        ("evaluate", 600, 20),
        pytest.param("evaluate", 10_000, 10_000, marks=pytest.mark.sweep),
        pytest.param("compile", 10_000, 300, marks=pytest.mark.sweep),
    ],
)
def test_calls_with_changing_arguments(mode: Any, calls: int, words: int, capsys: Any) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ag.errors.RetracingWarning)
        run(mode, min(calls, 3000), words)  # all that is kept once
        before, objects, entries = memory(), len(gc.get_objects()), len(compiling._entries)
        f, _ = run(mode, calls, words)
    info = f.cache_info()
    assert info.currsize <= info.maxsize and info.hits + info.misses >= calls
    del f
    grown, more = memory() - before, len(gc.get_objects()) - objects
    with capsys.disabled():
        print(
            f"\n{mode}: {calls} calls, {info.misses} traces, {info.currsize} kept; memory "
            f"+{grown} KiB, objects {more:+}, programs +{len(compiling._entries) - entries}",
            file=sys.stderr,
        )
    assert grown < 40_000 and more < 5_000
    assert len(compiling._entries) <= compiling.MAXIMUM_ENTRIES


def test_functions_made_and_dropped() -> None:
    def one(k: int) -> None:
        f, _ = make("evaluate")
        f(ag.ones((k % 7,)), "a")
        with ag.GradientTape() as tape:
            x = t([1.0, 2.0])
            tape.watch(x)
            y = ag.sum(f(x, "b"))
        tape.gradient(y, x)

    for k in range(10):
        one(k)
    gc.collect()
    objects = len(gc.get_objects())
    for k in range(40):
        one(k)
    gc.collect()
    assert len(gc.get_objects()) - objects < 500


def advanced_on_one_path(x):
    def items():
        for k in range(3):
            yield x + k

    found = items()
    first = next(found) if x > 0 else x
    return first + next(found)


def held_by_what_it_holds(x):
    box = {}

    def items():
        yield box
        yield x * 3.0

    box["items"] = items()
    for one in box["items"]:
        last = one
    return last


@pytest.mark.parametrize("program", [advanced_on_one_path, held_by_what_it_holds])
def test_traces_are_let_go(program: Any) -> None:
    """What a call keeps of its trace is the graph: the rest goes, generators of it included."""
    gc.collect()
    before = sum(isinstance(one, Tracing) for one in gc.get_objects())
    assert ag.function(program, mode="evaluate")(t(1.0)) == t(3.0)
    gc.collect()
    assert sum(isinstance(one, Tracing) for one in gc.get_objects()) == before
