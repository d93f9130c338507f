"""What is refused or fails: linear algebra, Fourier transforms, special functions."""

from __future__ import annotations

import autograph as ag
from tests.error_programs.registry import matrix, one, refused, t, two

L, F = ag.linalg, ag.fft


def square():
    return t([[1.0, 2.0], [3.0, 5.0]])


def singular():
    return ag.ones((2, 2))


def high():
    return t([[1.0, 2.0], [3.0, 4.0], [0.5, 1.0]])


@refused(two)
def inverse_of_a_vector(x):
    return L.inv(x)


@refused(high)
def determinant_of_a_rectangle(x):
    return L.det(x)


@refused(square, lambda: t([1.0, 2.0, 3.0]))
def equations_of_other_size(x, y):
    return L.solve(x, y)


@refused(singular)
def inverse_of_a_singular_matrix(x):
    return L.inv(x)


@refused(lambda: ag.zeros((2, 2)), two)
def triangle_with_a_zero(x, y):
    return L.solve_triangular(x, y)


@refused(square, two)
def transpose_of_no_kind(x, y):
    return L.solve_triangular(x, y, trans="X")


@refused(lambda: -ag.ones((2, 2)))
def cholesky_of_a_negative_matrix(x):
    return L.cholesky(x)


@refused(square)
def triangle_of_no_name(x):
    return L.eigh(x, UPLO="X")


@refused(square)
def qr_of_no_mode(x):
    return L.qr(x, mode="full")


@refused(high)
def gradient_of_all_singular_vectors(x):
    return ag.grad(lambda x: ag.sum(L.svd(x).U))(x)


@refused(high)
def gradient_of_complete_qr(x):
    return ag.grad(lambda x: ag.sum(L.qr(x, mode="complete").Q))(x)


@refused(matrix)
def matrix_norm_of_no_order(x):
    return L.matrix_norm(x, ord=3)


@refused(matrix)
def vector_norm_by_a_word(x):
    return L.norm(x, "nuc", axis=0)


@refused(lambda: ag.ones((2, 2, 2)))
def norm_of_three_axes(x):
    return L.norm(x, 2)


@refused(matrix)
def product_of_one(x):
    return L.multi_dot([x])


@refused(lambda: ag.ones((2, 2, 2)), two)
def least_squares_of_a_batch(x, y):
    return L.lstsq(x, y)


@refused(one)
def transform_of_a_number(x):
    return F.fft(x)


@refused(two)
def transform_to_nothing(x):
    return F.fft(x, n=0)


@refused(lambda: t([1j, 2.0]))
def real_transform_of_complex(x):
    return F.rfft(x)


@refused(two)
def transform_of_no_norm(x):
    return F.fft(x, norm="none")


@refused(matrix)
def transform_of_other_axes(x):
    return F.fftn(x, s=(2,), axes=(0, 1))


@refused(matrix)
def transform_along_nothing(x):
    return F.fftn(x, axes=())


@refused(two)
def frequencies_of_integers(x):
    return x * F.fftfreq(2, dtype=ag.int64)


@refused(two)
def gradient_by_a_parameter(x):
    return ag.grad(lambda a: ag.sum(ag.special.gammainc(a, x)))(x)
