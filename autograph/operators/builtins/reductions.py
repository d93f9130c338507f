"""`sum`, `min`, `max`, `any` and `all` of Python, over tensors and staged lists too."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from types import CellType
from typing import Any

from autograph.control.branch import switch
from autograph.library import sequences as library
from autograph.operators.builtins import summation
from autograph.operators.calls.dispatch import call
from autograph.operators.containers import rows
from autograph.operators.expressions.arithmetic import COMPARISONS
from autograph.operators.expressions.conditional_expression import branch
from autograph.operators.expressions.identity import is_
from autograph.operators.expressions.items import item as getitem
from autograph.operators.expressions.names import narrowed
from autograph.operators.expressions.truth import as_value, condition
from autograph.operators.iterators.generator_consumers import inlined_fold, inlined_search
from autograph.operators.iterators.generator_recipes import (
    Recipe,
    around_yield,
    attempt,
    fresh_recipe,
)
from autograph.operators.iterators.iterators_in_turn import calls_functions
from autograph.operators.iterators.plain_iteration import iterate, opened
from autograph.operators.iterators.staged_iterables import (
    Indexed,
    StagedListItems,
    as_indexed,
    is_long,
    while_few,
)
from autograph.operators.statements.completion_codes import EXIT
from autograph.operators.statements.turns import loop_of_turns
from autograph.runtime.arrays.cells import Scalar
from autograph.runtime.core.number import Number
from autograph.runtime.core.tensor import Tensor
from autograph.runtime.ops.table import OPS
from autograph.tracing.places import CellPlace
from autograph.tracing.tracing import Tracing
from autograph.values.sentinels import DONT_CARE, UNSET


def fold(
    tracing: Tracing, items: Indexed, start: Any, step: Callable[[Any, Any], Any], first: int = 0
) -> Any:
    """`step(step(start, item), item) …` as a staged loop."""
    state = CellPlace(CellType(start), "the accumulator")
    start_index = Number(tracing.region.trace.constant(first))
    counter = CellPlace(CellType(start_index), "the loop index")
    for place in (state, counter):
        tracing.closures.born.add(id(place.owner))
        tracing.born(place.owner)

    def turn() -> tuple[Any, Any]:
        for place in (state, counter):
            tracing.touch(place)
        index = counter.get()
        flag = condition(tracing, _less(index, items.length(tracing)))

        def run() -> tuple[Any, Any]:
            for place in (state, counter):
                tracing.touch(place)
            state.set(step(state.get(), items.get(tracing, index)))
            counter.set(OPS.py_add(index, 1))
            return True, DONT_CARE

        if isinstance(flag, bool):
            return run() if flag else (False, EXIT)
        outcome: tuple[Any, Any] = switch(
            tracing, as_value(tracing, flag), [lambda: (False, EXIT), run]
        )
        return outcome

    loop_of_turns(tracing, turn)
    return state.get()


def _less(index: Any, length: Any) -> Any:
    staged = isinstance(index, Number) or isinstance(length, Number)
    return OPS.py_lt(index, length) if staged else index < length


def staged_sum(tracing: Tracing, iterable: Any, start: Any = 0) -> Any:
    """`sum(iterable, start)`."""
    if isinstance(start, str | bytes | bytearray):
        return sum((), start)  # raises Python's own error
    iterable = in_any_order(tracing, opened(iterable), exactly=True)
    indexed = as_indexed(tracing, iterable)

    def add(pair: summation.Pair, item: Any) -> summation.Pair:
        return summation.added(tracing, pair, item)

    first = summation.started(start)
    if indexed is not None:
        return summation.summed(tracing, fold(tracing, indexed, first, add))
    recipe = fresh_recipe(tracing, iterable)
    if recipe is None:
        return _sum_of(tracing, iterate(iterable), first)
    return attempt(
        tracing,
        lambda: _sum_of(tracing, _asked_for(tracing, iterable, recipe), first),
        lambda: summation.summed(tracing, inlined_fold(tracing, recipe, first, add)),
    )


def _asked_for(tracing: Tracing, generator: Any, recipe: Recipe) -> Iterable[Any]:
    return while_few(tracing, recipe.arguments.values(), iterate(generator))


def _sum_of(tracing: Tracing, items: Iterable[Any], pair: summation.Pair) -> Any:
    for item in items:
        pair = summation.added(tracing, pair, item)
    return summation.summed(tracing, pair)


class Extreme:
    """One call of `min` or `max`."""

    def __init__(self, tracing: Tracing, function: Callable[..., Any], key: Any, default: Any):
        self.tracing = tracing
        self.function = function
        self.key = key
        self.default = default

    def ranked(self, item: Any) -> Any:
        """The item beside what it is compared by: a key is called once for each item."""
        return item if self.key is None else (call(self.key, item), item)

    def rank(self, ranked: Any) -> Any:
        """What a ranked item is compared by."""
        return ranked if self.key is None else ranked[0]

    def item(self, ranked: Any) -> Any:
        """The item itself."""
        return ranked if self.key is None else getitem(ranked, 1)

    def better(self, best: Any, ranked: Any) -> Any:
        """The better of two ranked items, the first of equal ones."""
        test = COMPARISONS["lt" if self.function is min else "gt"]
        flag = test(self.rank(ranked), self.rank(best))
        return branch(self.tracing, flag, lambda: ranked, lambda: best)

    def better_of(self, best: Any, item: Any) -> Any:
        """The better of a ranked item and the next one."""
        return self.better(best, self.ranked(item))

    def first_or_better(self, best: Any, item: Any) -> Any:
        """The better of a ranked item, which may be missing, and the next one."""
        missing = is_(best, UNSET)
        ranked = self.ranked(item)
        return branch(
            self.tracing, missing, lambda: ranked, lambda: self.better(narrowed(best, ""), ranked)
        )

    def of_nothing(self) -> Any:
        """The value where there are no items."""
        if self.default is not DONT_CARE:
            return self.default
        return self.function(())

    def of_items(self, items: Any) -> Any:
        """The best of items that are there, or that Python gives one by one."""
        best = UNSET
        for item in items:
            if best is not UNSET:
                best = self.better_of(best, item)
                continue
            best = self.ranked(item)
            if isinstance(self.rank(best), Number | Tensor) and self._are_many_numbers(items):
                rest = rows.new_list(self.tracing, rows.rows_of_items(self.tracing, items[1:]))
                return self.item(fold(self.tracing, StagedListItems(rest), best, self.better_of))
        return self.of_nothing() if best is UNSET else self.item(best)

    def _are_many_numbers(self, items: Any) -> bool:
        """Whether a loop compares items, which are numbers, instead of a branch for each."""
        if not isinstance(items, list | tuple | range):
            return False
        kinds = (int, float, Number, Scalar)
        numbers = isinstance(items, range) or all(isinstance(one, kinds) for one in items)
        return numbers and is_long(self.tracing, len(items))

    def of_indexed(self, items: Indexed) -> Any:
        """The best of items whose number may be staged."""
        length = items.length(self.tracing)
        test = OPS.py_gt(length, 0) if isinstance(length, Number) else length > 0

        def over_items() -> Any:
            first = self.ranked(items.get(self.tracing, 0))
            return self.item(fold(self.tracing, items, first, self.better_of, 1))

        return branch(self.tracing, test, over_items, self.of_nothing)

    def of_generator(self, recipe: Recipe) -> Any:
        """The best of the items of a generator, by its second form."""
        best = inlined_fold(self.tracing, recipe, UNSET, self.first_or_better)
        missing = is_(best, UNSET)
        return branch(self.tracing, missing, self.of_nothing, lambda: self.item(narrowed(best, "")))


def staged_extreme(function: Callable[..., Any]) -> Callable[..., Any]:
    """The model of `min` or `max`."""

    def extreme(tracing: Tracing, *args: Any, key: Any = None, default: Any = DONT_CARE) -> Any:
        found = Extreme(tracing, function, key, default)
        if not args:
            function()  # raises Python's own error
        if len(args) != 1:
            return found.of_items(args)
        iterable = opened(args[0])
        if key is None:
            iterable = in_any_order(tracing, iterable)
        indexed = as_indexed(tracing, iterable)
        if indexed is not None:
            return found.of_indexed(indexed)
        recipe = fresh_recipe(tracing, iterable)
        if recipe is None:
            return found.of_items(iterate(iterable))
        return attempt(
            tracing,
            lambda: found.of_items(_asked_for(tracing, iterable, recipe)),
            lambda: found.of_generator(recipe),
        )

    return extreme


def in_any_order(tracing: Tracing, iterable: Any, exactly: bool = False) -> Any:
    """The members of a staged set, where their order makes no difference to what is asked.

    `exactly`: it makes one to sums of floats.
    """
    if not isinstance(iterable, set):
        return iterable
    contents = rows.staged(tracing, iterable)
    if contents is None:
        return iterable
    element = contents.columns[0].spec.element
    if exactly and (element.dtype.kind not in "iu" or element.ndim):
        return iterable
    return rows.new_list(tracing, contents)


def staged_any(tracing: Tracing, iterable: Any) -> Any:
    """`any(iterable)`."""
    iterable = in_any_order(tracing, opened(iterable))
    if calls_functions(iterable):
        return condition(tracing, call(library.any_of, iterable))
    indexed = as_indexed(tracing, iterable)
    if indexed is not None:
        return fold(
            tracing,
            indexed,
            False,
            lambda seen, item: branch(
                tracing, seen, lambda: True, lambda: condition(tracing, item)
            ),
        )
    recipe = fresh_recipe(tracing, iterable)
    if recipe is not None:
        return _of_generator(tracing, iterable, recipe, True)
    return _any_of(tracing, iter(iterate(iterable)))


def _any_of(tracing: Tracing, items: Any) -> Any:
    for item in items:
        flag = condition(tracing, item)
        if not isinstance(flag, bool):
            return branch(tracing, flag, lambda: True, lambda: _any_of(tracing, items))
        if flag:
            return True
    return False


def staged_all(tracing: Tracing, iterable: Any) -> Any:
    """`all(iterable)`."""
    iterable = in_any_order(tracing, opened(iterable))
    if calls_functions(iterable):
        return condition(tracing, call(library.all_of, iterable))
    indexed = as_indexed(tracing, iterable)
    if indexed is not None:
        return fold(
            tracing,
            indexed,
            True,
            lambda seen, item: branch(
                tracing, seen, lambda: condition(tracing, item), lambda: False
            ),
        )
    recipe = fresh_recipe(tracing, iterable)
    if recipe is not None:
        return _of_generator(tracing, iterable, recipe, False)
    return _all_of(tracing, iter(iterate(iterable)))


def _all_of(tracing: Tracing, items: Any) -> Any:
    for item in items:
        flag = condition(tracing, item)
        if not isinstance(flag, bool):
            return branch(tracing, flag, lambda: _all_of(tracing, items), lambda: False)
        if not flag:
            return False
    return True


def _of_generator(tracing: Tracing, generator: Any, recipe: Recipe, wanted: bool) -> Any:
    """`any` or `all` of a generator: one by one as long as nothing is staged."""

    def pull() -> bool:
        for item in _asked_for(tracing, generator, recipe):
            flag = condition(tracing, item)
            if not isinstance(flag, bool):
                raise around_yield("what ends any() or all()")
            if flag is wanted:
                return wanted
        return not wanted

    return attempt(tracing, pull, lambda: inlined_search(tracing, recipe, wanted))
