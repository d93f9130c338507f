"""Programs, run: compiled as a whole, or driven by CPython segment by segment."""
