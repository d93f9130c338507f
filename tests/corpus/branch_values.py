"""What a branch may leave: values of any kind, in variables, attributes, results."""

from __future__ import annotations

import enum
import functools
from collections import namedtuple
from dataclasses import dataclass, field, replace

import autograph as ag
from tests.corpus.registry import case, program, stateful

t = ag.asarray


class Color(enum.Enum):
    RED = 1
    GREEN = "green"


class Level(enum.IntEnum):
    LOW = 1
    HIGH = 10


class Mask(enum.Flag):
    A = 1
    B = 2


Point = namedtuple("Point", "x y")


@program(case(t(2.0)), case(t(-2.0)))
def int_tensor_or_float_tensor(x):
    if x > 0:
        y = ag.asarray(3)
    else:
        y = ag.asarray(2.5)
    z = y * 2
    return y, z, y.dtype, y.ndim, y / 2


@program(case(t(2.0)), case(t(-2.0)))
def int_or_float_or_bool(x):
    if x > 1:
        n = 7
    elif x > -1:
        n = 7.5
    else:
        n = True
    return n, n + 1, n * x, n // 2, -n, isinstance(n, int), type(n) is float, f"{n}"


@program(case(t(2.0)), case(t(-2.0)))
def vectors_of_other_lengths(x):
    v = ag.arange(3) if x > 0 else ag.arange(5)
    total = 0
    for one in v:
        total = total + one
    return v, ag.sum(v), v.shape, len(v), total, v[-1]


@program(case(t(2.0)), case(t(-2.0)))
def scalar_or_vector_or_matrix(x):
    if x > 0:
        y = x
    elif x > -1:
        y = ag.stack([x, x])
    else:
        y = ag.ones((2, 2)) * x
    return y + 1, y.ndim, y.shape, ag.sum(y)


@program(case(t(2.0)), case(t(-2.0)))
def other_structures(x):
    if x > 0:
        r = {"a": x, "b": [x, (x, 1)]}
    else:
        r = [x, None]
    if isinstance(r, dict):
        return r["a"], r
    return r[0], r


@program(case(t(2.0)), case(t(-2.0)))
def defined_in_one_branch_and_read_there(x):
    if x > 0:
        y = x * 2
    z = x
    if x > 0:
        z = z + y
    return z


@program(case(t(2.0)), case(t(-2.0)))
def defined_in_one_branch_read_where_unset(x):
    if x > 0:
        y = x * 2
    try_it = x + 1
    return try_it + y


@program(case(t(2.0)), case(t(-2.0)))
def none_before_and_asked_after(x):
    y = None
    if x > 0:
        y = x * 2
    if y is None:
        return "nothing", y
    return "something", y + 1, y is not None


@program(case(t(2.0), t(1.0)), case(t(-2.0), t(1.0)), case(t(-2.0), t(-1.0)), case(t(2.0), t(-1.0)))
def none_in_two_steps(x, y):
    best = None
    if x > 0:
        best = x
    if y > 0:
        best = y if best is None else best + y
    return 0.0 if best is None else best


@program(case(t(2.0)), case(t(-2.0)), case(t(0.0)))
def strings(x):
    s = "pos" if x > 0 else "neg" if x < 0 else ""
    r = 1 if s else 0
    table = {"pos": x * 10, "neg": x * 100, "": x}
    return (
        s,
        s.upper(),
        len(s),
        s == "pos",
        table[s],
        s + "!",
        s in ("pos", ""),
        r,
        s[:2],
        f"<{s:>5}>",
    )


@program(case(t(2.0)), case(t(-2.0)))
def enum_members(x):
    c = Color.RED if x > 0 else Color.GREEN
    m = Mask.A if x > 0 else Mask.A | Mask.B
    n = Level.LOW if x > 0 else Level.HIGH
    y = x * 2 if c is Color.RED else x * 3
    return c, c.name, c.value, y, c == Color.GREEN, m, Mask.B in m, n, n + 1, n > 5, n * x


def double(v):
    return v * 2


def half(v):
    return v / 2 if v < 10 else v


@program(case(t(2.0)), case(t(-2.0)), case(t(30.0)))
def functions_as_values(x):
    f = double if x < 10 else half
    g = half if x > 0 else f
    return f(x), g(x), f is double, f == g, f.__name__, [h(x) for h in (f, g)]


@program(case(t(2.0)), case(t(-2.0)))
def local_functions(x):
    k = 3
    if x > 0:

        def f(v):
            return v * k

    else:

        def f(v, w=5):
            return v - w

    k = 4
    return f(x), f(f(x))


@program(case(t(2.0)), case(t(-2.0)))
def closure_with_state_in_a_branch(x):
    def counter(start):
        n = start

        def step():
            nonlocal n
            n = n + x
            return n

        return step

    c = counter(1) if x > 0 else counter(10)
    a = c()
    b = c()
    return a, b


@program(case(t(2.0)), case(t(-2.0)))
def classes_as_values(x):
    kind = list if x > 0 else tuple
    cls = Point if x > 0 else complex_pair
    return kind((x, 1)), cls(x, 2), kind is list


def complex_pair(a, b):
    return (b, a)


@program(case(t(2.0)), case(t(-2.0)))
def deleted_in_a_branch(x):
    y = x * 2
    if x > 0:
        del y
        z = 1
    else:
        z = y
        y = 3
    if x > 0:
        y = 7
    return y, z


@program(case(t(2.0)), case(t(-2.0)))
def deleted_and_read(x):
    y = x * 2
    if x > 0:
        del y
    return y


@program(case(t(2.0)), case(t(-2.0)), case(t(0.0)))
def nested_ternaries(x):
    return (1 if x > 1 else 2) if x > 0 else ("a" if x < -1 else None)


@program(case(t(2)), case(t(0)), case(t(-1)))
def truth_of_numbers(n):
    i = int(n)
    f = float(n)
    r = []
    if i:
        r.append("i")
    if f:
        r.append("f")
    if n:
        r.append("n")
    if not i:
        r.append("not")
    while i:
        i = i - 1 if i > 0 else i + 1
        r.append("turn")
        break
    return r, bool(i), not f, bool(n), i and f, i or f or "none"


@program(case(t(2.0)), case(t(0.0)))
def or_and_keep_values(x):
    a = x or 5
    b = x and 7
    c = x or None or "end"
    d = (x > 1) and x * 2
    e = (x > 1) or [x]
    f = not x or x
    g = None or x
    h = [] or x and {}
    return a, b, c, d, e, f, g, h


@program(case(t(2.0), t(0.0)), case(t(0.0), t(3.0)), case(t(0.0), t(0.0)))
def or_gives_the_object(x, y):
    z = x or y
    z[...] = 9.0
    return z is x, z is y, z


@program(case(t(2)), case(t(5)))
def membership(n):
    i = int(n)
    return (
        n in [1, 2, 3],
        i in (2, 4),
        i in range(0, 10, 2),
        i in {1: 2, 5: 6},
        n in ag.arange(4),
        i not in {5},
        "a" in ("ab" if i > 3 else "cd"),
    )


@program(case(t(2.0)), case(t(-2.0)))
def equality_of_mixed(x):
    y = x if x > 0 else None
    s = "a" if x > 0 else 1
    p = (x, 1) if x > 0 else (x,)
    return y == None, s == "a", s == 1, p == (x, 1), p != (2.0,), (y is None) == (s == 1)


@program(case(t(2.0)), case(t(-2.0)), case(t(7.0)))
def walrus_in_conditions(x):
    if (y := x * 2) > 5 and (z := y + 1) > 6:
        return y, z
    elif (w := y - 1) < 0:
        return w
    return [v := y, v + 1], v


@dataclass
class Box:
    value: object
    items: list = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Frozen:
    value: object
    count: int = 0


@program(case(t(2.0)), case(t(-2.0)))
def objects_made_in_branches(x):
    if x > 0:
        b = Box(x)
        b.items.append(1)
    else:
        b = Box("none", [x, x])
    b.items.append(x)
    c = b
    c.value = x + 1
    return b, c is b, len(b.items), b.value


@program(case(t(2.0)), case(t(-2.0)))
def objects_of_other_classes(x):
    b = Box(x) if x > 0 else Frozen(x, 3)
    f = Frozen(x) if x > 0 else Frozen(x + 1, 2)
    f = replace(f, count=f.count + 1)
    return b, isinstance(b, Box), b.value, f, f.count, type(b).__name__


@program(case(t(2.0)), case(t(-2.0)))
def attribute_made_in_one_branch(x):
    b = Box(x)
    if x > 0:
        b.extra = x * 3
    had = hasattr(b, "extra")
    got = getattr(b, "extra", None)
    return had, got, b


@program(case(t(2.0)), case(t(-2.0)))
def dicts_of_functions(x):
    table = {"d": double, "h": half}
    name = "d" if x > 0 else "h"
    chosen = table[name]
    other = table.get("no" if x > 0 else "d", lambda v: v - 1)
    return chosen(x), other(x)


@program(case(t(2.0)), case(t(-2.0)))
def partials_and_methods(x):
    f = functools.partial(ag.maximum, 1.0) if x > 5 else functools.partial(double)
    b = Box(x, [1])
    m = b.items.append if x > 0 else b.items.extend
    m([x])
    n = x.__class__
    return f(x), b, n is ag.Tensor


@program(case(t(2.0)), case(t(-2.0)))
def ellipsis_bytes_slices_ranges(x):
    v = ag.arange(6)
    s = slice(0, 2) if x > 0 else slice(1, 6, 2)
    r = range(3) if x > 0 else range(5, 0, -2)
    b = b"ab" if x > 0 else b""
    e = ... if x > 0 else NotImplemented
    total = 0
    for k in r:
        total += k
    return v[s], total, len(r), b, e, list(r), len(frozenset({1}) if x > 0 else frozenset())


@program(case(t(2.0)), case(t(-2.0)), case(t(0.5)))
def tensor_condition_chained(x):
    if 0 < x < 1:
        return "unit"
    if not (x > 0 or x < -1):
        return "small"
    return "big" if x >= 1 > 0 else "other"


@stateful(case(t(2.0)), case(t(-2.0)))
def swaps_of_outer_objects():
    a, b = [1], [2]
    box = Box(a)

    def run(x):
        if x > 0:
            box.value, first = b, a
        else:
            box.value, first = a, b
        first.append(x)
        box.value.append("v")
        return box.value is a, first

    return run, (a, b, box)


@program(case(t(2.0)), case(t(-2.0)))
def branch_gradient_of_structures(x):
    with ag.GradientTape() as tape:
        tape.watch(x)
        if x > 0:
            pair = {"a": x * x, "f": double}
        else:
            pair = {"a": x * 3, "f": half}
        y = pair["f"](pair["a"])
    return tape.gradient(y, x)


@program(case(t([1.0, -2.0])), case(t([-1.0, -2.0])))
def any_all_conditions(v):
    if any(one > 0 for one in v) and not all(one > 0 for one in v):
        k = "mixed"
    else:
        k = None
    return k, k or "uniform"


@program(case(t(2.0)), case(t(-2.0)))
def pass_and_docstring_branches(x):
    """With a docstring."""
    if x > 0:
        pass
    elif x < -5:
        ...
    else:
        "only a string"
    if x > 0:
        return
    return x


@program(case(t(2.0)), case(t(-2.0)))
def same_list_in_both_branches(x):
    items = [x]
    other = [x]
    if x > 0:
        chosen = items
    else:
        chosen = other
    chosen.append(1)
    same = chosen is items
    return items, other, chosen, same


@program(case(t(2.0)), case(t(-2.0)))
def exchange_in_a_branch(x):
    a, b, c = x, x * 2, "c"
    if x > 0:
        a, b, c = b, c, a
    return a, b, c


@program(case(t(2.0), 1), case(t(-2.0), 2.5), case(t(2.0), "s"))
def python_argument_or_tensor(x, k):
    y = k if x > 0 else x
    return y, y is k, isinstance(y, str)
