"""Check mode changes nothing else: results, state, output, tapes, threads, refusals."""

from __future__ import annotations

import io
import itertools
import re
import sys
import threading
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import autograph as ag
from autograph.decorator import CheckedFunction
from autograph.errors import CheckError, RoundingWarning, UnconvertedCallError
from autograph.kernels.scalar.arrays import array_function
from autograph.nn.layers import Dense, Sequential
from autograph.nn.optimizers import Adam
from tests.calls.test_checking import Golden, checked, told

t = ag.asarray
MODES = ("evaluate", "text")


@pytest.fixture(autouse=True)
def no_warnings() -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


@pytest.mark.parametrize("mode", MODES)
def test_effects_happen_once(mode: str, capsys: pytest.CaptureFixture[str]) -> None:
    log: list[Any] = []
    variable = ag.Variable(1.0)
    stream = io.StringIO()

    def f(x: Any, items: list[Any]) -> Any:
        variable.assign_add(x)
        log.append(x)
        items.append(len(log))
        print("called with", x)
        print("so", file=sys.stderr)
        print("and", file=stream)
        return x, items

    items: list[Any] = []
    x = t(2.0)
    result = checked(f, mode)(x, items)
    assert result[0] is x and result[1] is items and items == [1] and log == [x]
    assert variable.item() == 3.0
    assert capsys.readouterr() == ("called with 2.0\n", "so\n")
    assert stream.getvalue() == "and\n"


@pytest.mark.parametrize("mode", MODES)
def test_an_exception_leaves_everything_as_before(mode: str) -> None:
    log: list[Any] = []

    def f(x: Any) -> Any:
        log.append(x)
        if x > 0:
            raise KeyError("positive", x)
        return x

    with pytest.raises(KeyError) as caught:
        checked(f, mode)(t(1.0))
    assert log == [] and caught.value.args[0] == "positive"
    lines = [entry.lineno + 1 for entry in caught.traceback]
    assert lines[-1] == f.__code__.co_firstlineno + 3 and len(lines) == 2


def test_py_function_is_called_in_every_run() -> None:
    calls = []  # state that f cannot reach: what is behind an object of C

    class Outside:
        __slots__ = ()
        __module__ = "numpy"

        def note(self, x: Any) -> Any:
            calls.append(float(x))
            return x * 2

    note = ag.do_not_convert(Outside().note.__func__)  # type: ignore[attr-defined]
    append = calls.append

    def f(x: Any) -> Any:
        ag.py_function(append, [x])
        return x

    assert note is not None
    assert checked(f)(t(1.0)).item() == 1.0
    assert len(calls) == 3


def test_what_differs_from_run_to_run_is_reported() -> None:
    turns = iter(range(10))
    follow = turns.__next__

    def f(x: Any) -> Any:
        return ag.py_function(lambda: t(follow()), [], ag.TensorSpec((), ag.int64)) + x

    with pytest.raises(CheckError, match="result"):
        checked(f)(t(1))


@pytest.mark.parametrize("mode", MODES)
def test_tapes_of_the_outside_see_one_run(mode: str) -> None:
    variable = ag.Variable(3.0)

    def f(x: Any) -> Any:
        variable.assign_add(1.0)
        return variable * x * x if x > 0 else x

    x = t(2.0)
    with ag.GradientTape() as tape:
        tape.watch(x)
        y = checked(f, mode)(x)
    assert y.item() == 16.0
    assert tape.gradient(y, x).item() == 16.0


def test_decorated_functions_inside_are_a_part_of_the_call() -> None:
    inner = checked(lambda x: x * 2 if x > 0 else x)
    outer = checked(lambda x: inner(x) + inner(-x))
    assert outer(t(3.0)).item() == 3.0
    assert inner.cache_info() == (0, 0, 256, 0)  # type: ignore[attr-defined]
    assert outer.cache_info().misses == 1  # type: ignore[attr-defined]


def test_methods_and_recursion() -> None:
    class Tree:
        def __init__(self) -> None:
            self.depth = 0

        @ag.function(mode="text", check=True)
        def down(self, n: Any) -> Any:
            self.depth += 1
            return n if n <= 0 else self.down(n - 1) + 1

    tree = Tree()
    assert tree.down(t(3)).item() == 3 and tree.depth == 4


def test_random_numbers_are_drawn_once() -> None:
    def f() -> Any:
        return ag.random_normal((2,))

    ag.set_seed(1)
    expected = [f().tolist(), f().tolist()]
    ag.set_seed(1)
    run = checked(f)
    np.testing.assert_allclose([run().tolist(), run().tolist()], expected, rtol=1e-6)


@pytest.mark.parametrize("mode", MODES)
def test_training_is_the_same_in_check_mode(mode: str) -> None:
    def losses(check: bool) -> list[float]:
        ag.set_seed(7)
        model = Sequential(Dense(3, 4, ag.tanh), Dense(4, 1))
        adam = Adam(model.trainable_variables)

        def step(x: Any, y: Any) -> Any:
            with ag.GradientTape() as tape:
                loss = ag.mean(ag.square(model(x) - y))
            adam.apply(tape.gradient(loss, adam.targets))
            return loss

        run = ag.function(mode=mode, check=check)(step)  # type: ignore[call-overload]
        random = np.random.default_rng(1)
        x, y = (t(random.normal(size=(8, n)).astype(np.float32)) for n in (3, 1))
        return [run(x, y).item() for _ in range(4)]

    found = losses(True)
    assert found == losses(False) and found[0] > found[-1]


def test_refusals_stay_what_they_are() -> None:
    with pytest.raises(UnconvertedCallError):
        checked(lambda x: open("x"))(t(1.0))


def test_iterators_are_copied_and_generators_refused(golden: Golden) -> None:
    def f(x: Any, items: Any) -> Any:
        return x

    items = iter([1, 2])
    checked(f)(t(1.0), items)
    assert list(items) == [1, 2]
    with pytest.raises(CheckError) as caught:
        checked(f)(t(1.0), (one for one in (1, 2)))
    golden("checks/generator.txt", told(str(caught.value), f))


def test_counters_from_outside_go_one_way() -> None:
    counter = itertools.count(4)

    @ag.function(check=True)
    def f(x: Any) -> Any:
        return x * next(counter)

    with pytest.raises(ag.errors.StateError, match=r"count\(4\), which it advances"):
        f(ag.asarray(1.0))


def test_threads_take_turns() -> None:
    class Count:
        def __init__(self) -> None:
            self.n = 0

        def up(self, x: Any) -> Any:
            self.n += 1
            return self.n + x

    count = Count()
    up = checked(count.up)
    results: list[int] = []
    threads = [
        threading.Thread(target=lambda: results.extend(up(t(0)).item() for _ in range(4)))
        for _ in range(3)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(results) == list(range(1, 13)) and count.n == 12


def test_an_interruption_puts_everything_back() -> None:
    log: list[Any] = []

    def stop() -> None:
        raise KeyboardInterrupt

    def f(x: Any) -> Any:
        log.append(x)
        ag.py_function(stop, [])
        return x

    with pytest.raises(KeyboardInterrupt):
        checked(f)(t(1.0))
    assert log == []


def test_the_environment_asks_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    assert type(ag.function(lambda x: x)) is ag.StagedFunction
    monkeypatch.setenv("AUTOGRAPH_CHECK", "1")
    assert type(ag.function(lambda x: x)) is CheckedFunction
    assert type(ag.function(check=False)(lambda x: x)) is ag.StagedFunction
    monkeypatch.setenv("AUTOGRAPH_CHECK", "0")
    assert type(ag.function(lambda x: x)) is ag.StagedFunction


# rounding -----------------------------------------------------------------------------------------
def above(x: Any, limit: Any) -> Any:
    if ag.exp(x) > limit:
        return "above"
    return "not above"


def turns_above(x: Any, limit: Any) -> Any:
    turns = 0
    while ag.exp(x) > limit:
        x = x - 1
        turns += 1
    return turns


def whole(x: Any, limit: Any) -> Any:
    return ag.floor(limit / ag.exp(x))


def where_exponentials_differ() -> tuple[Any, Any]:
    """A number for which the program rounds `exp` otherwise, and the smaller of the two results."""
    xs = np.linspace(0.1, 1.0, 4001, dtype=np.float32)
    theirs, ours = np.exp(xs), array_function("exp_float32")(xs)
    place = np.argmax(theirs != ours)
    assert theirs[place] != ours[place]
    return t(xs[place]), t(min(theirs[place], ours[place]))


@pytest.mark.parametrize(
    ("function", "line", "what"),
    [
        (above, 1, "condition: greater"),
        (turns_above, 2, "condition: greater"),
        (whole, 1, "value: floor"),
    ],
)
def test_a_decision_of_rounding_is_told_as_that(
    function: Callable[..., Any], line: int, what: str
) -> None:
    x, limit = where_exponentials_differ()
    with pytest.warns(RoundingWarning) as caught:
        checked(function)(x, limit)
    (warning,) = caught
    assert warning.filename == __file__
    assert warning.lineno == function.__code__.co_firstlineno + line
    number = r"\d+\.\d+( \(or \d+\.\d+\))?"
    told = rf"rounding decided this {what} of {number}( and {number})?\n  result differs for that\n"
    assert re.match(told, str(warning.message)), str(warning.message)


def test_a_fault_that_no_rounding_explains_is_no_warning(monkeypatch: pytest.MonkeyPatch) -> None:
    from autograph.runtime.ops.table import RECORDS

    lowering: Any = RECORDS["exp"].lowering
    before = lowering.expression
    object.__setattr__(lowering, "expression", "exp({0}) * 1.001")
    try:
        with pytest.raises(CheckError):
            checked(lambda x: "large" if ag.exp(x) > 2.7183 else "small")(t(1.0, dtype=ag.float64))
    finally:
        object.__setattr__(lowering, "expression", before)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("seed", range(4))
def test_rounding_alone_is_no_difference(seed: int, dtype: Any) -> None:
    random = np.random.default_rng(seed)
    x = (random.normal(size=(9, 65)) * 10.0 ** random.integers(-3, 2)).astype(dtype)

    def f(x: Any) -> Any:
        with ag.GradientTape() as tape:
            tape.watch(x)
            h = ag.zeros((x.shape[1],), dtype=x.dtype)
            for row in x:
                h = ag.tanh(h * 0.9 + row) + ag.sin(h)
            loss = ag.logsumexp(x @ x.T) + ag.sum(h) - ag.sum(ag.flip(h))
        slopes = tape.gradient(loss, x)
        return loss, slopes, ag.softmax(x), ag.std(x), ag.cumulative_sum(x, axis=1)

    checked(f)(t(x))


def test_rounding_grows_in_lists_too() -> None:
    """Each item has the bound of its own turn: the map below doubles a difference in every turn."""

    def f(x: Any, n: Any) -> Any:
        states = []
        for _ in range(n):
            x = ag.sin(x * 3.7) + ag.exp(-x) * 1.9
            states.append((x, float(ag.sum(x))))
        return states

    checked(f)(t(np.array([0.3, 0.7], np.float32)), t(24))


def test_rounding_grows_in_what_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    def f(x: Any, n: Any) -> Any:
        for _ in range(n):
            x = ag.sin(x * 3.7) + ag.exp(-x) * 1.9
            print("now", x, f"{float(x[0]):.2f}")
        return x

    checked(f)(t(np.array([0.3, 0.7], np.float32)), t(24))
    assert capsys.readouterr().out.count("now") == 24
