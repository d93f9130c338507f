"""How numba compiles the products of `library.blas`. Imported only when something is compiled."""

from __future__ import annotations

import functools
from typing import Any

import numba.extending
from llvmlite import ir
from numba.core import cgutils, types

from autograph.kernels.library import blas
from autograph.kernels.memory_native import Flat

I8 = ir.IntType(8)
I32 = ir.IntType(32)
I64 = ir.IntType(64)
POINTER = I8.as_pointer()
LETTERS = {types.float32: "s", types.float64: "d"}


class _Call:
    """Builds calls of Fortran routines: every argument by address."""

    def __init__(self, builder: ir.IRBuilder, kind: ir.Type) -> None:
        self.builder = builder
        self.kind = kind

    def place(self, value: ir.Value) -> ir.Value:
        """The address of a copy of `value`."""
        with self.builder.goto_entry_block():
            room = self.builder.alloca(value.type)
        self.builder.store(value, room)
        return self.builder.bitcast(room, POINTER)

    def whole(self, value: ir.Value) -> ir.Value:
        return self.place(self.builder.trunc(value, I32))

    def letter(self, transposed: ir.Value) -> ir.Value:
        return self.place(self.builder.select(transposed, I8(ord("T")), I8(ord("N"))))

    def at_least_one(self, value: ir.Value) -> ir.Value:
        return self.builder.select(self.builder.icmp_signed(">", value, I64(1)), value, I64(1))

    def routine(self, name: str, arguments: list[ir.Value]) -> None:
        module = self.builder.module
        function = module.globals.get(blas.SYMBOL + name)
        if function is None:
            kind = ir.FunctionType(ir.VoidType(), [POINTER] * len(arguments))
            function = ir.Function(module, kind, blas.SYMBOL + name)
        self.builder.call(function, arguments)


def _product_function(module: ir.Module, kind: ir.Type, letter: str) -> ir.Function:
    """(out, a, b, rows, columns, inner, transpose_a, transpose_b, accumulate) -> void, once a
    module."""
    name = f"autograph_multiply_{letter}"
    function = module.globals.get(name)
    if function is not None:
        return function
    # numba links what it compiles
    blas.add_blas_symbols()
    pointer = kind.as_pointer()
    signature = ir.FunctionType(ir.VoidType(), [pointer] * 3 + [I64] * 6)
    function = ir.Function(module, signature, name)
    function.linkage = "linkonce_odr"
    builder = ir.IRBuilder(function.append_basic_block("entry"))
    out, a, b, rows, columns, inner, transpose_a, transpose_b, accumulate = function.args
    ta = builder.icmp_signed("!=", transpose_a, I64(0))
    tb = builder.icmp_signed("!=", transpose_b, I64(0))
    beta = builder.select(
        builder.icmp_signed("!=", accumulate, I64(0)),
        ir.Constant(kind, 1.0),
        ir.Constant(kind, 0.0),
    )
    call = _Call(builder, kind)
    one = call.place(ir.Constant(kind, 1.0))
    lead_a = call.at_least_one(builder.select(ta, rows, inner))
    lead_b = call.at_least_one(builder.select(tb, inner, columns))
    call.routine(
        f"{letter}gemm",
        [
            call.letter(tb),
            call.letter(ta),
            call.whole(columns),
            call.whole(rows),
            call.whole(inner),
            one,
            builder.bitcast(b, POINTER),
            call.whole(lead_b),
            builder.bitcast(a, POINTER),
            call.whole(lead_a),
            call.place(beta),
            builder.bitcast(out, POINTER),
            call.whole(call.at_least_one(columns)),
        ],
    )
    builder.ret_void()
    return function


def _infer(buffers: tuple[Any, ...], numbers: int) -> Any:
    first = buffers[0]
    alike = isinstance(first, Flat) and first.dtype in LETTERS and len(set(buffers)) == 1
    return types.none(*buffers, *[types.int64] * numbers) if alike else None


def _infer_matrices(
    out: Any, a: Any, b: Any, rows: Any, columns: Any, inner: Any, ta: Any, tb: Any, add: Any
) -> Any:
    return _infer((out, a, b), 6)


def _lower_matrices(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    kind = arguments[0].type.pointee
    function = _product_function(builder.module, kind, LETTERS[signature.args[0].dtype])
    builder.call(function, arguments)
    return context.get_dummy_value()


def _infer_batch(
    out: Any,
    a: Any,
    b: Any,
    count: Any,
    rows: Any,
    columns: Any,
    inner: Any,
    step_a: Any,
    step_b: Any,
    ta: Any,
    tb: Any,
    add: Any,
) -> Any:
    return _infer((out, a, b), 9)


def _lower_batch(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    out, a, b, count, rows, columns, inner, step_a, step_b, ta, tb, add = arguments
    function = _product_function(builder.module, out.type.pointee, LETTERS[signature.args[0].dtype])
    step_out = builder.mul(rows, columns)
    for_range: Any = cgutils.for_range
    with for_range(builder, count, intp=I64) as loop:
        places = [
            builder.gep(start, [builder.mul(loop.index, step)])
            for start, step in ((out, step_out), (a, step_a), (b, step_b))
        ]
        builder.call(function, [*places, rows, columns, inner, ta, tb, add])
    return context.get_dummy_value()


@functools.cache
def register_blas() -> None:
    """Tell numba how to compile the products. Later calls do nothing."""
    extending: Any = numba.extending
    for function, infer, lower, numbers in (
        (blas.multiply_matrices, _infer_matrices, _lower_matrices, 6),
        (blas.multiply_batch, _infer_batch, _lower_batch, 9),
    ):
        extending.type_callable(function)(lambda context, infer=infer: infer)
        extending.lower_builtin(function, *[Flat] * 3, *[types.Integer] * numbers)(lower)
