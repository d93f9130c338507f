"""Small programs that are refused or fail: what the user is told is kept as golden text."""

from __future__ import annotations

import importlib
from pathlib import Path

from tests.error_programs.registry import ROWS as ROWS
from tests.error_programs.registry import Row as Row

for path in sorted(Path(__file__).parent.glob("*.py")):
    if path.stem not in ("__init__", "registry"):
        importlib.import_module(f"{__name__}.{path.stem}")
