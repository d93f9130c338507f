"""Statements: if, while, for, try, with, match, del and import."""
