"""Passes that make a graph smaller and cheaper, and what they compute the same."""

from autograph.runtime.optimizer.pipeline import PASSES, optimize

__all__ = ["PASSES", "optimize"]
