"""The table of scalar functions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from autograph.kernels.scalar import (
    bits,
    error_function,
    exponential,
    hyperbolic,
    integer,
    inverse,
    logarithm,
    power,
    random_bits,
    rounding,
    trigonometric,
)
from autograph.kernels.scalar.source import closure, definitions, dtype_name, text_of

FLOATS = ("float32", "float64")
SIGNED = ("int8", "int16", "int32", "int64")
UNSIGNED = ("uint8", "uint16", "uint32", "uint64")
_MODULES = (
    bits,
    error_function,
    exponential,
    hyperbolic,
    integer,
    inverse,
    logarithm,
    power,
    random_bits,
    rounding,
    trigonometric,
)


@dataclass(frozen=True)
class ScalarFunction:
    """One function of scalars.

    `functions` maps the name of the dtype of the arguments to the name of the Python function.
    The result may be wider than the dtype (int32 + int32 is an int64 in programs): cast it.
    `max_ulp` bounds the error in units in the last place; 0 means the value NumPy gives.
    """

    name: str
    summary: str
    functions: Mapping[str, str]
    max_ulp: float
    arguments: int = 1

    def function(self, dtype: object) -> Callable[..., Any]:
        """The Python function for arguments of `dtype`; KeyError if there is none."""
        name = self.functions[dtype_name(dtype)]
        for module in _MODULES:
            if hasattr(module, name):
                return getattr(module, name)  # type: ignore[no-any-return]
        raise KeyError(name)


def _float(name: str, summary: str, max_ulp: float, arguments: int = 1) -> ScalarFunction:
    functions = {dtype: f"{name}_{dtype}" for dtype in FLOATS}
    return ScalarFunction(name, summary, functions, max_ulp, arguments)


def _by_kind(
    name: str,
    summary: str,
    floats: str = "",
    signed: str = "",
    unsigned: str = "",
    arguments: int = 2,
) -> ScalarFunction:
    functions: dict[str, str] = {}
    for dtypes, function in ((FLOATS, floats), (SIGNED, signed), (UNSIGNED, unsigned)):
        if function:
            functions.update(dict.fromkeys(dtypes, function))
    return ScalarFunction(name, summary, functions, 0, arguments)


SCALAR_FUNCTIONS: dict[str, ScalarFunction] = {
    function.name: function
    for function in (
        _float("exp", "e to the power x", 1),
        _float("expm1", "exp(x) - 1", 2),
        _float("sigmoid", "1 / (1 + exp(-x))", 2.0),
        _float("softplus", "log(1 + exp(x))", 2.0),
        _float("log", "natural logarithm", 1),
        _float("log1p", "log(1 + x)", 2),
        _float("log2", "logarithm to base 2", 1),
        _float("log10", "logarithm to base 10", 1),
        _float("tanh", "hyperbolic tangent", 2),
        _float("sinh", "hyperbolic sine", 2),
        _float("cosh", "hyperbolic cosine", 2),
        _float("sin", "sine", 1),
        _float("cos", "cosine", 1),
        _float("tan", "tangent", 2),
        _float("asin", "inverse sine", 2),
        _float("acos", "inverse cosine", 2),
        _float("atan", "inverse tangent", 2),
        _float("angle", "of the point (b, a)", 2, 2),
        _float("hypot", "root of a*a + b*b", 2, 2),
        _float("asinh", "inverse hyperbolic sine", 2),
        _float("acosh", "inverse hyperbolic cosine", 2),
        _float("atanh", "inverse hyperbolic tangent", 2),
        _float("erf", "the error function", 2),
        _float("erfc", "1 - erf(x)", 2),
        _float("gelu", "x times the normal distribution's share below x", 2),
        _by_kind("copysign", "a with the sign of b", "copysign_float"),
        _float("nextafter", "the float next to a towards b", 0, 2),
        _by_kind("sqrt", "square root", "sqrt_float", arguments=1),
        _by_kind("floor", "largest integer not above x", "floor_float", arguments=1),
        _by_kind("ceil", "smallest integer not below x", "ceil_float", arguments=1),
        _by_kind("trunc", "x without its fraction", "trunc_float", arguments=1),
        _by_kind("round", "nearest integer, halves to even", "round_float", arguments=1),
        ScalarFunction(
            "sign",
            "-1, 0 or 1; nan stays",
            {
                "float32": "sign_float32",
                "float64": "sign_float64",
                **dict.fromkeys(SIGNED, "sign_signed"),
                **dict.fromkeys(UNSIGNED, "sign_unsigned"),
            },
            0,
        ),
        _by_kind("minimum", "the smaller; nan wins", "minimum_float", "minimum_int", "minimum_int"),
        _by_kind("maximum", "the larger; nan wins", "maximum_float", "maximum_int", "maximum_int"),
        _by_kind(
            "floor_divide",
            "quotient rounded down; integers by 0 give 0",
            "floor_divide_number",
            "floor_divide_signed",
            "floor_divide_number",
        ),
        _by_kind(
            "remainder",
            "remainder with the sign of the divisor; integers by 0 give 0",
            "remainder_number",
            "remainder_number",
            "remainder_number",
        ),
        _by_kind(
            "left_shift",
            "a << b; 0 from the width on",
            "",
            "left_shift_signed",
            "left_shift_unsigned",
        ),
        _by_kind(
            "right_shift",
            "a >> b; the sign from the width on",
            "",
            "right_shift_signed",
            "right_shift_unsigned",
        ),
        ScalarFunction(
            "power",
            "a**b; of integers modulo the width, with b not negative",
            {
                "float32": "power_float32",
                "float64": "power_float64",
                **dict.fromkeys(SIGNED, "power_signed"),
                **dict.fromkeys(UNSIGNED, "power_unsigned"),
            },
            1,
            2,
        ),
        ScalarFunction(
            "power_in_loops",
            "a**b of floats, in loops over arrays",
            {"float32": "power_float32", "float64": "power_in_loops_float64"},
            1,
            2,
        ),
        ScalarFunction(
            "bits",
            "the bits of a float as an integer",
            {"float32": "bits_of_float32", "float64": "bits_of_float64"},
            0,
        ),
        ScalarFunction(
            "float_of_bits",
            "the float that has the bits of an integer",
            {
                **dict.fromkeys(("int32", "uint32"), "float32_of_bits"),
                **dict.fromkeys(("int64", "uint64"), "float64_of_bits"),
            },
            0,
        ),
        ScalarFunction(
            "random_bits",
            "64 bits for a seed and a counter",
            {"uint64": "random_bits_uint64"},
            0,
            2,
        ),
        _float("random_uniform", "in [0, 1), for a seed and a counter", 0, 2),
        _float("random_normal", "mean 0, variance 1, for a seed and a counter", 0, 2),
        ScalarFunction(
            "random_integer",
            "in [low, high), for a seed, a counter, low and high",
            {"int64": "random_integer"},
            0,
            4,
        ),
    )
}


def source_of(name: str, dtype: object) -> str:
    """The text of one scalar function for `dtype`, with the constants it uses, without other
    functions (see `dependencies`)."""
    function = SCALAR_FUNCTIONS[name].functions[dtype_name(dtype)]
    table = definitions()
    constants = [use for use in table[function].uses if not table[use].is_function]
    parts = [part for part in closure(constants) if not part.is_function]
    return "".join(part.text for part in parts) + "\n\n" + table[function].text


def dependencies(name: str, dtype: object) -> tuple[str, ...]:
    """The names of all Python functions that this scalar function calls, innermost first."""
    function = SCALAR_FUNCTIONS[name].functions[dtype_name(dtype)]
    return tuple(
        part.name for part in closure([function]) if part.is_function and part.name != function
    )


def module_text(wanted: list[tuple[str, object]]) -> str:
    """The text of several scalar functions, given as (name, dtype), with all they use, once each.

    It stands after `PRELUDE`; functions are called by `SCALAR_FUNCTIONS[name].functions[dtype]`.
    """
    return text_of(SCALAR_FUNCTIONS[name].functions[dtype_name(dtype)] for name, dtype in wanted)
