"""What is there on some paths only: elements, attributes, fitting shapes; managers made inside."""

from __future__ import annotations

import contextlib

import autograph as ag
from tests.corpus.registry import case, program

t = ag.asarray
V = (
    case(t([2.0, 1.0, 3.0, 1.0])),
    case(t([4.0, 2.0])),
    case(t([4.0, 2.0, 1.0])),
    case(t([1.0])),
    case(t([])),
    case(t([2.0, 1.0, 3.0, 1.0, 5.0, 6.0])),
)
N = (case(t(3)), case(t(0)), case(t(6)), case(t(1)), case(t(-2)))


V = [
    case(t([2.0, 1.0, 3.0, 1.0])),
    case(t([4.0, 2.0])),
    case(t([4.0, 2.0, 1.0])),
    case(t([1.0])),
    case(t([])),
    case(t([2.0, 1.0, 3.0, 1.0, 5.0, 6.0])),
]


@program(*V)
def first_element(v):
    try:
        return v[0] * 2
    except Exception:
        return "short"


@program(*V)
def fourth_element(v):
    try:
        return v[3] * 2
    except IndexError as e:
        return str(e)


@program(*V)
def elements_from_the_end(v):
    try:
        return v[-2], float(v[1])
    except IndexError:
        return "short"


@program(*V)
def kinds_of_first(v):
    try:
        return max(v), next(iter(v)), v[v > 1][0], v[..., 0], v[None][0, 1]
    except (IndexError, StopIteration, ValueError) as e:
        return type(e).__name__


@program(*V)
def unpacked_in_try(v):
    try:
        a, b = v
        return a - b
    except ValueError as e:
        return str(e)


@program(*V)
def next_then_third(v):
    try:
        return next(x for x in v if x < 2) + v[2]
    except IndexError:
        return -1.0
    except StopIteration:
        return -2.0


@program(*V)
def shapes_caught(v):
    try:
        return v + ag.ones((3,))
    except ValueError as e:
        return str(e)


@program(*V)
def float_of_many(v):
    try:
        return float(v)
    except Exception as e:
        return type(e).__name__


@program(*V)
def stacked_in_try(v):
    try:
        return ag.stack([v, ag.ones((2,))]).sum()
    except ValueError:
        return "bad"


@program(*V)
def half_of_it(v):
    return ag.split(v, 2)[0]


@program(*V)
def halves(v):
    return ag.split(v, 2)


@program(*V)
def squeezed(v):
    m = v.reshape((-1, 1))
    return ag.squeeze(m[:1], axis=0)


@program(*V)
def halves_in_try(v):
    try:
        return ag.split(v, 2)[1]
    except ValueError as e:
        return str(e)


class Open:
    pass


class WithDefault:
    v = 7


class Slotted:
    __slots__ = ("v",)


class Hooked:
    def __getattr__(self, name):
        return -5


class Partial:
    def __init__(self, n):
        if n > 2:
            self._x = n

    @property
    def x(self):
        return self._x * 2

    def get(self):
        try:
            return self._x
        except AttributeError as e:
            return str(e)


@program(*N)
def read_after_a_branch(n):
    o = Open()
    if n > 0:
        o.v = n
    return o.v


@program(*N)
def caught_after_a_branch(n):
    o = Open()
    if n > 0:
        o.v = n
    try:
        x = o.v
    except AttributeError as e:
        x = str(e)
    return x


@program(*N)
def shown_and_compared(n):
    o = Open()
    if n > 0:
        o.v = n
    print(o.v)
    return [o.v, o.v * 2, o.v > 3]


@program(*N)
def deleted_on_a_path(n):
    o = Open()
    o.v = 1
    if n > 0:
        del o.v
    o.v += 1
    return o.v


@program(*N)
def set_in_a_loop(n):
    o = Open()
    for i in range(n):
        o.last = i
    return o.last


@program(*N)
def slot_on_a_path(n):
    o = Slotted()
    if n > 0:
        o.v = n
    return hasattr(o, "v"), getattr(o, "v", "none"), o.v


@program(*N)
def hook_for_missing(n):
    o = Hooked()
    if n > 0:
        o.v = n
    return o.v, hasattr(o, "v"), getattr(o, "v", 3)


@program(*N)
def class_has_one(n):
    o = WithDefault()
    if n > 0:
        o.v = n
    return getattr(o, "v", -1), o.v, hasattr(o, "v")


@program(*N)
def property_without(n):
    return Partial(n).x


@program(*N)
def asked_for_by_hasattr(n):
    return (
        Partial(n).get(),
        hasattr(Partial(n), "x"),
        hasattr(Partial(n), "_x"),
        getattr(Partial(n), "x", None),
    )


@program(*N)
def slot_read(n):
    o = Slotted()
    if n > 0:
        o.v = n
    return o.v


@program(*N)
def read_and_not_used(n):
    o = Open()
    if n > 0:
        o.v = n
    x = o.v
    return n


@program(*N)
def counts_in_with(n):
    k = 0

    @contextlib.contextmanager
    def level():
        nonlocal k
        k = k + n
        yield 1

    with level():
        pass
    return k


@program(*N)
def managers_nested(n):
    @contextlib.contextmanager
    def level(s):
        print("in", s)
        try:
            yield n * s
        finally:
            print("out", n)

    with level(2) as a, level(3) as b:
        if n > 1:
            return a + b
    return a


@program(*N)
def depth_of_with(n):
    depth = deepest = 0

    @contextlib.contextmanager
    def level():
        nonlocal depth, deepest
        depth += 1
        deepest = max(deepest, depth)
        yield depth
        depth -= 1

    def go(k):
        with level():
            if k > 0:
                with level():
                    pass

    for i in range(n):
        go(i)
    return depth, deepest
