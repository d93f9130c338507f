"""Gradients through lists, beside slopes that are infinite where an item was not used."""

from __future__ import annotations

import autograph as ag
from tests.corpus.registry import case, program

t = ag.asarray
EDGES = (
    case(t([0.0, 2.0, 3.0], dtype=ag.float64), t(3)),
    case(t([0.5, 2.0, 3.0], dtype=ag.float64), t(3)),
    case(t([0.0, 2.0, 0.0], dtype=ag.float64), t(3)),
)


def gradient(f, x, n):
    with ag.GradientTape() as tape:
        tape.watch(x)
        y = f(x, n)
    return tape.gradient(y, x, unconnected_gradients="zero")


def second(f, x, n):
    with ag.GradientTape() as outer:
        outer.watch(x)
        first = gradient(f, x, n)
        total = ag.sum(first * first)
    return first, outer.gradient(total, x, unconnected_gradients="zero")


@program(*EDGES, compiled=True)
def pushed(x, n):
    def f(x, n):
        out = []
        for i in range(n):
            out.append(ag.sqrt(x[i]))
        return out[1]

    return second(f, x, n)


@program(*EDGES)
def products_in_items(x, n):
    def f(x, n):
        out = []
        for i in range(n):
            out.append(x[i] * ag.log(x[i]))
        return out[1]

    return second(f, x, n)


@program(*EDGES)
def elements_of_items(x, n):
    def f(x, n):
        out = []
        for i in range(n):
            out.append(ag.sqrt(x) * i)
        return out[1][1] + out[2][2]

    return second(f, x, n)


@program(*EDGES)
def products_of_matrices(x, n):
    def f(x, n):
        out = []
        for i in range(n):
            out.append(ag.matmul(ag.log(x[i] * ag.ones((2, 2))), ag.ones((2,))))
        return ag.sum(out[1]) + ag.sum(out[-1])

    return second(f, x, n)


@program(*EDGES)
def replaced_item(x, n):
    def f(x, n):
        out = []
        for i in range(n):
            out.append(ag.sqrt(x[i]))
        out[int(n) - 3] = x[1] * x[1]
        return ag.sum(ag.stack(out))

    return second(f, x, n)


@program(*EDGES, compiled=True)
def item_of_a_stack(x, n):
    def f(x, n):
        out = []
        for i in range(n):
            out.append(ag.sqrt(x[i]))
        return ag.stack(out)[1]

    return second(f, x, n)


@program(*EDGES)
def popped_item(x, n):
    def f(x, n):
        out = []
        for i in range(n):
            out.append(ag.sqrt(x[int(n) - 1 - i]))
        out.pop()
        return sum(out)

    return second(f, x, n)


@program(*EDGES)
def slice_of_items(x, n):
    def f(x, n):
        out = []
        for i in range(n):
            out.append(ag.sqrt(x[i]))
        return sum(out[1:])

    return second(f, x, n)


@program(*EDGES)
def read_in_a_branch(x, n):
    def f(x, n):
        out = []
        for i in range(n):
            out.append(ag.sqrt(x[i]))
        if n > 2:
            y = out[1]
        else:
            y = out[2] + out[1]
        return y * y

    return second(f, x, n)


@program(*EDGES)
def read_under_a_condition(x, n):
    def f(x, n):
        out = []
        for i in range(n):
            out.append(ag.sqrt(x[i]))
        s = x[1] * 0
        for i in range(n):
            if i > 0:
                s = s + out[i] * out[i]
        return s

    return second(f, x, n)


@program(*EDGES)
def read_from_the_second_on(x, n):
    def f(x, n):
        out = []
        for i in range(n):
            out.append(ag.sqrt(x[i]))
        s = x[1] * 0
        k = 1
        while k < n:
            s = s + out[k] * out[k]
            k += 1
        return s

    return second(f, x, n)


@program(*EDGES)
def pushed_under_a_condition(x, n):
    def f(x, n):
        out = []
        for i in range(n):
            if x[i] > 0:
                out.append(ag.log(x[i]))
            else:
                out.append(ag.sqrt(x[i]))
        return out[1] * out[2]

    return second(f, x, n)


@program(*EDGES)
def roots_of_a_list_of_roots(x, n):
    def f(x, n):
        a = []
        b = []
        for i in range(n):
            a.append(ag.sqrt(x[i]))
        for i in range(n):
            b.append(ag.sqrt(a[i]))
        return b[1] + b[2]

    return second(f, x, n)


@program(*EDGES, compiled=True)
def replaced_in_a_loop(x, n):
    def f(x, n):
        a = [x[0] for _ in range(n)]
        for i in range(n):
            a[i] = ag.sqrt(x[i])
        for i in range(n):
            if i == 0:
                a[i] = x[1] * 2
        return sum(a)

    return second(f, x, n)


@program(*EDGES)
def all_taken(x, n):
    def f(x, n):
        out = []
        for i in range(n):
            out.append(ag.sqrt(x[i]) ** 2)
        return sum(out)

    return second(f, x, n)


@program(*EDGES)
def also_carried(x, n):
    def f(x, n):
        out = []
        h = x[2] * 1
        for i in range(n):
            h = ag.sqrt(x[i]) + h * 0.5
            out.append(h)
        return out[2]

    return second(f, x, n)


@program(*EDGES)
def pushed_in_a_recursion(x, n):
    def f(x, n):
        out = []

        def go(i):
            if i < n:
                out.append(ag.sqrt(x[i % 3]))
                go(i + 1)

        go(t(0))
        return out[1]

    return second(f, x, n)


@program(*EDGES, compiled=True)
def joined_in_a_recursion(x, n):
    def f(x, n):
        def go(i, out):
            if i < n:
                return go(i + 1, out + [ag.sqrt(x[i % 3])])
            return out

        return go(t(0), [])[1]

    return second(f, x, n)


@program(*EDGES)
def unused_argument(x, n):
    def f(x, n):
        def go(i, a):
            if i < n:
                return go(i + 1, ag.sqrt(x[i % 3]))
            return x[1]

        return go(t(0), x[0])

    return second(f, x, n)


@program(*EDGES)
def results_of_a_recursion(x, n):
    def f(x, n):
        def go(i, a):
            if i < n:
                return go(i + 1, a + x[i % 3])
            return a * ag.log(a)

        r = [go(t(0), x[0]), go(t(2), x[0] * 0), go(t(1), x[0])]
        q = []
        for k in range(n):
            q.append(r[k] + 0)
        return q[0]

    return second(f, x, n)


@program(*EDGES)
def items_of_other_sizes(x, n):
    def f(x, n):
        out = []
        for i in range(n):
            out.append(ag.sqrt(x[i:]))
        return ag.sum(out[1]) + ag.sum(out[2])

    return second(f, x, n)


@program(*EDGES)
def put_in_front(x, n):
    def f(x, n):
        out = []
        for i in range(n):
            out.insert(0, ag.sqrt(x[i]))
        out.reverse()
        return out[1]

    return second(f, x, n)


@program(*EDGES)
def values_of_a_dict(x, n):
    def f(x, n):
        d = {}
        for i in range(n):
            d[i] = ag.sqrt(x[i])
        return d[1]

    return second(f, x, n)


@program(*EDGES)
def pairs_of_items(x, n):
    def f(x, n):
        out = []
        for i in range(n):
            out.append((ag.sqrt(x[i]), ag.log(x[i])))
        a, b = out[1]
        return a * b

    return second(f, x, n)


@program(*EDGES)
def gradient_of_the_users(x, n):
    def f(x, n):
        @ag.custom_gradient
        def s(v):
            r = ag.sqrt(v)
            return r, lambda g: g / (2 * r)

        out = []
        for i in range(n):
            out.append(s(x[i]))
        return out[1]

    return second(f, x, n)


@program(*EDGES)
def computed_again(x, n):
    def f(x, n):
        f = ag.recompute(lambda v: ag.sqrt(v) * v)
        out = []
        for i in range(n):
            out.append(f(x[i]))
        return out[1]

    return second(f, x, n)


@program(*EDGES)
def cumulative_products(x, n):
    def f(x, n):
        out = []
        for i in range(n):
            out.append(ag.cumulative_prod(ag.log(x[i] * ag.ones((3,)))))
        return ag.sum(out[1])

    return gradient(f, x, n)


def grown_by_recursion(join):
    def function(x, n):
        def go(k):
            if k == 0:
                return x
            r = x
            for j in range(k):
                v = go(j) * x
                if j == 0:
                    r = v
                else:
                    r = join(r, v)
            return r

        return ag.sum(go(int(n)))

    return function


HALVES = ag.asarray([0.5, -0.3], dtype=ag.float64)
DEPTHS = tuple(case(HALVES, ag.asarray(n)) for n in (3, 0, 2))


@program(*DEPTHS, compiled=True, exact=False, ulps=64)
def what_a_recursion_joined_to_its_first_value(x, n):
    return ag.value_and_grad(grown_by_recursion(ag.hypot))(x, n)


@program(*DEPTHS, compiled=True, exact=False, ulps=64)
def what_a_recursion_kept_as_its_first_value(x, n):
    def function(x, n):
        def go(k):
            if k == 0:
                return x
            r = None
            for j in range(k):
                v = go(j) * x
                r = v if r is None else ag.logaddexp(r, v)
            return r

        return ag.sum(go(int(n)))

    return ag.value_and_grad(function)(x, n)
