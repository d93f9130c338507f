"""What calls of the standard library's functions mean on staged values."""

from __future__ import annotations

import builtins
import functools
import operator
from collections.abc import Callable
from typing import Any

from autograph.effects.sentinels import UNSET
from autograph.effects.tracing import Tracing
from autograph.errors import StateError
from autograph.operators.arithmetic import BINARY, COMPARISONS, UNARY
from autograph.operators.dispatch import call
from autograph.operators.iteration import iterate
from autograph.runtime.core.tensor import Tensor

Model = Callable[..., Any]


def _callable(tracing: Tracing, value: Any) -> bool:
    return callable(value)


def _id(tracing: Tracing, value: Any) -> int:
    if isinstance(value, Tensor) and id(value) in tracing.identities:
        raise StateError(
            "id() of a tensor that is one of several, depending on a staged condition",
            remedy="compare with 'is'",
        )
    return id(value)


def _reduce(tracing: Tracing, function: Any, iterable: Any, *initial: Any) -> Any:
    items = iter(iterate(iterable))
    total = initial[0] if initial else next(items, UNSET)
    if total is UNSET:
        raise TypeError("reduce() of empty iterable with no initial value")
    for item in items:
        total = call(function, total, item)
    return total


def _operator_models() -> dict[Any, Model]:
    """The functions of the module `operator`, which are the operators of the language."""
    names = {"and_bits": "and_", "or_bits": "or_", "xor_bits": "xor"}
    models: dict[Any, Model] = {}
    for name, function in {**BINARY, **COMPARISONS, **UNARY}.items():
        plain = getattr(operator, names.get(name, name))

        def model(tracing: Tracing, *args: Any, function: Any = function) -> Any:
            return function(*args)

        models[plain] = model
    return models


LIBRARY_MODELS: dict[Any, Model] = {
    builtins.callable: _callable,
    builtins.id: _id,
    functools.reduce: _reduce,
    **_operator_models(),
}
