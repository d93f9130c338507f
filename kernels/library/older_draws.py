"""Draws of RandomState by functions that NumPy keeps for itself: written again, and compared.

They are to give the same numbers for ever, and so are as they were in NumPy 1.16. Normal numbers
come in pairs (Marsaglia's polar method): RandomState keeps the second one in its object. A program
gets the address of that room. Where the numbers are not NumPy's to the bit (a C compiler may fuse a
product and a sum), or the room is not found, they are not offered.
"""

from __future__ import annotations

import ctypes
import functools
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from autograph.kernels.library import draws

KEPT_NORMAL = "draw_kept_normal"
"""A standard normal number: the one that is kept, or the first one of a new pair."""
INVERTED = "draw_inverted_exponential"
"""A standard exponential number, by the logarithm of one uniform number."""
OLDER = (KEPT_NORMAL, INVERTED)
COMPARED = 100


class Room(ctypes.Structure):
    """Where a RandomState keeps a normal number."""

    _fields_ = (
        ("generator", ctypes.c_void_p),
        ("is_kept", ctypes.c_int),
        ("number", ctypes.c_double),
    )


def finder_for(name: str) -> Callable[[Any], int]:
    """What finds the address that a draw takes: of a generator's `bitgen_t`, or of its room."""
    return room_of if name == KEPT_NORMAL else draws.address_of


def room_of(generator: Any) -> int:
    """The address of the room of a RandomState. RuntimeError where it is not found."""
    place = _place_of_room()
    address: int = id(generator) + place
    own = id(generator) + _own_functions(generator)
    if not place or Room.from_address(address).generator != own:
        raise RuntimeError("a RandomState does not keep its normal numbers where others do")
    return address


def _words(generator: Any) -> list[int]:
    """What is in the object of a RandomState, word by word."""
    count = type(generator).__basicsize__ // 8
    return list((ctypes.c_uint64 * count).from_address(id(generator)))


def _own_functions(generator: Any) -> int:
    """Where the object has its copy of the `bitgen_t`: the state, and four functions."""
    held = list((ctypes.c_uint64 * 5).from_address(draws.address_of(generator)))
    words = _words(generator)
    places = [place for place in range(len(words)) if words[place : place + 5] == held]
    return 8 * places[0] if places else 0


@functools.cache
def _place_of_room() -> int:
    """Where the room is in the object of a RandomState; 0 where it is not found."""
    generator = np.random.RandomState(1)
    words, own = _words(generator), _own_functions(generator)
    places = [8 * place for place, word in enumerate(words) if word == id(generator) + own]
    if not own or len(places) != 1 or places[0] + 24 > type(generator).__basicsize__:
        return 0
    state = generator.get_state(legacy=False)
    room = Room.from_address(id(generator) + places[0])
    for number in (0.0, 0.25, -1.5):
        generator.set_state({**state, "has_gauss": int(number != 0.0), "gauss": number})
        if (room.is_kept, room.number) != (int(number != 0.0), number):
            return 0
    return places[0]


@functools.cache
def is_offered(name: str) -> bool:
    """Whether a draw is to be had from this NumPy, and gives its numbers to the bit."""
    if name in draws.DRAWS:
        return draws.is_offered(name)
    if draws.SYMBOL + draws.UNIT not in draws.addresses():
        return False
    if name == KEPT_NORMAL:
        return _place_of_room() > 0 and _are_equal(name, 0.3, np.random.RandomState.normal)
    return _are_equal(name, 0.0, lambda one, _, scale: one.exponential(scale))


def _are_equal(name: str, start: float, method: Callable[..., Any]) -> bool:
    ours, theirs, scale = np.random.RandomState(7), np.random.RandomState(7), 1.7
    address = finder_for(name)(ours)
    found = [start + scale * CALLS[name](address) for _ in range(COMPARED)]
    return found == [method(theirs, start, scale) for _ in range(COMPARED)]


# CPython ------------------------------------------------------------------------------------------
def _unit(address: int) -> float:
    number: float = draws.function_of(draws.Draw(draws.UNIT))(address)
    return number


def draw_kept_normal(address: int) -> Any:
    """See KEPT_NORMAL."""
    room = Room.from_address(int(address))
    if room.is_kept:
        number = room.number
        room.is_kept, room.number = 0, 0.0
        return np.float64(number)
    square = 0.0
    while square >= 1.0 or square == 0.0:
        x = 2.0 * _unit(room.generator) - 1.0
        y = 2.0 * _unit(room.generator) - 1.0
        square = x * x + y * y
    length = math.sqrt(-2.0 * math.log(square) / square)
    room.is_kept, room.number = 1, length * x
    return np.float64(length * y)


def draw_inverted_exponential(address: int) -> Any:
    """See INVERTED."""
    return np.float64(-math.log(1.0 - _unit(int(address))))


CALLS: dict[str, Callable[..., Any]] = {
    **draws.CALLS,
    KEPT_NORMAL: draw_kept_normal,
    INVERTED: draw_inverted_exponential,
}
"""All draws by their names in programs."""
