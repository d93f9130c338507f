"""Ops along axes: sums, extremes, running totals, order, statistics."""
