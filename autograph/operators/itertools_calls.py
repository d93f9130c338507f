"""What calls of `itertools` mean on staged values and containers of staged length."""

from __future__ import annotations

import itertools
from collections import deque
from collections.abc import Callable, Sized
from typing import Any

from autograph.effects.leaks import is_staged
from autograph.effects.tracing import Tracing
from autograph.errors import StateError
from autograph.library import iterators as library
from autograph.operators import rows
from autograph.operators.dispatch import call
from autograph.operators.iterables import Listed, has_staged_length, is_indexed
from autograph.operators.iteration import iterate
from autograph.operators.native import call_native
from autograph.operators.printing import quietly
from autograph.operators.stepping import SequenceIterator
from autograph.runtime.core.tensor import Tensor

Model = Callable[..., Any]


def _needs_model(tracing: Tracing, value: Any) -> bool:
    """Whether Python's own function can do nothing with an argument."""
    if isinstance(value, Tensor) or is_staged(value) or is_indexed(tracing, value):
        return True
    return isinstance(value, list | tuple | deque) and any(
        _needs_model(tracing, one) for one in value
    )


def _iterator(plain: Any, written: Any) -> Model:
    def model(tracing: Tracing, *args: Any, **kwargs: Any) -> Any:
        given = (*args, *kwargs.values())
        if not any(_needs_model(tracing, one) for one in given):
            return call_native(tracing, plain, args, kwargs)
        made = quietly(tracing, lambda: call(written, *args, **kwargs))
        if rows.staged(tracing, made) is not None:
            return tracing.born(Listed(made))
        return tracing.born(SequenceIterator(made))

    return model


def _product(tracing: Tracing, *args: Any, **kwargs: Any) -> Any:
    repeat = kwargs.get("repeat", 1)
    if not isinstance(repeat, int) or not set(kwargs) <= {"repeat"}:
        return call_native(tracing, itertools.product, args, kwargs)
    parts = [one if isinstance(one, Sized) else call(list, one) for one in args]
    return _iterator(itertools.product, library.products)(tracing, *(parts * repeat))


def _selected(plain: Any) -> Model:
    """A function that selects items by where they stand, and looks at none of them."""

    def model(tracing: Tracing, items: Any, *args: Any, **kwargs: Any) -> Any:
        if has_staged_length(tracing, items) or any(map(is_staged, (*args, *kwargs.values()))):
            raise StateError(
                f"itertools.{plain.__name__} of a staged number of items",
                remedy="use nested for statements",
            )
        return tracing.born(plain(list(iterate(items)), *args, **kwargs))

    return model


ITERTOOLS_MODELS: dict[Any, Model] = {
    itertools.accumulate: _iterator(itertools.accumulate, library.accumulated),
    itertools.chain.from_iterable: _iterator(itertools.chain.from_iterable, library.flattened),
    itertools.combinations: _selected(itertools.combinations),
    itertools.combinations_with_replacement: _selected(itertools.combinations_with_replacement),
    itertools.compress: _iterator(itertools.compress, library.chosen),
    itertools.islice: _iterator(itertools.islice, library.sliced),
    itertools.pairwise: _iterator(itertools.pairwise, library.pairs),
    itertools.permutations: _selected(itertools.permutations),
    itertools.product: _product,
}
