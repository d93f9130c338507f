"""What is sent and thrown into generators, how they stop, and who asks whom."""

from __future__ import annotations

import functools

import autograph as ag
from tests.corpus.registry import case, program

t = ag.asarray
ROWS = (case(t([3, 1, 2, 1, 3])), case(t([1, 1, 1, 4, 1])), case(t([5, 2, 2, 7, 0])))
FLOATS = (case(t([3.0, -1.0, 2.0])), case(t([-1.0, 0.5, 4.0])), case(t([0.0, -2.0, -3.0])))


@program(*ROWS)
def walrus_genexp(v):
    found = any((y := x) > 2 for x in v)
    g = (x for x in v if x > 1)
    return found, y, next(g, 0), next(g, 0)


@program(*ROWS, slow=True)
def wrapped_gen(v):
    def doubled(f):
        @functools.wraps(f)
        def wrapper(*args, **kwargs):
            for x in f(*args, **kwargs):
                yield x * 2

        return wrapper

    @doubled
    def big(items, least=1):
        for x in items:
            if x > least:
                yield x

    g = big(v)
    return next(g, 0), next(g, 0), sum(big(v, least=2)), list(big(items=v))


@program(*ROWS)
def helper_next(v):
    def first(it):
        return next(it)

    def gen():
        it = iter(v[:2])
        while True:
            x = first(it)
            if x > 1:
                yield x

    try:
        return sum(gen())
    except RuntimeError as e:
        return str(e)


@program(*ROWS)
def dunder_next(v):
    def gen():
        it = iter(v[:2])
        while True:
            x = it.__next__()
            if x > 1:
                yield x

    try:
        return list(gen())
    except RuntimeError as e:
        return str(e)


@program(*FLOATS)
def item_changed(v):
    def gen():
        for x in v:
            if x > 0:
                yield x * 1

    g = gen()
    a, b = next(g, ag.zeros(())), next(g, ag.ones(()))
    b[...] = 7.0
    return a, b


@program(*FLOATS)
def kept_and_changed(v):
    w = v * 2

    def gen():
        k = w[0]
        while True:
            if k > 0:
                yield w
            yield k

    g = gen()
    a = next(g)
    b = next(g)
    w[0] = 9.0
    return a, b


@program(*FLOATS)
def closed_then_sent(v):
    def gen():
        for x in v:
            if x > 0:
                yield x

    g = gen()
    h = gen()
    h.close()
    try:
        h.send(1)
        r = 0
    except StopIteration:
        r = 1
    return next(g, 0), next(g, 0), r


@program(*ROWS, slow=True)
def varkw(v):
    def gen(*xs, **o):
        o["n"] = 1
        for x in xs:
            if x > o.get("least", 0):
                yield x
        yield len(o)

    g = gen(*v, least=1)
    return next(g), next(g), list(gen(v[0], least=v[1]))


@program(*ROWS)
def gen_executing(v):
    def gen():
        if v[0] > 2:
            yield 1
        yield next(g, -5)

    g = gen()
    try:
        return next(g), next(g), next(g, 7)
    except ValueError as e:
        return str(e)


def stops(x):
    if x > 3:
        raise StopIteration
    return x


@program(*ROWS)
def first_form_stops(v):
    def gen():
        yield v[1]
        if v[0] > 1:
            raise StopIteration
        yield v[2]

    g = gen()
    a = next(g)
    try:
        b = next(g)
    except RuntimeError as e:
        b = str(e)
    return a, b


@program(*ROWS)
def first_form_helper_stops(v):
    def gen():
        yield v[1]
        yield stops(v[0])
        yield v[2]

    g = gen()
    a = next(g)
    try:
        b = next(g)
    except RuntimeError as e:
        b = str(e)
    except StopIteration:
        b = "stop"
    return a, b


@program(*ROWS)
def second_form_helper_stops(v):
    def gen():
        for x in v:
            yield stops(x)

    try:
        return sum(gen())
    except RuntimeError as e:
        return str(e)
    except StopIteration:
        return "stop"


@program(*ROWS)
def second_form_consumer_stops(v):
    def gen():
        for x in v:
            yield x

    total = 0
    try:
        for x in gen():
            total += stops(x)
    except RuntimeError as e:
        return str(e)
    except StopIteration:
        return "stop", total
    return total


@program(*ROWS)
def consumer_stops_filtered(v):
    total = 0
    try:
        for x in (x for x in v if x > 1):
            total += stops(x)
    except StopIteration:
        return "stop", total
    return total


@program(*ROWS)
def genexpr_stops(v):
    try:
        return list(stops(x) for x in v)
    except RuntimeError as e:
        return str(e)


@program(*ROWS)
def genexpr_uncaught(v):
    return list(stops(x) for x in v)


@program(*ROWS)
def third_helper_stops(v):
    def gen():
        for x in v:
            if x > 1:
                yield stops(x)

    g = gen()
    out = []
    try:
        for _ in range(3):
            out.append(next(g, -1))
    except RuntimeError as e:
        out.append(str(e))
    return out


@program(*ROWS)
def sum_executing(v):
    def gen():
        yield 1
        if v[0] > 2:
            yield sum(g)

    g = gen()
    try:
        return next(g), next(g, 8), next(g, 7)
    except ValueError as e:
        return str(e)


@program(*ROWS)
def throw_kinds(v):
    def gen():
        got = 0
        for x in v:
            try:
                if x > 1:
                    yield x
                else:
                    yield got
            except ValueError as e:
                got = e.args

    out = []
    for args in (
        (ValueError,),
        (ValueError, "a"),
        (ValueError, (1, 2)),
        (ValueError("z"),),
        (ValueError, ValueError(3)),
    ):
        g = gen()
        a = next(g)
        b = g.throw(*args)
        out.append((a, b, next(g, -1)))
    return out


@program(*ROWS)
def throw_bad(v):
    def gen():
        for x in v:
            if x > 1:
                yield x

    g = gen()
    a = next(g, 0)
    try:
        g.throw(3)
    except TypeError as e:
        return a, str(e)


@program(*ROWS)
def throw_bad2(v):
    def gen():
        for x in v:
            if x > 1:
                yield x

    g = gen()
    a = next(g, 0)
    try:
        g.throw(ValueError(1), 2)
    except TypeError as e:
        return a, str(e), next(g, 5)


@program(*ROWS)
def throw_own(v):
    class Reset(Exception):
        def __init__(self, to):
            super().__init__(to)
            self.to = to if to > 1 else -to

    def gen():
        n = 0
        while n < 20:
            try:
                if v[0] > n:
                    yield n
                n += 1
            except Reset as r:
                n = r.to

    g = gen()
    return next(g, 50), g.throw(Reset, v[1]), next(g, 60)


@program(*ROWS)
def send_choice(v):
    def gen():
        got = None
        for x in v:
            if x > 1:
                got = yield x if got is None else got

    g = gen()
    what = None if v[0] > 2 else "word"
    try:
        a = g.send(what)
    except TypeError as e:
        a = str(e)
    return a, next(g, 0)


@program(*ROWS)
def delegated_list_thrown(v):
    def outer():
        try:
            if v[0] > 1:
                yield from [1, 2, 3]
            yield 4
        except KeyError:
            yield -2

    g = outer()
    return next(g), g.throw(KeyError), next(g, 9)


@program(*ROWS)
def wrapped_closed(v):
    def gen(n):
        while n > 0:
            if n % 2 == 0:
                yield n
            n -= 1

    g = gen(v[0])
    a = next(g, 0)
    g.close()
    try:
        b = g.throw(ValueError)
    except ValueError:
        b = 11
    return a, next(g, 7), b


class Swallowing:
    """A manager that takes every exception."""

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        return True


@program(case(t(0)), case(t(1)), case(t(2)))
def left_inside_a_with_that_swallows(n):
    def items():
        with Swallowing():
            if n > 1:
                return
        yield 1

    def others():
        for i in range(3):
            with Swallowing():
                if n > i:
                    continue
            yield i

    return list(items()), list(others()), max(items(), default=5)


@program(case(t(0)), case(t(1)), case(t(2)))
def broken_inside_a_with_that_swallows(n):
    def items():
        for i in range(2):
            with Swallowing():
                if n > i:
                    break
            yield i
        yield 7

    return list(items())


@program(case(t(1)), case(t(3)), refused="StateError", naming=("inside try",))
def a_bare_handler_around_a_recursion(n):
    def down(k, count):
        return count if k == 0 else down(k - 1, count + 1)

    def items():
        try:
            yield down(n, 0)
        except:
            yield -1
        yield 2

    return list(items())
