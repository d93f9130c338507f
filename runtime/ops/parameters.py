"""What the parameters that many ops share take, and what is said of calls that do not fit.

They are known by their names: `axis` is an int everywhere, `keepdims` a truth value. Shapes and
dtypes are looked at where they are brought into form (`operands`, `core.dtypes`).
"""

from __future__ import annotations

import difflib
import inspect
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np

from autograph.runtime.core.dims import Dim
from autograph.runtime.core.number import Number
from autograph.runtime.core.record import DynamicInt
from autograph.runtime.core.tensor import Tensor

OTHERS_NAMES = {
    "dim": "axis",
    "dims": "axis",
    "axes": "axis",
    "keep_dims": "keepdims",
    "ddof": "correction",
    "unbiased": "correction",
    "kernel_size": "window",
    "ksize": "window",
    "pool_size": "window",
    "filters": "kernel",
    "weight": "kernel",
    "rate": "dilations",
    "depth": "num_classes",
    "steps": "num",
    "perm": "axes",
    "size": "shape",
    "stddev": "std",
    "scale": "std",
    "loc": "mean",
    "minval": "low",
    "maxval": "high",
    "a_min": "min",
    "a_max": "max",
    "shifts": "shift",
    "paddings": "pad_width",
}
"""What other libraries call parameters."""

SEVERAL_AXES = frozenset(
    "sum prod mean var std max min any all logsumexp flip roll squeeze expand_dims count_nonzero "
    "vector_norm norm median quantile percentile".split()
)
"""The functions that go along several axes at once."""

Check = Callable[[Any], bool]


def is_whole(value: Any) -> bool:
    """Whether a value is an int, known or staged, or a tensor of one."""
    if isinstance(value, Tensor | np.ndarray):
        return value.ndim == 0 and value.dtype.kind in "iub"
    if isinstance(value, Number):
        return value.kind is not float
    return isinstance(value, Dim | DynamicInt) or hasattr(type(value), "__index__")


def _is_whole_or_several(value: Any) -> bool:
    if isinstance(value, list | tuple):
        return all(map(is_whole, value))
    several = isinstance(value, Tensor | np.ndarray) and value.dtype.kind in "iu"
    return several or is_whole(value)


def _is_axis(value: Any) -> bool:
    return value is None or is_whole(value)


def _is_axes(value: Any) -> bool:
    return value is None or _is_whole_or_several(value)


def _is_truth(value: Any) -> bool:
    if isinstance(value, Tensor | np.ndarray):
        return value.ndim == 0 and value.dtype.kind == "b"
    return isinstance(value, int | np.bool_ | Number)


def _is_number(value: Any) -> bool:
    return isinstance(value, bool | int | float | np.ndarray | np.generic | Tensor | Number)


AXIS = (_is_axis, "an int", "0")
AXES = (_is_axes, "an int or several", "0")
TRUTH = (_is_truth, "True or False", "True")
WHOLE = (is_whole, "an int", "1")
NUMBER = (_is_number, "a number", "0.5")
WHOLES = (_is_whole_or_several, "an int or several", "2")

PARAMETERS: dict[str, tuple[Check, str, str]] = {
    **dict.fromkeys(("axis", "axis1", "axis2"), AXIS),
    **dict.fromkeys(("source", "destination"), AXES),
    **dict.fromkeys(
        "keepdims descending stable endpoint include_initial equal_nan approximate copy".split(),
        TRUTH,
    ),
    **dict.fromkeys("k offset n num num_classes decimals".split(), WHOLE),
    **dict.fromkeys("alpha negative_slope rtol atol correction".split(), NUMBER),
    **dict.fromkeys(("repeats", "repetitions", "shift", "indices_or_sections"), WHOLES),
}
"""The test of each parameter, what it takes, and an example."""

JOINING = ("concat", "stack")
"""The functions whose tensors are one argument."""

ALSO_NONE = frozenset({"copy"})
"""Parameters whose None says that there is no wish."""

NO_POSITION = 1 << 30
"""The position of a parameter that is given by its name alone."""

Tests = tuple[tuple[int, str, tuple[Check, str, str]], ...]


def tests_of(function: str, parameters: Mapping[str, inspect.Parameter]) -> Tests:
    """Those of the parameters of a function, with their positions."""
    found = []
    for position, (name, parameter) in enumerate(parameters.items()):
        if name in PARAMETERS:
            several = name == "axis" and function in SEVERAL_AXES
            test = AXES if several else PARAMETERS[name]
            if parameter.default is None and name != "axis":
                test = (_or_none(test[0]), *test[1:])
            by_name = parameter.kind is parameter.KEYWORD_ONLY
            found.append((NO_POSITION if by_name else position, name, test))
    return tuple(found)


def _or_none(check: Check) -> Check:
    """The test of a parameter whose default is None."""
    return lambda value: value is None or check(value)


def require_fitting(
    function: str, tests: Tests, args: tuple[Any, ...], keywords: dict[str, Any]
) -> None:
    """TypeError that names the parameter where an argument is nothing that it takes."""
    count = len(args)
    for position, name, (test, wanted, example) in tests:
        if position < count:
            value = args[position]
        elif name in keywords:
            value = keywords[name]
        else:
            continue
        if type(value) is int or test(value) or (value is None and name in ALSO_NONE):
            continue
        example = f"{name}={example}"
        if test is _is_axis and isinstance(value, list | tuple):
            wanted = "one int"
        if function in JOINING and isinstance(value, Tensor | np.ndarray):
            example = f"{function}([a, b], {example})"
        raise TypeError(f"{name} of {function}() is {wanted}, not {value!r}; write {example}")


def misfit(name: str, signature: inspect.Signature, args: Any, keywords: Any) -> str | None:
    """What is wrong with the arguments of a call, and how it is written; None if they fit."""
    try:
        signature.bind(*args, **keywords)
    except TypeError as error:
        told = str(error)
    else:
        return None
    parameters = signature.parameters
    variadic = any(one.kind is one.VAR_KEYWORD for one in parameters.values())
    unknown = [one for one in keywords if one not in parameters and not variadic]
    if unknown:
        told = f"has no parameter {unknown[0]!r}"
        likely = _likely(unknown[0], parameters)
        if likely is not None:
            told = f"{told}, but {likely!r}"
    return f"{name}() {told}: {_written(name, signature)}"


def _likely(given: str, parameters: Iterable[str]) -> str | None:
    """The parameter that was meant by another name."""
    known = list(parameters)
    if OTHERS_NAMES.get(given) in known:
        return OTHERS_NAMES[given]
    close = difflib.get_close_matches(given, known, 1)
    return close[0] if close else None


def _written(name: str, signature: inspect.Signature) -> str:
    """The call as documentation has it."""
    parts = []
    for one in signature.parameters.values():
        stars = (
            "*" if one.kind is one.VAR_POSITIONAL else "**" if one.kind is one.VAR_KEYWORD else ""
        )
        text = stars + one.name
        if one.default is not one.empty:
            shown = one.default.__name__ if isinstance(one.default, type) else one.default
            text += (
                f"={shown!r}" if isinstance(shown, str) and shown is one.default else f"={shown}"
            )
        parts.append(text)
    return f"write {name}({', '.join(parts)})"
