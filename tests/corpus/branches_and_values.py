"""Branches that leave values of every kind, in mixed constructs."""

from __future__ import annotations

import dataclasses
import enum
from collections import namedtuple

import autograph as ag
from tests.corpus.registry import case, program

t = ag.asarray
S3 = (case(t(2.0)), case(t(-2.0)), case(t(0.25)))
V = (case(t([1.0, -2.0, 3.0])), case(t([-1.0, -2.0, -3.0])))


class Op(enum.Enum):
    ADD = "+"
    MUL = "*"

    def apply(self, a, b):
        if self is Op.ADD:
            return a + b
        return a * b

    @property
    def twice(self):
        return self.value * 2


class Prio(enum.IntEnum):
    LOW = 1
    MID = 5
    TOP = 9


class Perm(enum.Flag):
    R = 4
    W = 2
    X = 1


@program(*S3)
def promoted_dtype_arith(x):
    if x > 1:
        y = ag.asarray(7)
    elif x > 0:
        y = ag.asarray(True)
    else:
        y = x * 1.5
    z = [y, y]
    z[0] = z[0] + 1
    return z, y.dtype == ag.float32, (y / 2), ag.astype(y, ag.float32) * x


@program(*S3)
def shape_reuse(x):
    if x > 0:
        v = ag.linspace(0.0, 1.0, 4) * x
    else:
        v = ag.reshape(ag.arange(6), (2, 3)) * x
    out = []
    for row in v:
        out.append(ag.sum(row))
    return v.shape, v.ndim, out, ag.max(v), v.size


@program(*S3)
def structure_nest(x):
    r = (x, [x + 1]) if x > 0 else {"k": (x,), "n": None}
    match r:
        case (a, [b]):
            return a * b
        case {"k": (c,), **rest}:
            return c, rest
    return 0


@program(*S3)
def del_variable(x):
    y = x * 2
    z = 3
    if x > 0:
        del y
        y = z
    else:
        del z
    try:
        return y * z
    except UnboundLocalError as e:
        return "gone", y


@program(*S3)
def del_item_attr(x):
    class Box:
        pass

    b = Box()
    b.a = x
    b.b = x * 2
    d = {"p": x, "q": -x}
    l = [x, x + 1, x + 2]
    if x > 0:
        del b.a
        del d["p"]
        del l[0]
    else:
        del l[-1]
    return hasattr(b, "a"), sorted(vars(b)), list(d), l, len(d)


@program(*S3)
def strings_compare(x):
    s = "alpha" if x > 1 else "beta" if x > 0 else "gamma"
    table = {"alpha": 1.0, "beta": 2.0, "gamma": 3.0}
    k = table[s]
    u = s.replace("a", "A").split("A")
    w = sorted([s, "b"])
    return (
        k * x,
        u,
        w,
        s < "b",
        s.startswith("a"),
        s in table,
        s[0] == s[-1],
        f"{s!r:>8}|{k:.1f}",
        s * 2,
        "%s-%d" % (s, 3),
        ",".join(s),
        hash(s) == hash("beta"),
    )


@program(*S3)
def enum_members(x):
    op = Op.ADD if x > 0 else Op.MUL
    p = Prio.TOP if x > 1 else Prio.LOW
    f = Perm.R | Perm.W if x > 0 else Perm.X
    names = {Op.ADD: "plus", Op.MUL: "times"}
    return (
        op.apply(x, 3.0),
        op.twice,
        names[op],
        p > Prio.MID,
        p + 1,
        f & Perm.R,
        bool(f & Perm.W),
        Op(op.value) is op,
        Op[op.name],
        f"{op.name}:{p:d}",
        str(op),
        repr(p),
        sorted([p, Prio.MID]),
    )


@program(*S3)
def functions_result(x):
    def scaled(k):
        def g(v, *, off=0.0):
            return v * k + off

        return g

    g = scaled(2.0) if x > 1 else scaled(x) if x > 0 else (lambda v, *, off=1.0: v - off)
    return g(x), g(x, off=x), g.__name__, callable(g), list(map(g, [x, 1.0]))


@program(*S3)
def closure_cells_share(x):
    n = 0

    def inc():
        nonlocal n
        n += 1
        return n * x

    def dec():
        nonlocal n
        n -= 1
        return n * x

    f = inc if x > 0 else dec
    a = f()
    b = f()
    if x > 1:
        n = 10
    c = inc()
    return a, b, c, n


@program(*S3)
def ternary_lazy(x):
    log = []

    def note(v, name):
        log.append(name)
        return v

    y = note(x, "a") if note(x, "c") > 0 else note(-x, "b")
    z = (note(1, "d") if y > 1 else note(2, "e")) + (note(3, "f") if x < 0 else 0)
    return y, z, log


@program(case(t(0)), case(t(3)), case(t(-1)))
def truth_numbers(n):
    r = []
    if n:
        r.append("n")
    if not n:
        r.append("not")
    k = int(n)
    if k:
        r.append("k")
    if float(n):
        r.append("f")
    if n - 3:
        r.append("n3")
    while k:
        k -= 1 if k > 0 else -1
        r.append(k)
        if len(r) > 6:
            break
    return r, bool(n), not n, bool(float(n) - 3.0)


@program(*S3)
def or_and_values(x):
    a = None if x > 1 else []
    b = a or [x]
    c = a and a[0]
    d = (x > 0) and "yes"
    e = (x > 1) or (x > 0 and "mid") or None
    f = 0 if x > 0 else 0.0
    g = f or x
    h = "" or (x > 0 and None) or x
    b.append(1)
    return a, b, c, d, e, g, h


@program(*S3)
def contained(x):
    l = [1.0, x, 3.0]
    if x > 0:
        l.append(x * 2)
    pos = (x * 2) in l
    d = {"a": x}
    if x > 1:
        d["b"] = 0
    s = "b" if x > 1 else "z"
    return (
        pos,
        2.0 in l,
        "b" in d,
        s in d,
        s in ("b", "c"),
        s in "abc",
        x in ag.asarray([2.0, 3.0]),
        (x > 0) in (True,),
        None in [x],
        4.0 not in l,
    )


@program(*S3)
def eq(x):
    y = (x, [1, x]) if x > 0 else (x, [1, x + 1])
    a = y == (x, [1, x])
    b = {"k": x} == {"k": x}
    c = [x, 2] != [x, 2]
    d = None == (None if x > 1 else x)
    e = 1 < x < 3
    f = x == 2 or x != 0.25
    g = (x > 0) == (x > 1)
    h = "a" == ("a" if x > 0 else 1)
    return a, b, c, d, e, f, g, h


@program(*S3)
def walrus(x):
    if (y := x * 2) > 1 and (z := y + 1) < 4:
        r = z
    else:
        r = y
    l = [w for k in range(4) if (w := k * x) > 0]
    while (y := y - 1) > -3:
        pass
    return r, l, y, (q := r if x > 0 else y), q


@program(case(t(1)), case(t(5)), case(t(7)), case(t(-3)))
def match_literals(n):
    match int(n):
        case 0 | 1:
            r = "small"
        case 5:
            r = "five"
        case k if k < 0:
            r = ("neg", k)
        case k:
            r = k
    match bool(n > 3):
        case True:
            s = 1
        case False:
            s = 2
    match "x" if n > 0 else None:
        case None:
            u = 0
        case str() as name:
            u = name
    return r, s, u


@program(*S3)
def match_structure(x):
    Pt = namedtuple("Pt", "x y")
    p = Pt(x, 0.0) if x > 1 else (Pt(0.0, x) if x > 0 else [x, x, x])
    match p:
        case Pt(x=a, y=0.0):
            r = ("axis", a)
        case Pt(a, b) if b > 0.2:
            r = ("off", a + b)
        case [first, *rest] if len(rest) == 2:
            r = ("list", first, rest)
        case _:
            r = "none"
    return r


@dataclasses.dataclass
class Circle:
    r: object


@dataclasses.dataclass
class Rect:
    w: object
    h: object = 1.0


@program(*S3)
def match_class(x):
    shape = Circle(x) if x > 0 else Rect(x, h=x + 1)
    match shape:
        case Circle(r) if r > 1:
            if r > 1.5:
                area = r * r
            else:
                area = r
        case Circle():
            area = 0.0
        case Rect(w, h):
            area = w * h
    shape2 = [Circle(1.0), shape]
    match shape2:
        case [_, Rect(w=-2.0)]:
            z = 1
        case [Circle(1.0), Circle(r=q)]:
            z = q
        case _:
            z = 0
    return area, z


@program(*S3)
def y_is_none_chain(x):
    best = None
    arg = None
    for i, v in enumerate([x, x * 2, -x, 0.5]):
        if v > 0.4 and (best is None or v > best):
            best, arg = v, i
    return best, arg, best is not None, arg is None


@program(*S3)
def assigned_in_one_branch(x):
    if x > 0:
        label = "p"
        f = lambda v: v + 1
    if x > 1:
        w = [x]
    out = []
    if x > 0:
        out.append(f(x))
        out.append(label)
    if x > 1:
        w.append(3)
        out.append(w)
    return out


@program(*S3)
def unbound_raises(x):
    if x > 1:
        w = x
    elif x < 0:
        w = 0
    return w + 1


@program(*S3)
def nested_choice_of_choice(x):
    op = max if x > 0 else min
    tup = (op, "big") if x > 1 else (op, None)
    f, n = tup
    return f(x, 1.0), n is None, f([3, 1, 2]), f is max, (n or "none").upper()


@program(*S3)
def type_as_choice(x):
    kind = int if x > 1 else float if x > 0 else str
    return kind.__name__, isinstance(3, kind), kind("7"), kind is str


@program(*S3)
def exception_class_choice(x):
    E = KeyError if x > 1 else ValueError
    try:
        if x > 0:
            raise E("boo")
        return "fine"
    except KeyError as e:
        return "key", e.args
    except ValueError as e:
        return "val", str(e)


@program(*S3)
def match_seq_guard_mapping(x):
    cmd = {"op": "push", "v": x} if x > 0 else {"op": "pop"}
    if x > 1:
        cmd["extra"] = 1
    stack = [0.5]
    match cmd:
        case {"op": "push", "v": v, **kw} if kw:
            stack.append((v, kw))
        case {"op": "push", "v": v}:
            stack.append(v)
        case {"op": "pop" | "drop"}:
            stack.pop()
    return stack


@program(*S3)
def ternary_unpack_star(x):
    a, *b = (x, 1, 2) if x > 1 else [x, 5]
    c, d = (d1 := x, 2) if x > 0 else (3, x)
    (e, (f, g)), h = ((1, (x, 2)), 3) if x > 0 else ((x, [4, 5]), None)
    return a, b, c, d, e, f, g, h


@program(*S3)
def chained_compare_effects(x):
    seen = []

    def at(k, v):
        seen.append(k)
        return v

    a = at(1, 0) < at(2, x) < at(3, 1)
    b = at(4, x) == at(5, x) != at(6, 3) or at(7, None)
    return a, b, seen
