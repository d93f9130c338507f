"""What is refused or fails: functions that NumPy code uses."""

from __future__ import annotations

import numpy as np

import autograph as ag
from tests.error_programs.registry import matrix, one, refused, t, two


def cube():
    return ag.ones((2, 2, 2))


@refused(cube)
def diag_of_three_axes(x):
    return ag.diag(x)


@refused(matrix)
def turn_along_one_axis(x):
    return ag.rot90(x, axes=(0,))


@refused(matrix)
def turn_in_place(x):
    return ag.rot90(x, axes=(1, 1))


@refused(one)
def stack_of_nothing(x):
    return ag.vstack([])


@refused(two)
def split_into_nothing(x):
    return ag.array_split(x, 0)


@refused(two)
def choices_without_conditions(x):
    return ag.select([], [])


@refused(two)
def fewer_choices_than_conditions(x):
    return ag.select([x > 0], [])


@refused(matrix)
def weights_of_other_shape(x):
    return ag.average(x, weights=x[0])


@refused(cube)
def covariance_of_a_batch(x):
    return ag.cov(x)


@refused(two, matrix)
def bins_of_two_axes(x, bins):
    return ag.digitize(x, bins)


@refused(two)
def count_of_floats(x):
    return ag.bincount(x)


@refused(two)
def histogram_of_no_bins(x):
    return ag.histogram(x, 0)


@refused(two)
def histogram_by_itself(x):
    return ag.histogram(x, "auto")


@refused(two)
def quantile_of_no_method(x):
    return ag.quantile(x, 0.5, method="best")


@refused(two, matrix)
def interpolation_of_matrices(x, points):
    return ag.interp(x, points, points)


@refused(two)
def interpolation_of_no_period(x):
    return ag.interp(x, x, x, period=0)


@refused(matrix)
def distances_for_more_axes(x):
    return ag.gradient(x, 1.0, 1.0, 1.0)


@refused(matrix)
def gradient_of_third_order(x):
    return ag.gradient(x, edge_order=3)


@refused(lambda: t([1.0]))
def gradient_of_one_sample(x):
    return ag.gradient(x)


@refused(two)
def convolution_of_no_mode(x):
    return ag.convolve(x, x, mode="some")


@refused(matrix, two)
def convolution_of_matrices(x, y):
    return ag.convolve(x, y)


@refused(two)
def convolution_of_nothing(x):
    return ag.convolve(x, x[:0])


@refused(matrix)
def powers_of_a_matrix(x):
    return ag.vander(x)


@refused(two)
def polynomial_of_negative_degree(x):
    return ag.polyfit(x, x, -1)


@refused(matrix, two)
def polynomial_through_a_matrix(x, y):
    return ag.polyfit(x, y, 1)


@refused(lambda: np.ones(3))
def partition_behind_the_end(a):
    return np.partition(a, 3)


@refused(lambda: np.ones(3))
def order_of_no_kind(a):
    return np.argsort(a, kind="x")


@refused(two)
def share_beyond_all(x):
    return ag.quantile(x, x[0] + 8.0)
