"""Values that do not fit their format: known while tracing, since the class of each value is."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import zip_longest
from typing import Any

import numpy as np

from autograph.runtime.core.number import Number
from autograph.runtime.core.state import STATE
from autograph.runtime.core.tensor import Tensor
from autograph.strings.text import Text
from autograph.values.choice import Choice

CONVERSIONS = re.compile(
    r"%(?:\((?P<key>[^)]*)\))?(?P<flags>[#0\- +]*)(?P<width>\*|\d+)?(?:\.(?P<precision>\*|\d+))?"
    r"[hlL]?(?P<type>[diouxXeEfFgGcrsa%])"
)
"""The conversions of `pattern % values`."""


def check_format(value: Any, conversion: int, spec: Any) -> None:
    """Python's own error for `f"{value!conversion:spec}"` of a value of another class."""
    if isinstance(spec, str) and spec and not isinstance(value, Choice):
        example = "" if conversion != -1 else example_of(value)
        with _outside():
            format(example, spec)


def is_misformatted(value: Any, conversion: int, spec: Any) -> bool:
    """Whether `f"{value!conversion:spec}"` raises for the class of the value."""
    try:
        check_format(value, conversion, spec)
    except (TypeError, ValueError):
        return True
    return False


def check_percent(pattern: str, values: Any) -> None:
    """Python's own error for `pattern % values` of too few values, or of other classes."""
    given = values if isinstance(values, tuple) else (values,)
    kinds = kinds_of(pattern)[: len(given)]
    pairs = zip_longest(given, kinds, fillvalue="s")
    examples = tuple(_example_for(one, kind) for one, kind in pairs)
    with _outside():
        pattern % (examples if isinstance(values, tuple) else examples[0])


def kinds_of(pattern: str) -> list[str]:
    """What a pattern makes of each value: the letters of its conversions, `*` for a width."""
    kinds: list[str] = []
    for found in CONVERSIONS.finditer(pattern):
        if found["type"] != "%":
            starred = sum(found[name] == "*" for name in ("width", "precision"))
            kinds += ["*"] * starred + [found["type"]]
    return kinds


def _example_for(value: Any, kind: str) -> Any:
    """A value that a conversion takes, or does not take, as it does the given one."""
    if kind in "rsa" and not isinstance(value, dict):
        return ""
    # How many elements a tensor has need not be known: it is taken for one that fits.
    fits = isinstance(value, Choice) or (isinstance(value, Tensor) and value.ndim)
    return 1 if fits else example_of(value)


def example_of(value: Any) -> Any:
    """A known value of the class of a staged one; what is no single value is its own."""
    if isinstance(value, Number):
        return value.kind(1)
    if isinstance(value, Text):
        return "a"
    if isinstance(value, Tensor):
        return Tensor._of(np.ones((1,) * value.ndim, value.dtype))
    return value


@contextmanager
def _outside() -> Iterator[None]:
    """Let examples, which are no values of the trace, show what they are."""
    interpreter, STATE.interpreter = STATE.interpreter, None
    try:
        yield
    finally:
        STATE.interpreter = interpreter
