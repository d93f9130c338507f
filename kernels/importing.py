"""Importing the compiler: Ctrl-C waits until it is done, since a module half imported stays so."""

from __future__ import annotations

from types import ModuleType

from autograph.kernels.interrupts import uninterrupted


def compiler() -> ModuleType:
    """The module that compiles with numba."""
    with uninterrupted():
        from autograph.kernels import numba_compiler

        numba_compiler.prepare()
    return numba_compiler
