"""Graphs → programs: schedules, buffers, loops."""

from autograph.runtime.lower.build import build

__all__ = ["build"]
