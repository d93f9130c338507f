"""Kernels become PTX for both generations of GPUs, and call nothing that nobody has."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

import autograph as ag
from autograph.kernels.cuda.machine import SM_80, SM_90, ptx, unresolved
from autograph.kernels.cuda.module import kernel_module
from autograph.kernels.cuda.spread import spread
from autograph.kernels.scalar import SCALAR_FUNCTIONS
from tests.cuda.kernel_programs import MODELS

pytestmark = pytest.mark.compiled


@pytest.mark.parametrize("architecture", [SM_80, SM_90])
@pytest.mark.parametrize("name", ["recurrent_gradient", "rows", "kept", "moved"])
def test_a_model(name: str, architecture: str) -> None:
    model = MODELS[name]
    text = ptx(
        kernel_module(spread(ag.function(model.function).program(*model.arguments))), architecture
    )
    assert f".target {architecture}" in text and ".version 8.0" in text
    assert not unresolved(text)
    assert "ld.global" in text and "bar.sync" in text
    generic = re.findall(r"^\s+(?:ld|st)\.(?:b|u|f|s)\d+", text, re.MULTILINE)
    assert not generic, "loads and stores of global memory say so"


@pytest.mark.parametrize("dtype", ["float32", "float64", "int64", "int32"])
def test_every_scalar_function(dtype: str) -> None:
    """One kernel that calls them all."""
    lines = ["def program(arguments):", f"    x = {dtype}_at(array_data(arguments, 1))"]
    lines.append("    y = float64_at(array_data(arguments, 2))")
    lines.append("    for i in parallel_range(10, 1):")
    lines.append("        total = float64(0.0)")
    for function in SCALAR_FUNCTIONS.values():
        if dtype in function.functions:
            values = ", ".join(["x[i]"] * function.arguments)
            lines.append(f"        total = total + float64({function.functions[dtype]}({values}))")
    if dtype == "float64":
        lines.append("        total = total + x[i] % 3.0 + x[i] // 3.0")
    lines += ["        y[i] = total", "    return 0"]
    assert len(lines) > 8
    assert not unresolved(ptx(kernel_module(spread("\n".join(lines) + "\n"))))


@pytest.mark.skipif(shutil.which("ptxas") is None, reason="no ptxas here: CUDA's toolkit has it")
@pytest.mark.parametrize("name", MODELS)
def test_ptxas_takes_it(name: str, tmp_path: Path) -> None:
    model = MODELS[name]
    module = kernel_module(spread(ag.function(model.function).program(*model.arguments)))
    for architecture in (SM_80, SM_90):
        file = tmp_path / "kernel.ptx"
        file.write_text(ptx(module, architecture), encoding="utf-8")
        command = ["ptxas", f"-arch={architecture}", str(file), "-o", str(tmp_path / "kernel")]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr


def test_the_same_text_in_every_process() -> None:
    model = MODELS["kept"]
    text = ag.function(model.function).program(*model.arguments)
    assert kernel_module(spread(text)) == kernel_module(spread(text))
