"""Named tuples, views, getters and dataclasses as Python's own library has them."""

from __future__ import annotations

import bisect
import collections
import copy
import dataclasses
import enum
import functools
import heapq
import itertools
import operator
from dataclasses import dataclass
from typing import NamedTuple

import autograph as ag
from tests.corpus.registry import case, program

t = ag.asarray
X = (case(t(2.0)), case(t(-1.5)), case(t(0.0)))
N = (case(t(3)), case(t(0)), case(t(6)))
V = (case(t([1.0, -2.0, 3.0])), case(t([-1.0, -2.0, -3.0])), case(t([0.5, 2.0, 2.0])))


class Node:
    def __init__(self, value, left=None, right=None):
        self.value, self.left, self.right = value, left, right


def insert(node, v):
    if node is None:
        return Node(v)
    if v < node.value:
        node.left = insert(node.left, v)
    elif v > node.value:
        node.right = insert(node.right, v)
    return node


def inorder(node):
    return [] if node is None else [*inorder(node.left), node.value, *inorder(node.right)]


def height(node):
    return 0 if node is None else 1 + max(height(node.left), height(node.right))


@dataclass
class Leafy:
    v: object
    n: int = 0


@dataclass
class Holder:
    items: object


@program(*X)
def asdict_of_a_deque(x):
    return dataclasses.asdict(Holder(collections.deque([Leafy(x)])))


@program(*X)
def asdict_of_an_ordered_dict(x):
    return dataclasses.asdict(Holder(collections.OrderedDict(a=Leafy(x))))


@dataclass(frozen=True)
class Frozen:
    v: int


@program(*X)
def asdict_of_a_set_of_frozen(x):
    d = dataclasses.asdict(Holder({Frozen(1)}))
    return len(d["items"]), x


@program(*X)
def asdict_of_list_conditional(x):
    h = Holder([Leafy(1)])
    if x > 0:
        h.items.append(Leafy(x))
    return dataclasses.asdict(h), dataclasses.astuple(h)


@program(*N, compiled=True)
def asdict_of_grown_containers(n):
    h = Holder([Leafy(k * 0.5, k) for k in range(n)])
    d = dataclasses.asdict(h)
    d["items"].append(7)
    table = Holder({k % 3: (k, Leafy(k)) for k in range(n)})
    return d, h, dataclasses.astuple(h), dataclasses.asdict(table), dataclasses.astuple(table)


@program(*N)
def asdict_of_counted_rows(n):
    h = Holder([[0] * 2 for _ in range(3)])
    for k in range(n):
        h.items[k % 3][k % 2] += 1
    d = dataclasses.asdict(h)
    d["items"][0][0] += 5
    return d, h, sum(map(sum, h.items))


@program(*N)
def keys_views_with_lists(n):
    d = {int(n): 1, 10: 2}
    return (
        sorted(d.keys() - [10]),
        sorted(d.keys() & [10, 11]),
        sorted(d.keys() | [5]),
        sorted(d.keys() ^ (10,)),
        d.keys() >= {10},
        d.keys().isdisjoint([11]),
    )


@program(*X)
def ordered_dict_or_dict(x):
    d, o, dd = {int(x): 1}, collections.OrderedDict(b=2), collections.defaultdict(int, {7: 1})
    return type(d | dd).__name__, type(dd | d).__name__, len(d | dd)


@program(*X)
def namedtuple_inside_add_and_slice(x):
    P = collections.namedtuple("P", "a b")
    p = P(x, 1)
    return p + (5,), p[1:], p.index(1), p.count(1), tuple(p)


@program(*N)
def dict_merge_kinds(n):
    d = {}
    for i in range(n):
        d[i] = i
    o = collections.OrderedDict({7: 1})
    e = d | o
    f = o | d
    o |= d
    return (
        isinstance(e, collections.OrderedDict),
        isinstance(f, collections.OrderedDict),
        len(e),
        list(o),
    )


@program(*N)
def unseen_keys_of_a_staged_dict(n):
    counts = {}
    for i in range(n):
        counts[i % 4] = counts.get(i % 4, 0) + 1
    return sorted(counts.keys() & [0, 1, 8]), sorted({0, 1, 2} - counts.keys())


@program(*N)
def unseen_keys_by_a_range(n):
    counts = {}
    for i in range(n):
        counts[i % 4] = counts.get(i % 4, 0) + 1
    return sorted(counts.keys() - range(2)), sorted(counts.items() & [(0, 1)])


@program(*N)
def nlargest_by_names(n):
    l = [i * 3 % 5 for i in range(n)]
    return heapq.nlargest(n=2, iterable=l), heapq.nsmallest(2, iterable=l, key=lambda v: -v)


@program(*N)
def copies_by_names(n):
    l = [[i] for i in range(3)]
    l[0].append(int(n))
    a, b = copy.copy(x=l), copy.deepcopy(x=l)
    return a[0] is l[0], b[0] is l[0], b, dataclasses.asdict(obj=Leafy(int(n)))


@program(*X)
def nt_inside_index(x):
    P = collections.namedtuple("P", "a b")
    return P(x, 1).index(1)


@program(*X)
def module_named_tuple_index(x):
    p = Point(int(x), 1)
    return p.index(1)


class Triple(NamedTuple):
    low: object
    mid: object
    high: object


class Pair(tuple):
    pass


@program(*N)
def named_tuple_by_staged_index(n):
    p = Triple(1, 2, 3)
    return p[int(n) % 3], p[n % 3]


@program(*X)
def named_tuple_gone_over_until(x):
    p = Triple(x, x * 2, 5.0)
    for k in range(len(p)):
        if p[k] > 3:
            break
    return k


@program(*N)
def tuple_subclass_by_staged_index(n):
    p = Pair((1, 2, 3))
    return p[int(n) % 3]


@program(*X)
def named_tuple_as_a_table_of_rates(x):
    rates = Triple(0.1, 0.01, 0.001)
    phase, total = 0, 0.0
    while total < 0.2 and phase < 3:
        total += rates[phase]
        if total > x:
            phase += 1
        total += 0.05
    return total, phase


@dataclass(frozen=True)
class Vec:
    x: object
    y: object = 0.0

    def __add__(self, other):
        if not isinstance(other, Vec):
            return NotImplemented
        return Vec(self.x + other.x, self.y + other.y)

    def __radd__(self, other):
        return self if other == 0 else NotImplemented

    def __mul__(self, k):
        return dataclasses.replace(self, x=self.x * k, y=self.y * k)

    __rmul__ = __mul__

    def __abs__(self):
        return (self.x**2 + self.y**2) ** 0.5

    def __bool__(self):
        return bool(self.x != 0 or self.y != 0)

    def __neg__(self):
        return Vec(-self.x, -self.y)

    def __iter__(self):
        yield self.x
        yield self.y


class Color(enum.Enum):
    RED = 1
    GREEN = 2
    BLUE = 3

    @property
    def next(self):
        ms = list(Color)
        return ms[(ms.index(self) + 1) % len(ms)]

    @classmethod
    def of(cls, x):
        return cls.GREEN if x > 0 else cls.RED if x < 0 else cls.BLUE


class Matrix:
    def __init__(self, rows):
        self.rows = rows

    def __matmul__(self, other):
        cols = list(zip(*other.rows))
        return Matrix([[sum(a * b for a, b in zip(r, c)) for c in cols] for r in self.rows])

    def __getitem__(self, ij):
        i, j = ij
        return self.rows[i][j]

    def __setitem__(self, ij, v):
        i, j = ij
        self.rows[i][j] = v

    def __eq__(self, other):
        return self.rows == other.rows

    def __len__(self):
        return len(self.rows)


class Timer:
    depth = 0
    log = []

    def __init__(self, name, swallow=()):
        self.name, self.swallow = name, swallow

    def __enter__(self):
        Timer.depth += 1
        Timer.log.append((self.name, Timer.depth))
        return self

    def __exit__(self, kind, value, tb):
        Timer.depth -= 1
        Timer.log.append((self.name, kind and kind.__name__))
        return kind is not None and issubclass(kind, self.swallow)


class Point(NamedTuple):
    x: object
    y: object = 1

    def norm1(self):
        return abs(self.x) + abs(self.y)

    @property
    def flipped(self):
        return self._replace(x=self.y, y=self.x)


class Expr:
    def __init__(self, op, *args):
        self.op, self.args = op, args

    def __add__(self, o):
        return Expr("+", self, o)

    def __mul__(self, o):
        return Expr("*", self, o)

    def eval(self, env):
        vals = [a.eval(env) if isinstance(a, Expr) else a for a in self.args]
        match self.op:
            case "+":
                return vals[0] + vals[1]
            case "*":
                return vals[0] * vals[1]
            case "var":
                return env[self.args[0]]

    def __repr__(self):
        return f"({self.op} {' '.join(map(repr, self.args))})"


@dataclass(frozen=True, order=True)
class Ver:
    major: int
    minor: int = 0

    def bump(self, major):
        return Ver(self.major + 1) if major else dataclasses.replace(self, minor=self.minor + 1)


class Tracked:
    ids = itertools.count(100)
    live = {}

    def __init__(self, v):
        self.id = len(Tracked.live)
        self.v = v
        Tracked.live[self.id] = self

    @functools.singledispatchmethod
    def scale(self, k):
        return "no"

    @scale.register
    def _(self, k: int):
        return self.v * k

    @scale.register
    def _(self, k: str):
        return k + k

    double = functools.partialmethod(scale, 2)


@program(*X)
def cmp_to_key_and_getters(x):
    class R:
        def __init__(self, a, b):
            self.a, self.b = a, b

        def total(self, k=1):
            return self.a + self.b * k

    rs = [R(float(x), 1), R(1.0, 2), R(0.5, float(x))]
    by = sorted(
        rs, key=functools.cmp_to_key(lambda p, q: (p.total() > q.total()) - (p.total() < q.total()))
    )
    g = operator.attrgetter("a", "b")
    m = operator.methodcaller("total", k=2)
    return (
        [g(r) for r in by],
        max(map(m, rs)),
        functools.reduce(lambda acc, r: acc * 2 + r.a, rs, x),
    )


@program(*X)
def methodcaller_with_keywords(x):
    class R:
        def total(self, a=1, *, k=1):
            return x * a + k

    m, n, o = (
        operator.methodcaller("total", k=2),
        operator.methodcaller("total", 3, k=4),
        operator.methodcaller("total"),
    )
    return m(R()), n(R()), list(map(o, [R()]))


@program(*V)
def bisect_and_heapq_forms(v):
    l = sorted(float(e) for e in v)
    r = [{"k": e} for e in l]
    h = list(l)
    heapq.heapify(h)
    return (
        bisect.bisect_left(l, 0.5, 1),
        bisect.bisect_right(l, x=0.5, lo=0, hi=2),
        bisect.bisect(r, 0.5, key=lambda d: d["k"]),
        bisect.bisect_left(a=l, x=l[1]),
        heapq.nsmallest(2, l, key=lambda e: -e),
        heapq.nlargest(n=2, iterable=l),
        heapq.heappushpop(h, 0.0),
        heapq.heapreplace(h, 9.0),
        h[0],
        len(h),
    )
