"""What a Python number cannot become in a program: tests that are made before the arithmetic."""

from __future__ import annotations

from typing import Any

from autograph.kernels.memory import multiply_overflows


def power_overflows(base: Any, exponent: Any) -> bool:
    """Whether base ** exponent, exponent not negative, is no int64."""
    result = 1
    for _ in range(min(exponent, 64)):
        if multiply_overflows(result, base):
            return True
        result = result * base
    return False


def float_power_fails(base: Any, exponent: Any) -> bool:
    """Whether Python refuses base ** exponent, or its result is no real number or too large."""
    if base == 0.0 and exponent < 0.0:
        return True
    finite: bool = base - base == 0.0 and exponent - exponent == 0.0
    if base < 0.0 and finite and exponent % 1.0 != 0.0:
        return True
    result: float = pow(base, exponent)
    return finite and result - result != 0.0
