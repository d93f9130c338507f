"""Small programs by construct, each run in every mode by the harness."""

from __future__ import annotations

import importlib
import pkgutil

from tests.corpus.registry import PROGRAMS, Program

__all__ = ["Program", "all_programs"]


def all_programs() -> list[Program]:
    """Every program of the corpus, in the order of the files."""
    for module in sorted(found.name for found in pkgutil.iter_modules(__path__)):
        importlib.import_module(f"{__name__}.{module}")
    return PROGRAMS
