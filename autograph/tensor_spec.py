"""TensorSpec: the dtype and shape of a tensor, as users write it."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any

import numpy as np

from autograph.runtime.core.dims import Dim
from autograph.runtime.core.dtypes import SHORT_NAMES, DType, as_dtype, float32
from autograph.runtime.core.spec import Spec


class TensorSpec:
    """A tensor of `dtype` and `shape`, in which None stands for a size that is not known.

    `name` is what an input is called, where it is not that of a parameter.
    """

    __slots__ = ("name", "spec")

    def __init__(
        self, shape: Sequence[int | None] | int, dtype: Any = float32, name: str | None = None
    ) -> None:
        if shape is None:
            raise ValueError(
                "a TensorSpec has a known number of axes; of unknown sizes: (None,) for a vector"
            )
        sizes = tuple(Dim.fresh("d") if one is None else _size(one) for one in _several(shape))
        if any(size < 0 for size in sizes if isinstance(size, int)):
            raise ValueError(f"a TensorSpec has sizes of at least 0, or None, not {shape}")
        self.spec = Spec(as_dtype(dtype), sizes)
        if name is not None and not isinstance(name, str):
            raise TypeError(f"name of TensorSpec() is a str, not {name!r}")
        self.name = name

    @classmethod
    def of(cls, value: Any, name: str | None = None) -> TensorSpec:
        """That of a tensor, an array or a Spec; symbolic sizes become None."""
        sizes = [size if isinstance(size, int) else None for size in value.shape]
        return cls(sizes, value.dtype, name)

    @property
    def shape(self) -> tuple[int | None, ...]:
        """The sizes of the axes, None where one is not known."""
        return tuple(size if isinstance(size, int) else None for size in self.spec.shape)

    @property
    def dtype(self) -> DType:
        """The dtype, a NumPy dtype."""
        return self.spec.dtype

    def fits(self, value: Any) -> bool:
        """Whether a tensor or array is of this dtype, with these sizes."""
        sizes: tuple[Any, ...] = value.shape
        return (
            value.dtype == self.dtype
            and len(sizes) == len(self.shape)
            and all(
                wanted is None or size == wanted or not isinstance(size, int)
                for size, wanted in zip(sizes, self.shape, strict=True)
            )
        )

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, TensorSpec):
            return NotImplemented
        return (self.shape, self.dtype, self.name) == (other.shape, other.dtype, other.name)

    def __hash__(self) -> int:
        return hash((self.shape, self.dtype, self.name))

    def __str__(self) -> str:
        sizes = ",".join("?" if size is None else str(size) for size in self.shape)
        return f"{SHORT_NAMES[self.dtype]}[{sizes}]"

    def __repr__(self) -> str:
        name = "" if self.name is None else f", name={self.name!r}"
        return f"TensorSpec({self.shape}, {self.dtype}{name})"


def _several(shape: Any) -> Sequence[Any]:
    """The sizes of a shape; one alone is that of a vector."""
    if isinstance(shape, str):
        raise TypeError(f"shape of TensorSpec() is sizes, not {shape!r}; write (None, 3)")
    return tuple(shape) if isinstance(shape, Sequence | np.ndarray) else (shape,)


def _size(size: Any) -> int:
    try:
        return operator.index(size)
    except TypeError:
        raise TypeError(
            f"a size of TensorSpec() is an int, or None where it varies, not {size!r}"
        ) from None
