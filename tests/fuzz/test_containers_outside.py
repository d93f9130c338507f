"""Everything that reads containers from outside of the function, or changes them."""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

import autograph as ag
from tests.harness.state_outside import Table

STATEMENTS = r"""
a[1:] = o
a[:1] = o
a[::2] = o[:1]
a[1:1] = o
a[1:] = tuple(o)
a[1:] = [*o]
a[1:] = o[:]
a[1:] = reversed(o)
a[1:] = (v for v in o)
a[1:] = [v for v in o]
a[1:] = map(abs, o)
a[1:] = zip(o, o)
a[1:] = q
a[1:] = d.values()
a[1:] = d
a[1:] = sorted(s)
a[1:] = t
a.extend(o)
a.extend(o[1:])
a.extend(reversed(o))
a.extend(q)
a.extend(d.values())
a.extend(d.items())
a.extend(t)
a.extend(v for v in o)
a.extend(map(abs, o))
a.extend(zip(o, q))
a.extend(enumerate(o))
a += o
a += q
a += d.values()
a += t
a += (v for v in o)
a = a + o
a = o + a
a = o * 2
a = [*a, *o]
a = [*q]
a = list(o)
a = list(q)
a = list(d.values())
a = list(d.items())
a = list(d)
a = list(enumerate(o))
a = list(zip(o, q))
a = list(reversed(o))
a = list(map(abs, o))
a = list(filter(None, o))
a = o[::-1]
a = o.copy()
a = copy.copy(o)
a = copy.deepcopy(o)
a = sorted(s)
a = [max(o)]
a = [max(*o)]
a = [min(o, key=lambda v: -v)]
a = [sum(o)]
a = [sum(q)]
a = [sum(d.values())]
a = [math.prod(o)]
a = [math.fsum(o)]
a = [len(o)]
a = [o.index(o[1])]
a = [o.count(o[1])]
a = [o[0] in o]
a = [o == [1.0, 2.0]]
a = [o == a]
a = [o < a]
a = [any(o), all(o)]
a = [str(o)]
a = [repr(o)]
a = [f"{o}"]
a = ["%s" % o]
a = ["{}".format(o)]
a = ["{} {}".format(*o)]
a = [ag.stack(o)]
a = [ag.asarray(o)]
a = [np.array(o)]
a = [np.sum(o)]
a = [np.mean(o)]
a = [np.stack(o)]
a = [ag.stack(list(d.values()))]
a = [functools.reduce(operator.add, o)]
a = list(itertools.chain(o, q))
a = list(itertools.chain.from_iterable([o, q]))
a = list(itertools.islice(o, 2))
a = list(itertools.accumulate(o))
a = list(itertools.repeat(o[0], 2))
a = list(itertools.zip_longest(o, q))
a = list(itertools.product(o, q))
a = list(itertools.combinations(o, 2))
a = list(itertools.starmap(operator.add, zip(o, q)))
a = list(itertools.compress(o, [1, 0, 1]))
a = list(itertools.takewhile(lambda v: v > 0, o))
a = list(itertools.pairwise(o))
a = [operator.itemgetter(0, 1)(o)]
a = [operator.getitem(o, 0)]
a = [statistics.mean(o)]
a = heapq.nlargest(1, o)
a = heapq.nsmallest(1, o)
heapq.heapify(o); a = o
a = [heapq.heappop(o)]
heapq.heappush(o, x)
a = [heapq.heappushpop(o, x)]
a = [bisect.bisect(o, 2.5)]
bisect.insort(o, 2.5)
a = list(dict(zip("abc", o)).items())
a = list(dict.fromkeys("ab", o[0]).items())
a = list(dict(d).items())
a = list({**d}.items())
a = list((d | {"z": 1}).items())
a = list(({"z": 1} | d).items())
a = [d.get("a"), d.get("zz", o[0])]
a = list(dict(d, z=1).items())
a = list(OrderedDict(d).items())
a = list(defaultdict(float, d).items())
a = list(ChainMap(d, {}).items())
a = [d == {"a": 1.0, "b": 2.0}]
a = [d.pop("a")]
a = [d.popitem()]
a = [d.setdefault("a", 5)]
a = [d.copy()]
e = {"z": 1}; e.update(d); a = [e]
e = {"z": 1}; e.update(**d); a = [e]
e = {"z": 1}; e.update(zip("ab", o)); a = [e]
e = {"z": 1}; e |= d; a = [e]
e = Counter(); e.update(d); a = [dict(e)]
a = [Counter(s)]
a = [s | {9}]
a = [{9} | s]
a = [s & {1, 2, 3}]
a = [{1, 2, 3} - s]
a = [s ^ {1, 2}]
a = [s <= {0, 1, 2, 3}]
a = [s == {0, 1}]
a = [s.union([9])]
a = [{9}.union(s)]
a = [{1, 2, 3}.intersection(s)]
a = [{1, 2, 3}.difference(s)]
a = [{1, 2, 3}.symmetric_difference(s)]
a = [{0, 1}.issubset(s), {0, 1, 2, 3, 4, 5, 6}.issuperset(s), {7, 8}.isdisjoint(s)]
e = {9}; e.update(s); a = [e]
e = {9}; e |= s; a = [e]
e = {1, 2, 3}; e -= s; a = [e]
e = {1, 2, 3}; e &= s; a = [e]
e = {1, 2, 3}; e ^= s; a = [e]
e = {1, 2, 3}; e.difference_update(s); a = [e]
e = {1, 2, 3}; e.intersection_update(s); a = [e]
a = [frozenset(s)]
a = [set(s)]
a = [max(s), min(s), sum(s), len(s)]
a = [1 in s, 2 in s]
e = deque([x]); e.extend(o); a = [e]
e = deque([x]); e.extendleft(o); a = [e]
e = deque([x]); e += o; a = [e]
e = deque([x]) + q; a = [e]
e = deque(o, maxlen=2); a = [e]
e = deque(q); e.rotate(1); a = [e]
q.rotate(1); a = list(q)
q.reverse(); a = list(q)
a = [q.pop(), q.popleft()]
a = [q[0], q[-1], len(q)]
a = [q == deque([1.0])]
a = [q.copy()]
a = [q * 2]
b, *c = o; a = [b, c]
b, c = o[:2]; a = [b, c]
*b, c = q; a = [b, c]
a = [f1(*o)]
a = [f1(*q)]
a = [f2(**d)]
a = [f1(*t)]
a = [t + (1,)]
a = [t * 2]
a = [t[0], t[-1], t[1:]]
a = [t == (1.0, 2.0)]
a = [tuple(o)]
a = [tuple(reversed(o))]
a = [(*o, 1)]
a = [{1: o}, o]
a = [[*o] for _ in range(2)]
a = [[o] * 2]
del o[0]; a = o
del o[:1]; a = o
o.pop(); a = o
o.remove(o[0]); a = o
o.insert(0, x); a = o
o.reverse(); a = o
o.sort(); a = o
o.clear(); a = o
o *= 2; a = o
o[0] = x; a = o
o[0] += x; a = o
o[0], o[1] = o[1], o[0]; a = o
o[:] = o[::-1]; a = o
o[:] = [v * 2 for v in o]; a = o
del d["a"]; a = [d]
d.clear(); a = [d]
d["a"] += x; a = [d]
d.update(a=x); a = [d]
d.update({"a": x}); a = [d]
s.add(7); a = [s]
s.discard(1); a = [s]
s.update([7]); a = [s]
s.clear(); a = [s]
match o:\n    case [b, *c]:\n        a = [b, c]
match d:\n    case {"a": b, **c}:\n        a = [b, c]
for a[0] in o:\n    pass
for i, v in enumerate(o):\n    a[0] = a[0] + v * i
for k, v in d.items():\n    a[0] = a[0] + v
for v in q:\n    a[0] = a[0] + v
while o:\n    a.append(o.pop())
while q:\n    a.append(q.popleft())
a = [next(iter(o))]
it = iter(o); next(it); a = list(it)
a = [vars(box)["o"] is o, box.o]
a = [getattr(box, "o") + o]
a = [*box.o, *box.d.values()]
a[1:] = box.o
a.extend(box.o)
a = [box.o[-1], box.d["a"]]
print(*o)
print(o)
a[1:] = s
a[1:] = iter(o)
a[1:] = iter(d.items())
a = sum([o, [1]], [])
a = [max([o, a])]
a = [min([a, o])]
a = sorted([o, list(q)])
a = list(dict([o[:2], [1, 2]]).items())
a = list(zip(*[o, q]))
a = list(map(sum, [o, q]))
a = list(map(list, [o, q]))
a = list(map(len, [o, q, d, s]))
a = [[o] == [[1.0]], [o] == [o[:]]]
a = [o in [[1.0, 2.0], o[:]]]
a = [[o].index(o[:])]
a = [[o, o[:]].count(o)]
a = [np.array([o, o])]
a = [ag.asarray([o, o])]
a = [str([o])]
a = [repr({1: o})]
a = [f"{[o, q]}"]
a = functools.reduce(operator.add, [o, [1]])
a = copy.deepcopy([o, d])
a = [{1: o} == {1: o[:]}]
a = [(o, 1) < (a, 2)]
a = [(o, 1) == (o[:], 1)]
a = list(itertools.product(*[o, q]))
a = list(itertools.chain(*[o, q]))
a = list(itertools.chain(o, [*q], d.values(), d, s, t))
a = list(dict(zip(o, q)).values())
h = []; heapq.heappush(h, (1, o)); a = h
a = [min(map(max, [o, q]))]
a = [u for r in [o, q] for u in r]
a = [sum(r) for r in [o, q]]
a = [*map(operator.mul, o, q)]
a = [math.sqrt(sum(v * v for v in o))]
a = [",".join(map(str, o))]
a = [",".join(f"{v}" for v in q)]
a = [np.dot(o, o)]
a = [np.concatenate([o, q])]
a = [ag.stack([*o, *q])]
a = [np.linalg.norm(o)]
a = [np.array(o)[1:]]
a = [np.array(list(d.values()))]
a = [np.zeros(3) + o[0]]
a = [np.zeros((2, len(o))) + o]
b = np.zeros(len(o)); b[:] = o; a = [b]
b = np.zeros(len(o)); b += o; a = [b]
b = np.arange(8.0); a = [b[sorted(s)]]
b = ag.zeros(8); b[0] = o[0]; a = [b]
a = [ag.sum(ag.stack(o) * ag.stack(o))]
a = [dict(enumerate(o))]
a = [dict(a=o)]
a = [{k: v for k, v in zip(d, o)}]
a = [{v for v in s}]
a = [{*s, 9}]
a = [[*s]]
a = [list(s)]
a = [list(map(lambda k: k + 1, s))]
a = [sorted(d, key=d.get)]
a = [max(d, key=d.get)]
a = [max(d.items(), key=lambda kv: kv[1])]
a = [sorted(d.items(), key=lambda kv: kv[1])]
a = [Counter([*s, *s]).most_common(1)]
a = [list(Counter(s).items())]
a = [defaultdict(list, {1: o})]
a = [deque(o, 2), deque(maxlen=1)]
a = [statistics.median(o)]
a = [random_of(o)]
a = [[*range(len(o))], range(len(d))]
a = [list.__len__(o), list.copy(o), dict.get(d, "a")]
list.append(o, x); a = o
list.extend(a, o)
list.__setitem__(a, slice(1, None), o)
operator.setitem(a, slice(0, 1), o)
operator.iadd(a, o)
a = operator.concat(a, o)
a.__iadd__(o)
a = a.__add__(o)
a = o.__mul__(2)
a.__setitem__(slice(0, 1), o)
a.insert(len(o), o[0])
a = a[:len(o)]
a = a * len(s)
a = [o[len(s) - 1:], o[-len(d):]]
a = [o[i] for i in sorted(s) if i < len(o)]
a = [x if o else y, x if d else y, x if s else y, x if q else y]
a = [not o, bool(d), o and x, o or x]
a = [o is o, [o] == [o]]
a = [isinstance(o, list), type(o) is list]
a = [all(v == v for v in o), any(v > 1 for v in q)]
a = [np.mean([np.mean(o), np.mean(q)])]
a = [ag.function(lambda r: r)(o)]
a = [inner(o), inner(d), inner(q)]
o.clear(); o.append(x)
o.clear(); o.extend(a); a = [len(o)]
o.clear(); o += [x, y]; a = o[::-1]
o.clear(); a = [o == [], not o, x in o]
o.clear(); o.insert(0, x); o.clear()
o.append(x); o.clear(); o.append(y)
a = [len(o)]; o.clear()
a = [o[0]]; o.clear(); o.append(x)
a = o[:]; o.clear()
a = [v for v in o]; o.clear(); o.append(x)
o.clear(); [o.append(v) for v in a if v > 0]
o.clear(); o[:] = [x]
o.clear(); d["k"] = o
p = o; p.clear(); o.append(x); a = [p is o, len(p)]
o.clear(); d.clear(); q.clear(); s.clear()
d.clear(); d["k"] = x; a = [*d]
d.clear(); d.update(k=x, l=y); a = list(d.items())
d.clear(); a = [d.get("a", y), "a" in d, len(d)]
a = [d["a"]]; d.clear(); d["b"] = x
a = [*d]; d.clear()
d["a"] = x; d.clear(); d["z"] = y
d.clear(); d.setdefault("k", []).append(x); a = d["k"]
s.clear(); s.add(1); a = sorted(s)
s.clear(); s |= {2, 3}; a = [len(s), 5 in s]
a = [len(s)]; s.clear(); s.add(7)
s.add(1); s.clear(); s.add(2)
q.clear(); q.append(x); a = [*q]
q.clear(); q.extend(a); q.appendleft(y)
a = [q[0]]; q.clear()
box.o.clear(); box.o.append(x); a = [len(o)]
box.d.clear(); box.d["n"] = n; a = [*d]
box.o.clear(); a = [box.o is o, len(o)]; o.append(y)
inner(o); o.clear()
o.clear(); inner(o); a = inner(o)
ag.function(lambda r: r.clear())(o); a = [len(o)]
"""
TEXT = """\
import collections, copy, functools, heapq, itertools, math, operator, statistics
import bisect
from collections import ChainMap, Counter, OrderedDict, defaultdict, deque

import numpy as np

import autograph as ag


class Box:
    pass


def f1(*args):
    return sum(args)


def f2(**args):
    return list(args.items())


def random_of(items):
    return items[len(items) // 2]


def inner(items):
    return [*items]


o, d, s, q, t, box = [], {}, set(), deque(), (), Box()


def program(x, y, n):
    a = [x, y, x]
$
    return a, o, d, s, q, t
"""
SURROUNDINGS = ("", "if x > y:", "for _ in range(n % 3):")
LENGTHS = (3, 3, 2, 4, 3, 2)
"""How many items the containers have in each call."""
NONE_FIRST = (0, 3, 0, 2, 1, 0)
GROUP = 25
TOLD_LATE = ("frozenset(s)", "range(len(d))", "max([o, a])", "min([a, o])")
"""What in a staged loop is refused: as many sizes as there are turns."""


def items(make: Callable[[float], Any], call: int, lengths: Any) -> tuple[Any, ...]:
    """The contents of call number `call`: of a list, a dict, a set, a deque and a tuple."""
    count = lengths[call]
    rng = random.Random(call)

    def numbers() -> list[Any]:
        return [make(rng.randint(-8, 8) / 4) for _ in range(count)]

    keyed = dict(zip("abcdefg", numbers(), strict=False))
    return numbers(), keyed, {rng.randint(0, 6) for _ in range(count)}, deque(numbers()), numbers()


def fill(make: Callable[[float], Any], anew: bool, lengths: Any, place: Any, call: int) -> None:
    """Put other contents into the containers of a module, or make new ones of them."""
    made = items(make, call, lengths)
    if anew or not call:
        place.o, place.d, place.s, place.q = made[:4]
        place.box.o, place.box.d = place.o, place.d
    else:
        place.o[:] = made[0]
        place.q.clear()
        place.q.extend(made[3])
        for held, given in ((place.d, made[1]), (place.s, made[2])):
            held.clear()
            held.update(given)
    place.t = tuple(made[4])


def verify(
    first: int,
    surroundings: str,
    make: Callable[[float], Any],
    anew: bool,
    lengths: tuple[int, ...] = LENGTHS,
) -> None:
    statements = STATEMENTS.split("\n")[1:-1][first : first + GROUP]
    if "for" in surroundings:
        statements = [one for one in statements if not any(late in one for late in TOLD_LATE)]
    table = Table(
        TEXT,
        lambda call: tuple(map(ag.asarray, (0.5 + call, 1.5 - call, call))),
        partial(fill, make, anew, lengths),
        lambda place: [place.o, place.d, place.s, place.q, place.t],
        len(LENGTHS),
    )
    table.verify(statements, surroundings)


groups = pytest.mark.parametrize("first", range(0, STATEMENTS.count("\n") - 1, GROUP))
pytestmark = pytest.mark.filterwarnings("ignore:.*was traced")


@groups
def test_containers_outside(first: int) -> None:
    verify(first, "", ag.asarray, anew=True)


@pytest.mark.sweep
@groups
@pytest.mark.parametrize("surroundings", SURROUNDINGS)
@pytest.mark.parametrize("make", (ag.asarray, float))
@pytest.mark.parametrize("anew", (True, False))
def test_sweep_of_containers(
    first: int, surroundings: str, make: Callable[[float], Any], anew: bool
) -> None:
    verify(first, surroundings, make, anew)


@pytest.mark.sweep
@groups
@pytest.mark.parametrize("surroundings", SURROUNDINGS)
@pytest.mark.parametrize("anew", (True, False))
def test_sweep_of_containers_that_are_empty_first(
    first: int, surroundings: str, anew: bool
) -> None:
    verify(first, surroundings, ag.asarray, anew, NONE_FIRST)
