"""One scalar operation as text, every operand in its exact dtype."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from autograph.kernels.scalar.registry import SCALAR_FUNCTIONS
from autograph.runtime.core.dtypes import DType
from autograph.runtime.core.record import Elementwise
from autograph.runtime.core.spec import Spec, promoted
from autograph.runtime.graph.ir import Node
from autograph.runtime.lower.builder import cast, dtype_call
from autograph.runtime.lower.sizes.analysis import NotNativeError
from autograph.runtime.optimizer.rewriting import constant_of

_call = re.compile(r"\b([a-z_][a-z_0-9]*)\(")
_floating = re.compile(r"(?<![\w.])(\d+\.\d*(?:e[+-]?\d+)?)")
PLAIN = frozenset(("select", "abs", "isnan", "isinf", "isfinite"))
"""Functions that take any dtype under their own name."""
PRODUCTS = {3: "({0} * {0}) * {0}", 4: "({0} * {0}) * ({0} * {0})"}
"""Powers of floats that are products: 30 times faster than C's `pow`."""
OTHER_NAMES = {"rint": "round"}
COMPARISONS = re.compile(r"==|!=|<=|>=|<(?!<)|>(?!>)|\bnot\b")


class NoScalarFunction(NotNativeError):
    """An expression calls a function that programs do not have for a dtype."""


def compute_dtype(node: Node) -> DType:
    """The dtype in which an elementwise node computes."""
    lowering = node.op.lowering
    assert isinstance(lowering, Elementwise)
    specs = [value.spec for value in node.inputs if isinstance(value.spec, Spec)]
    result = node.outputs[0].spec
    assert isinstance(result, Spec)
    if lowering.compute == "result":
        return result.dtype
    if callable(lowering.compute):
        return lowering.compute([spec.dtype for spec in specs])
    return promoted([spec for i, spec in enumerate(specs) if i not in lowering.kept])


IN_LOOPS = {"power": "power_in_loops"}
"""Functions that are others in loops over arrays, which LLVM vectorizes."""


def template(node: Node, dtype: DType, in_loop: bool = False) -> str:
    """The expression of a node for a compute dtype, its functions those of that dtype."""
    lowering = node.op.lowering
    assert isinstance(lowering, Elementwise)
    text = lowering.expression
    if callable(text):
        text = text(dtype, node.attributes)
    if node.op.name == "power" and dtype.kind == "f":
        text = PRODUCTS.get(constant_of(node.inputs[1]), text)
    others = IN_LOOPS if in_loop and dtype.kind == "f" else {}
    text = _call.sub(
        lambda match: f"{_function(others.get(match.group(1), match.group(1)), dtype)}(", text
    )
    return _floating.sub(lambda match: f"{dtype_call(dtype)}({match.group(1)})", text)


def _function(name: str, dtype: DType) -> str:
    if name in PLAIN:
        return name
    name = OTHER_NAMES.get(name, name)
    known = SCALAR_FUNCTIONS.get(name)
    if (
        name == "power"
        and dtype.kind == "f"
        and (known is None or dtype.name not in known.functions)
    ):
        return "pow"
    if known is None or np.dtype(dtype).name not in known.functions:
        raise NoScalarFunction(f"{name} of {dtype}")
    return known.functions[np.dtype(dtype).name]


def scalar_text(node: Node, operands: Sequence[tuple[str, DType]], in_loop: bool = False) -> str:
    """The value of an elementwise node of scalars, in the dtype of its result."""
    lowering = node.op.lowering
    assert isinstance(lowering, Elementwise)
    dtype = compute_dtype(node)
    texts = [
        text if i in lowering.kept else cast(text, own, dtype)
        for i, (text, own) in enumerate(operands)
    ]
    form = template(node, dtype, in_loop)
    result = node.outputs[0].spec
    assert isinstance(result, Spec)
    text = form.format(*texts)
    if form == "{0}":
        return cast(texts[0], dtype, result.dtype)
    is_truth = result.dtype.kind == "b" and (dtype.kind == "b" or COMPARISONS.search(form))
    # programs compute with small integers in 64 bits: cut the result to its own width
    keeps = dtype == result.dtype and (dtype.kind == "f" or dtype.itemsize == 8)
    return text if is_truth or keeps else f"{dtype_call(result.dtype)}({text})"
