"""What the array API standard asks of a namespace besides functions: interchange and inspection."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any

import numpy as np

from autograph.errors import StagingError
from autograph.runtime.core import dtypes
from autograph.runtime.core.devices import current_device, device_named, devices, foreign_array
from autograph.runtime.core.devices import device as device_scope
from autograph.runtime.core.promotion import isdtype
from autograph.runtime.core.state import STATE
from autograph.runtime.core.tensor import Tensor, as_array

VERSION = "2024.12"


def from_dlpack(x: Any, /, *, device: Any = None, copy: bool | None = None) -> Tensor:
    """A tensor of a copy of an array of any library that has `__dlpack__`."""
    if isinstance(x, Tensor):
        return x.copy()
    if STATE.interpreter is not None:
        raise StagingError(
            "from_dlpack in a staged function would read the array only while it is traced",
            remedy="call it outside, and pass the tensor as an argument",
        )
    on_gpu = foreign_array(x)
    if on_gpu is not None:
        return Tensor._of(on_gpu)
    return Tensor._of(as_array(np.from_dlpack(x), copy=True))


def _dlpack(
    self: Tensor,
    *,
    stream: Any = None,
    max_version: tuple[int, int] | None = None,
    dl_device: tuple[int, int] | None = None,
    copy: bool | None = None,
) -> Any:
    """A capsule with a copy of the value: who gets it may write into it."""
    if copy is False:
        raise BufferError("the value of a tensor is not shared: others could write into it")
    array = self._concrete("__dlpack__()")
    self._require_unwatched("another library takes the elements")
    return array.copy().__dlpack__(stream=stream, max_version=max_version, dl_device=dl_device)


def _dlpack_device(self: Tensor) -> tuple[int, int]:
    """DLPack's name of the CPU."""
    return 1, 0


def _array_namespace(self: Tensor, *, api_version: str | None = None) -> ModuleType:
    """The module `autograph`."""
    if api_version is not None and api_version > VERSION:
        raise ValueError(f"the array API of {api_version} is not known; {VERSION} is")
    return sys.modules["autograph"]


def _to_device(self: Tensor, device: Any, /, *, stream: Any = None) -> Tensor:
    """The tensor on a device, such as `cuda:0`: itself where it is there, else a copy.

    Gradients go through the copy. DeviceError where there is no such device.
    """
    name = device_named(device)
    if self.device == name:
        return self
    if STATE.interpreter is not None:
        return self.copy()  # where a staged function runs is not of its own choosing
    with device_scope(name):
        return self.copy()


def _to(self: Tensor, device: Any, /) -> Tensor:
    """The tensor on a device, as `to_device` gives it."""
    if not isinstance(device, str):
        raise TypeError(
            f"x.to(device) takes the name of a device, such as 'cuda:0', not {device!r}; for a "
            "dtype write x.astype(ag.float64)"
        )
    return _to_device(self, device)


class NamespaceInfo:
    """What `__array_namespace_info__` gives."""

    def capabilities(self) -> dict[str, Any]:
        """What a program may do; inside staged functions, too."""
        return {"boolean indexing": True, "data-dependent shapes": True, "max dimensions": 64}

    def default_device(self) -> str:
        """Where tensors are made."""
        return current_device()

    def devices(self) -> list[str]:
        """Where tensors can be."""
        return devices()

    def default_dtypes(self, *, device: Any = None) -> dict[str, Any]:
        """The dtypes of tensors made of Python numbers."""
        real = dtypes.default_dtype(float)
        whole = dtypes.complex64 if real == dtypes.float32 else dtypes.complex128
        integer = dtypes.default_dtype(int)
        return {
            "real floating": real,
            "complex floating": whole,
            "integral": integer,
            "indexing": dtypes.int64,
        }

    def dtypes(self, *, device: Any = None, kind: Any = None) -> dict[str, Any]:
        """All dtypes by name, or those of a kind."""
        found = {dtype.name: dtype for dtype in dtypes.SHORT_NAMES}
        return {name: one for name, one in found.items() if kind is None or isdtype(one, kind)}


def install() -> None:
    """Give tensors the methods that only this module can know."""
    methods = {
        "__dlpack__": _dlpack,
        "__dlpack_device__": _dlpack_device,
        "__array_namespace__": _array_namespace,
        "to_device": _to_device,
        "to": _to,
    }
    for name, method in methods.items():
        setattr(Tensor, name, method)
