"""Assignment, augmented assignment and deletion: forms, order, count."""

# The programs are meant to be strange.
# ruff: noqa

from __future__ import annotations

from typing import Any

from tests.harness.conversion_harness import inputs
from tests.conversion_programs.expressions import Recorder

COUNTER = 0


def chain_of_targets(log: Any) -> Any:
    r = Recorder(log)
    a = r.b = r[log(1)] = c = log([2])
    return a is c, a, r.b


def chain_with_unpacking(log: Any) -> Any:
    r = Recorder(log)
    x = (y, z) = [r.p, r[0]] = log((1, 2))
    return x, y, z


def value_before_targets(log: Any) -> Any:
    r = Recorder(log)
    log(r).a = log(1)
    log(r)[log("i")] = log(2)
    log(r).b, log(r)[log("j")] = log(3), log(4)


def rebinding_in_chain(log: Any) -> Any:
    r = Recorder(log)
    a: Any = r
    a = a.b = 5
    return a


def unpackings(log: Any) -> Any:
    a, b = [1, 2]
    (c), d = "xy"
    [e, f] = {1: 0, 2: 0}
    (g,) = (3,)
    h, (i, (j, k)), l = 1, (2, (3, 4)), 5
    return a, b, c, d, e, f, g, h, i, j, k, l


def starred_unpackings(log: Any) -> Any:
    a, *b = range(4)
    *c, d = range(4)
    e, *f, g = range(2)
    (*h,) = "abc"
    i, (*j, k), *m = 1, "xyz", 3, 4
    return a, b, c, d, e, f, g, h, i, j, k, m


@inputs(([1],), ([1, 2, 3],), (5,), (iter([1, 2, 3, 4]),), ("ab",), (None,))
def unpacking_errors(log: Any, value: Any) -> Any:
    a, b = value
    return a, b


@inputs(([],), ([1],), ([1, 2],), (5,))
def starred_unpacking_errors(log: Any, value: Any) -> Any:
    a, *b, c = value
    return a, b, c


def partial_unpacking(log: Any) -> Any:
    a = b = c = "old"
    try:
        a, (b, c) = 1, (2,)
    except ValueError as error:
        log(str(error))
    return a, b, c


def unpacking_to_places(log: Any) -> Any:
    r = Recorder(log)
    r.a, (r[log(0)], *r.rest), log(r).z = log(1), log([2, 3, 4]), log(5)


def swapping_items(log: Any) -> Any:
    xs = [1, 2, 3]
    i = 0
    xs[i], xs[2] = xs[2], xs[i]
    i, xs[i] = 1, 9
    return xs, i


def empty_unpacking(log: Any) -> Any:
    () = log([])
    [] = ()
    return "done"


@inputs((6, 4), (2.5, 2))
def augmented_names(log: Any, a: Any, b: Any) -> Any:
    x = a
    x += b
    x -= 1
    x *= b
    x /= 2
    x //= 2
    x %= 7
    x **= 2
    return x


def augmented_bits(log: Any) -> Any:
    x = 12
    x <<= 2
    x >>= 1
    x |= 1
    x &= 0xF
    x ^= 3
    return x


def augmented_in_place(log: Any) -> Any:
    a: Any = [1]
    b = a
    a += [2]
    a *= 2
    c = (1,)
    d = c
    c += (2,)
    return a is b, b, c is d, d


def augmented_attribute(log: Any) -> Any:
    r = Recorder(log)
    r.a = 1
    r.a += log(5)
    log(r).a *= log(3)


def augmented_item(log: Any) -> Any:
    r = Recorder(log)
    r[0] += 1
    log(r)[log("k")] += log(2)
    r[log(1) : log(2)] = 5
    r[1, log(2)] -= 3
    r[1:2, 0] += 4
    i = 3
    r[i] += (i := 4)
    r[i, i] += (i := 5)
    return i


def augmented_on_rebound_owner(log: Any) -> Any:
    r = first = Recorder(log)
    second = Recorder(lambda *a: log("second", *a))

    def rebind() -> Any:
        nonlocal r
        r = second
        return 1

    r.x = 0
    r.x += rebind()
    r = first
    r["i"] += rebind()
    r.y = 7
    r.y += (r := first)[0]


def augmented_global(log: Any) -> Any:
    global COUNTER
    COUNTER = 0
    for _ in range(3):
        COUNTER += 2
    return COUNTER


def augmented_global_owner(log: Any) -> Any:
    global COUNTER
    COUNTER = [1, 2]

    def rebind() -> Any:
        global COUNTER
        old, COUNTER = COUNTER, [5, 6]
        log(old)
        return 10

    COUNTER[0] += rebind()
    COUNTER[1] += 1
    return COUNTER


def augmented_unset(log: Any) -> Any:
    x += 1


def augmented_error_keeps_order(log: Any) -> Any:
    row = [1]
    try:
        row[log(5)] += log(1)
    except IndexError as error:
        log(str(error))
    row[0] += log(2)
    return row


def deletions(log: Any) -> Any:
    r = Recorder(log)
    r.a = r[1] = 0
    x = y = 2
    del r.a, log(r)[log(1)], x
    del (y, r.log)
    return y


def delete_twice(log: Any) -> Any:
    x = 1
    del x
    del x


def delete_slice(log: Any) -> Any:
    xs = list(range(9))
    del xs[1:7:2], xs[0]
    return xs


def delete_then_assign(log: Any) -> Any:
    x = 1
    del x
    x = 2
    return x


def annotated(log: Any) -> Any:
    r = Recorder(log)
    x: int = 3
    y: undefined
    r.a: int = 4
    r.b: int
    r[log(1)]: int
    (z): int = 5
    return x, z


@inputs((0,), (1,))
def annotated_only(log: Any, a: Any) -> Any:
    if a:
        COUNTER: int
    return COUNTER


def attribute_on_function(log: Any) -> Any:
    def f() -> None: ...

    f.count = 0
    f.count += 1
    return f.count, hasattr(f, "other")


def nested_owners(log: Any) -> Any:
    r = Recorder(log)
    r.inner = Recorder(log)
    r.inner.x = 1
    r.inner[log(0)] += r.inner.x
    r.inner.x -= 1
    del r.inner.x
