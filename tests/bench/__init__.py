"""Workloads measured beside NumPy, hand-written numba and, where it is installed, JAX."""
