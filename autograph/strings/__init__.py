"""Strings with parts that are known only when the graph runs."""
