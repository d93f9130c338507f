"""NumPy's functions that sort one row, called from programs.

Each dtype of NumPy's has a table of them (`PyArray_ArrFuncs` of numpy/ndarraytypes.h), which its C
interface gives (`PyDataType_GetArrFuncs`). Sorting by them is as fast as NumPy's, which has vector
instructions for it, and puts equal elements in the order in which `np.argsort` has them on this
machine. Functions that a table lacks give 1 here: then programs merge.

`sort_part(buffer, first, count)` sorts elements of a buffer in place. `quicksort_order(places,
buffer, first, count)` sorts `places[first:first + count]`, which begin as 0, 1, …, by the elements
that they are places of; `stable_order` keeps the order of equal ones. In CPython they are NumPy's
functions of Python; `codegen.numpy_sorts` writes them in LLVM's language.
"""

from __future__ import annotations

import ctypes
import functools
import importlib
from collections.abc import Callable
from typing import Any

import numpy as np

from autograph.kernels import memory

SYMBOL = "autograph_numpy_"
_PLACES = {0: "sort_part", 3: "quicksort_order", 5: "stable_order"}
"""The calls, by the places of their functions among six in a table: three that sort elements and
three that sort places, by quicksort, by heapsort, and so that equal ones keep their order."""
_MAJOR_VERSION = 2
"""Of the binary interface whose tables are like this: its first function gives it."""
_FUNCTIONS_OF_DTYPE = 365
"""Where `PyDataType_GetArrFuncs` stands in the table of the C interface, from NumPy 2.0 on."""
_FIRST = 21 + 12
"""Where the first of the functions that sort stands in the table of a dtype, after the casts."""


def symbol_of(call: str, dtype: str) -> str:
    """The name for LLVM's linker of the function that a call means for a dtype."""
    return f"{SYMBOL}{call}_{dtype}"


@functools.cache
def addresses() -> dict[str, int]:
    """The addresses of those of the functions that this NumPy has, by symbol."""
    module: Any = importlib.import_module("numpy._core._multiarray_umath")
    pointer = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.py_object, ctypes.c_char_p)
    interface: Any = pointer(("PyCapsule_GetPointer", ctypes.pythonapi))(module._ARRAY_API, None)
    entries = ctypes.cast(interface, ctypes.POINTER(ctypes.c_void_p))
    if ctypes.PYFUNCTYPE(ctypes.c_uint)(entries[0] or 0)() >> 24 != _MAJOR_VERSION:
        return {}
    functions_of = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.py_object)(
        entries[_FUNCTIONS_OF_DTYPE] or 0
    )
    found: dict[str, int] = {}
    for name in memory.DTYPES:
        functions = ctypes.cast(functions_of(np.dtype(name)), ctypes.POINTER(ctypes.c_void_p))
        for place, call in _PLACES.items():
            address = functions[_FIRST + place]
            if address:
                found[symbol_of(call, name)] = address
    return found


@functools.cache
def add_sort_symbols() -> None:
    """Tell LLVM's linker where the functions are: before code that calls them is loaded."""
    import llvmlite.binding as llvm

    for symbol, address in addresses().items():
        llvm.add_symbol(symbol, address)


# CPython ------------------------------------------------------------------------------------------
def sort_part(buffer: Any, first: int, count: int) -> int:
    """Sort elements of a buffer; gives 0."""
    buffer[first : first + count].sort()
    return 0


def quicksort_order(places: Any, buffer: Any, first: int, count: int) -> int:
    """places[first:first + count] = those of the elements in rising order; gives 0."""
    places[first : first + count] = np.argsort(buffer[first : first + count])
    return 0


def stable_order(places: Any, buffer: Any, first: int, count: int) -> int:
    """The same; equal ones keep their order."""
    places[first : first + count] = np.argsort(buffer[first : first + count], kind="stable")
    return 0


CALLS: dict[str, Callable[..., int]] = {
    "sort_part": sort_part,
    "quicksort_order": quicksort_order,
    "stable_order": stable_order,
}
