"""Small programs of which each is refused or fails: what the user is told is kept as golden text.

`@refused(arguments)` is called staged, `@fails(arguments)` eagerly, where ops check what they get.
"""

from __future__ import annotations

import dataclasses
import functools
import math
import os
import random
import statistics
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

import autograph as ag

t = ag.asarray
Arguments = Callable[[], tuple[Any, ...]]


@dataclass(frozen=True)
class Row:
    """A program, how it is called, and in which family of texts it stands."""

    function: Any
    arguments: Arguments
    family: str
    staged: bool

    @property
    def name(self) -> str:
        """The name of the program."""
        return str(self.function.__name__)


ROWS: list[Row] = []
_family = [""]


def family(name: str) -> None:
    """The rows that follow belong to it."""
    _family[0] = name


def refused(*make: Any) -> Any:
    """A program that fails when it is called staged with these; functions among them are called."""

    def note(function: Any) -> Any:
        ROWS.append(Row(function, lambda: _made(make), _family[0], True))
        return function

    return note


def fails(*make: Any) -> Any:
    """A program that fails when it is called eagerly."""

    def note(function: Any) -> Any:
        ROWS.append(Row(function, lambda: _made(make), _family[0], False))
        return function

    return note


def _made(make: tuple[Any, ...]) -> tuple[Any, ...]:
    return tuple(one() if callable(one) else one for one in make)


WEIGHT = ag.Variable(2.0, name="weight")


def one() -> Any:
    return t(1.0)


def two() -> Any:
    return t([1.0, 2.0])


def three() -> Any:
    return t(3)


def flag() -> Any:
    return t(True)


def matrix() -> Any:
    return t([[1.0, 2.0], [3.0, 4.0]])


# -------------------------------------------------------------------------------------------------
family("conditions")


@refused(two)
def if_of_several(x):
    if x > 0:
        return 1
    return 0


@refused(two)
def while_of_several(x):
    while x < 10:
        x = x * 2
    return x


@refused(two)
def and_of_several(x):
    return x > 0 and x < 3


@refused(two)
def not_of_several(x):
    return not x


@refused(two)
def assert_of_several(x):
    assert x > 0
    return x


@refused(two)
def ternary_of_several(x):
    return 1 if x > 0 else 2


@refused(two)
def bool_of_several(x):
    return bool(x)


@refused(lambda: ag.zeros((0,)))
def if_of_none(x):
    if x:
        return 1
    return 0


family("branches")


@refused(three)
def too_many_strings(x):
    name = ""
    for k in range(20):
        if x > k:
            name = f"above {k}"
    return name


@refused(one)
def object_on_one_path(x):
    if x > 0:
        a = [x]
        b = a
    else:
        a = [x]
        b = [x]
    b.append(x)
    return a, b


@refused(one)
def choice_used_natively(x):
    name = "a" if x > 0 else "b"
    return math.sqrt(len(os.path.join(name, "c")))


@refused(lambda: t(-1.0))
def unset_after_branch(x):
    if x > 0:
        y = x
    return y


@refused(one)
def deleted_in_branch(x):
    y = x
    if x > 0:
        del y
    return y


@refused(three)
def unset_after_loop(n):
    for i in range(n - 5):
        last = i
    return last


@refused(one)
def identity_of_choice(x):
    return id(x if x > 0 else x + 1)


family("loops")


@refused(three)
def tensor_whose_rank_grows(n):
    x = ag.zeros(())
    for _ in range(n):
        x = ag.expand_dims(x, axis=0)
    return x


@refused(three)
def tuple_that_nests(n):
    nest = ()
    for _ in range(n):
        nest = (nest, n)
    return nest


@refused(three)
def string_that_grows(n):
    text = ""
    for _ in range(n):
        text += "x"
    return text


@refused(three)
def attribute_that_nests(n):
    box = Box(0)
    for _ in range(n):
        box.value = (box.value, n)
    return box.value


@refused(three)
def recursion_without_end(n):
    def down(k):
        return down(k - 1) if k > 0 else down(k)

    return down(n)


@refused(three)
def recursion_that_grows(n):
    def walk(k):
        return [k] + walk(k - 1) if k > 0 else []

    return walk(n)


family("lists")


@refused(three)
def structures_stacked(n):
    items = [(i, i) for i in range(n)]
    return ag.stack(items)


@refused(three)
def grown_given_to_a_method(n):
    items = [i for i in range(n)]
    return ",".join(items)


@refused(three)
def dict_that_grows(n):
    found = {}
    for i in range(n):
        found[f"{i}"] = i
    return found


@refused(three)
def element_written(n):
    items = [ag.zeros((2,)) for _ in range(n)]
    x = items[0]
    x[0] = 1.0
    return items


family("keys and slices")


@refused(lambda: np.ones(2))
def array_assigned(a):
    a[0] = 5.0
    return a


@refused(lambda: np.ones(2))
def array_augmented(a):
    a += 1
    return a


@refused(three)
def tensor_as_list_index(n):
    return [1, 2, 3][t([0, 1])]


@refused(three)
def range_index(n):
    return range(3)[n]


@refused(three)
def index_of_tuple(n):
    return (1.0, 2.0)[n]


@refused(three)
def key_of_dict(n):
    return {0: 1.0, 1: 2.0}[int(n)]


@refused(three)
def tensor_as_key(n):
    return {0: 1.0}[n]


@refused(three)
def missing_key(n):
    return {"a": n}["b"]


family("iteration")


@refused(two)
def too_many_to_unpack(x):
    (a,) = x
    return a


@refused(two)
def too_few_to_unpack(x):
    a, b, c = x
    return a


@refused(two)
def too_few_for_a_star(x):
    a, b, c, *d = x
    return a


@refused(one)
def next_of_staged(x):
    return next(v for v in (1.0, 2.0) if v > x)


@refused(one)
def iteration_of_scalar(x):
    return [i for i in x]


@refused(one)
def length_of_scalar(x):
    return len(x)


@refused(two)
def range_of_float(x):
    return [i for i in range(x[0])]


@refused(two)
def range_of_floats(x):
    return [i for i in range(float(x[0]))]


@refused(three)
def range_without_step(n):
    return [i for i in range(0, n, 0)]


@refused(three)
def double_star_of_changed(n):
    options = {}
    if n > 0:
        options["keepdims"] = True
    return ag.sum(n, **options)


@refused(three)
def max_of_nothing(n):
    return max([i for i in range(n - n)])


@refused(three)
def reduce_of_nothing(n):
    return functools.reduce(lambda a, b: a + b, [i for i in range(n - n)])


family("numbers and strings")


@refused(one)
def digits_to_round(x):
    return round(3.14159, int(x))


@refused(three)
def power_of_staged(n):
    return int(n) ** -int(n)


@refused(three)
def hex_of_staged(n):
    return hex(n)


@refused(three)
def method_of_number(n):
    return int(n).bit_length()


@refused(one)
def method_of_float(x):
    return float(x).as_integer_ratio()


@refused(one)
def missing_attribute_of_number(x):
    return float(x).missing


@refused(two)
def item_of_several(x):
    return x.item()


@refused(two)
def float_of_several(x):
    return float(x)


@refused(two)
def int_of_several(x):
    return int(x)


@refused(three)
def overflow(n):
    k = 3
    for _ in range(n + 60):
        k = k * k
    return k


@refused(three)
def string_compared(n):
    return f"{int(n)}" == "1"


@refused(three)
def length_of_string(n):
    return len(f"{int(n)}")


@refused(three)
def method_of_string(n):
    return f"{int(n)}".zfill(3)


@refused(three)
def missing_method_of_string(n):
    return f"{int(n)}".missing()


@refused(three)
def axis_that_is_staged(n):
    return ag.sum(ag.ones((2, 3)), axis=int(n))


family("calls")


@refused(one)
def clock(x):
    return x + time.time()


@refused(one)
def random_number(x):
    return x * random.random()


@refused(one)
def numpy_random(x):
    return x * np.random.rand()


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
    return np.linalg.det(x)


@refused(matrix)
def ufunc_of_staged(x):
    return np.sin(x)


@refused(one)
def container_to_native(x):
    return math.fsum([x, x])


@refused(one)
def source_missing(x):
    return typed(x)


@refused(one)
def variable_made(x):
    return ag.Variable(x) * 2


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
def generator_returned(x):
    return (i for i in [x])


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


@refused(one)
def position_of_staged(x):
    return [1.0, 2.0].index(x)


@refused(two)
def enumerate_used_twice(x):
    pairs = enumerate(x[x > 0])
    total = 0
    for i, _ in pairs:
        total = total + i
    for i, _ in pairs:
        total = total + i
    return total


@refused(one)
def changed_list_unpacked(x):
    items = [x]
    if x > 0:
        items.append(x)
    a, b = items
    return a


@refused(one)
def iterator_left_anywhere(x):
    items = iter([1.0, 2.0])
    for item in items:
        if x > item:
            break
    return list(items)


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


family("match")


@refused(one)
def match_of_no_class(x):
    match x:
        case NO_CLASS():
            return 1
    return 0


@refused(one)
def match_args_of_no_tuple(x):
    match Listed():
        case Listed(a):
            return a
    return x


@refused(one)
def too_many_sub_patterns(x):
    match Paired():
        case Paired(a, b, c):
            return a
    return x


@refused(one)
def sub_pattern_twice(x):
    match Paired():
        case Paired(a, first=b):
            return a
    return x


@refused(one)
def match_args_of_no_names(x):
    match Numbered():
        case Numbered(a):
            return a
    return x


family("try")


@refused(one)
def py_function_that_raises_inside_try(x):
    spec = ag.TensorSpec((), ag.float32)
    try:
        return ag.py_function(lambda x: x / [][0], [x], spec)
    except IndexError:
        return x


@refused(one)
def tape_started_inside_try(x):
    try:
        with ag.GradientTape() as tape:
            tape.watch(x)
            y = x * x
        assert y < 100
    except AssertionError:
        y = x * 3
    return tape.gradient(y, x)


@refused(one)
def raised(x):
    if x > 0:
        raise ValueError(f"{x} is positive")
    return x


@refused(one)
def asserted(x):
    assert x < 0, "must be negative"
    return x


family("syntax")


@refused(one)
def generates(x):
    yield x


@refused(one)
def evaluates(x):
    return eval("x + 1")


@refused(one)
def names_of_frame(x):
    return locals()


@refused(one)
async def waits(x):
    return x


family("arguments")


@refused(lambda: np.array([1j]))
def complex_array(a):
    return a


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
    return ag.asarray(1.0) * n


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


@fails(1j)
def tensor_of_complex(x):
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


family("tensors")


@refused(two, lambda: t([1.0, 2.0, 3.0]))
def broadcast(x, y):
    return x + y


@refused(two)
def matmul_of_vector_and_matrix(x):
    return ag.ones((3, 3)) @ x


@refused(one)
def matmul_of_scalar(x):
    return x @ x


@fails(two)
def index_out_of_range(x):
    return x[5]


@fails(two)
def too_many_indices(x):
    return x[0, 0]


@refused(two)
def two_ellipses(x):
    return x[..., ...]


@fails(two)
def index_by_bool(x):
    return x[True]


@fails(two)
def index_by_float(x):
    return x[1.5]


@fails(two)
def index_by_text(x):
    return x["a"]


@fails(two)
def index_by_float_tensor(x):
    return x[t([0.0])]


@fails(two)
def slice_by_text(x):
    return x["a":]


@refused(two)
def slice_step_zero(x):
    return x[::0]


@fails(two)
def mask_of_other_shape(x):
    return x[t([True, False, True])]


@fails(matrix)
def assignment_into_slice(x):
    row = x[0]
    row[0] = 9.0
    return x


@refused(two)
def assignment_of_other_shape(x):
    x[:] = [1.0, 2.0, 3.0]
    return x


@refused(two)
def reshape_misfit(x):
    return ag.reshape(x, (3,))


@refused(two)
def reshape_two_unknown(x):
    return ag.reshape(x, (-1, -1))


@refused(two)
def axis_out_of_range(x):
    return ag.sum(x, axis=3)


@refused(matrix)
def axis_repeated(x):
    return ag.sum(x, axis=(0, 0))


@refused(matrix)
def squeeze_of_wide(x):
    return ag.squeeze(x, axis=0)


@refused(matrix)
def permute_wrong(x):
    return ag.permute_dims(x, (0, 0))


@refused(matrix)
def concat_misfit(x):
    return ag.concat([x, ag.ones((3, 3))], axis=0)


@refused()
def concat_of_nothing():
    return ag.concat([])


@refused(one)
def concat_of_scalars(x):
    return ag.concat([x, x])


@refused()
def stack_of_nothing():
    return ag.stack([])


@refused(one, two)
def stack_misfit(x, y):
    return ag.stack([x, y])


@refused(matrix)
def broadcast_misfit(x):
    return ag.broadcast_to(x, (3, 3))


@refused(lambda: ag.zeros((0,)))
def max_of_empty(x):
    return ag.max(x)


@refused(lambda: ag.zeros((0,)))
def argmax_of_empty(x):
    return ag.argmax(x)


@fails(matrix)
def cumulative_without_axis(x):
    return ag.cumulative_sum(x)


@refused(lambda: t([1, 2]))
def power_of_negative(x):
    return x**-1


@refused(one)
def bitwise_of_float(x):
    return x & 1


@refused(lambda: t(1, dtype=ag.int8))
def int_too_large_for_dtype(x):
    return x + 1000


@refused()
def negative_size():
    return ag.zeros((-1,))


@refused()
def size_of_text():
    return ag.zeros("a")


@fails()
def size_of_float():
    return ag.zeros((1.5,))


@refused(two)
def full_of_several(x):
    return ag.full((2,), x)


@refused(two)
def triangle_of_vector(x):
    return ag.tril(x)


@fails(one)
def nonzero_of_scalar(x):
    return ag.nonzero(x)


@fails(two)
def transposed_vector(x):
    return ag.matrix_transpose(x)


@fails(one)
def one_hot_of_float(x):
    return ag.one_hot(x, 3)


@fails()
def random_seed_of_float():
    return ag.random_uniform(seed=1.5)


@fails()
def random_dtype():
    return ag.random_uniform(dtype=ag.int32)


@fails()
def random_range():
    return ag.random_integers(5, 5)


@fails(matrix)
def take_without_axis(x):
    return ag.take(x, t([0]))


@fails(two)
def op_without_argument(x):
    return ag.add(x)


@fails(two)
def op_with_too_many(x):
    return ag.exp(x, x, x)


@fails(two)
def op_with_unknown_keyword(x):
    return ag.sum(x, axes=0)


@fails(two)
def op_with_argument_twice(x):
    return ag.add(x, x, x1=x)


@fails(two)
def stack_with_unknown_keyword(x):
    return ag.stack([x], axes=0)


@fails(two)
def concat_without_argument(x):
    return ag.concat()


@fails(two)
def op_of_text(x):
    return ag.exp("a")


@fails(one)
def eager_length_of_scalar(x):
    return len(x)


@fails(two)
def eager_truth_of_several(x):
    return bool(x)


@fails(two)
def eager_index(x):
    return [1, 2][x]


@refused(two)
def mask_as_one_bool(x):
    return x[x[0] > 0]


@refused(two)
def bool_in_an_index(x):
    return x[True, 0]


@refused(two)
def list_of_texts_as_index(x):
    return x[["a"]]


@refused(matrix)
def take_along_other_rank(x):
    return ag.take_along_axis(x, t([0]), axis=0)


@refused(two)
def axis_of_flip(x):
    return ag.flip(x, axis=2)


@refused(lambda: t([1, 2]), lambda: t(-1))
def power_of_tensors(x, y):
    return x**y


@refused(two)
def indices_out_of_range(x):
    return x[t([0, 7])]


@refused(two)
def scalar_unstacked(x):
    return ag.unstack(x[0])


@refused(two)
def staged_length_unstacked(x):
    return ag.unstack(x[x > 0])


@refused(matrix)
def axes_of_other_number(x):
    return ag.permute_dims(x, (0,))


@refused(two)
def expand_same_axis(x):
    return ag.expand_dims(x, axis=5)


@refused(two)
def required_attribute(x):
    return ag.astype(x)


@refused(two)
def attribute_twice(x):
    return ag.sum(x, 0, axis=0)


@refused(two)
def seed_of_floats(x):
    return ag.random_uniform((2,), seed=x)


@refused(two)
def sizes_of_floats(x):
    return ag.zeros((x[0],))


@refused(three)
def empty_stacked(n):
    items = [i for i in range(n - 3)]
    return ag.stack(items)


@refused(three)
def empty_concatenated(n):
    items = [ag.ones((1,)) for _ in range(n - 3)]
    return ag.concat(items)


@refused(three)
def scalars_concatenated(n):
    items = [i for i in range(n)]
    return ag.concat(items)


@refused(three)
def index_of_grown(n):
    items = [i for i in range(n)]
    return items[7]


@refused(three)
def pop_of_empty(n):
    items = [i for i in range(n - 3)]
    return items.pop()


@refused(two)
def reshape_unknown_misfit(x):
    return ag.reshape(x, (3, -1))


@refused(lambda: t(2.5))
def root_of_negative(x):
    return (-float(x)) ** 0.5


@refused(lambda: t(0.0))
def power_of_zero(x):
    return float(x) ** -1.0


family("cond and while_loop")


@fails(two)
def cond_of_several(x):
    return ag.cond(x > 0, lambda: x, lambda: -x)


@refused(one)
def cond_of_other_structure(x):
    return ag.cond(x > 0, lambda: (x, x), lambda: x)


@refused(one)
def cond_of_other_dtype(x):
    return ag.cond(x > 0, lambda: x, lambda: ag.astype(x, ag.int32))


@refused(one)
def cond_of_none(x):
    return ag.cond(x > 0, lambda: x, lambda: None)


@refused(one)
def while_loop_that_changes(x):
    return ag.while_loop(lambda x: x < 5, lambda x: (x, x), [x])


@refused(one)
def while_loop_of_other_dtype(x):
    return ag.while_loop(lambda x: x < 5, lambda x: ag.astype(x, ag.int32), [x])


family("gradients")


@fails(lambda: t([1, 2]))
def watch_of_integers(n):
    with ag.GradientTape() as tape:
        tape.watch(n)
    return tape.gradient(n, n)


@fails(lambda: t([1.0, 2.0]))
def gradient_of_integers(x):
    with ag.GradientTape() as tape:
        tape.watch(x)
        y = ag.astype(x, ag.int64)
    return tape.gradient(y, x)


@fails(3.0)
def watch_of_number(x):
    with ag.GradientTape() as tape:
        tape.watch(x)
    return x


@fails(one)
def gradient_of_number(x):
    with ag.GradientTape() as tape:
        tape.watch(x)
    return tape.gradient(3.0, x)


@fails(one)
def gradient_twice(x):
    with ag.GradientTape() as tape:
        tape.watch(x)
        y = x * x
    tape.gradient(y, x)
    return tape.gradient(y, x)


@fails(one)
def tape_entered_twice(x):
    tape = ag.GradientTape()
    with tape, tape:
        return x


@refused(one)
def tape_stopped_in_a_branch(x):
    with ag.GradientTape() as tape:
        tape.watch(x)
        if x > 0:
            with tape.stop_recording():
                x = x * x
    return x


@refused(one)
def gradient_function_that_changes_state(x):
    calls = []

    @ag.custom_gradient
    def f(a):
        def gradient(g):
            calls.append(g)
            return g

        return a * 1, gradient

    return f(x), calls


@fails(one)
def too_many_gradients(x):
    @ag.custom_gradient
    def f(a):
        return a * 1, lambda g: (g, g)

    return ag.grad(f)(x)


@fails(one)
def tape_not_recording(x):
    tape = ag.GradientTape()
    with tape.stop_recording():
        return x


@fails(one)
def seeds_misfit(x):
    with ag.GradientTape() as tape:
        tape.watch(x)
        y = x * x
    return tape.gradient([y, y], x, output_gradients=[y])


@refused(one)
def seed_of_other_shape(x):
    with ag.GradientTape() as tape:
        tape.watch(x)
        y = x * x
    return tape.gradient(y, x, output_gradients=ag.ones((3,)))


@refused(one)
def variable_read_by_py_function(x):
    w = WEIGHT
    with ag.GradientTape() as tape:
        tape.watch(x)
        y = ag.py_function(lambda a: a * w, [x], ag.TensorSpec((), ag.float32))
    return tape.gradient(y, x)


family("variables")


@fails(lambda: ag.Variable([1.0, 2.0]))
def assign_of_other_shape(v):
    return v.assign([1.0, 2.0, 3.0])


@fails(lambda: ag.Variable([1.0, 2.0], name="weight"))
def assign_of_other_dtype(weight):
    return weight.assign(t([1, 2]))


@fails(lambda: ag.Variable([1, 2]))
def assign_of_floats(v):
    return v.assign([1.5, 2.5])


@fails(lambda: ag.Variable([1.0, 2.0]))
def assign_add_of_other_shape(v):
    return v.assign_add([1.0, 2.0, 3.0])


@fails(lambda: ag.Variable([1.0, 2.0]))
def assign_of_text(v):
    return v.assign("text")


@refused(one)
def variable_of_global(x):
    return WEIGHT.assign(x * ag.ones((3,)))


# -------------------------------------------------------------------------------------------------
WEIGHT = ag.Variable([1.0, 2.0], name="weight")


NO_CLASS = 3


class Listed:
    __match_args__ = ["a"]


class Numbered:
    __match_args__ = (1,)


class Paired:
    __match_args__ = ("first", "second")
    first = 1
    second = 2


@dataclasses.dataclass
class Counted:
    value: int
    total: int = dataclasses.field(default=0, init=False)


class Box:
    def __init__(self, value):
        self.value = value


class Empty:
    pass


def takes_two(x, y):
    return x + y


_typed: dict[str, Any] = {}
exec("def typed(x):\n    return x + 1\n", _typed)
typed = _typed["typed"]
