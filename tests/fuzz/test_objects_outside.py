"""Everything that reads what lives outside of the function, or changes it.

Numbers, strings, objects, classes, functions, dicts of settings, Variables.
"""

from __future__ import annotations

from typing import Any

import pytest

import autograph as ag
from tests.harness.state_outside import Table

STATEMENTS = r"""
a = x * RATE
a = NAME + "!"
a = NAME == "b"
a = NONE is None
a = x if ON else x * 2
a = x * COUNT
a = CPLX * 2
a = BIG + 1
a = BIG * x
a = COLOR.name, COLOR.value
a = COLOR is Color.RED
a = COLOR == Color.BLUE
a = {Color.RED: 1.0, Color.BLUE: 2.0}[COLOR] * x
a = Flag.B in FLAG
a = int(FLAG)
a = obj.v * x
a = obj.twice * x
a = obj.m(x)
a = obj(x)
a = obj.st(x)
a = obj.cl(x)
a = Base.cl(x)
a = obj.scale * x
a = Base.scale * x
a = Base.table["a"] * x
a = obj.table["a"] * x
a = len(obj)
a = obj[0] * x
a = obj[-1] * x
a = list(obj)
a = [*obj]
a = sum(obj)
a = 4.0 in obj
a = bool(obj)
a = x if obj else -x
a = not obj
a = obj == sub
a = obj == Base()
a = obj != sub
a = obj + x
a = {obj: 1}[obj]
a = obj in objs
a = isinstance(obj, Sub)
a = type(obj) is Base
a = type(obj).__name__
a = obj.__class__.__name__
a = hasattr(obj, "extra")
a = getattr(obj, "extra", 0.0) + x
a = sorted(vars(obj))
a = obj.__dict__["v"] * x
a = callable(obj)
a = sub.m(x)
a = super(Sub, sub).m(x)
a = Base.m(sub, x)
a = slot.v * x
a = slot.w
a = len(slot.w)
a = data.v, data.xs
a = data
a = dataclasses.asdict(data)
a = dataclasses.replace(data, v=x)
a = data == Data(2.5, [1.0])
a = str(data)
a = repr(data)
a = f"{data}"
a = frozen.v * x
a = frozen == Frozen(1.0)
a = {frozen: 1}[frozen]
a = hash(frozen) == hash(Frozen(1.0))
a = nt.p * x
a = nt.q
p, q = nt; a = p * x, q
a = nt._replace(p=x)
a = nt
a = nt == NT(1.0, [2.0])
a = ns.v * x
a = ns.xs
a = ns
a = str(ns)
a = vars(ns)["v"]
a = lazy.abc * x
a = wd.d * x
a = WithMeta.k * x
a = CONFIG["lr"] * x
a = CONFIG.get("lr", 0) * x
a = CONFIG["opt"]["m"] * x
a = CONFIG.get("none", 5)
a = "none" in CONFIG
a = len(CONFIG)
a = list(CONFIG)
a = {**CONFIG}
a = CONFIG | {"z": x}
a = x if CONFIG["on"] else -x
a = x if CONFIG["name"] == "sgd" else -x
a = str(CONFIG)
a = {"sgd": x, "adam": x * 2}[CONFIG["name"]]
a = FN(x)
a = [f(x) for f in FNS]
a = FNS[0](x)
a = LAM(x)
a = PART(x)
a = functools.reduce(lambda s, f: f(s), FNS, x)
a = list(map(FN, [x, y]))
a = kwonly(x)
a = memo(x)
a = inc(x)
a = list(gen())
a = sum(gen())
a = max(gen())
a = FN.__name__
a = FN is act
a = [o.v for o in objs]
a = sum(o.v for o in objs)
a = [o.m(x) for o in objs]
a = len(objs)
a = objs[1].m(x)
a = objs[-1].v
a = max(objs, key=lambda o: o.v).v
a = sorted(o.v for o in objs)
a = [type(o).__name__ for o in objs]
a = any(isinstance(o, Sub) for o in objs)
a = {k: o.v for k, o in byname.items()}
a = byname["a"].m(x)
a = list(byname)
a = "c" in byname
a = [o.m(x) for o in byname.values()]
a = TEXT
a = len(TEXT)
a = TEXT.upper()
a = TEXT[0]
a = [c for c in TEXT]
a = TEXT == "bye"
a = f"{TEXT}{COUNT}"
a = "%s" % TEXT
a = LINES
a = [float(l.split()[1]) for l in LINES]
a = dict(l.split() for l in LINES)
a = MATRIX
a = [[v * x for v in r] for r in MATRIX]
a = sum(sum(r) for r in MATRIX)
a = [list(c) for c in zip(*MATRIX)]
a = MATRIX[0][0] * x
a = np.array(MATRIX) @ np.array([1.0, 2.0])
a = ag.asarray(MATRIX) * x
a = copy.deepcopy(MATRIX)
a = {k: len(v) for k, v in GRAPH.items()}
a = [n for v in GRAPH.values() for n in v]
a = GRAPH[2]
STACK.append(x); a = STACK
a = STACK[-1] * x
a = STACK.pop()
SEEN.add(COUNT); a = sorted(SEEN)
a = 3 in SEEN
STATS[NAME] += 1; a = dict(STATS)
a = STATS["z"]
HIST[NAME].append(x); a = dict(HIST)
a = len(HIST["q"])
BEST = min(BEST, 5.0); a = BEST
STEP += 1; a = STEP * x
if x < BEST:\n    BEST = x\na = BEST
a = V * x
V.assign(V + x); a = V * 1
V.assign_add(x); a = V.read()
obj.v = obj.v + 1; a = obj.v
obj.v = x; a = obj.v
obj.items.append(x); a = obj.items
obj.new = x; a = obj.new
setattr(obj, "v", x); a = obj.v
del obj.items[0]; a = obj.items
data.v += x; a = data.v
data.xs.append(x); a = data.xs
ns.v *= x; a = ns.v
slot.v = x; slot.w.append(x); a = slot.w
Base.table["a"] = x; a = Base.table
Base.scale = 4.0; a = obj.cl(x)
CONFIG["lr"] *= 0.5; a = CONFIG["lr"]
CONFIG["new"] = x; a = CONFIG
CONFIG["opt"]["m"] = x; a = CONFIG["opt"]
objs[0].v = x; a = [o.v for o in objs]
objs.append(objs[0]); a = len(objs)
for o in objs:\n    o.v = o.v + x\na = [o.v for o in objs]
byname["a"].v += x; a = byname["a"].v
MATRIX[0][0] = x; a = MATRIX
MATRIX.append([x, y]); a = MATRIX
for r in MATRIX:\n    r[0] = r[0] + x\na = MATRIX
if x > y:\n    obj.v = x\na = obj.v
if x > y:\n    CONFIG["lr"] = 0.9\na = CONFIG["lr"]
if x > y:\n    a = obj.m(x)
if x > y:\n    obj.items.append(x)\na = len(obj)
for i in range(n):\n    obj.v = obj.v + i\na = obj.v
for i in range(n):\n    a = a + FNS[i % 2](x)
for i in range(n):\n    a = a + objs[i % 2].v
for i in range(n):\n    objs[i % 2].v = x + i
for i in range(n):\n    a = a + MATRIX[i % 2][0]
for i in range(n):\n    a = a + CONFIG["lr"]
for k in CONFIG["opt"]:\n    a = a + CONFIG["opt"][k]
while a < obj.v:\n    a = a + 1
try:\n    a = CONFIG["none"]\nexcept KeyError:\n    a = x
try:\n    a = obj.extra\nexcept AttributeError:\n    a = x
match CONFIG:\n    case {"lr": lr, "on": True}:\n        a = lr * x
match obj:\n    case Sub(v=v):\n        a = v * x\n    case Base(v=v):\n        a = v - x
match COLOR:\n    case Color.RED:\n        a = x\n    case Color.BLUE:\n        a = -x
with ag.GradientTape() as t:\n    t.watch(x)\n    z = x * obj.v\na = t.gradient(z, x)
a = ag.grad(lambda v: v * RATE * obj.v)(x)
a = (lambda v: v * RATE)(x)
a = [i * RATE for i in range(3)]
a = (x, RATE, NAME, COUNT)
a = x + (RATE if ON else COUNT)
a = obj.items[0] if obj.items else x
a = __name__[:3]
"""
TEXT = """\
import collections, copy, dataclasses, enum, functools, itertools, math, operator, types
import autograph as ag
from collections import namedtuple, Counter, OrderedDict, defaultdict
from dataclasses import dataclass, field
import numpy as np


class Color(enum.Enum):
    RED = 1
    BLUE = 2


class Flag(enum.IntFlag):
    A = 1
    B = 2


class Base:
    scale = 2.0
    table = {"a": 1.0}

    def __init__(self):
        self.v = 1.0
        self.items = [1.0]

    @property
    def twice(self):
        return self.v * 2

    @staticmethod
    def st(x):
        return x + 1

    @classmethod
    def cl(cls, x):
        return x * cls.scale

    def m(self, x):
        return x + self.v

    def __call__(self, x):
        return x - self.v

    def __len__(self):
        return len(self.items)

    def __getitem__(self, i):
        return self.items[i]

    def __iter__(self):
        return iter(self.items)

    def __contains__(self, x):
        return x in self.items

    def __bool__(self):
        return self.v > 1

    def __eq__(self, o):
        return isinstance(o, Base) and self.v == o.v

    def __hash__(self):
        return 1

    def __add__(self, x):
        return self.v + x


class Sub(Base):
    def m(self, x):
        return super().m(x) * 3


class Slot:
    __slots__ = ("v", "w")

    def __init__(self):
        self.v, self.w = 1.0, [1.0]


class Lazy:
    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        return CONFIG["lr"] + len(name)


class Desc:
    def __get__(self, o, t=None):
        return CONFIG["lr"]


class WithDesc:
    d = Desc()


@dataclass
class Data:
    v: float = 1.0
    xs: list = field(default_factory=list)


@dataclass(frozen=True)
class Frozen:
    v: float = 1.0


NT = namedtuple("NT", "p q")
CONFIG = {"lr": 0.1, "name": "sgd", "opt": {"m": 0.9}, "on": True, "none": None}
RATE = 0.5
NAME = "a"
NONE = None
ON = True
COUNT = 1
CPLX = 1 + 1j
BIG = 10**25
COLOR = Color.RED
FLAG = Flag.A
obj = Base()
sub = Sub()
slot = Slot()
data = Data()
frozen = Frozen()
lazy = Lazy()
wd = WithDesc()
nt = NT(1.0, [2.0])
ns = types.SimpleNamespace(v=1.0, xs=[1.0])
objs = [Base(), Base()]
byname = {"a": Base(), "b": Sub()}


def act(x):
    return x + RATE


def act2(x):
    return x * RATE


FN = act
FNS = [act, act2]
LAM = lambda x: x * COUNT
PART = functools.partial(operator.add, 1.0)


def deflt(x, k=CONFIG):
    return x * k["lr"]


def kwonly(x, *, k=[1.0]):
    return x + k[0]


def memo(x, cache={}):
    if NAME not in cache:
        cache[NAME] = x * 1
    return cache[NAME]


def hundred(self, x):
    return x * 100 + self.v


def eleven(x):
    return x * 11


def less(x):
    return x - COUNT


def counter():
    n = 0

    def inc(x):
        nonlocal n
        n += 1
        return x * n

    return inc


inc = counter()


class Meta(type):
    k = 1.0


class WithMeta(metaclass=Meta):
    pass


def gen():
    for v in obj.items:
        yield v * RATE


TEXT = "hello"
LINES = ["a 1", "b 2"]
MATRIX = [[1.0, 2.0], [3.0, 4.0]]
GRAPH = {0: [1, 2], 1: [2], 2: []}
STACK = [1.0]
SEEN = set()
STATS = Counter()
HIST = defaultdict(list)
BEST = float("inf")
STEP = 0
V = ag.Variable(1.0)


def program(x, y, n):
    global BEST, STEP
    a = 0.0
$
    return a
"""
CHANGES = """\
obj.v = 3.0
CONFIG['lr'] = 0.2
RATE = 0.25

obj.items.append(4.0)
CONFIG['name'] = 'adam'
NAME = 'b'
COUNT = 3

obj = Sub()
FN = act2
COLOR = Color.BLUE
ON = False
NONE = 2.0
FLAG = Flag.A | Flag.B

Base.scale = 5.0
Base.table['a'] = 9.0
slot.v = 4.0
slot.w.append(2.0)
data.v = 2.5
data.xs.append(1.0)
nt = NT(3.0, [4.0, 5.0])
ns.v = 8.0
ns.xs.append(9.0)

Base.m = hundred
objs[0].v = 7.0
byname['a'].v = 2.0
byname['c'] = Base()
MATRIX[0][0] = 5.0
GRAPH[2].append(0)
LINES.append('c 3')
TEXT = 'bye'

objs.append(Sub())
objs[1] = Sub()
FNS.reverse()
CONFIG['opt']['m'] = 0.5
CONFIG['on'] = False
CPLX = 2j
BIG = 10**26
Meta.k = 2.0
frozen = Frozen(3.0)
obj.extra = 1.0
LAM = less
PART = functools.partial(operator.mul, 2.0)

kwonly.__kwdefaults__['k'][0] = 3.0
STACK.append(5.0)
SEEN.add(3)
STATS['z'] += 2
HIST['q'].append(1.0)
BEST = 2.0
STEP = 7
V.assign(ag.asarray(4.0))
obj.m = eleven
CONFIG.pop('none', 0)
"""
"""What plain code does after each call, and goes over twice."""
NAMES = (
    *("obj", "sub", "slot", "data", "frozen", "nt", "ns", "objs", "byname", "CONFIG", "MATRIX"),
    *("GRAPH", "STACK", "SEEN", "STATS", "HIST", "BEST", "STEP", "V", "RATE", "COUNT"),
)
SURROUNDINGS = ("", "if x > y:", "for _ in range(n % 3):")
GROUP = 50


def change(place: Any, turn: int) -> None:
    steps = CHANGES.split("\n\n")
    if turn:
        exec(steps[(turn - 1) % len(steps)], vars(place))


def state(place: Any) -> Any:
    return [*(getattr(place, name) for name in NAMES), place.Base.table, place.Base.scale]


def verify(first: int, surroundings: str) -> None:
    statements = STATEMENTS.split("\n")[1:-1][first : first + GROUP]
    if surroundings:  # where one turn raises after another, what the former did is taken back
        statements = [one for one in statements if not one.startswith("del ")]
    turns = 2 * CHANGES.count("\n\n") + 2
    table = Table(
        TEXT,
        lambda turn: tuple(map(ag.asarray, (0.5 + turn, 2.0, turn % 4))),
        change,
        state,
        turns,
    )
    table.verify(statements, surroundings)


groups = pytest.mark.parametrize("first", range(0, STATEMENTS.count("\n") - 1, GROUP))
pytestmark = pytest.mark.filterwarnings("ignore:.*was traced")


@groups
def test_objects_outside(first: int) -> None:
    verify(first, "")


@pytest.mark.sweep
@groups
@pytest.mark.parametrize("surroundings", SURROUNDINGS[1:])
def test_sweep_of_objects(first: int, surroundings: str) -> None:
    verify(first, surroundings)
