"""Traces are not used for objects that differ in what the code did not read, but was run by."""

from __future__ import annotations

import collections
import copy
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import autograph as ag

t = ag.asarray


@pytest.mark.parametrize("flags", ["TFFT", "FTTF", "TFTFTF", "TTFFTT"])
def test_variables_that_are_frozen_and_thawed(flags: str) -> None:
    v = ag.Variable(3.0)

    def f(x: Any) -> Any:
        with ag.GradientTape() as tape:
            y = v * x
        return tape.gradient(y, v)

    g = ag.function(f, mode="evaluate")
    for flag in flags:
        v.trainable = flag == "T"
        eager, staged = f(t(2.0)), g(t(2.0))
        assert (eager is None) == (staged is None) == (flag == "F")
        assert eager is None or float(eager) == float(staged)
    assert g.cache_info().misses == 2


@pytest.mark.parametrize(
    "part",
    [
        lambda x: x[0],
        lambda x: ag.squeeze(x),
        lambda x: ag.reshape(x, (2,)),
        lambda x: next(iter(x)),
    ],
)
def test_parts_of_tensors_are_not_assigned_to_with_the_trace_of_a_whole(part: Any) -> None:
    def put(x: Any) -> Any:
        x[0] = 9.0
        return x

    g = ag.function(put, mode="evaluate")
    g(t([1.0, 2.0]))
    assert g(t([3.0, 2.0])).tolist() == [9.0, 2.0] and g.cache_info().misses == 1
    whole = t([[1.0, 2.0]])
    for one in (put, g):
        with pytest.raises(TypeError, match="item assignment to a part"):
            one(part(whole))
    assert whole.tolist() == [[1.0, 2.0]]


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy])
def test_copies_of_dicts_that_know_their_order(copied: Any) -> None:
    class Named(collections.OrderedDict[str, Any]):
        pass

    g = ag.function(lambda p: copied(p), mode="evaluate")
    for kind in (collections.OrderedDict, Named):
        given = kind(w=t(1.0), b=2)
        found = g(given)
        assert type(found) is kind and list(found) == ["w", "b"] and found is not given


class Plain:
    def __init__(self) -> None:
        self.w = 1.0


class Counted:
    def __init__(self) -> None:
        self.asked = 0

    @property
    def w(self) -> float:
        self.asked += 1
        return 2.0


class Logged:
    def __init__(self) -> None:
        self.log: list[Any] = []

    def __getitem__(self, key: int) -> float:
        self.log.append(key)
        return 1.0


def test_other_traces_do_not_ask_an_object_of_another_class() -> None:
    read = ag.function(lambda o: o.w, mode="evaluate")
    read(Plain())
    for _ in range(2):
        counted = Counted()
        assert read(counted) == 2.0 and counted.asked == 1
        read(Plain())
    size = ag.function(lambda o: len(o), mode="evaluate")
    size((1.0, 2.0))
    grown: Any = collections.defaultdict(list)
    assert size(grown) == 0 and not grown
    total = ag.function(lambda o: o[0] + o[1], mode="evaluate")
    for given in ((1.0, 2.0), [1.0, 2.0], {0: 1.0, 1: 2.0}):
        assert total(given) == 3.0
    logged = Logged()
    assert total(logged) == 2.0 and logged.log == [0, 1]


def test_loaded_functions_ask_what_is_changed_and_what_is_trainable(tmp_path: Path) -> None:
    def add(v: Any) -> Any:
        v.assign_add(1.0)
        return v * 1

    g = ag.function(add, mode="evaluate")
    g(ag.Variable(1.0))
    loaded: Any = ag.load(ag.save(g, tmp_path / "add"), mode="evaluate")
    v = ag.Variable(2.0)
    assert float(loaded(v)) == float(v) == 3.0
    for wrong in (t(5.0), np.float32(5.0), np.array(5.0, np.float32)):
        with pytest.raises(ag.errors.ArgumentError):
            loaded(wrong)
        assert float(wrong) == 5.0

    def slope(x: Any) -> Any:
        with ag.GradientTape() as tape:
            y = v * x
        return tape.gradient(y, v)

    g = ag.function(slope, mode="evaluate")
    g(t(2.0))
    loaded = ag.load(ag.save(g, tmp_path / "slope"), mode="evaluate")
    assert float(loaded(t(3.0))) == 3.0
    loaded.variables[0].trainable = False
    with pytest.raises(ag.errors.ArgumentError):
        loaded(t(3.0))


def test_what_a_tape_has_watched_depends_on_what_is_trainable() -> None:
    v = ag.Variable(3.0)

    def f(x: Any) -> Any:
        with ag.GradientTape() as tape:
            v * x
        return len(tape.watched_variables())

    g = ag.function(f, mode="evaluate")
    for trainable in (True, False, True):
        v.trainable = trainable
        assert g(t(2.0)) == f(t(2.0)) == int(trainable)


def test_what_an_exception_holds_is_each_calls_own() -> None:
    def fail(n: Any) -> Any:
        log = ["first"]
        rows = [[5]]
        for i in range(n):
            rows.append([i, i])
        if n > 1:
            log.append("second")
            raise ValueError(log, rows)
        return n

    g = ag.function(fail, mode="evaluate")
    for _ in range(2):
        with pytest.raises(ValueError) as caught:
            g(t(2))
        log, rows = caught.value.args
        assert (log, rows) == (["first", "second"], [[5], [0, 0], [1, 1]])
        log.append("third")
        rows[0].append(6)


def test_functions_that_leave_share_their_variables() -> None:
    def both(v: Any) -> Any:
        return (lambda: v), (lambda: v + 1)

    f, g = ag.function(both, mode="evaluate")(t(2.0))
    assert f.__closure__[0] is g.__closure__[0] and float(f()) + 1 == float(g())


def test_items_of_which_two_are_one_are_traced_anew() -> None:
    """What a merged tensor is depends on its candidates being as many."""

    @ag.function(mode="evaluate")
    def which(items: list[Any]) -> list[Any]:
        least = items[0] if items[0] < items[2] else items[1]
        return [least is one for one in items]

    a, b, c, d = (ag.asarray(number) for number in (3.0, 1.0, 2.0, 1.0))
    assert which([a, b, c, d]) == [False, True, False, False]
    assert which([a, b, c, b]) == [False, True, False, True]
    assert which([b, d, c, b]) == [True, False, False, True]
