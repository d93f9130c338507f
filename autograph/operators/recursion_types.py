"""Recursive functions whose arguments or results have no types that stay the same."""

from __future__ import annotations

import inspect
import types
from collections.abc import Sequence

from autograph.effects.description import describe
from autograph.effects.loop import nested_in_itself, nesting
from autograph.effects.references import FoundReferences
from autograph.effects.skeleton import Skeleton
from autograph.errors import LoopTypeError

MOST_NESTED = 3
"""How often the tuples of a recursion may have nested deeper in one more round of tracing it, and
how many objects of a class may stand in one another before they are held by reference."""


class Growth:
    """Tells early that tuples nest deeper from call to call: soon their types would be huge."""

    def __init__(self) -> None:
        self.depth = 0
        self.times = 0

    def look(
        self,
        function: types.FunctionType,
        arguments: Sequence[Skeleton],
        result: Skeleton | None,
        catches: bool,
    ) -> None:
        """LoopTypeError once the types of a round nest deeper for too many times."""
        known = [*arguments] if result is None else [*arguments, result]
        depth = max(map(nesting, known), default=0)
        self.times += depth > self.depth > 0
        self.depth = depth
        error = unsettled(function, arguments, result, catches)
        if self.times > MOST_NESTED:
            raise error
        for one in known:
            kind = nested_in_itself(one, MOST_NESTED)
            if kind is not None:
                raise FoundReferences(kind, (kind,), otherwise=error)


def unsettled(
    function: types.FunctionType,
    arguments: Sequence[Skeleton],
    result: Skeleton | None,
    catches: bool,
) -> LoopTypeError:
    """The error that says what types a recursion has at its last call."""
    parameters = inspect.signature(function).parameters
    named = zip(parameters, arguments, strict=False)
    given = ", ".join(f"{name}: {describe(one)}" for name, one in named)
    gives = "nothing yet" if result is None else describe(result)
    return LoopTypeError(
        f"the arguments or the result of '{function.__name__}' have no types that stay the same "
        f"from call to call of its recursion: it takes {given} and gives {gives}",
        remedy="raise after the except clause, not inside it: there an exception keeps the one "
        "that was caught, which keeps another"
        if catches
        else "pass and return values of the same dtype, rank and structure; trees can be made "
        "of objects of a class, and what grows be appended to a list from outside",
    )
