"""Subclasses of built-in classes, dataclasses and named tuples with methods of their own."""

from __future__ import annotations

import collections
import heapq
from dataclasses import dataclass
from typing import Any, NamedTuple

import autograph as ag
from tests.corpus.registry import case, program, stateful

t = ag.asarray
X = (case(t(2.0)), case(t(-2.0)))


class Log(list):
    def __iadd__(self, other):
        self.append(("+=", other))
        return self


@program(*X)
def own_iadd_of_a_list_subclass(x):
    log = Log([1])
    log += [x, x]
    return len(log), len(log[1])


class Merged(dict):
    def __ior__(self, other):
        for key, value in other.items():
            self[key] = self.get(key, 0) + value
        return self


@program(*X)
def own_ior_of_a_dict_subclass(x):
    d = Merged(a=1.0)
    d |= {"a": x, "b": 2.0}
    return d["a"], d["b"]


class Votes(collections.Counter):
    def __iadd__(self, other):
        self["turns"] = self["turns"] + 1
        return self


@program(*X)
def own_iadd_of_a_counter_subclass(x):
    v = Votes(a=1)
    v["b"] = int(x)
    v += collections.Counter(a=5)
    return v["turns"], v["a"], v["b"]


class Padded(list):
    def __len__(self):
        return 10

    def __bool__(self):
        return False


@program(*X)
def own_len_and_bool_of_a_list_subclass(x):
    p = Padded([x])
    kind = "truthy" if p else "falsy"
    return len(p), kind, len(p) * x, not p, bool(p)


class Evens(list):
    def __iter__(self):
        for v in list.__iter__(self):
            if v % 2 == 0:
                yield v


@program(case(t(4)), case(t(3)))
def own_iter_of_a_list_subclass(n):
    items = Evens([1, 2, int(n)])
    total = 0
    for v in items:
        total += v
    return total, list(items), sum(items)


class Visited(list):
    def __iter__(self):
        self.visits = self.visits + 1
        return super().__iter__()


@stateful(case(t(1.0)), case(t(2.0)), case(t(3.0)))
def own_iter_that_counts():
    items = Visited([1.0, 2.0])
    items.visits = 0

    def f(x):
        total = x
        for v in items:
            total = total + v
        return total + sum(items), items.visits

    return f, lambda: items.visits


class Doubling(dict):
    def __getitem__(self, key):
        return super().__getitem__(key) * 2


@program(*X)
def get_passes_by_own_getitem(x):
    d = Doubling(a=x, b=3)
    return d["a"], d.get("a"), d.get("b", 0), d.get("c", 5)


class Zeros(dict):
    def __getitem__(self, key):
        return self.get(key, 0.0)


@program(*X)
def getitem_written_with_get(x):
    d = Zeros(a=x)
    return d["a"], d["b"]


class Shouting(dict):
    def __contains__(self, key):
        return super().__contains__(key.lower())


@program(*X)
def get_passes_by_own_contains(x):
    d = Shouting(a=x)
    return "A" in d, d.get("A", -1), d.get("a", -1)


class Window(collections.deque):
    def __init__(self, size):
        super().__init__(maxlen=size)


@program(*X)
def deque_subclass_with_maxlen(x):
    w = Window(3)
    for v in (0.0, 1.0, 2.0, 3.0, x):
        w.append(v)
    return list(w), w.maxlen, len(w)


class Recent(collections.deque):
    pass


@program(*X)
def deque_subclass_with_items_and_maxlen(x):
    r = Recent([0.0, 1.0, x], 2)
    return list(r), r.maxlen


class Groups(collections.defaultdict):
    def __init__(self):
        super().__init__(list)


@program(*X)
def defaultdict_subclass(x):
    g = Groups()
    g["p" if x > 0 else "n"].append(x)
    return dict(g), g.default_factory is list


class Ballot(collections.Counter):
    pass


@program(*X)
def counter_subclass_with_names(x):
    b = Ballot(a=2, b=3)
    b["a"] += int(x)
    return b["a"], b["b"], len(b)


class Backwards(list):
    def __reversed__(self):
        return iter(["own"])


@program(*X)
def own_reversed_of_a_list_subclass(x):
    b = Backwards([x, 1.0])
    found = []
    if x > 0:
        found = [v for v in reversed(b)]
    return len(found)


@dataclass(order=True)
class Task:
    priority: float


@dataclass
class NamedTask(Task):
    number: float = 0.0


@program(case(t(1.0)), case(t(-1.0)))
def order_inherited_from_a_dataclass(x):
    a, b = NamedTask(1.0, float(x)), NamedTask(1.0, 0.0)
    return a < b, b < a, a <= b, a >= b


@program(case(t(1.0)), case(t(-1.0)))
def sorted_by_an_inherited_order(x):
    tasks = [
        NamedTask(1.0, float(x)),
        NamedTask(1.0, 0.0),
        NamedTask(1.0, 5.0),
        NamedTask(0.0, 9.0),
    ]
    return [one.number for one in sorted(tasks)]


@dataclass(eq=False, repr=False)
class Tagged(Task):
    tag: float = 0.0


@program(case(t(1.0)), case(t(-1.0)))
def equality_and_text_inherited_from_a_dataclass(x):
    a, b = Tagged(1.0, float(x)), Tagged(1.0, 0.0)
    return a == b, a != b, repr(a)


@dataclass
class Base:
    width: Any
    depth: Any = 1


@dataclass
class Derived(Base):
    area: Any = 0

    def __init__(self, width):
        self.area = width * 10
        super().__init__(width, 4)


@program(*X)
def super_init_of_a_dataclass(x):
    d = Derived(x)
    return d.width, d.depth, d.area


class Square(Base):
    def __init__(self, side):
        Base.__init__(self, side, side)
        self.side = side


@program(*X)
def plain_class_on_a_dataclass(x):
    s = Square(x)
    return s.width, s.depth, s.side


class Money:
    def __init__(self, v):
        self.v = v

    def __add__(self, other):
        return Money(self.v + (other.v if isinstance(other, Money) else other))

    def __radd__(self, other):
        return Money(other * 100 + self.v)

    def __sub__(self, other):
        return Money(self.v - (other.v if isinstance(other, Money) else other))

    def __rsub__(self, other):
        return Money(other - self.v)

    def __mul__(self, k):
        return Money(self.v * k)


class Bonus(Money):
    pass


@program(*X)
def subclass_on_the_right_that_overrides_nothing(x):
    d = Money(x) - Bonus(1.0)
    return d.v, type(d) is Money


class Unit:
    def __init__(self, n):
        self.n = n

    def __truediv__(self, other):
        return ("forward", self.n)

    def __rtruediv__(self, other):
        return ("backward", self.n)


class SubUnit(Unit):
    pass


@program(*X)
def which_of_two_methods_is_asked(x):
    return Unit(x) / SubUnit(1.0)


class Job(NamedTuple):
    cost: float
    name: str

    def __lt__(self, other):
        return self.cost > other.cost


@program(case(t(2.0)), case(t(0.5)))
def named_tuple_with_its_own_order(x):
    a, b = Job(float(x), "a"), Job(1.0, "b")
    return a < b, [j.name for j in sorted([a, b])], min([a, b]).name


@program(case(t(2.0)), case(t(0.5)))
def heap_of_named_tuples_with_their_own_order(x):
    heap = []
    for j in (Job(float(x), "a"), Job(1.0, "b"), Job(1.5, "c")):
        heapq.heappush(heap, j)
    return [heapq.heappop(heap).name for _ in range(3)]
