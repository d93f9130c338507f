"""Devices: where values live, and where what is computed in a scope is to live."""

from __future__ import annotations

import threading
from contextlib import AbstractContextManager
from types import TracebackType
from typing import Any

import numpy as np

from autograph.kernels.cuda.managed import ManagedMemory, block_of, is_in_use
from autograph.runtime.core.anatomy import StagingError
from autograph.runtime.core.state import STATE

Array = np.ndarray[Any, Any]
CPU = "cpu:0"
ELSEWHERE: list[str] = []
"""The scopes of all threads that name a GPU: nearly always none, which is quickly seen."""


class DeviceError(ValueError):
    """A device that is not there; the message lists those that are.

    def f(x):
        with ag.device("tpu:0"): return x * 2       # f(t(1.0)): DeviceError, eager DeviceError
    def f(x):
        with ag.device("cpu:0"): return x * 2       # instead
    """


class _Scopes(threading.local):
    names: tuple[str, ...] = ()


_SCOPES = _Scopes()


class device(AbstractContextManager[str]):
    """`with ag.device("cuda:0"):` computes on a device; scopes nest, the innermost counts.

    Staged functions that are called in it run there, as by `mode="cuda"`, and what `zeros`,
    `asarray` and their kin make lives there. Eager ops run on the CPU, to which the GPU's memory is
    known. The name is a kind and a number, such as `cpu:0`; without the number it is the first of
    its kind. None leaves things as they are. DeviceError where there is no such device;
    StagingError inside a staged function for another device than the CPU: it runs on one device.
    """

    def __init__(self, name: str | None) -> None:
        self.name = current_device() if name is None else device_named(name)
        self._outer: list[tuple[str, ...]] = []

    def __enter__(self) -> str:
        if self.name != CPU:
            if STATE.interpreter is not None:
                raise StagingError(
                    "a staged function runs on one device, as a whole",
                    remedy="put the scope around its call, or write @ag.function(mode='cuda')",
                )
            ELSEWHERE.append(self.name)
        self._outer.append(_SCOPES.names)
        _SCOPES.names = (*_SCOPES.names, self.name)
        return self.name

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        _SCOPES.names = self._outer.pop()
        if self.name != CPU:
            ELSEWHERE.remove(self.name)


def devices() -> list[str]:
    """The names of the devices that are there, the default one first."""
    from autograph.kernels.cuda.driver import device_count

    return [CPU, *(f"cuda:{number}" for number in range(device_count()))]


def current_device() -> str:
    """The device of the innermost scope of this thread, else the default one."""
    return _SCOPES.names[-1] if _SCOPES.names else CPU


def device_named(name: Any) -> str:
    """The full name of a device; DeviceError where it is not there, TypeError for no string."""
    if not isinstance(name, str):
        raise TypeError(f"a device is named by a string such as {CPU!r}, not by {name!r}")
    wanted = name.strip().lower().removeprefix("/").removeprefix("device:").replace("gpu", "cuda")
    full = wanted if ":" in wanted else f"{wanted}:0"
    if full != CPU and full not in devices():
        raise DeviceError(f"there is no device {name!r}; there are: {', '.join(devices())}")
    return full


# arrays on devices --------------------------------------------------------------------------------
def device_of(value: Any) -> str:
    """Where a tensor's value lives. StagingError where only the run tells."""
    if STATE.interpreter is None and type(value) is np.ndarray:
        block = block_of(value) if value.base is not None else None
        return CPU if block is None else block.memory.name
    if is_in_use():
        raise StagingError(
            "a staged function does not know where its arguments live",
            remedy="ask for x.device outside, and hand on what follows from it",
        )
    return CPU


def wanted_device(name: Any) -> str:
    """The device that `device=` names in a call; the current one for None."""
    return current_device() if name is None else device_named(name)


def on_device(array: Array, name: str) -> Array:
    """An array on a device: itself where it is there, else a copy."""
    if device_of(array) == name:
        return array
    return array.copy() if name == CPU else _memory_of(name).copy(np.asarray(array, order="C"))


def placed(value: Any) -> Any:
    """An array on the device of the present scope; numbers, and all without scopes, as they are."""
    if not _SCOPES.names or not isinstance(value, np.ndarray):
        return value
    return on_device(value, current_device())


def _memory_of(name: str) -> ManagedMemory:
    from autograph.kernels.cuda import launch

    memory = launch.memory_on_gpu(int(name.partition(":")[2]))
    if memory is None:
        raise DeviceError(
            f"{name} shares no memory with the processor here (CUDA on Windows has it so): tensors "
            "stay on the CPU, and calls with mode='cuda' bring them there and back"
        )
    return memory


def foreign_array(value: Any) -> Array | None:
    """A copy, on its device, of an array on a GPU of another library (`__cuda_array_interface__`);
    None for what is none.

    Source: the CUDA array interface of Numba's documentation, version 3.
    """
    told = getattr(value, "__cuda_array_interface__", None)
    if told is None:
        return None
    dtype, shape = np.dtype(told["typestr"]), tuple(told["shape"])
    strides = told.get("strides")
    if strides is not None and tuple(strides) != _in_rows(shape, dtype.itemsize):
        raise ValueError("an array on a GPU that is not in rows; make it contiguous first")
    number = getattr(getattr(value, "device", None), "id", 0)
    address: int = told["data"][0]
    return _memory_of(f"cuda:{number}").foreign(address, shape, dtype)


def _in_rows(shape: tuple[int, ...], size: int) -> tuple[int, ...]:
    strides: list[int] = []
    for count in reversed(shape):
        strides.append(size)
        size *= count
    return tuple(reversed(strides))
