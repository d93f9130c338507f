"""LLVM's language → PTX, by the NVPTX target of llvmlite's own LLVM."""

from __future__ import annotations

import functools
from typing import Any

import llvmlite.binding as llvm

TRIPLE = "nvptx64-nvidia-cuda"
PTX = "+ptx80"
"""The version of the language: drivers from CUDA 12.0 on take it."""
SM_80, SM_90 = "sm_80", "sm_90"


@functools.cache
def _machine(architecture: str) -> Any:
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    target = llvm.Target.from_triple(TRIPLE)
    return target.create_target_machine(cpu=architecture, features=PTX, opt=3)


def ptx(text: str, architecture: str = SM_80) -> str:
    """The PTX of a module."""
    machine = _machine(architecture)
    module = llvm.parse_assembly(text)
    module.triple = TRIPLE
    module.data_layout = str(machine.target_data)
    module.verify()
    options = llvm.create_pipeline_tuning_options(speed_level=3)
    options.loop_vectorization = False
    options.slp_vectorization = False
    builder = llvm.create_pass_builder(machine, options)
    builder.getModulePassManager().run(module, builder)
    return str(machine.emit_assembly(module))


def unresolved(text: str) -> list[str]:
    """The functions that PTX calls and does not hold, but those that CUDA's driver has."""
    lines = [line for line in text.splitlines() if line.startswith(".extern")]
    names = [line.split("(")[-2].split()[-1] if "func" in line else line for line in lines]
    return [name for name in names if name not in ("malloc", "free")]
