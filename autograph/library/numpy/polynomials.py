"""What `numpy.polynomial` does with arrays of objects, as Python that is converted."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.polynomial import polyutils
from numpy.polynomial._polybase import ABCPolyBase


def mapdomain(x: Any, old: Any, new: Any) -> Any:
    """`polyutils.mapdomain`: numbers, or a polynomial, mapped from one interval to another."""
    offset, scale = polyutils.mapparms(old, new)
    return offset + scale * (x if isinstance(x, ABCPolyBase) else np.asanyarray(x))
