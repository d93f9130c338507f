"""The bits of floats as integers, and back."""

from __future__ import annotations

from typing import Any

from autograph.kernels.scalar.intrinsics import (
    bits_to_float32,
    bits_to_float64,
    float32_bits,
    float64_bits,
)


def bits_of_float32(x: Any) -> Any:
    """The int32 that has the bits of x."""
    return float32_bits(x)


def bits_of_float64(x: Any) -> Any:
    """The int64 that has the bits of x."""
    return float64_bits(x)


def float32_of_bits(bits: Any) -> Any:
    """The float32 that has these bits."""
    return bits_to_float32(bits)


def float64_of_bits(bits: Any) -> Any:
    """The float64 that has these bits."""
    return bits_to_float64(bits)
