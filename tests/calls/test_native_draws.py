"""Draws of NumPy's generators in programs: NumPy's numbers to the bit, and its state afterwards."""

from __future__ import annotations

import gc
import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import autograph as ag
from autograph.errors import StateError
from autograph.kernels.library import draws, older_draws
from autograph.operators.arrays.native_draws import GENERATOR, RANDOM_STATE
from autograph.runtime.lower.running.drawing import DrawingProgram

Draw = tuple[str, tuple[Any, ...], dict[str, Any]]


def draw(name: str, *args: Any, **named: Any) -> Draw:
    return name, args, named


OF_BOTH = [
    draw("random"),
    draw("random", 3),
    draw("random", size=(2, 3)),
    draw("uniform"),
    draw("uniform", 0.25, 4.5),
    draw("uniform", -1, 2, (2, 2)),
    draw("uniform", high=3.5, size=4),
    draw("standard_normal"),
    draw("standard_normal", 3),
    draw("normal"),
    draw("normal", 0.3, 1.7),
    draw("normal", 1.5, 2, 3),
    draw("standard_exponential"),
    draw("exponential"),
    draw("exponential", 2.5),
    draw("exponential", 2.5, 3),
    draw("choice", 7),
    draw("choice", 1),
    draw("choice", 2**40, 3),
    draw("choice", [-1, 1]),
    draw("choice", (0.5, 1.5, 2.5), 3),
    draw("choice", np.arange(5, dtype=np.int8)),
    draw("choice", np.arange(5.0), size=(2, 2)),
    draw("choice", 4, p=[0.1, 0.2, 0.3, 0.4]),
    draw("choice", [1.5, 2.5], p=(0.25, 0.75), size=3),
    draw("choice", np.arange(3.0), p=np.array([0.5, 0.0, 0.5])),
]
OF_GENERATORS = [
    draw("integers", 9),
    draw("integers", -5, 9),
    draw("integers", -5, 9, 4),
    draw("integers", 1),
    draw("integers", 0, 2**32),
    draw("integers", 0, 2**32 - 1, 3),
    draw("integers", -(2**40), 2**40),
    draw("integers", -(2**63), 2**63 - 1, endpoint=True),
    draw("integers", 3, 3, endpoint=True),
    draw("integers", 5, dtype=int),
    draw("standard_cauchy"),
    *(draw(name, 1.7) for name in "chisquare pareto power rayleigh standard_gamma".split()),
    *(draw(name, 1.7) for name in "standard_t weibull poisson gamma".split()),
    *(draw(name, 0.4, 1.7) for name in "beta f gamma gumbel laplace logistic".split()),
    *(draw(name, 0.4, 1.7) for name in "lognormal vonmises wald".split()),
    draw("poisson", 130.0, 3),
    draw("geometric", 0.35),
    draw("geometric", 0.01, 3),
]
OF_RANDOM_STATES = [
    draw("rand"),
    draw("rand", 2, 3),
    draw("randn"),
    draw("randn", 3),
    draw("random_sample"),
    draw("random_sample", 3),
    draw("randint", 9),
    draw("randint", -5, 9),
    draw("randint", -5, 9, 4),
    draw("randint", 1),
    draw("randint", 0, 2**32),
    draw("randint", 0, 2**32 - 1, 3),
    draw("randint", -(2**40), 2**40),
    draw("randint", 0, 6, 3, dtype=np.int64),
]
ROWS = [
    *((np.random.default_rng, one) for one in OF_BOTH + OF_GENERATORS),
    *((np.random.RandomState, one) for one in OF_BOTH + OF_RANDOM_STATES),
]


def state_of(generator: Any) -> Any:
    if isinstance(generator, np.random.RandomState):
        return generator.get_state(legacy=False)
    return generator.bit_generator.state


def some(rng: Any, name: str, args: Any, named: Any, turns: int) -> Any:
    """Draws in a loop, and more: a buffer of the generator that is left shows in what follows."""
    found = []
    for _ in range(turns):
        found.append(getattr(rng, name)(*args, **named))
    return found, rng.random(), getattr(rng, name)(*args, **named)


def picture(value: Any) -> Any:
    """All that there is to see of a value: types and bits."""
    if isinstance(value, list | tuple):
        return type(value), [picture(one) for one in value]
    if isinstance(value, dict):
        return {key: picture(one) for key, one in value.items()}
    if isinstance(value, np.ndarray | np.generic):
        return type(value), value.dtype, value.shape, value.tobytes()
    return type(value), repr(value)


def same(one: Any, other: Any) -> bool:
    return bool(picture(one) == picture(other))


def are_native(function: Any) -> bool:
    """Whether all traces draw by themselves."""
    programs = [one.differentiable.program for one in function._traces]
    return all(isinstance(one, DrawingProgram) and one.is_native for one in programs)


def name_of(row: Any) -> str:
    make, (name, args, named) = row
    return f"{make.__name__}-{name}-{args}-{named}"


@pytest.mark.parametrize("row", ROWS, ids=name_of)
def test_numbers_and_states_are_numpys(row: Any) -> None:
    make, (name, args, named) = row
    staged_args = tuple(np.float64(x) if type(x) is float else x for x in args)
    for mode in ("compile", "text"):
        function = ag.function(some, mode=mode)
        for seed in range(6):
            for given in (args, staged_args):
                ours, eager = make(seed), make(seed)
                for turns in (5, 4):
                    found = function(ours, name, given, named, turns)
                    assert same(found, some(eager, name, given, named, turns))
                    assert same(state_of(ours), state_of(eager))
        assert are_native(function)


def test_every_method_is_in_the_table() -> None:
    named = {(make, one[0]) for make, one in ROWS}
    assert {(np.random.default_rng, name) for name in GENERATOR} <= named
    assert {(np.random.RandomState, name) for name in RANDOM_STATE} <= named


# what raises --------------------------------------------------------------------------------------
FAILING = [
    (np.random.default_rng, draw("uniform", 2.0, 1.0)),
    (np.random.default_rng, draw("uniform", 0.0, np.inf)),
    (np.random.default_rng, draw("uniform", np.nan, 1.0)),
    (np.random.default_rng, draw("normal", 0.0, -1.0)),
    (np.random.default_rng, draw("normal", 0.0, -0.0)),
    (np.random.default_rng, draw("gamma", -1.0, 1.0)),
    (np.random.default_rng, draw("beta", 0.0, 1.0)),
    (np.random.default_rng, draw("poisson", -1.0)),
    (np.random.default_rng, draw("poisson", np.nan)),
    (np.random.default_rng, draw("poisson", 1e19)),
    (np.random.default_rng, draw("geometric", 0.0)),
    (np.random.default_rng, draw("integers", 3, 3)),
    (np.random.default_rng, draw("integers", 3, 2, endpoint=True)),
    (np.random.default_rng, draw("integers", 0)),
    (np.random.default_rng, draw("choice", 0)),
    (np.random.RandomState, draw("uniform", 0.0, np.inf)),
    (np.random.RandomState, draw("normal", 0.0, -1.0)),
    (np.random.RandomState, draw("exponential", -1.0)),
    (np.random.RandomState, draw("randint", 5, -5)),
    (np.random.RandomState, draw("choice", -1)),
]


def outcome(function: Callable[..., Any], *args: Any) -> Any:
    try:
        return picture(function(*args))
    except Exception as error:
        return type(error), str(error)


@pytest.mark.parametrize("row", FAILING, ids=name_of)
def test_exceptions_and_what_was_drawn_before_them(row: Any) -> None:
    make, (name, args, named) = row
    staged = [np.float64(x) if isinstance(x, float) else np.int64(x) for x in args]
    fine = [0.5, 0.75] if isinstance(args[0], float) else [3, 5]
    usual = [type(one)(x) for one, x in zip(staged, fine, strict=False)]
    function = ag.function(some)
    ours, eager = make(1), make(1)
    for given in (usual, staged, usual):
        found = outcome(function, ours, name, tuple(given), named, 2)
        assert found == outcome(some, eager, name, tuple(given), named, 2)
        assert same(state_of(ours), state_of(eager))


def sized(rng: Any, n: int) -> Any:
    first = rng.random()
    return first, rng.normal(size=n), rng.uniform(0, 1, (2, n)), rng.integers(0, 9, n)


def test_sizes_of_the_run() -> None:
    function = ag.function(sized)
    ours, eager = np.random.default_rng(1), np.random.default_rng(1)
    for n in (3, 4, 0, 70, -1, 5):
        assert outcome(function, ours, n) == outcome(sized, eager, n)
        assert same(state_of(ours), state_of(eager))
    assert are_native(function)


def picked(rng: Any, items: Any, n: int) -> Any:
    total = 0.0
    for _ in range(n):
        total += rng.choice(items) * rng.choice([-1, 1])
    return total, rng.choice(items, 3)


def test_items_of_arrays_of_any_length() -> None:
    function = ag.function(picked)
    for make in (np.random.default_rng, np.random.RandomState):
        ours, eager = make(1), make(1)
        for length in range(4, 12):
            items = np.arange(length) / 7
            assert outcome(function, ours, items, 20) == outcome(picked, eager, items, 20)
            assert same(state_of(ours), state_of(eager))
    assert are_native(function)


WEIGHTS = [
    [0.5, 0.6, 0.1],
    [0.5, -0.5, 1.0],
    [np.nan, 0.5, 0.5],
    [0.5, 0.5],
    [[0.5, 0.5, 0.0]],
    [0.5, 0.5, 1e-9],
    [0.5, 0.5, 1e-7],
]


@pytest.mark.parametrize("make", [np.random.default_rng, np.random.RandomState])
def test_probabilities_that_are_none(make: Any) -> None:
    function = ag.function(mode="text")(some)
    ours, eager = make(1), make(1)
    for weights in WEIGHTS:
        for kind in (list, np.array, np.float32):
            named = {"p": kind(weights)}
            for items in (3, np.arange(3.0)):
                found = outcome(function, ours, "choice", (items,), named, 3)
                assert found == outcome(some, eager, "choice", (items,), named, 3)
                assert same(state_of(ours), state_of(eager))


CHANGED = [1, 2, 3]


def of_a_global(rng: Any) -> Any:
    return rng.choice(CHANGED), rng.random()


def test_items_of_a_list_that_changes() -> None:
    function = ag.function(of_a_global)
    ours, eager = np.random.default_rng(1), np.random.default_rng(1)
    for k in range(12):
        CHANGED[k % 3] = 10 * k
        if k % 4 == 3:
            CHANGED.append(k)
        assert outcome(function, ours) == outcome(of_a_global, eager)


def sum_before(rng: Any, a: Any, b: Any) -> Any:
    total = a + b
    return total * rng.random()


def sum_after(rng: Any, a: Any, b: Any) -> Any:
    scaled = a * 2.0
    drawn = rng.random()
    return scaled + b + drawn


@pytest.mark.parametrize("plain", [sum_before, sum_after])
def test_no_draw_is_made_in_vain_and_none_is_left_out(plain: Any) -> None:
    function = ag.function(plain)
    ours, eager = np.random.default_rng(1), np.random.default_rng(1)
    for n, m in ((3, 3), (4, 4), (5, 6), (6, 5), (7, 7)):
        args = np.arange(n, dtype=float), np.arange(m, dtype=float)
        assert outcome(function, ours, *args) == outcome(plain, eager, *args)
        assert same(state_of(ours), state_of(eager))


def in_a_try(rng: Any, n: int, k: int) -> Any:
    total = 0.0
    with np.errstate(all="ignore"):
        for _ in range(n):
            total += rng.integers(k)
    try:
        for _ in range(n):
            total += rng.normal(total, 1.0)
    except KeyError:
        total = -1.0
    return total


def test_draws_where_a_handler_may_be() -> None:
    function = ag.function(in_a_try)
    ours, eager = np.random.default_rng(1), np.random.default_rng(1)
    for n in (2, 3, 4):
        assert function(ours, n, n + 3) == in_a_try(eager, n, n + 3)
        assert same(state_of(ours), state_of(eager))
    assert are_native(function)
    with pytest.raises(StateError, match="high <= 0"):
        function(ours, 3, 0)


# generators ---------------------------------------------------------------------------------------
def of_two(one: Any, other: Any, n: int) -> float:
    total = 0.0
    for _ in range(n):
        total += one.random() - other.normal()
    return total


def test_two_generators_and_one_under_two_names() -> None:
    function = ag.function(of_two)
    a, b = np.random.default_rng(1), np.random.RandomState(2)
    c, d = np.random.default_rng(1), np.random.RandomState(2)
    for n in (3, 4, 5):
        assert function(a, b, n) == of_two(c, d, n)
        assert function(a, a, n) == of_two(c, c, n)
    # another one for the same bits
    bits = np.random.PCG64(5)
    one, other = np.random.Generator(bits), np.random.Generator(bits)
    again = np.random.default_rng(5)
    assert function(one, other, 6) == of_two(again, again, 6)


@pytest.mark.parametrize("kind", ["PCG64", "PCG64DXSM", "MT19937", "Philox", "SFC64"])
def test_all_bit_generators(kind: str) -> None:
    function = ag.function(of_two)
    made = [np.random.Generator(getattr(np.random, kind)(3)) for _ in range(2)]
    older = [np.random.RandomState(getattr(np.random, kind)(4)) for _ in range(2)]
    for n in (2, 3):
        assert function(made[0], older[0], n) == of_two(made[1], older[1], n)
        assert same(state_of(older[0]), state_of(older[1]))
    assert are_native(function)


class Counted(np.random.PCG64):
    """A bit generator of the user's: it draws by the functions that it inherits."""


def in_a_loop(rng: Any, n: int) -> float:
    total = 0.0
    for _ in range(n):
        total += rng.standard_normal()
    return total


def test_a_bit_generator_of_the_users() -> None:
    function = ag.function(in_a_loop)
    ours, eager = np.random.Generator(Counted(3)), np.random.Generator(Counted(3))
    for n in (2, 3):
        assert function(ours, n) == in_a_loop(eager, n)
        assert function(np.random.default_rng(n), 4) == in_a_loop(np.random.default_rng(n), 4)
        gc.collect()


def made_here(seed: int, n: int) -> float:
    rng = np.random.default_rng(seed)
    total = 0.0
    for _ in range(n):
        total += rng.random()
    if n > 5:
        rng = np.random.default_rng(n)
    return total + rng.random()


def test_a_generator_that_the_function_makes() -> None:
    function = ag.function(made_here)
    for seed, n in ((1, 2), (2, 3), (3, 9), (3, 4)):
        assert function(seed, n) == made_here(seed, n)


def of_the_module(n: int) -> float:
    total = 0.0
    for _ in range(n):
        total += np.random.rand() + np.random.randn() + np.random.randint(10)
    return total


def test_the_generator_of_the_module() -> None:
    function = ag.function(of_the_module)
    for n in (2, 3, 4):
        np.random.seed(n)
        expected = of_the_module(n), np.random.rand(), np.random.randn()
        np.random.seed(n)
        assert (function(n), np.random.rand(), np.random.randn()) == expected
    assert are_native(function)


def test_a_run_waits_for_the_lock_of_the_generator() -> None:
    function, rng = ag.function(in_a_loop), np.random.default_rng(1)
    function(rng, 2)
    function(rng, 3)
    found: list[float] = []
    with rng.bit_generator.lock:
        thread = threading.Thread(target=lambda: found.append(function(rng, 4)))
        thread.start()
        thread.join(0.2)
        assert not found
    thread.join()
    assert found
    assert rng.bit_generator.lock.acquire(blocking=False)  # and gives it back
    rng.bit_generator.lock.release()


# what is not offered, what is noted ---------------------------------------------------------------
def test_numbers_that_are_not_numpys_are_not_offered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(older_draws.math, "log", lambda x: np.log2(x))
    older_draws.is_offered.cache_clear()
    try:
        assert not older_draws.is_offered(older_draws.KEPT_NORMAL)
        assert not older_draws.is_offered(older_draws.INVERTED)
        assert older_draws.is_offered("draw_normal")
        function = ag.function(in_a_loop)
        ours, eager = np.random.RandomState(1), np.random.RandomState(1)
        for n in (2, 3):
            assert function(ours, n) == in_a_loop(eager, n)
        assert not are_native(function)
    finally:
        older_draws.is_offered.cache_clear()


def test_without_numpys_functions_cpython_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(draws, "addresses", lambda: {})
    older_draws.is_offered.cache_clear()
    try:
        function = ag.function(in_a_loop)
        for n in (2, 3):
            ours, eager = np.random.default_rng(n), np.random.default_rng(n)
            assert function(ours, n) == in_a_loop(eager, n)
        assert not are_native(function)
    finally:
        older_draws.is_offered.cache_clear()


def noisy(rng: Any, x: Any, n: int) -> Any:
    for _ in range(n):
        x = x * (1.0 + rng.random()) + rng.normal(size=2).sum()
    return x * x


def test_gradients_see_the_numbers_that_were_drawn() -> None:
    function = ag.function(noisy)
    ours, eager = np.random.default_rng(1), np.random.default_rng(1)
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
        assert same(state_of(ours), state_of(eager))
