"""Windows over images: how many there are, where they are, and the images that they make.

Images are [batch, height, width, channels]. Padding is "VALID" (none), "SAME" (zeros, so that a
step of 1 keeps the size), or so many zeros: an int, one for height and one for width, or a pair
(before, behind) for each.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from autograph.runtime.core.dims import Dim, DimLike

Pair = tuple[int, int]
Padding = str | tuple[Pair, Pair]
WHOLE = (int, np.integer)


def pair(value: Any, name: str) -> Pair:
    """One or two positive ints as two; ValueError or TypeError for anything else."""
    both = tuple(value) if isinstance(value, list | tuple) else (value, value)
    if len(both) != 2 or not all(isinstance(one, WHOLE) for one in both):
        raise TypeError(
            f"{name} is an int, or one for height and one for width, not {value!r}: write "
            f"{name}=2 or {name}=(2, 1)"
        )
    if min(both) < 1:
        raise ValueError(f"{name} is at least 1, not {value!r}")
    return int(both[0]), int(both[1])


def one_size(value: Any, name: str) -> int:
    """A positive int; ValueError or TypeError for anything else."""
    if isinstance(value, list | tuple) and len(value) == 1:
        value = value[0]
    if not isinstance(value, WHOLE):
        raise TypeError(f"{name} is an int, not {value!r}: write {name}=2")
    if value < 1:
        raise ValueError(f"{name} is at least 1, not {value!r}")
    return int(value)


def padding_of(value: Any) -> Padding:
    """Padding in the form that nodes keep."""
    if isinstance(value, str):
        if value.upper() not in ("SAME", "VALID"):
            raise ValueError(f"padding is 'SAME', 'VALID' or so many zeros, not {value!r}")
        return value.upper()
    sides = value if isinstance(value, list | tuple) else (value, value)
    pairs = [_both(one) for one in sides]
    if len(pairs) != 2 or not all(len(one) == 2 for one in pairs):
        raise _no_padding(value, "padding=((1, 1), (2, 2)): height, then width")
    whole = [one for each in pairs for one in each]
    if not all(isinstance(one, WHOLE) for one in whole):
        raise _no_padding(value, "padding=((1, 1), (2, 2)): height, then width")
    if min(whole) < 0:
        raise ValueError(f"padding is not negative: {value!r}")
    (top, bottom), (left, right) = pairs
    return (int(top), int(bottom)), (int(left), int(right))


def padding_of_one(value: Any) -> Padding:
    """Padding of sequences, as that of images of one row."""
    if isinstance(value, str):
        return padding_of(value)
    both = _both(value)
    if len(both) != 2 or not all(isinstance(one, WHOLE) for one in both):
        raise _no_padding(value, "padding=(2, 0): before, then behind")
    return padding_of(((0, 0), both))


def _both(side: Any) -> tuple[Any, ...]:
    """What is put before and behind: one number means both."""
    return tuple(side) if isinstance(side, list | tuple) else (side, side)


def _no_padding(value: Any, example: str) -> TypeError:
    return TypeError(
        f"padding is 'SAME', 'VALID' or so many zeros, not {value!r}: write padding=1 or {example}"
    )


def extent(window: DimLike, spread: int) -> DimLike:
    """How much of an axis a window with elements `spread` apart covers."""
    return (window + -1) * spread + 1


def places(size: int, window: int, step: int, spread: int, padding: str | Pair) -> tuple[int, int]:
    """How many windows there are along an axis, and how many zeros before it.

    ValueError where the window does not fit.
    """
    covered = (window - 1) * spread + 1
    if padding == "SAME":
        count = -(-size // step)
        return count, max((count - 1) * step + covered - size, 0) // 2
    before, behind = (0, 0) if isinstance(padding, str) else padding
    room = size + before + behind
    if room < covered:
        raise ValueError(does_not_fit(covered, room))
    return (room - covered) // step + 1, before


def count_of(
    size: DimLike, window: DimLike, step: int, spread: int, padding: str | Pair
) -> DimLike:
    """How many windows there are along an axis, as far as that is known while tracing."""
    if isinstance(size, int) and isinstance(window, int):
        return places(size, window, step, spread, padding)[0]
    if step > 1:
        return Dim.fresh("o")
    if padding == "SAME":
        return size
    before, behind = (0, 0) if isinstance(padding, str) else padding
    return size + before + behind - extent(window, spread) + 1


def fits(sizes: Sequence[DimLike], window: Sequence[DimLike]) -> bool:
    """Whether it is known while tracing whether windows fit: else the run tells."""
    return all(isinstance(one, int) for one in (*sizes, *window))


def does_not_fit(covered: Any, room: Any) -> str:
    """What the error says."""
    return f"a window of {covered} does not fit into {room} elements"


def along(padding: Padding, axis: int) -> str | Pair:
    """The padding of height (0) or width (1)."""
    return padding if isinstance(padding, str) else padding[axis]


@dataclass(frozen=True, slots=True)
class Grid:
    """The windows over images of one shape."""

    shape: tuple[int, int, int, int]
    window: Pair
    steps: Pair
    spreads: Pair
    counts: Pair
    before: Pair

    @classmethod
    def over(cls, shape: Any, window: Any, steps: Pair, spreads: Pair, padding: Padding) -> Grid:
        """The windows of this size over images of this shape."""
        found = [
            places(shape[1 + axis], window[axis], steps[axis], spreads[axis], along(padding, axis))
            for axis in (0, 1)
        ]
        counts, before = zip(*found, strict=True)
        return cls(tuple(shape), tuple(window), steps, spreads, counts, before)

    def _padded(self) -> tuple[int, int]:
        """The size of the images with zeros around them that all windows are in."""
        needed = [
            (self.counts[axis] - 1) * self.steps[axis]
            + (self.window[axis] - 1) * self.spreads[axis]
            + 1
            for axis in (0, 1)
        ]
        high, wide = (
            max(needed[axis], self.shape[1 + axis] + self.before[axis]) for axis in (0, 1)
        )
        return high, wide

    def gathered(self, x: Any, fill: Any = 0) -> Any:
        """[batch, places, places, rows, columns, channels]: each window, a view where it can be."""
        batch, height, width, channels = self.shape
        high, wide = self._padded()
        if (high, wide) != (height, width):
            top, left = self.before
            whole = np.full((batch, high, wide, channels), fill, x.dtype)
            whole[:, top : top + height, left : left + width] = x
            x = whole
        image, row, column, channel = x.strides
        return np.lib.stride_tricks.as_strided(
            x,
            (batch, *self.counts, *self.window, channels),
            (
                image,
                row * self.steps[0],
                column * self.steps[1],
                row * self.spreads[0],
                column * self.spreads[1],
                channel,
            ),
            writeable=False,
        )

    def scattered(self, windows: Any) -> Any:
        """The images to which each window was added where it was; in the order of the kernels."""
        batch, height, width, channels = self.shape
        high, wide = self._padded()
        total = np.zeros((batch, high, wide, channels), windows.dtype)
        for row in reversed(range(self.window[0])):
            for column in reversed(range(self.window[1])):
                y, x = row * self.spreads[0], column * self.spreads[1]
                total[
                    :,
                    y : y + (self.counts[0] - 1) * self.steps[0] + 1 : self.steps[0],
                    x : x + (self.counts[1] - 1) * self.steps[1] + 1 : self.steps[1],
                ] += windows[:, :, :, row, column]
        top, left = self.before
        return np.ascontiguousarray(total[:, top : top + height, left : left + width])
