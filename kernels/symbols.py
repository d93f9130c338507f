"""The names under which object code is linked: of programs' entries and the support functions."""

from __future__ import annotations

from autograph.kernels import support, support_lists, support_pool, support_threads

PREFIX = "autograph_"
ENTRY = "autograph_entry"
THREADS = "autograph_threads"
"""The words of the pool of threads."""


def signatures() -> dict[str, int]:
    """The support functions, and how many int64 each takes."""
    return {
        **support.SIGNATURES,
        **support_lists.SIGNATURES,
        **support_pool.SIGNATURES,
        **support_threads.SIGNATURES,
    }


EXHAUSTED = {**support.EXHAUSTED, **support_lists.EXHAUSTED}
"""What support functions give where there is no memory."""
