"""From a record to the function that users call."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any

import numpy as np

from autograph.runtime.core import dtypes
from autograph.runtime.core.door import apply, function_of_one, operator_method
from autograph.runtime.core.number import Number
from autograph.runtime.core.record import Elementwise, Op, Reduction
from autograph.runtime.core.state import STATE
from autograph.runtime.core.tensor import Tensor
from autograph.runtime.ops.dunders import number_function
from autograph.runtime.ops.entries import Slice

_EMPTY = inspect.Parameter.empty


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
        args, keywords = _arrange(op, names, defaults, args, keywords)
        return apply(op, prepare(args), keywords)

    function.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
        [one.replace(annotation=_EMPTY) for one in inputs]
        + [one.replace(kind=one.POSITIONAL_OR_KEYWORD, annotation=_EMPTY) for one in attributes]
    )
    return named(function, op.name, op.summary)


def _arrange(
    op: Op,
    names: list[str],
    defaults: dict[str, Any],
    args: tuple[Any, ...],
    keywords: dict[str, Any],
) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """The inputs in order, and every attribute, in the form that nodes keep."""
    if len(args) == len(names) and keywords.keys() <= defaults.keys():
        chosen = {**defaults, **keywords}  # the usual way to call: inputs, then keywords
        inputs = args
    else:
        inputs, chosen = _sorted_out(op, names, defaults, args, keywords)
    for name, value in chosen.items():
        if value is _EMPTY:
            raise TypeError(f"{op.name}() is missing the argument {name!r}")
        if value is not None and type(value) is not int and type(value) is not bool:
            chosen[name] = attribute(value, name)
    return inputs, chosen


def _sorted_out(
    op: Op,
    names: list[str],
    defaults: dict[str, Any],
    args: tuple[Any, ...],
    keywords: dict[str, Any],
) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """The inputs in order, and every attribute, from arguments given in any way."""
    order = [*names, *defaults]
    if len(args) > len(order):
        plural = "" if len(order) == 1 else "s"
        raise TypeError(
            f"{op.name}() takes {len(order)} argument{plural} but {len(args)} were given"
        )
    given = dict(zip(order, args, strict=False))
    for name, value in keywords.items():
        if name not in order:
            raise TypeError(f"{op.name}() got an unexpected keyword argument {name!r}")
        if name in given:
            raise TypeError(f"{op.name}() got multiple values for argument {name!r}")
        given[name] = value
    for name in names:
        if name not in given:
            raise TypeError(f"{op.name}() is missing the argument {name!r}")
    chosen = {name: given.get(name, default) for name, default in defaults.items()}
    return tuple(given[name] for name in names), chosen


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


def _check_call(public: Any, args: tuple[Any, ...], keywords: dict[str, Any]) -> None:
    """TypeError, with the name that users know, where a function does not take the arguments."""
    try:
        public.__signature__.bind(*args, **keywords)
    except TypeError as error:
        raise TypeError(f"{public.__name__}() {error}") from None


def bound(
    function: Callable[..., Any], table: Any, name: str, summary: str = ""
) -> Callable[..., Any]:
    """`function` with the table of ops as its first argument given."""

    def public(*args: Any, **keywords: Any) -> Any:
        try:
            return function(table, *args, **keywords)
        except TypeError:
            _check_call(public, args, keywords)
            raise

    signature = inspect.signature(function)
    public.__signature__ = signature.replace(  # type: ignore[attr-defined]
        parameters=list(signature.parameters.values())[1:]
    )
    return named(public, name, function.__doc__ or summary)


def named(function: Callable[..., Any], name: str, text: str) -> Callable[..., Any]:
    """`function` with the name and the docstring that users see."""
    function.__name__ = function.__qualname__ = name
    function.__doc__ = text
    return function
