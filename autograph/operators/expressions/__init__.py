"""Expressions: what each operator means on plain values and on staged ones."""
