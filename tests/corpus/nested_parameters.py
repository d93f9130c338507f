"""Parameters that nest: dicts, lists and named tuples in one another, by which is derived."""

from __future__ import annotations

from collections import OrderedDict
from typing import Any, NamedTuple

import numpy as np

import autograph as ag
from tests.corpus.registry import case, program

t = ag.asarray


class Layers(NamedTuple):
    scale: Any
    rest: Any


def model(values):
    return {"first": [t(values), t([1.0, 2.0])], "last": {"b": (t(values[0]),)}}


def loss(params):
    w, x = params["first"]
    return (w * w * x).sum() * params["last"]["b"][0]


MODELS = (case(model([2.0, 3.0])), case(model([-1.0, 0.5])), case(model([4.0, -3.0])))


@program(*MODELS, compiled=True)
def gradients_of_nested_parameters(params):
    return ag.grad(loss)(params), ag.value_and_grad(loss)(params)


@program(*MODELS)
def products_with_nested_parameters(params):
    value, pull = ag.vjp(loss, params)
    return value, pull(ag.asarray(2.0)), ag.jvp(loss, (params,), (params,))


@program(*MODELS)
def one_step_of_a_tape(params):
    with ag.GradientTape() as tape:
        tape.watch(params)
        value = loss(params)
    found = tape.gradient(value, params)
    first = [w - 0.1 * g for w, g in zip(params["first"], found["first"])]
    return {"first": first, "last": {"b": (params["last"]["b"][0] - found["last"]["b"][0],)}}


@program(
    case(Layers(t(2.0), OrderedDict(l=[t(3.0)]))),
    case(Layers(t(-1.0), OrderedDict(l=[t(0.5)]))),
    case(Layers(t(-1.0), OrderedDict(l=[t(0.5), t(2.0)]))),
)
def gradients_of_named_tuples(params):
    return ag.grad(lambda p: p.scale * sum([w**3 for w in p.rest["l"]]))(params)


@program(
    case({"l": [np.array([2.0, 3.0])]}),
    case({"l": [np.array([-1.0, 0.5])]}),
    case({"l": [np.array([1.0, 0.5, 2.0])]}),
)
def functions_over_nested_arrays(params):
    def body(total, row):
        return total + row["l"][0], total * row["l"][0]

    return ag.map_fn(lambda one: one["l"][0] * 2, params), ag.scan(body, t(1.0), params)
