"""Automatic differentiation: tapes, backward passes as graphs, and a numerical checker."""
