"""The arguments of a program on a GPU: what each of them is, and where it lies in the block of
memory that a call brings there and back."""

from __future__ import annotations

import ast
import ctypes
import functools
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from autograph.kernels.codegen.kernel import nodes_of
from autograph.kernels.cuda.accesses import called

Array = np.ndarray[Any, Any]
ALIGNMENT = 64


@dataclass(frozen=True)
class Roles:
    """The arguments of a program by position: the rest are arrays that it reads."""

    written: frozenset[int]
    """Arrays that are there before the call, for results."""
    kept: frozenset[int]
    """Words for arrays whose sizes only the run tells."""
    lists_out: frozenset[int]
    lists_in: dict[int, int] = field(default_factory=dict, hash=False)
    """Lists that come in, with the rank of their items."""


@functools.lru_cache(maxsize=512)
def roles_of(text: str) -> Roles:
    """What a program's text does with its arguments."""
    names: dict[str, int] = {}
    nodes = nodes_of(ast.parse(text))
    for one in nodes:
        if isinstance(one, ast.Assign) and called(one.value) == "array_data":
            assert isinstance(one.value, ast.Call) and isinstance(one.targets[0], ast.Name)
            names[one.targets[0].id] = ast.literal_eval(one.value.args[1])
    kept: set[int] = set()
    lists_out: set[int] = set()
    lists_in: dict[int, int] = {}
    for one in nodes:
        name = called(one)
        if not isinstance(one, ast.Call) or name not in ("keep_array", "keep_list", "take_list"):
            continue
        given = one.args[2 if name == "take_list" else 0]
        assert isinstance(given, ast.Name)
        place = names[given.id]
        if name == "keep_array":
            kept.add(place)
        elif name == "keep_list":
            lists_out.add(place)
        else:
            lists_in[place] = ast.literal_eval(one.args[3])
    results = {place for name, place in names.items() if name[0] == "y"}
    return Roles(
        frozenset(results - kept - lists_out), frozenset(kept), frozenset(lists_out), lists_in
    )


def rounded(size: int) -> int:
    """A size in bytes, up to the next multiple of the alignment."""
    return (size + ALIGNMENT - 1) // ALIGNMENT * ALIGNMENT


class Room:
    """Places one after the other in a block of memory, and the bytes that go there."""

    def __init__(self) -> None:
        self.size = 0
        self.parts: list[tuple[int, Array]] = []

    def take(self, size: int) -> int:
        """A place of so many bytes."""
        place = self.size
        self.size += rounded(size)
        return place

    def put(self, array: Array) -> int:
        """A place for an array that is brought there."""
        place = self.take(array.nbytes)
        self.parts.append((place, array))
        return place

    def filled(self, count: int) -> Array:
        """The first bytes of the block."""
        block = np.empty(count, np.uint8)
        for place, array in self.parts:
            flat = array.reshape(-1).view(np.uint8)
            block[place : place + flat.size] = flat
        return block


def bytes_at(address: int, count: int) -> Array:
    """Bytes of the host's memory, as an array."""
    if not count:
        return np.empty(0, np.uint8)
    return np.ctypeslib.as_array((ctypes.c_uint8 * count).from_address(address))
