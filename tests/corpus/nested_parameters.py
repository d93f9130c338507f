"""Parameters that nest: dicts, lists and named tuples in one another, by which is derived."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
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


@dataclass
class Weights:
    w: Any


def either(x, shape=(2,)):
    return ag.ones(shape) * x if x > 0 else ag.ones(shape, dtype=ag.float64) + x


@program(case(t(2.0)), case(t(-1.0)), compiled=True)
def gradients_of_a_dict_with_one_of_two_dtypes(x):
    params = {"w": either(x), "v": [ag.ones(2)], "u": (either(x - 1.0, ()),)}
    return ag.value_and_grad(lambda p: ag.sum(p["w"] ** 2 * p["v"][0]) * p["u"][0])(
        params
    ), ag.map_fn(lambda p: p["w"] * 2.0, {"w": ag.ones(2)})


@program(case(ag.ones(2)), compiled=True)
def a_dict_whose_dtype_the_first_step_changes(w):
    params = {"w": w, "v": w * 2.0}
    for rate in np.linspace(0.1, 0.01, 5):
        found = ag.grad(lambda p: ag.sum(p["w"] ** 2 * p["v"]))(params)
        params = {"w": params["w"] - rate * found["w"], "v": params["v"] - 0.1 * found["v"]}
    return params


@program(case(t([1.0, 2.0]), t(3)), case(t([1.0, 2.0]), t(0)), case(t([0.5, 2.0]), t(2)))
def a_dataclass_in_a_dict_made_anew_in_a_loop(w, n):
    params = {"q": Weights(w)}
    for _ in range(n):
        found = ag.grad(lambda p: ag.sum(p["q"].w ** 2))(params)
        params = {"q": Weights(params["q"].w - 0.1 * found["q"].w)}
    return params["q"].w, params


@program(case(t(2.0)), case(t(-1.0)))
def a_field_that_is_one_of_two_dtypes(x):
    weights, other = Weights(1), Weights(None)
    weights.w = either(x)
    if x > 0:
        other.w = x * 2.0
    plain = ag.value_and_grad(lambda p: ag.sum(p.w**2))(weights)
    return plain, ag.grad(lambda p: x if p.w is None else p.w**2)(other)


@program(case(t(2.0)), case(t(-1.0)))
def a_dict_with_an_optional_tensor(x):
    params = {"a": [ag.ones(2)], "b": None, "c": x}
    if x > 0:
        params["b"] = ag.ones(2)

    def total(p):
        found = ag.sum(p["a"][0] ** 2) * p["c"]
        return found if p["b"] is None else found + ag.sum(p["b"] ** 2)

    return ag.value_and_grad(total)(params)


@program(case(t(2.0)), case(t(-1.0)))
def a_dict_that_holds_one_of_two_nests(x):
    params = {"a": [x * 2.0] if x > 0 else (x * 3.0, x)}
    return ag.value_and_grad(lambda p: p["a"][0] ** 2)(params)


@program(case(t(2.0)), case(t(-1.0)))
def many_parameters_of_one_of_two_dtypes(x):
    params = {name: either(x, ()) for name in "abcdefghij"}
    return ag.grad(lambda p: sum(one**2 for one in p.values()))(params)


SIGNS = (case(t(2.0)), case(t(-1.0)))


@program(*SIGNS, compiled=True)
def gradients_of_nests_that_a_branch_chooses(x):
    c, grown, named = x * 2, [x], {}
    if x > 0:
        grown.append(x * 3)
        named["a"] = c
    else:
        named["b"] = c * 3
    listed = ag.grad(lambda p: sum([one**2 for one in p]))([c] * 3 if x > 0 else [c * 2] * 2)
    inside = ag.grad(lambda p: sum([one**2 for one in p["l"]]))({"l": grown})
    return listed, inside, ag.value_and_grad(lambda p: sum([v**2 for v in p.values()]))(named)


@program(*SIGNS, compiled=True)
def functions_over_tensors_of_one_of_two_dtypes(x):
    c = either(x)
    last, seen = ag.scan(lambda c, row: (c + row, {"a": c, "b": row}), c, ag.ones((3, 2)))
    other = ag.scan(lambda total, row: (total * row, total), t(2.0), c)
    return last, seen, other


@program(*SIGNS)
def functions_of_rows_of_one_of_two_dtypes(x):
    c = either(x)
    rows = ag.map_fn(lambda row: (row[0] * 2.0, row[1]), (c, ag.ones(2)))
    doubled = ag.map_fn(lambda one: one * 2, c)
    return rows, doubled, ag.apply_along_axis(lambda row: row * 2.0, 0, c)


@program(*SIGNS)
def a_function_over_a_list_that_a_branch_chooses(x):
    rows = [ag.ones(3) * x]
    if x > 0:
        rows.append(ag.ones(3) * 2.0)
    return ag.map_fn(lambda row: sum(row), rows)


@program(*SIGNS)
def a_gradient_of_its_own_of_one_of_two_dtypes(x):
    @ag.custom_gradient
    def scaled(a, times=2.0):
        return a * times, lambda upstream: upstream * 3.0 * ag.ones_like(a)

    c = either(x)
    with ag.GradientTape() as tape:
        tape.watch(c)
        y = scaled(c) + scaled(a=c, times=4.0)
    return y, tape.gradient(y, c)


@program(case(np.float64(0.5), t(1.0)), case(np.float64(0.5), t(-1.0)))
def second_derivatives_of_one_of_two_scalars(k, x):
    k = k if x > 0 else np.float64(2.0)
    return ag.value_and_grad(ag.grad(lambda k: k**3))(k)
