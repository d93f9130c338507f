"""Ops that may raise when the graph runs: inside an attempt, a test before them raises instead.

Each test is a staged condition like one that the user writes, so the exception takes the same way
to its handler. What no test stands for stays an error of the run, which no handler catches: the
limits of staged numbers (`docs/limits.md`), and the depth of recursion.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from autograph.control.branch import switch
from autograph.control.raising import attempt_around, catcher
from autograph.errors import StagingError
from autograph.operators.statements import shape_checks
from autograph.operators.statements.shape_checks import shape_text
from autograph.operators.strings.formatting import formatted, joined
from autograph.runtime.core.list_value import ListValue
from autograph.runtime.core.number import Number
from autograph.runtime.core.record import Elementwise, Op
from autograph.runtime.graph.stretch import ASSIGNED, SECOND
from autograph.runtime.ops.inference import same_size
from autograph.runtime.ops.shaping.shapes import shape_of
from autograph.runtime.ops.table import OPS
from autograph.tracing.tracing import Tracing

Risk = tuple[Any, Callable[[], Exception]]
"""A condition, known or staged, and the exception that it means."""
Risks = Callable[[Op, tuple[Any, ...], Mapping[str, Any]], Iterator[Risk]]


def guard(tracing: Tracing, op: Op, inputs: tuple[Any, ...], attributes: Mapping[str, Any]) -> None:
    """Test what an op may raise, before it is added."""
    find = RISKS.get(op.name)
    if find is None and isinstance(op.lowering, Elementwise):
        find = shape_checks.elementwise
    if find is None or catcher(tracing) is None:
        return
    for flag, error in _found(find, op, inputs, attributes):
        _test(tracing, flag, error)


def _found(
    find: Risks, op: Op, inputs: tuple[Any, ...], attributes: Mapping[str, Any]
) -> Iterator[Risk]:
    """The risks of an op: what finding them raises is none of the program's exceptions."""
    try:
        yield from find(op, inputs, attributes)
    except (StagingError, RecursionError):
        raise
    except Exception as error:
        raise StagingError(
            f"what the op {op.name} may raise is not foreseen, inside a try statement",
            remedy="please report it with the function, and move the line out of the try statement",
        ) from error


def _test(tracing: Tracing, flag: Any, error: Callable[[], Exception]) -> None:
    if isinstance(flag, bool):
        if flag:
            raise error()  # known, as where a staged number is divided by 0
        return
    if attempt_around(tracing) is None:
        return

    def fail() -> None:
        raise error()

    number = flag if isinstance(flag, Number) else OPS.to_number(flag, kind=bool)
    index = tracing.region.trace.lift(number._value)
    switch(tracing, index, [lambda: None, fail])


def kind_of(value: Any) -> type:
    """The Python type of a number, staged or not."""
    return value.kind if isinstance(value, Number) else type(value)


def error_of(op: Op, *values: Any, **attributes: Any) -> Callable[[], Exception]:
    """The exception of an op on these values: type and message are those of eager Python."""

    def make() -> Exception:
        try:
            op.reference(*values, **attributes)
        except Exception as error:
            return error.with_traceback(None)
        raise AssertionError(f"{op.name} does not raise")

    return make


# Python numbers -----------------------------------------------------------------------------------
def _is_zero(value: Any) -> Any:
    return OPS.py_eq(value, 0) if isinstance(value, Number) else bool(value == 0)


def _is_negative(value: Any) -> Any:
    return OPS.py_lt(value, 0) if isinstance(value, Number) else bool(value < 0)


def _both(left: Any, right: Any) -> Any:
    if isinstance(left, bool):
        return right if left else False
    if isinstance(right, bool):
        return left if right else False
    return OPS.py_and(left, right)


def _division(op: Op, inputs: tuple[Any, ...], attributes: Mapping[str, Any]) -> Iterator[Risk]:
    x, y = inputs
    yield _is_zero(y), error_of(op, kind_of(x)(1), kind_of(y)(0))


def _shift(op: Op, inputs: tuple[Any, ...], attributes: Mapping[str, Any]) -> Iterator[Risk]:
    yield _is_negative(inputs[1]), error_of(op, 1, -1)


def _power(op: Op, inputs: tuple[Any, ...], attributes: Mapping[str, Any]) -> Iterator[Risk]:
    x, y = inputs
    zero = _both(_is_zero(x), _is_negative(y))
    yield zero, error_of(op, kind_of(x)(0), kind_of(y)(-1) if kind_of(y) is not bool else -1)
    if float in (kind_of(x), kind_of(y)):
        result = OPS.power(_float(x), _float(y))
        finite = OPS.logical_and(OPS.isfinite(_float(x)), OPS.isfinite(_float(y)))
        too_large = OPS.logical_and(OPS.isinf(result), finite)
        # Zero to a negative power is infinite, too, and was tested before.
        yield OPS.to_number(too_large, kind=bool), error_of(op, 10.0, 400.0)


def _float(value: Any) -> Any:
    return (
        OPS.to_tensor(OPS.py_float(value), dtype=np.dtype(np.float64))
        if isinstance(value, Number)
        else OPS.asarray(float(value), dtype=np.dtype(np.float64))
    )


def _to_integer(op: Op, inputs: tuple[Any, ...], attributes: Mapping[str, Any]) -> Iterator[Risk]:
    (x,) = inputs
    if kind_of(x) is float:
        yield from _not_finite(op, _float(x), {})


def _not_finite(op: Op, x: Any, attributes: Mapping[str, Any]) -> Iterator[Risk]:
    flags = (OPS.isnan(x), np.nan), (OPS.isinf(x), np.inf)
    for flag, value in flags:
        yield OPS.to_number(flag, kind=bool), error_of(op, value, **attributes)


def _to_number(op: Op, inputs: tuple[Any, ...], attributes: Mapping[str, Any]) -> Iterator[Risk]:
    (x,) = inputs
    count = _product(OPS.dimension(x, axis) for axis in range(x.ndim))
    if not isinstance(count, int):
        yield OPS.py_ne(count, 1), error_of(op, np.zeros(2), **attributes)
    if attributes["kind"] is int and x.dtype.kind == "f":
        yield from _not_finite(op, x, attributes)


def _to_tensor(op: Op, inputs: tuple[Any, ...], attributes: Mapping[str, Any]) -> Iterator[Risk]:
    (x,), dtype = inputs, attributes["dtype"]
    if dtype.kind not in "iu":
        return
    limits = np.iinfo(dtype)
    low, high = int(limits.min), int(limits.max)
    if kind_of(x) is float:
        yield from _not_finite(op, _float(x), attributes)
        whole = OPS.trunc(_float(x))
        yield _outside(whole, -(2**63), max(high, 2**63 - 1)), error_of(op, 1e30, **attributes)
        yield _outside(whole, low, high), lambda: _beyond(OPS.py_int(x), dtype)
    elif kind_of(x) is int and dtype != np.dtype(np.int64):
        for value, outside in ((low, OPS.py_lt), (high, OPS.py_gt)):
            if -(2**63) <= value < 2**63:
                yield outside(x, value), lambda: _beyond(x, dtype)


def _outside(whole: Any, low: int, high: int) -> Any:
    """Whether a float tensor without a fraction is no integer between `low` and `high`."""
    flag = OPS.logical_or(OPS.less(whole, float(low)), OPS.greater_equal(whole, float(high + 1)))
    return OPS.to_number(flag, kind=bool)


def _beyond(number: Any, dtype: Any) -> Exception:
    text: Any = joined("Python integer ", formatted(number), f" out of bounds for {dtype}")
    return OverflowError(text)


# lists --------------------------------------------------------------------------------------------
def _empty(op: Op, inputs: tuple[Any, ...], attributes: Mapping[str, Any]) -> Iterator[Risk]:
    items = inputs[0]
    yield OPS.py_eq(OPS.list_length(items), 0), error_of(op, ListValue(), **attributes)


def _list_index(op: Op, inputs: tuple[Any, ...], attributes: Mapping[str, Any]) -> Iterator[Risk]:
    items, index, *rest = inputs
    length = OPS.list_length(items)
    outside = OPS.py_or(OPS.py_ge(index, length), OPS.py_lt(index, OPS.py_neg(length)))
    yield outside, error_of(op, ListValue(), 0, *([0] * len(rest)))


# tensors ------------------------------------------------------------------------------------------
def _index(op: Op, inputs: tuple[Any, ...], attributes: Mapping[str, Any]) -> Iterator[Risk]:
    index, x = inputs
    size = OPS.dimension(x, attributes["axis"])
    known = isinstance(index, Number | int | np.integer)
    number = index if known else OPS.to_number(index, kind=int)
    negative = OPS.py_neg(size) if isinstance(size, Number) else -size
    outside = OPS.py_or(OPS.py_ge(number, size), OPS.py_lt(number, negative))
    yield outside, lambda: IndexError(_out_of_bounds(number, attributes["axis"], size))


def _indices(op: Op, inputs: tuple[Any, ...], attributes: Mapping[str, Any]) -> Iterator[Risk]:
    indices, x = inputs
    axis = attributes["axis"]
    size = OPS.dimension(x, axis)
    found = OPS.astype(OPS.asarray_or_same(indices), np.dtype(np.int64))
    negative = OPS.py_neg(size) if isinstance(size, Number) else -size
    outside = OPS.logical_or(OPS.less(found, negative), OPS.greater_equal(found, size))

    def error() -> Exception:
        flags = OPS.reshape(OPS.astype(outside, np.dtype(np.int8)), (-1,))
        # Not taken by its place: that would be tested again, and again.
        here = OPS.equal(OPS.cumulative_sum(flags), 1)
        first = OPS.where(OPS.logical_and(here, OPS.equal(flags, 1)), OPS.reshape(found, (-1,)), 0)
        number = OPS.to_number(OPS.sum(first), kind=int)
        return IndexError(_out_of_bounds(number, axis, size))

    yield OPS.any(outside), error


def _exponent(op: Op, inputs: tuple[Any, ...], attributes: Mapping[str, Any]) -> Iterator[Risk]:
    y, x = inputs
    count = _product(OPS.dimension(x, axis) for axis in range(x.ndim))
    negative = OPS.any(OPS.less(y, 0))
    if not isinstance(count, int) or not count:
        negative = OPS.logical_and(negative, OPS.asarray(OPS.py_ne(count, 0)))
    yield negative, error_of(op, np.asarray(-1), np.asarray(1))


def _counts(op: Op, inputs: tuple[Any, ...], attributes: Mapping[str, Any]) -> Iterator[Risk]:
    yield OPS.any(OPS.less(inputs[0], 0)), error_of(op, np.asarray(-1))


def _reshape(op: Op, inputs: tuple[Any, ...], attributes: Mapping[str, Any]) -> Iterator[Risk]:
    (x,), sizes = inputs, attributes["shape"]
    total = _product(OPS.dimension(x, axis) for axis in range(x.ndim))
    given = [size for size in sizes if isinstance(size, Number) or size != -1]
    rest = _product(given)
    unknown = [size for size in given if isinstance(size, Number)]
    if len(given) < len(sizes):
        bad = OPS.py_eq(rest, 0)
        if not isinstance(rest, int) or rest:
            bad = OPS.py_or(bad, OPS.py_ne(OPS.py_mod(total, OPS.py_max2(rest, 1)), 0))
    else:
        bad = OPS.py_ne(total, rest)
    for size in unknown:  # a staged -1 is what the op itself understands
        bad = OPS.py_and(bad, OPS.py_ge(size, 0))
    yield (
        bad,
        lambda: ValueError(
            joined(
                "cannot reshape array of size ",
                formatted(total),
                " into shape ",
                shape_text(sizes),
            )
        ),
    )


def _convolution(op: Op, inputs: tuple[Any, ...], attributes: Mapping[str, Any]) -> Iterator[Risk]:
    x, kernel = inputs
    padding = attributes["padding"]
    for axis, spread in enumerate(attributes["dilations"]):
        window = OPS.dimension(kernel, axis)
        covered = OPS.py_add(OPS.py_mul(OPS.py_sub(window, 1), spread), 1)
        pads = 0 if isinstance(padding, str) else sum(padding[axis])
        yield from _misfit(covered, OPS.py_add(OPS.dimension(x, 1 + axis), pads))


def _windows(op: Op, inputs: tuple[Any, ...], attributes: Mapping[str, Any]) -> Iterator[Risk]:
    for axis, covered in enumerate(attributes["window"]):
        yield from _misfit(covered, OPS.dimension(inputs[0], 1 + axis))


def _misfit(covered: Any, room: Any) -> Iterator[Risk]:
    words = ("a window of ", formatted(covered), " does not fit into ", formatted(room))
    yield OPS.py_lt(room, covered), lambda: ValueError(joined(*words, " elements"))


def _product(sizes: Iterable[Any]) -> Any:
    total: Any = 1
    for size in sizes:
        both_known = isinstance(total, int) and isinstance(size, int)
        total = total * size if both_known else OPS.py_mul(total, size)
    return total


def _stretch(op: Op, inputs: tuple[Any, ...], attributes: Mapping[str, Any]) -> Iterator[Risk]:
    x, like = inputs
    bad: Any = False
    for axis in attributes["axes"]:
        mine, other = OPS.dimension(x, axis), OPS.dimension(like, axis)
        here = OPS.py_and(OPS.py_ne(mine, 1), OPS.py_ne(mine, other))
        if attributes["mutual"]:
            here = OPS.py_and(here, OPS.py_ne(other, 1))
        bad = here if bad is False else OPS.py_or(bad, here)
    shapes = [
        shape_text([OPS.dimension(one, axis) for axis in range(one.ndim)]) for one in (x, like)
    ]
    yield bad, lambda: ValueError(_mismatch(shapes, attributes["role"]))


def _mismatch(shapes: list[Any], role: str) -> Any:
    one, other = shapes
    if role == ASSIGNED:
        words = "could not broadcast input array from shape "
        return joined(words, one, " into shape ", other)
    if role == SECOND:
        one, other = other, one
    return joined("operands could not be broadcast together with shapes ", one, " ", other, " ")


def _out_of_bounds(index: Any, axis: int, size: Any) -> Any:
    text = "index ", formatted(index), f" is out of bounds for axis {axis} with size "
    return joined(*text, formatted(size))


# linear algebra -----------------------------------------------------------------------------------
def _unfactored(by: str, message: str) -> Risks:
    def risks(op: Op, inputs: tuple[Any, ...], attributes: Mapping[str, Any]) -> Iterator[Risk]:
        if by != "svd":
            yield from _not_square(op, inputs, attributes)
        sizes = shape_of(inputs[0])[-2:]
        if len(sizes) < 2 or (by != "svd" and not same_size(*sizes)):
            return  # which the op itself says
        flag = OPS.apply("cannot_be_factored", inputs[:1], {"by": by})
        yield flag, lambda: np.linalg.LinAlgError(message)

    return risks


def _not_square(op: Op, inputs: tuple[Any, ...], attributes: Mapping[str, Any]) -> Iterator[Risk]:
    sizes = shape_of(inputs[0])
    if len(sizes) > 1 and sizes[-1] != sizes[-2] and same_size(*sizes[-2:]):  # the run tells
        rows, columns = (OPS.dimension(inputs[0], len(sizes) + axis) for axis in (-2, -1))
        message = "Last 2 dimensions of the array must be square"
        yield OPS.py_ne(rows, columns), lambda: np.linalg.LinAlgError(message)


def _triangular(op: Op, inputs: tuple[Any, ...], attributes: Mapping[str, Any]) -> Iterator[Risk]:
    if not attributes["unit_diagonal"]:
        flag = OPS.any(OPS.equal(OPS.diagonal(inputs[0]), 0))
        yield flag, lambda: np.linalg.LinAlgError("Singular matrix")


LINEAR_ALGEBRA: Mapping[str, Risks] = {
    "solve": _unfactored("inv", "Singular matrix"),
    "solve_triangular": _triangular,
    "inv": _unfactored("inv", "Singular matrix"),
    "cholesky": _unfactored("cholesky", "Matrix is not positive definite"),
    "eig": _unfactored("eig", "Array must not contain infs or NaNs"),
    "eigh": _unfactored("eigh", "Eigenvalues did not converge"),
    **dict.fromkeys(("svd", "pinv", "cofactors"), _unfactored("svd", "SVD did not converge")),
}

RISKS: Mapping[str, Risks] = {
    **LINEAR_ALGEBRA,
    "py_truediv": _division,
    "py_floordiv": _division,
    "py_mod": _division,
    "py_pow": _power,
    "py_lshift": _shift,
    "py_rshift": _shift,
    "py_round": _to_integer,
    "py_floor": _to_integer,
    "py_ceil": _to_integer,
    "py_int": _to_integer,
    "to_number": _to_number,
    "to_tensor": _to_tensor,
    "list_pop": _empty,
    "list_stack": _empty,
    "list_concat": _empty,
    "list_get": _list_index,
    "list_set": _list_index,
    "checked_index": _index,
    "checked_indices": _indices,
    "checked_exponent": _exponent,
    "checked_counts": _counts,
    "checked_reshape": _reshape,
    "checked_conv2d": _convolution,
    "checked_image_windows": _windows,
    "stack": shape_checks.stacked,
    "concat": shape_checks.concatenated,
    "matmul": shape_checks.product,
    **dict.fromkeys(("max", "min", "argmax", "argmin"), shape_checks.extremum),
    "stretch": _stretch,
}
