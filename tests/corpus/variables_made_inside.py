"""Variables made by the first call: kept on objects, in containers, in closures and globals."""

from __future__ import annotations

import copy

import autograph as ag
from tests.corpus.registry import case, program, stateful

t = ag.asarray


class Lazy:
    """A layer that learns its sizes from its first input."""

    def __init__(self, width=2):
        self.w = None
        self.width = width

    def __call__(self, x):
        if self.w is None:
            self.w = ag.Variable(ag.ones((x.shape[-1], self.width)) * 0.5, name="w")
        return x @ self.w


@stateful(case(t([[1.0, 2.0]])), case(t([[3.0, 4.0], [5.0, 6.0]])), compiled=True)
def lazily_built_layer():
    layer = Lazy()
    return layer, layer


@stateful(case(t([[1.0, 2.0]])))
def lazily_built_layers_in_a_list():
    layers = [Lazy(3), Lazy(2), Lazy(1)]

    def run(x):
        for layer in layers:
            x = layer(x)
        return x, layers[-1].w.shape

    return run, layers


@stateful(case(t([[1.0, 2.0]])))
def built_by_the_attribute_that_is_missing():
    class Model:
        def __call__(self, x):
            if not hasattr(self, "scale"):
                self.scale = ag.Variable(2.0)
                self.offset = ag.Variable(ag.sum(x), trainable=False, name="offset")
            self.offset.assign_sub(1.0)
            return x * self.scale + self.offset

    model = Model()
    return model, model


@stateful(case(t(3.0)))
def built_where_the_attribute_is_asked_for():
    class Counter:
        def __call__(self, x):
            try:
                count = self.count
            except AttributeError:
                count = self.count = ag.Variable(0.0)
            count.assign_add(x)
            return count * 2

    counter = Counter()
    return counter, counter


@stateful(case(t(3.0)), case(t(4.0)))
def kept_in_a_closure():
    total = None

    def run(x):
        nonlocal total
        if total is None:
            total = ag.Variable(x * 10)
        total.assign_add(x)
        return total + 0

    return run, None


@stateful(case(t(3.0)), case(t([1.0, 2.0])))
def one_for_each_shape_in_a_dict():
    totals = {}

    def run(x):
        if x.shape not in totals:
            totals[x.shape] = ag.Variable(ag.zeros_like(x), name=f"total{x.ndim}")
        totals[x.shape].assign_add(x)
        return totals[x.shape] * 1

    return run, totals


@stateful(case(t(3.0)))
def appended_until_there_are_three():
    kept = []

    def run(x):
        while len(kept) < 3:
            kept.append(ag.Variable(x * len(kept)))
        for v in kept:
            v.assign_add(1.0)
        return kept[0] + kept[1] + kept[2]

    return run, kept


@stateful(case(t(3.0)))
def one_made_of_the_other():
    class Pair:
        first = None

        def __call__(self, x):
            if self.first is None:
                self.first = ag.Variable(x)
                self.first.assign_add(1.0)
                self.second = ag.Variable(self.first * 2)
                self.alias = self.first
            self.alias.assign(self.first + self.second)
            return self.first - self.second

    pair = Pair()
    return pair, pair


@stateful(case(t(3.0)), case(t(-3.0)))
def made_before_a_staged_branch():
    class Model:
        v = None

        def __call__(self, x):
            if self.v is None:
                self.v = ag.Variable(1.0)
            if x > 0:
                self.v.assign_add(x)
            else:
                self.v.assign(self.v * 2)
            n = 0
            while self.v < 100.0:
                self.v.assign(self.v * 3)
                n += 1
            return n

    model = Model()
    return model, model


@stateful(case(t(3.0)))
def a_model_made_inside():
    held = {"model": None}

    def run(x):
        if held["model"] is None:
            held["model"] = Lazy(1)
        return held["model"](ag.reshape(x, (1, 1)))

    return run, held


@stateful(case(t(3.0)), case(t(0.0)))
def not_made_where_the_call_raises():
    class Model:
        v = None

        def __call__(self, x):
            if self.v is None:
                self.v = ag.Variable(x + 1)
            self.v.assign_add(1.0)
            return 6 // int(x), self.v + 0

    model = Model()
    return model, model


@stateful(case(t(2.0)))
def copied_once():
    class Model:
        def __init__(self):
            self.online = ag.Variable(3.0, name="online")
            self.target = None

        def __call__(self, x):
            if self.target is None:
                self.target = copy.deepcopy(self.online)
            self.online.assign_add(x)
            return self.online - self.target, self.target.name

    model = Model()
    return model, model


@stateful(case(t(2.0)))
def gradients_of_what_was_just_made():
    class Model:
        w = None

        def __call__(self, x):
            with ag.GradientTape() as tape:
                if self.w is None:
                    self.w = ag.Variable(x + 3)
                loss = (self.w * x) ** 2
            gradient = tape.gradient(loss, self.w)
            self.w.assign_sub(0.01 * gradient)
            return gradient

    model = Model()
    return model, model


@stateful(case(t(2.0)))
def random_initial_values():
    class Model:
        w = None

        def __call__(self, x):
            if self.w is None:
                ag.set_seed(5)
                self.w = ag.Variable(ag.random_normal((3,)))
                self.b = ag.Variable(ag.random_uniform((3,)))
            return self.w * x + self.b + ag.random_uniform((3,), seed=1)

    model = Model()
    return model, model


@stateful(case(t(2.0)))
def an_optimizer_made_inside():
    class Training:
        model = optimizer = None

        def __call__(self, x):
            if self.model is None:
                self.model = ag.nn.Dense(2, 1)
                self.model.kernel.assign(ag.ones((2, 1)))
                self.optimizer = ag.nn.optimizers.Adam(self.model.variables, 0.1)
            with ag.GradientTape() as tape:
                loss = ag.sum(self.model(ag.ones((3, 2)) * x) ** 2)
            self.optimizer.apply(tape.gradient(loss, self.model.variables))
            return loss

    training = Training()
    return training, training


# init_scope ---------------------------------------------------------------------------------------
@stateful(case(t([1.0, 2.0])))
def made_under_init_scope():
    class Model:
        def __init__(self):
            self.w = None
            self.built = []

        def __call__(self, x):
            if self.w is None:
                with ag.init_scope():
                    self.w = ag.Variable(ag.ones(x.shape) * 3)
                    if self.w[0] > 2:
                        self.built.append("large")
            self.w.assign_add(x)
            return self.w * 2

    model = Model()
    return model, model


@stateful(case(t(1.0)), case(t(-1.0)))
def made_under_init_scope_in_a_branch():
    class Model:
        table = None

        def __call__(self, x):
            if x > 0:
                if self.table is None:
                    with ag.init_scope():
                        self.table = ag.Variable([1.0, 2.0])
                return ag.sum(self.table) * x
            return x

    model = Model()
    model.table = ag.Variable([1.0, 2.0])
    return model, model


@program(case(t(2.0)))
def init_scope_keeps_tapes_out(x):
    with ag.GradientTape() as tape:
        tape.watch(x)
        with ag.init_scope():
            k = ag.ones(()) * 3
        y = x * x * k
    return tape.gradient(y, x)


# refused ------------------------------------------------------------------------------------------
@program(case(t(3)), refused="StateError", naming=("staged branch or loop", "init_scope"))
def made_in_a_staged_loop(n):
    total = ag.zeros(())
    for i in range(n):
        v = ag.Variable(1.0)
        total = total + v * i
    return total


@program(case(t(3.0)), refused="StateError", naming=("staged branch or loop",))
def made_in_a_staged_branch(x):
    v = None
    if x > 0:
        v = ag.Variable(x)
    return 0.0 if v is None else v + 1


@program(case(t(3.0)), refused="StateError", naming=("py_function",))
def made_of_what_python_gives(x):
    v = ag.Variable(ag.py_function(lambda x: x * 2, [x], ag.TensorSpec(())))
    return v + x


@program(case(t(3.0)), refused="StagedValueError", naming=("outside of the call",))
def staged_values_under_init_scope(x):
    y = x * 2
    with ag.init_scope():
        v = ag.Variable(y + 1)
    return v + x


@program(case(t(3.0)), refused="TypeError")
def wrong_arguments(x):
    return ag.Variable(x, "v", True, None, 5)
