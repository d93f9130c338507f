"""Clocks in programs, as native functions: how long each part of a program takes, for profiles.

Each part begins with a tick, which counts the time since the tick before for the part of that one.
The table has two words, when the last tick was and of which part, and then two words for each
part: its nanoseconds, and how often it ran. Written, as `frames` is, over addresses;
`kernels.ticks` reads the table.
"""

from __future__ import annotations

from typing import Any

PARTS = 2048
"""Parts that are told apart; part 0 is all else."""
TABLE = 2 + 2 * PARTS
"""Words of the table."""

# Bound when this is compiled
now: Any = None
table_of_ticks: Any = None
int64_at: Any = None


def tick(part: Any) -> Any:
    """A part begins."""
    words = int64_at(table_of_ticks())
    time = now()
    last = 2 + 2 * words[1]
    words[last] = words[last] + time - words[0]
    words[2 + 2 * part + 1] = words[2 + 2 * part + 1] + 1
    words[1] = part
    words[0] = now()
    return 0


SIGNATURES = {"tick": 1}
"""How many int64 each takes; each gives an int64."""
