"""`while`, `for`, `break`, `continue`, and `else` of loops."""

# The programs are meant to be strange.
# ruff: noqa

from __future__ import annotations

from typing import Any

from tests.harness.conversion_harness import inputs

COUNTS = [(0,), (1,), (4,), (7,)]
LISTS: list[tuple[Any, ...]] = [([],), ([1],), ([3, 0, 2],), ([1, 2, 5, 7, 9],)]


@inputs(*COUNTS)
def count_up(log: Any, n: Any) -> Any:
    i = 0
    while i < n:
        i += 1
    return i


@inputs(*LISTS)
def sum_up(log: Any, xs: Any) -> Any:
    total = 0
    for x in xs:
        total += x
    return total


@inputs(*LISTS)
def item_after_loop(log: Any, xs: Any) -> Any:
    for x in xs:
        log(x)
    return x


@inputs(*LISTS)
def break_out(log: Any, xs: Any) -> Any:
    found = None
    for x in xs:
        if x > 2:
            found = x
            break
        log(x)
    return found


@inputs(*LISTS)
def skip_some(log: Any, xs: Any) -> Any:
    for x in xs:
        if x == 0:
            continue
        log(x)
        if x > 6:
            continue
        log("small")


@inputs(*LISTS)
def for_else(log: Any, xs: Any) -> Any:
    for x in xs:
        if x == 5:
            break
    else:
        log("no break")
        x = "else"
    return x


@inputs(*COUNTS)
def while_else(log: Any, n: Any) -> Any:
    while n > 0:
        n -= 1
        if n == 5:
            break
    else:
        return "exhausted", n
    return "broken", n


@inputs(*LISTS)
def else_breaks_outer(log: Any, xs: Any) -> Any:
    for x in xs:
        for y in range(x):
            log(x, y)
            if y == 1:
                break
        else:
            if x == 1:
                break
            log("else", x)
            continue
        log("after", x)
    else:
        log("outer else")
    return x


@inputs(*LISTS)
def else_continues_outer(log: Any, xs: Any) -> Any:
    for x in xs:
        while x > 2:
            x -= 2
        else:
            if x == 1:
                continue
        log(x)


@inputs(*COUNTS)
def endless_with_break(log: Any, n: Any) -> Any:
    i = 0
    while True:
        i += 1
        if i > n:
            result = i * 2
            break
    return result


@inputs(*COUNTS)
def endless_with_return(log: Any, n: Any) -> Any:
    while 1:
        if n > 5:
            return n
        n += 2


@inputs(*LISTS)
def nested_loops(log: Any, xs: Any) -> Any:
    pairs = []
    for x in xs:
        for y in xs:
            if y > x:
                break
            if (x + y) % 2:
                continue
            pairs.append((x, y))
        else:
            pairs.append(x)
    return pairs


@inputs(*COUNTS)
def loops_of_three(log: Any, n: Any) -> Any:
    total = 0
    for i in range(n):
        j = i
        while j > 0:
            for k in range(j):
                if k == 2:
                    break
                total += k
                if total > 20:
                    return total, i, j, k
            else:
                j -= 1
                continue
            j -= 2
        if i == 5:
            break
    else:
        total = -total
    return total


@inputs(([(1, 2), (3, 4)],), ([],), ([(1, 2, 3)],), ([5],))
def unpacking_target(log: Any, pairs: Any) -> Any:
    s = 0
    for a, b in pairs:
        s += a * b
    return s


@inputs(([(1, (2, 3, 4)), (5, (6,))],), ([(1, ())],))
def nested_starred_target(log: Any, items: Any) -> Any:
    for a, (b, *c) in items:
        log(a, b, c)


def attribute_and_item_targets(log: Any) -> Any:
    class Box:
        value: Any = None

    box, row = Box(), [0, 0]
    for box.value in range(3):
        for row[box.value - 2] in "ab":
            log(box.value, list(row))
    for box.value, row[log(0)] in [(1, 2), (3, 4)]:
        log(box.value, list(row))


@inputs(*COUNTS)
def walrus_test(log: Any, n: Any) -> Any:
    values = iter(range(n))
    while (x := next(values, None)) is not None:
        log(x)
        if x == 3:
            break
    return x


@inputs(*COUNTS)
def test_with_effects(log: Any, n: Any) -> Any:
    while log(n) and (n := n - 1) > 2 or log("again") == n:
        log("body")
    return n


@inputs(*LISTS)
def loop_variable_kept(log: Any, xs: Any) -> Any:
    x = "before"
    for x in xs:
        if x == 5:
            x = "changed"
            break
    return x


@inputs(*LISTS)
def first_assigned_in_loop(log: Any, xs: Any) -> Any:
    for x in xs:
        last = x
        double = last * 2
    return last, double


@inputs(*LISTS)
def temporary_in_loop(log: Any, xs: Any) -> Any:
    total = 0
    for x in xs:
        square = x * x
        if square > 4:
            half = square // 2
        else:
            half = 0
        total += half
    return total


@inputs(*LISTS)
def carried_through_turns(log: Any, xs: Any) -> Any:
    previous = None
    for x in xs:
        if previous is not None:
            log(previous, x)
        previous = x


@inputs(*LISTS)
def assigned_late_read_early(log: Any, xs: Any) -> Any:
    for index, x in enumerate(xs):
        if index:
            log(seen)
        seen = x


@inputs(*COUNTS)
def continue_in_while(log: Any, n: Any) -> Any:
    i = 0
    while i < n:
        i += 1
        if i % 2:
            continue
        log(i)
    return i


@inputs(*COUNTS)
def break_then_dead_code(log: Any, n: Any) -> Any:
    for i in range(n):
        log(i)
        break
        log("never")
    return "done"


@inputs(*LISTS)
def changed_iterable(log: Any, xs: Any) -> Any:
    for x in xs:
        if x > 2 and len(xs) < 8:
            xs.append(x - 1)
        xs = list(xs) if x == 5 else xs
    return xs


def not_iterable(log: Any) -> Any:
    for x in 3:
        log(x)


def raising_iterator(log: Any) -> Any:
    def numbers() -> Any:
        yield 1
        raise ValueError("no more")

    for x in numbers():
        log(x)
    else:
        log("else")


@inputs(*COUNTS)
def while_false(log: Any, n: Any) -> Any:
    while n and False:
        x = 1
    else:
        x = 2
    return x


@inputs(*LISTS)
def all_kinds_in_sequence(log: Any, xs: Any) -> Any:
    for x in xs:
        if x == 0:
            log("zero")
            continue
        if x == 9:
            log("nine")
            break
        if x == 7:
            return "seven"
        log(x)
    log("end")
    while xs:
        x = xs.pop()
        if x == 2:
            break
    return xs


@inputs(*COUNTS)
def loop_in_branch_in_loop(log: Any, n: Any) -> Any:
    out = []
    i = 0
    while i < n:
        if i % 3 == 0:
            for j in range(i):
                if j > 3:
                    break
                out.append(j)
        elif i % 3 == 1:
            k = i
            while k:
                k //= 2
                out.append(-k)
        else:
            i += 1
            continue
        i += 1
    return out, i


@inputs(*COUNTS)
def deleted_in_loop(log: Any, n: Any) -> Any:
    x = 0
    for i in range(n):
        log(x)
        del x
        if i < 2:
            x = i
    return x


@inputs(*COUNTS)
def same_variable_in_nested_loops(log: Any, n: Any) -> Any:
    for i in range(n):
        for i in range(i):
            log(i)
        log("outer", i)
    return i


@inputs(*LISTS)
def else_with_escape_only(log: Any, xs: Any) -> Any:
    for x in xs:
        if x == 3:
            break
    else:
        return "else"
    return "after"


@inputs(*COUNTS)
def tail_continue_after_nested_else(log: Any, n: Any) -> Any:
    for i in range(n):
        for j in range(i):
            if j == 2:
                log("break", i)
                break
        else:
            log("else", i)
            continue


@inputs(*COUNTS)
def fibonacci(log: Any, n: Any) -> Any:
    a, b = 0, 1
    while n > 0:
        a, b, n = b, a + b, n - 1
    return a
