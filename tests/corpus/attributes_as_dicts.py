"""The `__dict__` of objects, read and written like any dict, beside their attributes."""

from __future__ import annotations

import autograph as ag
from tests.corpus.registry import case, program, stateful

t = ag.asarray
S3 = (case(t(2.0)), case(t(-2.0)), case(t(0.25)))


class O:
    def __init__(self):
        self.a = 1.0


@stateful(*S3, between=(lambda w: setattr(w.state, "b", 5.0), lambda w: setattr(w.state, "a", 3)))
def vars_of_state():
    o = O()

    def f(x):
        s = x
        for k, v in vars(o).items():
            s = s * v
        return s, len(o.__dict__)

    return f, o


@stateful(*S3)
def vars_written():
    o = O()

    def f(x):
        if x > 0:
            o.__dict__["c"] = x
        vars(o).update(d=x * 2)
        return hasattr(o, "c"), o.d

    return f, o


@program(*S3)
def dict_taken_before(x):
    o = O()
    d = o.__dict__
    if x > 0:
        o.z = x
    return len(d), "z" in d, d.get("z")


@program(*S3)
def dict_deleted_before(x):
    o = O()
    d = vars(o)
    if x > 0:
        del o.a
    else:
        o.a = x
    return list(d.values()), list(d)


@program(*S3)
def dict_written_attr_read(x):
    o = O()
    d = vars(o)
    if x > 0:
        d["a"] = x
    else:
        d["q"] = 2
    return o.a, getattr(o, "q", None), dict(d)


@program(*S3)
def dict_copy_update(x):
    o = O()
    p = O()
    o.a = x
    if x > 0:
        o.b = 1
    p.__dict__.update(o.__dict__)
    return p.a, getattr(p, "b", 0)


@program(*S3)
def dict_in_loop(x):
    o = O()
    n = 0
    while n < 3:
        if x > n:
            o.__dict__["k"] = n
        n += 1
    return dict(vars(o))


@program(*S3)
def kwargs_to_attributes(x):
    class Bunch:
        def __init__(self, **kw):
            self.__dict__.update(kw)

    b = Bunch(a=x, b=2.0)
    if x > 0:
        b.a = b.a * 2
    b.__dict__["b"] = x
    return b.a, b.b, sorted(b.__dict__), dict(vars(b))


class Holder:
    pass


@stateful(
    *S3,
    between=(
        lambda w: setattr(w.state, "o", O()),
        lambda w: setattr(w.state.o, "k", 4.0),
        lambda w: setattr(w.state, "o", w.state),
    ),
)
def swapped_object():
    h = Holder()
    h.o = O()
    h.o.a = 2.0

    def f(x):
        s = 0.0
        for k, v in h.o.__dict__.items():
            if isinstance(v, float):
                s += v
        return x * s if x > 0 else s

    return f, h


@stateful(*S3)
def written_then_read_all():
    o = O()

    def f(x):
        o.n = x * 2
        if x > 0:
            o.a = o.a + 1
        tot = 0.0
        for k in sorted(vars(o)):
            tot = tot + vars(o)[k]
        return tot, vars(o).get("n"), "zz" in vars(o)

    return f, o


@stateful(*S3)
def pop_and_update():
    o = O()

    def f(x):
        d = vars(o)
        d.setdefault("n", 0)
        d["n"] += 1
        if x > 1:
            d.pop("a", None)
        elif x > 0:
            d.update(a=x, q=[x])
        return getattr(o, "a", "no"), o.n

    return f, o


class Mixin:
    def __getstate__(self):
        return self.__dict__.copy()

    def clone(self):
        new = self.__class__.__new__(self.__class__)
        new.__dict__.update(self.__dict__)
        return new


class Thing(Mixin):
    def __init__(self, x):
        self.x = x
        self.y = None


@program(*S3)
def clone_by_dict(x):
    a = Thing(x)
    if x > 0:
        a.y = x * 3
    b = a.clone()
    b.x = 0.0
    return a.x, b.x, b.y, a.__dict__ == b.__dict__, sorted(a.__getstate__())


class Cached:
    def __init__(self):
        self.cache = 1
        self.items = 2

    def show(self):
        return " ".join(f"{name}={value}" for name, value in vars(self).items())


@program(*S3)
def deleted_on_one_path(x):
    made = Cached()
    if x < 0:
        del made.cache
    return made.show(), list(vars(made))


@stateful(*S3)
def deleted_on_one_path_outside():
    kept = Cached()

    def run(x):
        if x < 0 and hasattr(kept, "cache"):
            del kept.cache
        return list(vars(kept)), kept.show()

    return run, kept


@stateful(*S3)
def deleted_and_set_again():
    kept = Cached()

    def run(x):
        del kept.cache
        kept.cache = x
        return list(vars(kept))

    return run, kept


@stateful(*S3)
def deleted_in_a_loop():
    kept = Cached()

    def run(x):
        for turn in range(int(x)):
            if turn > 0 and hasattr(kept, "cache"):
                del kept.cache
        return list(vars(kept))

    return run, kept
