"""What fails: how other libraries look at a tensor, specs, functions kept for one signature."""

from __future__ import annotations

import numpy as np

import autograph as ag
from tests.error_programs.registry import fails, one, refused, two


class Shared:
    """An array of another library."""

    def __init__(self, array):
        self.array = array

    def __dlpack__(self, **wanted):
        return self.array.__dlpack__(**wanted)

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


SHARED = Shared(np.ones(2))


@refused(two)
def read_from_another_library(x):
    return x + ag.from_dlpack(SHARED)


@fails(one)
def shared_with_another_library(x):
    return np.from_dlpack(x, copy=False)


@fails(one)
def later_array_api(x):
    return x.__array_namespace__(api_version="2999.12")


@fails(one)
def another_device(x):
    return x.to_device("gpu")


@fails(one)
def dtype_for_a_device(x):
    return x.to(ag.float32)


@fails()
def kind_of_dtype_by_another_name():
    return ag.isdtype(ag.float32, "floating")


@fails()
def common_type_of_nothing():
    return ag.result_type()


@fails()
def spec_of_negative_size():
    return ag.TensorSpec((-1,))


def weighted(x, w):
    return x * w


def concrete():
    spec = ag.TensorSpec((), ag.float32)
    return ag.function(weighted, mode="evaluate").get_concrete(spec, spec)


@fails(one)
def concrete_with_too_many(x):
    return concrete()(x, x, x)


@fails(one)
def concrete_with_another_name(x):
    return concrete()(x, v=x)


@fails(one)
def concrete_with_too_few(x):
    return concrete()(x)


@fails(one)
def eager_iteration_over_a_scalar(x):
    return list(x)


@ag.do_not_convert
def kept_out(y):
    return 1 if y.shape[0] else 2


@refused(two)
def size_that_decides_in_code_kept_out(x):
    return kept_out(x[x > 0])


@ag.do_not_convert
def as_wide(y):
    return ag.zeros((y.shape[0],))


@refused(two)
def size_given_by_code_kept_out(x):
    return as_wide(x[x > 0])
