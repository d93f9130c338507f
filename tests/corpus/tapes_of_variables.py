"""Which Variables and copies a tape watches, and ops beside doubles."""

from __future__ import annotations

import copy

import numpy as np

import autograph as ag
from tests.corpus.registry import case, program, stateful

t = ag.asarray


def d(value):
    return t(value, dtype=ag.float64)


@stateful(case(t(3.0)))
def deepcopied_variable():
    v = ag.Variable(2.0)
    w = copy.deepcopy(v)

    def f(x):
        with ag.GradientTape() as tape:
            y = v * w * x
        return tape.gradient(y, [v, w]), len(tape.watched_variables())

    return f, (v, w)


@stateful(case(t([1.0, 2.0])))
def target_network():
    class Net:
        def __init__(self):
            self.w = ag.Variable(np.array([0.5, -1.0], np.float32))

        def __call__(self, x):
            return ag.sum(x * self.w)

    net = Net()
    target = copy.deepcopy(net)

    def f(x):
        with ag.GradientTape() as tape:
            loss = (1.0 + 0.9 * target(x * 2) - net(x)) ** 2
        return loss, tape.gradient(loss, net.w)

    return f, None


@stateful(case(t([1.0, 2.0])))
def variable_made_of_a_tensor():
    base = t([3.0, 4.0])
    v = ag.Variable(base)

    def f(x):
        with ag.GradientTape() as tape:
            y = ag.sum(v * base * x)
        return tape.gradient(y, v)

    return f, v


@program(case(t(2.0)))
def copied_tensor_watched(x):
    y = copy.copy(x)
    with ag.GradientTape() as tape:
        tape.watch(y)
        z = x * 3 + y
    return tape.gradient(z, y)


@program(case(t(2.0)))
def deepcopied_list_of_tensors(x):
    params = [x]
    old = copy.deepcopy(params)
    with ag.GradientTape() as tape:
        tape.watch(params)
        loss = params[0] * old[0]
    return tape.gradient(loss, params)


@program(case(t(2.0)))
def ones_that_are_shared(x):
    with ag.GradientTape(persistent=True) as outer:
        with ag.GradientTape() as a:
            a.watch(x)
            y = x + 1.0
        g1 = a.gradient(y, x)
        outer.watch(g1)
        with ag.GradientTape() as b:
            b.watch(x)
            z = x * x
        g2 = b.gradient(z, x)
    return outer.gradient(g2, g1)


@stateful(case(t(2.0)))
def float_of_a_variable_then_assigned():
    v = ag.Variable(1.0)

    def f(x):
        with ag.GradientTape() as tape:
            k = float(v)
            v.assign(x + k)
            y = v * v
        return y, tape.gradient(y, v)

    return f, v


@stateful(case(t([2.0, 1.0])))
def shape_of_a_variable_then_assigned():
    v = ag.Variable(np.array([1.0, 1.0], np.float32))

    def f(x):
        with ag.GradientTape() as tape:
            n = v.shape[0]
            v.assign(x * n)
            y = ag.sum(v * v)
        return y, tape.gradient(y, v)

    return f, v


@stateful(case(t(2.0)))
def variables_only_looked_at():
    v, w, u = ag.Variable(1.0, name="v"), ag.Variable(2.0, name="w"), ag.Variable(3.0, name="u")

    def f(x):
        with ag.GradientTape() as tape:
            k = v.item() + len(u.shape)
            y = w * x * k
        return [one.name for one in tape.watched_variables()], y

    return f, (v, w, u)


@stateful(case(t(1.5)))
def custom_gradient_float_of_a_variable():
    v = ag.Variable(2.0)

    @ag.custom_gradient
    def scaled(a):
        k = float(v)
        return a * k, lambda g: g * k

    def f(x):
        with ag.GradientTape() as tape:
            tape.watch(x)
            y = scaled(x)
        return y, tape.gradient(y, x)

    return f, v


@program(case(t(1.5)))
def custom_gradient_never_asked(x):
    @ag.custom_gradient
    def odd(a):
        def gradient(g):
            return g, g

        return a * 2, gradient

    return odd(x)


@program(case(t([1.0, 2.0, 3.0]), t([2, -1, 2])), vary=False)
def repeat_by_negative_counts(x, counts):
    return ag.repeat(x, counts)


@program(case(t([[1.0, 2.0]])), vary=False)
def squeeze_of_one_axis_twice(x):
    return ag.squeeze(x, axis=(0, -2))


@program(case(t(1.0)))
def linspace_of_a_negative_number(x):
    return ag.linspace(x, 2.0, -3)


@program(case(t([0, 1])))
def one_hot_of_negative_classes(x):
    return ag.one_hot(x, num_classes=-1)


@program(case(t(1.0)))
def random_of_a_negative_size(x):
    return ag.random_uniform((-1,), seed=3) + x


@program(case(t([1.0, 2.0, 3.0]), t(np.array([0, 2], np.uint64))), vary=False)
def index_of_uint64(x, i):
    return x[i], ag.take(x, i)


@program(case(d(0.0)), vary=False)
def linspace_in_float64(x):
    made = ag.linspace(0.0, 0.3, 4, dtype=ag.float64)
    return (made[-1], 0.3), (ag.linspace(x, 0.1, 3)[-1], 0.1)


@program(case(d([1.0, 2.0])), vary=False)
def pad_constant_in_float64(x):
    return ag.pad(x, 1, constant_values=0.1)[0], 0.1


@program(case(d([0.1, 0.2, 0.3])), vary=False)
def searchsorted_in_float64(x):
    got = (
        ag.searchsorted(x, 0.2),
        ag.searchsorted(x, 0.2, side="right"),
        ag.searchsorted(x, [0.1, 0.3]),
    )
    return got, (1, 2, [0, 2])


@program(case(d(1.0)), vary=False)
def seeds_in_float64(x):
    with ag.GradientTape() as tape:
        tape.watch(x)
        y = x * 3.0
    one = tape.gradient(y, x, output_gradients=0.1)
    _, pull = ag.vjp(lambda a: a * 3.0, x)
    _, change = ag.jvp(lambda a: a * 3.0, (x,), (0.1,))
    return (one, pull(0.1)[0], change), 0.1 * 3.0


@program(case(d([1.0, 2.0, 2.0, 3.0])), vary=False)
def median_gradient_of_ties(x):
    step = d([0.0, 0.0, 1e-3, 0.0])
    slope = (ag.median(x + step) - ag.median(x - step)) / 2e-3
    return ag.grad(ag.median)(x), ([0.0, 0.5, 0.5, 0.0], slope)


@program(case(t([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]), t([[0, 2]])), vary=False)
def take_along_axis_that_broadcasts(x, i):
    return ag.take_along_axis(x, i, axis=1), ag.stack([x[:, 0], x[:, 2]], axis=1)


@program(case(t([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])), vary=False)
def tensordot_of_sizes_that_differ(x):
    return ag.tensordot(x, ag.reshape(x, (3, 2)), axes=2), "ValueError"


@program(case(t(np.array([-128, 1], np.int8)), t(np.array([1, 4], np.uint8))), vary=False)
def isclose_of_small_integers(x, u):
    got = ag.isclose(x, x), ag.isclose(u, u + 1, atol=1.5)
    return got, ([True, True], [True, True])


@program(case(t(np.array([100, 100], np.int8)), t(np.array([100000], np.int32))), vary=False)
def vector_norm_of_integers(x, y):
    return (ag.vector_norm(x), ag.vector_norm(y)), (141.4213562373095, 100000.0)


@program(case(t([1.0, 2.0, 3.0])), vary=False)
def quantile_of_a_share_below_0(x):
    return ag.quantile(x, [-0.1]), ag.quantile(x, t(-0.1)), "ValueError"


@program(case(t(np.array([[100, 100], [1, 2]], np.int8))), vary=False)
def dtypes_of_sums_and_outer_of_matrices(x):
    sums = ag.einsum("ij->i", x).dtype == ag.einsum("ij,j->i", x, x[0]).dtype
    return (sums, ag.outer(x, x).ndim), (True, 2)


@stateful(case(t(2.0)))
def assigned_from_watched_then_read():
    v = ag.Variable(1.0)

    def f(x):
        with ag.GradientTape() as tape:
            tape.watch(x)
            v.assign(x * 2)
            y = v * 3
        found = len(tape.watched_variables())
        v.assign(5.0)
        return found, tape.gradient(y, [x, v])

    return f, v


@stateful(case(t(2.0)))
def assigned_from_stopped_then_read():
    v = ag.Variable(1.0)

    def f(x):
        with ag.GradientTape() as tape:
            tape.watch(x)
            v.assign(ag.stop_gradient(x * 2))
            y = v * 3
        return len(tape.watched_variables()), tape.gradient(y, [x, v])

    return f, v


@stateful(case(t(2.0)), case(t(-2.0)))
def assigned_from_watched_by_branches():
    v = ag.Variable(1.0)

    def f(x):
        with ag.GradientTape() as tape:
            tape.watch(x)
            if x > 0:
                v.assign(x * 2)
            else:
                v.assign(x * x)
            y = v * 3
        return tape.gradient(y, [x, v])

    return f, v


@stateful(case(t(2.0)))
def variable_met_in_a_gradient_alone():
    v = ag.Variable(3.0)

    def f(x):
        with ag.GradientTape(persistent=True) as first:
            first.watch(x)
            y = v * x
        with ag.GradientTape() as second:
            g = first.gradient(y, x)
            z = g * g
        return z, second.gradient(z, v), len(second.watched_variables())

    return f, v


@stateful(case(t(2.0)))
def variables_before_and_after_a_gradient():
    v, w = ag.Variable(1.0, name="v"), ag.Variable(2.0, name="w")

    def f(x):
        with ag.GradientTape() as tape:
            y = v * x
            g = tape.gradient(y, v)
            z = w * x + v
        return [one.name for one in tape.watched_variables()], g, z

    return f, (v, w)


@program(case(np.array([1.0, 2.0])))
def jacobian_of_an_array(a):
    return ag.jacobian(lambda v: v * v)(a)
