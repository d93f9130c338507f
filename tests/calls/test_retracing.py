"""`explain_retraces`: why each trace was made, in the user's names."""

from __future__ import annotations

import dataclasses
import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import autograph as ag

t = ag.asarray
Golden = Callable[[str, str], None]
scale = 3.0


class Model:
    def __init__(self) -> None:
        self.calls = 0
        self.training = True
        self.weight = ag.ones((2,))
        self.layers = [1.0, 2.0]

    @ag.function(mode="evaluate")
    def step(self, x):
        x = x * 2 if self.training else x
        for layer in self.layers:
            x = x * layer
        return x * self.calls + ag.sum(self.weight)


def test_sizes_and_numbers(golden: Golden) -> None:
    @ag.function(mode="evaluate")
    def f(x, n=1):
        return x * n

    for x, n in [(1.0, 3), (1.0, 4), (1.0, 5), ([1.0] * 8, 5), ([1.0] * 16, 5), ([1.0] * 9, 7)]:
        f(t(x), n)
    f(t([1, 2]), 5)
    f(t([[1.0]]), 5)
    f(np.ones(3), 5)
    f(t(1.0), 2.5)
    f(t(1.0))
    golden("retraces/sizes_and_numbers.txt", f"{f.explain_retraces()}\n")
    assert len(f.explain_retraces()) == f.cache_info().misses


def test_arguments_of_other_kinds(golden: Golden) -> None:
    @ag.function(mode="evaluate")
    def f(x, *more, key=None):
        return x, more, key

    f(t(1.0))
    f(t(1.0), 2)
    f(t(1.0), "a")
    f(t(1.0), "b")
    f(t(1.0), None)
    f(t(1.0), (1, 2))
    f(t(1.0), (1, 2, 3))
    f(t(1.0), key="c")
    f(t(1.0), key="d")
    x = t(1.0)
    f(x, x)
    golden("retraces/arguments.txt", f"{f.explain_retraces()}\n")


def test_python_state(golden: Golden, monkeypatch: pytest.MonkeyPatch) -> None:
    factor, table, items = 2, {"a": 1.0}, {1, 2}

    @ag.function(mode="evaluate")
    def f(x):
        known = 3 in items
        return x * scale * factor * table["a"], known, len(table)

    f(t(1.0))
    monkeypatch.setitem(globals(), "scale", 4.0)
    f(t(1.0))
    factor = 7
    f(t(1.0))
    table["a"] = "b"  # type: ignore[assignment]
    with pytest.raises(TypeError):
        f(t(1.0))
    table.update(a=1.0, b=2.0)
    f(t(1.0))
    items.add(3)
    f(t(1.0))
    golden("retraces/python_state.txt", f"{f.explain_retraces()}\n")


def test_attributes(golden: Golden) -> None:
    model = Model()
    model.step(t(1.0))
    model.calls += 1
    model.step(t(1.0))
    model.training = False
    model.step(t(1.0))
    model.layers.append(3.0)
    model.step(t(1.0))
    model.weight = ag.ones((5,))
    model.step(t(1.0))
    golden("retraces/attributes.txt", f"{model.step.explain_retraces()}\n")


def test_what_must_be_known(golden: Golden) -> None:
    @ag.function(mode="evaluate")
    def f(x, n):
        return ag.sum(x, axis=n)

    for n in (0, 1, 0):
        f(ag.ones((2, 3)), n)
    golden("retraces/known.txt", f"{f.explain_retraces()}\n")


def test_records() -> None:
    @ag.function(mode="evaluate")
    def f(n):
        return n + t(1)

    assert str(f.explain_retraces()) == "not traced yet"
    f(1)
    f(2)
    first, second = f.explain_retraces()
    assert (first.number, first.compared, second.number, second.compared) == (1, None, 2, 1)
    (change,) = second.changes
    assert (change.subject, change.before, change.after) == ("argument `n`", "1", "2")
    assert dataclasses.replace(change, then="").then == ""


def test_reasons_never_fail_a_call() -> None:
    class Odd:
        def __repr__(self) -> str:
            raise RuntimeError("no words")

    @ag.function(mode="evaluate")
    def f(x, odd: Any):
        return x + (1 if odd is None else 2)

    assert [float(f(t(1.0), odd)) for odd in (Odd(), None, Odd())] == [3.0, 2.0, 3.0]
    assert "an Odd" in str(f.explain_retraces()) or "a Odd" in str(f.explain_retraces())


def test_variables_of_the_call_are_no_state() -> None:
    @ag.function(mode="evaluate")
    def f(x, n):
        last, k = None, n

        def scaled(y):
            return y * k if last is None else y * 2

        a = scaled(x)
        if x > 0:
            last = a
        k = 7
        return a, last

    for x, n in [(1.0, 3), (2.0, 4), (-1.0, 5), (3.0, 6)]:
        assert float(f(t(x), n)[0]) == x * n
    assert f.cache_info().misses == 2


def test_objects_that_are_keys() -> None:
    @ag.function(mode="evaluate")
    def f(x, *given):
        seen = set()
        for one in given:
            seen.add(one)
        return x * len(seen)

    a, b, c = Model(), Model(), Model()
    assert [f(t(1.0), *given) for given in ((a, b), (b, c), (c, c))] == [2.0, 2.0, 1.0]
    assert f.cache_info().misses == 2
    assert "`given[0]` and `given[1]`: two objects → one" in str(f.explain_retraces())


def test_generators_made_for_each_call_find_the_trace() -> None:
    @ag.function
    def walk(rng: Any, n: int) -> Any:
        return sum(rng.normal() for _ in range(n)) + rng.random(3).sum()

    @ag.function
    def made(seed: int) -> Any:
        return np.random.default_rng(seed).random(2)

    for seed in range(6):
        given, eager = np.random.default_rng(seed), np.random.default_rng(seed)
        assert walk(given, 4) == walk.python_function(eager, 4)
        assert given.random() == eager.random()
        np.testing.assert_array_equal(made(seed), made.python_function(seed))
    assert walk.cache_info().misses == 1
    assert made.cache_info().misses == 2  # once more, for any seed


def test_threads_draw_from_generators_of_their_own() -> None:
    @ag.function
    def walk(rng: Any) -> Any:
        total = 0.0
        for _ in range(200):
            total += rng.normal()
        return total

    walk(np.random.default_rng(0))
    found: dict[int, Any] = {}

    def run(seed: int) -> None:
        found[seed] = walk(np.random.default_rng(seed))

    threads = [threading.Thread(target=run, args=(seed,)) for seed in range(8)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    expected = {seed: walk.python_function(np.random.default_rng(seed)) for seed in range(8)}
    assert found == expected


def test_items_read_from_both_ends_are_read_once() -> None:
    class Net:
        def __init__(self) -> None:
            self.w = [np.ones((2, 2)), np.ones((3, 2))]

        @ag.function(mode="evaluate")
        def step(self, forward: bool) -> Any:
            for _ in range(2):
                total = self.w[0].sum() if forward else self.w[-1].sum()
                self.w = [w - 0.1 * w + 0.0 * total for w in self.w]
            return total

    net = Net()
    for forward in (True, False):
        for _ in range(3):
            net.step(forward)
    assert Net.step.cache_info().misses == 2


def test_a_table_that_is_filled_is_not_traced_for_each_entry() -> None:
    table = {state: 0 for state in range(12)}

    @ag.function(mode="evaluate")
    def visit(state: Any) -> Any:
        table[int(state)] += 1
        return table[int(state)]

    found = [visit(ag.asarray(state % 12)) for state in range(24)]
    assert found == [1] * 12 + [2] * 12
    assert visit.cache_info().misses <= 4


def test_a_bool_is_known_while_there_are_few_traces() -> None:
    @ag.function(mode="evaluate")
    def picked(x: Any, *flags: bool) -> Any:
        return [x if flag else None for flag in flags]

    def call(number: int) -> bool:
        flags = [bool(number >> place & 1) for place in range(5)]
        given = picked(ag.asarray(1.0), *flags)
        return [one is not None for one in given] == flags

    assert all(map(call, range(4))) and picked.cache_info().misses == 4
    assert all(map(call, range(32))) and picked.cache_info().misses < 16
