"""Learning rates that change with the number of the step (from 0): functions of it."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import autograph as ag

Schedule = Callable[[Any], Any]


def constant(rate: float) -> Schedule:
    """Always `rate`."""

    def schedule(step: Any) -> Any:
        return rate

    return schedule


def exponential_decay(rate: float, steps: int, factor: float) -> Schedule:
    """`rate * factor ** (step / steps)`."""

    def schedule(step: Any) -> Any:
        return rate * factor ** (step / steps)

    return schedule


def cosine_decay(rate: float, steps: int, last: float = 0.0) -> Schedule:
    """From `rate` to `last` along half a cosine wave of `steps` steps (Loshchilov and Hutter)."""

    def schedule(step: Any) -> Any:
        part = ag.minimum(step / steps, 1.0)
        return last + (rate - last) * 0.5 * (1.0 + ag.cos(math.pi * part))

    return schedule


def polynomial_decay(rate: float, steps: int, last: float = 0.0, power: float = 1.0) -> Schedule:
    """From `rate` to `last` over `steps` steps, straight or by a power of what is left."""

    def schedule(step: Any) -> Any:
        left = 1.0 - ag.minimum(step / steps, 1.0)
        return last + (rate - last) * left**power

    return schedule


def inverse_root(rate: float, steps: int) -> Schedule:
    """`rate` up to `steps`, then as 1 over the root of the step (Vaswani et al., 2017)."""

    def schedule(step: Any) -> Any:
        return rate * ag.sqrt(steps / ag.maximum(step, float(steps)))

    return schedule


def piecewise(boundaries: Sequence[int], rates: Sequence[float]) -> Schedule:
    """`rates[k]` before `boundaries[k]`, and the last rate from the last boundary on."""
    if len(rates) != len(boundaries) + 1:
        raise ValueError(f"{len(boundaries)} boundaries need one rate more, not {len(rates)}")

    def schedule(step: Any) -> Any:
        for boundary, rate in zip(boundaries, rates, strict=False):
            if step < boundary:
                return rate
        return rates[-1]

    return schedule


def warmup(steps: int, following: Schedule) -> Schedule:
    """A straight rise from 0 over `steps` steps to the schedule that follows."""

    if not callable(following):
        raise TypeError(
            f"following of warmup() is a schedule, not {following!r}; write "
            f"warmup(steps, constant({following!r}))"
        )

    def schedule(step: Any) -> Any:
        if step < steps:
            return following(0) * (step + 1) / steps
        return following(step - steps)

    return schedule
