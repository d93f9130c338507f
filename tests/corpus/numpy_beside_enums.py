"""Arrays beside members of an IntEnum, and other numbers of a class of the user's."""

from __future__ import annotations

from enum import IntEnum

import numpy as np

from tests.corpus.registry import case, program


class Cell(IntEnum):
    FREE = 0
    WALL = 1
    GOAL = 5


class Weight(float):
    pass


GRIDS = (
    case(np.array([0, 1, 5, 1]), 1),
    case(np.array([1, 1, 0, 0, 1], np.uint8), 2),
    case(np.array([1.0, 0.0, 5.0]), 0),
    case(np.array([True, False, True]), 1),
)


@program(*GRIDS, compiled=True, mutate=False)
def cells_compared(grid, place):
    walls = grid == Cell.WALL
    where = np.where(walls, Cell.GOAL, Cell.FREE)
    return bool(grid[place] != Cell.WALL), walls, where, grid[grid > Cell.FREE]


@program(*GRIDS, mutate=False)
def cells_counted(grid, place):
    found = 0
    for cell in grid:
        if cell == Cell.WALL:
            found += 1
        elif cell in (Cell.GOAL, Cell.FREE):
            found += 10
    grid[place] = Cell.WALL
    return found, grid, np.isin(grid, [Cell.FREE, Cell.GOAL]), np.full(3, Cell.GOAL)


@program(*GRIDS, mutate=False)
def cells_added(grid, place):
    moved = grid + Cell.GOAL, Cell.GOAL * grid, grid * Weight(2.5), grid < Weight(0.5)
    return moved, grid[Cell.WALL], min(grid[place], Cell.GOAL), np.maximum(grid, Cell.WALL)
