"""Products of float matrices by the BLAS that SciPy brings, on flat buffers, without copies.

Matrices lie row by row. Row-major out = a b is column-major out' = b' a', so BLAS gets the operands
exchanged, and a transposed operand costs nothing. `accumulate` adds to what `out` holds.

In CPython `multiply_part` is what is written here; `codegen.fixed` makes a call of `sgemm` or its
kin of it, or of `sdot` where the result is one number (in a quarter of the time of `sgemm`). Their
addresses `add_blas_symbols()` gives to the linker.
"""

from __future__ import annotations

import ctypes
import functools
import importlib.machinery
import importlib.util
import os
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from autograph.kernels import threads

SYMBOL = "autograph_blas_"
ROUTINES = ("sgemm", "dgemm", "sdot", "ddot")
TOUCHED = 2 << 20
"""Bytes: a block of the left operand, of a megabyte or so, and what the right one begins with."""
MOST_BUFFERS = 16


def multiply_part(
    out: Any,
    a: Any,
    b: Any,
    first_row: int,
    row_count: int,
    first_column: int,
    column_count: int,
    rows: int,
    columns: int,
    inner: int,
    transpose_a: int,
    transpose_b: int,
    accumulate: int,
) -> None:
    """Some rows and columns of out[rows, columns] = a[rows, inner] b[inner, columns], or those of
    the product added to `out`.

    With `transpose_a`, `a` holds its transpose: [inner, rows]; likewise `b`: [columns, inner].
    The buffers are float32 or float64, all three alike, and `out` overlaps neither operand.
    """
    left = a[: rows * inner].reshape((inner, rows) if transpose_a else (rows, inner))
    right = b[: inner * columns].reshape((columns, inner) if transpose_b else (inner, columns))
    left, right = left.T if transpose_a else left, right.T if transpose_b else right
    some = slice(first_row, first_row + row_count), slice(first_column, first_column + column_count)
    target = out[: rows * columns].reshape(rows, columns)[some]
    product = np.matmul(left[some[0]], right[:, some[1]])
    target[...] = target + product if accumulate else product


@functools.cache
def _capsules(module_name: str) -> dict[str, Any]:
    """The C functions of scipy.linalg.cython_blas, or cython_lapack, loaded without the rest of
    scipy.linalg, whose import takes five times as long."""
    name = f"scipy.linalg.{module_name}"
    if "scipy.linalg" not in sys.modules:
        package = importlib.util.find_spec("scipy")
        folder = Path(str(package and package.origin)).parent / "linalg"
        for suffix in importlib.machinery.EXTENSION_SUFFIXES:
            path = folder / f"{module_name}{suffix}"
            if path.exists():
                loader = importlib.machinery.ExtensionFileLoader(name, str(path))
                spec = importlib.util.spec_from_file_location(name, path, loader=loader)
                if spec is not None:
                    module = importlib.util.module_from_spec(spec)
                    loader.exec_module(module)
                    # A later import of scipy.linalg finds it anew, and the same
                    sys.modules.pop(name, None)
                    return dict(vars(module)["__pyx_capi__"])
    return dict(vars(importlib.import_module(name))["__pyx_capi__"])


def blas_addresses() -> dict[str, int]:
    """The addresses of the routines that compiled code calls, by symbol."""
    found = addresses_in("cython_blas", ROUTINES)
    return {SYMBOL + name: address for name, address in found.items()}


def addresses_in(module_name: str, names: Iterable[str]) -> dict[str, int]:
    """The addresses of functions of cython_blas or cython_lapack, by name."""
    name_of = ctypes.pythonapi.PyCapsule_GetName
    name_of.restype = ctypes.c_char_p
    name_of.argtypes = (ctypes.py_object,)
    pointer_of = ctypes.pythonapi.PyCapsule_GetPointer
    pointer_of.restype = ctypes.c_void_p
    pointer_of.argtypes = (ctypes.py_object, ctypes.c_char_p)
    capsules = _capsules(module_name)
    return {name: pointer_of(capsules[name], name_of(capsules[name])) for name in names}


@functools.cache
def add_blas_symbols() -> None:
    """Tell LLVM's linker where the routines are: before code that multiplies matrices is loaded."""
    import llvmlite.binding as llvm

    for symbol, address in blas_addresses().items():
        llvm.add_symbol(symbol, address)
    set_threads_once()


@functools.cache
def set_threads_once() -> None:
    """Let SciPy's OpenBLAS use as many threads as the user wants."""
    for library in _libraries():
        setter = getattr(library, "scipy_openblas_set_num_threads", None)
        if setter is not None:
            setter(ctypes.c_int(int(os.environ.get("AUTOGRAPH_BLAS_THREADS", "1"))))
        _touch_buffers(library, min(threads.get_num_threads(), MOST_BUFFERS))


def _libraries() -> Iterator[ctypes.CDLL]:
    """SciPy's OpenBLAS."""
    package = importlib.util.find_spec("scipy")
    folder = Path(str(package and package.origin)).parent
    for libraries in (folder.parent / "scipy.libs", folder / ".dylibs"):
        for path in libraries.glob("libscipy_openblas*"):
            yield ctypes.CDLL(str(path))


def _touch_buffers(library: ctypes.CDLL, count: int) -> None:
    """Write once to the memory in which OpenBLAS brings operands into order, for so many threads.

    Its inner loops fetch ahead what lies behind them there. Where that was never written, each such
    fetch is a search for a page that does not exist: in virtual machines products of up to some
    hundred columns take more than twice as long, until a larger one came along.
    """
    take = getattr(library, "blas_memory_alloc", None)
    give = getattr(library, "blas_memory_free", None)
    if take is None or give is None:
        return
    take.restype, give.argtypes = ctypes.c_void_p, (ctypes.c_void_p,)
    buffers = [place for place in (take(0) for _ in range(count)) if place]
    for place in buffers:
        ctypes.memset(place, 0, TOUCHED)
    for place in buffers:
        give(place)
