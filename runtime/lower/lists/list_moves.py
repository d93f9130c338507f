"""Lists brought to the places that all ways of control flow agree on."""

from __future__ import annotations

from collections.abc import Sequence

from autograph.runtime.lower.builder import Builder
from autograph.runtime.lower.storage.forms import Items, ListHome

Move = tuple[ListHome, ListHome, int]
"""Where a list goes, where it is, and the rank of its items."""


def settle_lists(builder: Builder, moves: Sequence[tuple[Items, Items]]) -> None:
    """Bring each list (the second) to its home (that of the first)."""
    pending: list[Move] = [
        (place.home, value.home, value.rank)
        for place, value in moves
        if place.home is not value.home
    ]
    settled = [place.home for place, value in moves if place.home is value.home]
    while pending:
        target, source, rank = pending.pop()
        shared = source in settled or any(home is source for _, home, _ in pending)
        is_place = any(place is source for place, _, _ in pending)
        if shared or (source.live > 1 and not is_place):
            pending = _copy(builder, (target, source, rank), pending)
        else:
            builder.execute(f"swap_lists({target.where}, {source.where})")
            # what was in the target is where the source was
            moved = [(p, source if home is target else home, r) for p, home, r in pending]
            settled.extend(p for p, home, _ in moved if p is home)
            pending = [(p, home, r) for p, home, r in moved if p is not home]
        settled.append(target)


def _copy(builder: Builder, move: Move, pending: list[Move]) -> list[Move]:
    target, source, rank = move
    if any(home is target for _, home, _ in pending):
        # another move needs what is in the target: keep it in a list of its own
        kept = builder.new_list()
        builder.execute(f"swap_lists({kept.where}, {target.where})")
        pending = [(p, kept if home is target else home, r) for p, home, r in pending]
    builder.execute(f"copy_list({target.where}, {source.where}, {rank})")
    return pending
