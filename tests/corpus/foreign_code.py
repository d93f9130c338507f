"""Code that is not converted and looks into objects of the user: what it sees is a guard."""

from __future__ import annotations

import collections
import copy
import dataclasses
import functools
import itertools
import json
import math
import operator
import re
import statistics
import string
import types

import numpy as np

import autograph as ag
from tests.corpus.registry import case, stateful

t = ag.asarray
S3 = (case(t(2.0)), case(t(-2.0)), case(t(0.25)))


@dataclasses.dataclass
class Cfg:
    lr: float = 0.1
    sizes: list = dataclasses.field(default_factory=lambda: [1, 2])


class Obj:
    def __init__(self):
        self.lr = 0.5
        self.inner = Cfg()

    def __repr__(self):
        return f"O{self.lr}"

    def __float__(self):
        return float(self.lr)

    def __index__(self):
        return int(self.lr * 10)

    def __len__(self):
        return len(self.inner.sizes)

    def __iter__(self):
        return iter(self.inner.sizes)

    def __getitem__(self, k):
        return self.inner.sizes[k]

    def __contains__(self, k):
        return k in self.inner.sizes

    def __hash__(self):
        return hash(self.lr)

    def __eq__(self, o):
        return isinstance(o, Obj) and o.lr == self.lr

    def __bool__(self):
        return self.lr > 1

    def __format__(self, s):
        return f"{self.lr}{s}"

    def __call__(self, v):
        return v * self.lr

    def __lt__(self, o):
        return self.lr < o.lr

    def keys(self):
        return ["lr"]


BT = (
    lambda w: setattr(w.state, "lr", 2.0),
    lambda w: (
        w.state.sizes.append(5) if hasattr(w.state, "sizes") else w.state.inner.sizes.append(5)
    ),
    lambda w: setattr(w.state, "lr", 3.5),
)


@stateful(*S3, between=BT)
def asdict():
    c = Cfg()
    return (lambda x: x * dataclasses.asdict(c)["lr"] + len(dataclasses.asdict(c)["sizes"])), c


@stateful(*S3, between=BT)
def astuple_fields():
    c = Cfg()
    return (
        lambda x: (
            x * dataclasses.astuple(c)[0]
            + sum(getattr(c, f.name) for f in dataclasses.fields(c) if f.name == "lr")
        )
    ), c


@stateful(*S3, between=BT)
def attrgetter():
    o = Obj()
    g = operator.attrgetter("lr", "inner.lr")
    return (lambda x: x * g(o)[0] + operator.attrgetter("lr")(o)), o


@stateful(*S3, between=BT)
def str_repr_format():
    o = Obj()

    def f(x):
        return (
            str(o),
            f"{o}",
            f"{o!r}",
            "%s" % o,
            "{}".format(o),
            format(o, "!"),
            [o],
            x,
            repr([o]),
            str(o.inner),
            f"{o.inner}",
        )

    return f, o


@stateful(*S3, between=BT)
def dunders():
    o = Obj()

    def f(x):
        return (
            len(o),
            list(o),
            5 in o,
            float(o),
            hash(o),
            bool(o),
            o[0],
            o(x),
            operator.index(o),
            range(10)[o] if o.lr < 1 else 0,
            sum(o),
            max(o),
            tuple(o),
            sorted(o),
            [*o],
            math.floor(float(o)),
        )

    return f, o


@stateful(*S3, between=BT)
def native_math_on_object():
    o = Obj()

    def f(x):
        return x * math.sqrt(o) + math.pow(2, o)

    return f, o


@stateful(*S3, between=BT)
def numpy_of_object():
    o = Obj()

    def f(x):
        return (
            x * float(np.sum(o.inner.sizes)),
            float(np.array([o.lr])[0]),
            np.asarray(o.inner.sizes).tolist(),
        )

    return f, o


@stateful(*S3, between=BT)
def json_statistics():
    o = Obj()

    def f(x):
        return json.dumps({"a": o.lr, "s": o.inner.sizes}), statistics.mean(o.inner.sizes), x

    return f, o


@stateful(*S3, between=BT)
def copies():
    o = Obj()

    def f(x):
        a = copy.copy(o)
        b = copy.deepcopy(o)
        b.lr = x
        a.inner.sizes[0] = 1
        return a.lr, b.lr, len(b.inner.sizes), o == a

    return f, o


@stateful(*S3, between=BT)
def methodcaller_itemgetter():
    o = Obj()

    def f(x):
        return (
            operator.itemgetter(0)(o.inner.sizes),
            operator.itemgetter(-1)(o),
            operator.methodcaller("__len__")(o),
            operator.attrgetter("inner.sizes")(o)[-1],
            operator.contains(o, 5),
        )

    return f, o


@stateful(*S3, between=BT)
def sets_dicts_of_objects():
    o = Obj()
    d = {o: 1.0}

    def f(x):
        return len({o, o}), [k.lr for k in d], o in [Obj()], x

    return f, o


@stateful(*S3, between=BT)
def sort_objects():
    o = Obj()
    q = Obj()
    q.lr = 1.0

    def f(x):
        return sorted([o, q])[0].lr, min(o, q).lr, max([q, o], key=lambda z: z.lr).lr, x

    return f, o


@stateful(*S3, between=BT)
def itertools_on_state():
    o = Obj()

    def f(x):
        return (
            list(itertools.combinations(o.inner.sizes, 2)),
            list(itertools.permutations(o.inner.sizes))[-1],
            [k for k, g in itertools.groupby(o.inner.sizes)],
            list(itertools.zip_longest(o.inner.sizes, [1])),
            x,
        )

    return f, o


@stateful(*S3, between=BT)
def simplenamespace():
    ns = types.SimpleNamespace(lr=1.0, sizes=[1])

    def f(x):
        return (
            x * ns.lr + len(ns.sizes),
            str(ns),
            vars(ns)["lr"],
            ns == types.SimpleNamespace(lr=2.0, sizes=[1, 5]),
        )

    return f, ns


@stateful(*S3, between=BT)
def starred_mapping():
    o = Obj()
    c = {"lr": 1.0}

    def g(**kw):
        return kw["lr"]

    class M(dict):
        pass

    m = M(lr=2.0)

    def f(x):
        return {**c}, g(**c), {**m}, dict(m, z=o.lr), [*o.inner.sizes], x

    return f, o


@stateful(*S3, between=BT)
def string_template_join():
    o = Obj()

    def f(x):
        return (
            ",".join(str(s) for s in o.inner.sizes),
            string.Template("$a").substitute(a=o.lr),
            re.sub("a", str(o.lr), "banana"),
            x,
        )

    return f, o


@stateful(*S3, between=BT)
def partial_on_state():
    o = Obj()
    p = functools.partial(lambda a, b: a * b, b=2.0)

    def f(x):
        return (
            functools.partial(o, x)(),
            p(x),
            p.keywords["b"],
            functools.reduce(operator.add, o.inner.sizes, x),
        )

    return f, o


@stateful(*S3, between=BT)
def isinstance_abc():
    o = Obj()

    def f(x):
        return (
            isinstance(o, collections.abc.Sized),
            isinstance(o, collections.abc.Callable),
            issubclass(Obj, object),
            callable(o),
            id(o) == id(o),
            type(o).__name__,
            o.__class__ is Obj,
            o.__dict__["lr"],
            o.__doc__,
            Obj.__name__,
            x,
        )

    return f, o
