"""Products, factorisations, convolution and pooling: what BLAS, LAPACK and `kernels.library` do."""
