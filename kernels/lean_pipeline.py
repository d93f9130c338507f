"""numba's pipeline without the passes that programs have no use for.

The text of a program is plain: typed scalars, `while`, `for … in range`, calls. It has no closures,
no generators, no literal unrolling, no overloads to inline and no parallel loops. Each variable has
one type wherever it is assigned, so types need no single assignments (LLVM makes its own), and no
value counts its references, so nothing needs to know where a variable dies. numba's passes for
those take time that grows with the square of a program's length.
"""

from __future__ import annotations

from typing import Any

from numba.core.compiler import CompilerBase
from numba.core.compiler_machinery import (
    AnalysisPass,
    FunctionPass,
    PassManager,
    register_pass,
)
from numba.core.transforms import canonicalize_cfg
from numba.core.typed_passes import NativeLowering, NoPythonBackend, NopythonTypeInference
from numba.core.untyped_passes import FixupArgs, TranslateByteCode


@register_pass(mutates_CFG=True, analysis_only=False)
class CanonicalControlFlow(FunctionPass):  # type: ignore[misc]
    """Gives each loop one place to enter and one to go back to, as lowering expects."""

    _name = "canonical_control_flow"

    def __init__(self) -> None:
        super().__init__()

    def run_pass(self, state: Any) -> bool:
        """Change the blocks of `state.func_ir`."""
        state.func_ir.blocks = canonicalize_cfg(state.func_ir.blocks)
        return True


@register_pass(mutates_CFG=False, analysis_only=True)
class NoAnnotation(AnalysisPass):  # type: ignore[misc]
    """Instead of a listing of types, which nobody reads."""

    _name = "no_annotation"

    def __init__(self) -> None:
        super().__init__()

    def run_pass(self, state: Any) -> bool:
        """Set what the result of a compilation must have."""
        state.type_annotation = None
        return False


PASSES = (
    (TranslateByteCode, "analyzing bytecode"),
    (FixupArgs, "fix up args"),
    (CanonicalControlFlow, "canonical control flow"),
    (NopythonTypeInference, "nopython frontend"),
    (NoAnnotation, "no annotation of types"),
    (NativeLowering, "native lowering"),
    (NoPythonBackend, "nopython mode backend"),
)


class LeanCompiler(CompilerBase):  # type: ignore[misc]
    """Compiles the plain Python of programs."""

    def define_pipelines(self) -> list[Any]:
        """The one pipeline."""
        manager = PassManager("lean")
        for one, description in PASSES:
            if self.state.func_ir is not None and one is TranslateByteCode:
                continue
            manager.add_pass(one, description)
        manager.finalize()
        return [manager]
