"""Object code → callables, by LLVM's linker."""

from __future__ import annotations

import ctypes
import functools
from typing import Any

import llvmlite.binding as llvm
import numpy as np

from autograph.kernels import cache, importing, threads, ticks
from autograph.kernels.library import blas, draws, lapack, numpy_sorts
from autograph.kernels.support.clocks import TABLE
from autograph.kernels.symbols import ENTRY, PREFIX, THREADS, TICKS, signatures

METH_FASTCALL = 0x0080


class MethodDefinition(ctypes.Structure):
    """PyMethodDef."""

    _fields_ = (
        ("name", ctypes.c_char_p),
        ("function", ctypes.c_void_p),
        ("flags", ctypes.c_int),
        ("doc", ctypes.c_char_p),
    )


@functools.cache
def _target() -> tuple[Any, Any]:
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    return llvm, llvm.Target.from_default_triple()


def _load(code: bytes) -> Any:
    """An engine that holds the object; RuntimeError where it is no object of this machine."""
    if blas.SYMBOL.encode() in code:
        blas.add_blas_symbols()
    if lapack.SYMBOL.encode() in code:
        lapack.add_lapack_symbols()
    if draws.SYMBOL.encode() in code:
        draws.add_draw_symbols()
    if numpy_sorts.SYMBOL.encode() in code:
        numpy_sorts.add_sort_symbols()
    binding, target = _target()
    machine = target.create_target_machine(jit=True)
    engine = binding.create_mcjit_compiler(binding.parse_assembly(""), machine)
    engine.add_object_file(binding.ObjectFileRef.from_data(code))
    engine.finalize_object()
    return engine


def load_entry(code: bytes) -> Any:
    """The entry of a program as a Python callable; None where the code cannot be loaded."""
    try:
        engine = _load(code)
    except RuntimeError:
        return None
    address = engine.get_function_address(ENTRY)
    if not address:
        return None
    definition = MethodDefinition(b"program", address, METH_FASTCALL, None)
    # The callable reads its definition once more when it goes. A cycle with both in it would be
    # cleared in any order, so these 32 bytes are never given back.
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(definition))
    make = ctypes.pythonapi.PyCFunction_NewEx
    make.restype = ctypes.py_object
    make.argtypes = (ctypes.POINTER(MethodDefinition), ctypes.py_object, ctypes.c_void_p)
    # the callable's self keeps alive what it runs
    return make(ctypes.byref(definition), (definition, engine), None)


@functools.cache
def load_support() -> Any:
    """Load the support functions, compiling them first where they are not in the cache."""
    key = cache.key_of("support", "support")
    code = cache.load(key)
    engine = None
    if code is not None:
        try:
            engine = _load(code)
        except RuntimeError:
            engine = None
    if engine is None:
        code = bytes(importing.compiler().support_object())
        cache.save(key, code)
        engine = _load(code)
    for name in signatures():
        llvm.add_symbol(PREFIX + name, engine.get_function_address(PREFIX + name))
    llvm.add_symbol(THREADS, engine.get_global_value_address(THREADS))
    # workers may be in this code when the interpreter ends: it is never given back
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(engine))

    def call(name: str, *arguments: int) -> int:
        kind = ctypes.PYFUNCTYPE(ctypes.c_int64, *[ctypes.c_int64] * len(arguments))
        given: int = kind(engine.get_function_address(PREFIX + name))(*arguments)
        return given

    threads.attach(engine.get_global_value_address(THREADS), call)
    table: Any = (ctypes.c_int64 * TABLE).from_address(engine.get_global_value_address(TICKS))
    ticks.attach(np.frombuffer(table, np.int64))
    return engine


def support_function(name: str) -> Any:
    """A support function as a Python callable; it holds the interpreter's lock."""
    kind = ctypes.PYFUNCTYPE(ctypes.c_int64, *[ctypes.c_int64] * signatures()[name])
    return kind(load_support().get_function_address(PREFIX + name))
