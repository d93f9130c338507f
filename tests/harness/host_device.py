"""A stand-in for a GPU: kernels compiled for this machine's processor, with a single lane.

What calls bring there and back, the heap, lists and results of unknown sizes go the way that they
go on a GPU; all calls are written down.
"""

from __future__ import annotations

import ctypes
import re
from typing import Any

import llvmlite.binding as llvm
import numpy as np

from autograph.kernels.codegen.machine import object_code, prepare

Bytes = np.ndarray[Any, Any]
_registers = {"tid.x": 0, "ctaid.x": 0, "ntid.x": 1, "nctaid.x": 1}


class HostDevice:
    """One lane of this machine's processor."""

    name = "host:0"
    shares = True

    def __init__(self) -> None:
        self.calls: list[tuple[Any, ...]] = []
        self.blocks: dict[int, Bytes] = {}
        self.most = 1 << 40
        self.loaded = 0

    def code(self, module: str) -> bytes:
        """Object code."""
        text = re.sub(
            r"call i32 @llvm\.nvvm\.read\.ptx\.sreg\.([a-z.]+)\(\)",
            lambda found: f"add i32 0, {_registers[found[1]]}",
            module.replace("define ptx_kernel void", "define void"),
        )
        lines = [line for line in text.splitlines() if "llvm.nvvm" not in line]
        return object_code("\n".join(lines), vectorized=False)

    def load(self, code: bytes, entry: str, lanes: int) -> HostKernel:
        """Link the object code."""
        self.loaded += 1
        return HostKernel(self, code, entry)

    def allocate(self, size: int) -> int:
        """Memory, full of something."""
        if size > self.most:
            raise MemoryError(f"{size} bytes")
        block = np.full(size + 64, 0xA5, np.uint8)
        address = (block.ctypes.data + 63) & -64
        self.blocks[address] = block
        self.calls.append(("allocate", size))
        return address

    def allocate_managed(self, size: int) -> int:
        """The same: there is one kind of memory."""
        return self.allocate(size)

    def prefetch(self, address: int, size: int) -> None:
        """Nothing to be done."""
        self.calls.append(("prefetch", size))

    def copy(self, target: int, source: int, size: int) -> None:
        """Copy bytes from address to address."""
        ctypes.memmove(target, source, size)
        self.calls.append(("copy", size))

    def release(self, address: int) -> None:
        """Give memory back."""
        del self.blocks[address]
        self.calls.append(("release",))

    def to_device(self, address: int, source: Bytes) -> None:
        """Copy bytes."""
        ctypes.memmove(address, source.ctypes.data, source.nbytes)
        self.calls.append(("to_device", source.nbytes))

    def to_host(self, target: Bytes, address: int) -> None:
        """Copy bytes."""
        ctypes.memmove(target.ctypes.data, address, target.nbytes)
        self.calls.append(("to_host", target.nbytes))


class HostKernel:
    """A kernel that is loaded."""

    blocks = 1

    def __init__(self, device: HostDevice, code: bytes, entry: str) -> None:
        prepare()
        self.device = device
        target = llvm.Target.from_default_triple()
        self.engine = llvm.create_mcjit_compiler(
            llvm.parse_assembly(""), target.create_target_machine(jit=True)
        )
        self.engine.add_object_file(llvm.ObjectFileRef.from_data(code))
        self.engine.finalize_object()
        kind = ctypes.CFUNCTYPE(None, *[ctypes.c_int64] * 4)
        self.function = kind(self.engine.get_function_address(entry))

    def launch(self, blocks: int, lanes: int, words: list[int]) -> None:
        """Run it."""
        self.device.calls.append(("launch", blocks, lanes))
        self.function(*words)
