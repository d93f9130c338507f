"""`return` everywhere, guard clauses, code that cannot be reached."""

# The programs are meant to be strange.
# ruff: noqa

from __future__ import annotations

from typing import Any

from tests.harness.conversion_harness import inputs

GRID = [(a, b) for a in (0, 1) for b in (0, 2)]
NUMBERS = [(n,) for n in (-3, 0, 1, 2, 5, 8, 13)]


@inputs(*NUMBERS)
def guards(log: Any, n: Any) -> Any:
    if n < 0:
        return "negative"
    if n == 0:
        return "zero"
    log(n)
    if n % 2:
        return "odd"
    return "even"


@inputs(*NUMBERS)
def guards_with_work(log: Any, n: Any) -> Any:
    x = n
    if x < 0:
        x = -x
        if x == 3:
            return "three"
        log("negative")
    y = x + 1
    if y > 5:
        if y > 10:
            return "large", x, y
        y = 0
    else:
        x = 0
    return x, y


@inputs(*NUMBERS)
def without_value(log: Any, n: Any) -> Any:
    if n > 3:
        return
    if n > 1:
        log("between")
        return
    log("small")


@inputs(*NUMBERS)
def without_value_in_loop(log: Any, n: Any) -> Any:
    for i in range(n):
        if i == 2:
            log("leave")
            return
        log(i)
    log("end")


@inputs(*NUMBERS)
def sometimes_value(log: Any, n: Any) -> Any:
    if n > 3:
        return
    if n > 1:
        return n
    if n < 0:
        log("falls off")


@inputs(*NUMBERS)
def both_branches(log: Any, n: Any) -> Any:
    if n % 2:
        return log("odd")
    else:
        return log("even")
    return log("never")


@inputs(*NUMBERS)
def recursion(log: Any, n: Any) -> Any:
    if n <= 1:
        return 1
    return n * recursion(log, n - 1)


@inputs(*NUMBERS)
def return_in_loop(log: Any, n: Any) -> Any:
    for i in range(n):
        if i * i > n:
            return i
    return None if n else "zero"


@inputs(*NUMBERS)
def return_in_nested_loops(log: Any, n: Any) -> Any:
    for i in range(n):
        for j in range(i):
            if i * j > 6:
                return i, j
            if j > 3:
                break
        else:
            log("inner else", i)
        log("after inner", i)
    else:
        log("outer else")
    log("end")


@inputs(*NUMBERS)
def return_in_loop_else(log: Any, n: Any) -> Any:
    for i in range(n):
        if i == 4:
            break
    else:
        if n > 2:
            return "exhausted"
    return "end"


@inputs(*NUMBERS)
def return_from_while(log: Any, n: Any) -> Any:
    while n > 0:
        n -= 3
        if n == 2:
            return "two"
    return n


@inputs(*NUMBERS)
def return_walrus(log: Any, n: Any) -> Any:
    if (m := n * 2) > 4:
        return (k := m + 1) + k
    return m


@inputs(*NUMBERS)
def return_first_line_of_loop(log: Any, n: Any) -> Any:
    for i in range(n):
        return i
    return "empty"


@inputs(*GRID)
def dead_assignment_makes_local(log: Any, a: Any, b: Any) -> Any:
    return NUMBERS
    NUMBERS = 1


@inputs(*GRID)
def dead_code_after_raise(log: Any, a: Any, b: Any) -> Any:
    if a:
        raise ValueError(b)
        log("never")
    return b
    log("never")


@inputs(*GRID)
def raise_in_else(log: Any, a: Any, b: Any) -> Any:
    if a:
        x = 1
    else:
        raise KeyError("a")
    if b:
        return x
    raise LookupError(x) from KeyError("b")


@inputs(*NUMBERS)
def many_guards(log: Any, n: Any) -> Any:
    total = 0
    if n == 100:
        return 1
    total += 1
    if n == 101:
        return 2
    total += 2
    if n == 102:
        return 3
    total += 3
    if n == 103:
        return 4
    total += 4
    if n == 104:
        return 5
    total += 5
    if n == 105:
        return 6
    if n == 106:
        return 7
    if n == 107:
        return 8
    if n == 108:
        return 9
    if n == 109:
        return 10
    if n == 110:
        return 11
    if n == 111:
        return 12
    if n == 112:
        return 13
    if n == 113:
        return 14
    if n == 114:
        return 15
    if n == 5:
        return "five", total
    if n == 8:
        return "eight", total
    return total


@inputs(*NUMBERS)
def many_partial_returns(log: Any, n: Any) -> Any:
    t = 0
    if n > 0:
        t += 1
        if n == 1:
            return "a", t
    if n > 1:
        t += 1
        if n == 2:
            return "b", t
    if n > 2:
        t += 1
        if n == 3:
            return "c", t
    if n > 3:
        t += 1
        if n == 4:
            return "d", t
    if n > 4:
        t += 1
        if n == 5:
            return "e", t
    if n > 5:
        t += 1
        if n == 6:
            return "f", t
    if n > 6:
        t += 1
        if n == 7:
            return "g", t
    if n > 7:
        t += 1
        if n == 8:
            return "h", t
    if n > 8:
        t += 1
        if n == 9:
            return "i", t
    if n > 9:
        t += 1
        if n == 10:
            return "j", t
    if n > 10:
        t += 1
        if n == 11:
            return "k", t
    return t


@inputs(*NUMBERS)
def many_exits_of_a_loop(log: Any, n: Any) -> Any:
    out = []
    for i in range(n + 9):
        if i > 0:
            out.append(1)
            if i == 3:
                continue
        if i > 1:
            out.append(2)
            if i == 4:
                continue
        if i > 2:
            out.append(3)
            if n == 2:
                break
        if i > 3:
            out.append(4)
            if n == 5:
                return out
        if i > 4:
            out.append(5)
            if i == 6:
                continue
        if i > 5:
            out.append(6)
            if n == 8:
                break
        if i > 6:
            out.append(7)
            if i == 7:
                continue
        if i > 7:
            out.append(8)
            if i == 8:
                continue
        if i > 8:
            out.append(9)
            if n == 13:
                break
        out.append(0)
    return out, i


@inputs(*GRID)
def result_evaluated_before_finally(log: Any, a: Any, b: Any) -> Any:
    try:
        return log(a)
    finally:
        log("finally", b)


@inputs(*GRID)
def return_tuple_star(log: Any, a: Any, b: Any) -> Any:
    if a:
        return *[a, b], "x"
    return (*(), b)


@inputs(*NUMBERS)
def return_lambda(log: Any, n: Any) -> Any:
    if n > 2:
        return (lambda: n + 1)()
    n = n + 10
    return (lambda: n)()


@inputs(*NUMBERS)
def gcd(log: Any, n: Any) -> Any:
    a, b = n, 6
    while True:
        if b == 0:
            return a
        a, b = b, a % b


@inputs(*NUMBERS)
def collatz(log: Any, n: Any) -> Any:
    if n < 1:
        return -1
    steps = 0
    while n != 1:
        if n % 2 == 0:
            n = n // 2
        else:
            n = 3 * n + 1
        steps += 1
    return steps
