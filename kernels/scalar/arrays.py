"""Scalar functions on whole arrays: the same text, with array operations for the primitives.

NumPy rounds element by element as the scalar operations do, so the results are the same to the bit.
Only functions without branches and loops of their own can be had.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from autograph.kernels.scalar.intrinsics import product_error
from autograph.kernels.scalar.source import text_of
from autograph.kernels.scalar.threefry import random_bits

PRIMITIVES: dict[str, Any] = {
    "np": np,
    "select": np.where,
    "copy_sign": np.copysign,
    "float32_bits": lambda x: np.asarray(x).view(np.int32),
    "float64_bits": lambda x: np.asarray(x).view(np.int64),
    "bits_to_float32": lambda bits: np.asarray(bits).astype(np.int32).view(np.float32),
    "bits_to_float64": lambda bits: np.asarray(bits).view(np.float64),
    "round_down": np.floor,
    "round_up": np.ceil,
    "round_to_zero": np.trunc,
    "round_even": np.rint,
    "square_root": np.sqrt,
    "product_error": product_error,
    "random_bits": random_bits,
}


@functools.cache
def array_function(name: str) -> Callable[..., Any]:
    """The scalar function of this name (`exp_float32`), for arrays of its dtype.

    Run it under `np.errstate(all="ignore")`. NameError at the call where it needs the C library.
    """
    namespace = dict(PRIMITIVES)
    exec(compile(text_of([name]), f"<arrays of {name}>", "exec"), namespace)
    return namespace[name]  # type: ignore[no-any-return]
