"""LLVM's language → object code of this machine."""

from __future__ import annotations

import functools
from typing import Any

import llvmlite.binding as llvm


@functools.cache
def _machine() -> Any:
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    target = llvm.Target.from_default_triple()
    return target.create_target_machine(
        cpu=llvm.get_host_cpu_name(),
        features=llvm.get_host_cpu_features().flatten() + ",-prefer-256-bit",
        opt=3,
        reloc="default",
        codemodel="jitdefault",
        jit=True,
    )


def prepare() -> None:
    """Make LLVM ready for this machine."""
    _machine()


HUGE = 5000
"""From so many instructions on, the registers of a function are not chosen with care: that takes
LLVM longer than all else, and what is huge is a driver, whose loops over elements are kernels."""


def object_code(text: str, vectorized: bool = True) -> bytes:
    """The object code of a module."""
    module = optimized(text, vectorized)
    if text.count("\n") > HUGE:
        for one in module.functions:
            if sum(1 for block in one.blocks for _ in block.instructions) > HUGE:
                one.add_function_attribute("noinline")
                one.add_function_attribute("optnone")
    return bytes(_machine().emit_object(module))


def optimized(text: str, vectorized: bool = True) -> Any:
    """LLVM's module of a text, improved; `vectorized`: its loops take many elements at once."""
    machine = _machine()
    module = llvm.parse_assembly(text)
    module.triple = llvm.get_process_triple()
    module.data_layout = str(machine.target_data)
    options = llvm.create_pipeline_tuning_options(speed_level=3)
    options.loop_vectorization = vectorized
    options.loop_unrolling = vectorized
    options.slp_vectorization = False
    builder = llvm.create_pass_builder(machine, options)
    builder.getModulePassManager().run(module, builder)
    return module
