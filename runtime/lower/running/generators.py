"""The random generators that a program asks: found for each run, which has them alone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, ExitStack, nullcontext
from typing import Any

import numpy as np

from autograph.kernels.library.draws import bit_generator_of
from autograph.runtime.control.draws import Owner


class Generators:
    """Where a program finds the addresses of its generators, and what finds these."""

    def __init__(self, words: Sequence[tuple[int, Owner, Callable[[Any], int]]]) -> None:
        self.words = words

    def found(self, words: np.ndarray[Any, Any]) -> AbstractContextManager[Any]:
        """Put the addresses into the parameters; gives what the program is to run in.

        NumPy holds the lock of a generator while it draws, also where it lets other threads of
        Python run, and so does a program. A generator that the run has not made yet is asked in no
        path that it takes.
        """
        locks: dict[int, Any] = {}
        for word, owner, address_of in self.words:
            try:
                generator = owner()
            except KeyError:
                continue
            words[word] = address_of(generator)
            lock = bit_generator_of(generator).lock
            locks[id(lock)] = lock
        if len(locks) == 1:
            (lock,) = locks.values()
            return lock  # type: ignore[no-any-return]
        # all threads take them in one order
        return _Several([locks[key] for key in sorted(locks)]) if locks else nullcontext()


class _Several(ExitStack):
    """Locks that are taken together."""

    def __init__(self, locks: Sequence[Any]) -> None:
        super().__init__()
        self.locks = locks

    def __enter__(self) -> _Several:
        super().__enter__()
        try:
            for lock in self.locks:
                self.enter_context(lock)
        except BaseException:
            self.close()
            raise
        return self
