"""Python numbers in programs: Python's arithmetic, with a test for all that Python refuses.

What failed is told by its operands: the exception is the one that the op's reference raises.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from autograph.runtime.core.dtypes import DType, float64, int64
from autograph.runtime.core.spec import Spec
from autograph.runtime.graph.ir import Node
from autograph.runtime.lower.builder import RaiseSite, cast
from autograph.runtime.lower.movement.views_and_copies import number_of_sizes
from autograph.runtime.lower.region import RULES, Region
from autograph.runtime.lower.storage.copying import element, in_memory
from autograph.runtime.lower.storage.forms import Scalar, Splat

LARGEST = 2**63 - 1
INT64_LIMIT = 9223372036854775808.0


def from_words(words: Any, dtypes: Sequence[DType], python: Sequence[bool]) -> list[Any]:
    """Operands saved by `fail_if`."""
    values: list[Any] = []
    for place, (dtype, is_python) in enumerate(zip(dtypes, python, strict=True), 1):
        word = words[place : place + 1]
        if dtype.kind == "f":
            value: Any = word.view(np.float64)[0]
        else:
            value = word[0]
        typed = np.asarray(value).astype(dtype)
        values.append(typed.item() if is_python else typed)
    return values


def reference_site(node: Node, operands: int) -> RaiseSite:
    """The site whose exception the node's reference raises for the same operands."""
    specs = [value.spec for value in node.inputs[:operands]]
    dtypes = [spec.dtype for spec in specs if isinstance(spec, Spec)]
    python = [spec.python for spec in specs if isinstance(spec, Spec)]

    def make(words: Any) -> BaseException:
        try:
            node.op.reference(*from_words(words, dtypes, python), **node.attributes)
        except Exception as error:
            return error.with_traceback(None)
        return RuntimeError(f"{node.op.name} failed in compiled code alone")

    return RaiseSite(make, node.location)


Writer = Callable[[str, str], tuple[str, str]]
"""From two operands of one dtype: when it fails (or nothing), and the value."""


def _add(a: str, b: str) -> tuple[str, str]:
    return f"add_overflows({a}, {b})", f"{a} + {b}"


def _subtract(a: str, b: str) -> tuple[str, str]:
    return f"subtract_overflows({a}, {b})", f"{a} - {b}"


def _multiply(a: str, b: str) -> tuple[str, str]:
    return f"multiply_overflows({a}, {b})", f"{a} * {b}"


def _floor_divide(a: str, b: str) -> tuple[str, str]:
    return f"({b} == 0) | (({b} == -1) & ({a} == {-LARGEST - 1}))", f"{a} // {b}"


def _remainder(a: str, b: str) -> tuple[str, str]:
    # the smallest int % -1 traps on some processors; it is 0 for every a
    return f"{b} == 0", f"{a} % select({b} == -1, int64(1), {b})"


def _left_shift(a: str, b: str) -> tuple[str, str]:
    inside = f"({b} < 0) | ({b} > 63)"
    lost = f"(({a} << ({b} & 63)) >> ({b} & 63)) != {a}"
    return f"({a} != 0) & (({inside}) | ({lost})) | ({b} < 0)", f"{a} << ({b} & 63)"


def _right_shift(a: str, b: str) -> tuple[str, str]:
    return f"{b} < 0", f"{a} >> min({b}, 63)"


def _power(a: str, b: str) -> tuple[str, str]:
    return f"({b} < 0) | (power_overflows({a}, {b}))", f"power_signed({a}, {b})"


INTEGER: dict[str, Writer] = {
    "py_add": _add,
    "py_sub": _subtract,
    "py_mul": _multiply,
    "py_floordiv": _floor_divide,
    "py_mod": _remainder,
    "py_lshift": _left_shift,
    "py_rshift": _right_shift,
    "py_pow": _power,
    "py_and": lambda a, b: ("", f"{a} & {b}"),
    "py_or": lambda a, b: ("", f"{a} | {b}"),
    "py_xor": lambda a, b: ("", f"{a} ^ {b}"),
}
FLOATING: dict[str, Writer] = {
    "py_add": lambda a, b: ("", f"{a} + {b}"),
    "py_sub": lambda a, b: ("", f"{a} - {b}"),
    "py_mul": lambda a, b: ("", f"{a} * {b}"),
    "py_truediv": lambda a, b: (f"{b} == 0.0", f"{a} / {b}"),
    "py_floordiv": lambda a, b: (f"{b} == 0.0", f"{a} // {b}"),
    "py_mod": lambda a, b: (f"{b} == 0.0", f"{a} % {b}"),
    "py_pow": lambda a, b: (
        f"float_power_fails({a}, {b})",
        f"pow({a}, {b})",
    ),
}


def _binary(region: Region, node: Node) -> None:
    if node.outputs[0] in region.analysis.numbers:
        region.bind(node.outputs[0], number_of_sizes(region, node))
        return
    left, right = (region.scalar(value) for value in node.inputs)
    spec = node.outputs[0].spec
    assert isinstance(spec, Spec)
    proven = node in region.builder.proven
    wide = spec.dtype
    if wide.kind == "f":
        writer = FLOATING[node.op.name]
    else:
        writer = INTEGER[node.op.name]
        if wide.kind == "b":
            _bind(region, node, writer(left.text, right.text)[1])
            return
    a, b = cast(left.text, left.dtype, wide), cast(right.text, right.dtype, wide)
    fails, text = writer(a, b)
    if fails and not proven and not _cannot_fail(node, right):
        operands = [(left.text, left.dtype), (right.text, right.dtype)]
        region.builder.fail_if(fails, reference_site(node, 2), operands)
    _bind(region, node, text)


def _cannot_fail(node: Node, right: Scalar) -> bool:
    """Division by a literal that is neither 0 nor -1."""
    divides = node.op.name in ("py_floordiv", "py_mod", "py_truediv")
    return divides and right.constant is not None and right.constant not in (0, -1)


def _bind(region: Region, node: Node, text: str) -> None:
    spec = node.outputs[0].spec
    assert isinstance(spec, Spec)
    region.bind(node.outputs[0], Scalar(region.builder.let("s", text), spec.dtype))


def _negative(region: Region, node: Node) -> None:
    operand = region.scalar(node.inputs[0])
    spec = node.outputs[0].spec
    assert isinstance(spec, Spec)
    text = cast(operand.text, operand.dtype, spec.dtype)
    if operand.dtype.kind == "i":
        region.builder.fail_if(
            f"{text} == {-LARGEST - 1}",
            reference_site(node, 1),
            [(operand.text, operand.dtype)],
        )
    _bind(region, node, f"abs({text})" if node.op.name == "py_abs" else f"-{text}")


def _positive(region: Region, node: Node) -> None:
    operand = region.scalar(node.inputs[0])
    spec = node.outputs[0].spec
    assert isinstance(spec, Spec)
    _bind(region, node, cast(operand.text, operand.dtype, spec.dtype))


def _invert(region: Region, node: Node) -> None:
    operand = region.scalar(node.inputs[0])
    _bind(region, node, f"~{cast(operand.text, operand.dtype, int64)}")


ROUNDINGS = {
    "py_round": "round_even",
    "py_floor": "round_down",
    "py_ceil": "round_up",
    "py_int": "round_to_zero",
}


def _to_integer(region: Region, node: Node) -> None:
    operand = region.scalar(node.inputs[0])
    if operand.dtype.kind != "f":
        _bind(region, node, cast(operand.text, operand.dtype, int64))
        return
    whole = region.builder.let("s", f"{ROUNDINGS[node.op.name]}({operand.text})")
    _check_range(region, node, whole, operand)
    _bind(region, node, f"int64({whole})")


def _check_range(region: Region, node: Node, whole: str, operand: Scalar) -> None:
    inside = f"({whole} >= -{INT64_LIMIT}) & ({whole} < {INT64_LIMIT})"
    region.builder.fail_if(
        f"not ({inside})", reference_site(node, 1), [(operand.text, operand.dtype)]
    )


def _to_number(region: Region, node: Node) -> None:
    storage = region.tensor(node.inputs[0])
    if isinstance(storage, Splat):
        storage = Scalar(storage.text, storage.dtype, storage.constant)
    if not isinstance(storage, Scalar):
        storage = element(region.builder, in_memory(region.builder, storage))
    spec = node.outputs[0].spec
    assert isinstance(spec, Spec)
    kind = node.attributes["kind"]
    text, dtype = storage.text, storage.dtype
    if kind is bool:
        _bind(region, node, text if dtype.kind == "b" else f"{text} != 0")
        return
    if kind is int and dtype.kind == "f":
        wide = region.builder.let("s", cast(text, dtype, float64))
        whole = region.builder.let("s", f"round_to_zero({wide})")
        _check_range(region, node, whole, storage)
        text, dtype = whole, float64
    elif kind is int and dtype == np.dtype(np.uint64):
        site = reference_site(node, 1)
        region.builder.fail_if(f"int64({text}) < 0", site, [(text, dtype)])
    _bind(region, node, cast(text, dtype, spec.dtype))


def _to_tensor(region: Region, node: Node) -> None:
    operand = region.scalar(node.inputs[0])
    dtype = node.attributes["dtype"]
    if operand.dtype.kind == "i" and dtype.kind in "iu" and dtype != int64:
        limits = np.iinfo(dtype)
        low = "" if limits.min <= -LARGEST else f"{operand.text} < {limits.min}"
        high = "" if limits.max >= LARGEST else f"{operand.text} > {limits.max}"
        parts = " | ".join(f"({part})" for part in (low, high) if part)
        region.builder.fail_if(parts, reference_site(node, 1), [(operand.text, operand.dtype)])
    text, source = operand.text, operand.dtype
    if source.kind == "f" and dtype.kind in "iu":
        limits = np.iinfo(dtype)
        whole = region.builder.let("s", f"round_to_zero({text})")
        inside = f"{whole} >= {float(limits.min)} and {whole} < {float(limits.max + 1)}"
        region.builder.fail_if(f"not ({inside})", reference_site(node, 1), [(text, source)])  # NaN
        text, source = (whole, source) if limits.max > LARGEST else (f"int64({whole})", int64)
    if source == dtype:
        region.bind(node.outputs[0], Scalar(text, dtype, operand.constant))
        return
    _bind(region, node, cast(text, source, dtype))


RULES.update(dict.fromkeys({*INTEGER, *FLOATING}, _binary))
RULES.update(dict.fromkeys(ROUNDINGS, _to_integer))
RULES.update(
    py_neg=_negative,
    py_abs=_negative,
    py_pos=_positive,
    py_invert=_invert,
    to_number=_to_number,
    to_tensor=_to_tensor,
)
