"""The tour in docs/ runs, and says what it promises."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

TOUR = Path(__file__).resolve().parents[2] / "docs" / "tour.py"


def test_the_tour_runs_and_uses_only_numpy() -> None:
    ran = subprocess.run([sys.executable, str(TOUR)], capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    assert "while_loop(" in ran.stdout and "cond(" in ran.stdout
    assert "111 steps from 27; the root of 2: 1.414214, slope 0.353553" in ran.stdout
    assert "import autograph" not in TOUR.read_text(encoding="utf-8")
