"""Calls that make iterators are remembered: what leaves a staged function is made by them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from autograph.merge.iterator_makers import making_of, note_making
from autograph.operators.containers.chosen_containers import Aligned
from autograph.operators.iterators.staged_iterables import Consumed
from autograph.tracing.tracing import Tracing
from autograph.values.choice import Choice

Model = Callable[..., Any]


def remembering(models: dict[Any, Model]) -> dict[Any, Model]:
    """Models of functions that make iterators, which remember of what they made them."""
    return {function: _remembering(function, model) for function, model in models.items()}


def _remembering(function: Any, model: Model) -> Model:
    def remember(tracing: Tracing, *args: Any, **kwargs: Any) -> Any:
        before = [making_of(tracing, one) for one in args]
        made = model(tracing, *args, **kwargs)
        if _is_new(tracing, made) and not any(isinstance(one, Aligned | Choice) for one in args):
            # One that is taken over whole says that it was used; it stood where it stood before.
            given = (
                one if making is None or making_of(tracing, one) is not None else making
                for one, making in zip(args, before, strict=True)
            )
            note_making(tracing, made, function, tuple(given), kwargs)
        return made

    return remember


def _is_new(tracing: Tracing, made: Any) -> bool:
    """Whether this is an iterator, and no call is known that made it."""
    known = making_of(tracing, made) is not None or id(made) in tracing.paths
    return isinstance(made, Iterator | Consumed) and not known
