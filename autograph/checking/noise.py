"""How far the result of an op may be from the reference's, by rounding alone.

Arithmetic is the same operation everywhere. What differs is the functions, whose error is stated in
ulps, and the order in which terms are added. A sum of n terms is within `min(n, 6 sqrt(n))` units
of rounding of the sum of their magnitudes, however it is ordered: the first bound always holds, the
second with a probability that leaves out less than one case in a million (Higham and Mary, A New
Approach to Probabilistic Rounding Error Analysis, 2019). Sums that no order can round are exact.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from autograph.checking.factorizations import FACTORIZATIONS, factored
from autograph.kernels.scalar.registry import SCALAR_FUNCTIONS
from autograph.runtime.core.list_value import ListValue
from autograph.runtime.core.record import Elementwise
from autograph.runtime.core.spec import Spec
from autograph.runtime.graph.evaluate import run_node
from autograph.runtime.graph.ir import Node, Value

Array = np.ndarray[Any, Any]
Noise = Callable[[Node, Sequence[Any], Any], Any]
"""From the node, its operands and its result to a bound for each element of the result."""
REFERENCE_ULPS = 4
"""How far the functions of NumPy, which the references use, may be from the true value."""


def noise_of(node: Node, reordered: bool = False) -> Noise | None:
    """The bound for the op of a node; None for one that gives the same bits in all programs.

    `reordered`: terms that single additions add up may be added in another order.
    """
    op = node.op
    if op.name in _OF_COMPLEX and any(map(_is_complex, (*node.inputs, *node.outputs))):
        return _OF_COMPLEX[op.name]
    known = _BY_NAME.get(op.name)
    if known is not None:
        return known
    if reordered and op.name in ADDITIONS:
        return _addition
    if isinstance(op.lowering, Elementwise) and isinstance(op.lowering.expression, str):
        names = re.findall(r"[a-z_]\w+(?=\()", op.lowering.expression)
        stated = sum(SCALAR_FUNCTIONS[one].max_ulp for one in names if one in SCALAR_FUNCTIONS)
        if stated:
            return lambda node, operands, result: (stated + REFERENCE_ULPS) * _ulp(result)
    return None


def _is_complex(value: Value) -> bool:
    return isinstance(value.spec, Spec) and value.spec.dtype.kind == "c"


ADDITIONS = frozenset({"add", "subtract", "py_add", "py_sub"})


def _addition(node: Node, operands: Sequence[Any], result: Any) -> Any:
    """One unit of the larger operand or result; zero where nothing was rounded."""
    x, y = (np.asarray(one) for one in operands[:2])
    with np.errstate(all="ignore"):
        y = y if node.op.name in ("add", "py_add") else -y
        back = result - x
        lost = (x - (result - back)) + (y - back)
        return np.where(lost == 0, 0.0, _ulp(np.abs(x) + np.abs(y)))


def _ulp(result: Any) -> Any:
    return np.spacing(np.abs(np.asarray(result)))


def _power(node: Node, operands: Sequence[Any], result: Any) -> Any:
    return (1 + REFERENCE_ULPS) * _ulp(result)


def _sum(node: Node, operands: Sequence[Any], result: Any) -> Any:
    terms = np.size(operands[0]) // max(1, np.size(result))
    return _rounded_sum(node, operands, result, terms)


def _cumulative_sum(node: Node, operands: Sequence[Any], result: Any) -> Any:
    return _rounded_sum(node, operands, result, max(np.shape(operands[0]), default=1))


def _product_of_matrices(node: Node, operands: Sequence[Any], result: Any) -> Any:
    return _rounded_sum(node, operands, result, np.shape(operands[0])[-1])


def _scattered_sum(node: Node, operands: Sequence[Any], result: Any) -> Any:
    return _rounded_sum(node, operands, result, max(map(_size, operands)))


def _convolution(node: Node, operands: Sequence[Any], result: Any) -> Any:
    rows, columns, channels, _ = np.shape(operands[1])
    return _rounded_sum(node, operands, result, rows * columns * channels)


def _laid_back(node: Node, operands: Sequence[Any], result: Any) -> Any:
    rows, columns, _, outputs = np.shape(operands[1])
    return _rounded_sum(node, operands, result, rows * columns * outputs)


def _summed_windows(node: Node, operands: Sequence[Any], result: Any) -> Any:
    batch, height, width, _ = np.shape(operands[1])
    return _rounded_sum(node, operands, result, batch * height * width)


def _products(node: Node, operands: Sequence[Any], result: Any) -> Any:
    return np.size(operands[0]) * _ulp(result)


_BY_NAME: dict[str, Noise] = {
    "sum": _sum,
    "prod": _products,
    "cumulative_sum": _cumulative_sum,
    "cumulative_prod": _products,
    "matmul": _product_of_matrices,
    "conv2d": _convolution,
    "checked_conv2d": _convolution,
    "conv2d_input": _laid_back,
    "conv2d_kernel": _summed_windows,
    "scatter_add": _scattered_sum,
    "index_add": _scattered_sum,
    "list_total": _scattered_sum,
    "power": _power,
    "py_pow": _power,
    **dict.fromkeys(FACTORIZATIONS, factored),
}


COMPLEX_ULPS = 8
"""How far products and quotients of complex numbers may be apart, in ulps of the absolute value:
NumPy itself fuses products and sums for some sizes of arrays and not for others."""


def _of_parts(node: Node, operands: Sequence[Any], result: Any) -> Any:
    return (COMPLEX_ULPS + REFERENCE_ULPS) * _ulp(result)


def _complex_power(node: Node, operands: Sequence[Any], result: Any) -> Any:
    """The error of the logarithm, times the exponent, is one of the result's own size."""
    with np.errstate(all="ignore"):
        x, y = (np.asarray(one) + 0j for one in operands[:2])
        factor = np.nan_to_num(np.abs(y * np.log(x)), posinf=0.0)
        return (COMPLEX_ULPS + REFERENCE_ULPS) * (1 + factor) * _ulp(result)


_OF_COMPLEX: dict[str, Noise] = {
    **dict.fromkeys(
        "multiply divide square reciprocal abs sqrt exp expm1 log log1p log2 log10 sin cos tan "
        "sinh cosh tanh".split(),
        _of_parts,
    ),
    "power": _complex_power,
}
"""By the name of the op: the bounds where complex numbers are in it."""


def _size(operand: Any) -> int:
    return len(operand) if isinstance(operand, ListValue) else int(np.size(operand))


def _rounded_sum(node: Node, operands: Sequence[Any], result: Any, terms: int) -> Any:
    """The bound for sums of so many terms; zero where they are exact in every order."""
    if terms < 2:
        return np.zeros(np.shape(result))
    with np.errstate(all="ignore"):
        (total,) = run_node(node, [_magnitude(one) for one in operands])
        if all(_is_on_a_grid(one, total) for one in operands):
            return np.zeros(np.shape(result))
        unit = np.finfo(np.asarray(result).dtype).eps / 2
        bound = min(terms, 6 * math.sqrt(terms)) * unit * total
        if np.iscomplexobj(result):  # a product of two is two products in each part
            bound = 2 * bound
    return np.maximum(bound, _ulp(result))


def _magnitude(operand: Any) -> Any:
    """An operand of floats without its signs; integers are indices and stay."""
    if isinstance(operand, ListValue):
        return ListValue(_magnitude(one) for one in operand)
    return np.abs(operand) if np.asarray(operand).dtype.kind in "fc" else operand


def _is_on_a_grid(operand: Any, total: Any) -> bool:
    """Whether all sums of these terms, and of their products, are whole multiples of a unit that
    the dtype has room for up to `total`."""
    if isinstance(operand, ListValue):
        return all(_is_on_a_grid(one, total) for one in operand)
    array = np.asarray(operand)
    if array.dtype.kind == "c":
        return _is_on_a_grid(array.real, total) and _is_on_a_grid(array.imag, total)
    if array.dtype.kind != "f" or not array.size:
        return True
    largest = float(np.max(total, initial=0.0))
    if not math.isfinite(largest):
        return False
    digits = np.finfo(np.asarray(total).dtype).nmant + 1
    room = digits - max(0, math.frexp(largest)[1])
    scaled = np.ldexp(array.astype(np.float64), max(0, room // 2))
    return bool(np.all(scaled == np.rint(scaled)))
