"""Branches, loops, calls, recursion and Python numbers in programs."""
