"""What the names that programs call mean in LLVM's language: `kernels.memory` and the primitives
of `kernels.scalar`, over addresses."""

from __future__ import annotations

import platform
from collections.abc import Callable

from autograph.kernels import memory, symbols
from autograph.kernels.codegen import arithmetic
from autograph.kernels.codegen.block import Block
from autograph.kernels.codegen.types import (
    BOOL,
    FLOAT32,
    FLOAT64,
    INT32,
    INT64,
    NOTHING,
    NUMBERS,
    UINT64,
    Flat,
    Number,
    TypeMismatch,
    Value,
    arithmetic_type,
)
from autograph.kernels.library import draws, lapack, numpy_sorts, older_draws

STACK_LIMIT = 3 << 20
"""Bytes of stack that a program uses: threads have 8 MiB by default, and BLAS needs some."""
DATA_OFFSET = 16  # of `data` in PyArrayObject, after the object's head

Meaning = Callable[[Block, list[Value]], Value]
DONE = Value(NOTHING, "%")


def _whole(block: Block, values: list[Value]) -> list[Value]:
    """The values as int64."""
    return [arithmetic.cast(block, one, INT64) for one in values]


# casts, buffers -----------------------------------------------------------------------------------
def _cast_to(kind: Number) -> Meaning:
    return lambda block, values: arithmetic.cast(block, values[0], kind)


def _of_one(unary: Callable[[Block, Value], Value]) -> Meaning:
    return lambda block, values: unary(block, values[0])


def _buffer_of(kind: Number) -> Meaning:
    flat = Flat(kind)
    return lambda block, values: block.make(flat, f"inttoptr i64 {values[0].text} to ptr")


def _array_data(block: Block, values: list[Value]) -> Value:
    objects = block.address(values[0])
    entry = block.make(INT64, f"getelementptr i64, ptr {objects}, i64 {values[1].text}")
    array = block.load(INT64, entry.text)
    place = block.make(INT64, f"add i64 {array.text}, {DATA_OFFSET}")
    return block.load(INT64, block.address(place))


def _copy_bytes(block: Block, values: list[Value]) -> Value:
    target, source, count = values[0], values[1], _whole(block, values[2:])[0]
    to, of = block.address(target), block.address(source)
    block.callees.given("llvm.memcpy.p0.p0.i64")
    block.do(f"call void @llvm.memcpy.p0.p0.i64(ptr {to}, ptr {of}, i64 {count.text}, i1 false)")
    return DONE


def _clear_bytes(block: Block, values: list[Value]) -> Value:
    to, count = block.address(values[0]), _whole(block, values[1:])[0]
    block.callees.given("llvm.memset.p0.i64")
    block.do(f"call void @llvm.memset.p0.i64(ptr {to}, i8 0, i64 {count.text}, i1 false)")
    return DONE


def _rounded(block: Block, values: list[Value]) -> Value:
    size = _whole(block, values)[0]
    more = block.make(INT64, f"add i64 {size.text}, {memory.ALIGNMENT - 1}")
    return block.make(INT64, f"and i64 {more.text}, {-memory.ALIGNMENT}")


def _rows_at_once(block: Block, values: list[Value]) -> Value:
    width = arithmetic.extreme(block, "Gt", [*_whole(block, values), arithmetic.integer(1)])
    elements = arithmetic.integer(memory.ROW_ELEMENTS)
    rows = arithmetic.binary(block, "FloorDiv", elements, width)
    return arithmetic.extreme(block, "Gt", [rows, arithmetic.integer(1)])


# the stack ----------------------------------------------------------------------------------------
def _stack_place(block: Block) -> Value:
    """About where the stack ends now."""
    return block.make(INT64, f"ptrtoint ptr {block.room(INT64)} to i64")


def _first_word(block: Block, arguments: Value) -> str:
    """Where the first word of the first argument, the parameters, lies."""
    array = block.load(INT64, block.address(arguments))
    place = block.make(INT64, f"add i64 {array.text}, {DATA_OFFSET}")
    return block.address(block.load(INT64, block.address(place)))


def _mark_stack(block: Block, values: list[Value]) -> Value:
    block.store(_stack_place(block), _first_word(block, values[0]))
    return DONE


def _too_deep(block: Block, values: list[Value]) -> Value:
    start = block.load(INT64, _first_word(block, values[0]))
    used = block.make(INT64, f"sub i64 {start.text}, {_stack_place(block).text}")
    return block.make(BOOL, f"icmp sgt i64 {used.text}, {STACK_LIMIT}")


# integers that overflow, sums in any order --------------------------------------------------------
def _overflows(name: str) -> Meaning:
    def meaning(block: Block, values: list[Value]) -> Value:
        a, b = _whole(block, values)
        full = f"llvm.{name}.with.overflow.i64"
        block.callees.given(full)
        pair = block.make(INT64, f"call {{i64, i1}} @{full}(i64 {a.text}, i64 {b.text})")
        return block.make(BOOL, f"extractvalue {{i64, i1}} {pair.text}, 1")

    return meaning


def _gather(word: str) -> Meaning:
    """`reassoc` on this one instruction lets LLVM keep many partial results in vectors: for sums
    whose number of values is not known before (see `pairwise` for all others)."""

    def meaning(block: Block, values: list[Value]) -> Value:
        total, value = values
        if total.type != value.type or not isinstance(total.type, Number):
            raise TypeMismatch(f"{word} of {total.type} and {value.type}")
        return block.make(total.type, f"{word} reassoc {total.type.ir} {total.text}, {value.text}")

    return meaning


def _product(block: Block, values: list[Value]) -> Value:
    """One after the other, as NumPy multiplies."""
    return arithmetic.binary(block, "Mult", *values)


# the primitives of scalar functions ---------------------------------------------------------------
def _select(block: Block, values: list[Value]) -> Value:
    condition, left, right = values
    return arithmetic.choose(block, condition, left, right)


def _same_bits(target: Number) -> Meaning:
    def meaning(block: Block, values: list[Value]) -> Value:
        source = arithmetic.number(values[0])
        if source.bits != target.bits:
            raise TypeMismatch(f"the bits of {source} as {target}")
        return block.make(target, f"bitcast {source.ir} {values[0].text} to {target.ir}")

    return meaning


def _bits_to_float32(block: Block, values: list[Value]) -> Value:
    bits = arithmetic.cast(block, values[0], INT32)
    return block.make(FLOAT32, f"bitcast i32 {bits.text} to float")


def _of_floats(name: str) -> Meaning:
    """One of LLVM's functions of floats of one type."""

    def meaning(block: Block, values: list[Value]) -> Value:
        kind = arithmetic.number(values[0])
        if kind.kind != "f" or any(one.type != kind for one in values):
            raise TypeMismatch(f"{name} of {[one.type for one in values]}")
        return block.intrinsic(kind, name, values)

    return meaning


def _extreme(name: str, operator: str) -> Meaning:
    """The larger or the smaller of two, nan if either is."""

    def meaning(block: Block, values: list[Value]) -> Value:
        if all(arithmetic.number(one).kind == "f" for one in values):
            return _of_floats(name)(block, values)
        return arithmetic.extreme(block, operator, values)

    return meaning


def _product_error(block: Block, values: list[Value]) -> Value:
    a, b = values
    if a.type != FLOAT64 or b.type != FLOAT64:
        raise TypeMismatch(f"the error of a product of {[one.type for one in values]}")
    product = block.make(FLOAT64, f"fmul double {a.text}, {b.text}")
    below = block.make(FLOAT64, f"fneg double {product.text}")
    return block.intrinsic(FLOAT64, "llvm.fma", [a, b, below])


def _of_library(name: str) -> Meaning:
    """One of the C library's functions of float64."""
    return lambda block, values: block.call(FLOAT64, name, values)


def _random_bits(block: Block, values: list[Value]) -> Value:
    return block.call(UINT64, "random_bits", values)


def _power(block: Block, values: list[Value]) -> Value:
    kind = arithmetic_type(*(arithmetic.number(one) for one in values))
    if kind.kind != "f":
        raise TypeMismatch("pow of integers")
    return block.intrinsic(kind, "llvm.pow", [arithmetic.cast(block, one, kind) for one in values])


# threads ------------------------------------------------------------------------------------------
def _shared_load(block: Block, values: list[Value]) -> Value:
    place = block.address(values[0])
    return block.make(INT64, f"load atomic i64, ptr {place} seq_cst, align 8")


def _shared_store(block: Block, values: list[Value]) -> Value:
    place, value = block.address(values[0]), _whole(block, values[1:])[0]
    block.do(f"store atomic i64 {value.text}, ptr {place} seq_cst, align 8")
    return DONE


def _shared_add(block: Block, values: list[Value]) -> Value:
    place, value = block.address(values[0]), _whole(block, values[1:])[0]
    return block.make(INT64, f"atomicrmw add ptr {place}, i64 {value.text} seq_cst")


def _shared_exchange(block: Block, values: list[Value]) -> Value:
    """Put the new value where the old one is: 1, or 0 where there is another."""
    place, (old, new) = block.address(values[0]), _whole(block, values[1:])
    both = f"i64 {old.text}, i64 {new.text}"
    pair = block.make(INT64, f"cmpxchg ptr {place}, {both} seq_cst seq_cst")
    done = block.make(BOOL, f"extractvalue {{i64, i1}} {pair.text}, 1")
    return arithmetic.cast(block, done, INT64)


def _stack_words(block: Block, values: list[Value]) -> Value:
    """Room for so many words in the stack."""
    return block.make(INT64, f"ptrtoint ptr {block.words(int(values[0].text))} to i64")


def _call_kernel(block: Block, values: list[Value]) -> Value:
    function, given = (block.address(one) for one in values[:2])
    first, last = _whole(block, values[2:])
    block.do(f"call void {function}(ptr {given}, i64 {first.text}, i64 {last.text})")
    return DONE


def _pause(block: Block, values: list[Value]) -> Value:
    if platform.machine() in ("x86_64", "AMD64", "arm64", "aarch64"):
        block.callees.given("pause")
        block.do("call void @pause()")
    return DONE


# products -----------------------------------------------------------------------------------------
def _multiply_part(block: Block, values: list[Value]) -> Value:
    kind = values[0].type
    if not isinstance(kind, Flat) or any(one.type != kind for one in values[1:3]):
        raise TypeMismatch(f"a product of {[one.type for one in values[:3]]}")
    full = f"multiply_part_{kind.element.name}"
    return block.call(NOTHING, full, [*values[:3], *_whole(block, values[3:])])


def _lapack(name: str) -> Meaning:
    def meaning(block: Block, values: list[Value]) -> Value:
        given: list[Value] = []
        floats: set[str] = set()
        for one in values:
            if not isinstance(one.type, Flat):
                given += _whole(block, [one])
                continue
            given.append(one)
            if one.type.element.kind == "f":
                floats.add(one.type.element.name)
        if len(floats) != 1:
            raise TypeMismatch(f"{name} of {[one.type for one in values]}")
        return block.call(INT64, f"{name}_{floats.pop()}", given)

    return meaning


def _sorting(name: str) -> Meaning:
    """A call of NumPy's: buffers, of which the last holds the elements, and two numbers."""

    def meaning(block: Block, values: list[Value]) -> Value:
        *buffers, first, count = values
        kind = buffers[-1].type
        if not isinstance(kind, Flat):
            raise TypeMismatch(f"{name} of {[one.type for one in values]}")
        given = [*buffers, *_whole(block, [first, count])]
        return block.call(INT64, f"{name}_{kind.element.name}", given)

    return meaning


def _drawing(name: str) -> Meaning:
    draw = draws.DRAWS[name]
    kinds = [INT64, *(NUMBERS[one] for one in draw.parameters)]

    def meaning(block: Block, values: list[Value]) -> Value:
        given = [arithmetic.cast(block, one, to) for one, to in zip(values, kinds, strict=True)]
        return block.call(NUMBERS[draw.result], name, given)

    return meaning


def _drawing_older(name: str) -> Meaning:
    return lambda block, values: block.call(FLOAT64, name, _whole(block, values))


MEANINGS: dict[str, Meaning] = {
    **{name: _cast_to(kind) for name, kind in NUMBERS.items() if name != "bool"},
    **{f"{name}_at": _buffer_of(NUMBERS[name]) for name in memory.DTYPES},
    **{name: _of_one(unary) for name, unary in arithmetic.UNARY.items()},
    "min": lambda block, values: arithmetic.extreme(block, "Lt", values),
    "max": lambda block, values: arithmetic.extreme(block, "Gt", values),
    "pow": _power,
    "array_data": _array_data,
    "copy_bytes": _copy_bytes,
    "clear_bytes": _clear_bytes,
    "rounded": _rounded,
    "rows_at_once": _rows_at_once,
    "elements_at_once": lambda block, values: arithmetic.integer(1 << 62),
    "mark_stack": _mark_stack,
    "too_deep": _too_deep,
    "add_overflows": _overflows("sadd"),
    "subtract_overflows": _overflows("ssub"),
    "multiply_overflows": _overflows("smul"),
    "gather_sum": _gather("fadd"),
    "gather_product": _product,
    "gather_max": _extreme("llvm.maximum", "Gt"),
    "gather_min": _extreme("llvm.minimum", "Lt"),
    "select": _select,
    "copy_sign": _of_floats("llvm.copysign"),
    "float32_bits": _same_bits(INT32),
    "float64_bits": _same_bits(INT64),
    "bits_to_float32": _bits_to_float32,
    "bits_to_float64": _same_bits(FLOAT64),
    "round_down": _of_floats("llvm.floor"),
    "round_up": _of_floats("llvm.ceil"),
    "round_to_zero": _of_floats("llvm.trunc"),
    "round_even": _of_floats("llvm.rint"),
    "square_root": _of_floats("llvm.sqrt"),
    "product_error": _product_error,
    "c_sine": _of_library("sin"),
    "c_cosine": _of_library("cos"),
    "c_tangent": _of_library("tan"),
    "c_power": _of_library("pow"),
    "c_logarithm": _of_library("log"),
    "two_over_pi": lambda block, values: block.call(UINT64, "two_over_pi", values),
    "random_bits": _random_bits,
    "shared_load": _shared_load,
    "shared_store": _shared_store,
    "shared_add": _shared_add,
    "shared_exchange": _shared_exchange,
    "stack_words": _stack_words,
    "call_kernel": _call_kernel,
    "address_of_serve": lambda block, values: block.make(
        INT64, f"ptrtoint ptr @{symbols.PREFIX}serve to i64"
    ),
    "pause": _pause,
    "multiply_part": _multiply_part,
    **{name: _lapack(name) for name in lapack.CALLS},
    **{name: _sorting(name) for name in numpy_sorts.CALLS},
    **{name: _drawing(name) for name in draws.DRAWS},
    **{name: _drawing_older(name) for name in older_draws.OLDER},
}
