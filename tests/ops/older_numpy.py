"""A function that calls NumPy's functions in C, for a process in which these have no signatures."""

from __future__ import annotations

from typing import Any

import numpy as np


def total(a: Any) -> Any:
    """33.0 of three ones."""
    both = np.concatenate([a, np.add(a, 1)], axis=0)
    places = np.where(both > 1)[0]
    return (
        np.dot(both, both) + np.inner(a, a) + np.bincount(places, minlength=2).sum() + places.sum()
    )
