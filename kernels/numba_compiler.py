"""Python functions → object code, by numba. Imported only when something is compiled."""

from __future__ import annotations

import types as python_types
from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import njit
from numba.core import types
from numba.core.compiler import Flags, compile_extra
from numba.core.compiler_lock import global_compiler_lock
from numba.core.registry import cpu_target

from autograph.kernels import (
    memory,
    memory_native,
    support,
    support_lists,
    support_pool,
    symbols,
)
from autograph.kernels.interrupts import uninterrupted
from autograph.kernels.lean_pipeline import LeanCompiler
from autograph.kernels.library import blas, blas_native
from autograph.kernels.scalar import intrinsics_native

I8 = ir.IntType(8)
I64 = ir.IntType(64)
POINTER = I8.as_pointer()
INLINED = {
    "error_model": "numpy",
    "forceinline": True,
    "no_cpython_wrapper": True,
    "no_cfunc_wrapper": True,
}


def namespace() -> dict[str, Any]:
    """What the names of a program's text mean to numba."""
    intrinsics_native.register_intrinsics()
    blas_native.register_blas()
    names = memory_native.register()
    external = {
        name: types.ExternalFunction(symbols.PREFIX + name, types.int64(*[types.int64] * count))
        for name, count in symbols.signatures().items()
    }
    return {**memory.VOCABULARY, "multiply_matrices": blas.multiply_matrices, **names, **external}


def prepare() -> None:
    """Load what numba loads at its first use."""
    namespace()
    cpu_target.typing_context.refresh()
    cpu_target.target_context.refresh()


def inlined(function: Callable[..., Any]) -> Any:
    """A function that numba compiles wherever it is called, for the types there."""
    return njit(pipeline_class=LeanCompiler, **INLINED)(function)


def called(function: Callable[..., Any]) -> Any:
    """A function that numba compiles once for each set of types that it is called with."""
    return njit(pipeline_class=LeanCompiler, error_model="numpy", **_NO_WRAPPERS)(function)


def program_object(names: dict[str, Any], functions: list[tuple[str, list[str]]]) -> bytes:
    """The object code of a program whose functions are in `names`; the last one is its entry.

    `functions`: their names and the dtypes of their parameters, callees first.
    """
    for name, dtypes in functions[:-1]:
        # under its name before it is compiled, since it calls itself
        names[name] = called(names[name])
        names[name].compile(types.int64(*(_type_of(dtype) for dtype in dtypes)))
    name, dtypes = functions[-1]
    code: bytes = _object([(symbols.ENTRY, names[name], len(dtypes))], _entry_wrapper)
    return code


def _type_of(dtype: str) -> Any:
    return types.boolean if dtype == "bool_" else getattr(types, dtype)


_NO_WRAPPERS = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}


def support_object() -> bytes:
    """The object code of the support functions."""
    memory_native.register()
    functions = {**vars(support), **vars(support_lists), **vars(support_pool)}
    names = dict(functions)
    names["pool"] = memory_native.pool
    names["malloc"] = types.ExternalFunction("malloc", types.int64(types.int64))
    names["free"] = types.ExternalFunction("free", types.void(types.int64))
    names["move_bytes"] = types.ExternalFunction("memmove", types.int64(*[types.int64] * 3))
    names["check_signals"] = types.ExternalFunction("PyErr_CheckSignals", types.int32())
    names["copy_bytes"] = memory.copy_bytes
    names["words_at"] = memory.BUFFERS["int64_at"]
    for name in (*support_pool.SIGNATURES, *support_lists.HELPERS):
        code = functions[name].__code__
        names[name] = called(python_types.FunctionType(code, names))
    exports = []
    for name, count in symbols.signatures().items():
        code = functions[name].__code__
        exports.append((symbols.PREFIX + name, python_types.FunctionType(code, names), count))
    made: bytes = _object(exports, _plain_wrapper)
    return made


Wrapper = Callable[[ir.Module, str, Callable[[ir.IRBuilder, list[Any]], Any], int], None]


@global_compiler_lock
def _object(exports: list[tuple[str, Any, int]], wrapper: Wrapper) -> bytes:
    """One object file that exports C functions: names, Python functions, parameter counts."""
    typing, target = cpu_target.typing_context, cpu_target.target_context
    typing.refresh()
    target.refresh()
    library = target.codegen().create_library(exports[0][0])
    library.enable_object_caching()
    module = ir.Module(exports[0][0])
    for symbol, function, count in exports:
        flags = Flags()
        flags.error_model = "numpy"
        flags.no_cpython_wrapper = True
        flags.no_cfunc_wrapper = True
        flags.no_compile = True
        parameters = (types.int64,) * count
        compiled = compile_extra(
            typing,
            target,
            function,
            parameters,
            types.int64,
            flags,
            {},
            library=library,
            pipeline_class=LeanCompiler,
        )
        _wrap(target, module, symbol, compiled, wrapper, count)
    library.add_ir_module(module)
    with uninterrupted():  # LLVM calls back into Python, where an interrupt would be swallowed
        library.finalize()
        _, _, (code, _) = library.serialize_using_object_code()
    return bytes(code)


def _wrap(
    target: Any, module: ir.Module, symbol: str, compiled: Any, wrapper: Wrapper, count: int
) -> None:
    callee = target.declare_function(module, compiled.fndesc)
    parameters = (types.int64,) * count

    def call(builder: ir.IRBuilder, arguments: list[Any]) -> Any:
        # programs report by their result: numba's own status is always success
        _, result = target.call_conv.call_function(
            builder, callee, types.int64, parameters, arguments
        )
        return result

    wrapper(module, symbol, call, count)


def _plain_wrapper(module: ir.Module, symbol: str, call: Any, count: int) -> None:
    function = ir.Function(module, ir.FunctionType(I64, [I64] * count), symbol)
    builder = ir.IRBuilder(function.append_basic_block())
    builder.ret(call(builder, list(function.args)))


def _entry_wrapper(module: ir.Module, symbol: str, call: Any, count: int) -> None:
    """A C function that CPython can call: `(self, arguments, number of them)` → object.

    None for status 0, an int for any other, NULL where an exception is set already.
    """
    kind = ir.FunctionType(POINTER, [POINTER, POINTER, I64])
    function = ir.Function(module, kind, symbol)
    builder = ir.IRBuilder(function.append_basic_block())
    status = call(builder, [builder.ptrtoint(function.args[1], I64)])
    make_int = ir.Function(module, ir.FunctionType(POINTER, [I64]), "PyLong_FromLongLong")
    hold = ir.Function(module, ir.FunctionType(ir.VoidType(), [POINTER]), "Py_IncRef")
    none = ir.GlobalVariable(module, I8, "_Py_NoneStruct")
    with builder.if_then(builder.icmp_signed("==", status, I64(0)), likely=True):
        builder.call(hold, [none])
        builder.ret(none)
    with builder.if_then(builder.icmp_signed("==", status, I64(-1)), likely=False):
        builder.ret(ir.Constant(POINTER, None))
    builder.ret(builder.call(make_int, [status]))
