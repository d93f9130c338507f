"""What is gone over by its length and its items at indices, where either may be staged."""

from __future__ import annotations

from typing import Any

from autograph.errors import StateError
from autograph.tracing.tracing import Tracing


class Indexed:
    """Something with a length and an item at each index; both may be staged."""

    __slots__ = ()
    _stays_whole = True
    """Of two that differ in more than numbers and tensors of one kind, one is meant."""

    def __init_subclass__(cls) -> None:
        """Python's errors call it as they call what it stands for: 'zip' object has no len()."""
        kind = cls.__dict__.get("kind")
        if isinstance(kind, type):
            cls.__name__ = kind.__name__

    def length(self, tracing: Tracing) -> Any:
        """The number of items: an int or a staged one."""
        raise NotImplementedError

    def get(self, tracing: Tracing, index: Any) -> Any:
        """The item at an index from 0 to the length."""


class Sequence(Indexed):
    """A sequence of staged length, of a kind of Python's own that cannot change."""

    kind: type
    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        if self is other or not isinstance(other, Sequence | self.kind):
            return self is other
        raise StateError(
            f"whether a {self.kind.__name__} of staged length equals another is asked by code that "
            "is not converted",
            remedy="compare them in a function that is converted, with ==",
        )

    def __hash__(self) -> int:
        raise StateError(
            f"the hash of a {self.kind.__name__} of staged length is known only when the function "
            "runs",
            remedy="keep a list of them, and compare",
        )

    def staged_truth(self, tracing: Tracing) -> Any:
        """Whether it has items."""
        return self.length(tracing) > 0
