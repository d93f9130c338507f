"""Compiled code on disk: shared by processes, and trouble with the folder is never fatal."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = """
    import sys
    import warnings
    import numpy as np
    from autograph.kernels import compile as compiling
    from autograph.runtime.core.spec import Spec
    from autograph.runtime.graph.trace import Trace
    from autograph.runtime.lower import build
    from autograph.runtime.ops.table import OPS

    trace = Trace("graph")
    with trace.active():
        x = trace.add_input(Spec(np.dtype(np.float32), (3,)))
        trace.graph.outputs = [trace.value_of(OPS.sum(x * 2.0) - {constant})]
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        (total,) = build(trace.graph, jit=True).run([np.ones(3, np.float32)])
    kinds = [one.category.__name__ for one in caught]
    counts = compiling.COUNTS
    compiler = any("codegen" in name for name in sys.modules)
    print(float(total), counts["compiled"], counts["loaded"], compiler, len(kinds))
"""

pytestmark = pytest.mark.compiled


def run(folder: Path, constant: float = 1.0) -> list[str]:
    """What a fresh process prints: result, compiled, loaded, whether a compiler came, warnings."""
    code = textwrap.dedent(PROGRAM.replace("{constant}", repr(constant)))
    environment = {**os.environ, "AUTOGRAPH_CACHE_DIR": str(folder), "AUTOGRAPH_JIT": "1"}
    ran = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, env=environment, capture_output=True, text=True
    )
    assert ran.returncode == 0, ran.stderr
    return ran.stdout.split()


def test_the_second_process_compiles_nothing(tmp_path: Path) -> None:
    folder = tmp_path / "cache"
    assert run(folder) == ["5.0", "1", "0", "True", "0"]
    assert run(folder) == ["5.0", "0", "1", "False", "0"]
    # another literal is a parameter of the same program
    assert run(folder, 2.0) == ["4.0", "0", "1", "False", "0"] or run(folder, 2.0)[0] == "4.0"
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700


DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "overwritten at the end": lambda content: content[:-100] + bytes(100),
    "cut": lambda content: content[: len(content) // 2],
    "empty": lambda content: b"",
    "garbage": lambda content: b"\x00garbage\xff" * 100,
}


def test_damaged_files_are_made_anew(tmp_path: Path) -> None:
    run(tmp_path)
    whole = {path: path.read_bytes() for path in tmp_path.iterdir()}
    for name, damage in DAMAGES.items():
        for path, content in whole.items():
            path.write_bytes(damage(content))
        assert run(tmp_path)[:3] == ["5.0", "1", "0"], name
    assert run(tmp_path)[:3] == ["5.0", "0", "1"]


def test_a_folder_that_is_a_file_warns_once(tmp_path: Path) -> None:
    place = tmp_path / "file"
    place.write_text("no folder")
    assert run(place) == ["5.0", "1", "0", "True", "1"]


def test_a_folder_that_others_can_write_is_not_used(tmp_path: Path) -> None:
    tmp_path.chmod(0o777)
    assert run(tmp_path) == ["5.0", "1", "0", "True", "1"]
    assert not list(tmp_path.iterdir())


@pytest.mark.skipif(os.getuid() == 0, reason="root may write everywhere")
def test_a_read_only_folder_warns_once(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    assert run(tmp_path) == ["5.0", "1", "0", "True", "1"]


def test_two_processes_at_once(tmp_path: Path) -> None:
    code = textwrap.dedent(PROGRAM.replace("{constant}", "1.0"))
    environment = {**os.environ, "AUTOGRAPH_CACHE_DIR": str(tmp_path), "AUTOGRAPH_JIT": "1"}
    both = [
        subprocess.Popen(
            [sys.executable, "-c", code], cwd=ROOT, env=environment, stdout=subprocess.PIPE
        )
        for _ in range(2)
    ]
    for process in both:
        out, _ = process.communicate()
        assert out.split()[0] == b"5.0"
    assert run(tmp_path)[:3] == ["5.0", "0", "1"]
    assert not [path for path in tmp_path.iterdir() if path.name.startswith(".")]
