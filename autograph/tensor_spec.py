"""TensorSpec: the dtype and shape of a tensor, as users write it."""

from __future__ import annotations

from typing import Any

from autograph.runtime.core.dims import Dim
from autograph.runtime.core.dtypes import as_dtype, float32
from autograph.runtime.core.spec import Spec


class TensorSpec:
    """A tensor of `dtype` and `shape`, in which None stands for a size that is not known."""

    def __init__(self, shape: Any, dtype: Any = float32) -> None:
        sizes = tuple(Dim.fresh("d") if size is None else int(size) for size in shape)
        self.spec = Spec(as_dtype(dtype), sizes)

    def __repr__(self) -> str:
        return f"TensorSpec({self.spec})"
