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
def complex_added(x, y):
    return x * y


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
