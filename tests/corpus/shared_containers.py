"""Containers and objects that two names share, or that were copied, where turns change them."""

from __future__ import annotations

import copy
import types
from dataclasses import dataclass
from typing import Any

import autograph as ag
from tests.corpus.registry import case, program, stateful

t = ag.asarray


class Bag:
    def __init__(self, items: list[Any]) -> None:
        self.items = items


@dataclass
class Record:
    items: list[Any]


@program(case(t(1.5), t(3)), case(t(0.5), t(1)), compiled=True)
def copied_where_it_may_be_missing(y: Any, n: Any) -> Any:
    y = float(y)
    for i in range(n):
        if n > i:
            bag = Bag([y])
        bag = copy.copy(bag)
        bag.items.append(y * i)
    return bag.items


@program(case(t(1.5), t(3)), case(t(0.5), t(1)))
def copied_after_an_inner_loop(y: Any, n: Any) -> Any:
    y = float(y)
    for _ in range(n):
        for i in range(n):
            bag = Bag([y + i])
        kept = bag
        bag = copy.copy(bag)
        bag.items.append(y)
        kept.items.append(y * 2)
    return bag, kept, bag is kept, bag.items is kept.items


@program(case(t(1.5), t(3)), case(t(0.5), t(1)))
def copies_are_equal(y: Any, n: Any) -> Any:
    y = float(y)
    bags: list[Any] = []
    equal = []
    for i in range(n):
        one = Record([y + i])
        bags.append(one)
        bags[0].items.append(y)
        bags.append(copy.copy(one))
        equal.append(one == bags[-1])
    return bags, equal


@program(case(t(3)), case(t(2)))
def namespaces_of_rows_are_compared(n: Any) -> Any:
    rows = []
    for i in range(n):
        rows.append(types.SimpleNamespace(v=i))
        rows[0].v = 7
    one, other = rows[0], rows[1]
    other.v = 7
    before = one == other
    one.v = 8
    return before, one == other, one != other, one in rows[1:], rows


@program(case(t(1.5), t(3)), case(t(1.5), t(2)), case(t(2.5), t(1)), compiled=True)
def namespaces_are_compared_by_what_they_hold(y: Any, n: Any) -> Any:
    one = types.SimpleNamespace(v=[y], w=1)
    other = types.SimpleNamespace(w=1, v=[y, y])
    if n > 1:
        one.v.append(y)
    if n > 2:
        other.z = 3
    return one == other, one != other, one in [other, 2], [one, 2].index(other) if n == 2 else -1


class Alike(types.SimpleNamespace):
    def __eq__(self, other: object) -> bool:
        return True


@program(case(t(1.5), t(3)), case(t(1.5), t(0)))
def namespaces_that_compare_themselves(y: Any, n: Any) -> Any:
    one = types.SimpleNamespace(v=y)
    other = Alike()
    if n > 1:
        one.v = y + 1
    return one == other, other == one, one == 3, other == 3, [other] == [one]


def _put(world: Any) -> None:
    world.state.v = 2.5


@stateful(case(t(1.5)), between=_put)
def namespace_from_outside() -> Any:
    kept = types.SimpleNamespace(v=1.5)

    def f(y: Any) -> Any:
        return kept == types.SimpleNamespace(v=y), kept == kept, kept != types.SimpleNamespace()

    return f, kept


def _start() -> dict[str, Any]:
    return {"w": t(0.5), "b": t(1.0)}


def _loss(params: Any) -> Any:
    return (params["w"] * 2.0 - 3.0) ** 2 + params["b"] ** 2


@program(case(_start(), t(4)), case(_start(), t(0)), compiled=True)
def best_params_of_a_training_loop(params: Any, n: Any) -> Any:
    best, best_loss = params, _loss(params)
    for _ in range(n):
        slopes = ag.grad(_loss)(params)
        params = {name: one - 0.9 * slopes[name] for name, one in params.items()}
        now = _loss(params)
        if now < best_loss:
            best, best_loss = params, now
    return best["w"] * 1, best["b"] * 1, best_loss, _loss(params), best is params


@program(case(_start(), t(6)), case(_start(), t(1)))
def training_that_loses_patience(params: Any, n: Any) -> Any:
    best, best_loss, waited = None, t(100.0), 0
    for _ in range(n):
        now = _loss(params)
        if now < best_loss:
            best, best_loss, waited = params, now, 0
        else:
            waited += 1
            if waited > 1:
                break
        slopes = ag.grad(_loss)(params)
        params = {name: one - 0.5 * slopes[name] for name, one in params.items()}
    return [] if best is None else [best["w"] * 1, best["b"] * 1], best_loss, waited


@program(case(_start(), t(4)), case(_start(), t(0)))
def best_params_under_a_tape(params: Any, n: Any) -> Any:
    best, best_loss = params, _loss(params)
    for _ in range(n):
        w, b = ag.copy(params["w"]), ag.copy(params["b"])
        with ag.GradientTape() as tape:
            tape.watch([w, b])
            now = _loss({"w": w, "b": b})
        if now < best_loss:
            best, best_loss = params, now
        slopes = tape.gradient(now, [w, b])
        params = {"w": w - 0.4 * slopes[0], "b": b - 0.4 * slopes[1]}
    return [best["w"] * 1, best["b"] * 1], best_loss, best is params


@program(
    case(_start(), t(4)), refused="StateError", naming=("a container of staged", "ag.copy(items")
)
def best_params_under_a_tape_without_copies(params: Any, n: Any) -> Any:
    best, best_loss = params, _loss(params)
    for _ in range(n):
        with ag.GradientTape() as tape:
            tape.watch(params)
            now = _loss(params)
        if now < best_loss:
            best, best_loss = params, now
        slopes = tape.gradient(now, params)
        params = {name: one - 0.4 * slopes[name] for name, one in params.items()}
    return best_loss, best


@program(case(t(0.5), t(4)), case(t(0.5), t(0)))
def best_list_of_a_training_loop(w: Any, n: Any) -> Any:
    def loss(params: Any) -> Any:
        return (params[0] * 2 - 3) ** 2 + params[1] ** 2

    params = [w * 1, w * 2]
    best, best_loss = params, loss(params)
    for _ in range(n):
        slopes = ag.grad(loss)(params)
        params = [one - 0.3 * slope for one, slope in zip(params, slopes, strict=True)]
        now = loss(params)
        if now < best_loss:
            best, best_loss = params, now
    return [one * 1 for one in best], [one * 1 for one in params], best is params


@program(case(_start(), t(3)), case(_start(), t(0)))
def history_of_a_training_loop(params: Any, n: Any) -> Any:
    history = []
    for _ in range(n):
        slopes = ag.grad(_loss)(params)
        params = {name: one - 0.3 * slopes[name] for name, one in params.items()}
        history.append(params)
    return [_loss(one) for one in history], bool(history) and history[-1] is params


@program(case(t(3)), case(t(1)))
def rows_of_comprehensions_are_changed(n: Any) -> Any:
    rows = [[0, 1]]
    for i in range(n):
        rows.append([one + i for one in rows[-1]])
        rows.append([k for k in range(i + 1)])
        rows[0].append(i)
        rows[-2][0] = -1
        kept = {k: [k, i] for k in range(2)}
        kept[0].append(7)
        rows.append(kept[i % 2])
        kept[0].append(8)
    return rows, [[one] * 2 for one in rows[0]]


def _valley(point: Any) -> Any:
    x, y = point
    return (x * x + y - 11) ** 2 + (x + y * y - 7) ** 2


SIMPLEX = (case([t(0.0), t(0.0)], t(12)), case([t(-1.0), t(2.0)], t(7)))


@program(*SIMPLEX, compiled=True, mutate=False)
def points_made_on_several_lines(start: Any, n: Any) -> Any:
    """The simplex of Nelder and Mead: lists in lists that are exchanged, sorted and shrunk."""
    simplex = [[list(start), _valley(start)]]
    for i in range(len(start)):
        point = list(start)
        point[i] = point[i] + 0.5
        simplex.append([point, _valley(point)])
    for _ in range(n):
        simplex.sort(key=lambda one: one[1])
        best, worst = simplex[0], simplex[-1]
        middle = [sum(one[0][k] for one in simplex[:-1]) / 2 for k in range(2)]
        reflected = [c + (c - w) for c, w in zip(middle, worst[0], strict=True)]
        if _valley(reflected) < best[1]:
            expanded = [c + 2 * (r - c) for c, r in zip(middle, reflected, strict=True)]
            simplex[-1] = [expanded, _valley(expanded)]
        elif _valley(reflected) < simplex[-2][1]:
            simplex[-1] = [reflected, _valley(reflected)]
        else:
            contracted = [c + 0.5 * (w - c) for c, w in zip(middle, worst[0], strict=True)]
            if _valley(contracted) < worst[1]:
                simplex[-1] = [contracted, _valley(contracted)]
            else:
                for one in simplex[1:]:
                    one[0] = [(a + b) / 2 for a, b in zip(one[0], best[0], strict=True)]
                    one[1] = _valley(one[0])
    return simplex, simplex[0] is best


@program(case([1, 2], t(2)), case([7, 8, 9], t(3)), case([7, 8, 9], t(1)), case([5, 6], t(4)))
def a_list_in_lists_of_two_paths(items, n):
    out, by_number = [], {}
    try:
        if n > 2:
            items.append(3)
            out.append(True)
        rest = items[1:]
        out.append(rest)
        if n > 1:
            raise ValueError
        by_number[int(n)] = rest
    except ValueError:
        pass
    return out


@program(case([1, 2], t(2)), case([7, 8, 9], t(3)), case([7, 8, 9], t(1)), case([5, 6], t(4)))
def a_list_in_lists_of_two_paths_of_a_loop(items, n):
    out, found = [], {}
    for i in range(2):
        if n > 2 + i:
            items = [*items, 3]
            out = [True, *out]
        rest = items[1:]
        out = [*out, rest]
        if n > 1:
            continue
        found[int(n)] = rest
    out[-1].append(5)
    return out, rest
