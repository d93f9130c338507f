"""What is known of a function before it is traced: by earlier traces, and by ones given up."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import CodeType
from typing import Any

from autograph.errors import TracingSignal
from autograph.runtime.core.location import Location
from autograph.values.references import Referring


class ReadAppended(TracingSignal):
    """A list is read to which things were appended as if nobody did: it is traced again."""

    def __init__(self, path: str) -> None:
        super().__init__(path)
        self.path = path


class FoundExplosion(TracingSignal):
    """The turns of a loop get longer and longer: it is traced again, staged from the first on."""

    def __init__(self, code: CodeType) -> None:
        super().__init__(code)
        self.code = code


@dataclass(frozen=True, slots=True)
class Hints:
    """What earlier traces of the same function taught: by access path."""

    symbolic: Mapping[str, frozenset[int]]
    """Axes whose size has been seen to change."""
    numbers: frozenset[str]
    """Python numbers whose value has been seen to change."""
    any_size: bool = False
    """Whether these axes may be of size 0 and 1, too."""
    recursive: frozenset[Any] = frozenset()
    """Code objects of functions that are re-entered under a staged condition."""
    cycles: frozenset[Any] = frozenset()
    """Code objects of these, and of functions through which they are re-entered."""
    forgetful: bool = False
    """Whether the graph does not remember calls of functions under `lru_cache`."""
    opened: frozenset[Any] = frozenset()
    """Those of which the first call is traced by itself, before the others are a recursion."""
    refuse_making: Callable[[Location | None], None] = lambda place: None
    """Raises where a Variable is made that an earlier call made."""
    holds_values: bool = False
    """Whether containers that leave the call hold arrays by value: no other way was found."""
    referring: Referring = Referring()
    """What containers of staged length refer to."""
    read_lists: frozenset[str] = frozenset()
    """Paths of lists that are appended to in branches or loops, and read, too."""
    resuming: bool = False
    """Whether generators go on where they stood as staged code."""
    iterators: bool = False
    """Whether `zip`, `map` and the like of tensors are such generators, too."""
    writes_lists: bool = False
    """Whether lists of known numbers of elements of arrays hold these one by one, however many."""
    empty_lists: bool = False
    """Whether lists of staged length turned out empty that NumPy made arrays of."""
    exploding: frozenset[Any] = frozenset()
    """Code objects of loops that explode where they are written out, turn by turn."""
    writes_short: bool = False
    """Whether loops over few items, as many as is known, are written out."""
