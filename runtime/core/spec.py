"""What is known of a value while tracing: dtype, shape, and whether it is a Python number."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from autograph.runtime.core import dtypes
from autograph.runtime.core.dims import Dim, DimLike, Shape, product
from autograph.runtime.core.dtypes import DType

PYTHON_TYPES: dict[str, type] = {"b": bool, "i": int, "f": float, "c": complex}
PYTHON_NAMES = {"b": "pybool", "i": "pyint", "f": "pyfloat", "c": "pycomplex"}


@dataclass(frozen=True, slots=True)
class Spec:
    """dtype and shape of a tensor; `python` marks a Python number (pybool, pyint, pyfloat)."""

    dtype: DType
    shape: Shape = ()
    python: bool = False

    @property
    def ndim(self) -> int:
        """The number of axes."""
        return len(self.shape)

    @property
    def size(self) -> DimLike:
        """The number of elements."""
        return product(self.shape)

    @property
    def python_type(self) -> type:
        """bool, int, float or complex: the type that a Python number of this spec has."""
        return PYTHON_TYPES[self.dtype.kind]

    @property
    def is_static(self) -> bool:
        """Whether every size is known."""
        return not any(isinstance(dim, Dim) for dim in self.shape)

    def with_shape(self, shape: Shape) -> Spec:
        """The same dtype with another shape, no longer a Python number."""
        return Spec(self.dtype, shape)

    def __str__(self) -> str:
        if self.python:
            return PYTHON_NAMES[self.dtype.kind]
        return f"{dtypes.SHORT_NAMES[self.dtype]}[{','.join(map(str, self.shape))}]"


@dataclass(frozen=True, slots=True)
class ListSpec:
    """A growable sequence of tensors of one dtype and rank; symbolic dims may differ by element."""

    element: Spec

    def __str__(self) -> str:
        return f"list[{self.element}]"


AnySpec = Spec | ListSpec

PYBOOL = Spec(dtypes.bool_, (), python=True)
PYINT = Spec(dtypes.int64, (), python=True)
PYFLOAT = Spec(dtypes.float64, (), python=True)
PYCOMPLEX = Spec(dtypes.complex128, (), python=True)
NUMBER_SPECS: dict[type, Spec] = {bool: PYBOOL, int: PYINT, float: PYFLOAT, complex: PYCOMPLEX}

_WEAK: dict[str, Any] = {"b": False, "i": 0, "f": 0.0, "c": 0j}


def promoted(specs: Sequence[Spec]) -> DType:
    """The dtype NumPy 2 gives to an operation on these; Python numbers are weak.

    Where all are Python numbers it is the widest of bool, int64, float64 and complex128.
    """
    strong = [spec.dtype for spec in specs if not spec.python]
    weak = [_WEAK[spec.dtype.kind] for spec in specs if spec.python]
    if not strong:
        return np.result_type(*(spec.dtype for spec in specs))
    return np.result_type(*strong, *weak)


class ShapeError(ValueError):
    """Shapes that do not fit together; names both."""


def broadcast(shapes: Sequence[Shape]) -> Shape:
    """The shape that shapes broadcast to, as in NumPy. ShapeError where they do not.

    A symbol beside a known size other than 1 takes that size, and beside another symbol the first
    one stays: both are checked when the graph runs.
    """
    rank = max((len(shape) for shape in shapes), default=0)
    result: list[DimLike] = []
    for axis in range(-rank, 0):
        dims = [shape[axis] for shape in shapes if len(shape) >= -axis]
        known = {dim for dim in dims if isinstance(dim, int) and dim != 1}
        if len(known) > 1:
            raise ShapeError(
                "operands could not be broadcast together with shapes "
                + "".join(f"{tuple(shape)} " for shape in shapes)
            )
        symbols = [dim for dim in dims if isinstance(dim, Dim)]
        result.append(known.pop() if known else symbols[0] if symbols else 1)
    return tuple(result)


def normalized_axis(axis: int, ndim: int) -> int:
    """`axis` counted from 0; numpy's AxisError where it is out of range."""
    if not -ndim <= axis < ndim:
        raise np.exceptions.AxisError(axis, ndim)
    return axis % ndim


def normalized_axes(axis: int | Sequence[int] | None, ndim: int) -> tuple[int, ...]:
    """The axes meant by a NumPy-style `axis` argument: None means all; sorted, no repeats."""
    if axis is None:
        return tuple(range(ndim))
    axes = (axis,) if isinstance(axis, int | np.integer) else tuple(axis)
    found = sorted(normalized_axis(int(one), ndim) for one in axes)
    if len(set(found)) != len(found):
        raise ValueError(f"repeated axis in {axis}")
    return tuple(found)
