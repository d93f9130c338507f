"""What a loop may carry, how it may end, and what it may run over."""

from __future__ import annotations

from collections import deque, namedtuple
from dataclasses import dataclass, replace

import autograph as ag
from tests.corpus.registry import case, program, stateful

t = ag.asarray

Pair = namedtuple("Pair", "a b")


@dataclass
class Cell:
    value: object
    hits: int = 0


@dataclass(frozen=True, slots=True)
class Step:
    value: object
    count: int = 0


@dataclass(slots=True)
class Slotted:
    value: object
    count: int = 0


class Plain:
    __slots__ = ("left", "right")

    def __init__(self, left, right):
        self.left = left
        self.right = right


@program(case(t(27)), case(t(1)), case(t(6)))
def while_true_with_break(n):
    steps = 0
    peak = n
    while True:
        if n == 1:
            break
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        peak = ag.maximum(peak, n)
        steps += 1
    return n, steps, peak


@program(case(t(3)), case(t(100)), case(t(0)))
def while_true_with_return(n):
    k = 0
    while True:
        k += 1
        if k * k > n:
            return k, "found"
        if k > 7:
            return None


@program(case(t(2)), case(t(9)), case(t(-1)))
def break_in_python_range(n):
    total = 0
    for i in range(6):
        if i == n:
            break
        total += i
    else:
        total = -total
    return total, i


@program(case(t(2)), case(t(9)))
def continue_in_python_range(n):
    seen = []
    for i in range(5):
        if i == n:
            continue
        seen.append(i)
    return seen, i


@program(case(t(2)), case(t(9)))
def return_in_python_range(n):
    for i in range(5):
        for j in range(5):
            if i * j == n:
                return i, j
    return None


@program(case(t(2.0)), case(t(9.0)), case(t(0.5)))
def over_a_dict(x):
    table = {"a": 1.0, "b": 2.0, "c": 9.0}
    found = None
    for key, value in table.items():
        if value == x:
            found = key
            break
    else:
        found = "none"
    for key in table:
        if table[key] > x:
            return found, key
    return found


@program(case(t(2.0)), case(t(9.0)), case(t(0.5)))
def over_a_zip(x):
    a, b, c = [1, 2, 3], [x, x * 2, x * 3], "xyz"
    out = []
    for p, q, r in zip(a, b, c):
        if q > 5:
            continue
        out.append((p, r))
        if p * q > 3:
            break
    return out, p, q, r


@program(case(t(4), t(3)), case(t(0), t(3)), case(t(4), t(0)))
def return_from_nested_staged_loops(n, m):
    for i in range(n):
        for j in range(m):
            if i * j == 2:
                return i, j
        if i == 3:
            return "row", i
    return i * 100 if n > 0 else None


@program(case(t(5)), case(t(0)), case(t(2)))
def while_else(n):
    k = 0
    while k < n:
        if k == 3:
            r = "broken"
            break
        k += 1
    else:
        r = "whole"
    return r, k


@program(case(t(5)), case(t(0)))
def tuple_state(n):
    state = (0, (1.0, t(2.0)))
    for i in range(n):
        a, (b, c) = state
        state = (a + i, (b * 1.5, c + b))
    return state


@program(case(t(5)), case(t(0)))
def namedtuple_state(n):
    p = Pair(0, t(1.0))
    for i in range(n):
        p = p._replace(a=p.a + i)
        p = Pair(p.a, p.b * 2) if i > 1 else p
    return p, p.a, type(p) is Pair


@program(case(t(5)), case(t(0)))
def dataclass_state(n):
    c = Cell(t(1.0))
    alias = c
    for i in range(n):
        c.value = c.value + i
        c.hits += 1
    return c, alias is c, alias.hits


@program(case(t(5)), case(t(0)))
def frozen_state(n):
    s = Step(t(1.0))
    for i in range(n):
        s = replace(s, value=s.value + i, count=s.count + 1)
    return s, s.count


@program(case(t(5)), case(t(0)))
def new_object_each_turn(n):
    s = Slotted(t(1.0))
    for i in range(n):
        s = Slotted(s.value * 2 + i, s.count + 1)
    return s


@program(case(t(5)), case(t(0)))
def slots_state(n):
    p = Plain(0, t(1.0))
    while p.left < n:
        p.left += 1
        p.right = p.right + p.left
    return p.left, p.right


@program(case(t(5)), case(t(0)))
def dict_state(n):
    d = {"n": 0, "x": t(0.0), "inner": {"k": 1}}
    for i in range(n):
        d["n"] += 1
        d["x"] = d["x"] + i
        d["inner"]["k"] *= 2
    return d


@program(case(t(5)), case(t(0)))
def nested_state(n):
    d = {"cells": [Cell(0), Cell(t(1.0))], "pair": Pair(1, [2])}
    for i in range(n):
        d["cells"][0].value += i
        d["cells"][1].value = d["cells"][1].value * 2
        d["pair"].b[0] += 1
        d["pair"] = Pair(d["pair"].a + 1, d["pair"].b)
    return d


@stateful(case(t(3)), case(t(0)))
def variable_state():
    v = ag.Variable([1.0, 2.0])
    w = ag.Variable(0)

    def run(n):
        for i in range(n):
            v.assign_add([1.0, 0.5])
            w.assign(w + i)
            if i == 1:
                v.assign(v * 2)
        return v + 0, w

    return run, (v, w)


@program(case(t(5)), case(t(0)), case(t(1)))
def dtype_changes(n):
    x = t(1)
    y = 1
    for i in range(n):
        x = x / 2
        y = y * 0.5
    return x, y, x.dtype, type(y) is int


@program(case(t(5)), case(t(0)), case(t(1)))
def shape_changes(n):
    v = ag.zeros((1,))
    w = ag.ones((2, 1))
    for i in range(n):
        v = ag.concat([v, ag.ones((2,)) * i])
        w = ag.concat([w, w[:, :1]], axis=1)
    return v, v.shape, w.shape, ag.sum(w)


@program(case(t(5)), case(t(0)))
def first_assigned_in_the_loop(n):
    for i in range(n):
        last = i * 2
        y = last + 1
    return last, y, i


@program(case(t([1.0, 5.0, 3.0])), case(t([2.0])))
def none_as_first_value(xs):
    best = None
    where = None
    for k, x in enumerate(xs):
        if best is None or x > best:
            best = x
            where = k
    return best, where


@program(case(t(5)), case(t(0)))
def none_then_string_then_tensor(n):
    last = None
    for i in range(n):
        if i == 0:
            last = "zero"
        elif i < 3:
            last = t(1.0) * i
        else:
            last = i
    return last, last is None, isinstance(last, str)


@program(case(t([1.0, 2.0, 3.0])), case(t([4.0])))
def enumerate_zip_reversed(xs):
    out = []
    for k, x in enumerate(xs, 5):
        out.append(x * k)
    for a, b in zip(xs, reversed(xs)):
        out.append(a - b)
    for k, (a, b) in enumerate(zip(xs, xs[::-1])):
        out.append(a * b + k)
    return out


@program(case(t(5), t(-2)), case(t(-5), t(2)), case(t(3), t(3)))
def ranges_with_tensor_steps(n, k):
    seen = []
    for i in range(n, 0, k):
        seen.append(i)
    for i in range(0, n, 2):
        seen.append(i)
    for i in range(10, n, -3):
        seen.append(-i)
    return seen


@program(case(t([1, 2, 3, 4])), case(t([9, 8])))
def star_unpacking(xs):
    first, *rest = xs
    *init, last = xs
    a, *_, z = xs
    (p, q), *more = ag.stack([xs[:2], xs[:2] * 10])
    return first, rest, init, last, a, z, p, q, more


@program(case(t(5)), case(t(1)))
def unpacking_in_the_target(n):
    total = 0
    pairs = [(1, (2, 3)), (4, (5, 6))]
    for a, (b, *c) in pairs:
        if a < n:
            total += a * b + c[0]
    d = {}
    for d["k"] in range(n):
        total += d["k"]
    return total, d


@program(case(t(4)), case(t(0)))
def loop_with_a_function_as_state(n):
    def one(x):
        return x + 1

    def two(x):
        return x * 2

    f, x = one, t(1.0)
    for i in range(n):
        x = f(x)
        f = two if f is one else one
    return x, f is one, f(x)


@program(case(t(4)), case(t(0)))
def state_machine(n):
    state = "start"
    trail = 0
    for i in range(n):
        if state == "start":
            state = "middle"
        elif state == "middle":
            trail += 1
            state = "end" if trail > 1 else "start"
        else:
            break
    return state, trail


@program(case(t(4)), case(t(0)))
def two_names_for_one_object(n):
    a = Cell(0)
    b = a
    c = [a, b]
    for i in range(n):
        b.value += i
        c[0].hits += 1
    return a, b is a, c[1] is a, c


@program(case(t(4)), case(t(1)), case(t(0)))
def objects_swap_in_the_loop(n):
    a, b = Cell(t(1.0)), Cell(t(2.0))
    for i in range(n):
        a, b = b, a
        a.value = a.value + i
    return a, b


@program(case(t(4)), case(t(1)), case(t(0)))
def tensors_swap_in_the_loop(n):
    a, b = t(1.0), t(2.0)
    first = a
    for i in range(n):
        a, b = b, a + b
    return a, b, a is first


@program(case(t(3)), case(t(0)))
def cell_written_in_the_loop(n):
    x = ag.zeros((3,))
    y = x
    for i in range(n):
        x[i] = i + 1.0
        y[0] += 1.0
    return x, y is x


@program(case(t(3)), case(t(0)))
def for_else_with_continue(n):
    out = 0
    for i in range(n):
        if i % 2:
            continue
        if i > 4:
            break
        out += i
    else:
        out += 100
    return out


@program(case(t(5.0)), case(t(0.0)))
def loop_condition_with_walrus(x):
    total = 0.0
    while (y := x - 1) > 0:
        total = total + y
        x = y
    return total, x, y


@program(case(t(3)), case(t(0)))
def loop_in_a_loop_with_flags(n):
    done = False
    count = 0
    i = 0
    while not done:
        j = 0
        while True:
            j += 1
            count += 1
            if j > i:
                break
            if count > 10:
                done = True
                break
        i += 1
        if i >= n:
            done = True
    return count, i, j, done


@program(case(t(3)), case(t(0)))
def deque_state(n):
    q = deque([1, 2, 3], maxlen=3)
    for i in range(2):
        if i < n:
            q.appendleft(n)
        else:
            q.rotate(1)
    return list(q), q


@program(case(t(2.0)), case(t(0.1)))
def gradient_through_objects(x):
    with ag.GradientTape() as tape:
        tape.watch(x)
        c = Cell(x)
        p = Pair(x * 2, 0)
        while c.value < 10:
            c.value = c.value * 2 + 1
            p = Pair(p.a + c.value, p.b + 1)
        y = c.value * p.a
    return tape.gradient(y, x), p.b


@program(case(t(3)), case(t(1)), case(t(0)))
def loop_variable_survives(n):
    i = -1
    for i in range(n):
        pass
    j = None
    for j in ag.arange(n):
        j = j * 10
    return i, j


@program(case(t([[1.0, 2.0], [3.0, 4.0]])), case(t([[5.0, 6.0]])))
def rows_unpacked(m):
    total = 0.0
    for a, b in m:
        if a > 2:
            total += a * b
    for k, (a, b) in enumerate(m):
        total += k * a
    for row in m:
        for one in row:
            total += one
    return total


@program(case(t(4)), case(t(0)))
def big_python_loops_and_sums(n):
    total = 0
    for i in range(200):
        if i % 7 == n:
            continue
        if i > 150:
            break
        total += i * i
    return total, i


@program(case(t(3.0)), case(t(-3.0)))
def break_out_of_python_list_of_objects(x):
    cells = [Cell(1.0), Cell(2.0), Cell(4.0)]
    for c in cells:
        c.hits += 1
        if c.value > x:
            c.value = x
            break
    else:
        c = None
    return c, cells, [one.hits for one in cells]


@program(case(t(3)), case(t(0)))
def while_with_complex_condition(n):
    i, s = 0, 0.0
    while i < n and not (s > 3 or i == 7) or s < 0:
        s += i * 1.5
        i += 1
    return i, s


@program(case(t(5)), case(t(0)))
def list_comprehension_and_loop_names(n):
    i = "outer"
    squares = [i * i for i in range(n)]
    total = 0
    for s in squares:
        total += s
    return i, total, len(squares)


@program(case(t(5)), case(t(2)))
def delete_in_a_loop(n):
    for i in range(4):
        tmp = i * 2
        if i < n:
            del tmp
        else:
            last = tmp
    return last if n < 4 else "none"


@program(case(t(3)), case(t(0)))
def nonlocal_in_loops(n):
    count, log = 0, []

    def bump(k):
        nonlocal count
        count += k
        if count > 2:
            log.append(count)
        return count

    for i in range(n):
        for j in range(2):
            bump(i + j)
    return count, log
