"""Lists brought to the places that all ways of control flow agree on."""

from __future__ import annotations

from collections.abc import Sequence

from autograph.runtime.lower.builder import Builder
from autograph.runtime.lower.storage import Items, ListHome


def settle_lists(builder: Builder, moves: Sequence[tuple[Items, Items]]) -> None:
    """Bring each list (the second) to its home (that of the first)."""
    ranks = {id(value.home): value.rank for _, value in moves}
    pending = [(place.home, value.home) for place, value in moves if place.home is not value.home]
    settled = [place.home for place, value in moves if place.home is value.home]
    while pending:
        target, source = pending.pop()
        shared = source in settled or any(home is source for _, home in pending)
        others = [home for place, home in pending if place is source]
        if shared or (source.live > 1 and not others):
            _copy(builder, target, source, pending, ranks[id(source)])
        else:
            builder.execute(f"swap_lists(frame, {target.number}, {source.number})")
            ranks[id(target)], ranks[id(source)] = ranks[id(source)], ranks.get(id(target), 0)
            pending = [(p, source if home is target else home) for p, home in pending]
            pending = [(p, home) for p, home in pending if p is not home]
        settled.append(target)


def _copy(
    builder: Builder,
    target: ListHome,
    source: ListHome,
    pending: list[tuple[ListHome, ListHome]],
    rank: int,
) -> None:
    if any(home is target for _, home in pending):
        # another move needs what is in the target: keep it in a list of its own
        kept = builder.new_list()
        builder.execute(f"swap_lists(frame, {kept.number}, {target.number})")
        for place, (p, home) in enumerate(pending):
            if home is target:
                pending[place] = (p, kept)
    builder.execute(f"copy_list(frame, {target.number}, {source.number}, {rank})")
