"""W11, W12: what a call costs on vectors of 10 elements, staged and eager."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from typing import Any

import numpy as np

import autograph as ag
from tests.bench.measure import OURS, Workload

COUNTS = (1, 4, 16)
CALLS = 100  # in a row, so that the clock and the loop around weigh nothing


def total(*values: Any) -> Any:
    result = values[0] + 1.0
    for value in values[1:]:
        result = result + value
    return result


def three(x: Any, y: Any) -> Any:
    return (x * y + x).sum()


def vectors() -> list[np.ndarray]:
    rng = np.random.default_rng(0)
    return [rng.standard_normal(10, dtype=np.float32) for _ in range(max(COUNTS))]


def many(call: Callable[..., Any], *arguments: Any) -> Callable[[], Any]:
    """`call`, CALLS times."""

    def repeated() -> Any:
        for _ in range(CALLS):
            result = call(*arguments)
        return result

    return repeated


def gradient(x: Any, y: Any) -> Any:
    with ag.GradientTape() as tape:
        tape.watch(x)
        result = three(x, y)
    return tape.gradient(result, x)


def gradient_by_hand(x: Any, y: Any) -> Any:
    return np.ones_like(x) * y + np.ones_like(x)


def torch_gradient(x: Any, y: Any) -> Any:
    import torch

    return torch.autograd.grad(three(x, y), x)[0].detach()


Peers = dict[str, Callable[[], Any]]


def staged(count: int, jax: bool) -> Workload:
    """A staged function that adds its arguments."""
    arrays = vectors()[:count]
    contestants: Peers = {OURS: many(ag.function(total), *map(ag.asarray, arrays))}
    contestants["numpy"] = many(total, *arrays)
    if jax:
        import jax as peer

        contestants["jax"] = many(peer.jit(total), *map(peer.numpy.asarray, arrays))
    title = f"staged: the sum of {count} tensors, {CALLS} calls"
    return Workload("W11", title, contestants, 1e-5)


def eager(title: str, call: Any, by_hand: Any, torch_call: Callable[..., Any]) -> Workload:
    """Operations one by one."""
    x, y, *_ = vectors()
    contestants: Peers = {OURS: many(call, ag.asarray(x), ag.asarray(y))}
    contestants["numpy"] = many(by_hand, x, y)
    if importlib.util.find_spec("torch") is not None:
        import torch

        leaf = torch.from_numpy(x).requires_grad_(torch_call is torch_gradient)
        contestants["torch"] = many(torch_call, leaf, torch.from_numpy(y))
    return Workload("W12", f"eager: {title}, {CALLS} times", contestants, 1e-5)


def add(x: Any, y: Any) -> Any:
    return x + y


def workloads(jax: bool) -> list[Workload]:
    return [
        *(staged(count, jax) for count in COUNTS),
        eager("one add", add, add, add),
        eager("x * y + x, summed", three, three, three),
        eager("its gradient on a tape", gradient, gradient_by_hand, torch_gradient),
    ]
