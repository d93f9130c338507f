"""print: what, when, and in which order."""

from __future__ import annotations

import autograph as ag
from tests.corpus.registry import case, program

t = ag.asarray


@program(case(t(1.5)), case(t(-1.5)))
def in_a_branch(x):
    print("start", x)
    if x > 0:
        print("positive:", x * 2)
    else:
        print("negative:", x, sep=" ", end="!\n")
    print("end")
    return x


@program(case(t(3)), case(t(0)))
def in_a_loop(n):
    for i in range(n):
        print(i, i * 0.5, i > 1)
    print("done", n)
    return n


@program(case(t([1.0, 2.0])), case(t([[1, 2], [3, 4]])))
def of_tensors(x):
    print(x, x + 1, sep=" | ")
    print(x[0])


@program(case(t(2.0)), case(t(-2.0)))
def of_formatted_text(x):
    print(f"x is {x}")
    if x > 0:
        print(f"twice is {x * 2:.3f}, {'yes'!r:>6}")
    print("%s and {}".format("a"), [1, "b", None])


@program(case(t(3)), case(t(1)))
def before_an_error(n):
    print("before")
    for i in range(3):
        print("turn", i)
        if i == n:
            raise ValueError("stop")
    return n


@program(case(t(3)), case(t(0)))
def of_staged_numbers_and_choices(n):
    k = 0
    name = "none"
    for i in range(n):
        k += i
        name = "some"
    print(k, k / 2, name, k > 2)
    print(f"{k} {name} {k / 4}")
    return k


@program(case(t(3)), case(t(0)))
def of_lists(n):
    xs = []
    for i in range(n):
        xs.append(i)
    print(len(xs), xs)
    return xs


@program(case(t(2)), case(t(0)))
def from_helpers_in_order(n):
    def say(what, value):
        print(what, value)
        return value

    total = 0
    for i in range(n):
        total = total + say("a", i) * say("b", i + 1)
    if say("total", total) > 1:
        say("big", n)
    return total
