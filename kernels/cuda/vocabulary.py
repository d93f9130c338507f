"""What the names that kernels call mean in LLVM's language on a GPU, where it is another thing than
on the CPU."""

from __future__ import annotations

import ast

from autograph.kernels import memory
from autograph.kernels.codegen import arithmetic
from autograph.kernels.codegen.block import Block
from autograph.kernels.codegen.function import FunctionWriter
from autograph.kernels.codegen.types import (
    BOOL,
    INT64,
    NUMBERS,
    Flat,
    Number,
    TypeMismatch,
    Value,
)
from autograph.kernels.codegen.vocabulary import DONE, MEANINGS, Meaning
from autograph.kernels.library import lapack, numpy_sorts

SAID = "autograph_said"
"""The word by which the first lane tells the others."""
NEAR, FAR = "autograph_near", "autograph_far"
"""What the lanes of a block, and what the blocks, put together."""
MOST_IN_BLOCK = 1024
MOST_BLOCKS = 4096


def _buffer_of(kind: Number) -> Meaning:
    """Addresses are of global memory: LLVM then makes loads and stores of that."""

    def meaning(block: Block, values: list[Value]) -> Value:
        near = block.make(INT64, f"inttoptr i64 {values[0].text} to ptr addrspace(1)")
        return block.make(Flat(kind), f"addrspacecast ptr addrspace(1) {near.text} to ptr")

    return meaning


def _array_data(block: Block, values: list[Value]) -> Value:
    table = _buffer_of(INT64)(block, values)
    entry = f"getelementptr i64, ptr {table.text}, i64 {values[1].text}"
    return block.load(INT64, block.make(INT64, entry).text)


def _register(name: str) -> Meaning:
    """One of the special registers."""

    def meaning(block: Block, values: list[Value]) -> Value:
        full = f"llvm.nvvm.read.ptx.sreg.{name}"
        block.callees.given(full)
        made = block.make(INT64, f"call i32 @{full}()")
        return block.make(INT64, f"zext i32 {made.text} to i64")

    return meaning


def _lane(block: Block, values: list[Value]) -> Value:
    in_block, blocks, size = (_register(name)(block, []) for name in ("tid.x", "ctaid.x", "ntid.x"))
    before = block.make(INT64, f"mul i64 {blocks.text}, {size.text}")
    return block.make(INT64, f"add i64 {before.text}, {in_block.text}")


def _lanes(block: Block, values: list[Value]) -> Value:
    size, blocks = (_register(name)(block, []) for name in ("ntid.x", "nctaid.x"))
    return block.make(INT64, f"mul i64 {blocks.text}, {size.text}")


def _first(block: Block, values: list[Value]) -> Value:
    lane = _lane(block, values)
    return block.make(BOOL, f"icmp eq i64 {lane.text}, 0")


def _fixed(name: str) -> Meaning:
    """A function whose text is fixed, called for what it does."""

    def meaning(block: Block, values: list[Value]) -> Value:
        block.callees.given(name)
        block.do(f"call void @{name}()")
        return DONE

    return meaning


def _wait_in_team(block: Block, values: list[Value]) -> Value:
    block.callees.given("wait_in_team")
    width = arithmetic.cast(block, values[0], INT64)
    block.do(f"call void @wait_in_team(i64 {width.text})")
    return DONE


def _none(block: Block, values: list[Value]) -> Value:
    return DONE


def _given(name: str) -> Meaning:
    """A function of the module whose text is fixed."""

    def meaning(block: Block, values: list[Value]) -> Value:
        block.callees.given(name)
        return block.make(INT64, f"call i64 @{name}()")

    return meaning


def _take_scratch(block: Block, values: list[Value]) -> Value:
    """Memory for one lane: of CUDA's own heap on the GPU."""
    block.callees.given("malloc")
    size = arithmetic.cast(block, values[0], INT64)
    return block.make(INT64, f"call i64 @malloc(i64 {size.text})")


def _give_scratch(block: Block, values: list[Value]) -> Value:
    block.callees.given("free")
    block.do(f"call void @free(i64 {values[0].text})")
    return DONE


def _of_host(name: str) -> Meaning:
    def meaning(block: Block, values: list[Value]) -> Value:
        raise TypeMismatch(f"{name} has no code for GPUs")

    return meaning


def _merged(block: Block, values: list[Value]) -> Value:
    """What a function gives that NumPy does not have: the program merges."""
    return arithmetic.integer(1)


def _near(kind: Number) -> Meaning:
    return lambda block, values: _board(block, NEAR, kind, 3)


def _far(kind: Number) -> Meaning:
    return lambda block, values: _board(block, FAR, kind, 1)


def _board(block: Block, name: str, kind: Number, space: int) -> Value:
    block.callees.given(name)
    made = f"addrspacecast ptr addrspace({space}) @{name} to ptr"
    return block.make(Flat(kind), made)


ON_GPUS: dict[str, Meaning] = {
    **MEANINGS,
    **{f"{name}_at": _buffer_of(NUMBERS[name]) for name in memory.DTYPES},
    **{f"near_{name}": _near(NUMBERS[name]) for name in memory.DTYPES},
    **{f"far_{name}": _far(NUMBERS[name]) for name in memory.DTYPES},
    **{name: _of_host(name) for name in lapack.CALLS},
    **{name: _merged for name in numpy_sorts.CALLS},
    "array_data": _array_data,
    "lane": _lane,
    "lanes": _lanes,
    "first": _first,
    "lane_in_block": _register("tid.x"),
    "lanes_of_block": _register("ntid.x"),
    "block": _register("ctaid.x"),
    "blocks": _register("nctaid.x"),
    "wait": _fixed("wait"),
    "wait_in_block": _fixed("wait_in_block"),
    "wait_in_team": _wait_in_team,
    "interrupted": _given("stop_requested"),
    "heap": _given("heap"),
    "rows_at_once": lambda block, values: arithmetic.integer(1),
    "elements_at_once": lambda block, values: arithmetic.integer(1),
    "take_scratch": _take_scratch,
    "give_scratch": _give_scratch,
    "larger": MEANINGS["gather_max"],
    "smaller": MEANINGS["gather_min"],
}
for _name in (
    *("c_sine", "c_cosine", "c_tangent", "c_power", "pow", "multiply_part"),
    *("copy_bytes", "clear_bytes"),
):
    del ON_GPUS[_name]  # functions of `cuda.support`


# forms whose arguments are not all evaluated ------------------------------------------------------
def by_one(writer: FunctionWriter, node: ast.Call) -> Value:
    """A value that the first lane finds and tells."""
    block = writer.block
    number = block.number()
    finds, told = f"finds{number}", f"told{number}"
    block.callees.given(SAID)
    place = block.make(INT64, f"addrspacecast ptr addrspace(1) @{SAID} to ptr").text
    block.branch(_first(block, []), finds, told)
    block.start(finds)
    value = writer.expression(node.args[0])
    kind = arithmetic.number(value)
    block.store(value, place)
    block.jump(told)
    block.start(told)
    ON_GPUS["wait"](block, [])
    made = block.load(kind, place)
    ON_GPUS["wait"](block, [])
    return made


def gathered(writer: FunctionWriter, node: ast.Call) -> Value:
    """The values of all lanes, put together."""
    value = writer.expression(node.args[0])
    kind = arithmetic.number(value)
    word = node.args[1]
    assert isinstance(word, ast.Constant)
    near, far = (ON_GPUS[where + "_" + kind.name](writer.block, []) for where in ("near", "far"))
    made = writer.functions.call(writer.block, "gathered_" + str(word.value), [value, near, far])
    return arithmetic.cast(writer.block, made, kind)


def gathered_in_team(writer: FunctionWriter, node: ast.Call) -> Value:
    """The values of the lanes of a team, put together."""
    value = writer.expression(node.args[0])
    width = arithmetic.cast(writer.block, writer.expression(node.args[2]), INT64)
    kind = arithmetic.number(value)
    word = node.args[1]
    assert isinstance(word, ast.Constant)
    near = ON_GPUS[f"near_{kind.name}"](writer.block, [])
    name = "gathered_" + str(word.value) + "_in_team"
    made = writer.functions.call(writer.block, name, [value, near, width])
    return arithmetic.cast(writer.block, made, kind)


FORMS = {"by_one": by_one, "gathered": gathered, "gathered_in_team": gathered_in_team}
