"""All that a tape offers: watching, stopping, starting anew, structures, Jacobians, orders."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

import autograph as ag
from autograph import nn
from tests.corpus.registry import case, program, stateful

t = ag.asarray
X, Y = t([0.5, -1.5]), t([2.0, 0.25])


@program(case(X), case(t([3.0])), compiled=True)
def stopped_for_a_while(x):
    with ag.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = x * x
        with tape.stop_recording():
            z = y * x
        w = z * y
    return tape.gradient(y, x), tape.gradient(z, x), tape.gradient(w, x)


@program(case(X, t(3)), case(X, t(0)), refused="StagingError", naming=("stop_gradient",))
def stopped_in_a_loop(x, n):
    with ag.GradientTape() as tape:
        tape.watch(x)
        y = x * 1
        for i in range(n):
            if i == 1:
                with tape.stop_recording():
                    z = y * 3
            else:
                z = y * x
            y = z + x
    return y, tape.gradient(y, x)


@program(case(X), case(t([3.0])))
def gradient_while_stopped(x):
    with ag.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = x * x * x
        with tape.stop_recording():
            first = tape.gradient(y, x)
        again = tape.gradient(y, x)
    return first, tape.gradient(first, x), tape.gradient(again, x)


@program(case(X), case(t([3.0])))
def reset_on_the_way(x):
    with ag.GradientTape() as tape:
        tape.watch(x)
        y = x * x
        tape.reset()
        tape.watch(x)
        z = y * x
    return tape.gradient(z, x)


@program(case(X), case(t([3.0])))
def reset_forgets_what_was_watched(x):
    with ag.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = x * x
        tape.reset()
        z = y * x
    return tape.gradient(z, x) is None, tape.gradient(z, y) is None


@program(case(X, t(3)), case(X, t(0)))
def one_tape_for_all_turns(x, n):
    total = x * 0
    tape = ag.GradientTape()
    for i in range(n):
        with tape:
            tape.watch(x)
            y = x * x * i
        total = total + tape.gradient(y, x)
    return total


@stateful(case(X), case(t([1.0, 1.0])), compiled=True)
def only_what_is_watched():
    v = ag.Variable(np.array([0.5, 2.0], dtype=np.float32))
    w = ag.Variable(np.array([1.0, 3.0], dtype=np.float32))

    def run(x):
        with ag.GradientTape(watch_accessed_variables=False) as tape:
            tape.watch(v)
            y = ag.sum(v * w * x)
        gv, gw, gx = tape.gradient(y, [v, w, x])
        return gv, gw is None, gx is None, [one is v for one in tape.watched_variables()]

    return run, (v, w)


@stateful(case(X))
def watched_variables_in_order():
    v = ag.Variable(1.0, name="v")
    w = ag.Variable(2.0, name="w")
    u = ag.Variable(3.0, trainable=False)

    def run(x):
        with ag.GradientTape() as tape:
            y = x * w * u + v
            y = y * w
        return [one.name for one in tape.watched_variables()], y

    return run, (v, w)


@program(case(X, Y), case(Y, X))
def gradients_to_begin_with(x, y):
    with ag.GradientTape(persistent=True) as tape:
        tape.watch([x, y])
        a, b = x * y, x * x
    both = tape.gradient({"a": a, "b": [b]}, (x, y), output_gradients={"a": y, "b": [x]})
    one = tape.gradient([a, b], x, output_gradients=[None, t(2.0)])
    return both, one, tape.gradient(a, [x, y], output_gradients=3.0)


@program(case(X, Y))
def too_few_gradients_to_begin_with(x, y):
    with ag.GradientTape() as tape:
        tape.watch(x)
        a, b = x * y, x * x
    return tape.gradient([a, b], x, output_gradients=[x])


@program(case(X, Y))
def zeros_where_unconnected(x, y):
    with ag.GradientTape(persistent=True) as tape:
        tape.watch([x, y])
        z = x * 2
    return (
        tape.gradient(z, {"x": x, "y": [y]}, unconnected_gradients="zero"),
        tape.gradient(z, {"x": x, "y": [y]}),
    )


@dataclass
class Layer:
    kernel: Any
    bias: Any
    name: str = "layer"
    units: int = 2


@dataclass(frozen=True)
class Model:
    first: Layer
    rest: list[Layer] = field(default_factory=list)


def _layer(k):
    return Layer(t([0.5 * k, -1.0]), t(0.25 * k))


def _loss(model, x):
    for layer in [model.first, *model.rest]:
        x = ag.tanh(x * layer.kernel + layer.bias)
    return ag.sum(x)


@program(case(_layer(1), X), case(_layer(2), Y), ulps=1024)
def dataclass_as_source(layer, x):
    with ag.GradientTape() as tape:
        tape.watch(layer)
        y = ag.sum(ag.sin(layer.kernel * x + layer.bias))
    found = tape.gradient(y, layer)
    return found, type(found) is type(layer), found.name


@program(case(Model(_layer(1), [_layer(2), _layer(3)]), X), ulps=32)
def nested_dataclasses_as_sources(model, x):
    value, found = ag.value_and_grad(_loss)(model, x)
    return value, found, found.rest[1].kernel, found.first.units


@program(case(_layer(1), X), ulps=32)
def dataclass_that_is_updated(layer, x):
    for _ in range(3):
        g = ag.grad(lambda one: ag.sum(ag.tanh(one.kernel * x) * one.bias))(layer)
        layer = Layer(layer.kernel - g.kernel, layer.bias - g.bias)
    return layer


@stateful(case(X), case(t([2.0, 1.0])), ulps=64)
def module_as_source():
    class Net(nn.Module):
        def __init__(self):
            self.w = ag.Variable(np.array([0.5, 2.0], dtype=np.float32))
            self.parts = [ag.Variable(1.0), ag.Variable(2.0, trainable=False)]

        def __call__(self, x):
            return ag.tanh(x * self.w + self.parts[0]) * self.parts[1]

    net = Net()

    def step(x):
        with ag.GradientTape() as tape:
            loss = ag.sum(net(x))
        found = tape.gradient(loss, net)
        for name, variable in net.named_variables().items():
            if name in found:
                variable.assign_sub(found[name] * 0.1)
        return loss, found

    return step, net


@program(case(X, Y), compiled=True, ulps=32)
def jacobian_of_several(x, y):
    with ag.GradientTape(persistent=True) as tape:
        tape.watch([x, y])
        z = ag.outer(x, y) * ag.sum(x)
    return tape.jacobian(z, x), tape.jacobian(z, {"x": x, "y": [y]})


@program(case(X, Y))
def jacobian_of_what_is_unconnected(x, y):
    with ag.GradientTape(persistent=True) as tape:
        tape.watch([x, y])
        z = x * 2
    return tape.jacobian(z, y), tape.jacobian(z, y, unconnected_gradients="zero")


@program(case(t(np.linspace(-1, 1, 40))), case(t(np.linspace(-1, 1, 24))), ulps=1024)
def jacobian_with_many_rows(x):
    with ag.GradientTape(persistent=True) as tape:
        tape.watch(x)
        z = ag.sin(x) * ag.sum(x)
    return tape.jacobian(z, x)


@program(case(t([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])), case(t([[0.5]])), compiled=True)
def batch_jacobian(x):
    with ag.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = ag.stack([x * x, x[:, ::-1] * 3], axis=1)
    return tape.batch_jacobian(y, x)


@program(case(t([[1.0, 2.0], [3.0, 4.0]]), t([1.0, 2.0, 3.0])))
def batch_jacobian_of_other_sizes(x, y):
    with ag.GradientTape(persistent=True) as tape:
        tape.watch(x)
        z = x * 2
    return tape.batch_jacobian(z, y)


@program(case(t([0.5, 2.0]), t(3)), case(t([0.5, 2.0]), t(0)), ulps=64)
def jacobian_through_a_loop(x, n):
    with ag.GradientTape() as outer:
        outer.watch(x)
        with ag.GradientTape(persistent=True) as tape:
            tape.watch(x)
            y = x * x[::-1]
            for _ in range(n):
                y = ag.sin(y) * x
        rows = tape.jacobian(y, x)
        total = ag.sum(rows * rows)
    return rows, outer.gradient(total, x)


@program(case(t(0.5), t(3)), case(t(-0.5), t(2)), ulps=256, vary=False)
def fourth_derivative(x, n):
    def f(a):
        y = a
        for _ in range(n):
            y = y * y * 0.5 if y > 0 else y * a * 2
        return y

    for _ in range(4):
        f = ag.grad(f)
    return f(x)


@program(case(t(0.5)), case(t(-0.5)))
def tape_in_a_tape_in_a_branch(x):
    with ag.GradientTape() as outer:
        outer.watch(x)
        if x > 0:
            with ag.GradientTape() as inner:
                inner.watch(x)
                y = x * x * x
            z = inner.gradient(y, x)
        else:
            z = x * x
    return outer.gradient(z, x)


@program(case(X, t(2)), case(X, t(0)), vary=False, compiled=True)
def sizes_that_grow_from_turn_to_turn(x, n):
    with ag.GradientTape() as tape:
        tape.watch(x)
        rows = x[:1]
        for i in range(n):
            rows = ag.concat([rows * x[1], x[i : i + 1] * rows[-1]])
        total = ag.sum(rows * rows)
    return rows, tape.gradient(total, x)
