"""Statements: if, while, for, try, with, match and import."""
