"""Tapes and functions with gradients of their own, in staged code."""
