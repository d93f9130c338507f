"""NumPy arrays that count as tensors."""

from __future__ import annotations

from typing import Any

import numpy as np

from autograph.errors import ArgumentError
from autograph.runtime.core.dtypes import SHORT_NAMES


def is_array_of_numbers(value: Any) -> bool:
    """Whether this is an array that can count as a tensor."""
    plain = type(value) is np.ndarray
    return plain and value.dtype.newbyteorder("=") in SHORT_NAMES


def check_array(array: np.ndarray[Any, Any], use: str) -> None:
    """ArgumentError for an array that cannot count as a tensor: of other dtypes, or a subclass."""
    if type(array) is not np.ndarray:
        raise ArgumentError(
            f"{type(array).__module__}.{type(array).__name__}, a kind of array with rules of its "
            f"own, cannot be {use}",
            remedy="pass a plain array, np.asarray(x), and what it masks or names beside it",
        )
    if array.dtype.newbyteorder("=") not in SHORT_NAMES:
        raise ArgumentError(
            f"an array of dtype {array.dtype} cannot be {use}",
            remedy="keep strings and objects in a list: items = a.tolist(), then items[i]"
            if array.dtype.kind in "USTO"
            else "convert it to bool, an integer dtype, float32 or float64 first",
        )
