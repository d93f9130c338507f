"""What calls of `itertools` mean on staged values and containers of staged length."""

from __future__ import annotations

import itertools
from collections import deque
from collections.abc import Callable
from typing import Any

from autograph.effects.leaks import is_staged
from autograph.effects.tracing import Tracing
from autograph.library import iterators as library
from autograph.operators import rows
from autograph.operators.dispatch import call
from autograph.operators.iterables import Listed, is_indexed
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
    if len(args) == 2 and not kwargs:
        return _iterator(itertools.product, library.products)(tracing, *args)
    return call_native(tracing, itertools.product, args, kwargs)


ITERTOOLS_MODELS: dict[Any, Model] = {
    itertools.accumulate: _iterator(itertools.accumulate, library.accumulated),
    itertools.chain.from_iterable: _iterator(itertools.chain.from_iterable, library.flattened),
    itertools.compress: _iterator(itertools.compress, library.chosen),
    itertools.islice: _iterator(itertools.islice, library.sliced),
    itertools.pairwise: _iterator(itertools.pairwise, library.pairs),
    itertools.product: _product,
}
