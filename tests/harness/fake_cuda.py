"""A stand-in for CUDA's driver library: its functions in Python, over this process's memory.

Kernels do nothing but write a status; every call is written down by name.
"""

from __future__ import annotations

import ctypes
from typing import Any

ATTRIBUTES = {16: 4, 75: 9, 76: 0, 89: 1, 95: 1}
"""Processors, compute capability, shared memory, cooperative launches."""


def _put(place: Any, value: Any) -> None:
    """Write what `byref(...)` points to."""
    place._obj.value = value


class FakeCuda:
    """What `ctypes.CDLL("libcuda.so.1")` would be."""

    def __init__(self, count: int = 1) -> None:
        self.count = count
        self.calls: list[str] = []
        self.blocks: dict[int, Any] = {}
        self.launched: list[tuple[Any, ...]] = []
        self.status = 0
        self.fails: dict[str, int] = {}
        self.queries = [600, 600, 0]
        """What is said of the stream, one after the other: 600 is "not ready"."""
        self.words = {name: (ctypes.c_uint8 * 64)() for name in ("grid", "stop")}

    def __getattr__(self, name: str) -> Any:
        if not name.startswith("cu"):
            raise AttributeError(name)

        def call(*arguments: Any) -> int:
            self.calls.append(name)
            if name in self.fails:
                return self.fails[name]
            found = getattr(self, f"do_{name}", None)
            return int(found(*arguments) or 0) if found is not None else 0

        return call

    def do_cuDeviceGetCount(self, place: Any) -> None:
        _put(place, self.count)

    def do_cuDeviceGetAttribute(self, place: Any, which: Any, device: Any) -> None:
        _put(place, ATTRIBUTES[which.value])

    def do_cuDeviceGetName(self, name: Any, size: Any, device: Any) -> None:
        name.value = b"a stand-in"

    def do_cuModuleLoadDataEx(
        self, module: Any, code: bytes, count: Any, options: Any, values: Any
    ) -> int:
        assert code.endswith(b"\0") and count.value == 2 and list(options) == [5, 6]
        if b".entry" not in code:
            text = b"no entry\0"
            ctypes.memmove(values[0], text, len(text))
            return 218
        _put(module, 7)
        return 0

    def do_cuModuleGetGlobal_v2(self, address: Any, size: Any, module: Any, name: Any) -> None:
        word = self.words["stop" if b"stop" in name.value else "grid"]
        _put(address, ctypes.addressof(word))
        _put(size, 64)

    def do_cuOccupancyMaxActiveBlocksPerMultiprocessor(self, place: Any, *rest: Any) -> None:
        _put(place, 2)

    def do_cuMemAlloc_v2(self, place: Any, size: Any) -> None:
        block = ctypes.create_string_buffer(size.value + 64)
        address = (ctypes.addressof(block) + 63) & -64
        self.blocks[address] = block
        _put(place, address)

    def do_cuMemAllocManaged(self, place: Any, size: Any, flags: Any) -> None:
        assert flags.value == 1
        self.do_cuMemAlloc_v2(place, size)

    def do_cuMemPrefetchAsync(self, address: Any, size: Any, device: Any, stream: Any) -> None:
        self.prefetched = (address.value, size.value)

    def do_cuMemcpy(self, target: Any, source: Any, count: Any) -> None:
        ctypes.memmove(target.value, source.value, count.value)

    def do_cuMemFree_v2(self, address: Any) -> None:
        del self.blocks[address.value]

    def do_cuMemHostAlloc(self, place: Any, size: Any, flags: Any) -> None:
        assert flags.value == 2
        self.host = ctypes.create_string_buffer(size.value)
        _put(place, ctypes.addressof(self.host))

    def do_cuMemHostGetDevicePointer_v2(self, place: Any, host: Any, flags: Any) -> None:
        _put(place, host.value)

    def do_cuMemcpyHtoD_v2(self, address: Any, source: Any, count: Any) -> None:
        ctypes.memmove(address.value, source.value, count.value)

    def do_cuMemcpyDtoH_v2(self, target: Any, address: Any, count: Any) -> None:
        ctypes.memmove(target.value, address.value, count.value)

    def do_cuMemsetD8_v2(self, address: Any, value: Any, count: Any) -> None:
        ctypes.memset(address.value, value.value, count.value)

    def do_cuLaunchCooperativeKernel(self, function: Any, *rest: Any) -> None:
        *extents, stream, pointers = rest
        words = [ctypes.c_uint64.from_address(one).value for one in pointers]
        self.launched.append((tuple(one.value for one in extents), words))
        ctypes.c_int64.from_address(words[1]).value = self.status

    def do_cuStreamQuery(self, stream: Any) -> int:
        return self.queries.pop(0) if self.queries else 0

    def do_cuGetErrorString(self, status: Any, place: Any) -> None:
        _put(place, b"went wrong")
