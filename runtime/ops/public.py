"""From a record to the function that users call."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any

import numpy as np

from autograph.runtime.core import dtypes
from autograph.runtime.core.devices import CPU, wanted_device
from autograph.runtime.core.door import apply, function_of_one, operator_method
from autograph.runtime.core.number import Number
from autograph.runtime.core.record import Elementwise, Op, Reduction
from autograph.runtime.core.state import STATE
from autograph.runtime.core.tensor import Tensor
from autograph.runtime.ops.dunders import number_function
from autograph.runtime.ops.indexing.entries import Slice
from autograph.runtime.ops.parameters import misfit, require_fitting, tests_of

_EMPTY = inspect.Parameter.empty
PLACED = frozenset(
    {"arange", "astype", "empty", "empty_like", "eye", "full", "full_like", "linspace"}
)
PLACED |= {"ones", "ones_like", "zeros", "zeros_like"}
"""The functions that take a device, as the array API standard has it."""


def make_public(op: Op, table: Any) -> Callable[..., Any]:
    """The function for `op`: its inputs by position or name, then its attributes likewise."""
    if op.public is not None:
        return bound(op.public, table, op.name, op.summary)
    if op.name.startswith("py_"):
        return named(number_function(op), op.name, op.summary)
    parameters = list(inspect.signature(op.reference).parameters.values())
    inputs = [one for one in parameters if one.kind is not one.KEYWORD_ONLY]
    attributes = [one for one in parameters if one.kind is one.KEYWORD_ONLY]
    prepare = table.operands
    if isinstance(op.lowering, Elementwise):
        prepare = functools.partial(table.elementwise_operands, op)
    if op.name.startswith(("list_", "to_", "checked_")):
        prepare = table.as_they_are
    names = [one.name for one in inputs]
    count = len(names)
    defaults = {one.name: one.default for one in attributes}
    settled = not any(one.default is _EMPTY for one in attributes)

    quick: Callable[..., Any] | None = None
    if isinstance(op.lowering, Elementwise | Reduction) and count == 1:
        quick = function_of_one(op, defaults)
    elif isinstance(op.lowering, Elementwise) and count == 2 and not defaults:
        quick = operator_method(op, lambda x, y: apply(op, prepare((x, y))))

    def function(*args: Any, **keywords: Any) -> Any:
        if len(args) == count and settled and not keywords:
            if quick is not None and isinstance(args[0], Tensor):
                return quick(*args)
            return apply(op, prepare(args), defaults) if defaults else apply(op, prepare(args))
        if tests:
            require_fitting(op.name, tests, args, keywords)
        if not _is_usual(names, defaults, args, keywords):
            told = misfit(op.name, signature, args, keywords)
            if told is not None:
                raise TypeError(told)
        args, keywords = _arrange(op, names, defaults, args, keywords)
        return apply(op, prepare(args), keywords)

    signature = inspect.Signature(
        [one.replace(annotation=_EMPTY) for one in inputs]
        + [one.replace(kind=one.POSITIONAL_OR_KEYWORD, annotation=_EMPTY) for one in attributes]
    )
    tests = tests_of(op.name, signature.parameters)
    function.__signature__ = signature  # type: ignore[attr-defined]
    return named(function, op.name, op.summary)


def _arrange(
    op: Op,
    names: list[str],
    defaults: dict[str, Any],
    args: tuple[Any, ...],
    keywords: dict[str, Any],
) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """The inputs in order, and every attribute, in the form that nodes keep."""
    inputs: tuple[Any, ...]
    if _is_usual(names, defaults, args, keywords):
        inputs, chosen = args, {**defaults, **keywords}
    else:
        given = {**dict(zip([*names, *defaults], args, strict=False)), **keywords}
        chosen = {name: given.get(name, default) for name, default in defaults.items()}
        inputs = tuple(given[name] for name in names)
    for name, value in chosen.items():
        if value is None:
            continue
        if name == "dtype" or (type(value) is not int and type(value) is not bool):
            chosen[name] = attribute(value, name)
    return inputs, chosen


def _is_usual(
    names: list[str], defaults: dict[str, Any], args: tuple[Any, ...], keywords: dict[str, Any]
) -> bool:
    """Whether a call has all its inputs by position, and its attributes by name."""
    if len(args) != len(names) or not keywords.keys() <= defaults.keys():
        return False
    return all(one is not _EMPTY or name in keywords for name, one in defaults.items())


def attribute(value: Any, name: str = "") -> Any:
    """An attribute in the form that nodes keep: hashable, its staged integers as they are."""
    kind = type(value)
    if name == "dtype" and value is not None:
        return dtypes.as_dtype(value)
    if value is None or kind in (int, str, float, bool) or isinstance(value, Number | type):
        return value
    if kind is tuple and all(type(one) is int for one in value):
        return value
    if kind in (list, tuple):
        return tuple(attribute(one) for one in value)
    if isinstance(value, Tensor):
        return value if STATE.interpreter is not None else value.__index__()
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, np.ndarray):
        return attribute(value.tolist())
    if isinstance(value, slice):
        return Slice(attribute(value.start), attribute(value.stop), attribute(value.step))
    return value


def bound(
    function: Callable[..., Any], table: Any, name: str, summary: str = ""
) -> Callable[..., Any]:
    """`function` with the table of ops as its first argument given."""

    def public(*args: Any, **keywords: Any) -> Any:
        if tests:
            require_fitting(name, tests, args, keywords)
        place = wanted_device(keywords.pop("device", None)) if placed else CPU
        try:
            made = function(table, *args, **keywords)
            return made if place == CPU else made.to_device(place)
        except TypeError:
            told = misfit(name, signature, args, keywords)
            if told is not None:
                raise TypeError(told) from None
            raise

    own = inspect.signature(function)
    placed = name in PLACED
    device = inspect.Parameter("device", inspect.Parameter.KEYWORD_ONLY, default=None)
    parameters = [*list(own.parameters.values())[1:], *([device] if placed else [])]
    signature = own.replace(parameters=parameters)
    tests = tests_of(name, signature.parameters)
    public.__signature__ = signature  # type: ignore[attr-defined]
    return named(public, name, function.__doc__ or summary)


def named(function: Callable[..., Any], name: str, text: str) -> Callable[..., Any]:
    """`function` with the name and the docstring that users see."""
    function.__name__ = function.__qualname__ = name
    function.__doc__ = text
    return function
