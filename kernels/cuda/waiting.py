"""Waiting for a kernel: the calling thread looks now and then whether a signal has come."""

from __future__ import annotations

import time
from collections.abc import Callable

BUSY = 200e-6
"""How long the thread looks without a pause, in seconds: most kernels are over by then."""
PAUSE = 20e-6


def wait_for(has_ended: Callable[[], bool], ask_to_end: Callable[[], None]) -> None:
    """Return when it has ended. An exception of a signal handler asks it to end, and is raised when
    it has: nothing of a call is used while the kernel still writes."""
    caught: BaseException | None = None
    start = time.perf_counter()
    while True:
        try:
            while not has_ended():
                if time.perf_counter() - start > BUSY:
                    time.sleep(PAUSE)
            break
        except BaseException as error:
            if caught is None:
                ask_to_end()
            caught = caught or error
    if caught is not None:
        raise caught
