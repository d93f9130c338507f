"""Functions of arrays that are made of ops, by the names that NumPy has for them."""
