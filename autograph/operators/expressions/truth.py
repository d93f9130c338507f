"""Truth: what a condition is, plain or staged."""

from __future__ import annotations

import operator
from collections import deque
from typing import Any

import numpy as np

from autograph.control.branch import Unreachable, switch
from autograph.control.chosen_contents import DictView, chosen_contents, with_each
from autograph.library.truth import refuse_truth, refuse_truth_of_array, require_single
from autograph.operators.calls.dispatch import call, call_method, overrides, special_method
from autograph.operators.containers.rows import length as count_rows
from autograph.operators.containers.rows import staged
from autograph.operators.strings.string_lengths import string_length
from autograph.runtime.arrays.cells import Array, Scalar, as_tensor
from autograph.runtime.arrays.table import as_number_of_python
from autograph.runtime.core.number import Number
from autograph.runtime.core.tensor import Tensor
from autograph.runtime.graph.ir import Value
from autograph.runtime.ops.table import OPS
from autograph.strings.text import Text
from autograph.tracing.reading import read_contents
from autograph.tracing.tracing import Tracing, current
from autograph.values.choice import Choice
from autograph.values.marks import declared
from autograph.values.sentinels import UNSET

COMPLEX128 = np.dtype(np.complex128)
PLAIN = (bool, int, float, str, type(None))


def condition(tracing: Tracing, test: Any) -> bool | Number:
    """The truth of `test`: a bool, or a staged one."""
    kind = type(test)
    if kind is bool:
        return bool(test)
    if isinstance(test, Number) and test.kind is complex:
        found: Number = OPS.to_number(OPS.to_tensor(test, dtype=COMPLEX128), kind=bool)
        return found
    if isinstance(test, Number):
        return test if test.kind is bool else OPS.py_bool(test)
    if isinstance(test, Tensor) and not overrides(test, "__bool__"):
        return _tensor(tracing, test)
    if isinstance(test, Choice):
        truth = choose(tracing, test, lambda option: condition(tracing, option))
        return condition(tracing, truth)
    if isinstance(test, DictView):
        test = test.container
    if isinstance(test, list | dict | set | deque):
        return _container(tracing, test)
    if kind in PLAIN:
        return bool(test)
    if kind is Text:
        length = string_length(test, exact=False)
        return condition(tracing, OPS.py_bool(call(len, test) if length is None else length))
    return _object(tracing, test)


def _tensor(tracing: Tracing, test: Tensor) -> Number:
    if test.size != 1:
        refuse = refuse_truth_of_array if isinstance(test, Array) else refuse_truth
        call(refuse, _sizes(tracing, test))
    return to_number(test, bool, is_single=True)


def _sizes(tracing: Tracing, tensor: Tensor) -> tuple[Any, ...]:
    """The shape of a tensor, with numbers for sizes that only the run tells."""
    sizes = enumerate(tracing.region.trace.value_of(tensor, shown=False).spec.shape)  # type: ignore[union-attr]
    return tuple(one if isinstance(one, int) else OPS.size_of(tensor, axis=n) for n, one in sizes)


def to_number(
    tensor: Tensor, kind: type, is_single: bool = False, connects: bool = False
) -> Number:
    """The only element of a tensor as a staged bool, int or float.

    `is_single`: it has been asked already whether there is one element. `connects`: gradients go
    through it.
    """
    if isinstance(tensor, Array) and len(tensor.shape) and kind is not bool:
        as_number_of_python(kind, tensor)
    if isinstance(tensor, Array | Scalar) and tensor.dtype.kind == "c" and kind in (int, float):
        tensor = OPS.real(as_tensor(tensor))  # with a warning, where warnings are given
    tracing = current()
    if tensor.size != 1:
        if isinstance(tensor.size, int):
            raise ValueError("can only convert an array of size 1 to a Python scalar")
        if not is_single and tracing is not None:
            call(require_single, _sizes(tracing, tensor))
        tensor = OPS.getitem(as_tensor(tensor), (0,) * len(tensor.shape))
    if type(tensor) is not Tensor and tracing is not None:  # no read that a tape watches
        tensor = Tensor._of(tracing.region.trace.value_of(tensor, shown=False))
    if not connects and kind in (float, complex) and tensor.dtype.kind in "fc":
        tensor = OPS.stop_gradient(tensor)
    number: Number = OPS.to_number(tensor, kind=kind)
    return number


def _container(tracing: Tracing, test: Any) -> bool | Number:
    contents = chosen_contents(tracing, test)
    if contents is not None:
        return condition(tracing, with_each(tracing, test, contents, lambda: bool(test)))
    rows = staged(tracing, test)
    if rows is not None:
        return condition(tracing, count_rows(rows))
    read_contents(tracing, test)
    return bool(test)


def _as_bool(found: Any) -> Any:
    """What `__bool__` gives, which must be a bool."""
    given = found.kind if isinstance(found, Number) else type(found)
    if given is not bool:
        raise TypeError(f"__bool__ should return bool, returned {given.__name__}")
    return found


def _object(tracing: Tracing, test: Any) -> bool | Number:
    kind = type(test)
    if declared(kind, "staged_truth") is not None:
        return condition(tracing, test.staged_truth(tracing))
    for name in ("__bool__", "__len__"):
        if special_method(kind, name) is tuple.__len__:
            return bool(test)
        if special_method(kind, name) is not None:
            found = call_method(test, name)
            if name == "__bool__":
                chosen = isinstance(found, Choice)
                found = choose(tracing, found, _as_bool) if chosen else _as_bool(found)
            return condition(tracing, found)
    return True


def as_value(tracing: Tracing, flag: Number) -> Value:
    """A staged bool as a value of the current graph."""
    return tracing.region.trace.lift(flag._value)


def settled(tracing: Tracing, value: Any) -> Any:
    """A value, also in tuples, without the paths on which it is unset: none of them comes here.

    A variable that is bound in a `try` is unset after a handler that leaves.
    """
    if isinstance(value, Choice) and any(one is UNSET for one in value.options):
        return choose(tracing, value, _assigned)
    if type(value) is not tuple:
        return value
    parts = [settled(tracing, one) for one in value]
    return value if all(map(operator.is_, parts, value)) else tuple(parts)


def _assigned(value: Any) -> Any:
    if value is UNSET:
        raise Unreachable
    return value


def choose(tracing: Tracing, choice: Choice, function: Any) -> Any:
    """Map over the options of a choice: a staged switch, merged again."""
    index = tracing.region.trace.lift(choice.tag._value)
    thunks = [lambda option=option: function(option) for option in choice.options]
    return switch(tracing, index, thunks)
