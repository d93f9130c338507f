"""CUDA's driver: the few of its functions that kernels need, by ctypes.

Nothing is installed for it: the driver comes with the GPU. The names and signatures are those of
the CUDA Driver API, whose ABI stays.
"""

from __future__ import annotations

import ctypes
import functools
from ctypes import byref, c_char_p, c_int, c_size_t, c_uint, c_uint64, c_void_p
from typing import Any, Protocol

import numpy as np

Bytes = np.ndarray[Any, Any]
_PROCESSORS, _MAJOR, _MINOR, _COOPERATIVE, _SHARES = 16, 75, 76, 95, 89
"""Attributes of a device (CUdevice_attribute)."""
_STACK, _HEAP = 0, 2
"""Limits of a context (CUlimit)."""
_LOG, _LOG_SIZE = 5, 6
"""Options of loading (CUjit_option): where errors are told."""
_MAPPED = 2
_GLOBAL = 1
"""What memory is for (CU_MEM_ATTACH_GLOBAL): kernels of all streams."""
STACK_BYTES = 4096
OUT_OF_MEMORY, NOT_READY = 2, 600
"""Of what functions give (CUresult)."""
COUNTS = {"launches": 0, "to_device": 0, "to_host": 0}
"""How often kernels were launched, and how many bytes calls have copied there and back."""


class CudaError(RuntimeError):
    """What CUDA's driver says went wrong."""


class Function(Protocol):
    """A kernel that is loaded."""

    blocks: int
    """How many blocks of it run at once."""

    def launch(self, blocks: int, lanes: int, words: list[int]) -> None:
        """Run it, and wait until it has ended."""


class Driver(Protocol):
    """What runs kernels: a GPU, or what stands for one in tests."""

    name: str
    shares: bool
    """Whether the processor may touch managed memory at any time."""

    def code(self, module: str) -> bytes:
        """Code of a module in LLVM's language."""

    def load(self, code: bytes, entry: str, lanes: int) -> Function:
        """Load code; `lanes`: how many a block has at most."""

    def allocate(self, size: int) -> int:
        """The address of memory; MemoryError where there is none."""

    def allocate_managed(self, size: int) -> int:
        """The same, of memory that the processor and the device both see."""

    def prefetch(self, address: int, size: int) -> None:
        """Bring managed memory to the device before it is used there."""

    def copy(self, target: int, source: int, size: int) -> None:
        """Copy bytes from address to address, after what others do on the device."""

    def release(self, address: int) -> None:
        """Give memory back."""

    def to_device(self, address: int, source: Bytes) -> None:
        """Copy bytes to the device."""

    def to_host(self, target: Bytes, address: int) -> None:
        """Copy bytes from the device."""


@functools.cache
def _library() -> Any:
    for name in ("libcuda.so.1", "libcuda.so", "nvcuda.dll"):
        try:
            return ctypes.CDLL(name)
        except OSError:
            continue
    return None


def _do(name: str, *arguments: Any) -> None:
    """Call a function of the driver; CudaError, or MemoryError, where it fails."""
    status = getattr(_library(), name)(*arguments)
    if status == OUT_OF_MEMORY:
        raise MemoryError("there is not the memory that this call needs on the GPU")
    if status:
        text = c_char_p()
        _library().cuGetErrorString(c_int(status), byref(text))
        raise CudaError(f"{name}: {(text.value or b'unknown error').decode()} ({status})")


@functools.cache
def device_count() -> int:
    """How many GPUs there are; 0 without a driver."""
    if _library() is None or _library().cuInit(c_uint(0)):
        return 0
    count = c_int()
    _do("cuDeviceGetCount", byref(count))
    return count.value


@functools.cache
def device(number: int = 0) -> GPU:
    """A GPU."""
    return GPU(number)


class GPU:
    """A GPU by its primary context, which others in the process share."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.handle = c_int()
        _do("cuDeviceGet", byref(self.handle), c_int(number))
        self.context = c_void_p()
        _do("cuDevicePrimaryCtxRetain", byref(self.context), self.handle)
        self._enter()
        self.processors = self._attribute(_PROCESSORS)
        self.architecture = f"sm_{self._attribute(_MAJOR)}{self._attribute(_MINOR)}"
        self.shares = bool(self._attribute(_SHARES))
        if not self._attribute(_COOPERATIVE):
            raise CudaError("this GPU launches no cooperative kernels")
        _do("cuCtxSetLimit", c_int(_STACK), c_size_t(STACK_BYTES))
        name = ctypes.create_string_buffer(100)
        _do("cuDeviceGetName", name, c_int(100), self.handle)
        self.name = f"cuda:{number} ({name.value.decode()})"

    def _enter(self) -> None:
        """Make it the device of this thread."""
        _do("cuCtxSetCurrent", self.context)

    def _attribute(self, which: int) -> int:
        value = c_int()
        _do("cuDeviceGetAttribute", byref(value), c_int(which), self.handle)
        return value.value

    def code(self, module: str) -> bytes:
        """PTX for this GPU, or for the newest one known that it can run."""
        from autograph.kernels.cuda.machine import SM_80, SM_90, ptx

        newest = SM_90 if int(self.architecture[3:]) >= 90 else SM_80
        return ptx(module, newest).encode() + b"\0"

    def load(self, code: bytes, entry: str, lanes: int) -> LoadedKernel:
        """Load PTX: the driver makes machine code of it."""
        self._enter()
        log = ctypes.create_string_buffer(8192)
        options = (c_int * 2)(_LOG, _LOG_SIZE)
        values = (c_void_p * 2)(ctypes.addressof(log), len(log))
        module = c_void_p()
        try:
            _do("cuModuleLoadDataEx", byref(module), code, c_uint(2), options, values)
        except CudaError as error:
            raise CudaError(f"{error}\n{log.value.decode(errors='replace')}") from None
        return LoadedKernel(self, module, entry, lanes)

    def allocate(self, size: int) -> int:
        """The address of memory on the GPU."""
        self._enter()
        address = c_uint64()
        _do("cuMemAlloc_v2", byref(address), c_size_t(max(size, 1)))
        return address.value

    def allocate_managed(self, size: int) -> int:
        """The address of memory that the processor sees, too."""
        self._enter()
        address = c_uint64()
        _do("cuMemAllocManaged", byref(address), c_size_t(max(size, 1)), c_uint(_GLOBAL))
        return address.value

    def prefetch(self, address: int, size: int) -> None:
        """Bring managed memory to the GPU before it is used there."""
        self._enter()
        place, stream = c_uint64(address), c_void_p()
        _do("cuMemPrefetchAsync", place, c_size_t(size), self.handle, stream)

    def copy(self, target: int, source: int, size: int) -> None:
        """Copy bytes from address to address, after what others do on the GPU."""
        self._enter()
        _do("cuCtxSynchronize")
        _do("cuMemcpy", c_uint64(target), c_uint64(source), c_size_t(size))
        _do("cuCtxSynchronize")

    def release(self, address: int) -> None:
        """Give memory back."""
        self._enter()
        _do("cuMemFree_v2", c_uint64(address))

    def to_device(self, address: int, source: Bytes) -> None:
        """Copy bytes to the GPU."""
        self._enter()
        place = c_void_p(source.ctypes.data)
        _do("cuMemcpyHtoD_v2", c_uint64(address), place, c_size_t(source.nbytes))

    def to_host(self, target: Bytes, address: int) -> None:
        """Copy bytes from the GPU."""
        self._enter()
        place = c_void_p(target.ctypes.data)
        _do("cuMemcpyDtoH_v2", place, c_uint64(address), c_size_t(target.nbytes))


class LoadedKernel:
    """A kernel on a GPU, with the words of its module."""

    def __init__(self, gpu: GPU, module: c_void_p, entry: str, lanes: int) -> None:
        from autograph.kernels.cuda.module import GRID, STOP

        self.gpu = gpu
        self.function = c_void_p()
        _do("cuModuleGetFunction", byref(self.function), module, c_char_p(entry.encode()))
        self._grid = self._word(module, GRID)
        self._stop = _StopWord(gpu)
        gpu.to_device(self._word(module, STOP), np.array([self._stop.address], np.uint64))
        count = c_int()
        _do(
            "cuOccupancyMaxActiveBlocksPerMultiprocessor",
            byref(count),
            self.function,
            c_int(lanes),
            c_size_t(0),
        )
        self.blocks = max(count.value, 1) * gpu.processors

    def _word(self, module: c_void_p, name: str) -> int:
        address, size = c_uint64(), c_size_t()
        _do("cuModuleGetGlobal_v2", byref(address), byref(size), module, c_char_p(name.encode()))
        return address.value

    def launch(self, blocks: int, lanes: int, words: list[int]) -> None:
        """Run it, and wait until it has ended. Ctrl-C asks it to end, and is raised after it."""
        self.gpu._enter()
        self._stop.word[0] = 0
        given = [c_uint64(one) for one in words]
        pointers = (c_void_p * len(given))(*map(ctypes.addressof, given))
        _do("cuMemsetD8_v2", c_uint64(self._grid), ctypes.c_ubyte(0), c_size_t(16))
        extents = map(c_uint, (blocks, 1, 1, lanes, 1, 1, 0))
        _do("cuLaunchCooperativeKernel", self.function, *extents, c_void_p(), pointers)
        self._wait()

    def _wait(self) -> None:
        """Wait for the end, while signals are looked for."""
        from autograph.kernels.cuda.waiting import wait_for

        wait_for(self._has_ended, self._ask_to_end)
        _do("cuStreamSynchronize", c_void_p())

    def _has_ended(self) -> bool:
        """Whether the kernel has ended, or failed."""
        return int(_library().cuStreamQuery(c_void_p())) != NOT_READY

    def _ask_to_end(self) -> None:
        self._stop.word[0] = 1


class _StopWord:
    """A word of the host's memory that kernels look at: whether they are to end."""

    def __init__(self, gpu: GPU) -> None:
        place = c_void_p()
        _do("cuMemHostAlloc", byref(place), c_size_t(8), c_uint(_MAPPED))
        assert place.value is not None
        self.word = (ctypes.c_int64 * 1).from_address(place.value)
        self.word[0] = 0
        address = c_uint64()
        _do("cuMemHostGetDevicePointer_v2", byref(address), place, c_uint(0))
        self.address = address.value
