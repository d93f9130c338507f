"""Comparison, logic and bits, elementwise; and `where`, which chooses."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from autograph.runtime.core.record import Elementwise, Op, Sample
from autograph.runtime.core.spec import Spec, broadcast, promoted
from autograph.runtime.ops.building import all_typed, binary, by_kind, unary

COMPARED = (
    Sample(([[1.0, 2.0, math.nan]], [[2.0], [1.0]]), gradient=False),
    Sample(([3, -4, 5], 3), gradient=False),
    Sample((1.5, 1.5), gradient=False),
    Sample((np.zeros((0, 2)), [1.0, 2.0]), gradient=False),
    Sample(([True, False], [True, True]), gradient=False),
)
LOGICAL = (
    Sample(([True, False, True], [[True], [False]]), gradient=False),
    Sample(([0.0, 2.0, math.nan], [1.0, 0.5, 0.0]), gradient=False),
    Sample(([0, 3], 1), gradient=False),
)
BITS = (
    Sample(([12, -7, 5], [[10], [3]]), gradient=False),
    Sample((np.array([12, 200], np.uint8), np.array(7, np.uint8)), gradient=False),
    Sample(([True, False], [True, True]), gradient=False),
)
SHIFTS = (
    Sample(([12, -7, 5], [[1], [3]]), gradient=False),
    Sample((np.array([12, 200], np.uint8), np.array([3, 9], np.uint8)), gradient=False),
)
TESTED = (
    Sample(([1.0, math.nan, math.inf, -math.inf],), gradient=False),
    Sample(([1, 2],), gradient=False),
    Sample((1.0,), gradient=False),
)


def _compare(name: str, summary: str, ufunc: np.ufunc, sign: str, operator: str) -> Op:
    return binary(
        name,
        summary,
        ufunc,
        Elementwise(f"{{0}} {sign} {{1}}"),
        samples=COMPARED,
        operator=(operator,),
        public=lambda o, x, y: o.comparison(name, x, y),
    )


def _where_infer(condition: Spec, x: Spec, y: Spec) -> Spec:
    return Spec(promoted((x, y)), broadcast((condition.shape, x.shape, y.shape)))


def _where_reference(condition: Any, x: Any, y: Any) -> Any:
    return np.where(condition, x, y)


def _where(o: Any, condition: Any, x: Any, y: Any) -> Any:
    """Elements of `x` where `condition` holds, else of `y`; all broadcast together."""
    condition = o.asarray_or_same(condition)
    if condition.dtype.kind != "b":
        condition = o.not_equal(condition, 0)
    x, y = o.paired(x, y)
    return o.elementwise(WHERE, (condition, x, y))


WHERE = Op(
    name="where",
    summary="Elements of x where the condition holds, else of y; all three broadcast.",
    infer=_where_infer,
    reference=_where_reference,
    gradient=all_typed(
        (
            None,
            lambda o, g, out, condition, x, y: o.where(condition, g, 0),
            lambda o, g, out, condition, x, y: o.where(condition, 0, g),
        )
    ),
    lowering=Elementwise("select({0}, {1}, {2})", compute="result", kept=(0,)),
    samples=(
        Sample(([True, False, True], [1.0, 2.0, 3.0], [[4.0], [5.0]])),
        Sample((True, 1.5, 2.5)),
        Sample(([True, False], [1, 2], 0), gradient=False),
    ),
    public=_where,
)

_NUMBER_TEST = {"b": "False", "i": "False"}

RECORDS = (
    _compare("equal", "Whether x equals y.", np.equal, "==", "eq"),
    _compare("not_equal", "Whether x differs from y.", np.not_equal, "!=", "ne"),
    _compare("less", "Whether x is less than y.", np.less, "<", "lt"),
    _compare("less_equal", "Whether x is at most y.", np.less_equal, "<=", "le"),
    _compare("greater", "Whether x is greater than y.", np.greater, ">", "gt"),
    _compare("greater_equal", "Whether x is at least y.", np.greater_equal, ">=", "ge"),
    binary(
        "logical_and",
        "Whether both x and y are true (not zero).",
        np.logical_and,
        Elementwise("({0} != 0) & ({1} != 0)"),
        samples=LOGICAL,
    ),
    binary(
        "logical_or",
        "Whether x or y is true (not zero).",
        np.logical_or,
        Elementwise("({0} != 0) | ({1} != 0)"),
        samples=LOGICAL,
    ),
    binary(
        "logical_xor",
        "Whether exactly one of x and y is true (not zero).",
        np.logical_xor,
        Elementwise("({0} != 0) != ({1} != 0)"),
        samples=LOGICAL,
    ),
    unary(
        "logical_not",
        "Whether x is false (zero).",
        np.logical_not,
        Elementwise("{0} == 0"),
        samples=TESTED,
    ),
    binary(
        "bitwise_and",
        "The bits set in both x and y.",
        np.bitwise_and,
        Elementwise("{0} & {1}", compute="result"),
        samples=BITS,
        operator=("and",),
    ),
    binary(
        "bitwise_or",
        "The bits set in x or y.",
        np.bitwise_or,
        Elementwise("{0} | {1}", compute="result"),
        samples=BITS,
        operator=("or",),
    ),
    binary(
        "bitwise_xor",
        "The bits set in exactly one of x and y.",
        np.bitwise_xor,
        Elementwise("{0} ^ {1}", compute="result"),
        samples=BITS,
        operator=("xor",),
    ),
    unary(
        "bitwise_invert",
        "Every bit of x turned over; of bools, logical not.",
        np.invert,
        Elementwise(by_kind(b="{0} == 0", i="~{0}")),
        samples=(Sample(([1, -2],), gradient=False), Sample(([True, False],), gradient=False)),
        operator=("invert",),
    ),
    binary(
        "bitwise_left_shift",
        "x shifted left by y bits; 0 where y is not below the width.",
        np.left_shift,
        Elementwise("left_shift({0}, {1})", compute="result"),
        samples=SHIFTS,
        operator=("lshift",),
    ),
    binary(
        "bitwise_right_shift",
        "x shifted right by y bits, keeping its sign.",
        np.right_shift,
        Elementwise("right_shift({0}, {1})", compute="result"),
        samples=SHIFTS,
        operator=("rshift",),
    ),
    unary(
        "isnan",
        "Whether x is NaN.",
        np.isnan,
        Elementwise(by_kind(f="isnan({0})", **_NUMBER_TEST)),
        samples=TESTED,
    ),
    unary(
        "isinf",
        "Whether x is infinite.",
        np.isinf,
        Elementwise(by_kind(f="isinf({0})", **_NUMBER_TEST)),
        samples=TESTED,
    ),
    unary(
        "isfinite",
        "Whether x is neither infinite nor NaN.",
        np.isfinite,
        Elementwise(by_kind(b="True", i="True", f="isfinite({0})")),
        samples=TESTED,
    ),
    WHERE,
)
