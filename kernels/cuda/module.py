"""A kernel's text as one module of LLVM's language, for NVIDIA's GPUs."""

from __future__ import annotations

import ast
import functools
import inspect
from collections.abc import Sequence

from autograph.kernels import symbols
from autograph.kernels.codegen.arithmetic import integer
from autograph.kernels.codegen.block import Block
from autograph.kernels.codegen.fixed import fixed_text
from autograph.kernels.codegen.module import ModuleWriter
from autograph.kernels.codegen.types import FLOAT64, INT64, Flat, Type, Value
from autograph.kernels.cuda import products, support, vocabulary
from autograph.kernels.support import frames, list_functions

ENTRY = symbols.ENTRY
HEAP, GRID, STOP = "autograph_heap", "autograph_grid", "autograph_stop"
"""Words of a module: of the heap (see `cuda.support`), of the grid's waiting, and where the host's
word lies that asks it to end (0: nowhere)."""
LANES = 256
"""Lanes of a block."""

_ENTRY_TEXT = """
define ptx_kernel void @{entry}(i64 %arguments, i64 %result, i64 %heap, i64 %heap_end)
    convergent nounwind "nvvm.maxntid"="{lanes}" {{
  %in_block = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %any = or i32 %in_block, %block
  %first = icmp eq i32 %any, 0
  br i1 %first, label %begin, label %run
begin:
  store i64 %heap, ptr addrspace(1) @{heap}
  %end_of_heap = getelementptr i64, ptr addrspace(1) @{heap}, i64 1
  store i64 %heap_end, ptr addrspace(1) %end_of_heap
  %given_back = getelementptr i64, ptr addrspace(1) @{heap}, i64 2
  store i64 0, ptr addrspace(1) %given_back
  br label %run
run:
  call void @wait() convergent
  %status = call i64 @program(i64 %arguments) convergent
  br i1 %first, label %tell, label %end
tell:
  %place = inttoptr i64 %result to ptr addrspace(1)
  store i64 %status, ptr addrspace(1) %place
  br label %end
end:
  ret void
}}
"""
_WAIT_IN_BLOCK = """
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32) convergent
define internal void @wait_in_block() convergent nounwind alwaysinline {
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  ret void
}
"""
_WAIT_IN_TEAM = """
declare void @llvm.nvvm.bar.warp.sync(i32) convergent
define internal void @wait_in_team(i64 %width) convergent nounwind alwaysinline {
  %lane = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %in_warp = and i32 %lane, 31
  %lanes = trunc i64 %width to i32
  %less = sub i32 %lanes, 1
  %other = xor i32 %less, 31
  %start = and i32 %in_warp, %other
  %far = shl i64 1, %width
  %all = sub i64 %far, 1
  %bits = trunc i64 %all to i32
  %mask = shl i32 %bits, %start
  call void @llvm.nvvm.bar.warp.sync(i32 %mask)
  ret void
}
"""
_WAIT = f"""
@{GRID} = addrspace(1) global [2 x i64] zeroinitializer, align 128
define internal void @wait() convergent nounwind noinline {{
  %blocks = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
  call void @wait_in_block()
  %alone = icmp eq i32 %blocks, 1
  br i1 %alone, label %end, label %others
others:
  %lane = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %leads = icmp eq i32 %lane, 0
  br i1 %leads, label %arrive, label %together
arrive:
  fence syncscope("device") seq_cst
  %before = atomicrmw add ptr addrspace(1) @{GRID}, i64 1 syncscope("device") monotonic
  %count = zext i32 %blocks to i64
  %round = udiv i64 %before, %count
  %next = add i64 %round, 1
  %wanted = mul i64 %next, %count
  br label %look
look:
  %seen = load atomic i64, ptr addrspace(1) @{GRID} syncscope("device") acquire, align 8
  %there = icmp uge i64 %seen, %wanted
  br i1 %there, label %go, label %look
go:
  fence syncscope("device") seq_cst
  br label %together
together:
  call void @wait_in_block()
  br label %end
end:
  ret void
}}
"""
_STOP = f"""
@{STOP} = addrspace(1) global i64 0
define internal i64 @stop_requested() nounwind {{
  %place = load i64, ptr addrspace(1) @{STOP}
  %none = icmp eq i64 %place, 0
  br i1 %none, label %end, label %look
look:
  %at = inttoptr i64 %place to ptr addrspace(1)
  %word = load volatile i64, ptr addrspace(1) %at
  br label %end
end:
  %result = phi i64 [ 0, %0 ], [ %word, %look ]
  ret i64 %result
}}
"""
_HEAP = f"""
@{HEAP} = addrspace(1) global [4 x i64] zeroinitializer
define internal i64 @heap() alwaysinline nounwind {{
  %place = ptrtoint ptr addrspace(1) @{HEAP} to i64
  ret i64 %place
}}
"""
_FIXED = {
    "wait": _WAIT,
    "wait_in_block": _WAIT_IN_BLOCK,
    "wait_in_team": _WAIT_IN_TEAM,
    "stop_requested": _STOP,
    "heap": _HEAP,
    vocabulary.SAID: f"@{vocabulary.SAID} = addrspace(1) global i64 0\n",
    vocabulary.NEAR: f"@{vocabulary.NEAR} = internal addrspace(3) global "
    f"[{vocabulary.MOST_IN_BLOCK} x i64] undef, align 8\n",
    vocabulary.FAR: f"@{vocabulary.FAR} = addrspace(1) global "
    f"[{vocabulary.MOST_BLOCKS} x i64] zeroinitializer, align 8\n",
}
_NEEDS = {
    "wait": ("wait_in_block", *(f"llvm.nvvm.read.ptx.sreg.{r}" for r in ("tid.x", "nctaid.x"))),
    "wait_in_team": ("llvm.nvvm.read.ptx.sreg.tid.x",),
}
_OF_SUPPORT = (frames, list_functions)


class KernelWriter(ModuleWriter):
    """Writes functions for a GPU."""

    meanings = vocabulary.ON_GPUS
    forms = vocabulary.FORMS
    marks = " convergent nounwind"
    pairwise = False

    def __init__(self, definitions: dict[str, ast.FunctionDef]) -> None:
        super().__init__(definitions)
        self.external = {}
        for module in _OF_SUPPORT:
            for name, constant in vars(module).items():
                if isinstance(constant, int) and name.isupper():
                    self.constants = {**self.constants, name: integer(constant)}
        self.constants = {**self.constants, "BEFORE": integer(support.BEFORE)}

    def definition(self, name: str) -> ast.FunctionDef | None:
        """A function of `cuda`, a support function, or one as on the CPU."""
        return _definition(name) or super().definition(name)

    def is_inline(self, name: str, types: Sequence[Type]) -> bool:
        """Whether a function is copied to wherever it is called: scalar functions, and support
        functions that are given or give pointers, so that their loads are of global memory."""
        pointers = name == "header_of" or any(isinstance(one, Flat) for one in types)
        return super().is_inline(name, types) or (name in self.apart and pointers)

    def is_apart(self, name: str, types: Sequence[Type]) -> bool:
        """Whether a function is called, never copied."""
        return name in self.apart and not self.is_inline(name, types)

    def call(self, block: Block, name: str, arguments: list[Value]) -> Value:
        """A call; support functions take int64 and give one."""
        if name in _support_functions():
            arguments = [
                one if isinstance(one.type, Flat) else _word(block, one) for one in arguments
            ]
        return super().call(block, name, arguments)

    def given(self, name: str) -> None:
        """A function whose text is fixed."""
        if name in self._given:
            return
        if name.startswith("llvm.nvvm.read."):
            self._given.add(name)
            self.declare(name, f"i32 @{name}()")
            return
        text = _FIXED.get(name)
        if text is None and name.startswith(("remainder_float", "quotient_float")):
            self._exact(name)
            return
        if text is None:
            super().given(name)
            return
        self._given.add(name)
        for one in _NEEDS.get(name, ()):
            self.given(one)
        self.parts.append(text)

    def _exact(self, name: str) -> None:
        """A remainder of floats: LLVM's own `frem` is a rounded one on GPUs."""
        self._given.add(name)
        definition = self.definition("exact_remainder")
        assert definition is not None
        known = self._made.get(("exact_remainder", (FLOAT64, FLOAT64)))
        symbol, _ = known or self.function("exact_remainder", definition, [FLOAT64, FLOAT64])
        wide = name.endswith("64")
        text = fixed_text(name)
        if wide:
            text = text.replace(
                "frem double %a, %b", f"call double @{symbol}(double %a, double %b)"
            )
        else:
            text = text.replace(
                "%r = frem float %a, %b",
                "%wide_a = fpext float %a to double\n  %wide_b = fpext float %b to double\n"
                f"  %wide_r = call double @{symbol}(double %wide_a, double %wide_b)\n"
                "  %r = fptrunc double %wide_r to float",
            )
        for line in text.splitlines(keepends=True):
            if line.startswith("declare "):
                what = line.removeprefix("declare ").strip()
                self.declare(what.partition("@")[2].partition("(")[0], what)
            else:
                self.parts.append(line)


def _word(block: Block, value: Value) -> Value:
    from autograph.kernels.codegen.arithmetic import cast

    return cast(block, value, INT64)


@functools.cache
def _support_functions() -> dict[str, ast.FunctionDef]:
    found: dict[str, ast.FunctionDef] = {}
    for module in _OF_SUPPORT:
        tree = ast.parse(inspect.getsource(module))
        found.update({one.name: one for one in tree.body if isinstance(one, ast.FunctionDef)})
    found.pop("interrupted")
    return found


@functools.cache
def _definition(name: str) -> ast.FunctionDef | None:
    text = support.TEXTS.get(name) or products.TEXTS.get(name)
    if text is None:
        return _support_functions().get(name)
    made = ast.parse(text).body[0]
    assert isinstance(made, ast.FunctionDef)
    return made


def kernel_module(text: str) -> str:
    """The module of a kernel's text (see `cuda.spread`), with its entry under `ENTRY`."""
    tree = ast.parse(text)
    functions = [one for one in tree.body if isinstance(one, ast.FunctionDef)]
    writer = KernelWriter({one.name: one for one in functions})
    writer.apart = frozenset((*_support_functions(), *support.TEXTS, *products.TEXTS))
    for one in functions:
        if one.name.startswith("spread_"):
            continue
        types: list[Type] = [INT64] * len(one.args.args)
        symbol = "program" if one is functions[-1] else ""
        writer.function(one.name, one, types, INT64, symbol)
    for register in ("tid.x", "ctaid.x"):
        writer.given(f"llvm.nvvm.read.ptx.sreg.{register}")
    for name in ("stop_requested", "heap"):
        writer.given(name)
    writer.given("wait")
    return writer.text() + _ENTRY_TEXT.format(entry=ENTRY, heap=HEAP, lanes=LANES)
