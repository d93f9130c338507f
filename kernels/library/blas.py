"""Products of float matrices by the BLAS that SciPy brings, on flat buffers, without copies.

Matrices lie row by row. Row-major out = a b is column-major out' = b' a', so BLAS gets the operands
exchanged, and a transposed operand costs nothing. `accumulate` adds to what `out` holds.

In CPython the functions are what is written here; `codegen.fixed` makes calls of `sgemm` and its
kin of them, whose addresses `add_blas_symbols()` gives to the linker.
"""

from __future__ import annotations

import ctypes
import functools
import importlib.machinery
import importlib.util
import os
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

SYMBOL = "autograph_blas_"
ROUTINES = ("sgemm", "dgemm")


def multiply_matrices(
    out: Any,
    a: Any,
    b: Any,
    rows: int,
    columns: int,
    inner: int,
    transpose_a: int,
    transpose_b: int,
    accumulate: int,
) -> None:
    """out[rows, columns] = a[rows, inner] b[inner, columns], or that added to `out`.

    With `transpose_a`, `a` holds its transpose: [inner, rows]; likewise `b`: [columns, inner].
    The buffers are float32 or float64, all three alike, and `out` overlaps neither operand.
    """
    left = a[: rows * inner].reshape((inner, rows) if transpose_a else (rows, inner))
    right = b[: inner * columns].reshape((columns, inner) if transpose_b else (inner, columns))
    target = out[: rows * columns].reshape(rows, columns)
    product = np.matmul(left.T if transpose_a else left, right.T if transpose_b else right)
    target[...] = target + product if accumulate else product


def multiply_batch(
    out: Any,
    a: Any,
    b: Any,
    count: int,
    rows: int,
    columns: int,
    inner: int,
    step_a: int,
    step_b: int,
    transpose_a: int,
    transpose_b: int,
    accumulate: int,
) -> None:
    """`count` products one after the other in `out`; the operands of the i-th begin at elements
    i * step_a and i * step_b, so that a step of 0 repeats an operand."""
    for i in range(count):
        multiply_matrices(
            out[i * rows * columns :],
            a[i * step_a :],
            b[i * step_b :],
            rows,
            columns,
            inner,
            transpose_a,
            transpose_b,
            accumulate,
        )


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
    set_threads(int(os.environ.get("AUTOGRAPH_BLAS_THREADS", "1")))


def set_threads(count: int) -> None:
    """Let SciPy's OpenBLAS compute a product on `count` threads.

    One is the default: the products of a step are small, and a second thread that waits for a busy
    core costs more than the whole product (docs/decisions/0006-one-thread-for-products.md).
    """
    package = importlib.util.find_spec("scipy")
    folder = Path(str(package and package.origin)).parent
    for libraries in (folder.parent / "scipy.libs", folder / ".dylibs"):
        for path in libraries.glob("libscipy_openblas*"):
            setter = getattr(ctypes.CDLL(str(path)), "scipy_openblas_set_num_threads", None)
            if setter is not None:
                setter(ctypes.c_int(count))
