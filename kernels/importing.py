"""Importing the compiler: Ctrl-C waits until it is done, since a module half imported stays so."""

from __future__ import annotations

from types import ModuleType

from autograph.kernels.interrupts import uninterrupted


def compiler() -> ModuleType:
    """The module that compiles programs, with LLVM ready for this machine."""
    with uninterrupted():
        from autograph.kernels.codegen import compiler

        compiler.prepare()
    return compiler
