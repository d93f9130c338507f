"""Classes defined in the staged function, and what their methods may do."""

from __future__ import annotations

import abc
import enum
import functools
from collections import namedtuple
from dataclasses import dataclass, field

import autograph as ag
from tests.corpus.registry import case, program, stateful

t = ag.asarray


@program(case(t(2.0)), case(t(-2.0)))
def method_with_a_branch(x):
    class Item:
        def __init__(self, v):
            self.v = v

        def positive(self):
            if self.v > 0:
                return self.v
            return -self.v

    return Item(x).positive(), Item(-x).positive()


@program(case(t(3)), case(t(0)))
def method_with_a_loop(n):
    class Counter:
        start = 1

        def __init__(self):
            self.n = self.start

        def run(self, k):
            for i in range(k):
                self.n += i
                if self.n > 2:
                    break
            else:
                return "whole"
            return self.n

    c = Counter()
    r = c.run(n)
    return r, c.n


@program(case(t(2.0)), case(t(-2.0)))
def closes_over_the_function(x):
    k = 2

    class Item:
        factor = k

        def scaled(self, v):
            nonlocal k
            k += 1
            return v * k if v > 0 else v * self.factor

    item = Item()
    return item.scaled(x), item.scaled(-x), k, Item.factor


@program(case(t(2.0)), case(t(-2.0)))
def inheritance_inside(x):
    class Base:
        def __init__(self, v):
            self.v = v

        def size(self):
            return self.v if self.v > 0 else -self.v

    class Derived(Base):
        def __init__(self, v):
            super().__init__(v * 2)
            self.more = v

        def size(self):
            return super().size() + (1 if self.more > 0 else 2)

    return Derived(x).size(), Base(x).size(), isinstance(Derived(x), Base)


@program(case(t(2.0)), case(t(-2.0)))
def properties_inside(x):
    class Item:
        def __init__(self, v):
            self._v = v

        @property
        def v(self):
            return self._v if self._v > 0 else 0.0

        @v.setter
        def v(self, new):
            if new > 1:
                self._v = new

        @staticmethod
        def clip(u):
            return u if u < 1 else 1.0

        @classmethod
        def make(cls, u):
            return cls(u * 2 if u > 0 else u)

    item = Item(x)
    item.v = x * 3
    made = Item.make(x)
    return item.v, Item.clip(x), item.clip(-x), made.v, made._v


@program(case(t(2.0)), case(t(-2.0)))
def operators_inside(x):
    class Vec:
        def __init__(self, a, b):
            self.a = a
            self.b = b

        def __add__(self, other):
            if isinstance(other, Vec):
                return Vec(self.a + other.a, self.b + other.b)
            return Vec(self.a + other, self.b)

        __radd__ = __add__

        def __mul__(self, k):
            return Vec(self.a * k, self.b * k) if k > 0 else Vec(0.0, 0.0)

        def __neg__(self):
            return Vec(-self.a, -self.b)

        def __eq__(self, other):
            return self.a == other.a and self.b == other.b

        def __lt__(self, other):
            return self.a < other.a

        def __bool__(self):
            return bool(self.a > 0)

        def __len__(self):
            return 2

        def __getitem__(self, k):
            return self.a if k == 0 else self.b

        def __iter__(self):
            return iter((self.a, self.b))

        def __contains__(self, v):
            return v == self.a or v == self.b

        def __call__(self, v):
            return self.a * v if v > 0 else self.b * v

        def __abs__(self):
            return self.a if self.a > 0 else -self.a

    u = Vec(x, 1.0)
    v = 1 + u + u
    w = v * x
    p, q = w
    r = 1 if u else 0
    return v.a, w.b, u == u, u < v, r, len(u), u[0], p, q, x in u, u(x), abs(-u), [*v], max(u, v).a


@program(case(t(2.0)), case(t(-2.0)))
def private_names_inside(x):
    class Item:
        __kind = 3

        def __init__(self, v):
            self.__v = v

        def __hidden(self):
            return self.__v * self.__kind if self.__v > 0 else self.__v

        def get(self):
            return self.__hidden()

    item = Item(x)
    return item.get(), item._Item__v, sorted(vars(item))


@program(case(t(2.0)), case(t(-2.0)))
def dataclass_inside(x):
    @dataclass
    class Item:
        v: object
        items: list = field(default_factory=list)
        total: object = 0.0

        def __post_init__(self):
            if self.v > 0:
                self.total = self.v * 2
            self.items.append(self.v)

        def add(self, u):
            self.total = self.total + (u if u > self.v else 0.0)
            return self

    one, two = Item(x), Item(-x)
    one.add(x + 1).add(x - 1)
    return one.total, two.total, one.items, two.items, one == two, one.items is two.items


@program(case(t(2.0)), case(t(-2.0)))
def frozen_dataclass_inside(x):
    @dataclass(frozen=True, order=True)
    class Item:
        v: object
        w: object = 1

        def bigger(self):
            return Item(self.v + 1, self.w) if self.v > 0 else self

    item = Item(x)
    return item.bigger().v, item.bigger() is item, item == Item(x), item < Item(x + 1)


@program(case(t(2.0)), case(t(-2.0)))
def enum_and_namedtuple_inside(x):
    class Side(enum.Enum):
        LEFT = 1
        RIGHT = 2

        def other(self):
            return Side.LEFT if self is Side.RIGHT else Side.RIGHT

    class Pair(namedtuple("Pair", "a b")):
        def total(self):
            return self.a + self.b if self.a > 0 else self.b

    side = Side.LEFT if x > 0 else Side.RIGHT
    return side.name, side.other().name, Pair(x, 1).total(), Pair(x, 1).a


@program(case(t(2.0)), case(t(-2.0)))
def chosen_class(x):
    class A:
        def go(self, v):
            return v * 2

    class B:
        def go(self, v):
            return v - 1 if v < 0 else v

    kind = A if x > 0 else B
    return kind().go(x), kind.__name__, kind is A


@program(case(t(3)), case(t(0)))
def objects_as_loop_state(n):
    class Node:
        def __init__(self, v, rest):
            self.v = v
            self.rest = rest

        def total(self):
            return self.v + (self.rest.total() if self.rest is not None else 0)

    node = Node(0, None)
    node = Node(n, node)
    node = Node(n * 2, node)

    class Acc:
        def __init__(self):
            self.s = 0

        def add(self, v):
            if v > 1:
                self.s += v
            return self

    acc = Acc()
    for i in range(n):
        acc.add(i).add(i + 1)
    return node.total(), acc.s


@program(case(t(2.0)), case(t(-2.0)))
def abstract_and_metaclass(x):
    class Shape(abc.ABC):
        @abc.abstractmethod
        def area(self): ...

        def twice(self):
            return self.area() * 2 if self.area() > 0 else self.area()

    class Square(Shape):
        def __init__(self, a):
            self.a = a

        def area(self):
            return self.a * abs(self.a)

    class Meta(type):
        def __call__(cls, *args):
            made = super().__call__(*args)
            made.tag = "meta"
            return made

        @property
        def label(cls):
            return cls.__name__.lower()

    class Tagged(metaclass=Meta):
        def __init__(self, v):
            self.v = v if v > 0 else -v

    made = Tagged(x)
    return Square(x).twice(), made.tag, made.v, Tagged.label


@program(case(t(2.0)), case(t(-2.0)))
def slots_inside(x):
    class Item:
        __slots__ = ("v", "w")

        def __init__(self, v):
            self.v = v

        def set(self):
            if self.v > 0:
                self.w = self.v * 2
            else:
                self.w = 0.0
            return self

    return Item(x).set().w, hasattr(Item(x), "w")


@program(case(t(2.0)), case(t(-2.0)))
def context_manager_inside(x):
    class Scope:
        def __init__(self):
            self.depth = 0

        def __enter__(self):
            self.depth += 1
            return self

        def __exit__(self, *error):
            self.depth -= 1
            return False

    scope = Scope()
    with scope as s:
        y = x * s.depth if x > 0 else x
        with scope:
            y = y + scope.depth
    return y, scope.depth


@program(case(t(2.0)), case(t(-2.0)))
def getattr_and_setattr_inside(x):
    class Loose:
        def __init__(self):
            object.__setattr__(self, "seen", [])

        def __getattr__(self, name):
            if name.startswith("x"):
                return x if x > 0 else name
            raise AttributeError(name)

        def __setattr__(self, name, value):
            self.seen.append(name)
            if value > 0:
                object.__setattr__(self, name, value)

    loose = Loose()
    loose.y = x
    return loose.xa, loose.seen, hasattr(loose, "zz"), hasattr(loose, "y"), loose.xb


@program(case(t(2.0)), case(t(-2.0)))
def class_attributes_written(x):
    class Item:
        made = 0
        log = []

        def __init__(self, v):
            Item.made += 1
            type(self).log.append(v)
            self.number = Item.made

    first = Item(x)
    if x > 0:
        second = Item(-x)
    return Item.made, first.number, Item.log


@program(case(t(2.0)), case(t(-2.0)))
def class_body_with_control_flow(x):
    flags = [1, 2, 3]

    class Item:
        total = 0
        for f in flags:
            total += f
        if total > 3:
            name = "big"
        else:
            name = "small"
        squares = [f * f for f in flags]

        def get(self, v):
            return v * self.total if v > 0 else self.squares

    return Item.name, Item().get(x), Item.f


@program(case(t(2.0)), refused="StagedValueError", naming=("bool()",))
def class_body_with_a_staged_condition(x):
    class Item:
        if x > 0:
            sign = 1
        else:
            sign = -1
        value = x * 2 if x > 0 else x

    return Item.sign, Item.value


@program(case(t(2.0)), case(t(-2.0)))
def descriptor_inside(x):
    class Positive:
        def __set_name__(self, owner, name):
            self.name = "_" + name

        def __get__(self, instance, owner=None):
            if instance is None:
                return self
            return getattr(instance, self.name)

        def __set__(self, instance, value):
            setattr(instance, self.name, value if value > 0 else 0.0)

    class Item:
        a = Positive()
        b = Positive()

        def __init__(self, a, b):
            self.a = a
            self.b = b

    item = Item(x, -x)
    return item.a, item.b


@program(case(t(3)), case(t(0)))
def recursion_in_a_method(n):
    class Walk:
        def __init__(self):
            self.calls = 0

        def down(self, k):
            self.calls += 1
            if k <= 0:
                return 0
            return k + self.down(k - 1)

    walk = Walk()
    r = walk.down(n)
    return r, walk.calls


@program(case(t(2.0)), case(t(-2.0)))
def decorated_class_inside(x):
    registry = {}

    def register(name):
        def wrap(kind):
            registry[name] = kind
            return kind

        return wrap

    @register("a")
    class A:
        def go(self, v):
            return v if v > 0 else v * 2

    @functools.total_ordering
    class Ordered:
        def __init__(self, v):
            self.v = v

        def __eq__(self, other):
            return self.v == other.v

        def __lt__(self, other):
            return self.v < other.v

    a, b = Ordered(x), Ordered(-x)
    return registry["a"]().go(x), a >= b, a > b, a <= b, sorted(registry)


@program(case(t(2.0)), case(t(-2.0)))
def class_inside_a_method_of_a_class_inside(x):
    class Outer:
        def make(self, v):
            class Inner:
                def get(self):
                    return v if v > 0 else "negative"

            return Inner()

    return Outer().make(x).get()


@program(case(t(2.0)), case(t(-2.0)))
def gradient_through_a_class_inside(x):
    class Layer:
        def __init__(self, w):
            self.w = w

        def __call__(self, v):
            return self.w * v if v > 0 else self.w * v * v

    layer = Layer(x * 3)
    with ag.GradientTape() as tape:
        tape.watch(x)
        y = Layer(x * 3)(x) + layer(x)
    return tape.gradient(y, x)


@stateful(case(t(2.0)), case(t(-2.0)))
def class_made_by_the_factory():
    class Model:
        def __init__(self):
            self.steps = 0
            self.w = ag.Variable(1.0)

        def step(self, x):
            self.steps += 1
            if x > 0:
                self.w.assign_add(x)
            return self.w * x

        def __call__(self, x):
            return self.step(x) + self.step(-x)

    model = Model()
    return model, model


@program(case(t(2.0)), case(t(-2.0)))
def hash_and_keys_inside(x):
    class Key:
        def __init__(self, name):
            self.name = name

        def __hash__(self):
            return hash(self.name)

        def __eq__(self, other):
            return self.name == other.name

    table = {Key("a"): x, Key("b"): x * 2}
    table[Key("a")] = x * 3
    return table[Key("a")], len(table), Key("c") in table, table.get(Key("b"))


@program(case(t(2.0)), case(t(-2.0)))
def generic_and_init_subclass(x):
    names = []

    class Base:
        def __init_subclass__(cls, label="none", **kwargs):
            super().__init_subclass__(**kwargs)
            cls.label = label
            names.append(label)

    class A(Base, label="a"):
        def go(self):
            return x if x > 0 else self.label

    class B(Base): ...

    return A().go(), B.label, names


@program(case(t(2.0)), case(t(-2.0)))
def multiple_inheritance_inside(x):
    class A:
        def go(self, v):
            return v + 1

    class B(A):
        def go(self, v):
            return super().go(v) * 2 if v > 0 else super().go(v)

    class C(A):
        def go(self, v):
            return super().go(v) - 5

    class D(B, C):
        def go(self, v):
            return super().go(v) + 100

    return D().go(x), [k.__name__ for k in D.__mro__]


@program(case(t(2.0)), case(t(-2.0)))
def new_and_singletons(x):
    class Single:
        _one = None

        def __new__(cls, v):
            if cls._one is None:
                cls._one = super().__new__(cls)
                cls._one.count = 0
            return cls._one

        def __init__(self, v):
            self.v = v
            self.count += 1

    a = Single(x)
    b = Single(x * 2)
    return a is b, a.v, a.count


@program(case(t(2.0)), case(t(-2.0)))
def cached_property_inside(x):
    class Item:
        calls = 0

        @functools.cached_property
        def heavy(self):
            self.calls += 1
            return x * 2 if x > 0 else x

        @property
        @functools.lru_cache
        def light(self):
            return x + 1

    item = Item()
    return item.heavy, item.heavy, item.calls, item.light
