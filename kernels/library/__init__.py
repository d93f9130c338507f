"""Kernels that are not generated loops: products, sums, scans, sorting, moving rows."""
