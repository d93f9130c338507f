"""Branches that leave different Python values: None, strings, functions, tuples, dtypes."""

from __future__ import annotations

import enum

import autograph as ag
from tests.corpus.registry import case, program

t = ag.asarray

BOTH = [case(t(2.0)), case(t(-2.0))]


@program(*BOTH)
def none_or_tensor(x):
    y = None
    if x > 0:
        y = x * 2
    if y is None:
        return "nothing"
    return y + 1


@program(*BOTH)
def none_or_tensor_is_returned(x):
    y = None
    if x > 0:
        y = x * 2
    return y


@program(*BOTH)
def strings(x):
    sign = "pos" if x > 0 else "neg"
    if sign == "pos":
        y = x + 1
    else:
        y = x - 1
    return sign, y, sign + "!", len(sign), sign != "neg"


@program(*BOTH)
def functions(x):
    if x > 0:
        f = ag.exp
    else:

        def f(v):
            return v * 10

    return f(x)


class Mode(enum.Enum):
    """An enum."""

    FAST = 1
    SLOW = 2


@program(*BOTH)
def enum_members(x):
    mode = Mode.FAST if x > 0 else Mode.SLOW
    if mode is Mode.FAST:
        y = x * 2
    else:
        y = x * 3
    return mode, y, mode.value, mode == Mode.SLOW


@program(*BOTH)
def tuples_of_different_lengths(x):
    if x > 0:
        shape = (x,)
    else:
        shape = (x, x + 1, 7)
    total = 0
    for one in shape:
        total = total + one
    return shape, len(shape), total


@program(*BOTH)
def different_dtypes(x):
    if x > 0:
        y = t(5)
    else:
        y = t(2.5)
    return y, y * 2, y // 2, y + 1.5


@program(*BOTH)
def integer_dtypes_under_a_shift(x):
    if x > 0:
        y = t(200, dtype=ag.uint8)
    else:
        y = t(200, dtype=ag.int32)
    return y << 1, y + 100, y.dtype


@program(*BOTH)
def different_ranks(x):
    if x > 0:
        y = ag.ones((2, 3)) * x
    else:
        y = x
    return y, y + 1, y.ndim, ag.sum(y)


@program(*BOTH)
def number_or_tensor(x):
    if x > 0:
        y = 5
    else:
        y = x
    return y, y * 2, isinstance(y, int)


@program(*BOTH)
def number_or_none_or_string(x):
    y = None
    if x > 1:
        y = 1
    elif x < -1:
        y = "low"
    return y, y == 1, y is None, isinstance(y, str)


@program(*BOTH, case(t(0.0)))
def choice_of_choices(x):
    a = "a" if x > 0 else None
    b = a if x < 1 else 3
    if b is None:
        return -1
    return b


@program(*BOTH)
def lists_of_different_lengths(x):
    if x > 0:
        xs = [x]
    else:
        xs = [x, 2, 3]
    xs.append(10)
    return xs, len(xs), xs[-1], xs[0]


@program(*BOTH)
def dictionaries_of_different_keys(x):
    if x > 0:
        d = {"a": x}
    else:
        d = {"b": x, "c": 1}
    d["z"] = 0
    return d, "a" in d, sorted(d), len(d)


@program(*BOTH)
def failing_operation_on_one_option(x):
    y = None
    if x > 0:
        y = x
    return y + 1


@program(*BOTH)
def method_of_a_choice(x):
    y = "text" if x > 0 else [3, 4]
    return y.index("x") if x > 0 else y.index(4)


@program(*BOTH)
def attribute_of_a_choice(x):
    class Left:
        k = 1

        def go(self, v):
            return v + self.k

    class Right:
        k = 2.5

        def go(self, v):
            return v * self.k

    side = Left() if x > 0 else Right()
    return side.k, side.go(x)


@program(*BOTH)
def objects_written_through_a_choice(x):
    class Box:
        def __init__(self, n):
            self.n = n

    a, b = Box(1), Box(2)
    c = a if x > 0 else b
    c.n += 10
    return a.n, b.n, c is a


@program(case(t(3)), case(t(0)), case(t(1)))
def state_machine(n):
    state = "start"
    trail = 0
    for i in range(n):
        if state == "start":
            state = "middle"
        elif state == "middle":
            state = "end"
        trail = trail * 10 + len(state)
    return state, trail


@program(case(t([1.0, -2.0, 3.0])), case(t([-1.0])))
def best_so_far(xs):
    best = None
    where = None
    for i, x in enumerate(xs):
        if x > 0 and (best is None or x > best):
            best = x
            where = i
    return best, where


@program(case(t(4)), case(t(0)))
def function_as_loop_state(n):
    def plus(v):
        return v + 1

    def times(v):
        return v * 3

    f, g = plus, times
    y = 1
    for _ in range(n):
        y = f(y)
        f, g = g, f
    return y


@program(*BOTH)
def hashing_a_choice(x):
    key = "a" if x > 0 else "b"
    table = {"a": 10, "b": x}
    return table[key], key in {"a"}, {key: 1}[key]


@program(*BOTH)
def unpacking_a_choice(x):
    pair = (x, 1) if x > 0 else [2, x]
    a, b = pair
    return a, b


@program(*BOTH)
def truth_of_a_choice(x):
    y = [] if x > 0 else "text"
    if y:
        return 1
    return 0


@program(*BOTH)
def boolean_or_none(x):
    flag = None
    if x > 0:
        flag = x > 1
    if flag:
        return "yes"
    return "no"


@program(case(t(20)), case(t(3)))
def a_string_that_grows(n):
    name = ""
    for _ in range(n):
        name = name + "x"
    return name


@program(*BOTH)
def type_as_a_choice(x):
    kind = int if x > 0 else float
    return kind(3.7), kind is int


@program(*BOTH)
def choice_formatted(x):
    name = "up" if x > 0 else "down"
    return f"going {name}", "%s" % name


@program(*BOTH)
def bound_methods(x):
    xs = [x]
    ys = [x, x]
    add = xs.append if x > 0 else ys.append
    add(x + 1)
    return xs, ys


@program(*BOTH)
def early_return_of_different_types(x):
    if x > 1:
        return None
    if x < -1:
        return "low", x
    return x


@program(*BOTH)
def dims_and_numbers(x):
    size = 2 if x > 0 else 3
    return ag.zeros((2,)) + size, size * 2


@program(*BOTH)
def size_of_a_new_tensor(x):
    size = 2 if x > 0 else 3
    y = ag.ones((size,))
    return y, y.sum(), y.shape


@program(*BOTH, refused="StagingError", naming=("axis", "sum"))
def axis_is_a_choice(x):
    axis = 0 if x > 0 else 1
    m = ag.reshape(ag.arange(6), (2, 3))
    return ag.sum(m, axis=axis)
