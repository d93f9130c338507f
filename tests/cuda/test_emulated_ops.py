"""Every op record as a kernel that lanes emulate: the reference, within stated ulps."""

from __future__ import annotations

from typing import Any

import pytest

from autograph.kernels.cuda.emulator import EMULATOR
from autograph.runtime import lower
from autograph.runtime.core.record import Op, Sample
from tests.ops import test_ops_programs as programs

OF_CONVOLUTION = ("conv2d_input", "conv2d_kernel")
"""Sums of products, whose small elements have the rounding of the large ones."""


def build(graph: Any, jit: bool | None = None) -> Any:
    return lower.build(graph, engine=EMULATOR)


@pytest.mark.parametrize(
    ("op", "sample"),
    [(op, one) for _, op, one in programs.SAMPLES],
    ids=[name for name, _, _ in programs.SAMPLES],
)
def test_the_kernel_is_the_reference(
    op: Op, sample: Sample, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(programs, "build", build)
    if op.name in OF_CONVOLUTION:
        monkeypatch.setattr(programs, "OF_MATRICES", {op.name})
    programs.check(op, sample, jit=False)
