"""Text of programs → object code. Imported only when something is compiled."""

from __future__ import annotations

from autograph.kernels.codegen.machine import object_code, prepare
from autograph.kernels.codegen.module import program_module, support_module

__all__ = ["prepare", "program_object", "support_object"]


def program_object(text: str) -> bytes:
    """The object code of a program, with its entry under the name `symbols.ENTRY`."""
    return object_code(program_module(text))


def support_object() -> bytes:
    """The object code of the support functions."""
    return object_code(support_module(), vectorized=False)
