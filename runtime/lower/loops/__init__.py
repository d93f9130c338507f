"""Elementwise ops, reductions and scans as nests of loops."""
