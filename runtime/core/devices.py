"""Devices: where values live, and where what is computed in a scope is to live."""

from __future__ import annotations

import threading
from contextlib import AbstractContextManager
from types import TracebackType
from typing import Any

CPU = "cpu:0"
AVAILABLE = [CPU]
"""The devices that are there, the default one first."""


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
    """`with ag.device("cpu:0"):` computes on a device; scopes nest, the innermost counts.

    The name is a kind and a number, such as `cpu:0`; without the number it is the first of its
    kind. None leaves things as they are. DeviceError where there is no such device.
    """

    def __init__(self, name: str | None) -> None:
        self.name = current_device() if name is None else device_named(name)
        self._outer: list[tuple[str, ...]] = []

    def __enter__(self) -> str:
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


def devices() -> list[str]:
    """The names of the devices that are there, the default one first."""
    return list(AVAILABLE)


def current_device() -> str:
    """The device of the innermost scope of this thread, else the default one."""
    return _SCOPES.names[-1] if _SCOPES.names else AVAILABLE[0]


def require_device(name: Any) -> None:
    """DeviceError where what a call is given as `device` is not there; None is no wish."""
    if name is not None:
        device_named(name)


def device_named(name: Any) -> str:
    """The full name of a device; DeviceError where it is not there, TypeError for no string."""
    if not isinstance(name, str):
        raise TypeError(f"a device is named by a string such as {CPU!r}, not by {name!r}")
    wanted = name.strip().lower().removeprefix("/").removeprefix("device:")
    full = wanted if ":" in wanted else f"{wanted}:0"
    if full not in AVAILABLE:
        raise DeviceError(f"there is no device {name!r}; there are: {', '.join(AVAILABLE)}")
    return full
