"""Iteration: plain, staged, by generators, by iterators of the user's."""
