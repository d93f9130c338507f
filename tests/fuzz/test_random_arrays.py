"""Random programs over NumPy arrays do what they do eagerly: results, views, changed arrays."""

from __future__ import annotations

import linecache
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import autograph as ag
from autograph.checking.comparison import difference
from autograph.checking.picture import freeze
from autograph.errors import StagingError
from tests.fuzz.program_arrays import random_array_program
from tests.fuzz.program_held_arrays import random_held_program, random_kept_program

CASES = ((0.3, 0), (-0.8, 2))
ULPS = 4096
"""Sums that cancel lose digits, and a program goes on with them."""
STAGED = (False, True)
"""Whether the number is a tensor."""


def load(seed: int, write: Callable[[int], str] = random_array_program) -> Callable[..., Any]:
    """The function of a seed, from a file that tracebacks know."""
    text = write(seed)
    name = f"<{write.__name__} {seed}>"
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    names: dict[str, Any] = {"np": np}
    exec(compile(text, name, "exec"), names)
    function: Callable[..., Any] = names["program"]
    return function


def outcome(function: Callable[..., Any], start: float, n: Any) -> Any:
    """All that a call shows: its result, changed arrays, and what changing the result changes."""
    a = np.linspace(start, start + 2.0, 12).reshape(3, 4)
    b = np.linspace(-1.0, start, 4)
    try:
        with np.errstate(all="ignore"):
            result = function(a, b, n)
    except StagingError:
        raise
    except Exception as error:
        return freeze((type(error).__name__, a, b))
    first = freeze((result, a, b))
    for one in result[1:]:
        if isinstance(one, np.ndarray) and one.flags.writeable:
            one += 1.0
    return first, freeze((result, a, b))


def compare(seed: int) -> None:
    function = load(seed)
    for staged in STAGED:
        decorated = ag.function(function, mode="evaluate")
        for start, n in CASES:
            wanted = outcome(function, start, n)
            try:
                found = outcome(decorated, start, ag.asarray(n) if staged else n)
            except StagingError as error:
                assert "not foreseen" not in str(error), f"seed {seed}: {error}"
                continue
            pairs = zip(wanted, found) if isinstance(wanted, tuple) else [(wanted, found)]
            for one, other in pairs:
                told = difference(one, other, ULPS)
                assert told is None, (
                    f"seed {seed}, {start}, {n}: {told}\n{random_array_program(seed)}"
                )


@pytest.mark.parametrize("seed", range(60))
def test_a_random_array_program(seed: int) -> None:
    compare(seed)


@pytest.mark.sweep
@pytest.mark.parametrize("first", range(60, 5060, 100))
def test_many_random_array_programs(first: int) -> None:
    for seed in range(first, first + 100):
        compare(seed)


def derived(seed: int, n: int) -> tuple[Callable[..., Any], list[Callable[..., Any]]]:
    """A number that a program gives of `a` and `b`, and the ways to its gradient."""
    program = load(seed)

    def loss(a: Any, b: Any) -> Any:
        s, *rest = program(a, b, n)
        total = np.sin(s)
        for one in rest:
            total = total + np.sum(np.sin(one))
        return total

    gradient = ag.value_and_grad(loss, (0, 1))
    staged = ag.function(gradient, mode="evaluate")
    return loss, [gradient, staged, ag.value_and_grad(ag.function(loss, mode="evaluate"), (0, 1))]


def compare_gradients(seed: int) -> None:
    """Values are those of plain Python, gradients alike in every way and close to differences.

    Where the slope is infinite, it may be NaN.
    """
    for start, n in ((0.31, 0), (-0.83, 2)):
        loss, ways = derived(seed, n)
        a, b = np.linspace(start, start + 2.0, 12).reshape(3, 4), np.linspace(-1.0, start, 4)
        chance = np.random.default_rng(seed)
        along = chance.normal(size=a.shape), chance.normal(size=b.shape)

        def slope(step: float, a: Any = a, b: Any = b, along: Any = along, loss: Any = loss) -> Any:
            ends = [loss(a + h * along[0], b + h * along[1]) for h in (step, -step)]
            return (ends[0] - ends[1]) / (2 * step)

        with np.errstate(all="ignore"):
            wanted = loss(a.copy(), b.copy())
            found = [way(a.copy(), b.copy()) for way in ways]
            slopes = [slope(1e-5), slope(1e-6)]
        told = f"seed {seed}, {start}, {n}"
        for value, gradients in found:
            np.testing.assert_allclose(value, wanted, rtol=1e-7, err_msg=told)
            for one, other in zip(gradients, found[0][1], strict=True):
                np.testing.assert_allclose(one, other, rtol=1e-6, atol=1e-9, err_msg=told)
        known = sum(float((g * d).sum()) for g, d in zip(found[0][1], along, strict=True))
        if abs(slopes[0] - slopes[1]) < 1e-4 * max(1, abs(slopes[0])) < 1 and known == known:
            assert abs(known - slopes[0]) < 1e-3 * max(1, abs(slopes[0])), (told, known, slopes)


@pytest.mark.parametrize("seed", range(20))
def test_gradients_of_a_random_array_program(seed: int) -> None:
    compare_gradients(seed)


@pytest.mark.sweep
@pytest.mark.parametrize("first", range(60, 2060, 100))
def test_gradients_of_many_random_array_programs(first: int) -> None:
    for seed in range(first, first + 100):
        compare_gradients(seed)


PLACES = np.array([0, 1, 2, 0, 1, 3, 0, 2] * 4)
GAINS = np.array([1.0, -1.0, 2.0, 0.5, 0.0, 3.0, -2.0, 1.0] * 4)
KEPT = ((PLACES[:5], GAINS[:5]), (PLACES[3:7], GAINS[3:7]), (PLACES[:5], GAINS[2:7]))
SERIES = ((PLACES, GAINS), (PLACES[::-1].copy(), GAINS * 2 + 1), (PLACES[:6], GAINS[:6]))


def called(function: Callable[..., Any], *args: Any) -> Any:
    """What a call gives, or the class of what it raises."""
    try:
        return freeze(function(*args))
    except StagingError:
        raise
    except Exception as error:
        return freeze(type(error).__name__)


def compare_held(seed: int) -> bool:
    """Whether a program is staged; what it gives is what it gives eagerly."""
    function = load(seed, random_held_program)
    staged = ag.function(function, mode="evaluate")
    for series in SERIES:
        try:
            found = called(staged, *series)
        except StagingError as error:
            assert "not foreseen" not in str(error), f"seed {seed}: {error}"
            return False
        told = difference(called(function, *series), found, ULPS)
        assert told is None, f"seed {seed}: {told}\n{random_held_program(seed)}"
    return True


class Model:
    """What is kept from call to call: a list, a dict and two arrays, some of them at two places."""

    def __init__(self, seed: int) -> None:
        self.a, self.b = np.zeros(2), np.ones(2)
        self.L = [self.a] if seed % 2 else []
        self.D = {0: self.b, 1: np.full(2, 3.0)} if seed % 3 else {}


def compare_kept(seed: int) -> bool:
    """The same of a program whose arrays are kept from call to call, and changed between calls."""
    function = load(seed, random_kept_program)
    staged = ag.function(function, mode="evaluate")
    eager, kept = Model(seed), Model(seed)
    for number, (places, gains) in enumerate(KEPT):
        wanted = called(lambda *given: (function(*given), eager), eager, places, gains)
        try:
            found = called(lambda *given: (staged(*given), kept), kept, places, gains)
        except StagingError as error:
            assert "not foreseen" not in str(error), f"seed {seed}: {error}"
            return False
        told = difference(wanted, found, ULPS)
        assert told is None, f"seed {seed}, call {number}: {told}\n{random_kept_program(seed)}"
        for one in (eager, kept):
            one.a[0] += 1
            (one.L or [one.b])[-1][1] -= 1
    return True


@pytest.mark.parametrize("first", (0, 12))
def test_arrays_held_by_containers(first: int) -> None:
    refused = [seed for seed in range(first, first + 12) if not compare_held(seed)]
    assert len(refused) <= 2, refused


def test_arrays_kept_from_call_to_call() -> None:
    refused = [seed for seed in range(8) if not compare_kept(seed)]
    assert len(refused) <= 1, refused


@pytest.mark.sweep
@pytest.mark.parametrize("first", range(24, 2024, 50))
def test_many_arrays_held_by_containers(first: int) -> None:
    for seed in range(first, first + 50):
        compare_held(seed)
        compare_kept(seed)
