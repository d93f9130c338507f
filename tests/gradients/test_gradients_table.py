"""Gradients of every construct, of order 1 and 2: numerically, then in every mode and placing.

(Every op is in `test_ops_gradients`, by its record's samples.) The eager gradients are checked
against differences; the staged ones, with tapes inside and outside, against the eager ones.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import pytest

import autograph as ag

X = np.array([0.7, -0.4, 1.2])
W = np.array([0.5, 1.3, -0.8])
TABLE: dict[str, tuple[Callable[..., Any], int, bool]] = {}


def entry(*numbers: int, compiled: bool = False) -> Callable[[Callable[..., Any]], Any]:
    """A row: a function of `x`, `w` and a staged int, which is called with each of `numbers`."""

    def add(f: Callable[..., Any]) -> Callable[..., Any]:
        for number in numbers or (3,):
            name = f.__name__ if len(numbers) < 2 else f"{f.__name__}-{number}"
            TABLE[name] = (f, number, compiled)
        return f

    return add


# branches -----------------------------------------------------------------------------------------
@entry(1, -1, compiled=True)
def if_else(x, w, n):
    if n > 0:
        y = ag.exp(x) * w
    else:
        y = x * x + ag.tanh(w)
    return y * x


@entry(1, -1)
def if_without_else(x, w, n):
    y = x * w
    if ag.sum(y) * n > 0:
        y = y * ag.sin(x)
    return y


@entry(0, 2)
def nested_if(x, w, n):
    if n > 1:
        y = ag.exp(x)
        if ag.sum(w) > 0:
            return y * w * y
        return y * 2
    return x * ag.sum(w * w)


@entry(1, -1)
def ternary_and_boolean(x, w, n):
    k = x[0] if n > 0 and x[0] > 0 else w[1]
    return x * k * (w if n > 0 or k > 5 else x)


@entry(1, 2, 3)
def match_statement(x, w, n):
    match int(n):
        case 1:
            return x * w
        case 2 if ag.sum(x) > 0:
            return ag.sin(x) * w * w
    return x * x * w


@entry(1, -1)
def none_and_choices(x, w, n):
    scale = None
    if n > 0:
        scale = w * w
    f = ag.sin if n > 0 else ag.tanh
    return f(x) if scale is None else f(x) * scale


# loops --------------------------------------------------------------------------------------------
@entry(0, 3, compiled=True)
def for_range(x, w, n):
    y = x * 1
    for i in range(n):
        y = ag.sin(y * w) + x * i
    return y + w * x


@entry(compiled=True)
def while_on_data(x, w, n):
    y = x * 1
    while ag.sum(y * y) < 30:
        y = y * 1.4 + w * x
    return y


@entry(4, compiled=True)
def break_and_continue(x, w, n):
    y = x * w
    for i in range(n):
        if i == 1:
            continue
        y = y * x + w
        if ag.sum(y) > 3:
            break
    else:
        y = y * w
    return y


@entry(4, 0)
def return_in_a_loop(x, w, n):
    y = x * 1
    for i in range(n):
        y = y * w + x
        if i == 2:
            return y * y
    return y * w


@entry(3)
def nested_loops(x, w, n):
    total = x * 0
    for i in range(n):
        h = w * i
        for _ in range(i):
            h = ag.tanh(h * x)
        total = total + h * w
    return total


@entry()
def over_a_tensor(x, w, n):
    total = w * 0
    for i, row in enumerate(ag.outer(x, w)):
        for a, b in zip(row, w, strict=True):
            total = total + a * b * w * i
    return total


@entry(3)
def sizes_that_grow(x, w, n):
    rows = x[:1]
    for i in range(n):
        rows = ag.concat([rows * w[0], x[i : i + 1] * rows[-1]])
    return ag.sum(rows) * x


# containers ---------------------------------------------------------------------------------------
@entry(3, 0, compiled=True)
def list_append(x, w, n):
    items = [x * w]
    for _ in range(n):
        items.append(ag.sin(items[-1]) * w)
    return ag.sum(ag.stack(items) ** 2, axis=0)


@entry(4)
def list_pop_and_index(x, w, n):
    items = [x, w, x * w]
    for i in range(n):
        if i % 2 == 0:
            items.append(items[i] * x)
        else:
            items[0] = items.pop() * items[1]
    return items[-1] * items[0] + items[1]


@entry(3)
def worklist(x, w, n):
    work, total = deque([(x * w, n * 1)]), x * 0
    while work:
        y, k = work.popleft()
        total = total + y
        if k > 0:
            work.append((ag.sin(y) * w, k - 1))
            if k > 2:
                work.append((y * 0.5 * x, k - 2))
    return total * x


@entry(3)
def comprehension_and_sum(x, w, n):
    parts = [ag.sin(x * i) * w for i in range(n)]
    table = {name: y * y for name, y in zip("abc", (x, w, x * w), strict=True)}
    return sum(parts) + table["a"] * table["c"]


@entry(2)
def item_assignment(x, w, n):
    y = x * w
    y[0] = x[1] * w[2]
    y[n] += y[0] * x[n]
    y[:2] = y[:2] ** 2
    return y * y


@entry(3)
def item_assignment_in_a_loop(x, w, n):
    y = ag.zeros((3,), dtype=ag.float64)
    for i in range(n):
        y[i] = x[i] * w[i] + (y[i - 1] ** 2 if i > 0 else x[0])
    return y


@entry()
def gather_and_scatter(x, w, n):
    places = ag.asarray([2, 0, 2, 1])
    y = ag.take(x, places) * ag.take(w, ag.asarray([0, 0, 1, 2]))
    z = ag.scatter_add(w * 0, places, y * y)
    return z * ag.take_along_axis(x, ag.argsort(x), axis=0)


@entry()
def sorting(x, w, n):
    return ag.sort(x * w) * x + ag.cumulative_sum(x * w) * ag.cumulative_prod(x)


@entry()
def maxima_and_masks(x, w, n):
    y = x[x > 0]
    return ag.sum(y * y) * ag.max(w) * w + ag.where(x > w, x * w, w * w)


# functions ----------------------------------------------------------------------------------------
@entry(3, 0)
def recursion(x, w, n):
    def down(y, k):
        return y * w if k <= 0 else ag.sin(down(y * w, k - 1)) + y

    return down(x, n)


@entry(4)
def tree_recursion(x, w, n):
    def walk(y, k):
        if k <= 1:
            return ag.tanh(y * w)
        return ag.tanh(walk(y, k - 1) * w + walk(y * 0.5, k - 2) * x)

    return walk(x, n)


@entry(4)
def mutual_recursion(x, w, n):
    def even(y, k):
        return y * x if k <= 0 else odd(ag.sin(y) * w, k - 1)

    def odd(y, k):
        return y * w if k <= 0 else even(y * y, k - 1)

    return even(x, n)


@entry(3)
def closures_and_nonlocal(x, w, n):
    state = x * 1

    def step(scale):
        nonlocal state
        state = ag.sin(state * scale) + w
        return state

    total = x * 0
    for _ in range(n):
        total = total + step(w) * state
    return total


@entry(3)
def generators(x, w, n):
    def powers(y):
        for i in range(n):
            if i != 1:
                yield y * i
            y = y * w

    return sum(p * p for p in powers(x))


@entry(3, -2)
def exceptions(x, w, n):
    total = x * w
    for i in range(4):
        try:
            if i == n:
                raise ValueError(i)
            total = total * ag.sin(x)
            assert n > 0
        except (ValueError, AssertionError):
            total = total + w * w
        finally:
            total = total * w
    return total


@dataclass
class State:
    h: Any
    steps: int = 0

    def turn(self, w):
        self.h = ag.tanh(self.h * w)
        self.steps += 1
        return self


class Pair(NamedTuple):
    a: Any
    b: Any


@entry(3, compiled=True)
def dataclass_state(x, w, n):
    state = State(x * w)
    for _ in range(n):
        if ag.sum(state.turn(w).h) < 0:
            state.h = state.h * x
    return state.h * state.steps


@entry(3)
def tuples_and_dicts_of_state(x, w, n):
    pair, table = Pair(x, w), {"k": x * w}
    for i in range(n):
        pair = Pair(pair.b * x, pair.a + table["k"])
        table["k"] = table["k"] * 0.5 if i % 2 == 0 else ag.sin(table["k"])
    return pair.a * pair.b + table["k"]


@entry(3)
def functional_control_flow(x, w, n):
    y = ag.cond(n > 2, lambda: x * w, lambda: x)
    _, z = ag.while_loop(lambda i, z: i < n, lambda i, z: (i + 1, ag.sin(z * w)), (0, y))
    return z * y


@ag.custom_gradient
def cubed(x):
    return x**3, lambda g: g * 3 * x**2


@entry(3)
def custom_gradients(x, w, n):
    for _ in range(n):
        x = ag.sin(cubed(x) * w)
    return x


@entry(3, compiled=True)
def recomputed(x, w, n):
    step = ag.recompute(lambda y, k: ag.sin(y * w) * x + k)
    y = x
    for i in range(n):
        y = step(y, i)
    return y


@entry(3)
def functions_called_back(x, w, n):
    spec = ag.TensorSpec((3,), ag.float64)
    for i in range(n):
        x = ag.py_function(lambda a, b: ag.sin(a * b) + b, [x, w], spec) * (i + 1)
    return x


@entry(2)
def gradients_inside(x, w, n):
    with ag.GradientTape() as tape:
        tape.watch(x)
        y = x * 1
        for _ in range(n):
            y = ag.sin(y * w) * x
    return tape.gradient(y, x) * w


# models -------------------------------------------------------------------------------------------
@entry(3)
def dynamic_rnn(x, w, n):
    kernel, xs = ag.outer(w, x) * 0.5, ag.stack([x, w, x * w])
    h, outputs = ag.zeros((3,), dtype=ag.float64), []
    for t in range(n):
        new = ag.tanh(xs[t] @ kernel + h * w)
        h = ag.where(new > -0.5, new, h)
        outputs.append(h)
    return ag.sum(ag.stack(outputs) ** 2, axis=0)


@entry(4)
def recursive_net(x, w, n):
    kernel = ag.outer(x, w) * 0.3

    def encode(low, high):
        if high - low <= 1:
            return ag.tanh(x * (low + 1))
        middle = (low + high) // 2
        return ag.tanh(kernel @ encode(low, middle) + encode(middle, high) * w)

    return encode(0, n)


# the checks ---------------------------------------------------------------------------------------
def f64(array: Any) -> Any:
    return ag.asarray(array, dtype=ag.float64)


def derivatives(f: Callable[..., Any], x: Any, w: Any, n: Any) -> list[Any]:
    """The result, its gradients, and the gradients of those."""
    with ag.GradientTape() as outer:
        outer.watch([x, w])
        with ag.GradientTape() as inner:
            inner.watch([x, w])
            y = f(x, w, n)
            total = ag.sum(ag.sin(y))
        first = inner.gradient(total, [x, w], unconnected_gradients="zero")
        again = ag.sum(first[0] * w) + ag.sum(ag.sin(first[1]))
    return [y, *first, *outer.gradient(again, [x, w], unconnected_gradients="zero")]


def same(found: Any, wanted: Any, name: str) -> None:
    for one, other in zip(found, wanted, strict=True):
        np.testing.assert_allclose(one.numpy(), other.numpy(), rtol=1e-8, atol=1e-11, err_msg=name)


@pytest.mark.parametrize("name", TABLE)
def test_numerically(name: str) -> None:
    f, number, _ = TABLE[name]
    n = ag.asarray(number)
    ag.check_gradients(lambda x, w: f(x, w, n), f64(X), f64(W), order=2, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("mode", ["evaluate", "text"])
@pytest.mark.parametrize("name", TABLE)
def test_staged(name: str, mode: Any) -> None:
    f, number, _ = TABLE[name]
    n = ag.asarray(number)
    wanted = derivatives(f, f64(X), f64(W), n)
    inside = ag.function(mode=mode)(lambda x, w, n: derivatives(f, x, w, n))
    same(inside(f64(X), f64(W), n), wanted, "tapes inside")
    same(derivatives(ag.function(mode=mode)(f), f64(X), f64(W), n), wanted, "tapes outside")


def test_compiled() -> None:
    rows = [(f, number) for f, number, compiled in TABLE.values() if compiled]

    @ag.function
    def everything(x: Any, w: Any, numbers: Any) -> Any:
        return [derivatives(f, x, w, n) for (f, _), n in zip(rows, numbers, strict=True)]

    numbers = [ag.asarray(number) for _, number in rows]
    for (f, number), found in zip(rows, everything(f64(X), f64(W), numbers), strict=True):
        same(found, derivatives(f, f64(X), f64(W), ag.asarray(number)), f.__name__)
