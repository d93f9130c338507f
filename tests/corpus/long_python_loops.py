"""Loops over many Python values that are left under staged conditions."""

from __future__ import annotations

import itertools

import numpy as np

import autograph as ag
from tests.corpus.registry import case, program

t = ag.asarray
N = (case(t(70)), case(t(5000)), case(t(-1)))


@program(*N)
def left_list(n):
    xs = [i * i for i in range(110)]
    for x in xs:
        if x > n:
            return x
    return None


@program(*N)
def left_enum(n):
    for i, x in enumerate(range(0, 600, 3)):
        if x > n:
            break
    else:
        return "none"
    return i, x


@program(*N)
def left_rev2(n):
    for x in reversed(range(200)):
        if x < n:
            return x


@program(*N)
def left_zip(n):
    tot = 0
    for x, y in zip(range(100), range(100, 300)):
        if x * y > n:
            break
        tot += x
    return tot, x, y


@program(*N, refused="StateError")
def left_map(n):
    for x in map(lambda v: v * v, range(100)):
        if x > n:
            return x


@program(*N)
def left_str(n):
    for i, ch in enumerate("abc" * 50):
        if i > n:
            return ch
    return "?"


@program(*N)
def left_prod(n):
    for a, b in itertools.product(range(12), range(12)):
        if a * b > n:
            return a, b


@program(*N)
def left_tensors(n):
    xs = [t(float(i)) for i in range(80)]
    for k, x in enumerate(xs):
        if x > n:
            return x, k


@program(*N)
def left_gen(n):
    for x in (v * 2 for v in range(150)):
        if x > n:
            return x


@program(*N)
def left_tuple(n):
    xs = tuple(range(120))
    for x in xs:
        if x > n:
            return x
    return xs[0]


@program(*N)
def left_dict(n):
    d = {f"k{i}": i for i in range(90)}
    for k, v in d.items():
        if v > n:
            return k
    return "no"


@program(*N)
def left_dict2(n):
    d = {i: i * i for i in range(90)}
    for k in d:
        if d[k] > n:
            return k
    return "no"


@program(*N)
def left_append(n):
    xs = list(range(40))
    for x in xs:
        if x > n:
            break
        if x == 30:
            xs.append(1000)
    return len(xs), x


@program(*N)
def left_objects(n):
    class P:
        def __init__(s, v):
            s.v = v

    ps = [P(i) for i in range(40)]
    for p in ps:
        if p.v > n:
            return p.v
    return -1


@program(*N)
def left_objects_change(n):
    class P:
        def __init__(s, v):
            s.v = v

    ps = [P(i) for i in range(40)]
    for p in ps:
        if p.v > n:
            break
        p.v += n
    return [p.v for p in ps]


@program(*N)
def left_any(n):
    return any(v * v > n for v in [i for i in range(40)]), next(
        (v for v in list(range(40)) if v > n), None
    )


@program(*N)
def left_strings(n):
    words = [f"word{i}" for i in range(100)]
    out = 0
    for w in words:
        if len(w) + out > n:
            break
        out += len(w)
    return out, w


@program(*N)
def left_while_pop(n):
    xs = list(range(100))
    while xs:
        v = xs.pop()
        if v < n:
            return v, len(xs)
    return None


TABLE = np.array([[3.0, -1.0, 2.0], [0.5, 4.0, -2.0], [1.0, 1.0, 7.0], [-3.0, 2.0, 0.0]])


@program(case(TABLE), case(TABLE[::-1] * 2), case(TABLE[:, ::-1]))
def medians_of_windows(data):
    out = []
    for i in range(len(data)):
        for j in range(len(data[0])):
            window = [0, 0]
            for k in range(3):
                window.append(data[i - k, j - k])
            window.sort()
            out.append(window[2])
    return out, len(out), out[-1]


@program(
    case(np.random.default_rng(7), np.ones(8, np.int64)),
    case(np.random.default_rng(8), np.arange(8) % 2),
    vary=False,
)
def generations(rng, target):
    people = [rng.integers(0, 2, len(target)) for _ in range(8)]

    def fitness(one):
        return int((one == target).sum())

    for _ in range(6):
        people.sort(key=fitness, reverse=True)
        kids = people[:2]
        while len(kids) < 8:
            a, b = (max((people[i] for i in rng.integers(0, 8, 2)), key=fitness) for _ in "ab")
            kids.append(np.concatenate([a[:3], b[3:]]))
        people = kids
    return max(people, key=fitness)
