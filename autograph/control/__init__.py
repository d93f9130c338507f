"""Staged control flow: branches, loops, exceptions that are caught when the graph runs."""
