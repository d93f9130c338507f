"""The script for a GPU: whole, by a stand-in; and run, where there is one."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from autograph.kernels.cuda.driver import device_count
from tests.cuda.kernel_programs import MODELS

ROOT = Path(__file__).resolve().parents[2]


def run(*options: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "tests.gpu.run_all", *options]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=580)


@pytest.mark.compiled
def test_the_script_is_whole() -> None:
    done = run("--stand-in", "--share", "90")
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    assert f"models: {len(MODELS)} of {len(MODELS)} right" in done.stdout


@pytest.mark.gpu
@pytest.mark.skipif(device_count() == 0, reason="CUDA's driver finds no GPU")
def test_on_a_gpu() -> None:
    done = run("--share", "12")
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-2000:]
