"""Coordinates of grids, written as slices: `ag.mgrid[0:3, 0:1:5j]`, and `ag.ogrid`."""

from __future__ import annotations

from typing import Any

from autograph.runtime.ops.table import OPS


class Grid:
    """What is asked for a grid by slices: one for each axis, as NumPy's `mgrid` and `ogrid` are.

    A slice is `start:stop:step`, or `start:stop:5j` for five numbers from start to stop, with it.
    One slice gives the numbers; several their coordinates, which `mgrid` lays out and stacks.
    """

    def __init__(self, laid_out: bool) -> None:
        self._laid_out = laid_out

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, slice):
            return _numbers(key)
        parts = OPS.meshgrid(*[_numbers(one) for one in key], indexing="ij")
        if self._laid_out:
            return OPS.stack(parts, axis=0)
        return tuple([_open(one, axis) for axis, one in enumerate(parts)])


def _numbers(part: slice) -> Any:
    start = 0 if part.start is None else part.start
    if isinstance(part.step, complex):
        return OPS.linspace(start, part.stop, int(abs(part.step)))
    return OPS.arange(start, part.stop, 1 if part.step is None else part.step)


def _open(part: Any, axis: int) -> Any:
    """Only the axis along which it differs: the others have size 1."""
    return part[tuple([slice(None) if one == axis else slice(0, 1) for one in range(part.ndim)])]


mgrid = Grid(laid_out=True)
ogrid = Grid(laid_out=False)
