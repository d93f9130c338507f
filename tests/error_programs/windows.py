"""What is refused or fails: windows over images that do not fit."""

from __future__ import annotations

import autograph as ag
from tests.error_programs.registry import refused, t, three, two


def images():
    return ag.ones((1, 4, 4, 2))


def kernel():
    return ag.ones((2, 2, 2, 1))


@refused(two, kernel)
def conv_of_a_vector(x, k):
    return ag.conv2d(x, k)


@refused(lambda: t([[[[1, 2]]]]), lambda: ag.ones((1, 1, 2, 1)))
def conv_of_ints(x, k):
    return ag.conv2d(x, k)


@refused(images, lambda: ag.ones((2, 2, 3, 1)))
def conv_of_other_channels(x, k):
    return ag.conv2d(x, k)


@refused(images, kernel)
def transposed_conv_padded_by_numbers(x, k):
    return ag.conv2d_transpose(x, k, padding=((1, 1), (1, 1)))


@refused(two, kernel)
def transposed_conv_of_a_vector(x, k):
    return ag.conv2d_transpose(x, k)


@refused(two)
def max_pool_of_a_vector(x):
    return ag.max_pool2d(x, 2)


@refused(images, two)
def depthwise_by_a_vector(x, k):
    return ag.depthwise_conv2d(x, k)


@refused(images, lambda: ag.ones((2, 2, 3, 1)))
def depthwise_of_other_channels(x, k):
    return ag.depthwise_conv2d(x, k)


@refused(images, three)
def depthwise_of_unknown_size(x, n):
    return ag.depthwise_conv2d(x, ag.ones((int(n), 2, 2, 1)))


@refused(images)
def empty_window(x):
    return ag.max_pool2d(x, 0)


@refused(images)
def negative_padding(x):
    return ag.max_pool2d(x, 2, padding=((-1, 0), (0, 0)))
