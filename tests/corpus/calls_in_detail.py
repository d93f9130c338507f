"""Built-in functions called by the names of their parameters, and on long or mixed containers."""

from __future__ import annotations

import bisect
import collections
import functools
import itertools
import math
import operator
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple, TypeVar

import autograph as ag
from tests.corpus.registry import case, program, stateful

t = ag.asarray
X = (case(t(2.0)), case(t(-2.0)))
T = TypeVar("T")


class Half:
    def __init__(self, v):
        self.v = v

    def __floordiv__(self, k):
        return self.v // k

    def __mod__(self, k):
        return self.v % k


class Clock:
    def __init__(self, v):
        self.v = v

    def __rdivmod__(self, other):
        return other // self.v, other % self.v


@program(case(t(5)), case(t(-5)))
def divmod_without_the_method(n):
    return divmod(Half(n), 3)


@program(case(t(5)), case(t(3)))
def divmod_with_the_reflected_method(n):
    return divmod(17, Clock(int(n)))


class Joins:
    def __init__(self, v):
        self.v = v

    def __radd__(self, other):
        return [*other, self.v]


@program(*X)
def deque_plus_an_object(x):
    return collections.deque([1]) + Joins(x)


class Inner:
    def __init__(self, v):
        self.v = v

    def __add__(self, other):
        return Inner(self.v + other)


@program(*X)
def message_of_an_inner_addition(x):
    a = Inner(1)
    try:
        a += "s"
    except TypeError as error:
        return str(error), x
    return "none", x


class Sized:
    def __init__(self, items):
        self.items = items

    def __len__(self):
        return ag.sum(self.items)


@program(case(t([1, 2])), case(t([3, 4])))
def len_that_is_a_tensor(v):
    n = len(Sized(v))
    return n, type(n).__name__, n / 2


@program(case(t(3.14159)), case(t(-2.71828)))
def round_with_ndigits(x):
    return round(float(x), ndigits=2), round(2.345, ndigits=1)


@program(*X)
def int_with_base(x):
    return int("ff", base=16) + x, int("101", 2)


@program(*X)
def str_with_encoding(x):
    return str(b"abc", encoding="ascii"), x


@program(case(t(3)), case(t(4)))
def pow_with_mod(n):
    return pow(int(n), 5, mod=7), pow(2, 10, mod=1000)


@program(case(t(3)), case(t(5)))
def bisect_with_lo_and_hi(n):
    items = [1, 3, 5, 7]
    return bisect.bisect_left(items, 5, lo=1), bisect.bisect_right(items, int(n), lo=0, hi=3)


@program(case(t([1, 2, 3])), case(t([2, 5, 1])))
def accumulate_with_func(v):
    return [int(k) for k in itertools.accumulate(v, func=max)]


@program(case(t([1, 2, 2])), case(t([5, 5, 5])))
def most_common_with_n(v):
    c = collections.Counter("abb")
    return c.most_common(n=1), v


@program(case(t(12), t(18)), case(t(7), t(21)))
def gcd_and_lcm_of_three(a, b):
    return math.gcd(int(a), int(b), 30), math.lcm(int(a), int(b), 4), math.gcd(int(a))


@program(case(t(4)), case(t(5)))
def perm_of_one(n):
    return math.perm(int(n))


@program(*X)
def product_of_iterators(x):
    pairs = list(itertools.product((i for i in range(2)), "ab"))
    more = list(itertools.product(map(int, "123"), reversed([1, 2])))
    again = list(itertools.product(iter([0, 1]), repeat=2))
    return pairs, more, again, x


class Pair(NamedTuple):
    a: Any
    b: Any


@program(case(t([1.0, 2.0])), case(t([-1.0, 3.0])))
def named_tuple_made_of_a_map(v):
    p = Pair._make(map(float, v))
    return p, Pair._make(float(u) for u in v).b, Pair._make(v).a


@program(case(t(3.0)), case(t(20.0)))
def sum_of_ints_and_floats_that_are_chosen(x):
    bonus = []
    for k in range(16):
        bonus.append(1 if x > k else 0.5)
    return sum(bonus)


@program(case(t(3.0)), case(t(20.0)))
def print_of_labels_that_are_chosen(x):
    labels = []
    for k in range(16):
        labels.append("hot" if x > k else "cold")
    print(labels)
    return len(labels)


@program(case(t(3.0)), case(t(20.0)))
def any_of_values_that_may_be_none(x):
    found = [k if x > k else None for k in range(16)]
    return any(found), all(found), list(filter(None, found))


@program(case(t(250)), case(t(900)))
def in_a_known_range(n):
    k = int(n)
    return k in range(100, 500), k not in range(0, 1000, 2)


@program(case(t(250)), case(t(900)))
def in_known_containers(n):
    k = int(n)
    squares = {i: i * i for i in range(300)}
    primes = {i for i in range(2, 300) if all(i % j for j in range(2, i))}
    return k in squares, squares.get(k, -1), k in primes, k in list(range(300))


@program(case(t(250)), case(t(-1)))
def any_of_a_long_list(n):
    flags = [n == k for k in range(300)]
    return any(flags), all(flags)


class Box:
    def __init__(self, v):
        self.v = v


@program(*X)
def del_of_an_attribute_of_one_of_two(x):
    p, q = Box(1.0), Box(2.0)
    target = p if x > 0 else q
    del target.v
    return hasattr(p, "v"), hasattr(q, "v")


@program(*X)
def match_of_an_attribute_that_may_be_missing(x):
    box = Box(x)
    if x > 0:
        box.w = 5.0
    match box:
        case Box(w=w):
            return w
        case Box(v=v):
            return v * 10


class Stack(Generic[T]):
    def __init__(self):
        self.items: list[T] = []

    def push(self, v):
        if v > 0:
            self.items.append(v)


@program(*X)
def class_with_a_type_argument(x):
    s = Stack[float]()
    s.push(1.0)
    s.push(x)
    return s.items, list[float]()


@dataclass(frozen=True)
class Key:
    a: int


@stateful(case(t(1.0)), case(t(2.0)))
def cache_of_equal_objects():
    calls = []

    def f(x):
        @functools.lru_cache(None)
        def cost(key):
            calls.append(key.a)
            return key.a * 2

        return cost(Key(1)) + cost(Key(1)) + x

    return f, calls


@program(*X)
def cache_asked_with_a_list(x):
    @functools.lru_cache(None)
    def total(items):
        return sum(items)

    try:
        return total([x, 1.0])
    except TypeError as error:
        return str(error)


@program(case(t(1)), case(t(2)))
def slice_assigned_with_a_staged_step_of_one(n):
    items = [0, 1, 2, 3]
    items[0 : 2 : int(n)] = [9, 9, 9]
    return items


@program(case(t([3.0, 1.0])), case(t([0.0, 1.0])))
def operator_functions_without_a_model(v):
    return operator.abs(float(v[0])), operator.countOf([float(u) for u in v], 1.0)
