"""`match`: every kind of pattern, over staged and plain subjects."""

from __future__ import annotations

import enum
from collections import OrderedDict, deque, namedtuple
from dataclasses import dataclass
from typing import Any

import autograph as ag
from tests.corpus.registry import case, program, stateful

t = ag.asarray

BOTH = [case(t(2.0)), case(t(-2.0))]
FEW = [case(t(float(value))) for value in (-3, 0, 1, 2, 7)]


@dataclass
class Point:
    """A dataclass: it has `__match_args__`."""

    x: Any
    y: Any


class Circle:
    """Without `__match_args__`."""

    def __init__(self, radius):
        self.radius = radius


class Color(enum.Enum):
    """An enum."""

    RED = 1
    GREEN = 2


Pair = namedtuple("Pair", "first second")


@program(*FEW, case(2), case("a"), compiled=True)
def literals(x):
    match x:
        case 0:
            return x + 10
        case 1 | 2:
            return x * 10
        case "a":
            return "text"
        case -3:
            return -x
    return x


@program(*FEW, compiled=True)
def guards(x):
    match x:
        case n if n < 0:
            y = -n
        case 0:
            y = x + 100
        case n if n > 5:
            y = n * n
        case _:
            y = x
    return y


@program(*FEW)
def names_are_bound_after_it(x):
    n = None
    match x:
        case 1 | 2 as n if n > 1:
            y = "two"
        case n if n > 5:
            y = "large"
        case _:
            y = "other"
    return y, n


@program(*(case(t([1.0, 2.0]), t(v)) for v in (0.0, 1.0, 3.0)), compiled=True)
def tuples_of_tensors(x, y):
    match (x, y):
        case (_, 0):
            z = x * 2
        case (a, 1):
            z = a + 1
        case (a, b) if ag.sum(a) == b:
            z = a - b
        case _:
            z = x
    return z


@program(*(case(t(a), t(b)) for a in (0.0, 2.0) for b in (0.0, 3.0, 2.0)), compiled=True)
def dataclasses_with_tensors(a, b):
    match Point(a, b):
        case Point(0, 0):
            return a - 1
        case Point(x=0, y=y):
            return y * 2
        case Point(x, 0):
            return x * 3
        case Point(x, y) if x == y:
            return x * 100
        case Point() as point:
            return point.x - point.y


@program(case(t(1.0)), case(t([1.0, 2.0])), case(t([[1.0]])), vary=False)
def on_the_rank(x):
    match x.ndim:
        case 0:
            return x
        case 1:
            return x[0]
        case _:
            return x[0, 0]


@program(case(t(1.0)), case(t([1.0, 2.0])), case(t([[1.0, 2.0]])), vary=False)
def on_the_shape(x):
    match x.shape:
        case ():
            return x
        case (n,):
            return ag.sum(x) * n
        case (1, n) if n > 1:
            return x[0] * n
        case [*sizes]:
            return sizes


@program(*BOTH, compiled=True)
def on_a_choice_of_strings(x):
    kind = "up" if x > 0 else "down"
    match kind:
        case "up":
            y = x + 1
        case "down":
            y = x - 1
    return y, kind


@program(*FEW)
def on_a_choice_of_objects(x):
    if x > 1:
        shape = Circle(x)
    elif x > 0:
        shape = Point(x, x + 1)
    else:
        shape = None
    match shape:
        case Circle(radius=r):
            area = 3.0 * r * r
        case Point(a, b):
            area = a * b
        case None:
            area = 0.0
    return area


@program(*BOTH)
def on_an_enum(x):
    color = Color.RED if x > 0 else Color.GREEN
    match color:
        case Color.RED:
            return x * 2
        case Color.GREEN:
            return x * 3


@program(*FEW)
def tagged_tuples(x):
    command = ("add", x) if x > 1 else ("negate",)
    match command:
        case ("add", amount):
            return amount + 1
        case ("negate",):
            return -x


@program(case(t([1.0, 2.0])), case([1, 2]), case((1, 2)), case(range(2)), case("ab"), vary=False)
def a_tensor_is_no_sequence(x):
    match x:
        case [a, b]:
            return "sequence", a + b
        case str():
            return "text"
    return "other"


@program(*(case(list(range(n))) for n in range(5)), mutate=False)
def stars(items):
    match items:
        case []:
            return "empty"
        case [one]:
            return one
        case [first, *middle, last] if len(middle) == 1:
            return first, middle, last
        case [first, *_]:
            return first
    return None


@program(*BOTH)
def stars_of_tensors(x):
    items = [x, x + 1, x * 2, x - 1]
    match items:
        case [first, *rest, last] if first > 0:
            total = first + last
            for one in rest:
                total = total + one
        case [*_, last]:
            total = last
            rest = None
    rest_length = 0 if rest is None else len(rest)
    return total, rest_length


@program(
    case({"kind": "a", "value": t(1.0)}),
    case({"kind": "b", "value": t(2.0), "more": 3}),
    case({"kind": "c"}),
    case(OrderedDict(kind="b", value=4)),
    case(3),
)
def mappings(record):
    match record:
        case {"kind": "a", "value": v}:
            return v * 2
        case {"kind": "b", "value": v, **others}:
            return v + 1, others
        case {"kind": kind}:
            return kind
        case _:
            return "none"


@program(*BOTH)
def mappings_with_staged_values(x):
    record = {"scale": x, "shift": 1}
    match record:
        case {"scale": 2.0, "shift": s}:
            y = x * 10 + s
        case {"scale": s} if s < 0:
            y = -s
        case _:
            y = x
    return y


@program(*BOTH)
def a_key_under_a_condition(x):
    record = {}
    if x > 0:
        record["value"] = x
    match record:
        case {"value": v}:
            return v * 2
        case _:
            return x


@program(*FEW)
def nested_patterns(x):
    match (x, [Point(x, x + 1), x * 2]):
        case (0, [Point(a, b), c]):
            return a + b + c
        case (1 | 2 as n, [Point() as p, _]) if p.y > 2:
            return n, p.x
        case (_, [*_, c]):
            return c


@program(case(3), case(2.5), case("s"), case(True), case(None), case([1]), case(t(1)), vary=False)
def builtin_classes(x):
    match x:
        case bool(b):
            return "bool", b
        case int(n):
            return "int", n
        case float(f) | str(f):
            return "float or str", f
        case None:
            return "none"
        case ag.Tensor(ndim=0, dtype=d):
            return "scalar", d
        case list([first, *_]):
            return first


@program(*(case(t(n)) for n in (0, 1, 4)), compiled=True)
def staged_numbers(n):
    k = int(n)
    match k:
        case 0:
            return "zero", k
        case int(m) if m > 2:
            return "many", m
        case _:
            return "few", k


@program(*(case(t(n)) for n in (0, 5, 9)), compiled=True)
def in_a_staged_loop(n):
    total, skipped = 0, 0
    for i in range(n):
        match i % 4:
            case 0:
                continue
            case 1 | 2 as r:
                total += r
            case 3 if i > 6:
                break
            case _:
                skipped += 1
    return total, skipped


@program(*(case(t(n)) for n in (1, 6, 7)), compiled=True)
def collatz(n):
    steps = 0
    while True:
        match n % 2:
            case _ if n == 1:
                return steps
            case 0:
                n = n // 2
            case _:
                n = n * 3 + 1
        steps += 1


@program(*BOTH)
def conditions_inside_the_cases(x):
    match Pair(x, 2.0):
        case Pair(first, second):
            if first > 0:
                y = first * second
            else:
                y = first - second
        case _:
            y = None
    return y


@program(*BOTH, compiled=True)
def in_a_tape(x):
    with ag.GradientTape() as tape:
        tape.watch(x)
        match (x, x * x):
            case (a, b) if a > 0:
                y = a * b
            case (a, b):
                y = a + b
    return y, tape.gradient(y, x)


@program(*BOTH)
def recursion_over_a_tree(x):
    def evaluate(node):
        match node:
            case ("mul", a, b):
                return evaluate(a) * evaluate(b)
            case ("if", c, a, b):
                return evaluate(a) if evaluate(c) > 0 else evaluate(b)
            case ("neg", a):
                return -evaluate(a)
            case leaf:
                return leaf

    return evaluate(("if", x, ("mul", x, ("neg", 3.0)), ("mul", ("neg", x), x)))


@program(case(deque([1, 2])), case(b"ab"), case(bytearray(b"ab")), case(iter([1, 2])), mutate=False)
def what_a_sequence_is(x):
    match x:
        case [1, 2]:
            return "sequence"
        case _:
            return "other"


@stateful(*FEW)
def order_of_evaluation():
    log = []

    class Noisy:
        __match_args__ = ("first", "second")

        def __init__(self, value):
            self.value = value

        @property
        def first(self):
            log.append("first")
            return self.value

        @property
        def second(self):
            log.append("second")
            return self.value + 1

    def f(x):
        match Noisy(3):
            case Noisy(1, _):
                return "no"
            case Noisy(3, 5):
                return "no"
            case Noisy(3, s) if s > x:
                return s, x
            case Noisy(other=_):
                return "no"
            case Noisy():
                return "last"

    return f, log


@program(*BOTH)
def errors_of_patterns(x):
    found = []
    for trial in range(3):
        try:
            match Circle(x):
                case Circle(1) if trial == 0:
                    found.append("no")
                case Point(1, 2, 3) if trial == 1:
                    found.append("no")
                case _:
                    found.append("other")
        except TypeError as error:
            found.append(str(error))
    try:
        match Point(x, x):
            case Point(1, x=2):
                found.append("no")
    except TypeError as error:
        found.append(str(error))
    return found


@program(*FEW)
def a_case_that_raises(x):
    match x:
        case 0:
            raise ValueError("zero")
        case n if n < 0:
            raise KeyError("negative")
        case n:
            return n


@stateful(*BOTH)
def captured_into_attributes():
    class Model:
        def __init__(self):
            self.last = None

        def __call__(self, x):
            match [x, x + 1]:
                case [a, b] if a > 0:
                    self.last = b
                case [a, _]:
                    self.last = a
            return self.last * 2

    model = Model()
    return model, model
