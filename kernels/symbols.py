"""The names under which object code is linked: of programs' entries and the support functions."""

from __future__ import annotations

from autograph.kernels.support import clocks, frames, list_functions, pool, thread_pool

PREFIX = "autograph_"
ENTRY = "autograph_entry"
THREADS = "autograph_threads"
"""The words of the pool of threads."""
TICKS = "autograph_ticks"
"""The table of `kernels.support.clocks`."""


def signatures() -> dict[str, int]:
    """The support functions, and how many int64 each takes."""
    return {
        **frames.SIGNATURES,
        **list_functions.SIGNATURES,
        **pool.SIGNATURES,
        **thread_pool.SIGNATURES,
        **clocks.SIGNATURES,
    }


EXHAUSTED = {**frames.EXHAUSTED, **list_functions.EXHAUSTED}
"""What support functions give where there is no memory."""
