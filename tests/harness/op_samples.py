"""The samples of the op records, brought into the form in which ops run on them."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from typing import Any

import numpy as np

from autograph.runtime.core.list_value import ListValue
from autograph.runtime.core.record import Op, Sample
from autograph.runtime.core.spec import NUMBER_SPECS, AnySpec, ListSpec, Spec
from autograph.runtime.ops.table import RECORDS

OF_NUMBERS = ("py_", "list_", "to_tensor", "arange")
CONTROL = frozenset({"cond", "while_loop", "call", "raise_", "constant"})


def samples() -> Iterator[tuple[str, Op, Sample]]:
    """Every sample of every record, with a name for it."""
    for name, op in RECORDS.items():
        for number, sample in enumerate(op.samples):
            yield f"{name}-{number}", op, sample


def inputs_of(op: Op, sample: Sample) -> list[Any]:
    """The inputs as arrays, lists, and Python numbers where the op takes such."""
    if op.name.startswith(OF_NUMBERS):
        return list(sample.inputs)
    return [one if isinstance(one, ListValue) else np.asarray(one) for one in sample.inputs]


def attributes_of(op: Op, sample: Sample) -> dict[str, Any]:
    """The attributes with the defaults filled in."""
    parameters = inspect.signature(op.reference).parameters
    return {name: sample.attributes.get(name, parameters[name].default) for name in op.attributes}


def spec_of(value: Any) -> AnySpec:
    """The spec of an array, a Python number or a list."""
    if isinstance(value, ListValue):
        return ListSpec(_common([spec_of(one) for one in value]))
    if isinstance(value, bool | int | float | complex):
        return NUMBER_SPECS[type(value)]
    return Spec(value.dtype, value.shape)


def _common(specs: list[Any]) -> Spec:
    from autograph.runtime.core.dims import Dim

    first = specs[0] if specs else Spec(np.dtype(np.float64), (2,))
    shapes = zip(*(one.shape for one in specs), strict=True) if specs else [first.shape]
    shape = tuple(dims[0] if len(set(dims)) == 1 else Dim.fresh() for dims in shapes)
    return Spec(first.dtype, shape if specs else first.shape, first.python)


def results_of(op: Op, inputs: list[Any], attributes: dict[str, Any]) -> tuple[Any, ...]:
    """What the reference gives, always as a tuple."""
    result = op.reference(*inputs, **attributes)
    return result if isinstance(result, tuple) else (result,)


def same_value(one: Any, other: Any) -> bool:
    """Whether two values are equal bit for bit: type, dtype, shape and elements."""
    if isinstance(one, ListValue) or isinstance(other, ListValue):
        return len(one) == len(other) and all(map(same_value, one, other))
    if isinstance(one, bool | int | float | complex) or isinstance(
        other, bool | int | float | complex
    ):
        return type(one) is type(other) and (one == other or (one != one and other != other))
    return (
        type(one) is type(other) is np.ndarray
        and one.dtype == other.dtype
        and one.shape == other.shape
        and one.tobytes() == other.tobytes()
    )
