"""What is refused or fails: calls."""

from __future__ import annotations

import dataclasses
import datetime
import functools
import itertools
import json
import os
import random
import statistics
import threading
import warnings
from typing import Any

import numpy as np

import autograph as ag
from tests.error_programs.registry import fails, matrix, one, refused, three, two


@dataclasses.dataclass
class Counted:
    value: int
    total: int = dataclasses.field(default=0, init=False)


class Empty:
    pass


def takes_two(x, y):
    return x + y


_typed: dict[str, Any] = {}
exec("def typed(x):\n    return x + 1\n", _typed)
typed = _typed["typed"]


@refused(one)
def clock(x):
    return x + datetime.datetime.now().second


@refused(one)
def warning_made_before(x):
    warnings.warn(UserWarning("it is negative"), stacklevel=1)
    return x


@refused(one)
def warnings_recorded(x):
    with warnings.catch_warnings(record=True):
        return x * 2


@refused(one)
def filter_under_a_condition(x):
    with warnings.catch_warnings():
        if x > 0:
            warnings.simplefilter("ignore")
        return x * 2


@refused(one)
def errors_of_numbers_set(x):
    np.seterr(divide="ignore")
    return x * 2


@refused(one)
def text_of_a_partial(x):
    return str(functools.partial(max, x))


@refused(one)
def many_random_bits(x):
    return x + random.getrandbits(80)


@refused(one)
def process(x):
    return x + os.getpid()


@refused(one)
def lock(x):
    with threading.Lock():
        return x


@refused(one)
def file(x):
    with open(__file__) as opened:
        return x + len(opened.read())


@refused(matrix)
def numpy_of_staged(x):
    return np.spacing(x)


@refused(one)
def container_to_native(x):
    return statistics.harmonic_mean([x, x])


@refused(one)
def source_missing(x):
    return typed(x)


@refused(one)
def variable_made(x):
    return ag.Variable(x) * 2 if x > 0 else x


@refused(one)
def variable_made_of_what_python_gives(x):
    return ag.Variable(ag.py_function(lambda x: x, [x], ag.TensorSpec(()))) * 2


class Named(ag.Variable):
    def __init__(self, initial):
        super().__init__(initial, name="named")


@refused(one)
def variable_of_a_class_of_its_own(x):
    return Named(x) * 2


@refused(one)
def staged_value_in_an_init_scope(x):
    y = x * 2
    with ag.init_scope():
        return ag.Variable(y + 1)


@refused(one)
def class_made(x):
    return type("Made", (), {})()


@refused(one)
def class_returned(x):
    class Item:
        kept = 1

    return Item


@refused(one)
def object_of_a_class_inside_returned(x):
    class Item:
        def value(self):
            return x

    return Item()


@refused(one)
def called_back_function_uses_a_local(x):
    y = x * 2
    ag.py_function(lambda: float(y), [])
    return x


@refused(one)
def py_function_without_spec(x):
    return ag.py_function(lambda x: x, [x], "f32[]")


@refused(one)
def py_function_of_other_shape(x):
    return ag.py_function(lambda x: ag.ones((3,)), [x], ag.TensorSpec((2,), ag.float32))


@refused(one)
def no_arguments_taken(x):
    return Empty(x)


@refused(one)
def replace_of_no_dataclass(x):
    return dataclasses.replace(3, x=x)


@refused(one)
def missing_attribute(x):
    return x.missing


@refused(one)
def not_callable(x):
    return x(1)


@refused(one)
def wrong_arguments(x):
    return takes_two(x)


@refused(two)
def map_used_twice(x):
    positive = map(lambda v: v > 0, x)
    return any(positive), list(positive)


@refused(one)
def grown_list_unpacked(x):
    items = []
    while x < 10:
        items.append(x)
        x = x + 4
    return max(*items)


@refused(one)
def cache_looked_into(x):
    @functools.lru_cache
    def doubled(k):
        return k * 2

    return x * doubled(2), doubled.cache_info()


@refused(one)
def iterator_left_anywhere(x):
    items = iter([1.0, 2.0])
    for item in items:
        if x > item:
            break
    return max(0.0, *items)


@refused(one)
def dict_changed_while_iterated(x):
    table = {"a": 1.0}
    for key in table:
        if x > 0:
            table[key + "b"] = x
    return table


@refused(one)
def container_to_sorted(x):
    return statistics.mean([x, x])


@refused(one)
def replace_of_field(x):
    return dataclasses.replace(Counted(1), total=x)


@refused(one)
def power_of_a_tensor_with_modulus(x):
    return pow(x, 2, 3)


@refused(one)
def permutations_of_a_grown_list(x):
    items = []
    while x < 10:
        items.append(x)
        x = x + 4
    return list(itertools.permutations(items))


@refused(one)
def grown_list_in_foreign_code(x):
    items = []
    while x < 10:
        items.append(1.0)
        x = x + 4
    return statistics.harmonic_mean(items)


LOCKS = threading.Lock(), threading.Lock()


@refused(one)
def one_of_several_locks(x):
    lock = LOCKS[0] if x > 0 else LOCKS[1]
    with lock:
        return x * 2


@refused(one)
def zip_advanced_in_a_loop(x):
    pairs = zip([1.0, 2.0, 3.0], [3.0, 4.0, 5.0])
    while x < 10:
        a, b = next(pairs)
        x = x + a + b
    return x


def handed_down(k, error):
    if k <= 0:
        return 1
    own = KeyError("own")
    own.count = 1
    rest = handed_down(k - 1, own)
    error.count = rest + own.count
    return error.count


@refused(three)
def recursion_that_changes_what_it_is_given(n):
    error = KeyError("first")
    return handed_down(n, error) + error.count


@refused(three)
def bytes_of_a_grown_list(n):
    return bytes([i for i in range(n)])


KEPT_VALUES = []


@ag.do_not_convert
def keep(value):
    KEPT_VALUES.append(value)


@fails(one)
def value_looked_at_after_its_call(x):
    def doubled(y):
        keep(y * 2)
        return y

    ag.function(doubled, mode="evaluate")(x)
    return KEPT_VALUES[-1].numpy()


@refused(three)
def zip_strict_in_turn(n):
    items = iter([1, 2, 3])
    return list(zip(items, range(n), strict=True))


@refused(three)
def iterator_asked_in_turn(n):
    keys = iter({"a": 1, "b": 2})
    return [key for key, _ in zip(keys, range(n))]


@refused(three)
def length_of_a_staged_string(n):
    text = ""
    for i in range(n):
        text += f"{i / 7},"
    return len(text)


@refused(three)
def filter_after_an_error(n):
    few = filter(lambda k: 6 // (k - int(n)) < 5, [3, 1, 2])
    try:
        next(few)
    except ZeroDivisionError:
        pass
    return next(few)


@refused(one)
def py_function_of_other_counts(x):
    wanted = [ag.TensorSpec(()), ag.TensorSpec(())]
    return ag.py_function(lambda x: (x, x, x), [x], wanted)


@refused(three)
def bytes_of_an_iterator(n):
    items = [k for k in range(int(n))]
    return bytes(reversed(items))


class Encoder(json.JSONEncoder):
    pass


@refused(one)
def encoder_of_ones_own(x):
    return x, json.dumps([1], cls=Encoder)


def names_counted(k, **names):
    if k <= 0:
        return len(names)
    return names_counted(k - 1, a=1) if k > 3 else names_counted(k - 1, b=1)


@refused(three)
def names_that_change_from_call_to_call(n):
    return names_counted(int(n) + 3)
