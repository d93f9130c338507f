"""Graphs: typed SSA, its printer, its verifier and the slow truth that evaluates it."""
