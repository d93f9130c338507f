"""What fails: windows over images, tensors laid out anew, layers."""

from __future__ import annotations

import autograph as ag
from tests.error_programs.registry import fails, matrix, one, refused, two


def image():
    return ag.ones((1, 4, 4, 1))


def kernel():
    return ag.ones((3, 3, 1, 1))


@fails(image, kernel)
def strides_of_three(x, w):
    return ag.conv2d(x, w, strides=(1, 1, 1))


@fails(image, kernel)
def padding_by_another_name(x, w):
    return ag.conv2d(x, w, padding="full")


@fails(image, kernel)
def padding_of_three(x, w):
    return ag.conv2d(x, w, padding=((1, 1), (1, 1), (1, 1)))


@refused(image)
def window_larger_than_the_image(x):
    return ag.conv2d(x, ag.ones((5, 5, 1, 1)), padding="VALID")


@fails(two)
def grid_in_another_order(x):
    return ag.meshgrid(x, x, indexing="yx")


@fails(matrix)
def grid_of_matrices(x):
    return ag.meshgrid(x, x)


@fails(two)
def parts_that_are_not_equal(x):
    return ag.split(x, 3)


@fails(matrix)
def axis_moved_to_two_places(x):
    return ag.moveaxis(x, 0, (0, 1))


@fails(one)
def gradient_function_forgotten(x):
    @ag.custom_gradient
    def doubled(value):
        return 2 * value

    return doubled(x)


@fails()
def dropout_of_all():
    return ag.nn.Dropout(1.0)
