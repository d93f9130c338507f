"""Python's random generators: where their states lie in memory, and what draws on them.

A program gets an address inside of the generator's object, or of a room with the number that
`gauss` keeps. In native code `python_draws` draws there; in CPython the methods of the generator
do, so that no other thread of Python comes between.
"""

from __future__ import annotations

import ctypes
import functools
import random
import sys
from collections.abc import Callable
from types import TracebackType
from typing import Any, NamedTuple

import numpy as np

HEAD = object.__basicsize__
STATE = ctypes.c_uint32 * 625
"""How many words are used up, and 624 words."""
_NAMES = ("random", "getrandbits", "_randbelow", "gauss")
_RANDOM, _BITS, _BELOW, _GAUSS = (getattr(random.Random, name) for name in _NAMES)
_KEPT = (float, type(None))
"""What `gauss` keeps: a number, or none."""


def state_of(generator: Any) -> int:
    """The address of the state of a generator, good as long as the generator is."""
    return id(generator) + HEAD


def generator_at(address: int) -> Any:
    """The generator whose state has this address."""
    return ctypes.cast(int(address) - HEAD, ctypes.py_object).value


class Room(ctypes.Structure):
    """What a program that calls `gauss` gets of a generator; put back into it at the end."""

    _fields_ = (
        ("state", ctypes.c_int64),
        ("is_kept", ctypes.c_int64),
        ("number", ctypes.c_double),
    )

    def __init__(self, generator: Any) -> None:
        kept = generator.gauss_next
        super().__init__(state_of(generator), kept is not None, 0.0 if kept is None else kept)
        self.generator = generator
        self.before = bytes(self)

    @property
    def address(self) -> int:
        """Where it is."""
        return ctypes.addressof(self)

    def __enter__(self) -> Room:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if bytes(self) != self.before:
            self.generator.gauss_next = self.number if self.is_kept else None


class PythonDraw(NamedTuple):
    """A draw: the dtype of what it gives, what finds its first argument, and its meaning in
    CPython."""

    result: str
    find: Callable[[Any], Any]
    call: Callable[..., Any]


UNIT, BITS, BELOW = "draw_python_unit", "draw_python_bits", "draw_python_below"
GAUSS = "draw_python_gauss"
DRAWS: dict[str, PythonDraw] = {
    UNIT: PythonDraw("float64", state_of, lambda at: np.float64(generator_at(at).random())),
    BITS: PythonDraw(
        "int64", state_of, lambda at, count: np.int64(generator_at(at).getrandbits(int(count)))
    ),
    BELOW: PythonDraw(
        "int64", state_of, lambda at, limit: np.int64(generator_at(at)._randbelow(int(limit)))
    ),
    GAUSS: PythonDraw(
        "float64",
        Room,
        lambda at: np.float64(generator_at(Room.from_address(int(at)).state).gauss(0.0, 1.0)),
    ),
}
"""By their names in programs."""
CALLS: dict[str, Callable[..., Any]] = {name: one.call for name, one in DRAWS.items()}


@functools.cache
def is_offered() -> bool:
    """Whether this Python keeps the state of a generator where `python_draws` looks for it."""
    generator = random.Random(1)
    size = HEAD + ctypes.sizeof(STATE)
    if sys.implementation.name != "cpython" or type(generator).__basicsize__ < size:
        return False
    if not getattr(sys, "_is_gil_enabled", lambda: True)():
        return False  # other threads may draw at any time
    for count in (0, 3, 700):
        for _ in range(count):
            generator.random()
        used, *words = STATE.from_address(state_of(generator))
        if (*words, used) != generator.getstate()[1]:
            return False
    return True


def is_usual(generator: Any) -> bool:
    """Whether a generator draws by the methods of `random.Random`, whatever its class."""
    kind, own = type(generator), vars(generator)
    return (
        kind.random is _RANDOM
        and kind.getrandbits is _BITS
        and kind._randbelow is _BELOW
        and kind.gauss is _GAUSS
        and (len(own) == 1 or own.keys().isdisjoint(_NAMES))
        and type(own.get("gauss_next", "")) in _KEPT
    )
