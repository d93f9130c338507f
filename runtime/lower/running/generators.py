"""The random generators that a program asks: found for each run, which has them alone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, ExitStack, nullcontext
from typing import Any

import numpy as np

from autograph.kernels.library.draws import lock_of
from autograph.runtime.control.draws import Owner


class Generators:
    """Where a program finds the addresses of its generators, and what finds these."""

    def __init__(self, words: Sequence[tuple[int, Owner, Callable[[Any], Any]]]) -> None:
        self.words = words

    def found(self, words: np.ndarray[Any, Any]) -> AbstractContextManager[Any]:
        """Put the addresses into the parameters; gives what the program is to run in.

        NumPy holds the lock of a generator while it draws, also where it lets other threads of
        Python run, and so does a program. A generator that the run has not made yet is asked in no
        path that it takes.
        """
        locks: dict[int, Any] = {}
        rooms: dict[int, Any] = {}
        for word, owner, find in self.words:
            try:
                generator = owner()
            except KeyError:
                continue
            place = find(generator)
            if not isinstance(place, int):
                place = rooms.setdefault(id(generator), place).address
            words[word] = place
            lock = lock_of(generator)
            if lock is not None:
                locks[id(lock)] = lock
        # all threads take them in one order
        held = [*(locks[key] for key in sorted(locks)), *rooms.values()]
        if len(held) == 1:
            (one,) = held
            return one  # type: ignore[no-any-return]
        return _Several(held) if held else nullcontext()


class _Several(ExitStack):
    """Locks that are taken together, and rooms that are put back."""

    def __init__(self, held: Sequence[Any]) -> None:
        super().__init__()
        self.held = held

    def __enter__(self) -> _Several:
        super().__enter__()
        try:
            for one in self.held:
                self.enter_context(one)
        except BaseException:
            self.close()
            raise
        return self
