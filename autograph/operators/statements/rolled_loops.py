"""Loops over Python values as staged loops: long ones, and those left under staged conditions."""

from __future__ import annotations

import itertools
import operator
from collections.abc import Collection, Iterator, Sequence
from functools import partial
from types import CellType
from typing import Any

from autograph.errors import StagingError, StateError
from autograph.operators.containers import rows
from autograph.operators.containers.sequences import common_spec
from autograph.operators.iterators.replayable_iterators import Replayed, Watched
from autograph.operators.iterators.staged_iterables import Indexed, StagedListItems, StagedRange
from autograph.operators.statements.completion_codes import EXIT
from autograph.operators.statements.if_and_while import Body, Locals, after_turn, attempted
from autograph.operators.statements.kept_lengths import keeping_lengths
from autograph.operators.statements.turns import loop_of_turns
from autograph.runtime.arrays.cells import Scalar
from autograph.runtime.core.number import Number
from autograph.runtime.core.tensor import Tensor
from autograph.runtime.ops.table import OPS
from autograph.tracing.places import CellPlace, ContentsPlace
from autograph.tracing.tracing import Tracing

ROLLED_FROM = 24
"""A Python range at least this long is rolled into one staged loop if its body allows it.

Likewise what is left of other values after as many turns that may have left the loop.
"""

MOST_TURNS = 72
"""After how many turns that may have left a loop the next one is refused: each is in the last."""


def staged_for(tracing: Tracing, local: Locals, items: Indexed, body: Body, first: int = 0) -> Any:
    """The loop over items that a staged number finds, from the place `first` on."""
    start = Number(tracing.region.trace.constant(first))
    counter = CellPlace(CellType(start), "the loop index")
    tracing.closures.born.add(id(counter.owner))
    tracing.born(counter.owner)

    def turn() -> tuple[Any, Any]:
        local.start_turn()
        tracing.touch(counter)
        index = counter.get()
        flag = OPS.py_lt(index, items.length(tracing))

        def run() -> tuple[Any, Any]:
            tracing.touch(counter)
            item = items.get(tracing, index)
            counter.set(OPS.py_add(index, 1))
            return after_turn(tracing, local.run(body, item))

        outcome: tuple[Any, Any] = local.switch(flag, [lambda: (False, EXIT), run])
        return outcome

    return loop_of_turns(tracing, turn, local.dead)


def rest_of_range(tracing: Tracing, local: Locals, numbers: range, body: Body) -> Any:
    items = _FixedRange(numbers)
    return staged_for(tracing, local, items, body)


def try_rest_of_range(
    tracing: Tracing,
    local: Locals,
    numbers: range,
    body: Body,
    short: bool = False,
    several: Collection[int] = (),
) -> Any:
    """The staged loop, or None (and nothing changed) where the body does not allow it.

    Known containers that a `short` loop makes longer hold objects, which others may ask for: its
    turns are written out, unless these would make one of several of them.
    """

    loop = partial(rest_of_range, tracing, local, numbers, body)
    if short:
        loop = partial(keeping_lengths, tracing, loop, several=several)
    return attempted(tracing, loop)


class _FixedRange(StagedRange):
    """A range of known bounds, indexed by a staged number."""

    __slots__ = ("numbers",)

    def __init__(self, numbers: range) -> None:
        super().__init__(numbers.start, numbers.stop, numbers.step)
        self.numbers = numbers

    def length(self, tracing: Tracing) -> Any:
        return len(self.numbers)

    def get(self, tracing: Tracing, index: Any) -> Any:
        scaled = index if self.step == 1 else OPS.py_mul(index, self.step)
        return scaled if self.start == 0 else OPS.py_add(scaled, self.start)


def _is_value(item: Any) -> bool:
    """Whether a list of staged length can hold an item just as well: an atom, or a tensor."""
    if isinstance(item, tuple):
        return type(item) is tuple and all(map(_is_value, item))
    return isinstance(item, Number | Tensor) or type(item) in (bool, int, float, str)


MOST_ITEMS = 100_000
"""Iterators that may have more items than this are not asked for all of them."""


def try_rest_of_items(
    tracing: Tracing, local: Locals, left: list[Any], body: Body, sources: Sequence[Any]
) -> Any:
    """The staged loop over known items, or None (and nothing changed) where that cannot be.

    `sources` are the containers that they are of, which the body must not change.
    """
    if len(left) < ROLLED_FROM or not all(map(_is_value, left)):
        return None
    return attempted(tracing, partial(_rest, tracing, local, left, body, sources))


def _rest(
    tracing: Tracing, local: Locals, left: list[Any], body: Body, sources: Sequence[Any]
) -> Any:
    items = tracing.born(list(left))
    if common_spec(tracing, items) is not None and len(left) < ROLLED_FROM:
        rows.make_known(tracing, items)
    else:
        rows.make_staged(tracing, items)
    code = staged_for(tracing, local, StagedListItems(items), body)
    if any(ContentsPlace(one, tracing).key in tracing.region.log for one in sources):
        raise StagingError("what a loop goes over is changed in it")
    return code


FEWEST_NUMBERS = 3
"""So few numbers are gone over by turns that are written out, whatever each of them makes."""


def is_of_numbers(tracing: Tracing, items: list[Any]) -> bool:
    """Whether a plain list is of staged numbers, or of tensors without axes of before the call: a
    staged loop over it knows which tensor it is at."""
    if tracing.hints.writes_lists or tracing.contents(items) is not None:
        return False
    if len(items) >= ROLLED_FROM:  # NumPy's, of which nobody asks which object they are
        return all(type(one) is Scalar for one in items) and len({one.dtype for one in items}) == 1
    if not FEWEST_NUMBERS <= len(items) < ROLLED_FROM:
        return False
    if all(isinstance(one, Number) for one in items):
        return len({one.kind for one in items}) == 1
    spec = common_spec(tracing, items)
    return spec is not None and not spec.shape


def try_rest_of_numbers(
    tracing: Tracing, local: Locals, left: list[Any], body: Body, sources: Sequence[Any]
) -> Any:
    """The staged loop over few numbers, each of whose turns makes much; None where it cannot be."""
    if len(left) < FEWEST_NUMBERS - 1:
        return None
    tracing.long_lists += 1
    loop = partial(_rest, tracing, local, left, body, sources)
    if len(left) < ROLLED_FROM - 1:
        loop = partial(keeping_lengths, tracing, loop)
    return attempted(tracing, loop)


_OF_PYTHON: tuple[Any, ...] = (range(1), range(2**70), [], (), "", "\xff", {}, set())
_PLAIN: tuple[type, ...] = (
    *(type(iter(one)) for one in _OF_PYTHON),
    type(iter({}.values())),
    type(iter({}.items())),
    type(reversed([])),
    itertools.product,
    itertools.permutations,
    itertools.combinations,
    itertools.combinations_with_replacement,
)


def sources_of(items: Any) -> list[Any] | None:
    """The containers that an iterator goes over; None where it may not end, or runs user code."""
    if isinstance(items, Replayed):
        if items.kind not in (enumerate, zip, *_PLAIN):
            return None
        inner = [getattr(one, "iterator", one) for one in items.sources]
    elif isinstance(items, Watched):
        inner = [items.items]
    elif isinstance(items, enumerate | zip):
        inner = [one for one in items.__reduce__()[1] if isinstance(one, Iterator)]
    elif isinstance(items, _PLAIN) and operator.length_hint(items) <= MOST_ITEMS:
        return []
    else:
        return None
    found = [items.container] if isinstance(items, Watched) else []
    for one in map(sources_of, inner):
        if one is None:
            return None
        found += one
    return found


def refuse_depth(depth: int) -> None:
    """Raises where the turns of a loop would be nested too deep."""
    if depth == MOST_TURNS:
        raise StateError(
            f"a loop over Python values may be left under a staged condition in more than "
            f"{MOST_TURNS} turns, and cannot be one staged loop",
            remedy="go over a tensor, a range, or a list of numbers or tensors of one kind",
        )
