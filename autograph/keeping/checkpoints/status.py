"""What a restore did, name by name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from autograph.keeping.checkpoints.matching import Plan
from autograph.keeping.errors import MismatchError

LONGEST = 20
"""More names than these are counted."""


@dataclass(slots=True)
class RestoreStatus:
    """What `Checkpoint.restore` did. Prints as a text; every list has the names of one fate."""

    path: str
    restored: list[str] = field(default_factory=list)
    """Variables that have the value of the checkpoint now."""
    missing: list[str] = field(default_factory=list)
    """Variables that the checkpoint does not have: left as they were."""
    unexpected: list[str] = field(default_factory=list)
    """Variables of the checkpoint that no object has."""
    mismatched: list[str] = field(default_factory=list)
    """Variables of another shape, dtype or sharing, with the difference: left as they were."""
    waiting: list[str] = field(default_factory=list)
    """Variables of the checkpoint that are assigned when they come into being."""
    values: list[str] = field(default_factory=list)
    """Plain Python values that were put back."""
    left: list[str] = field(default_factory=list)
    """Plain Python values that only one side has: left as they were."""

    on_update: list[Callable[[], None]] = field(default_factory=list)
    """What looks for Variables that were waited for."""

    def update(self) -> RestoreStatus:
        """Look for Variables that were made where nobody is told: in lists, dicts, plain objects.

        MismatchError where one has another shape or dtype than in the checkpoint.
        """
        for look in self.on_update:
            look()
        return self

    def take(self, plan: Plan) -> None:
        """Note what a plan did."""
        self.restored += [name for name in plan.assigned if name not in self.restored]
        self.missing += plan.missing
        self.mismatched += described(plan.mismatched)
        self.values += [path for path, *_ in plan.values]
        self.left += plan.left

    @property
    def complete(self) -> bool:
        """Whether every Variable of both sides was restored."""
        return not (self.missing or self.unexpected or self.mismatched or self.waiting)

    def check(self) -> RestoreStatus:
        """Raise MismatchError unless every Variable of both sides was restored."""
        self.update()
        if not self.complete:
            raise MismatchError(f"{self.path} was not restored completely", differences(self))
        return self

    def __str__(self) -> str:
        count = len(self.restored)
        lines = [f"{self.path}: {count} variable{'' if count == 1 else 's'} restored"]
        lines += [f"  {one}" for one in differences(self)]
        lines += [f"  left as it is: {one}" for one in self.left]
        return "\n".join(lines)

    __repr__ = __str__


def described(mismatched: dict[str, str]) -> list[str]:
    """Mismatches in words."""
    return [f"{path} {words}" for path, words in mismatched.items()]


def differences(status: RestoreStatus) -> list[str]:
    """One line for each Variable that was not restored; very many are counted."""
    return [
        *_lines(status.missing, "{} is not in the checkpoint"),
        *_lines(status.unexpected, "{} is in the checkpoint, and no object has it"),
        *_lines(status.mismatched, "{}"),
        *_lines(status.waiting, "{} waits until it is made"),
    ]


def _lines(names: list[str], form: str) -> list[str]:
    lines = [form.format(name) for name in names[:LONGEST]]
    if len(names) > LONGEST:
        lines.append(form.format(f"... and {len(names) - LONGEST} more: each"))
    return lines
