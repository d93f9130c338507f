"""Training with a history and callbacks: the Variables of a model are gathered where containers of
staged length refer to others."""

from __future__ import annotations

from collections import defaultdict

import numpy as np

import autograph as ag
from tests.corpus.registry import case, stateful

t = ag.asarray
X = t(np.sin(np.arange(12.0)).reshape(4, 3))
Y = t(np.cos(np.arange(4.0)).reshape(4, 1))


class Layer(ag.nn.Module):
    def __init__(self, rows, columns):
        values = np.cos(np.arange(rows * columns + float(columns)))
        self.kernel = ag.Variable(values[columns:].reshape(rows, columns))
        self.bias = ag.Variable(values[:columns])

    def __call__(self, x):
        return x @ self.kernel + self.bias


class Net(ag.nn.Module):
    def __init__(self):
        self.first, self.last = Layer(3, 4), Layer(4, 1)
        self.tied = [self.first, {"last": self.last}]

    def __call__(self, x):
        return self.last(ag.tanh(self.first(x)))


def parts_of(holder):
    if isinstance(holder, dict):
        return list(holder.values())
    if isinstance(holder, list | tuple):
        return holder
    return [getattr(holder, name) for name in sorted(vars(holder))]


def params(model):
    """Every Variable once, as users write it."""
    found, seen = [], []

    def visit(holder):
        for one in parts_of(holder):
            if any(one is other for other in seen):
                continue
            seen.append(one)
            if isinstance(one, ag.Variable):
                found.append(one)
            elif isinstance(one, list | tuple | dict | ag.nn.Module):
                visit(one)

    visit(model)
    return found


def by_name(model):
    found = {}
    for name in ["first", "last"]:
        for part in ["kernel", "bias"]:
            found[f"{name}.{part}"] = getattr(getattr(model, name), part)
    return found


@stateful(case(X, 30), case(X, t(3)), ulps=4000)
def a_history_in_a_dict():
    model = Net()

    def fit(x, epochs):
        history = defaultdict(list)
        for _ in range(epochs):
            for one in model.trainable_variables:
                one.assign_sub(0.1 * one)
            value = float(ag.mean(model(x) ** 2))
            history["loss"].append(value)
            history["value"].append(value)
        return dict(history)

    return fit, model


@stateful(case(X, 30), ulps=4000)
def a_history_and_parameters_of_the_user():
    model = Net()

    def fit(x, epochs):
        history = defaultdict(list)
        for _ in range(epochs):
            for one in params(model):
                one.assign_sub(0.1 * one)
            value = float(ag.mean(model(x) ** 2))
            history["loss"].append(value)
            history["value"].append(value)
        return dict(history)

    return fit, model


@stateful(case(X, 30), ulps=4000)
def parameters_that_are_gathered_before():
    model = Net()

    def fit(x, epochs):
        history = defaultdict(list)
        known, named = params(model), by_name(model)
        for _ in range(epochs):
            for one in known:
                one.assign_sub(0.1 * one)
            history["loss"].append(float(ag.mean(model(x) ** 2)))
            history["kernel"].append(float(ag.sum(named["last.kernel"])))
        return dict(history), [name for name, one in named.items() if one is known[0]]

    return fit, model


class Best:
    def __init__(self, gather):
        self.gather, self.best, self.weights = gather, 1e9, None

    def __call__(self, model, value):
        if value < self.best:
            self.best = value
            self.weights = [ag.copy(one) for one in self.gather(model)]


@stateful(case(X, 5), case(X, 20), ulps=4000)
def the_best_weights():
    model = Net()

    def fit(x, epochs):
        history, best = [], Best(lambda model: model.trainable_variables)
        for _ in range(epochs):
            for one in model.trainable_variables:
                one.assign_sub(0.1 * one)
            value = float(ag.mean(model(x) ** 2))
            history.append(value)
            best(model, value)
        return history, best.best, best.weights

    return fit, model


@stateful(case(X, 20), ulps=4000)
def the_best_weights_by_parameters_of_the_user():
    model = Net()

    def fit(x, epochs):
        history, best, known = [], Best(params), params(model)
        for _ in range(epochs):
            with ag.GradientTape() as tape:
                loss = ag.mean(model(x) ** 2)
            for one, slope in zip(known, tape.gradient(loss, known), strict=True):
                one.assign_sub(0.1 * slope)
            value = float(ag.mean(model(x) ** 2))
            history.append(value)
            best(model, value)
        return history, best.best, best.weights

    return fit, model


class History:
    def __init__(self):
        self.log = {}

    def __call__(self, trainer, logs):
        for name, value in logs.items():
            self.log.setdefault(name, []).append(value)


class Slower:
    def __init__(self):
        self.best, self.waited = float("inf"), 0

    def __call__(self, trainer, logs):
        if logs["loss"] < self.best - 0.05:
            self.best, self.waited = logs["loss"], 0
        else:
            self.waited += 1
            if self.waited >= 2:
                trainer.rate *= 0.5
                self.waited = 0


class BestWeights:
    def __init__(self):
        self.best, self.weights = float("inf"), None

    def __call__(self, trainer, logs):
        if logs["loss"] < self.best:
            self.best = logs["loss"]
            self.weights = [ag.copy(one) for one in trainer.model.trainable_variables]


class Trainer:
    def __init__(self, model, callbacks):
        self.model, self.callbacks, self.rate = model, callbacks, 0.1

    def fit(self, x, y, epochs):
        for _ in range(epochs):
            with ag.GradientTape() as tape:
                loss = ag.mean((self.model(x) - y) ** 2)
            known = self.model.trainable_variables
            for one, slope in zip(known, tape.gradient(loss, known), strict=True):
                one.assign_sub(self.rate * slope)
            logs = {"loss": float(loss), "rate": self.rate}
            for callback in self.callbacks:
                callback(self, logs)


@stateful(case(X, Y, 5), case(X, Y, 24), ulps=4000)
def a_trainer_with_callbacks():
    model = Net()

    def train(x, y, epochs):
        history, slower, best = History(), Slower(), BestWeights()
        trainer = Trainer(model, [history, slower, best])
        trainer.fit(x, y, epochs)
        return history.log, slower.waited, trainer.rate, best.best, best.weights

    return train, model


def made_anew(x):
    """A dict that a loop makes anew, and may leave under a staged condition."""
    made = {"a": x}
    for _ in range(2):
        new = {}
        for key in made:
            new[key] = x * 2
        if any(ag.max(new[key]) < 1e-3 for key in made):
            break
        made = new
    return made["a"]


@stateful(case(X), case(-X * X))
def gradients_of_a_module_after_dicts_made_anew():
    model = Net()

    def slopes(x):
        begun = made_anew(x)
        with ag.GradientTape() as tape:
            value = ag.sum(model(x)) + ag.sum(begun)
        found = tape.gradient(value, model)
        return found, sorted(model.named_variables())

    return slopes, model


@stateful(case(X), case(-X * X))
def gradients_of_parameters_after_dicts_made_anew():
    model = Net()

    def slopes(x):
        known = params(model)
        begun = made_anew(x)
        with ag.GradientTape(persistent=True) as tape:
            value = ag.sum(model(x)) + ag.sum(begun)
        same = [one is other for one in known for other in params(model)]
        return tape.gradient(value, known), tape.gradient(value, by_name(model)), same

    return slopes, model
