"""NumPy's arrays, scalars and functions, in staged code."""
