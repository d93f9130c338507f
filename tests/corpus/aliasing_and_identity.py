"""Which object is which: results that are arguments, results that are one, kept results."""

from __future__ import annotations

import numpy as np

import autograph as ag
from tests.corpus.registry import case, program, stateful

t = ag.asarray

VECTOR = t([1.0, 2.0])


@program(case(t([1.0, 2.0])))
def the_argument_is_the_result(x):
    return x


@program(case(t([1.0, 2.0])))
def the_argument_twice(x):
    return x, x


@program(case(t([1.0, 2.0])))
def a_new_value_twice(x):
    y = x * 2
    return y, y, [y], {"y": y}


@program(case(t([1.0, 2.0])))
def equal_values_are_two_objects(x):
    return x * 2, x * 2, x + 0


@program(case(t([1.0, 2.0]), t(1)), case(t([1.0, 2.0]), t(-1)))
def argument_or_new(x, c):
    y = x
    if c > 0:
        y = x * 2
    return y


@program(case(t([1.0]), t([2.0]), t(1)), case(t([1.0]), t([2.0]), t(-1)))
def one_argument_or_the_other(x, y, c):
    if c > 0:
        return x
    return y


@program(case(t([1.0]), t([2.0]), t(1)), case(t([1.0]), t([2.0]), t(-1)))
def chosen_argument_twice(x, y, c):
    z = x if c > 0 else y
    return z, z, z is x, z is y


@program(case(VECTOR, VECTOR), case(t([1.0, 2.0]), t([1.0, 2.0])))
def same_or_equal_arguments(x, y):
    if x is y:
        return x * 100
    return x + y


@program(case(VECTOR, [VECTOR]), case(VECTOR, [t([1.0, 2.0])]))
def same_object_inside_an_argument(x, xs):
    xs[0][0] = 50
    return x, xs


@program(case([t(1.0), t(2.0)]))
def argument_list_is_returned(xs):
    xs.append(t(3.0))
    return xs


@program(case([t(1.0), t(2.0)], t(1)), case([t(1.0), t(2.0)], t(-1)))
def argument_list_or_a_new_one(xs, c):
    if c > 0:
        ys = xs
    else:
        ys = list(xs)
    ys.append(t(3.0))
    return ys, len(xs)


@program(case({"a": t(1.0)}))
def argument_dictionary_is_returned(d):
    d["b"] = d["a"]
    return d, d["b"] is d["a"]


@program(case((t(1.0), (t(2.0), [t(3.0)]))))
def nested_containers(tree):
    a, (b, c) = tree
    c.append(a)
    return {"tree": tree, "c": c, "sum": a + b}


@stateful(case(t([1.0, 2.0])))
def result_is_kept_in_the_state():
    kept = []

    def run(x):
        y = x * 2
        kept.append(y)
        return y

    return run, kept


@stateful(case(t([1.0, 2.0])))
def captured_tensor_is_the_result():
    weight = t([5.0, 6.0])

    def run(x):
        return weight, x + weight

    return run, weight


@stateful(case(t([1.0, 2.0]), t(1)), case(t([1.0, 2.0]), t(-1)))
def captured_list_is_the_result():
    log = []

    def run(x, c):
        if c > 0:
            log.append(x)
        return log

    return run, log


@stateful(case(t([1.0, 2.0])))
def previous_result_is_an_object_of_the_state():
    class Box:
        last = t([0.0, 0.0])

    box = Box()
    box.last = t([0.0, 0.0])

    def run(x):
        previous = box.last
        box.last = previous + x
        return previous

    return run, box


@program(case(t([1.0, 2.0]), t(3)), case(t([1.0, 2.0]), t(0)))
def loop_result_may_be_the_argument(x, n):
    y = x
    for _ in range(n):
        y = y * 2
    return y


@program(case(t([1.0, 2.0]), t(3)), case(t([1.0, 2.0]), t(0)))
def loop_leaves_an_object_alone(x, n):
    s = 0
    for i in range(n):
        s += i
    return x, s


@program(case(t([1.0, 2.0]), t(3)), case(t([1.0, 2.0]), t(0)))
def two_names_of_one_loop_value(x, n):
    y = x * 1
    z = y
    for _ in range(n):
        y = y + 1
        z = y
    z[0] = 100
    return y, z, y is z


@program(case(t([1.0, 2.0]), t(1)), case(t([1.0, 2.0]), t(-1)))
def aliases_made_in_a_branch(x, c):
    y = x * 2
    z = x * 3
    if c > 0:
        z = y
    z[0] = 50
    return y, z, y is z


@program(case(np.array([1.0, 2.0])), case(np.array([[1, 2]])))
def array_argument_is_the_result(a):
    return a


@program(case(np.array([1.0, 2.0]), t(1.0)), case(np.array([1.0, 2.0]), t(-1.0)))
def array_or_tensor(a, c):
    if c > 0:
        return a
    return a + c


@program(case("text", 3, None, 2.5, True))
def python_values_pass_through(s, n, nothing, f, b):
    return s, n, nothing, f, b, ag.float32, (), Ellipsis


@program(case(t([1.0, 2.0])))
def function_as_a_result(x):
    def scale(k):
        return x * k

    return scale(2), ag.sqrt


@stateful(case(t(1.0)))
def object_of_the_state_is_the_result():
    class Box:
        def __init__(self):
            self.n = 0

    box = Box()

    def run(x):
        box.n += 1
        box.x = x
        return box

    return run, box


@program(case(t([1.0, 2.0])))
def write_after_aliasing_through_helpers(x):
    def first(pair):
        return pair[0]

    pair = (x, x + 1)
    y = first(pair)
    y[0] = 70
    return x, pair, y is x


@program(case([[t(1.0)], [t(2.0)]], t(1)), case([[t(1.0)], [t(2.0)]], t(0)))
def element_chosen_by_a_tensor(xs, i):
    row = xs[i]
    row.append(t(9.0))
    return xs, row is xs[0]


@program(case(t(2.0)), case(t(-2.0)))
def default_argument_identity(x):
    def pick(v, other=None):
        return v if other is None else other

    return pick(x) is x, pick(x, x + 1) is x


@stateful(case(t(1.0)))
def container_inside_itself():
    loop = []
    loop.append(loop)
    loop.append(t(1.0))

    def run(x):
        loop[1] = loop[1] + x
        return loop[0][1]

    return run, loop


@program(case(t(1.0), t(2)), case(t(1.0), t(0)))
def object_kept_beside_a_loop_that_may_not_turn(x, n):
    y = x * 2
    z = y
    for _ in range(n):
        z = z / 4
    return y, z, y is z


@program(case(t([1.0, 2.0]), t(1)), case(t([1.0, 2.0]), t(0)), case(t([1.0, 2.0]), t(3)))
def object_that_moves_through_loop_state(v, n):
    for row in v:
        x = row + 1
    kept = x
    y = x * 1
    for _ in range(n):
        y, x = x, ag.minimum(y, y)
    y[...] = 50
    return x, y, kept


@program(case(t(1.0)), case(t(2.0)), case(t(-1.0)), case(t(0.5)))
def swapped_in_two_steps_and_assigned(x):
    a, b = ag.ones((2,)), ag.zeros((2,))
    if x > 0:
        a, b = b, a
    if x > 1:
        a, b = b, a
    a[0] = 2.0
    c = a if x > 0.7 else b
    c[1] = 7.0
    return a, b, c, a is c


@program(case(t(1.0)), case(t(2.0)), case(t(-1.0)), case(t(4.0)))
def swapped_in_a_loop_and_assigned(x):
    a, b, c = ag.ones((2,)), ag.zeros((2,)), ag.full((2,), 5.0)
    for k in range(3):
        if x > k:
            a, b = b, a
        if x > 2 * k:
            b, c = c, b
        a[0] = a[0] + 1.0
    b[1] = 9.0
    return a, b, c


@program(case({"a": 1, "b": 2}), case({"b": 1}))
def sets_made_of_views_are_new(d):
    common = d.keys() & {"a", "b"}
    other = d.keys() | {"z"}
    common.add("more")
    return common, other, d.items() - {("b", 1)}


def _one_twice():
    first, second = t(-0.5), t(1.0)
    return [first, second, second]


@program(case([t(-0.5), t(-0.5), t(1.0)]), case(_one_twice()), case([t(2.0), t(-0.5), t(1.0)]))
def one_of_several_beside_what_may_be_one(xs):
    kept = xs[1]
    if xs[2] > xs[0]:
        xs[1] = xs[2]
    seen = kept is xs[1], kept is xs[2]
    if seen[0]:
        xs[0] = xs[0] + 1
    return seen, [one is kept for one in xs]


_VECTORS = case(t([1.0, 2.0]), t([3.0, 4.0]))


def _twice():
    vector = t([1.0, 2.0])
    return case(vector, vector)


@program(_VECTORS, _twice(), _VECTORS, _twice(), compiled=True)
def gradient_beside_what_may_be_the_source(x, y):
    with ag.GradientTape() as tape:
        tape.watch(y)
        loss = ag.sum(x * y)
    return tape.gradient(loss, y), ag.grad(lambda a: ag.sum(a * y))(x)


@program(case([t([1.0, 2.0]), t([3.0, 4.0])]), case([_one_twice()[1]] * 2), case(_one_twice()[1:]))
def gradient_in_a_list_that_may_hold_one_twice(xs):
    with ag.GradientTape() as tape:
        tape.watch(xs)
        loss = ag.sum(xs[0] * xs[1] * xs[1])
    return tape.gradient(loss, xs)


def _tie(world):
    world.state[1] = world.state[0]


@stateful(case(t(0)), case(t(1)), between=_tie)
def gradient_of_weights_that_are_tied_later():
    pair = [ag.Variable([1.0, 2.0]), ag.Variable([3.0, 4.0])]

    def run(k):
        with ag.GradientTape() as tape:
            loss = ag.sum(pair[0] * pair[1]) + k
        return tape.gradient(loss, pair)

    return run, pair


@program(case(t(-5.0), t(3)), case(t(5.0), t(3)), case(t(-5.0), t(1)))
def tensors_of_the_dict_before(x, n):
    y = x * 2
    now = {"a": x, "b": y}
    before = None
    for _ in range(n):
        before = dict(now)
        now = {"a": y if x < 0 else x + 1, "b": y}
        y = y + 1
    return now, before, now["a"] is now["b"], before["a"] is before["b"]


@program(case(t(-1.0), t(0)), case(t(1.0), t(1)), case(t(3.0), t(4)), case(t(10.0), t(4)))
def tensor_of_a_dict_that_may_be_replaced(x, n):
    kept = {"a": x * 1}
    rows = [x * 2]
    old = last = None
    for i in range(n):
        old, last = kept["a"], rows[0]
        if x > i:
            kept = {"a": x + i}
        else:
            rows = [old, last]
    return old, last, kept, rows, [one is old or one is last for one in (kept["a"], *rows)]


@program(case(t(1.0), t(0)), case(t(1.0), t(4)), case(t(-1.0), t(1)))
def dict_that_may_be_kept_and_its_tensor(x, n):
    if x > 0:
        y = x * 2
        table = {"a": y}
        kept = table if n > 2 else None
    else:
        raise ValueError("not positive")
    return y, kept, table, table["a"] is y


class Kept:
    def __init__(self, x):
        self.x = x


@program(case(t(2.0), t(0)), case(t(2.0), t(1)), case(t(-2.0), t(1)))
def tensor_of_an_object_that_two_results_hold(x, n):
    y = x * 2
    kept = Kept(x)
    kept.x = y
    if n > 0:
        return kept, "early"
    return x, y, [kept, y], {"k": kept}


FOUR = [ag.asarray(v, dtype=ag.float64) for v in (1.0, 2.0, 3.0, 4.0)]


@program(*(case(list(FOUR), ag.asarray(m), 3) for m in (0, 2, 7)), compiled=True)
def put_by_slices_where_one_was_put_by_a_staged_index(xs, m, n):
    xs[m % 4] = xs[1]
    xs[1:3] = [xs[2], xs[1]]
    xs[::2] = xs[1], xs[n]
    xs[m:n] = [xs[0]]
    return xs


@program(*(case(list(FOUR), ag.asarray(m)) for m in (0, 2, 7)))
def joined_where_one_was_put_by_a_staged_index(xs, m):
    xs[m % 4] = xs[1]
    ys = [xs[0]] + xs + [xs[2], xs[0]]
    xs += [xs[2], xs[1]]
    xs.extend((xs[3], xs[-1]))
    return xs, ys
