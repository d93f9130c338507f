"""Staged Python numbers: Python's arithmetic, its types and its errors."""

from __future__ import annotations

import itertools
import math
import operator
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from autograph.runtime.core.number import Number
from autograph.runtime.core.spec import NUMBER_SPECS, PYFLOAT, PYINT, Spec
from autograph.runtime.core.tensor import Tensor
from autograph.runtime.graph.evaluate import evaluate
from autograph.runtime.graph.trace import Trace
from autograph.runtime.ops.table import OPS

VALUES = (0, 1, -7, 3, 2**62, True, False, 0.0, -2.5, 3.0, math.inf, math.nan)
BINARY = "add sub mul truediv floordiv mod and_ or_ xor lshift rshift eq ne lt le gt ge".split()


def outcome(function: Callable[..., Any], *values: Any) -> Any:
    """The result, or the class and text of the exception."""
    try:
        return function(*values)
    except Exception as error:
        return type(error), str(error)


def staged(function: Callable[..., Any], *values: Any) -> Any:
    """The result of `function` where every value is an input of a graph."""
    trace = Trace("numbers")
    handles = [trace.add_input(NUMBER_SPECS[type(one)]) for one in values]
    with trace.active():
        result = function(*handles)
    trace.graph.outputs = [trace.value_of(result)]
    return evaluate(trace.graph, values)[0]


def alike(one: Any, other: Any) -> bool:
    if isinstance(one, float) and isinstance(other, float) and math.isnan(one):
        return math.isnan(other)
    return type(one) is type(other) and bool(one == other)


@pytest.mark.parametrize("name", BINARY)
def test_binary_operators_are_pythons(name: str) -> None:
    function = getattr(operator, name)
    for x, y in itertools.product(VALUES, VALUES):
        if name.endswith("shift") and not isinstance(y, float) and y > 100:
            continue  # 2**62 bits
        wanted = outcome(function, x, y)
        if type(wanted) is int and not -(2**63) <= wanted < 2**63:
            wanted = (OverflowError, "Python int too large for a staged one (int64)")
        got = outcome(staged, function, x, y)
        if isinstance(wanted, tuple) and wanted[0] is TypeError:
            assert got[0] is TypeError, (x, y)
        else:
            assert alike(got, wanted), (x, y, got, wanted)
        for one_sided in (
            outcome(staged, lambda n, y=y: function(n, y), x),
            outcome(staged, lambda n, x=x: function(x, n), y),
        ):
            assert alike(one_sided, got) or one_sided[0] is got[0], (x, y)


@pytest.mark.parametrize("name", ["neg", "pos", "abs", "invert"])
def test_unary_operators_are_pythons(name: str) -> None:
    function = getattr(operator, name)
    for x in VALUES:
        if name == "invert" and isinstance(x, bool):
            continue  # deprecated in Python
        wanted, got = outcome(function, x), outcome(staged, function, x)
        assert alike(got, wanted) or got[0] is wanted[0] is TypeError


@pytest.mark.parametrize(
    ("x", "y", "wanted"),
    [
        (3, 4, 81),
        (-2, 3, -8),
        (2.0, -1, 0.5),
        (2, 0.5, 2**0.5),
        (0, 0, 1),
        (True, 2, 1),
        (2, 62, 2**62),
        (2, 63, OverflowError),
        (10, 10**9, OverflowError),
        (2, -1, ValueError),
        (0, -1, ZeroDivisionError),
        (0.0, -1, ZeroDivisionError),
        (-8.0, 1 / 3, ValueError),
        (1e200, 2, OverflowError),
    ],
)
def test_power(x: Any, y: Any, wanted: Any) -> None:
    got = outcome(staged, operator.pow, x, y)
    assert got[0] is wanted if isinstance(wanted, type) else alike(got, wanted)


@pytest.mark.parametrize(
    ("function", "values"),
    [
        (round, (0.5, 1.5, -2.5, 7)),
        (math.floor, (0.5, -0.5, 7)),
        (math.ceil, (0.5, -0.5, 7)),
        (math.trunc, (2.7, -2.7, 7)),
    ],
)
def test_rounding(function: Callable[[Any], Any], values: tuple[Any, ...]) -> None:
    for value in values:
        assert alike(staged(function, value), function(value))
    for value in (math.nan, math.inf):
        assert outcome(staged, function, value) == outcome(function, value)


def test_divmod_and_conversions() -> None:
    assert staged(lambda x, y: divmod(x, y)[1], -7, 3) == 2
    assert staged(OPS.to_int, -2.7) == -2
    assert outcome(staged, OPS.to_int, math.nan) == outcome(int, math.nan)
    assert outcome(staged, OPS.to_int, math.inf) == outcome(int, math.inf)
    assert outcome(staged, OPS.to_int, 1e30)[0] is OverflowError
    assert staged(OPS.to_float, 3) == 3.0
    assert staged(OPS.to_bool, 0.0) is False and staged(OPS.py_not, 0.0) is True
    assert staged(OPS.py_max2, 2, 3) == 3 and staged(OPS.py_min2, 2, 3) == 2


def test_plain_numbers_are_computed_at_once() -> None:
    trace = Trace("plain")
    with trace.active():
        assert OPS.py_add(2, 3) == 5 and type(OPS.py_lt(2, 3)) is bool
    assert not trace.graph.nodes


def test_numbers_do_not_pretend_to_be_known() -> None:
    n = Trace("unknown").add_input(PYINT)
    assert isinstance(n, Number)
    for use in (bool, int, float, hash, operator.index, "{}".format):
        with pytest.raises(TypeError, match="known only when the compiled function runs"):
            use(n)
    assert (n == None) is False and (n != "a") is True  # noqa: E711


@pytest.mark.parametrize("other", [np.float32(1.5), np.arange(3.0), np.int8(2)])
def test_beside_numpy_values_a_number_is_a_weak_operand(other: Any) -> None:
    for function in (operator.add, operator.mul, operator.truediv, operator.lt):
        for one, two in (((2.5), other), (other, 2.5)):
            trace = Trace("numpy")
            n = trace.add_input(PYFLOAT)
            with trace.active():
                result = function(n, two) if one is not other else function(one, n)
            assert type(result) is Tensor
            trace.graph.outputs = [trace.value_of(result)]
            (got,) = evaluate(trace.graph, [2.5])
            with np.errstate(all="ignore"):
                wanted = np.asarray(function(one, two))
            np.testing.assert_array_equal(got, wanted, strict=True)


def test_to_tensor_and_back() -> None:
    assert staged(lambda n: OPS.asarray(n), 3).dtype == np.int64
    assert staged(lambda n: OPS.asarray(n), 1.5).dtype == np.float32
    assert staged(lambda n: OPS.asarray([n, n + 1]), 3).tolist() == [3, 4]
    assert outcome(staged, lambda n: OPS.to_tensor(n, dtype=np.dtype("uint8")), 300)[0] is (
        OverflowError
    )
    trace = Trace("back")
    x = trace.add_input(Spec(np.dtype(np.float32), (1, 1)))
    with trace.active():
        numbers = [OPS.to_float(x), OPS.to_int(x), OPS.to_bool(x)]
    trace.graph.outputs = [trace.value_of(one) for one in numbers]
    assert evaluate(trace.graph, [np.float32([[2.5]])]) == [2.5, 2, True]
    with trace.active(), pytest.raises(ValueError, match="array of size 1"):
        OPS.to_int(trace.add_input(Spec(np.dtype(float), (2,))))


def test_shapes_of_staged_sizes() -> None:
    trace = Trace("sizes")
    n = trace.add_input(PYINT)
    with trace.active():
        x = OPS.zeros((n, 2))
        y = OPS.reshape(OPS.arange(n * 2), (2, n))
        z = OPS.tile(OPS.arange(n, 0, -1), (2,))
        trace.graph.outputs = [
            trace.value_of(one)
            for one in (x, y, z, OPS.mean(x + 1), OPS.linspace(0, 1, n), OPS.eye(n))
        ]
    x, y, z, mean, line, eye = evaluate(trace.graph, [3])
    assert x.shape == (3, 2) and y.tolist() == [[0, 1, 2], [3, 4, 5]]
    assert z.tolist() == [3, 2, 1, 3, 2, 1] and mean.item() == 1.0
    assert line.tolist() == [0.0, 0.5, 1.0] and eye.tolist() == np.eye(3).tolist()
    with pytest.raises(ValueError, match="negative dimensions"):
        evaluate(trace.graph, [-1])
