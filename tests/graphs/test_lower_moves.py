"""Random turns of loops that pass on, compute and copy what they carry, as programs."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from autograph.runtime.graph.evaluate import evaluate
from autograph.runtime.graph.ir import Graph
from autograph.runtime.lower import build
from autograph.runtime.ops.table import OPS
from tests.harness.lowered_graphs import FLOAT, PYINT, choose, repeat, spec, traced

DEEPEST = 2
"""So deep stand branches and loops in a turn."""


def one_of(rng: random.Random, values: Sequence[Any]) -> Any:
    """A value as it is, or something that is computed from such."""
    kind = rng.random()
    value = rng.choice(values)
    if kind < 0.45:
        return value
    if kind < 0.7:
        return value * rng.choice([0.5, 2.0, -1.0])
    return value + rng.choice(values) if kind < 0.9 else OPS.permute_dims(value, (1, 0))


def turn(rng: random.Random, carried: Sequence[Any], number: Any, depth: int = 0) -> list[Any]:
    """What the next turn gets: old and new values, some of them more than once."""
    values = [*carried, *[one_of(rng, carried) for _ in range(rng.randint(0, 3))] * 2]
    kind, seeds = rng.random(), (rng.random(), rng.random())

    def inner(seed: float, given: Sequence[Any], number: Any) -> list[Any]:
        return turn(random.Random(seed), given, number, depth + 1)

    if kind < 0.3 and depth < DEEPEST:
        yes, no = (lambda s=s: inner(s, values[: len(carried)], number) for s in seeds)
        values += list(choose(number % 2 > 0, yes, no)) * 2
    elif kind < 0.4 and depth < DEEPEST:
        initial = [rng.choice(values) for _ in range(rng.randint(2, 3))]
        values += loop(lambda *c: inner(seeds[0], c[:-1], c[-1]), initial, number % 3) * 2
    return [rng.choice(values) for _ in carried]


def loop(body: Any, initial: Sequence[Any], turns: Any) -> list[Any]:
    """`turns` turns, counted down."""

    def counted(*carried: Any) -> Sequence[Any]:
        return *body(*carried), carried[-1] - 1

    found = repeat(lambda *carried: carried[-1] > 0, counted, (*initial, turns))
    return list(found[: len(initial)])


def random_loop(seed: int) -> Graph:
    """A graph of two matrices and a number of turns."""

    def body(a: Any, b: Any, turns: Any) -> Sequence[Any]:
        rng = random.Random(seed)
        sources = [a, b, a * 1.5, a + b, a - b]
        initial = [rng.choice(sources) for _ in range(rng.randint(2, 5))]
        if rng.random() < 0.4:
            initial[0], initial[-1] = choose(turns > 1, lambda: (b, a + b), lambda: (a, a))
        inside = rng.random()
        return loop(lambda *c: turn(random.Random(inside), c[:-1], c[-1]), initial, turns)

    return traced([spec(3, 3), spec(3, 3), PYINT], body)


@pytest.mark.parametrize(
    "first", [0, *(pytest.param(first, marks=pytest.mark.sweep) for first in range(300, 6000, 300))]
)
def test_random_turns(first: int) -> None:
    rng = np.random.default_rng(first)
    a, b = (rng.standard_normal((3, 3)).astype(FLOAT) for _ in range(2))
    for seed in range(first, first + 300):
        graph = random_loop(seed)
        program = build(graph, jit=False)
        for turns in range(5):
            found = program.run([a, b, turns])
            for got, wanted in zip(found, evaluate(graph, [a, b, turns]), strict=True):
                np.testing.assert_allclose(got, wanted, rtol=1e-4, atol=1e-4, err_msg=str(seed))
