"""Random compositions of tensor ops: the program gives what the evaluator and eager calls give.

Each op alone is tested by the table; here results go into one another, so that loops are fused,
memory is used again, and parts are computed where they are going.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import autograph as ag
from autograph.runtime.autodiff.recording.tape import GradientTape
from autograph.runtime.core.dims import Dim
from autograph.runtime.core.spec import Spec
from autograph.runtime.graph.evaluate import evaluate
from autograph.runtime.graph.trace import Trace
from autograph.runtime.lower import build

Step = Callable[[list[Any]], Any]
SHAPES = ((2, 3), (3,), (2, 4, 3), (2, 1), (4, 3))
STEPS = 9

UNARY: tuple[Callable[[Any], Any], ...] = (
    ag.tanh,
    ag.abs,
    ag.negative,
    ag.square,
    ag.sign,
    ag.floor,
    ag.sigmoid,
    lambda x: ag.sqrt(ag.abs(x) + 0.5),
    lambda x: ag.astype(x > 0.1, x.dtype),
    lambda x: ag.where(x > 0.0, x, x * 0.25),
    lambda x: ag.astype(ag.astype(x, ag.float32), ag.float64),
)
BINARY: tuple[Callable[[Any, Any], Any], ...] = (
    ag.add,
    ag.subtract,
    ag.multiply,
    ag.maximum,
    ag.minimum,
    lambda x, y: ag.where(x > y, x, y * 0.5),
    lambda x, y: x / (ag.abs(y) + 1.0),
)
REDUCTIONS = (ag.sum, ag.max, ag.min, ag.mean, ag.prod, ag.std, ag.logsumexp)


def axis_of(rng: random.Random, x: Any) -> int:
    return rng.randrange(-x.ndim, x.ndim)


def unary(rng: random.Random, pool: list[Any]) -> Step:
    function, one = rng.choice(UNARY), rng.randrange(len(pool))
    return lambda pool: function(pool[one])


def binary(rng: random.Random, pool: list[Any]) -> Step:
    function, one, other = rng.choice(BINARY), rng.randrange(len(pool)), rng.randrange(len(pool))
    return lambda pool: function(pool[one], pool[other])


def reduction(rng: random.Random, pool: list[Any]) -> Step:
    function, one = rng.choice(REDUCTIONS), rng.randrange(len(pool))
    axis: Any = axis_of(rng, pool[one])
    if rng.random() < 0.2:
        axis = tuple(range(pool[one].ndim))[-2:]
    keeps = rng.random() < 0.4
    return lambda pool: function(pool[one], axis=axis, keepdims=keeps)


def joining(rng: random.Random, pool: list[Any]) -> Step:
    first = rng.randrange(len(pool))
    axis = axis_of(rng, pool[first])
    place = axis % pool[first].ndim

    def without(x: Any) -> tuple[int, ...]:
        return (*x.shape[:place], *x.shape[place + 1 :])

    fitting = [
        number
        for number, one in enumerate(pool)
        if one.ndim == pool[first].ndim and without(one) == without(pool[first])
    ]
    chosen = [first, *rng.choices(fitting, k=rng.randrange(1, 3))]
    rng.shuffle(chosen)
    return lambda pool: ag.concat([pool[one] for one in chosen], axis=axis)


def stacking(rng: random.Random, pool: list[Any]) -> Step:
    first = rng.randrange(len(pool))
    alike = [number for number, one in enumerate(pool) if one.shape == pool[first].shape]
    chosen, axis = rng.choices(alike, k=2), axis_of(rng, pool[first])
    return lambda pool: ag.stack([pool[one] for one in chosen], axis=axis)


def moving(rng: random.Random, pool: list[Any]) -> Step:
    one = rng.randrange(len(pool))
    x, axis = pool[one], axis_of(rng, pool[one])
    order = rng.sample(range(x.ndim), x.ndim)
    index = tuple(
        rng.choice((slice(None), slice(None, None, -1), slice(0, 1), slice(1, None), 0, None, ...))
        for _ in range(rng.randrange(1, x.ndim + 1))
    )
    index = index if index.count(...) < 2 else (...,)
    places = np.array([rng.randrange(min(x.shape)) for _ in range(3)])
    moves: tuple[Step, ...] = (
        lambda pool: ag.permute_dims(pool[one], order),
        lambda pool: ag.reshape(pool[one], (-1,)),
        lambda pool: ag.expand_dims(pool[one], axis=axis),
        lambda pool: ag.flip(pool[one], axis=axis),
        lambda pool: ag.roll(pool[one], 1, axis=axis),
        lambda pool: ag.tile(pool[one], (2, 1)),
        lambda pool: ag.repeat(pool[one], 2, axis=axis),
        lambda pool: ag.pad(pool[one], [(1, 0)] * x.ndim),
        lambda pool: ag.take(pool[one], places, axis=axis),
        lambda pool: pool[one][index],
        lambda pool: ag.cumulative_sum(pool[one], axis=axis),
        lambda pool: ag.sort(pool[one], axis=axis),
    )
    return rng.choice(moves)


def product(rng: random.Random, pool: list[Any]) -> Step:
    one, other = rng.randrange(len(pool)), rng.randrange(len(pool))
    return lambda pool: ag.matmul(pool[one], pool[other])


KINDS = (unary, binary, binary, reduction, reduction, joining, joining, stacking, moving, product)


def planned(rng: random.Random, arrays: list[Any]) -> list[Step]:
    """Steps that work on these arrays, found by trying."""
    pool, steps = [ag.asarray(one) for one in arrays], []
    while len(steps) < STEPS:
        try:
            step = rng.choice(KINDS)(rng, pool)
            made = step(pool)
        except (ValueError, IndexError, TypeError):
            continue
        if 0 < made.ndim < 5 and made.size < 300:
            pool.append(made)
            steps.append(step)
    return steps


def results(steps: list[Step], inputs: list[Any], differentiates: bool) -> list[Any]:
    """The last values, and the gradients of their sum."""
    with GradientTape() as tape:
        tape.watch(inputs)
        pool = list(inputs)
        for step in steps:
            pool.append(step(pool))
        last = pool[-4:]
        total: Any = 0.0
        for one in last:
            total = total + ag.sum(one)
    found = tape.gradient(total, inputs, unconnected_gradients="zero") if differentiates else []
    return [*last, *found]


def check(seed: int) -> None:
    rng, numbers = random.Random(seed), np.random.default_rng(seed)
    arrays = [numbers.normal(size=shape) for shape in rng.sample(SHAPES, 3)]
    steps = planned(rng, arrays)
    differentiates, symbolic = rng.random() < 0.5, rng.random() < 0.5
    wanted = [
        np.asarray(one) for one in results(steps, list(map(ag.asarray, arrays)), differentiates)
    ]
    trace = Trace("random")
    with trace.active():
        inputs = []
        for number, array in enumerate(arrays):
            shape = tuple(
                Dim.symbol(f"s{number}_{i}") if symbolic and size > 1 else size
                for i, size in enumerate(array.shape)
            )
            inputs.append(trace.add_input(Spec(array.dtype, shape)))
        trace.graph.outputs = [
            trace.value_of(one) for one in results(steps, inputs, differentiates)
        ]
    evaluated = evaluate(trace.graph, arrays)
    for number, (one, other) in enumerate(zip(evaluated, wanted, strict=True)):
        np.testing.assert_allclose(
            one, other, 1e-9, 1e-9, err_msg=f"seed {seed}, evaluated {number}"
        )
    program = build(trace.graph, jit=False)
    for number, (one, other) in enumerate(zip(program.run(arrays), evaluated, strict=True)):
        np.testing.assert_allclose(one, other, 1e-9, 1e-9, err_msg=f"seed {seed}, program {number}")


@pytest.mark.parametrize("first", range(0, 100, 20))
def test_programs_of_tensors(first: int) -> None:
    for seed in range(first, first + 20):
        check(seed)


@pytest.mark.sweep
@pytest.mark.parametrize("first", range(100, 10_100, 500))
def test_many_programs_of_tensors(first: int) -> None:
    for seed in range(first, first + 500):
        check(seed)
