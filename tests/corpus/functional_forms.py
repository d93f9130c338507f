"""cond, switch, while_loop, fori_loop, scan and map_fn: structures, effects, errors, gradients."""

from __future__ import annotations

import autograph as ag
from tests.corpus.registry import case, program, stateful

t = ag.asarray


@stateful(case(t(2.0)), case(t(-2.0)), compiled=True)
def cond_with_effects():
    v, log = ag.Variable(1.0), []

    def run(x):
        y = ag.cond(x > 0, lambda: v.assign_add(x), lambda: v.assign(v * 2))
        ag.cond(x > 0, lambda: log.append(x), lambda: None)
        return y + v

    return run, (v, log)


@program(case(t(2.0)), case(t(-2.0)))
def cond_of_nests(x):
    return ag.cond(
        x > 0, lambda a, b: (a, {"k": [b, None]}), lambda a, b: (b, {"k": [a, 1]}), (x, x * 2)
    )


@program(case(t(2.0)), case(t(-2.0)))
def cond_of_other_dtypes(x):
    y = ag.cond(x > 0, lambda: x, lambda: ag.astype(x, ag.int32))
    return y, y + 1


@program(case(t(2.0)), case(True), case(0))
def cond_of_python_values(x):
    return ag.cond(x, lambda: "yes", lambda: "no")


@program(case(t([2.0, 1.0])))
def cond_of_several(x):
    return ag.cond(x > 0, lambda: x, lambda: -x)


@program(
    case(t(0), t(3.0)), case(t(2), t(3.0)), case(t(7), t(3.0)), case(t(-1), t(3.0)), case(1, 2)
)
def switch_by_index(i, x):
    return ag.switch(i, [lambda x: x, lambda x: (x, x), lambda x: x * 3], (x,))


@program(case(t(3.0)), case(t(300.0)), compiled=True)
def while_loop_of_a_list(x):
    return ag.while_loop(lambda x, n: (x < 100) & (n < 9), lambda x, n: [x * 2, n + 1], [x, 0])


@program(case(t(3.0), 3), case(t(3.0), t(2)), case(t(3.0), 0))
def while_loop_at_most(x, limit):
    return ag.while_loop(lambda x: x < 100, lambda x: x * 2, (x,), maximum_iterations=limit)


@program(case(t(3.0)))
def while_loop_of_a_nest(x):
    state = {"x": x + 0, "pair": (x + 1, x * 2)}
    (state,) = ag.while_loop(
        lambda s: ag.sum(s["x"]) < 100.0,
        lambda s: ({"x": s["x"] + s["pair"][1], "pair": s["pair"][::-1]},),
        (state,),
        maximum_iterations=9,
    )
    return state


@program(case(t(3.0)))
def while_loop_with_too_few(x):
    return ag.while_loop(lambda x, n: x < 100, lambda x, n: x * 2, (x, 0))


@program(case(t(3.0)))
def while_loop_that_nests_otherwise(x):
    return ag.while_loop(lambda x: x < 100, lambda x: ((x, x),), (x,))


@program(case(t(3.0), t(5)), case(t(3.0), 0), case(t(3.0), 4), compiled=True)
def fori_loop_of_numbers(x, n):
    return ag.fori_loop(1, n, lambda i, v: v * x + i, x)


@program(case(t(3.0), t(2)))
def fori_loop_of_a_dict(x, start):
    return ag.fori_loop(start, 5, lambda i, v: {"a": v["b"] * i, "b": v["a"] + x}, {"a": x, "b": x})


@program(case(t([1.0, 2.0, 3.0])), case(t([[1.0], [2.0]])), case(t([5.0])), compiled=True)
def scan_of_a_tensor(xs):
    return ag.scan(lambda c, x: (c + x, c * x), ag.zeros_like(xs[0]), xs)


@program(case(t([1.0, 2.0, 3.0])))
def scan_from_the_end(xs):
    return ag.scan(lambda c, x: (c + x, c * x), t(0.0), xs, reverse=True)


@program(case(t([1.0, 2.0, 3.0])))
def scan_of_nests(xs):
    def step(carry, x):
        total = carry["sum"] + x["a"]
        return {"sum": total, "count": carry["count"] + 1}, (total, {"p": x["b"] * 2})

    rows = ag.expand_dims(xs, axis=1) * ag.ones((1, 2))
    return ag.scan(step, {"sum": t(0.0), "count": t(0)}, {"a": xs, "b": rows})


@program(case(t(1.0), 4), case(t(1.0), t(3)), case(t(1.0), 0))
def scan_of_a_length(x, n):
    return ag.scan(lambda c, _: (c * 2, c), x, length=n)


@program(case(t(1.0), t(3)))
def scan_without_results(x, n):
    return ag.scan(lambda c, _: (c * 2 + 1, None), x, length=n)


@program(case(t([1.0, 2.0]), t([1.0])), case(t([1.0, 2.0]), t(1.0)))
def scan_of_lengths_that_differ(x, y):
    return ag.scan(lambda c, x: (c + x[0], c), t(0.0), (x, y))


@program(case(t([[1.0, 2.0], [-1.0, -3.0]])), compiled=True)
def map_with_a_condition(x):
    return ag.map_fn(lambda r: ag.sum(r) if r[0] > 0 else -ag.sum(r), x)


@program(case(t([[1.0, 2.0], [-1.0, -3.0]])))
def map_to_a_nest(x):
    return ag.map_fn(lambda r: (ag.sum(r["x"]), [r["x"] * 2, r["x"] > 0]), {"x": x})


@program(case(ag.zeros((0, 2))))
def map_over_nothing(x):
    return ag.map_fn(lambda r: r * 2, x)


@program(case(t(0.5), t([1.0, 2.0, 3.0])), case(t(0.5), t([1.0])), compiled=True)
def gradients_through_all_of_them(x, xs):
    with ag.GradientTape() as tape:
        tape.watch(x)
        tape.watch(xs)
        carry, ys = ag.scan(lambda c, r: (ag.tanh(c * x + r), c * r), x * 0, xs)
        loss = carry + ag.sum(ys * ys) + ag.fori_loop(0, 3, lambda i, v: v * x, x)
        loss = loss + ag.sum(ag.map_fn(lambda r: r * r * x, xs))
        (y,) = ag.while_loop(lambda y: y < 20, lambda y: y * (1 + x), (ag.exp(x),), 9)
        loss = loss + ag.cond(y > 0, lambda: y * x, lambda: x)
        loss = loss + ag.switch(ag.astype(x * 3, ag.int64), [lambda: x, lambda: x * x * x])
    return tape.gradient(loss, [x, xs])


@program(case(t([1.0, 2.0, 3.0])))
def second_derivatives_through_a_scan(xs):
    return ag.grad(ag.grad(lambda w: ag.scan(lambda c, x: (c * w + x, c), w, xs)[0]))(t(2.0))


@stateful(case(t([1.0, 2.0, 3.0])))
def scan_that_changes_a_variable():
    total = ag.Variable(0.0)

    def run(xs):
        def step(carry, x):
            total.assign_add(x)
            return carry + total, total * 1

        return ag.scan(step, t(0.0), xs)

    return run, total
