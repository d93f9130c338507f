"""Programs as users write them that once went wrong: each stands for a class of mistakes."""

from __future__ import annotations

import collections
import dataclasses
import datetime
import enum
import operator
from typing import Any, NamedTuple

import numpy as np

import autograph as ag
from tests.corpus.registry import case, program, stateful

t = ag.asarray


def f32(*values: float) -> ag.Tensor:
    return t(np.array(values, dtype=np.float32))


# dicts whose keys depend on a condition, and views of them ----------------------------------------
@program(case({"a": 1, "b": t(2.0)}, t(1)), case({"b": t(2.0), "a": 1}, t(-1)))
def views_of_a_changed_dict(d, c):
    keys, items = d.keys(), d.items()
    for k, v in d.items():
        if c > 0:
            d[k] = v + 1
    d["new"] = c
    if c < 0:
        del d["a"]
    return list(keys), list(items), len(d.values()), "a" in keys, sorted(keys)


@stateful(case(t(1.0)), case(t(-1.0)))
def view_as_the_result():
    table = {"k": t(1.0)}

    def f(x):
        if x > 0:
            table["more"] = x
        return list(table.keys())[::-1], bool(table.values())

    return f, table


@program(case(t(1.0), {"k": 2}), case(t(1.0), {"k": 3}), case(t(1.0), {"k": 4, "j": 1}))
def pairs_given_by_name(x, d):
    def g(k, j=0):
        return k + j

    return g(**d) * x, {**d, "z": 1}


OPTIONS = {"k": 2}


@program(
    case(t(1.0)),
    globals={"OPTIONS": {"k": 2}},
    between=(
        lambda w: w.globals["OPTIONS"].__setitem__("k", 9),
        lambda w: w.globals["OPTIONS"].__setitem__("m", 1),
    ),
)
def global_dict_unpacked(x):
    def g(**named):
        return sum(named.values())

    return g(**OPTIONS) * x, {**OPTIONS}


@program(case(t(1.0)), case(t(-1.0)))
def changed_dict_unpacked(x):
    d = {"a": 1}
    if x > 0:
        d["b"] = 2
    return {**d}


@program(case(1, 2), case(t(1), k=t(2)), case(1, k=t(2)))
def keyword_dict_is_new_at_every_call(*xs, **named):
    def inner(a, **more):
        return a, more

    return inner(*xs[:1], **named), named


@program(case(t(2.0)), case(t(-1.0)))
def containers_of_the_standard_library(x):
    lists = collections.defaultdict(list)
    lists["a"].append(x)
    numbers = collections.defaultdict(lambda: 10)
    numbers["k"] += 1
    if x > 0:
        lists["b"].append(x * 2)
        numbers["q"] += 2
    ordered = collections.OrderedDict(a=1, b=2, c=3)
    if x > 0:
        ordered.move_to_end("a")
    ordered["x"] = x
    counts = collections.Counter()
    counts["a"] += 1
    if x > 0:
        counts.update(["a", "b"])
    return sorted(lists), numbers, ordered, dict(counts), numbers["z"]


@program(case(t(1.0)), case(t(-1.0)))
def bounded_deque(x):
    d = collections.deque([1, 2, 3], maxlen=3)
    if x > 0:
        d.append(x)
    else:
        d.rotate(1)
    d.append(5)
    return d, d[0], len(d), d.maxlen


@program(case(t(1.0), [3, 1, 2]), case(t(-1.0), [3, 1, 2]))
def changes_through_the_operator_module(x, xs):
    d = {}
    if x > 0:
        operator.setitem(d, "a", x)
        xs = operator.iadd(xs, [4])
        operator.delitem(xs, 0)
    return d, xs, operator.contains(xs, 4), operator.not_(d)


@stateful(case(t(1.0)), case(t(-1.0)))
def existing_objects_from_native_functions():
    state = [[1], [2]]

    def f(x):
        inner = operator.itemgetter(0)(state)
        inner.append(x)
        max(state, key=len).append(7)
        next(iter(state)).append(8)
        return inner

    return f, state


# iteration ----------------------------------------------------------------------------------------
@program(case([t(1.0), t(-2.0)]), case([t(-1.0)]), case([t(3.0), t(4.0)]))
def list_grows_while_it_is_iterated(xs):
    total = 0.0
    for x in xs:
        if x > 0:
            if len(xs) < 6:
                xs.append(x - 2)
        total = total + x
    return total, len(xs)


@program(case([t(1.0), t(-2.0)]), case([t(1.0), t(2.0), t(-3.0), t(4.0)]), case([t(-1.0)]))
def list_shrinks_under_enumerate(xs):
    for i, x in enumerate(xs):
        if x > 0:
            del xs[i]
    return [float(x) for x in xs]


@program(case(f32(1, 2), f32(3, 4)))
def zip_of_tensors_used_twice(a, b):
    pairs = zip(a, b, strict=False)
    total = 0.0
    for x, y in pairs:
        total = total + x * y
    for _ in pairs:
        total = total + 1
    return total


@stateful(case(t(1)), refused="StateError", naming=("zip",), vary=False)
def iterator_from_before_the_call():
    pairs = zip([1, 2], [3, 4], strict=True)

    def f(x):
        for a, b in pairs:
            x = x + a * b
        return x

    return f, None


@program(case(t(1.0)), refused="StateError", naming=("zip",))
def iterator_advanced_in_a_branch(x):
    pairs = zip([1.0, 2.0], [3.0, 4.0], strict=True)
    if x > 0:
        for a, b in pairs:
            x = x + a * b
    else:
        for a, b in pairs:
            x = x - a * b
    return x


@program(case(t(1.0)), refused="StateError", naming=("zip",))
def iterator_left_by_a_staged_break(x):
    pairs = zip([1.0, 2.0, 3.0], [3.0, 4.0, 5.0], strict=True)
    for _ in range(2):
        for a, b in pairs:
            x = x + a * b
            if x > 5:
                break
    return x


@program(case(f32(1, 2, 3)), case(f32(1, 2)), case(f32(1, 2, 3, 4)))
def comprehension_over_changing_sizes(x):
    ys = [v * 2 for v in x]
    first, *rest = x
    it = iter(x)
    return ys, first, rest, next(it), list(it)


# what leaves the function -------------------------------------------------------------------------
@program(case(t(2.0)), case(t(-1.0)))
def array_made_inside(x):
    buffer = np.zeros(3)
    return x + 1, buffer


@program(case(t(1.0)))
def closure_as_the_result(x):
    return lambda y: x + y


@program(case(t(1.0)), mutate=False)
def iterator_as_the_result(x):
    return map(lambda v: v + 1, [x])


class Slotted:
    """Has no `__dict__`."""

    __slots__ = ("a", "b")

    def __init__(self, a):
        self.a = a


@program(case(t(2.0)), case(t(-1.0)))
def object_with_slots(x):
    def make(v):
        s = Slotted(v)
        if v > 0:
            s.b = v * 2
        else:
            s.b = 3
        return s

    made = make(x)
    again = make(x + 1) if x > 0 else make(x - 1)
    return made.a, made.b, again.a, again.b


@program(case(t(1.0)), case(t(-1.0)))
def exception_kept_as_a_value(x):
    errors = [ValueError("v", x), KeyError("k")]
    return [one.args for one in errors], errors[0].args[1]


@program(case(t(1.0)), case(t(-1.0)), case(t(2.0)))
def exception_with_the_argument(x):
    if x > 0:
        raise ValueError("bad", x, (x, [x]))
    return x


# objects ------------------------------------------------------------------------------------------
class Color(enum.Enum):
    """The class of an enum has a `__bool__` and a `__len__` of its own."""

    RED = 1
    BLUE = 2


@program(case(t(1)), case(t(-1)), case(t(0)))
def truth_of_enum_members(x):
    c = Color.RED if x > 0 else Color.BLUE
    if x == 0:
        c = None
    table = {Color.RED: 10, Color.BLUE: 20}
    return c, c.name if c is not None else "none", table[c] if c else -1


class Pair(NamedTuple):
    """A named tuple."""

    x: Any
    y: Any


@program(case(t(1.0)), case(t(-1.0)))
def named_tuple_replaced(v):
    p = Pair(v, 2)
    p = p._replace(y=p.x) if v > 0 else Pair(p.y, p.x)
    return p.x, p.y, type(p).__name__, p._asdict()


@dataclasses.dataclass(frozen=True)
class Point:
    """A frozen dataclass."""

    x: Any
    y: Any = 0

    def __add__(self, other):
        return Point(self.x + other.x, self.y + other.y)

    def __neg__(self):
        return dataclasses.replace(self, x=-self.x)


@program(case(t(1.0)), case(t(-1.0)))
def frozen_dataclass(x):
    p = Point(x, 1) + Point(2, x)
    if p.x > 2:
        p = -p
    q = p + p
    print(q, [p])
    return q.x, q.y, p == q, p == Point(p.x, p.y), p is q


@program(case(t(1.5), True), case(t(1.5), False), case(t(1.5), True))
def flag_compared_by_identity(x, training):
    if training is True:
        x = x + 100
    return x, training is not False, training


# text ---------------------------------------------------------------------------------------------
@program(case(t(2.0)), case(t(-1.0)), case(t(3.0)))
def containers_printed(x):
    print([x, [1]], {"a": x}, (x, {"b": [x]}), f"{[x]} {dict(k=x)}")
    if x > 0:
        print({"a": x}, [x, {}, ()])
    return x


@program(case(t(2)), case(t(-2)), case(3))
def text_put_together(x):
    a = "%d items" % int(x)
    b = "%s and %5.2f" % (x, float(x))
    c = "{} {:>5} {k!r}".format(int(x), "z", k=x)
    d = ", ".join(str(v) for v in [x, 1, x * 2])
    f = a + "!" + b
    if x > 0:
        f += " pos"
    return a, b, c, d, "-".join(["a", "b"]), f


@program(case(t(1)), case(t(2)))
def staged_text_compared(n):
    return "one" if f"{int(n)}" == "1" else "other"


@program(case(t(1.5)), refused="StateError", naming=("string", "float"))
def text_of_a_float_compared(x):
    return "one" if f"{float(x)}" == "1.5" else "other"


@program(case(t(2.5)))
def staged_float_rounded_to_digits(x):
    return round(float(x), 1)


@program(case(t(1), {"a": 1}), case(t(0), {"a": 1}))
def tensor_as_a_missing_key(i, table):
    return table.get(i, "none"), len(table)


@program(case(t(1.0)), case(t(-1.0)))
def what_cannot_be_called(x):
    items = [1]
    try:
        items(x)
    except TypeError as error:
        print(error)
    f = abs if x > 0 else None
    return f(x)


# Objects that hold the one of the turn before are of another kind after each turn.
@program(case(t(3)), case(t(0)))
def list_around_the_last_one(n):
    value = None
    for _ in range(n):
        value = [value]
    return value


@program(case(t(3)), case(t(0)))
def dict_around_the_last_one(n):
    table = {}
    for i in range(n):
        table = {"inner": table, "turn": i}
    return table


@program(case(t(3)), case(t(0)))
def linked_nodes(n):
    head = None
    for i in range(n):
        head = Link(i, head)
    return head


@program(case(t(3)), case(t(1)))
def lists_that_swap_and_nest(n):
    a, b = [1], [2]
    for _ in range(n):
        a, b = b, [a]
    return a, b


@program(case(t(0)), case(t(1)), case(t(2)))
def lists_around_each_other_in_branches(x):
    value = [0]
    if x > 0:
        value = [value]
    if x > 1:
        value = [value]
    return value


class Link:
    def __init__(self, value, after):
        self.value = value
        self.after = after


@program(case(t(2.0)))
def dates_of_known_numbers(x):
    day = datetime.date(2010, 1, 31)
    later = day + datetime.timedelta(days=1)
    return day.weekday() * x, later.isoformat(), (later - day).days, day < later


@program(case(t(2.0)), refused="UnconvertedCallError", naming=("today",))
def date_of_today(x):
    return x + datetime.date.today().day


@program(case(t(2.0)))
def translated(x):
    table = str.maketrans("abc", "xyz", "-")
    return "a-b-c".translate(table), "abc".translate(str.maketrans({"a": "1"})), x


def _counted(n, factors=None):
    factors = factors or {}
    for k in range(2, n + 1):
        if n % k == 0:
            factors[k] = factors.get(k, 0) + 1
            return _counted(n // k, factors)
    return factors


@program(case(t(12)), case(t(7)), case(t(1)), compiled=True)
def default_by_or_in_a_recursion(n):
    return dict(_counted(int(n)))
