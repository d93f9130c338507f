"""numba's pipeline without the passes that programs have no use for.

The text of a program is plain: typed scalars, `while`, `for … in range`, calls. It has no closures,
no generators, no literal unrolling, no overloads to inline and no parallel loops; leaving out what
looks for them saves about a third of numba's own time.
"""

from __future__ import annotations

from typing import Any

from numba.core.compiler import CompilerBase
from numba.core.compiler_machinery import PassManager
from numba.core.typed_passes import (
    AnnotateTypes,
    IRLegalization,
    NativeLowering,
    NoPythonBackend,
    NopythonTypeInference,
    PreLowerStripPhis,
)
from numba.core.untyped_passes import (
    FixupArgs,
    IRProcessing,
    ReconstructSSA,
    TranslateByteCode,
)

PASSES = (
    (TranslateByteCode, "analyzing bytecode"),
    (FixupArgs, "fix up args"),
    (IRProcessing, "processing IR"),
    (ReconstructSSA, "ssa"),
    (NopythonTypeInference, "nopython frontend"),
    (PreLowerStripPhis, "remove phis nodes"),
    (IRLegalization, "ensure IR is legal prior to lowering"),
    (AnnotateTypes, "annotate types"),
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
