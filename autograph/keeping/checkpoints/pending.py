"""Restores that wait for Variables which are not made yet.

While one waits, giving an attribute to a Module looks whether that is what is waited for.
"""

from __future__ import annotations

from typing import Any

from autograph.keeping.checkpoints.kept import Kept
from autograph.keeping.checkpoints.matching import Matcher
from autograph.keeping.checkpoints.objects import Edge, is_holder, join, parts
from autograph.keeping.checkpoints.restoring import carry_out
from autograph.keeping.checkpoints.status import RestoreStatus, described
from autograph.keeping.errors import MismatchError
from autograph.runtime.core.state import STATE
from autograph.tracing import attachment

_WAITING: list[Pending] = []


class Pending:
    """One restore that waits."""

    def __init__(self, matcher: Matcher, status: RestoreStatus) -> None:
        self.matcher = matcher
        self.status = status

    def update(self) -> None:
        """Look into every matched object for what was waited for."""
        for item, kept in list(self.matcher.pairs.values()):
            for name, held in list(parts(item)):
                self.attached(item, name, held, kept)
        _drop_finished()

    def attached(self, item: Any, name: Edge, held: Any, kept: Kept) -> None:
        """`held` is the part `name` of `item`, which is matched with `kept`."""
        one = kept.edges.get(name)
        if one is None or not is_holder(held) or (id(held), id(one)) in self.matcher.pairs:
            return
        if any(pair[1] is one for pair in self.matcher.pairs.values()):
            self.matcher.forget(one)  # the object that it was matched with has been replaced
        plan = self.matcher.match(held, one, join(kept.path, name))
        if plan.mismatched:
            raise MismatchError(
                f"{self.status.path} does not fit what was made since it was restored",
                described(plan.mismatched),
            )
        carry_out(plan)
        self.status.take(plan)
        self.status.waiting[:] = [one.path for one in self.matcher.unmatched()]


def wait_for(matcher: Matcher, status: RestoreStatus) -> None:
    """Let a restore wait until its last Variable is made."""
    pending = Pending(matcher, status)
    status.on_update.append(pending.update)
    _WAITING.append(pending)
    attachment.listen(_attached)


def _attached(owner: Any, name: str, held: Any) -> None:
    _drop_finished()
    for pending in list(_WAITING):
        for item, kept in list(pending.matcher.pairs.values()):
            if item is owner:
                pending.attached(item, name, held, kept)
    _drop_finished()


def _drop_finished() -> None:
    """Forget the restores that are complete; those of a trace, which may start anew, later."""
    if STATE.interpreter is not None:
        return
    _WAITING[:] = [pending for pending in _WAITING if pending.status.waiting]
    if not _WAITING:
        attachment.listen(None)
