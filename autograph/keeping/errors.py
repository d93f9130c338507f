"""What may be raised when state or a function is kept on disk, or fetched from there."""

from __future__ import annotations

from collections.abc import Sequence


class KeepingError(Exception):
    """Something cannot be kept, or what was kept cannot be used; the message says what and why."""


class DamagedError(KeepingError):
    """What is on disk is not what was written: it was cut, or changed afterwards."""


class NewerVersionError(KeepingError):
    """What is on disk was written by a version of this library that knows more than this one."""


class MismatchError(KeepingError):
    """A checkpoint and the objects that it is to be restored into differ.

    `differences` are the lines of the message, one for each name. Nothing was restored.
    """

    def __init__(self, message: str, differences: Sequence[str] = (), remedy: str = "") -> None:
        self.differences = tuple(differences)
        lines = [message, *(f"  {one}" for one in differences)]
        super().__init__("\n".join([*lines, f"  Instead: {remedy}"] if remedy else lines))
