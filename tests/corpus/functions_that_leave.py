"""Functions made in a staged function, used after it: variables, defaults, attributes, identity."""

from __future__ import annotations

import functools

import autograph as ag
from tests.corpus.registry import case, decorating, program

t = ag.asarray


@program(case(t(1.0)), refused="StateError", naming=("class",))
def object_whose_class_uses_values_of_the_call(x):
    class Item:
        def value(self):
            return x

    return Item()


@program(case(t(1.0)), mutate=False)
def iterator_leaves(x):
    return iter([x])


@decorating(case(t(2.0)), case(t(-2.0)))
def closures_over_one_list(stage):
    @stage
    def make(x):
        k = [x]

        def f():
            k.append(1)
            return k

        def g():
            return k

        f()
        return f, g, k

    def run(x):
        r = make(x)
        f, g, k = r
        return f() is k, g() is k, len(k)

    return run, None


@decorating(case(t(2.0)), case(t(-2.0)))
def closures_that_call_each_other(stage):
    @stage
    def make(x):
        def outer():
            n = 0

            def inc():
                nonlocal n
                n += 1
                return n

            def both():
                return inc(), inc()

            return inc, both

        i, b = outer()
        i()
        return i, b

    def run(x):
        r = make(x)
        i, b = r
        return i(), b(), i()

    return run, None


@decorating(case(t(2.0)), case(t(-2.0)))
def named_defaults_leave(stage):
    @stage
    def make(x):
        def f(v, *, w=x, z=[]):
            z.append(v)
            return v + w, z

        return f

    def run(x):
        r = make(x)
        return r(1.0), r(2.0), r.__kwdefaults__

    return run, None


@decorating(case(t(2.0)), case(t(-2.0)))
def recursive_lambda_leaves_twice(stage):
    @stage
    def make(x):
        f = lambda v: v if v <= 0 else f(v - 1) + x
        return [f, f]

    def run(x):
        r = make(x)
        return r[0] is r[1], r[0](2)

    return run, None


@decorating(case(t(2.0)), case(t(-2.0)))
def function_or_none_leaves(stage):
    @stage
    def make(x):
        if x > 0:

            def f():
                return x
        else:
            f = None
        return f

    def run(x):
        r = make(x)
        return None if r is None else r()

    return run, None


@decorating(case(t(2.0)), case(t(-2.0)))
def lambdas_of_a_loop_leave(stage):
    @stage
    def make(x):
        fs = []
        for i in range(3):
            fs.append(lambda: i * x)
        return fs

    def run(x):
        r = make(x)
        return [f() for f in r]

    return run, None


@decorating(case(t(2.0)), case(t(-2.0)))
def function_with_an_attribute_leaves(stage):
    @stage
    def make(x):
        def f():
            return f.tag

        f.tag = x * 2
        return f

    def run(x):
        r = make(x)
        return r(), r.tag

    return run, None


@decorating(case(t(2.0)), case(t(-2.0)))
def function_in_a_dict_that_it_holds(stage):
    @stage
    def make(x):
        d = {}

        def f():
            return d

        d["f"] = f
        d["x"] = x
        return d

    def run(x):
        r = make(x)
        return r["f"]() is r, r["x"]

    return run, None


@decorating(case(t(2.0)), case(t(-2.0)))
def partial_leaves_twice(stage):
    @stage
    def make(x):
        y = x + 1
        p = functools.partial(lambda a, b: a * b + y, x)
        return p, p

    def run(x):
        r = make(x)
        return r[0] is r[1], r[0](2.0), r[0].args

    return run, None


@decorating(case(t(2.0)), case(t(-2.0)))
def names_of_a_function_that_leaves(stage):
    @stage
    def make(x):
        def f():
            "doc"
            return x

        return f

    def run(x):
        r = make(x)
        return r.__doc__, r.__name__, r.__qualname__, r.__module__, r.__defaults__

    return run, None
