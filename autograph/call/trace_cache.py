"""The traces of one function: bounded, the least recently used one leaves first."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from autograph.call.concrete import ConcreteFunction
from autograph.call.guard_messages import Change
from autograph.call.retracing import Retrace
from autograph.call.signature import Key
from autograph.errors import RetracingWarning
from autograph.runtime.core.location import Location

MAXIMUM_TRACES = 256
"""How many traces a function keeps."""
STORM = 12
"""So many traces within twice as many calls are a storm."""


class CacheInfo(NamedTuple):
    """Like that of `functools.lru_cache`: a miss is a trace."""

    hits: int
    misses: int
    maxsize: int
    currsize: int


class TraceCache:
    """Traces by the key of the calls that they may fit.

    Other threads read it while one adds: what is kept for a key is replaced, never changed.
    """

    def __init__(self) -> None:
        self._by_key: dict[Key, tuple[ConcreteFunction, ...]] = {}

    @property
    def count(self) -> int:
        """How many are kept."""
        return sum(map(len, self._by_key.values()))

    def __iter__(self) -> Iterator[ConcreteFunction]:
        for known in list(self._by_key.values()):
            yield from known

    def get(self, key: Key) -> Sequence[ConcreteFunction]:
        """The traces for a key. TypeError where a part of it cannot be hashed."""
        return self._by_key.get(key, ())

    def add(self, key: Key, concrete: ConcreteFunction) -> ConcreteFunction | None:
        """Keep a trace; gives the one that left for it."""
        gone = self._evict() if self.count >= MAXIMUM_TRACES else None
        self._by_key[key] = (*self.get(key), concrete)
        return gone

    def clear(self) -> None:
        """Keep none."""
        self._by_key = {}

    def _evict(self) -> ConcreteFunction:
        key, oldest = min(
            ((key, one) for key, known in self._by_key.items() for one in known),
            key=lambda pair: pair[1].used,
        )
        rest = tuple(one for one in self._by_key[key] if one is not oldest)
        if rest:
            self._by_key[key] = rest
        else:
            del self._by_key[key]
        return oldest


class StormWatch:
    """Warns where a function is traced again and again; then each time that doubled."""

    def __init__(self) -> None:
        self._recent: list[tuple[int, tuple[Change, ...]]] = []
        self._traces = 0
        self._warned = 0
        self._said: dict[Any, Any] = {}

    def traced(self, name: str, calls: int, retrace: Retrace, place: Location) -> None:
        """Note a trace, the `calls`th call of the function, which is at `place`."""
        self._traces += 1
        self._recent = [*self._recent[1 - STORM :], (calls, retrace.changes)]
        within = calls - self._recent[0][0] + 1
        if len(self._recent) < STORM or within > 2 * STORM or self._traces < 2 * self._warned:
            return
        self._warned = self._traces
        text = (
            f"{name} was traced {STORM} times in its last {within} calls, {self._traces} times in "
            f"all\n{_often(self._recent)}\n"
            f"  Instead: pass what changes as a tensor, with axes that keep their number; and "
            f"objects that stay the same\n  {name}.explain_retraces() lists all"
        )
        warnings.warn_explicit(
            text, RetracingWarning, place.filename, place.line, registry=self._said
        )


def _often(recent: Sequence[tuple[int, tuple[Change, ...]]]) -> str:
    """What changed most often, with the last change of it."""
    last = {change.subject: change for _, changes in recent for change in changes}
    counts = Counter(change.subject for _, changes in recent for change in changes)
    return "\n".join(f"  {count} times {last[subject]}" for subject, count in counts.most_common(3))
