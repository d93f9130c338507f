"""What an emitted `for` means: over tensors, staged ranges, and plain Python iterables."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from autograph.control.chosen_contents import DictView, chosen_contents, with_each
from autograph.operators.calls.dispatch import call
from autograph.operators.containers import rows
from autograph.operators.containers.chosen_containers import Aligned
from autograph.operators.expressions.truth import choose
from autograph.operators.iterators.generator_consumers import consume
from autograph.operators.iterators.generator_recipes import (
    Recipe,
    around_yield,
    attempt,
    fresh_recipe,
    recipe_of,
    refuse_leaving,
)
from autograph.operators.iterators.iterators_in_turn import after_changes
from autograph.operators.iterators.plain_iteration import iterate, lazily, left_over, opened
from autograph.operators.iterators.staged_iterables import Indexed, StagedListItems, as_indexed
from autograph.operators.iterators.user_iterators import SequenceIterator, walked
from autograph.operators.statements.completion_codes import BREAK, COMPLETED, CONTINUE, EXIT, RETURN
from autograph.operators.statements.if_and_while import (
    Body,
    Locals,
    after_turn,
    end_of_loop,
    is_staged,
)
from autograph.operators.statements.kept_lengths import of_unknown_contents
from autograph.operators.statements.rolled_loops import (
    ROLLED_FROM,
    is_of_numbers,
    refuse_depth,
    rest_of_range,
    sources_of,
    staged_for,
    try_rest_of_items,
    try_rest_of_numbers,
    try_rest_of_range,
)
from autograph.operators.statements.turns import loop_of_turns
from autograph.runtime.core.number import Number
from autograph.runtime.ops.table import OPS
from autograph.tracing.places import ContentsPlace, Items, Place
from autograph.tracing.tracing import Tracing, current
from autograph.values.choice import Choice
from autograph.values.equivalence import is_long_table

MOST_GROWN = 2
"""After how many turns that may have changed a list it is gone over as one of staged length."""


def for_stmt(iterable: Any, body: Body, orelse: Body | None, names: Sequence[str]) -> Any:
    """`for item in iterable: body(item) else: orelse()`; gives None or RETURN."""
    tracing = current()
    if tracing is None:
        try:
            for item in iterable:
                code = body(item)
                if code == BREAK:
                    return None
                if code == RETURN:
                    return RETURN
        except BaseException:
            iterable = None  # a generator that nobody else holds is closed now
            raise
        return orelse() if orelse is not None else None
    held = sys.getrefcount(iterable) > TEMPORARY
    if recipe_of(tracing, iterable) is None:
        iterable = opened(iterable, not held)
        held = False
    local = Locals(tracing, (body, orelse), names, sys._getframe(1))
    recipe = recipe_of(tracing, iterable)
    if recipe is not None:
        code = _generator_for(tracing, local, [iterable], recipe, held, body)
        iterable = None
        return end_of_loop(tracing, local, code, orelse)
    return _for(tracing, local, iterable, body, orelse)


def _references(item: Any) -> int:
    return sys.getrefcount(item)


TEMPORARY = _references(object())
"""The references to an argument that its caller does not hold."""


def _generator_for(
    tracing: Tracing, local: Locals, box: list[Any], recipe: Recipe, held: bool, body: Body
) -> Any:
    """A loop over a generator, by its second form where the items need not come one by one.

    A generator that somebody else holds may be left and used again, which its second form cannot.
    """
    generator = box.pop()
    if fresh_recipe(tracing, generator) is None:
        return _python_for(tracing, local, iter(lazily(generator)), body)
    if not held:
        return consume(tracing, local, recipe, body)

    def pull() -> Any:
        return _python_for(tracing, local, iter(lazily(generator)), body, may_leave=False)

    return attempt(tracing, pull, lambda: consume(tracing, local, recipe, body))


def _one_for(tracing: Tracing, local: Locals, one: Any, body: Body, orelse: Body | None) -> Any:
    """A loop over one of several iterables."""
    held = recipe_of(tracing, one) is not None
    iterable = one if held else opened(one, False)
    recipe = recipe_of(tracing, iterable)
    if recipe is None:
        return _for(tracing, local, iterable, body, orelse)
    code = _generator_for(tracing, local, [iterable], recipe, held, body)
    return end_of_loop(tracing, local, code, orelse)


def _for(tracing: Tracing, local: Locals, iterable: Any, body: Body, orelse: Body | None) -> Any:
    aligned = Aligned.of(tracing, iterable)
    if aligned is not None:
        code = _aligned_for(tracing, local, aligned, 0, body)
        return end_of_loop(tracing, local, code, orelse)
    if isinstance(iterable, DictView) and isinstance(iterable.container, Choice):
        kind = iterable.kind
        return choose(
            tracing,
            iterable.container,
            lambda one: _code_of(_for(tracing, local, DictView(one, kind), body, orelse)),
        )
    if isinstance(iterable, Choice):
        return choose(
            tracing, iterable, lambda one: _code_of(_one_for(tracing, local, one, body, orelse))
        )
    contents = chosen_contents(tracing, iterable)
    if contents is not None:
        return with_each(
            tracing,
            iterable,
            contents,
            lambda: _code_of(_for(tracing, local, iterable, body, orelse)),
        )
    indexed = as_indexed(tracing, iterable)
    if isinstance(iterable, SequenceIterator):
        code = _walk(tracing, local, iterable, body)
    elif indexed is not None:
        code = _indexed_for(tracing, local, indexed, body)
    elif type(iterable) is range:
        code = _python_range(tracing, local, iterable, body)
    elif isinstance(iterable, list) and type(iterable).__iter__ is list.__iter__:
        iterate(iterable)
        code = _list_for(tracing, local, iterable, 0, body)
    else:
        code = _python_for(tracing, local, iter(lazily(iterable)), body)
    return end_of_loop(tracing, local, code, orelse)


def _code_of(found: Any) -> Any:
    """How a loop ended, as a number: one that is staged in another option can be merged with it."""
    return COMPLETED if found is None else found


SHORT = 16
"""So many items are few: where such a loop is refused as a staged one, it is written out."""
MOST_SHORT = 64
"""So many turns of such loops are written out in one trace."""


def _indexed_for(tracing: Tracing, local: Locals, items: Indexed, body: Body) -> Any:
    """A staged loop; one of few turns in Python, where a staged one was refused before."""
    count = items.length(tracing)
    if isinstance(count, int) and count <= SHORT:
        tracing.short_turns += count
        if tracing.hints.writes_short and tracing.short_turns <= MOST_SHORT:
            turns = (items.get(tracing, place) for place in range(count))
            return _python_for(tracing, local, turns, body)
    return staged_for(tracing, local, items, body)


def _is_staged(tracing: Tracing, iterator: SequenceIterator) -> bool:
    return not isinstance(left_over(tracing, iterator), bool)


def _walk(tracing: Tracing, local: Locals, iterator: SequenceIterator, body: Body) -> Any:
    """The loop over what is left of an iterator."""
    if _is_staged(tracing, iterator):
        return _staged_walk(tracing, local, iterator, body)
    recipe = recipe_of(tracing, walked(tracing, iterator))
    assert recipe is not None
    return consume(tracing, local, recipe, body)


def _staged_walk(tracing: Tracing, local: Locals, iterator: SequenceIterator, body: Body) -> Any:
    """The loop over an iterator that stands at a place known only at run time."""

    def turn() -> tuple[Any, Any]:
        local.start_turn()
        flag = left_over(tracing, iterator)

        def run() -> tuple[Any, Any]:
            item = call(type(iterator).__next__, iterator)
            return after_turn(tracing, local.run(body, item))

        if isinstance(flag, bool):
            return run() if flag else (False, EXIT)
        outcome: tuple[Any, Any] = local.switch(flag, [lambda: (False, EXIT), run])
        return outcome

    return loop_of_turns(tracing, turn, local.dead)


# ranges -------------------------------------------------------------------------------------------
def _python_range(tracing: Tracing, local: Locals, numbers: range, body: Body) -> Any:
    """Turns run in Python until one is staged; the rest of the range is then one staged loop."""
    tried = False
    for place, number in enumerate(numbers):
        left = len(numbers) - place
        most = 0 if left >= ROLLED_FROM else MOST_WRITTEN // left
        several: set[int] = set()
        most_nodes = None if tried else most
        most_of_lists = None if tracing.hints.writes_lists else MOST_OF_LISTS // left
        code, taken_back = _tried_turn(
            tracing, local, body, number, most_nodes, several, most_of_lists
        )
        if is_staged(code):
            return rest_of_range(tracing, local, numbers[place:], body)
        if taken_back:
            tried = True
            short = left < ROLLED_FROM
            if short and most_of_lists is not None and taken_back > most_of_lists:
                short = False
                tracing.long_lists += 1
            rest = try_rest_of_range(tracing, local, numbers[place:], body, short, several)
            if rest is not None:
                return rest
            code = local.run(body, number)
        if code == BREAK or code == RETURN:
            return code
    return EXIT


MOST_WRITTEN = 300
"""So many nodes of the turns of a range are written out, as the turn that is made tells it."""
MOST_OF_LISTS = 4000
"""So many of turns that change lists of known length, which get a length that the run tells."""


def _tried_turn(
    tracing: Tracing,
    local: Locals,
    body: Body,
    item: Any,
    most: int | None,
    several: set[int] | None = None,
    most_of_lists: int | None = None,
) -> tuple[Any, int]:
    """One turn in Python, and how many nodes of it were taken back, for a staged loop to make it.

    They are where it may leave the loop under a staged condition, and where they are more than
    `most`, or `most_of_lists` in a short range that changes known lists. `several` gets the ids of
    containers whose contents only the run tells after it.
    """
    checkpoint = tracing.checkpoint()
    with tracing.enter() as region:
        try:
            code = local.run(body, item)
            count = checkpoint.count() if checkpoint.advanced else 0
            long = most is not None and count > most
            if long and most:  # a short range: what changes known lists is written out
                huge = most_of_lists is not None and count > most_of_lists
                long = huge or not any(_holds_known(one) for one, _ in region.log.values())
            if several is not None:
                several |= of_unknown_contents(region)
            rolled = is_staged(code) or (long and not region.advanced)
        except BaseException:
            region.commit()
            raise
        if rolled:
            region.take_back()
            checkpoint.restore()
        else:
            region.commit()
    return code, max(count, 1) if rolled else 0


def _holds_known(place: Place) -> bool:
    """Whether a place is the contents of a container, and which they are is known."""
    return isinstance(place, ContentsPlace) and isinstance(place.get(), Items)


# plain iterables ----------------------------------------------------------------------------------
_NOTHING_LEFT = object()


def _python_for(
    tracing: Tracing,
    local: Locals,
    items: Iterator[Any],
    body: Body,
    may_leave: bool = True,
    depth: int = 0,
) -> Any:
    """Turns run in Python; after one whose completion is staged, the rest is a continuation.

    `depth`: of how many such turns this is the continuation.
    """
    sources = sources_of(items) if depth == ROLLED_FROM else None
    if sources is not None:
        left = list(items)
        code = try_rest_of_items(tracing, local, left, body, sources)
        if code is not None:
            return code
        items = iter(left)
    refuse_depth(depth)
    while True:
        rest = after_changes(tracing, items)
        if rest is not None:
            return _walk(tracing, local, rest, body)
        item = next(items, _NOTHING_LEFT)
        if item is _NOTHING_LEFT:
            return EXIT
        code = local.run(body, item)
        if isinstance(code, Number):
            if not may_leave:
                raise around_yield("the condition that leaves a loop")
            refuse_leaving(tracing, items)
            tracing.lost.add(id(items))
            tracing.keep(items)
            go_on = functools.partial(_python_for, tracing, local, items, body, depth=depth + 1)
            return _continued(local, code, go_on)
        if code == BREAK or code == RETURN:
            return code


# lists --------------------------------------------------------------------------------------------
def _list_for(
    tracing: Tracing,
    local: Locals,
    items: list[Any],
    position: int,
    body: Body,
    grown: int = 0,
    depth: int = 0,
) -> Any:
    """A list is asked for its length at every turn, also where the turns before changed it.

    `grown`: after how many turns it was one of several, which they are traced for one by one.
    `depth`: of how many turns whose completion is staged this is the continuation.
    """
    if depth == ROLLED_FROM and tracing.contents(items) is None:
        rest_rolled = try_rest_of_items(tracing, local, items[position:], body, [items])
        if rest_rolled is not None:
            return rest_rolled
    refuse_depth(depth)
    try_rest = None  # what rolls the turns that are left once one makes many nodes
    if depth == 0 and tracing.contents(items) is None and is_long_table(items):
        try_rest, written = try_rest_of_items, 0
    elif depth == 0 and is_of_numbers(tracing, items):
        try_rest, written = try_rest_of_numbers, MOST_WRITTEN
    while True:
        contents = chosen_contents(tracing, items)
        if contents is not None and grown == MOST_GROWN:
            rows.make_staged(tracing, items)
        elif contents is not None:
            rest = functools.partial(_list_for, tracing, local, items, position, body, grown + 1)
            return with_each(tracing, items, contents, rest)
        if tracing.contents(items) is not None:
            return staged_for(tracing, local, StagedListItems(items), body, position)
        if position >= len(items):
            return EXIT
        item = list.__getitem__(items, position)
        position += 1
        if try_rest is not None:
            most = written // (len(items) - position + 1)
            code, taken_back = _tried_turn(tracing, local, body, item, most)
            if taken_back:
                found = try_rest(tracing, local, items[position - 1 :], body, [items])
                if found is not None:
                    return found
                try_rest = None
                code = local.run(body, item)
        else:
            code = local.run(body, item)
        if isinstance(code, Number):
            rest = functools.partial(
                _list_for, tracing, local, items, position, body, grown, depth + 1
            )
            return _continued(local, code, rest)
        if code == BREAK or code == RETURN:
            return code


def _aligned_for(tracing: Tracing, local: Locals, items: Aligned, position: int, body: Body) -> Any:
    """One of several lists (or tuples, dicts), as long as they are gone over in step."""
    while True:
        if items.places() is None and isinstance(items.choice.options[0], list):
            return _apart(tracing, local, items, position, body)
        try:
            item = items.at(position)
        except StopIteration:
            return EXIT
        position += 1
        code = local.run(body, item)
        if isinstance(code, Number):
            rest = functools.partial(_aligned_for, tracing, local, items, position, body)
            return _continued(local, code, rest)
        if code == BREAK or code == RETURN:
            return code


def _apart(tracing: Tracing, local: Locals, items: Aligned, position: int, body: Body) -> Any:
    """The rest of a loop over one of several lists that a turn has changed apart."""
    return choose(tracing, items.choice, lambda one: _list_for(tracing, local, one, position, body))


def _continued(local: Locals, code: Number, go_on: Callable[[], Any]) -> Any:
    """The rest of a loop after a turn whose completion is staged."""
    goes_on = OPS.py_or(OPS.py_eq(code, COMPLETED), OPS.py_eq(code, CONTINUE))

    def rest() -> Any:
        local.watch()
        return go_on()

    return local.switch(goes_on, [lambda: code, rest])
