"""What is refused or fails: arguments."""

from __future__ import annotations

import numpy as np

import autograph as ag
from tests.error_programs.registry import fails, one, refused, t


class Box:
    def __init__(self, value):
        self.value = value


@refused(lambda: np.ones(2, np.float16))
def half_array(a):
    return a * 2


@refused(lambda: np.float16(1.0))
def half_number(a):
    return a * 2


@refused(lambda: np.matrix([[1.0]]))
def numpy_matrix(a):
    return a * 2


@refused(lambda: np.ma.masked_array([1.0, 2.0], [True, False]))
def masked_array(a):
    return a * 2


@refused(lambda: np.array(["a"]))
def string_array(a):
    return a


@refused(lambda: np.array([1, "a", None], dtype=object))
def object_array(a):
    return a


@refused(lambda: np.array(["2020-01-01"], dtype="datetime64[D]"))
def date_array(a):
    return a


@refused(lambda: np.zeros(2, dtype=[("a", "f4")]))
def record_array(a):
    return a


@refused(one, "text")
def text_added(x, y):
    return x + y


@refused(one, lambda: object())
def object_added(x, y):
    return x + y


@refused(one, 1j)
def complex_remainder(x, y):
    return x % y


@refused(one)
def argument_missing(x, y):
    return x + y


@refused(one, one, one)
def argument_too_many(x, y):
    return x + y


@refused(lambda: 2**70)
def huge_number(n):
    return int(ag.asarray(1)) * n


@fails("text")
def tensor_of_text(x):
    return t(x)


@fails([[1.0], [2.0, 3.0]])
def tensor_of_ragged(x):
    return t(x)


@fails(["a", "b"])
def tensor_of_texts(x):
    return t(x)


@fails(lambda: object())
def tensor_of_object(x):
    return t(x)


@fails(None)
def tensor_of_none(x):
    return t(x)


@fails(lambda: {"a": 1})
def tensor_of_dict(x):
    return t(x)


@fails(2**80)
def tensor_of_huge(x):
    return t(x)


@fails(lambda: np.float16(1))
def tensor_of_half(x):
    return t(x)


@fails(lambda: np.matrix([[1.0, 2.0]]))
def tensor_of_matrix(x):
    return t(x)[0][0][0]


@fails("float16")
def dtype_of_half(dtype):
    return t(1.0, dtype=dtype)


@fails("float16")
def default_dtype(dtype):
    return ag.set_default_dtype(dtype)


@fails()
def not_a_function():
    return ag.function(3)


@fails()
def unknown_mode():
    return ag.function(mode="fast")


@fails()
def converted_builtin():
    return ag.convert(len)


@fails()
def code_of_class():
    return ag.to_code(Box)


@fails()
def no_such_name():
    return ag.no_such_name


@fails()
def function_of_branches_missing():
    return ag.cond(True, 1.0, 2.0)


@fails()
def branches_that_are_no_list():
    return ag.switch(0, len)


@fails()
def one_loop_variable_alone():
    return ag.while_loop(lambda i: i < 3, lambda i: i + 1, 0)


@fails()
def function_and_tensor_exchanged():
    return ag.map_fn(t([1.0]), lambda v: v)


@fails()
def gradient_of_a_value():
    return ag.grad(ag.sum(t([1.0])))


@fails()
def gradient_by_name():
    return ag.grad(lambda v: v * v, "v")


@fails()
def gradient_by_a_missing_argument():
    return ag.grad(lambda v: v * v, 1)(t(1.0))


@fails()
def tangents_without_a_tuple():
    return ag.jvp(lambda v: v * v, t(1.0), t(1.0))


@refused(one)
def inputs_without_a_list(x):
    return ag.py_function(lambda v: v, x, ag.TensorSpec((), ag.float32))


@fails()
def sizes_as_text():
    return ag.TensorSpec("ab")


@fails()
def half_a_size():
    return ag.TensorSpec((2.5,))


@fails()
def name_that_is_a_number():
    return ag.TensorSpec((2,), "float32", 3)


@fails()
def dtype_in_the_place_of_the_name():
    return ag.Variable(1.0, False)


@fails()
def trainable_as_text():
    return ag.Variable(1.0, trainable="no")


@fails()
def seed_as_text():
    return ag.set_seed("a")


@fails()
def axis_as_text():
    return ag.sum(t([1.0]), "rows")


@fails()
def two_axes_where_one_is_meant():
    return ag.argmax(t([[1.0]]), (0, 1))


@fails()
def tensors_without_a_list():
    return ag.concat(t([1.0]), t([2.0]))


@fails()
def torchs_word_for_axis():
    return ag.sum(t([1.0]), dim=0)


@fails()
def shape_in_two_arguments():
    return ag.zeros(2, 3)


@fails()
def keepdims_as_the_third_argument():
    return ag.sum(t([1.0]), 0, True)
