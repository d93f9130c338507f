"""Classes of the user's outside: special methods, properties, descriptors, inheritance, slots."""

from __future__ import annotations

import abc
import functools
import math
import operator
from dataclasses import dataclass, field

import autograph as ag
from tests.corpus.registry import case, program, stateful

t = ag.asarray


class Vec:
    """Operators with conditions inside."""

    def __init__(self, a, b=0.0):
        self.a = a
        self.b = b

    def __add__(self, other):
        if isinstance(other, Vec):
            return Vec(self.a + other.a, self.b + other.b)
        if isinstance(other, str):
            return NotImplemented
        return Vec(self.a + other, self.b)

    def __radd__(self, other):
        return Vec(other + self.a, self.b + 1)

    def __iadd__(self, other):
        self.a = self.a + (other if other > 0 else 0.0)
        return self

    def __sub__(self, other):
        return Vec(self.a - other.a, self.b)

    def __mul__(self, k):
        return Vec(self.a * k, self.b * k) if k > 0 else Vec(0.0, 0.0)

    def __rmul__(self, k):
        return self * k

    def __matmul__(self, other):
        return self.a * other.a + self.b * other.b

    def __truediv__(self, k):
        if k == 0:
            return Vec(0.0)
        return Vec(self.a / k, self.b)

    def __floordiv__(self, k):
        return Vec(self.a // k, self.b)

    def __mod__(self, k):
        return Vec(self.a % k, self.b)

    def __divmod__(self, k):
        return self // k, self % k

    def __pow__(self, k, modulo=None):
        out = self
        for _ in range(k - 1):
            out = Vec(out.a * self.a, out.b)
        return out

    def __neg__(self):
        return Vec(-self.a, -self.b)

    def __pos__(self):
        return self

    def __invert__(self):
        return Vec(self.b, self.a)

    def __abs__(self):
        return self.a if self.a > 0 else -self.a

    def __round__(self, digits=None):
        return "rounded"

    def __eq__(self, other):
        if not isinstance(other, Vec):
            return NotImplemented
        return self.a == other.a and self.b == other.b

    def __hash__(self):
        return 7

    def __lt__(self, other):
        return self.a < other.a

    def __le__(self, other):
        return not other < self

    def __bool__(self):
        return bool(self.a > 0)

    def __float__(self):
        return float(self.a)

    def __int__(self):
        return int(self.a)

    def __and__(self, other):
        return "and"

    def __rshift__(self, f):
        return f(self.a)


@program(case(t(2.0)), case(t(-2.0)), case(t(0.0)))
def arithmetic(x):
    u, v = Vec(x, 1.0), Vec(1.0, x)
    w = u + v + 1
    s = sum([u, v])
    p = 2 * u
    q = u * x
    return w.a, w.b, s.a, s.b, p.a, q.a, q.b, u @ v, (u / x).a, (-u).a, +u is u, (~u).a, abs(u)


@program(case(t(5.0)), case(t(-5.0)))
def more_arithmetic(x):
    u = Vec(x)
    d, m = divmod(u, 2)
    before = u
    u += x
    u += -x
    e = Vec(x) ** 3
    return d.a, m.a, u.a, before is u, e.a, round(u), u & 1, u >> math.floor if False else u >> abs


@program(case(t(2.0)), case(t(-2.0)))
def comparisons(x):
    u, v = Vec(x), Vec(-x)
    return u == v, u == Vec(x), u != v, u < v, u <= v, u > v, u == 3, u != "a", (u < v) == (v > u)


@program(case(t(2.0)), case(t(-2.0)))
def truth_and_conversion(x):
    u = Vec(x)
    r = []
    if u:
        r.append("true")
    if not u:
        r.append("false")
    while u:
        r.append("turn")
        u = Vec(-1.0)
    v = Vec(x) or "other"
    return r, float(Vec(x)), int(Vec(x)), bool(Vec(x)), v if isinstance(v, str) else v.a


@program(case(t(2.0)), case(t(-2.0)))
def sorting_and_extremes(x):
    best = max([Vec(x), Vec(1.0), Vec(-x)], key=lambda v: v.b)
    u, v = Vec(x), Vec(-x)
    big = u if v < u else v
    return best.a, big.a, [one.a for one in (u, v) if one]


@program(case(t(2.0)), case(t(-2.0)))
def reflected_when_not_implemented(x):
    try:
        Vec(x) + "a"
    except TypeError as error:
        text = str(error)
    return text, (1 + Vec(x)).b, (x + Vec(1.0)).a if False else None


class Bag:
    """A container of the user's."""

    def __init__(self, *items):
        self.items = list(items)
        self.reads = 0

    def __len__(self):
        return len(self.items)

    def __getitem__(self, k):
        self.reads += 1
        if isinstance(k, slice):
            return Bag(*self.items[k])
        return self.items[k]

    def __setitem__(self, k, v):
        if v > 0:
            self.items[k] = v

    def __delitem__(self, k):
        del self.items[k]

    def __contains__(self, v):
        for one in self.items:
            if one == v:
                return True
        return False

    def __reversed__(self):
        return [v * 2 for v in self.items[::-1]]


@program(case(t(2.0)), case(t(-2.0)))
def container_protocol(x):
    bag = Bag(x, 1.0, x * 2)
    bag[1] = x
    bag[0] = -x
    del bag[2]
    total = 0.0
    for one in bag:
        total = total + one
    return len(bag), bag[0], bag[-1], total, x in bag, 5.0 in bag, bag[:1].items, bag.reads


@program(case(t(2.0)), case(t(-2.0)))
def sequence_by_getitem(x):
    bag = Bag(x, 1.0, x * 2)
    a, b, c = bag
    first, *rest = bag
    return a, b, c, first, rest, list(bag), tuple(bag), list(reversed(bag)), bool(bag), bool(Bag())


class Countdown:
    """An iterator of the user's."""

    def __init__(self, n):
        self.n = n

    def __iter__(self):
        return self

    def __next__(self):
        if self.n <= 0:
            raise StopIteration
        self.n -= 1
        return self.n


@program(case(t(2.0)), case(t(9.0)))
def iterator_protocol(x):
    total = 0.0
    for k in Countdown(4):
        if k == x:
            continue
        total = total + k * x
    c = Countdown(2)
    return total, next(c), list(c), next(c, "end"), [*Countdown(3)], sum(Countdown(5))


class Loose:
    """Attributes by hand."""

    def __init__(self, base):
        object.__setattr__(self, "base", base)
        object.__setattr__(self, "log", [])

    def __getattr__(self, name):
        if name.startswith("twice_"):
            return getattr(self, name[6:]) * 2
        if name == "sign":
            return 1 if self.base > 0 else -1
        raise AttributeError(f"no {name}")

    def __setattr__(self, name, value):
        self.log.append(name)
        if value > 0:
            object.__setattr__(self, name, value)
        else:
            object.__setattr__(self, name, 0.0)

    def __delattr__(self, name):
        self.log.append("del " + name)
        object.__delattr__(self, name)


@program(case(t(2.0)), case(t(-2.0)))
def attribute_hooks(x):
    one = Loose(x)
    one.y = x
    one.z = -x
    del one.z
    return (
        one.twice_base,
        one.sign,
        one.y,
        one.log,
        hasattr(one, "z"),
        getattr(one, "w", "default"),
        getattr(one, "twice_y"),
    )


class Reading:
    """`__getattribute__`."""

    def __init__(self, v):
        self.v = v

    def __getattribute__(self, name):
        if name == "double":
            return object.__getattribute__(self, "v") * 2
        return super().__getattribute__(name)


@program(case(t(2.0)), case(t(-2.0)))
def getattribute(x):
    r = Reading(x)
    r.v = r.v + 1 if x > 0 else r.v
    return r.double, r.v


class Validated:
    """A descriptor with a condition."""

    def __init__(self, low):
        self.low = low

    def __set_name__(self, owner, name):
        self.name = "_" + name

    def __get__(self, instance, owner=None):
        if instance is None:
            return self
        return getattr(instance, self.name, "unset")

    def __set__(self, instance, value):
        if value < self.low:
            value = self.low
        setattr(instance, self.name, value)

    def __delete__(self, instance):
        delattr(instance, self.name)


class Lazy:
    """A non-data descriptor."""

    def __init__(self, function):
        self.function = function

    def __get__(self, instance, owner=None):
        if instance is None:
            return "class"
        value = self.function(instance)
        instance.__dict__["lazy"] = value
        return value


class Described:
    a = Validated(0.0)
    b = Validated(-1.0)
    kind = "described"

    def __init__(self, a):
        self.a = a
        self.count = 0

    @Lazy
    def lazy(self):
        self.count += 1
        return self.a * 2 if self.a > 1 else self.a

    @functools.cached_property
    def cached(self):
        self.count += 10
        return self.a + 1

    @property
    def half(self):
        if self.a > 0:
            return self.a / 2
        return None

    @half.setter
    def half(self, value):
        self.a = value * 2

    @half.deleter
    def half(self):
        self.a = 0.0

    @staticmethod
    def clip(v, low=0.0):
        return v if v > low else low

    @classmethod
    def named(cls, v):
        if v > 0:
            return cls.kind
        return cls.__name__

    @classmethod
    def build(cls, v):
        made = cls(v)
        made.b = v
        return made


class Child(Described):
    kind = "child"

    def __init__(self, a):
        super().__init__(a)
        self.extra = super().half

    @property
    def half(self):
        return super().half


@program(case(t(2.0)), case(t(-2.0)))
def descriptors(x):
    d = Described(x)
    before = d.b
    d.b = x
    d.a += 1
    after = d.b
    del d.b
    return d.a, before, after, d.b, Described.a.low, d.lazy, d.lazy, Described.lazy, d.count


@program(case(t(2.0)), case(t(-2.0)))
def properties(x):
    d = Described(x)
    h = d.half
    d.half = x * 3
    i = d.half
    del d.half
    c = d.cached
    return h, i, d.a, c, d.cached is c, d.count, "cached" in d.__dict__


@program(case(t(2.0)), case(t(-2.0)))
def class_and_static_methods(x):
    d = Described.build(x)
    c = Child.build(x)
    return (
        d.b,
        c.b,
        Described.clip(x),
        d.clip(x, low=1.0),
        Child.named(x),
        d.named(-x),
        c.extra,
        type(c).kind,
        c.half,
        isinstance(c, Described),
        issubclass(Child, Described),
    )


@stateful(case(t(2.0)), case(t(-2.0)))
def object_from_outside():
    d = Described(1.0)

    def run(x):
        d.a = x
        d.half = d.a
        if x > 0:
            d.extra = x
        return d.half, d.lazy, d.cached, d.count

    return run, d


class Shape(abc.ABC):
    registry: dict = {}

    def __init_subclass__(cls, **kwargs):
        super().__init_subclass__(**kwargs)
        Shape.registry[cls.__name__] = cls

    @property
    @abc.abstractmethod
    def area(self): ...

    def describe(self):
        if self.area > 10:
            return "large"
        return "small"


class Square(Shape):
    __slots__ = ("side",)

    def __init__(self, side):
        self.side = side

    @property
    def area(self):
        return self.side * self.side


class Circle(Shape):
    def __init__(self, r):
        self.r = r

    @property
    def area(self):
        return self.r * self.r * math.pi if self.r > 0 else 0.0


@program(case(t(2.0)), case(t(-4.0)))
def abstract_classes(x):
    total = 0.0
    for name in sorted(Shape.registry):
        shape = Shape.registry[name](x)
        total = total + shape.area
    chosen = Square(x) if x > 0 else Circle(-x)
    try:
        Shape()
    except TypeError:
        refused = True
    return total, chosen.area, chosen.describe(), type(chosen) is Circle, refused


class Left:
    def go(self, v):
        return [*super().go(v), "left"]


class Right:
    def go(self, v):
        return [*super().go(v), "right" if v > 0 else "wrong"]


class Root:
    def go(self, v):
        return [v]


class LeftRight(Left, Right, Root):
    def go(self, v):
        found = super().go(v * 2)
        return found if v > 0 else found[::-1]


@program(case(t(2.0)), case(t(-2.0)))
def diamond(x):
    return LeftRight().go(x), Right.go(LeftRight(), x), super(Left, LeftRight()).go(x)


class Private:
    __shared = 3

    def __init__(self, v):
        self.__v = v
        self._Private__w = 2

    def __step(self):
        self.__v += self.__shared if self.__v > 0 else self.__w

    def run(self, n):
        for _ in range(n):
            self.__step()
        return self.__v


class PrivateChild(Private):
    def __init__(self, v):
        super().__init__(v)
        self.__v = "mine"

    def mine(self):
        return self.__v


@program(case(t(3)), case(t(0)))
def private_names(n):
    p = PrivateChild(-3)
    return p.run(n), p.mine(), p._Private__v, p._PrivateChild__v


class Meta(type):
    def __call__(cls, *args, **kwargs):
        made = super().__call__(*args, **kwargs)
        made.tag = f"{cls.__name__}-made"
        return made

    def __getitem__(cls, k):
        return cls(k)

    def __contains__(cls, v):
        return bool(v > 0)

    def __len__(cls):
        return 42

    def __iter__(cls):
        return iter((1, 2))

    @property
    def label(cls):
        return cls.__name__.upper()


class Tagged(metaclass=Meta):
    def __init__(self, v):
        self.v = v if v > 0 else -v


@program(case(t(2.0)), case(t(-2.0)))
def metaclass(x):
    made = Tagged(x)
    return made.v, made.tag, Tagged[x].v, x in Tagged, len(Tagged), list(Tagged), Tagged.label


class Single:
    _one = None

    def __new__(cls, v):
        if cls._one is None:
            cls._one = super().__new__(cls)
        return cls._one

    def __init__(self, v):
        self.v = v


@stateful(case(t(2.0)), case(t(-2.0)))
def singleton():
    Single._one = None

    def run(x):
        a, b = Single(x), Single(x * 2)
        return a is b, a.v

    return run, lambda: Single._one is None


class Small(int):
    def __new__(cls, v):
        return super().__new__(cls, v % 10)

    def next(self):
        return Small(self + 1)


class Words(list):
    def __init__(self, *items):
        super().__init__(items)
        self.label = "words"

    def push(self, v):
        if v > 0:
            self.append(v)
        return self


class Table(dict):
    def __missing__(self, key):
        self[key] = len(self)
        return self[key]


@program(case(t(2.0)), case(t(-2.0)))
def subclasses_of_builtins(x):
    w = Words(1).push(x).push(-x)
    tb = Table(a=x)
    n = Small(19).next()
    return (
        len(w),
        w[1],
        w.label,
        tb["b"],
        tb["c"],
        tb["a"],
        list(tb),
        n + 0,
        n + 1,
        type(n) is Small,
        w,
    )


@dataclass(order=True)
class Version:
    major: object
    minor: object = 0
    tags: list = field(default_factory=list, compare=False)

    def __post_init__(self):
        if self.major < 0:
            self.major = 0
        self.tags.append("made")


@dataclass(frozen=True, eq=False)
class Identity:
    v: object

    def __eq__(self, other):
        return self is other

    __hash__ = None


@program(case(t(2.0)), case(t(-2.0)))
def dataclass_features(x):
    a, b = Version(x), Version(x, 1)
    return (
        a == b,
        a < b,
        a >= b,
        a.major,
        a.tags,
        a.tags is b.tags,
        a == Version(x),
        repr(Version(1)),
    )


@program(case(t(2.0)), case(t(-2.0)))
def methods_as_values(x):
    d = Described(x)
    f = d.clip
    g = Described.named
    h = Vec(x).__add__
    k = functools.partial(Vec.__mul__, Vec(x))
    names = ["a", "count"]
    get = operator.attrgetter("a")
    call = operator.methodcaller("clip", x)
    return f(x), g(x), h(1).a, k(x).a, [getattr(d, name) for name in names], get(d), call(d)


class Pipeline:
    def __init__(self, *steps):
        self.steps = steps

    def __or__(self, step):
        return Pipeline(*self.steps, step)

    def __call__(self, v):
        for step in self.steps:
            v = step(v)
            if v is None:
                break
        return v


@program(case(t(2.0)), case(t(-2.0)))
def callable_chains(x):
    p = Pipeline(abs) | (lambda v: v * 2 if v > 3 else v) | Vec | (lambda v: v.a)
    return p(x), Pipeline(lambda v: None, abs)(x), callable(p), callable(x)


@program(case(t(2.0)), case(t(-2.0)))
def format_and_repr(x):
    class_name = type(Vec(x)).__name__
    return class_name, str(Version(1, 2)), f"{Version(3)!r}", Vec.__doc__, Vec.__add__.__name__


class Meter:
    total = 0.0

    def __init__(self):
        self.own = 0

    def read(self, v):
        Meter.total = Meter.total + v
        self.own += 1
        if v > 0:
            type(self).last = v
        return Meter.total


@stateful(case(t(2.0)), case(t(-2.0)))
def class_state_from_outside():
    Meter.total = 0.0
    Meter.last = None
    meter = Meter()

    def run(x):
        first = meter.read(x)
        return first, meter.read(x * 2), Meter.last, meter.own

    return run, lambda: (Meter.total, Meter.last, meter.own)


@program(case(t(3.0)), case(t(-3.0)))
def gradient_through_objects(x):
    with ag.GradientTape() as tape:
        tape.watch(x)
        d = Described(x)
        d.half = d.a
        v = Vec(x) * x + Vec(d.a)
        y = v.a * d.lazy + abs(Vec(x))
    return tape.gradient(y, x), y
