"""Draws of NumPy's random generators, called from programs: by NumPy's own C functions.

NumPy offers these functions to other languages (`numpy/random/distributions.h`), in the module of
its class Generator. Each takes the address of a `bitgen_t`, which holds the state of a generator,
and advances that: so what they give is NumPy's to the bit, whatever its version. A program gets the
address as an int64. In CPython the calls go through ctypes; `codegen.draws` writes them in LLVM's
language. Both read what is said of each function here. What RandomState draws by functions that
NumPy keeps for itself is in `older_draws`.
"""

from __future__ import annotations

import ctypes
import functools
import random
import re
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

SYMBOL = "autograph_draw_"
_called = re.compile(r"\b(draw_\w+)\(")


class Draw(NamedTuple):
    """One of NumPy's functions: its name, and the dtypes of its result and of its parameters after
    the first."""

    name: str
    result: str = "float64"
    parameters: tuple[str, ...] = ()


UNIT = "random_standard_uniform"
"""NumPy's function for a number of [0, 1)."""


def _of_floats(name: str, count: int, result: str = "float64") -> Draw:
    return Draw(f"random_{name}", result, ("float64",) * count)


DRAWS: dict[str, Draw] = {
    "draw_bounded": Draw("random_bounded_uint64", "uint64", ("uint64", "uint64", "uint64", "bool")),
    **{
        f"draw_{name}": _of_floats(name, count)
        for count, names in enumerate(
            (
                "standard_uniform standard_normal standard_exponential standard_cauchy",
                "exponential chisquare standard_gamma rayleigh weibull pareto power standard_t",
                "uniform normal gamma beta laplace gumbel logistic lognormal vonmises wald f",
            )
        )
        for name in names.split()
    },
    "draw_poisson": _of_floats("poisson", 1, "int64"),
    "draw_geometric": _of_floats("geometric", 1, "int64"),
}
"""By their names in programs. `draw_bounded(generator, low, range, mask, masked)` is an integer of
[low, low + range]; the smallest 2**n - 1 that is not below `range` is the mask, where it counts."""


def draws_in(text: str) -> list[str]:
    """The draws that a program calls."""
    return sorted(set(_called.findall(text)))


@functools.cache
def addresses() -> dict[str, int]:
    """The addresses of those of the functions that this NumPy offers, by symbol."""
    from numpy.random import _generator

    try:
        library = ctypes.CDLL(_generator.__file__)
    except OSError:
        return {}
    found = {one.name: getattr(library, one.name, None) for one in DRAWS.values()}
    return {
        SYMBOL + name: ctypes.cast(function, ctypes.c_void_p).value or 0
        for name, function in found.items()
        if function is not None
    }


def is_offered(name: str) -> bool:
    """Whether this NumPy has the function of a draw."""
    return SYMBOL + DRAWS[name].name in addresses()


@functools.cache
def add_draw_symbols() -> None:
    """Tell LLVM's linker where the functions are: before code that draws is loaded."""
    import llvmlite.binding as llvm

    for symbol, address in addresses().items():
        llvm.add_symbol(symbol, address)


# generators ---------------------------------------------------------------------------------------
def bit_generator_of(generator: Any) -> Any:
    """The bit generator of a Generator or a RandomState."""
    if isinstance(generator, np.random.Generator):
        return generator.bit_generator
    return generator._bit_generator


def lock_of(generator: Any) -> Any:
    """What a thread holds while it draws; None for Python's, which need the interpreter's lock, and
    that a program holds."""
    return None if isinstance(generator, random.Random) else bit_generator_of(generator).lock


def address_of(generator: Any) -> int:
    """The address of the `bitgen_t` of a generator, good as long as its bit generator is."""
    address: int = _pointer()(bit_generator_of(generator).capsule, b"BitGenerator")
    return address


@functools.cache
def _pointer() -> Callable[[Any, bytes], int]:
    kind = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.py_object, ctypes.c_char_p)
    found: Any = kind(("PyCapsule_GetPointer", ctypes.pythonapi))
    return found  # type: ignore[no-any-return]


# CPython ------------------------------------------------------------------------------------------
_KINDS: dict[str, Any] = {
    "float64": ctypes.c_double,
    "int64": ctypes.c_int64,
    "uint64": ctypes.c_uint64,
    "bool": ctypes.c_bool,
}
_PLAIN: dict[str, Callable[[Any], Any]] = {"float64": float, "bool": bool}


@functools.cache
def function_of(draw: Draw) -> Any:
    """One of NumPy's functions, to be called."""
    kinds = [_KINDS[one] for one in draw.parameters]
    kind = ctypes.PYFUNCTYPE(_KINDS[draw.result], ctypes.c_void_p, *kinds)
    return kind(addresses()[SYMBOL + draw.name])


def _caller(name: str) -> Callable[..., Any]:
    draw, made = DRAWS[name], getattr(np, DRAWS[name].result)
    plain = [_PLAIN.get(one, int) for one in draw.parameters]

    def call(generator: int, *values: Any) -> Any:
        given = [cast(one) for cast, one in zip(plain, values, strict=True)]
        return made(function_of(draw)(int(generator), *given))

    call.__name__ = name
    return call


CALLS: dict[str, Callable[..., Any]] = {name: _caller(name) for name in DRAWS}
