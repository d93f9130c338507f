"""Teaches numba the vocabulary of `kernels.memory`: pointers are addresses, buffers typed pointers.

Imported only when something is compiled.
"""

from __future__ import annotations

import functools
import operator
from typing import Any

import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
from numba.core.datamodel import models
from numba.core.extending import register_model
from numba.core.typing.templates import AbstractTemplate, infer_global, signature
from numba.extending import intrinsic, lower_builtin, type_callable
from numba.np import numpy_support

from autograph.kernels import memory, support_pool

I8 = ir.IntType(8)
I64 = ir.IntType(64)
STACK_LIMIT = 3 << 20
"""Bytes of stack that a program uses: threads have 8 MiB by default, and BLAS needs some."""
POOL = "autograph_pool"
DATA_OFFSET = 16  # of `data` in PyArrayObject, after the object's head


class Flat(types.Type):
    """A flat buffer of one dtype; numba knows neither its length nor its owner."""

    def __init__(self, dtype: Any) -> None:
        self.dtype = dtype
        super().__init__(name=f"flat({dtype})")


@register_model(Flat)
class FlatModel(models.PrimitiveModel):
    """A pointer to the elements as they lie in memory."""

    def __init__(self, manager: Any, kind: Any) -> None:
        inner = manager.lookup(kind.dtype)
        super().__init__(manager, kind, inner.get_data_type().as_pointer())


@infer_global(operator.getitem)
class FlatGetItem(AbstractTemplate):
    """buffer[index]"""

    def generic(self, args: Any, kws: Any) -> Any:
        buffer, index = args
        if isinstance(buffer, Flat) and isinstance(index, types.Integer):
            return signature(buffer.dtype, buffer, types.intp)
        return None


@infer_global(operator.setitem)
class FlatSetItem(AbstractTemplate):
    """buffer[index] = value"""

    def generic(self, args: Any, kws: Any) -> Any:
        buffer, index, _ = args
        if isinstance(buffer, Flat) and isinstance(index, types.Integer):
            return signature(types.none, buffer, types.intp, buffer.dtype)
        return None


@lower_builtin(operator.getitem, Flat, types.Integer)
def lower_getitem(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    """A load; the index is known to be inside."""
    buffer, index = args
    model = context.data_model_manager[sig.args[0].dtype]
    place = builder.gep(buffer, [index], inbounds=True)
    return model.from_data(builder, builder.load(place))


@lower_builtin(operator.setitem, Flat, types.Integer, types.Any)
def lower_setitem(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    """A store."""
    buffer, index, value = args
    model = context.data_model_manager[sig.args[0].dtype]
    place = builder.gep(buffer, [index], inbounds=True)
    builder.store(model.as_data(builder, value), place)
    return context.get_dummy_value()


def _register_buffer(name: str) -> None:
    function = memory.BUFFERS[f"{name}_at"]
    flat = Flat(numpy_support.from_dtype(np.dtype(name)))

    @type_callable(function)
    def type_at(context: Any) -> Any:
        return lambda pointer: flat if isinstance(pointer, types.Integer) else None

    @lower_builtin(function, types.Integer)
    def lower_at(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return builder.inttoptr(args[0], context.get_value_type(flat))


def _register_overflow(function: Any, instruction: str) -> None:
    @type_callable(function)
    def type_overflows(context: Any) -> Any:
        def typer(a: Any, b: Any) -> Any:
            whole = isinstance(a, types.Integer) and isinstance(b, types.Integer)
            return signature(types.boolean, types.int64, types.int64) if whole else None

        return typer

    @lower_builtin(function, types.Integer, types.Integer)
    def lower_overflows(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        pair = getattr(builder, instruction)(*args)
        return builder.extract_value(pair, 1)


def _register_gather(function: Any, instruction: str) -> None:
    @type_callable(function)
    def type_gather(context: Any) -> Any:
        return lambda total, value: total if total == value else None

    @lower_builtin(function, types.Float, types.Float)
    def lower_gather(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        # reassoc on this one instruction lets LLVM keep many partial results in vectors
        return getattr(builder, instruction)(*args, flags=("reassoc",))


def _stack_place(builder: Any) -> Any:
    """About where the stack ends now."""
    with builder.goto_entry_block():
        room = builder.alloca(I64)
    return builder.ptrtoint(room, I64)


def _first_word(builder: Any, arguments: Any) -> Any:
    """The first word of the first argument, the parameters."""
    objects = builder.inttoptr(arguments, I64.as_pointer())
    place = builder.add(builder.load(objects), I64(DATA_OFFSET))
    words = builder.load(builder.inttoptr(place, I64.as_pointer()))
    return builder.inttoptr(words, I64.as_pointer())


@intrinsic
def pool(context: Any) -> Any:
    """The address of the table of `support_pool`, which all its functions share."""

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        kind = ir.ArrayType(I64, 2 * support_pool.SLOTS + 2)
        table = builder.module.globals.get(POOL)
        if table is None:
            table = ir.GlobalVariable(builder.module, kind, POOL)
            table.linkage = "linkonce_odr"
            table.initializer = ir.Constant(kind, None)
        return builder.ptrtoint(table, I64)

    return types.int64(), generate


def _register_bytes() -> None:
    @type_callable(memory.copy_bytes)
    def type_copy(context: Any) -> Any:
        return lambda target, source, count: signature(
            types.none, types.int64, types.int64, types.int64
        )

    @lower_builtin(memory.copy_bytes, types.Integer, types.Integer, types.Integer)
    def lower_copy(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        target, source, count = args
        pointer = I8.as_pointer()
        cgutils.raw_memcpy(
            builder, builder.inttoptr(target, pointer), builder.inttoptr(source, pointer), count, 1
        )
        return context.get_dummy_value()

    @type_callable(memory.clear_bytes)
    def type_clear(context: Any) -> Any:
        return lambda target, count: signature(types.none, types.int64, types.int64)

    @lower_builtin(memory.clear_bytes, types.Integer, types.Integer)
    def lower_clear(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        target, count = args
        cgutils.memset(builder, builder.inttoptr(target, I8.as_pointer()), count, 0)
        return context.get_dummy_value()

    @type_callable(memory.rounded)
    def type_rounded(context: Any) -> Any:
        return lambda size: signature(types.int64, types.int64)

    @lower_builtin(memory.rounded, types.Integer)
    def lower_rounded(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        more = builder.add(args[0], I64(memory.ALIGNMENT - 1))
        return builder.and_(more, I64(-memory.ALIGNMENT))

    @type_callable(memory.mark_stack)
    def type_mark(context: Any) -> Any:
        return lambda arguments: signature(types.none, types.int64)

    @lower_builtin(memory.mark_stack, types.Integer)
    def lower_mark(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        builder.store(_stack_place(builder), _first_word(builder, args[0]))
        return context.get_dummy_value()

    @type_callable(memory.too_deep)
    def type_deep(context: Any) -> Any:
        return lambda arguments: signature(types.boolean, types.int64)

    @lower_builtin(memory.too_deep, types.Integer)
    def lower_deep(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        start = builder.load(_first_word(builder, args[0]))
        used = builder.sub(start, _stack_place(builder))
        return builder.icmp_signed(">", used, I64(STACK_LIMIT))

    @type_callable(memory.array_data)
    def type_data(context: Any) -> Any:
        return lambda arguments, index: signature(types.int64, types.int64, types.int64)

    @lower_builtin(memory.array_data, types.Integer, types.Integer)
    def lower_data(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        arguments, index = args
        objects = builder.inttoptr(arguments, I64.as_pointer())
        array = builder.load(builder.gep(objects, [index]))
        place = builder.add(array, I64(DATA_OFFSET))
        return builder.load(builder.inttoptr(place, I64.as_pointer()))


@functools.cache
def register() -> dict[str, Any]:
    """Teach numba; gives what the names of casts and support functions mean in numba."""
    for name in memory.DTYPES:
        _register_buffer(name)
    _register_overflow(memory.add_overflows, "sadd_with_overflow")
    _register_overflow(memory.subtract_overflows, "ssub_with_overflow")
    _register_overflow(memory.multiply_overflows, "smul_with_overflow")
    _register_gather(memory.gather_sum, "fadd")
    _register_gather(memory.gather_product, "fmul")
    _register_bytes()
    names = {name: getattr(types, name) for name in memory.DTYPES if name != "bool"}
    names["bool_"] = types.boolean
    return names
