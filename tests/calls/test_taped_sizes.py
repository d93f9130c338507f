"""Eager tapes around staged functions that change the sizes of tensors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import autograph as ag
from tests.corpus.sizes_of_calls import CASES, SIZED, grown, shorter, the_one_before

pytestmark = pytest.mark.usefixtures("small_heap")


def mapped(x: Any) -> Any:
    return ag.map_fn(lambda v: v * v, x)


def chosen(x: Any) -> Any:
    return ag.concat([x[x > 1] ** 2, (x * x)[x < 2], x[ag.nonzero(x > 1)[0]] ** 3])


def scanned(x: Any) -> Any:
    return ag.scan(lambda c, v: (c * v, c + v * v), ag.ones((), dtype=x.dtype), x)[1]


def listed(x: Any) -> Any:
    found = []
    for v in x:
        if v > 1:
            found.append(v * v * v)
    return ag.stack(found)


def until_large(x: Any) -> Any:
    y = x
    while ag.sum(y) < 100:
        y = ag.concat([y[y > 1] * x[0] + 1, y])
    return y


def slope(f: Callable[..., Any], x: Any, *more: Any) -> tuple[Any, Any]:
    with ag.GradientTape() as tape:
        tape.watch(x)
        y = f(x, *more)
    return y, tape.gradient(y, x)


def curvature(f: Callable[..., Any], x: Any, *more: Any) -> Any:
    with ag.GradientTape() as tape:
        tape.watch(x)
        first = slope(f, x, *more)[1]
    return tape.gradient(first, x, unconnected_gradients="zero")


def assert_close(found: Any, wanted: Any) -> None:
    for one, other in zip(found, wanted, strict=True):
        assert one.shape == other.shape
        np.testing.assert_allclose(one.numpy(), other.numpy(), rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("mode", ["evaluate", "text"])
@pytest.mark.parametrize("f", SIZED, ids=lambda f: f.__name__)
def test_loops_and_recursion(f: Any, mode: Any) -> None:
    staged = ag.function(mode=mode)(f)
    for case in CASES:
        assert_close(slope(staged, *case.args), slope(f, *case.args))


@pytest.mark.parametrize("f", [shorter, grown, the_one_before], ids=lambda f: f.__name__)
def test_both_tapes_outside(f: Any) -> None:
    staged = ag.function(mode="text")(f)
    for case in CASES:
        assert_close([curvature(staged, *case.args)], [curvature(f, *case.args)])


@pytest.mark.parametrize("mode", ["evaluate", "text"])
@pytest.mark.parametrize(
    "f", [mapped, chosen, scanned, listed, until_large], ids=lambda f: f.__name__
)
def test_sizes_that_the_data_decide(f: Any, mode: Any) -> None:
    staged, x = ag.function(mode=mode)(f), ag.asarray([1.5, 3.0, 0.5], dtype=ag.float64)
    assert_close(slope(staged, x), slope(f, x))
    assert_close([curvature(staged, x)], [curvature(f, x)])


def test_none_where_no_output_leads() -> None:
    staged = ag.function(mode="evaluate")(lambda x, u: (x * u, x * 2))
    x, u = ag.asarray(2.0), ag.asarray(1.0)
    with ag.GradientTape(persistent=True) as tape:
        tape.watch([x, u])
        y, z = staged(x, u)
    assert tape.gradient(z, u) is None
    assert tape.gradient(y, u) == 2.0
    assert tape.gradient([y, z], [x, u]) == [3.0, 2.0]
