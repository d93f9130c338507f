"""Completion codes: how a staged body ended."""

from __future__ import annotations

COMPLETED = 0
BREAK = 1
CONTINUE = 2
RETURN = 3
EXIT = 4
"""A loop's own: its test failed, or its iterable ended."""
