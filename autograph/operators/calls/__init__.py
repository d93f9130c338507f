"""Calls: of converted functions, classes, foreign code; recursion; what objects are asked for."""
