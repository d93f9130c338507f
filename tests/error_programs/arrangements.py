"""What is refused or fails: tensors rearranged, padded, contracted, looked up; complex numbers."""

from __future__ import annotations

import autograph as ag
from tests.error_programs.registry import fails, matrix, refused, t, three, two


def complex_vector():
    return t([1.0 + 2.0j, 3.0])


@refused(matrix)
def roll_by_other_number(x):
    return ag.roll(x, (1, 2), axis=0)


@refused(two)
def mode_of_pad(x):
    return ag.pad(x, 1, mode="mirror")


@refused(two)
def negative_pad(x):
    return ag.pad(x, (1, -1))


@refused(two)
def negative_counts(x):
    return ag.repeat(x, [-1] * x.size)


@refused(two)
def pad_by_several(x):
    return ag.pad(x, 1, constant_values=((x, 1.0),))


@refused(matrix)
def pad_of_other_rank(x):
    return ag.pad(x, ((1, 1), (0, 0), (2, 2)))


@refused(lambda: ag.zeros((0,)))
def pad_of_nothing(x):
    return ag.pad(x, 1, mode="edge")


@refused(two)
def real_parts_of_floats(x):
    return ag.view_as_real(x)


@refused(lambda: t([1.0, 2.0, 3.0]))
def three_parts_as_complex(x):
    return ag.view_as_complex(x)


@refused(complex_vector)
def complex_as_a_python_number(z):
    return float(ag.sum(z * 2))


@refused(complex_vector)
def complex_as_float(z):
    return ag.astype(z, ag.float32)


@refused(complex_vector)
def complex_floor(z):
    return ag.floor(z)


@refused(complex_vector)
def gradient_of_a_complex(z):
    with ag.GradientTape() as tape:
        tape.watch(z)
        y = ag.exp(z)
    return tape.gradient(y, z)


@refused(matrix)
def tensordot_of_unequal_axes(x):
    return ag.tensordot(x, x, axes=([0, 1], [0]))


@refused(matrix)
def einsum_with_a_star(x):
    return ag.einsum("i*->i", x)


@refused(matrix)
def einsum_of_two(x):
    return ag.einsum("ij,jk->ik", x)


@refused(matrix)
def einsum_of_other_rank(x):
    return ag.einsum("i->i", x)


@refused(matrix)
def einsum_of_new_letter(x):
    return ag.einsum("ij->k", x)


@refused(matrix)
def einsum_without_the_other_axes(x):
    return ag.einsum("...j->j", x)


@refused(matrix)
def einsum_of_other_sizes(x):
    return ag.einsum("...,...", x, ag.ones((7, 5)))


@refused(two)
def cross_of_two(x):
    return ag.cross(x, x)


@refused(matrix, two)
def searched_in_a_matrix(x, v):
    return ag.searchsorted(x, v)


@refused(two)
def searched_at_no_side(x):
    return ag.searchsorted(x, x, side="middle")


@refused(two)
def negative_differences(x):
    return ag.diff(x, n=-1)


@refused(two, matrix)
def quantiles_on_two_axes(x, q):
    return ag.quantile(x, q / 4)


@refused(two)
def new_axis_twice(x):
    return ag.expand_dims(x, axis=(0, 0))


@refused(lambda: t(1.5))
def index_of_a_number(x):
    return ag.ones((3,))[float(x)]


@refused(lambda: t(1.5))
def slice_by_a_number(x):
    return ag.ones((3,))[: float(x)]


@refused(three)
def item_beyond_a_known_size(n):
    return ag.ones((3,))[5] + n


@refused(three)
def item_beyond_by_a_number(n):
    return ag.ones((3,))[int(n)]


@refused(two)
def missing_attribute(x):
    return ag.one_hot(t([1]))


@refused(two)
def diagonal_of_a_vector(x):
    return ag.diagonal(x)


@refused(two)
def spec_of_unknown_rank(x):
    return x + ag.zeros((2,), dtype=ag.TensorSpec(None).dtype)


@fails(lambda: t([1.0, 2.0, 3.0]))
def rows_at_equal_distances(x):
    return ag.linspace(x, 5.0, 3)
