"""Calls of a program on a GPU: arguments there, one launch, results back.

What is small goes there in one block of memory and comes back in one piece of it; arrays in managed
memory are used where they lie. Where the heap was too small, a larger one is taken and the kernel
runs again: it has changed nothing but its results.
"""

from __future__ import annotations

import functools
import threading
import weakref
from collections.abc import Callable
from typing import Any

import numpy as np

from autograph.kernels import cache
from autograph.kernels.compile import MAXIMUM_ENTRIES, NATIVE, Engine, scalar_functions
from autograph.kernels.cuda.arguments import Roles, Room, bytes_at, roles_of
from autograph.kernels.cuda.driver import COUNTS, Driver, device, device_count
from autograph.kernels.cuda.managed import SMALLEST, ManagedMemory, address_of, block_of
from autograph.kernels.cuda.module import ENTRY, LANES, kernel_module
from autograph.kernels.cuda.spread import NotSpread, spread
from autograph.kernels.cuda.support import BEFORE
from autograph.kernels.library import draws, lapack
from autograph.kernels.scalar import source
from autograph.kernels.support.frames import NO_MEMORY

Array = np.ndarray[Any, Any]
FIRST_HEAP = 16 << 20
REFUSED: dict[str, str] = {}
"""Programs that run on the CPU, with the reason."""


class DeviceProgram:
    """A program on a device: a callable as those of `kernels.compile`."""

    def __init__(self, driver: Driver, text: str) -> None:
        self.driver = driver
        self.roles: Roles = roles_of(text)
        self.text = spread(text)
        key = cache.key_of(f"{driver.name}\n{self.text}", "cuda", "library", "scalar", "support")
        code = cache.load(key)
        if code is None:
            code = driver.code(kernel_module(self.text))
            cache.save(key, code)
        self.function = driver.load(code, ENTRY, LANES)
        self.memory = _memory_of(driver)

    def __call__(self, *arguments: Any) -> int:
        """Run it on a parameters' array and others (None: a number); gives its status."""
        with self.memory.lock:
            return _Call(self, arguments).run()


class _Memory:
    """Blocks of a device's memory that are kept from call to call."""

    def __init__(self, driver: Driver) -> None:
        self.driver = driver
        self.lock = threading.RLock()
        self._blocks: dict[str, tuple[int, int]] = {}

    def block(self, name: str, size: int) -> tuple[int, int]:
        """The address and the size of a block of at least so many bytes."""
        address, known = self._blocks.get(name, (0, 0))
        if known < size:
            if address:
                self._blocks.pop(name)
                self.driver.release(address)
            known = max(size, known + known // 2)
            address = self.driver.allocate(known)
            self._blocks[name] = address, known
        return address, known


_memories: weakref.WeakKeyDictionary[Driver, _Memory] = weakref.WeakKeyDictionary()


def _memory_of(driver: Driver) -> _Memory:
    known = _memories.get(driver)
    if known is None:
        known = _memories[driver] = _Memory(weakref.proxy(driver))
    return known


class _Call:
    """One call."""

    def __init__(self, program: DeviceProgram, arguments: tuple[Any, ...]) -> None:
        self.program = program
        self.driver = program.driver
        self.arguments = arguments
        self.room = Room()
        self.table = np.zeros(len(arguments), np.int64)
        self.table_place = self.room.put(self.table)
        self.places: dict[int, int] = {}
        self.aside: dict[int, Array] = {}
        """Large arrays of the processor's memory, which are brought there one by one."""
        self.lists: list[tuple[Array, int, int]] = []

    def run(self) -> int:
        """Bring everything there, launch, bring results back."""
        room, roles = self.room, self.program.roles
        self._inputs()
        back = room.size
        self.places[0] = room.put(self.arguments[0])
        status_place = room.take(8)
        words = [*sorted(roles.kept), *sorted(roles.lists_out)]
        for place in words:
            self.places[place] = room.put(np.zeros_like(self.arguments[place]))
        there = room.size
        written = [place for place in sorted(roles.written) if not self._is_there(place)]
        for place in written:
            self.places[place] = room.take(self.arguments[place].nbytes)
        end = room.size
        for place, array in self.aside.items():
            self.places[place] = room.take(array.nbytes)
        address, _ = self.program.memory.block("arguments", room.size)
        self._addresses(address)
        self._send(address, room.filled(there))
        for place, array in self.aside.items():
            self._send(address + self.places[place], array)
        status = self._launch(address, status_place)
        if status == NO_MEMORY:
            return status
        rest = np.empty(end - back, np.uint8)
        self._fetch(rest, address + back)
        for place in (0, *written):
            target = self.arguments[place]
            start = self.places[place] - back
            target.reshape(-1).view(np.uint8)[:] = rest[start : start + target.nbytes]
        if not status:
            for place in words:
                start = self.places[place] - back
                told = rest[start : start + self.arguments[place].nbytes].view(np.int64)
                self._kept(self.arguments[place], told, place in roles.lists_out)
        return status

    def _inputs(self) -> None:
        roles = self.program.roles
        given = {0, *roles.written, *roles.kept, *roles.lists_out}
        for place, array in enumerate(self.arguments):
            if place in roles.lists_in:
                self.places[place] = self._list(array, roles.lists_in[place])
            elif array is not None and place not in given and not self._is_there(place):
                rows = np.ascontiguousarray(array)
                if rows.nbytes < SMALLEST:
                    self.places[place] = self.room.put(rows)
                else:
                    self.aside[place] = rows

    def _is_there(self, place: int) -> bool:
        """Whether an array lies in managed memory, so that the kernel takes its own address."""
        array = self.arguments[place]
        if array.nbytes < SMALLEST or not array.flags.c_contiguous or block_of(array) is None:
            return False
        self.table[place] = address_of(array)
        return True

    def _list(self, words: Array, rank: int) -> int:
        """A list: its words, with its items and its table beside."""
        data, count, table, length = words.tolist()
        items = self.room.put(bytes_at(data, count))
        places = self.room.put(bytes_at(table, 8 * length * (rank + 1)))
        made = np.array([0, count, 0, length], np.int64)
        self.lists.append((made, items, places))
        return self.room.put(made)

    def _addresses(self, start: int) -> None:
        """Fill in addresses, now that the block is known."""
        for place, offset in self.places.items():
            self.table[place] = start + offset
        for words, items, places in self.lists:
            words[0], words[2] = start + items, start + places

    def _send(self, address: int, block: Array) -> None:
        COUNTS["to_device"] += block.nbytes
        self.driver.to_device(address, block)

    def _fetch(self, block: Array, address: int) -> None:
        COUNTS["to_host"] += block.nbytes
        self.driver.to_host(block, address)

    def _launch(self, address: int, status_place: int) -> int:
        memory = self.program.memory
        blocks = self._blocks()
        wanted = FIRST_HEAP
        while True:
            try:
                heap, size = memory.block("heap", wanted)
            except MemoryError:
                return NO_MEMORY
            COUNTS["launches"] += 1
            words = [address + self.table_place, address + status_place, heap, heap + size]
            self.program.function.launch(blocks, LANES, words)
            status = np.empty(1, np.int64)
            self._fetch(status.view(np.uint8), address + status_place)
            if status[0] != NO_MEMORY:
                return int(status[0])
            wanted = 4 * size

    def _blocks(self) -> int:
        """How many blocks: as many as the largest array has work for, and no more than run."""
        most = max((one.size for one in self.arguments if one is not None), default=1)
        return max(1, min((most + LANES - 1) // LANES, self.program.function.blocks))

    def _kept(self, words: Array, told: Array, is_list: bool) -> None:
        """Bring what the kernel has kept into blocks of the host, as native code leaves them."""
        words[:] = told
        data, count = told[:2].tolist()
        if data:
            words[0] = self._brought(data, count)
        if is_list and told[2]:
            head = np.empty(1, np.int64)
            self._fetch(head.view(np.uint8), int(told[2]) - BEFORE)
            words[2] = self._brought(int(told[2]), int(head[0]) - BEFORE)

    def _brought(self, address: int, count: int) -> int:
        from autograph.kernels import native

        place: int = native.support_function("take_block")(count + 64)
        if not place:
            raise MemoryError("there is not the memory that this call needs")
        self._fetch(bytes_at(place, count), address)
        return place


def entry_on(driver: Driver) -> Callable[[str], Any]:
    """What makes entries of programs on a device, one for all programs of a text; on the CPU, where
    a program has no kernel."""

    @functools.lru_cache(maxsize=MAXIMUM_ENTRIES)
    def entry_of(text: str) -> Any:
        reason = reason_against(text)
        if reason is None:
            try:
                return DeviceProgram(driver, text)
            except NotSpread as error:
                reason = str(error)
        REFUSED[text] = reason
        return NATIVE.entry_of(text)

    return entry_of


def engine_on(driver: Driver, memory: ManagedMemory | None, name: str = "cuda") -> Engine:
    """What runs programs on a device, with large results in its managed memory, if it has some."""
    empty = np.empty if memory is None else memory.empty
    return Engine(name, entry_on(driver), by_words=True, has_clocks=False, empty=empty)


@functools.cache
def memory_on_gpu(number: int = 0) -> ManagedMemory | None:
    """The managed memory of a GPU; None where the processor may not touch it at any time."""
    driver = device(number)
    return ManagedMemory(driver, f"cuda:{number}") if driver.shares else None


@functools.cache
def engine_on_gpu(number: int = 0) -> Engine:
    """What runs programs on a GPU. RuntimeError where there is none."""
    if number >= device_count():
        raise RuntimeError(
            "CUDA's driver finds no GPU on this machine\n"
            "  Instead: leave mode='cuda' out, or take mode='emulate' to see what the kernel does"
        )
    return engine_on(device(number), memory_on_gpu(number))


def reason_against(text: str) -> str | None:
    """Why a program runs on the CPU; None where it has a kernel."""
    if "too_deep(" in text:
        return "it calls itself, and lanes have small stacks"
    for name in draws.draws_in(text):
        return f"it asks a random generator ({name})"
    for name in lapack.CALLS:
        if f"{name}(" in source_text(text):
            return f"it calls LAPACK ({name})"
    return None


def source_text(text: str) -> str:
    """A program with the text of the library functions that it calls."""
    return text + source.text_of(scalar_functions(text))
