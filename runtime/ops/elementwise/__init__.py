"""Ops that compute one number from those at the same place; Python's own numbers, too."""
