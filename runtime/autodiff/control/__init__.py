"""Gradients of branches, loops and calls."""
