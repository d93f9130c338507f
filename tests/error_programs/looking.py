"""What is refused or fails: functions that are looked at, specialised, pickled or kept."""

from __future__ import annotations

import copy
import pickle

import autograph as ag
from tests.error_programs.registry import fails, t


@ag.function(mode="evaluate")
def scaled(x, k):
    return x * k


@ag.function(mode="evaluate", input_signature=[ag.TensorSpec((2,), ag.float32)])
def signed(x):
    return x * 2


@ag.function(
    mode="evaluate",
    input_signature=[{"a": ag.TensorSpec((), ag.float32)}, [ag.TensorSpec((), ag.float32)]],
)
def nested(table, items):
    return table["a"] + items[0]


@ag.function(mode="evaluate")
def grown(n):
    items = []
    for i in range(n):
        items.append(ag.asarray(2.0) * i)
    return items


@fails()
def specialised_for_another_number():
    return scaled.get_concrete(ag.TensorSpec((), ag.float32), 2)(t(1.0), 3)


@fails()
def pickled():
    return pickle.dumps(scaled)


@fails()
def pickled_after_a_call():
    scaled(t(1.0), 2)
    return pickle.dumps(ag.function(scaled.python_function))


@fails()
def signature_of_another_shape():
    return signed(t([1.0, 2.0, 3.0]))


@fails()
def signature_of_another_dtype():
    return signed(t([1, 2]))


@fails()
def signature_of_a_number():
    return signed(1.0)


@fails()
def signature_of_other_keys():
    return nested({"b": t(1.0)}, [t(1.0)])


@fails()
def signature_of_another_length():
    return nested({"a": t(1.0)}, [t(1.0), t(2.0)])


@fails()
def source_of_a_builtin():
    return ag.to_code(copy.copy.__call__)


def rewritten():
    names = {}
    exec(compile("def made(x):\n    return x\n", __file__, "exec"), names)
    return names["made"]


@fails()
def source_that_is_not_in_the_file():
    return ag.to_code(rewritten())
