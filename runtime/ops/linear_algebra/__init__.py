"""Linear algebra: factorisations, solving, functions of matrices, norms."""
