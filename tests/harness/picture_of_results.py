"""Results of two ways to run a function: the same structure, numbers nearly the same."""

from __future__ import annotations

from typing import Any

import numpy as np


def same_results(got: Any, wanted: Any, tolerance: float = 1e-12) -> None:
    """AssertionError where two results differ by more than rounding."""
    assert type(got) is type(wanted), f"{type(got)} is not {type(wanted)}"
    if isinstance(wanted, tuple | list):
        assert len(got) == len(wanted)
        for one, other in zip(got, wanted, strict=True):
            same_results(one, other, tolerance)
        return
    one, other = np.asarray(got), np.asarray(wanted)
    assert one.dtype == other.dtype and one.shape == other.shape
    np.testing.assert_allclose(one, other, rtol=tolerance, atol=tolerance)
