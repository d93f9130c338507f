"""NumPy's functions as plain Python on other functions of NumPy: converted, then staged."""
