"""Functions with a gradient of their own, and functions that run again for their gradient.

Plain Python, converted like the user's code; what it means is in `operators/gradients`
(`custom_gradients`, `recompute`).
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from autograph.operators.gradients.custom_gradients import attached, begun
from autograph.operators.gradients.each_kind import for_each_kind
from autograph.operators.gradients.recompute import run_recomputed

Function = Callable[..., Any]


def custom_gradient(f: Function) -> Function:
    """`f`, which gives its result and a function for its gradient.

        @ag.custom_gradient
        def log1p_exp(x):
            e = ag.exp(x)
            def gradient(upstream):
                return upstream * (1 - 1 / (1 + e))
            return ag.log(1 + e), gradient

    The gradient function takes the gradients of the float tensors in the result, in order (zeros
    where none arrives), and gives one for each argument, or for each float tensor among the
    arguments, None for nothing. What it computes is differentiated for second gradients. Where `f`
    reads trainable Variables that are no arguments, the gradient function takes `variables`, a list
    of them, and gives two things: the gradients of the arguments, and a list of those of the
    variables. Other tensors that `f` uses are constants to the gradient, and so are arguments
    without a position.
    """

    def called(args: tuple[Any, ...], names: tuple[str, ...], named: tuple[Any, ...]) -> Any:
        kwargs = dict(zip(names, named, strict=True))
        call = begun(f, args, kwargs)
        with call:
            pair = f(*args, **kwargs)
        if not isinstance(pair, tuple) or len(pair) != 2:
            raise TypeError(f"{f.__name__} must return its result and a gradient function")
        result, gradient = pair
        return attached(call, result, gradient)

    @functools.wraps(f)
    def with_gradient(*args: Any, **kwargs: Any) -> Any:
        return for_each_kind(called, args, tuple(kwargs), tuple(kwargs.values()))

    return with_gradient


def recompute(f: Function) -> Function:
    """`f`, of which the gradient keeps the arguments alone: it runs `f` again.

    Less memory for more time. The second run finds Variables and tensors as the first one did; it
    prints again, and changes Python's own state again.
    """

    @functools.wraps(f)
    def recomputed(*args: Any, **kwargs: Any) -> Any:
        return run_recomputed(f, args, kwargs)

    return recomputed
