"""What is staged is the same in every process, so that it is found in the cache on disk."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def started(seed: int) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "tests.harness.program_texts", str(seed)],
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONHASHSEED": str(seed)},
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def texts_by_name(process: subprocess.Popen[str]) -> dict[str, str]:
    out, err = process.communicate(timeout=600)
    assert process.returncode == 0, err
    pairs = (part.partition("\n") for part in out.split("===== ")[1:])
    return {name: text for name, _, text in pairs}


def test_graphs_and_programs_are_the_same() -> None:
    """Whatever the seed of the hashes is, and wherever in memory the objects lie."""
    one, other = map(texts_by_name, [started(1), started(2)])
    assert len(one) > 40 and sum("while_loop" in text for text in one.values()) > 10
    slow = [name for texts in (one, other) for name in texts if texts[name] == "too slow\n"]
    assert slow == []
    assert [name for name in one if one[name] != other.get(name)] == []
