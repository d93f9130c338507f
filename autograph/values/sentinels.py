"""Marks that stand where a Python value is missing."""

from __future__ import annotations

import enum


class Sentinel(enum.Enum):
    """Missing values: compared by identity only."""

    UNSET = "unset"
    """The location holds nothing: an unassigned local, a missing attribute or key."""
    DONT_CARE = "don't care"
    """No path of the program reads it: merges with anything."""
    PENDING = "pending"
    """An object that a container will refer to: what it refers to is not known yet."""

    def __repr__(self) -> str:
        return f"<{self.value}>"


UNSET = Sentinel.UNSET
DONT_CARE = Sentinel.DONT_CARE
PENDING = Sentinel.PENDING
