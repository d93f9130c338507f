"""Draws of Python's `random` in programs: Python's numbers to the bit, and its state afterwards."""

from __future__ import annotations

import math
import random
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest

import autograph as ag
from autograph.kernels.library import python_draws, python_generators
from autograph.runtime.lower.running.drawing import DrawingProgram

Draw = tuple[str, tuple[Any, ...]]
ROWS: list[Draw] = [
    ("random", ()),
    *(("getrandbits", (count,)) for count in (0, 1, 5, 31, 32, 33, 40, 62, 63)),
    *(("randrange", (limit,)) for limit in (1, 2, 3, 7, 2**31, 2**32 - 1, 2**32, 2**40, 2**63 - 1)),
    ("randrange", (-5, 9)),
    ("randrange", (0, 100, 7)),
    ("randrange", (100, 0, -7)),
    ("randint", (1, 6)),
    ("randint", (-(2**40), 2**40)),
    ("uniform", (-1, 2)),
    ("uniform", (0.25, 4.5)),
    ("choice", ([3, 1, 2],)),
    ("choice", ((0.5, 1.5),)),
    ("choice", (range(3, 30, 2),)),
    ("choice", ("abc",)),
    ("gauss", ()),
    ("gauss", (0.3, 1.7)),
    ("triangular", ()),
    ("triangular", (0.0, 2.0, 0.5)),
    ("sample", ([1, 2, 3, 4, 5, 6], 2)),
    ("sample", (range(1000), 3)),
    ("choices", ([1, 2, 3],)),
    ("choices", ([1, 2, 3], [0.5, 0.25, 3.0])),
]
ROUNDED: list[Draw] = [
    ("expovariate", (1.5,)),
    ("normalvariate", (0.5, 2.0)),
    ("lognormvariate", (0.5, 0.25)),
    ("gammavariate", (2.5, 1.5)),
    ("gammavariate", (0.5, 1.5)),
    ("betavariate", (1.5, 2.5)),
    ("vonmisesvariate", (0.5, 1.5)),
    ("paretovariate", (2.5,)),
    ("weibullvariate", (1.5, 2.5)),
]
"""What asks functions of `math` that native code has to an ulp or two."""


def some(rng: Any, name: str, args: Any, turns: int) -> Any:
    """Draws in a loop, and more."""
    found = []
    for _ in range(turns):
        found.append(getattr(rng, name)(*args))
    return found, rng.random(), getattr(rng, name)(*args)


def are_native(function: Any) -> bool:
    """Whether all traces draw by themselves."""
    programs = [one.differentiable.program for one in function._traces]
    return all(isinstance(one, DrawingProgram) and one.is_native for one in programs)


def name_of(row: Draw) -> str:
    return f"{row[0]}-{row[1]}"


def pair(seed: int) -> tuple[random.Random, random.Random]:
    return random.Random(seed), random.Random(seed)


@pytest.mark.parametrize("row", ROWS, ids=name_of)
def test_numbers_and_states_are_pythons(row: Draw) -> None:
    name, args = row
    for mode in ("compile", "text"):
        function = ag.function(some, mode=mode)
        for seed in range(5):
            ours, eager = pair(seed)
            for turns in (5, 4):
                found, expected = function(ours, name, args, turns), some(eager, name, args, turns)
                assert repr(found) == repr(expected)
                assert ours.getstate() == eager.getstate()
        assert are_native(function)


@pytest.mark.parametrize("row", ROUNDED, ids=name_of)
def test_other_distributions_draw_what_pythons_draw(row: Draw) -> None:
    name, args = row
    function = ag.function(some)
    for seed in range(5):
        ours, eager = pair(seed)
        for turns in (50, 40):
            found, expected = function(ours, name, args, turns), some(eager, name, args, turns)
            np.testing.assert_allclose(np.hstack(found), np.hstack(expected), rtol=1e-13)
            assert ours.getstate() == eager.getstate()
    assert are_native(function)


def many(rng: Any, n: int, limit: int) -> Any:
    """Sums that change with each number and its place."""
    total, mixed = 0.0, 0
    for k in range(n):
        total = 0.75 * total + rng.random()
        mixed = (mixed ^ rng.getrandbits(61)) >> 1
        mixed ^= rng.randrange(limit + k)
        total += rng.gauss(0.0, 1.0)
    return total, mixed


@pytest.mark.compiled
def test_a_million_numbers() -> None:
    function = ag.function(many)
    ours, eager = pair(11)
    for n, limit in ((3, 5), (250_001, 10), (40_000, 2**33), (1, 1)):
        assert function(ours, n, limit) == many(eager, n, limit)
        assert ours.getstate() == eager.getstate()
    assert are_native(function)


def test_all_places_in_the_state() -> None:
    function = ag.function(some)
    ours, eager = pair(3)
    for used in (0, 1, 226, 227, 228, 396, 397, 622, 623, 624):
        words = eager.getstate()[1]
        for one in (ours, eager):
            one.setstate((3, (*words[:-1], used), None))
        assert function(ours, "random", (), 700) == some(eager, "random", (), 700)
        assert ours.getstate() == eager.getstate()


def test_the_text_says_what_python_does(monkeypatch: pytest.MonkeyPatch) -> None:
    """The functions that are compiled, run by CPython on a copy of the state."""
    eager = random.Random(5)
    words = np.array((eager.getstate()[1][-1], *eager.getstate()[1][:-1]), np.int64)
    room = np.array([0, 0, 0], np.int64)
    monkeypatch.setattr(python_draws, "uint32_at", lambda _: words)
    monkeypatch.setattr(python_draws, "int64_at", lambda _: room)
    monkeypatch.setattr(python_draws, "float64_at", lambda _: room.view(np.float64))
    for name, function in (("logarithm", math.log), ("sine", math.sin), ("cosine", math.cos)):
        monkeypatch.setattr(python_draws, f"c_{name}", function)
    monkeypatch.setattr(python_draws, "square_root", math.sqrt)
    for k in range(1, 400):
        assert python_draws.draw_python_unit(0) == eager.random()
        assert python_draws.draw_python_bits(0, k % 64) == eager.getrandbits(k % 64)
        assert python_draws.draw_python_below(0, k) == eager.randrange(k)
        assert python_draws.draw_python_gauss(0) == eager.gauss(0.0, 1.0)
    assert (*words[1:], words[0]) == eager.getstate()[1]


# what raises, what is kept ------------------------------------------------------------------------
def up_to(rng: Any, n: int, limit: float) -> float:
    total = 0.0
    for k in range(n):
        total += rng.gauss(rng.random(), 1.0)
        if total > limit:
            raise ValueError(k)
        total += rng.randrange(n - k)
    return total


def outcome(function: Callable[..., Any], *args: Any) -> Any:
    try:
        return function(*args)
    except Exception as error:
        return type(error), str(error)


def test_what_was_drawn_before_an_exception_stays_drawn() -> None:
    function = ag.function(up_to)
    ours, eager = pair(1)
    for limit in (1e9, 2.0, 3.5, 1e9, 0.5, 9.0):
        assert outcome(function, ours, 6, limit) == outcome(up_to, eager, 6, limit)
        assert ours.getstate() == eager.getstate()
    assert are_native(function)


def below(rng: Any, n: int) -> Any:
    first = rng.random()
    return first, rng.randrange(n), rng.randint(0, n)


def test_empty_ranges() -> None:
    function = ag.function(below)
    ours, eager = pair(1)
    for n in (3, 5, 0, -1, 7, 2**62):
        assert outcome(function, ours, n) == outcome(below, eager, n)
        assert ours.getstate() == eager.getstate()


def no_bits(rng: Any, n: int) -> Any:
    first = rng.random()
    return first, rng.getrandbits(-1 if n > 3 else 5), n


def test_fewer_bits_than_none() -> None:
    function = ag.function(no_bits)
    ours, eager = pair(1)
    for n in (3, 5, 2):
        assert outcome(function, ours, n) == outcome(no_bits, eager, n)
        assert ours.getstate() == eager.getstate()


def chosen(one: Any, other: Any, n: int) -> Any:
    total = 0.0
    for k in range(n):
        rng = one if total < 1.0 else other
        total += rng.random() * rng.gauss(0.0, 1.0) + rng.randrange(k + 1)
    return total


def test_one_of_two_generators() -> None:
    function = ag.function(chosen)
    (a, c), (b, d) = pair(1), pair(2)
    for n in (3, 9, 20):
        assert function(a, b, n) == chosen(c, d, n)
        assert (a.getstate(), b.getstate()) == (c.getstate(), d.getstate())
    assert are_native(function)


def normals(rng: Any, n: int) -> list[float]:
    found = []
    for _ in range(n):
        found.append(rng.gauss(0.0, 1.0))
    return found


def test_the_number_that_is_kept_goes_to_and_fro() -> None:
    for mode in ("compile", "text"):
        function = ag.function(normals, mode=mode)
        ours, eager = pair(1)
        for n in (2, 3, 0, 4, 1, 1, 5):
            assert function(ours, n) == normals(eager, n)
            assert ours.getstate() == eager.getstate()
            if n % 2:
                assert ours.gauss(1.0, 2.0) == eager.gauss(1.0, 2.0)
        ours.seed(4)
        eager.seed(4)
        assert function(ours, 3) == normals(eager, 3)


def seeded_in_between(n: int) -> Any:
    found = [random.gauss(0, 1)]
    for k in range(n):
        found.append(random.gauss(0, 1) + random.random())
        random.seed(k)
        found.append(random.gauss(0, 1) + random.randint(1, 6))
    for _ in range(n):
        found.append(random.gauss(0, 1))
    return found


def test_seeds_inside() -> None:
    function = ag.function(seeded_in_between)
    for n in (2, 3):
        random.seed(1)
        expected, state = seeded_in_between(n), random.getstate()
        random.seed(1)
        assert function(n) == expected
        assert random.getstate() == state


# generators ---------------------------------------------------------------------------------------
def of_two(one: Any, other: Any, n: int) -> float:
    total = 0.0
    for _ in range(n):
        total += one.random() - other.gauss(0.0, 1.0) * one.gauss(0.0, 1.0)
    return total


def test_two_generators_and_one_under_two_names() -> None:
    function = ag.function(of_two)
    (a, c), (b, d) = pair(1), pair(2)
    for n in (3, 4, 5):
        assert function(a, b, n) == of_two(c, d, n)
        assert function(a, a, n) == of_two(c, c, n)
        assert a.getstate() == c.getstate()
        assert b.getstate() == d.getstate()
    assert are_native(function)


def of_both_kinds(one: Any, other: Any, n: int) -> float:
    total = 0.0
    for _ in range(n):
        total += one.random() - other.normal() + one.gauss()
    return total


def test_beside_one_of_numpys() -> None:
    function = ag.function(of_both_kinds)
    (a, b), rows = pair(1), (np.random.default_rng(2), np.random.default_rng(2))
    for n in (3, 4):
        assert function(a, rows[0], n) == of_both_kinds(b, rows[1], n)
        assert a.getstate() == b.getstate()
    assert are_native(function)


def in_a_loop(rng: Any, n: int) -> float:
    total = 0.0
    for _ in range(n):
        total += rng.random() + rng.randrange(1000)
    return total


class Half(random.Random):
    def random(self) -> float:
        return super().random() / 2


class Odd(random.Random):
    def getrandbits(self, k: int, /) -> int:
        return super().getrandbits(k) | 1


class Usual(random.Random):
    pass


@pytest.mark.parametrize("kind", [Half, Odd, Usual])
def test_classes_of_the_users(kind: Any) -> None:
    function = ag.function(in_a_loop)
    ours, eager = kind(1), kind(1)
    for n in (3, 4, 700):
        assert function(ours, n) == in_a_loop(eager, n)
        assert ours.getstate() == eager.getstate()
    assert are_native(function) == (kind is Usual)


def test_methods_that_are_replaced_later() -> None:
    function = ag.function(in_a_loop)
    ours, eager = pair(1)
    for n in (3, 4):
        assert function(ours, n) == in_a_loop(eager, n)
    for one in (ours, eager):
        one.random = lambda: 0.25  # type: ignore[method-assign]
    assert function(ours, 5) == in_a_loop(eager, 5)
    for one in (ours, eager):
        one.getrandbits = lambda count: 1  # type: ignore[method-assign]
    assert function(ours, 6) == in_a_loop(eager, 6)


def made_here(seed: int, n: int) -> float:
    rng = random.Random(seed)
    total = 0.0
    for _ in range(n):
        total += rng.random() + rng.gauss(0.0, 1.0)
    if n > 5:
        rng = random.Random(n)
    return total + rng.random()


def test_a_generator_that_the_function_makes() -> None:
    function = ag.function(made_here)
    for seed, n in ((1, 2), (2, 3), (3, 9), (3, 4), (-5, 3)):
        assert function(seed, n) == made_here(seed, n)


def drawn(rng: Any, n: int) -> list[float]:
    return [rng.random() for _ in range(n)]


@pytest.mark.parametrize("mode", ["compile", "text"])
def test_threads_draw_each_number_once(mode: str) -> None:
    function = ag.function(drawn, mode=mode)
    rng, eager = pair(7)
    for n in (2, 3):
        assert function(rng, n) == drawn(eager, n)
    found: list[list[float]] = [[], [], []]

    def work(mine: list[float]) -> None:
        for n in range(40):
            mine.extend(function(rng, n))
            mine.append(rng.random())

    threads = [threading.Thread(target=work, args=(mine,)) for mine in found]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    every = sorted(number for mine in found for number in mine)
    assert every == sorted(drawn(eager, len(every)))
    assert rng.getstate() == eager.getstate()


class Rang(Exception):
    pass


@contextmanager
def alarm(seconds: float) -> Iterator[None]:
    def ring(number: int, frame: Any) -> None:
        raise Rang

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def endless(rng: Any, n: int) -> float:
    total = 0.0
    while total >= -n:
        total += rng.random()
    return total


@pytest.mark.compiled
def test_a_run_that_is_interrupted_leaves_a_state_of_python() -> None:
    function = ag.function(endless)
    ours, eager = pair(1)
    assert function(ours, -1) == endless(eager, -1)
    with pytest.raises(Rang), alarm(0.02):
        function(ours, 1)
    wanted = ours.random(), ours.random()
    seen = eager.random(), eager.random()
    for _ in range(200_000_000):
        if seen == wanted:
            break
        seen = seen[1], eager.random()
    assert seen == wanted


# what is not offered, what is noted ---------------------------------------------------------------
def test_where_the_state_is_not_found_cpython_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(python_generators, "HEAD", python_generators.HEAD + 4)
    python_generators.is_offered.cache_clear()
    try:
        assert not python_generators.is_offered()
        function = ag.function(in_a_loop)
        ours, eager = pair(1)
        for n in (2, 3):
            assert function(ours, n) == in_a_loop(eager, n)
        assert not are_native(function)
    finally:
        python_generators.is_offered.cache_clear()


def noisy(rng: Any, x: Any, n: int) -> Any:
    for _ in range(n):
        x = x * (1.0 + rng.random()) + rng.gauss(0.0, 1.0) * rng.choice([-1, 1])
    return x * x


def test_gradients_see_the_numbers_that_were_drawn() -> None:
    function = ag.function(noisy)
    ours, eager = pair(1)
    for n in (2, 3, 4):
        x = ag.asarray(1.5, dtype=ag.float64)
        results = []
        for run, rng in ((function, ours), (noisy, eager)):
            with ag.GradientTape() as outer:
                outer.watch(x)
                with ag.GradientTape() as tape:
                    tape.watch(x)
                    y = run(rng, x, n)
                slope = tape.gradient(y, x)
            bend = outer.gradient(slope, x)
            results.append([float(one) for one in (y, slope, bend, run(rng, x, n))])
        np.testing.assert_allclose(results[0], results[1], rtol=1e-14)
        assert ours.getstate() == eager.getstate()


def test_check_mode_puts_the_state_back() -> None:
    function = ag.function(many, check=True)
    ours, eager = pair(1)
    for n in (2, 3, 4):
        assert function(ours, n, 5) == many(eager, n, 5)
        assert ours.getstate() == eager.getstate()
