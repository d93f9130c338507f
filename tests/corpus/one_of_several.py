"""Loops over a list or dict that is one of several."""

from __future__ import annotations

import autograph as ag
from tests.corpus.registry import case, program

t = ag.asarray

SIGNS = [case(t(2.0)), case(t(-2.0))]
COUNTS = [case(t(5)), case(t(0)), case(t(12))]


@program(*SIGNS)
def zip_params_in_loop(x):
    params = [t(1.0), t(2.0), t(3.0)]
    grads = [x, x * 2, x * 3]
    i = t(0)
    while i < 5:
        params = [p - 0.1 * g for p, g in zip(params, grads)]
        if params[0] > 2.0:
            break
        i = i + 1
    return params, i


@program(*SIGNS, slow=True)
def enumerate_chosen(x):
    xs = [x, x + 1]
    if x > 0:
        xs = [x * 2, x * 3]
    total = 0.0
    for i, v in enumerate(xs):
        total = total + i * v
    for a, b in zip(xs, [1, 2]):
        total += a * b
    return total, list(map(lambda v: v * 2, xs))


@program(*SIGNS)
def chosen_zip_unequal(x):
    xs = [x, x + 1]
    ys = [x, x, x]
    if x > 0:
        xs = [x * 2]
    out = []
    for a, b in zip(xs, ys):
        out.append(a + b)
    return out


@program(*COUNTS)
def train_list_of_params(n):
    ws = [t([1.0, 2.0]), t([3.0])]
    ms = [ag.zeros_like(w) for w in ws]
    step = 0
    while step < n:
        with ag.GradientTape() as tape:
            for w in ws:
                tape.watch(w)
            loss = sum((w * w).sum() for w in ws)
        grads = tape.gradient(loss, ws)
        for k, (m, g) in enumerate(zip(ms, grads)):
            ms[k] = 0.9 * m + g
        ws = [w - 0.01 * m for w, m in zip(ws, ms)]
        step += 1
    return ws, loss if n > 0 else None


@program(*COUNTS)
def dict_params(n):
    p = {"w": t(1.0), "b": t(0.5)}
    i = 0
    while i < n:
        p = {k: v * 0.9 for k, v in p.items()}
        i += 1
    return p, sum(p.values()), [k for k in p]


@program(*COUNTS)
def map_in_loop(n):
    state = (t(1.0), t(2.0))
    for i in range(n):
        state = tuple(map(lambda s: s * 0.5 + 1, state))
    return state


@program(*COUNTS)
def fancy_zip_star(n):
    pairs = [(i, n + i) for i in range(3)]
    if n > 4:
        pairs = [(b, a) for a, b in pairs]
    xs, ys = zip(*pairs)
    return xs, ys, sum(xs) - sum(ys)


class Counter2:
    total = 0

    def __init__(self):
        self.n = 0

    def __call__(self, x):
        self.n += 1
        type(self).total += 1
        return x + self.n

    def __enter__(self):
        self.n += 10
        return self

    def __exit__(self, *a):
        self.n -= 10
        return True


@program(*SIGNS)
def changed_apart(x):
    xs, ys = [x, x + 1, x + 2], [x * 2, x * 3, x * 4]
    zs = xs if x > 0 else ys
    seen = []
    for z in zs:
        seen.append(z)
        if len(seen) == 1:
            xs.append(t(9.0))
    return seen, xs, ys


@program(*SIGNS)
def changed_in_step(x):
    zs = [x, x + 1] if x > 0 else [x * 2, x * 3]
    seen = []
    for k, z in enumerate(zs):
        seen.append(z)
        if k < 3:
            zs.append(z + 10)
    return seen, zs


@program(*SIGNS)
def left_early(x):
    zs = [x, x + 1, x + 2] if x > 0 else [x * 2, x * 3, x * 4]
    for k, z in enumerate(zs):
        if z * z > 10:
            break
    else:
        k = -1
    for z in zs:
        if z > 3:
            return "found", z, k
    return "none", None, k


@program(*SIGNS)
def views_of_one_of_several(x):
    d = {"a": x, "b": x + 1} if x > 0 else {"a": x * 2, "b": x * 3}
    pairs = [(key, value * 2) for key, value in d.items()]
    total = sum(v for v in d.values())
    for key in d:
        total = total + d[key]
    names = [name for name, _ in zip(d, [1, 2])]
    return pairs, total, names, max(d.values()), list(map(lambda v: -v, d.values()))


@program(*SIGNS, refused="StateError")
def dict_grows_while_gone_over(x):
    d = {"a": x, "b": x + 1} if x > 0 else {"a": x * 2, "b": x * 3}
    try:
        for key in d:
            if d[key] > 2:
                d[key + "!"] = x
    except RuntimeError as error:
        return str(error), len(d)
    return "whole", len(d)


@program(*SIGNS)
def views_of_other_sizes(x):
    d = {"a": x, "b": x + 1} if x > 0 else {"c": x * 2}
    total = sum(v for v in d.values())
    for key, value in d.items():
        total = total + value * len(key)
    return total, sorted(d)


@program(*COUNTS, compiled=True)
def moments_of_parameters(n):
    weights = [t([1.0, 2.0]), t(3.0)]
    first = [ag.zeros_like(w) for w in weights]
    second = [ag.zeros_like(w) for w in weights]
    for step in range(n):
        gradients = [2 * w for w in weights]
        first = [0.9 * m + 0.1 * g for m, g in zip(first, gradients)]
        second = [0.99 * v + 0.01 * g * g for v, g in zip(second, gradients)]
        weights = [w - 0.1 * m / (ag.sqrt(v) + 1e-3) for w, m, v in zip(weights, first, second)]
    return weights, first


def sum_of(*args, **named):
    """What the stars give."""
    return sum(args) + sum(named.values()), len(args), sorted(named)


@program(*SIGNS)
def stars_of_one_of_several(x):
    xs = [x] if x > 0 else [x, x * 2]
    return sum_of(*xs), sum_of(1, *xs, 2), [*xs, 0], (*xs, x), [0, *xs, *xs], max(*xs, 1.0)


@program(*SIGNS)
def stars_of_a_changed_list(x):
    xs = [x]
    if x > 0:
        xs.append(1.0)
    print(*xs, sep=", ")
    return sum_of(*xs), [*xs, 0.0], (*xs, 3), sum_of(*xs, k=2)


@program(*SIGNS)
def pairs_of_one_of_several(x):
    named = {"a": x} if x > 0 else {"a": x, "b": 1.0}
    return (
        sum_of(**named),
        sum_of(1, z=2, **named),
        {**named, "a": 0, "z": 0},
        {"z": 1, "b": 2, **named, "z" + "": 3},
        dict(**named),
    )


@program(*SIGNS)
def pairs_of_a_changed_dict(x):
    named = {"a": x}
    if x > 0:
        named["b"] = 2.0
    return sum_of(**named), {**named}, {"b": 0, **named, "c": 1}, dict(named, c=1), named | {"c": 2}


@program(*SIGNS)
def pairs_given_twice(x):
    named = {"a": x} if x > 0 else {"b": x}
    try:
        return sum_of(a=1.0, **named)
    except TypeError as error:
        return str(error)


@program(case(t([3.0, -1.0, 2.0])), case(t([-1.0, -2.0, -3.0])))
def stars_of_a_grown_list(xs):
    kept = []
    for x in xs:
        if x > 0:
            kept.append(x)
    pair = (*kept, 1.0)
    return [*kept, 0.0], sum(pair), len([1.0, *kept, *kept])


def _sum_of_positive(xs):
    kept = []
    for x in xs:
        if x > 0:
            kept.append(x)
    return sum_of(*kept)


@program(case(t([3.0, -1.0] * 9)), refused="ShapeError", naming=("pass the list itself",))
def arguments_of_a_grown_list(xs):
    return _sum_of_positive(xs)


@program(case(t([3.0, -1.0, 2.0])), case(t([3.0, -1.0])))
def arguments_of_a_list_that_few_turns_grow(xs):
    return _sum_of_positive(xs)


@program(*SIGNS)
def generators_over_one_of_several(x):
    xs = [x] if x > 0 else [x, x]
    doubled = sum(v * 2 for v in xs if v > -5)
    return doubled, any(v > 0 for v in xs), all(v > 0 for v in xs), [v for v in xs], len(xs)


@program(*SIGNS)
def given_a_changed_container(x):
    names, numbers, counts = {"a"}, [1], {"a": 1}
    if x > 0:
        names.add("b")
        numbers.append(2)
        counts["b"] = 3
    found = {"c"} | names
    found.update(numbers)
    table = {"c": 1}
    table.update(counts)
    return (
        sorted(found, key=str),
        sorted({"c", "b"}.union(names, numbers), key=str),
        sorted({"a", "b"}.difference(names)),
        {"a"}.issubset(names),
        {"b"}.isdisjoint(names),
        table,
    )
