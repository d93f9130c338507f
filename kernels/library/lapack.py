"""LAPACK's routines, those that SciPy brings, called from programs.

A call has the routine's own arguments in its own order: characters and numbers by value (characters
by their codes), buffers each with the place where the matrix begins, in elements. The last argument
of a routine, `info`, is what the call gives. Matrices lie column by column.

In CPython the calls go through ctypes; `codegen.fixed` writes them in LLVM's language. Both read
what is said of each routine here.
"""

from __future__ import annotations

import ctypes
import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from autograph.kernels.library import blas

SYMBOL = "autograph_lapack_"
CHARACTER, WHOLE, FLOATS, PIVOTS = "character", "whole", "floats", "pivots"
"""What an argument is: PIVOTS are a buffer of int32."""

ROUTINES: dict[str, tuple[str, ...]] = {
    "potrf": (CHARACTER, WHOLE, FLOATS, WHOLE),
    "getrf": (WHOLE, WHOLE, FLOATS, WHOLE, PIVOTS),
    "getrs": (CHARACTER, WHOLE, WHOLE, FLOATS, WHOLE, PIVOTS, FLOATS, WHOLE),
    "getri": (WHOLE, FLOATS, WHOLE, PIVOTS, FLOATS, WHOLE),
    "syevd": (
        *(CHARACTER, CHARACTER, WHOLE, FLOATS, WHOLE),
        *(FLOATS, FLOATS, WHOLE, PIVOTS, WHOLE),
    ),
    "gesdd": (
        *(CHARACTER, WHOLE, WHOLE, FLOATS, WHOLE, FLOATS),
        *(FLOATS, WHOLE, FLOATS, WHOLE, FLOATS, WHOLE, PIVOTS),
    ),
    "trtrs": (
        *(CHARACTER, CHARACTER, CHARACTER, WHOLE, WHOLE),
        *(FLOATS, WHOLE, FLOATS, WHOLE),
    ),
    "geqrf": (WHOLE, WHOLE, FLOATS, WHOLE, FLOATS, FLOATS, WHOLE),
    "orgqr": (WHOLE, WHOLE, WHOLE, FLOATS, WHOLE, FLOATS, FLOATS, WHOLE),
}
LETTERS = {"float32": "s", "float64": "d"}


@functools.cache
def addresses() -> dict[str, int]:
    """The addresses of the routines by symbol."""
    names = [letter + routine for letter in LETTERS.values() for routine in ROUTINES]
    found = blas.addresses_in("cython_lapack", names)
    return {SYMBOL + name: address for name, address in found.items()}


@functools.cache
def add_lapack_symbols() -> None:
    """Tell LLVM's linker where the routines are: before code that calls them is loaded."""
    import llvmlite.binding as llvm

    for symbol, address in addresses().items():
        llvm.add_symbol(symbol, address)
    blas.set_threads_once()


def _caller(routine: str) -> Callable[..., int]:
    kinds = ROUTINES[routine]

    def call(*values: Any) -> int:
        given = iter(values)
        pointers: list[Any] = []
        letter = ""
        for kind in kinds:
            value = next(given)
            if kind == CHARACTER:
                pointers.append(ctypes.byref(ctypes.c_char(int(value))))
            elif kind == WHOLE:
                pointers.append(ctypes.byref(ctypes.c_int(int(value))))
            else:
                place = value.ctypes.data + value.itemsize * int(next(given))
                pointers.append(ctypes.c_void_p(place))
                letter = letter or LETTERS.get(np.dtype(value.dtype).name, "")
        info = ctypes.c_int(0)
        kinds_of = [ctypes.c_void_p] * (len(pointers) + 1)
        address = addresses()[SYMBOL + letter + routine]
        ctypes.CFUNCTYPE(None, *kinds_of)(address)(*pointers, ctypes.byref(info))
        return int(info.value)

    call.__name__ = f"lapack_{routine}"
    return call


CALLS: dict[str, Callable[..., int]] = {f"lapack_{name}": _caller(name) for name in ROUTINES}
lapack_potrf = CALLS["lapack_potrf"]
lapack_getrf = CALLS["lapack_getrf"]
lapack_getrs = CALLS["lapack_getrs"]
lapack_getri = CALLS["lapack_getri"]
lapack_syevd = CALLS["lapack_syevd"]
lapack_gesdd = CALLS["lapack_gesdd"]
lapack_trtrs = CALLS["lapack_trtrs"]
lapack_geqrf = CALLS["lapack_geqrf"]
lapack_orgqr = CALLS["lapack_orgqr"]
