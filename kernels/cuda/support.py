"""What kernels call beside scalar functions: values put together, bytes moved by all lanes, memory.

In the language of programs, compiled into each module that calls them. The heap is a piece of the
GPU's memory that the host gives to a call; only the first lane takes of it and gives back. Its
words: where the untouched rest begins, where it ends, the first block that was given back.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

lane: Any = None
lanes: Any = None
block: Any = None
blocks: Any = None
lane_in_block: Any = None
lanes_of_block: Any = None
wait: Any = None
wait_in_block: Any = None
wait_in_team: Any = None
heap: Any = None
int64_at: Any = None
uint8_at: Any = None

BEFORE = 16
"""Bytes before each block: its size, and the next one that was given back."""


def take_block(size: Any) -> Any:
    """A block of at least `size` bytes, aligned to 64 bytes less 16; 0 where there is none."""
    words = int64_at(heap())
    wanted = (size + 2 * BEFORE + 63) & -64
    before = 0
    at = words[2]
    while at != 0:
        head = int64_at(at)
        if (head[0] >= wanted) & (head[0] <= 2 * wanted):
            if before == 0:
                words[2] = head[1]
            else:
                int64_at(before)[1] = head[1]
            return at + BEFORE
        before = at
        at = head[1]
    at = words[0]
    if at + wanted > words[1]:
        words[3] = wanted
        return 0
    words[0] = at + wanted
    int64_at(at)[0] = wanted
    return at + BEFORE


def give_block(place: Any) -> Any:
    """Give a block back."""
    words = int64_at(heap())
    head = int64_at(place - BEFORE)
    head[1] = words[2]
    words[2] = place - BEFORE
    return 0


def move_bytes(target: Any, source: Any, count: Any) -> Any:
    """Copy bytes between places that may overlap."""
    to = uint8_at(target)
    of = uint8_at(source)
    if target < source:
        for k in range(count):
            to[k] = of[k]
    else:
        for k in range(count):
            to[count - 1 - k] = of[count - 1 - k]
    return 0


def copy_bytes(target: Any, source: Any, count: Any) -> Any:
    """Copy bytes between places that do not overlap, by one lane."""
    if ((target | source | count) & 7) == 0:
        words = int64_at(target)
        given = int64_at(source)
        for k in range(count >> 3):
            words[k] = given[k]
    else:
        to = uint8_at(target)
        of = uint8_at(source)
        for k in range(count):
            to[k] = of[k]
    return 0


def clear_bytes(target: Any, count: Any) -> Any:
    """Set bytes to zero, by one lane."""
    to = uint8_at(target)
    for k in range(count):
        to[k] = 0
    return 0


def copy_bytes_together(target: Any, source: Any, count: Any) -> Any:
    """Copy bytes between places that do not overlap, by all lanes."""
    if ((target | source | count) & 7) == 0:
        words = int64_at(target)
        given = int64_at(source)
        for k in range(lane(), count >> 3, lanes()):
            words[k] = given[k]
    else:
        to = uint8_at(target)
        of = uint8_at(source)
        for k in range(lane(), count, lanes()):
            to[k] = of[k]
    return 0


def clear_bytes_together(target: Any, count: Any) -> Any:
    """Set bytes to zero, by all lanes."""
    to = uint8_at(target)
    for k in range(lane(), count, lanes()):
        to[k] = 0
    return 0


def gathered_sum(value: Any, near: Any, far: Any) -> Any:
    """The sum of the values of all lanes: in each block as a tree, then block after block."""
    place = lane_in_block()
    near[place] = value
    wait_in_block()
    half = lanes_of_block() >> 1
    while half > 0:
        if place < half:
            near[place] = near[place] + near[place + half]
        wait_in_block()
        half = half >> 1
    if place == 0:
        far[block()] = near[0]
    wait()
    total = far[0]
    for k in range(1, blocks()):
        total = total + far[k]
    wait()
    return total


def gathered_sum_in_team(value: Any, near: Any, width: Any) -> Any:
    """The sum of the values of the lanes of a team, as a tree."""
    place = lane_in_block()
    member = place & (width - 1)
    near[place] = value
    wait_in_team(width)
    half = width >> 1
    while half > 0:
        if member < half:
            near[place] = near[place] + near[place + half]
        wait_in_team(width)
        half = half >> 1
    total = near[place - member]
    wait_in_team(width)
    return total


def team_for(length: Any) -> Any:
    """How many lanes share a row of so many elements: so that each has four at least."""
    width = 1
    while (8 * width <= length) & (width < 32) & (width < lanes_of_block()):
        width = 2 * width
    return width


_COMBINED = {
    "sum": ("near[place] + near[place + half]", "total + far[k]"),
    "product": ("near[place] * near[place + half]", "total * far[k]"),
    "any": ("near[place] | near[place + half]", "total | far[k]"),
    "all": ("near[place] & near[place + half]", "total & far[k]"),
    "max": ("larger(near[place], near[place + half])", "larger(total, far[k])"),
    "min": ("smaller(near[place], near[place + half])", "smaller(total, far[k])"),
}


def _gathered(function: Callable[..., Any], kind: str) -> str:
    """A function that puts values together in another way than by their sum."""
    text = inspect.getsource(function).replace("gathered_sum", f"gathered_{kind}")
    for old, new in zip(_COMBINED["sum"], _COMBINED[kind], strict=True):
        text = text.replace(old, new)
    return text


_FUNCTIONS: tuple[Callable[..., Any], ...] = (
    take_block,
    give_block,
    move_bytes,
    copy_bytes,
    clear_bytes,
    copy_bytes_together,
    clear_bytes_together,
    team_for,
)
TEXTS = {
    **{function.__name__: inspect.getsource(function) for function in _FUNCTIONS},
    **{f"gathered_{kind}": _gathered(gathered_sum, kind) for kind in _COMBINED},
    **{f"gathered_{kind}_in_team": _gathered(gathered_sum_in_team, kind) for kind in _COMBINED},
    "c_sine": "def c_sine(x):\n    return sine_alone(x)\n",
    "c_cosine": "def c_cosine(x):\n    return cosine_alone(x)\n",
    "c_tangent": "def c_tangent(x):\n    return tangent_alone(x)\n",
    "c_power": "def c_power(x, y):\n    return power_in_loops_float64(x, y)\n",
    "pow": "def pow(x, y):\n    return power_in_loops_float64(np.float64(x), np.float64(y))\n",
    "exact_remainder": "def exact_remainder(x, y):\n    return remainder_alone(x, y)\n",
}
"""The functions by name."""
