"""The names under which object code is linked: of programs' entries and the support functions."""

from __future__ import annotations

from autograph.kernels import (
    support,
    support_lists,
    support_pool,
    support_threads,
    support_ticks,
)

PREFIX = "autograph_"
ENTRY = "autograph_entry"
THREADS = "autograph_threads"
"""The words of the pool of threads."""
TICKS = "autograph_ticks"
"""The table of `kernels.support_ticks`."""


def signatures() -> dict[str, int]:
    """The support functions, and how many int64 each takes."""
    return {
        **support.SIGNATURES,
        **support_lists.SIGNATURES,
        **support_pool.SIGNATURES,
        **support_threads.SIGNATURES,
        **support_ticks.SIGNATURES,
    }


EXHAUSTED = {**support.EXHAUSTED, **support_lists.EXHAUSTED}
"""What support functions give where there is no memory."""
