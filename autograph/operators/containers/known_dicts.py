"""Entries of dicts of known contents under a staged key: compared with each key in turn."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from autograph.control.branch import switch
from autograph.operators.containers import constant_tables
from autograph.operators.containers.dicts_and_sets import is_staged_key
from autograph.operators.expressions.conditional_expression import branch
from autograph.operators.strings.string_comparison import compare_texts
from autograph.runtime.core.number import Number
from autograph.runtime.ops.table import OPS
from autograph.strings.text import Text
from autograph.tracing.tracing import Tracing, current
from autograph.values.equivalence import ATOMS


def is_staged_comparable(key: Any) -> bool:
    """Whether a key is a staged string, or a tuple of numbers and strings of which some are."""
    several = isinstance(key, tuple) and is_comparable(key) and is_staged_key(key)
    return several or isinstance(key, Text)


def is_comparable(key: Any) -> bool:
    """Whether keys that are equal to `key` are known by comparing: numbers, strings, tuples."""
    if isinstance(key, tuple):
        return all(map(is_comparable, key))
    return isinstance(key, (Number, Text, np.number, np.bool_, *ATOMS))


def _equal(one: Any, other: Any) -> Any:
    """Whether two comparable keys are equal: a bool, or a staged one."""
    if isinstance(one, tuple) and isinstance(other, tuple):
        same: Any = len(one) == len(other)
        for part, theirs in zip(one, other, strict=True) if same else ():
            same = OPS.py_and(same, _equal(part, theirs))
            if same is False:
                break
        return same
    one, other = (each.item() if isinstance(each, np.generic) else each for each in (one, other))
    if isinstance(one, Number) or isinstance(other, Number):
        both = all(isinstance(each, Number | bool | int | float) for each in (one, other))
        return both and OPS.py_eq(one, other)
    if isinstance(one, Text) or isinstance(other, Text):
        tracing = current()
        assert tracing is not None
        both = all(isinstance(each, str | Text) for each in (one, other))
        return both and compare_texts(tracing, operator.eq, one, other)
    return one == other


def is_among(keys: Iterable[Any], key: Any) -> Any:
    """Whether a staged key is one of these: a bool, or a staged one."""
    found: Any = False
    for one in keys:
        if is_comparable(one):
            found = OPS.py_or(found, _equal(one, key))
    return found


def entry(tracing: Tracing, table: dict[Any, Any], key: Any, missing: Callable[[], Any]) -> Any:
    """The value of a staged key in a dict of known contents: compared with each of its keys."""
    if not table:
        return missing()
    if isinstance(key, Number) and (
        values := constant_tables.lookup(tracing, tuple(table.values()))
    ):
        equal = constant_tables.equal_to(tracing, tuple(table), key)
        if equal is not None:
            there = OPS.to_number(OPS.any(equal), kind=bool)
            place = OPS.to_number(OPS.argmax(equal), kind=int)
            return branch(tracing, there, lambda: values(place), missing)
    number: Any = 0
    known = [one for one in table if is_comparable(one)]
    for place, one in enumerate(known):
        number = OPS.py_add(number, OPS.py_mul(_equal(one, key), place + 1))
    if isinstance(number, int):
        return missing() if number == 0 else table[known[number - 1]]
    thunks = [missing, *(lambda one=one: table[one] for one in known)]
    return switch(tracing, tracing.region.trace.lift(number._value), thunks, "an item")
