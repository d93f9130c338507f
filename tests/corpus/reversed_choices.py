"""`reversed` of lists, tuples and dicts that a staged loop has made anew, or left as they were."""

from __future__ import annotations

import autograph as ag
from tests.corpus.registry import case, program

t = ag.asarray
CASES = (case(t(1.5), t(3)), case(t(1.5), t(0)), case(t(-1.0), t(1)))


def made_anew(x, n, kind=list):
    items = kind([x * k for k in range(4)])
    turn = 0
    while turn < n:
        new = []
        for place in range(4):
            new.append(items[place] + 1)
        items = kind(new)
        turn += 1
    return items


def dict_made_anew(x, n):
    table = {"a": x, "b": x * 2}
    turn = 0
    while turn < n:
        table = {key: table[key] + 1 for key in table}
        turn += 1
    return table


@program(*CASES, compiled=True)
def a_list(x, n):
    return [one for one in reversed(made_anew(x, n))]


@program(*CASES)
def a_list_at_once(x, n):
    items = made_anew(x, n)
    first, second, *others = reversed(items)
    return list(reversed(items)), tuple(reversed(items)), first, second, others


@program(*CASES, compiled=True)
def two_lists(x, n):
    found = []
    for one, other in zip(reversed(made_anew(x, n)), reversed(made_anew(2 * x, n)), strict=False):
        found.append(one - other * 3)
    return found


@program(*CASES)
def backwards_beside_forwards(x, n):
    items = made_anew(x, n)
    return [a - 2 * b for a, b in zip(reversed(items), items, strict=True)], list(
        map(lambda a, b: a * b, reversed(items), items)
    )


@program(*CASES)
def an_iterator_that_is_asked(x, n):
    backwards = reversed(made_anew(x, n))
    first = next(backwards)
    total = x
    if x > 1:
        total = total + next(backwards)
    return first, total, next(backwards), [one for one in backwards], next(backwards, None)


@program(*CASES)
def a_list_that_gets_longer(x, n):
    items, found = made_anew(x, n), []
    for one in reversed(items):
        found.append(one * 2)
        if len(items) < 6:
            items.append(x)
    return found, len(items)


@program(*CASES)
def a_list_that_gets_shorter(x, n):
    items, found = made_anew(x, n), []
    for one in reversed(items):
        found.append(one * 2)
        items.pop(0)
    return found, len(items)


@program(*CASES)
def a_list_in_a_staged_loop(x, n):
    items, total = made_anew(x, n), x
    while n > 0:
        for number, one in enumerate(reversed(items)):
            total = total + one * number if one > 1 else total - one
        n = n - 1
    return total


@program(*CASES)
def a_tuple(x, n):
    items = made_anew(x, n, tuple)
    backwards = reversed(items)
    return next(backwards), tuple(backwards), next(backwards, None), [*reversed(items)]


@program(*CASES)
def a_dict(x, n):
    table = dict_made_anew(x, n)
    return (
        list(reversed(table)),
        [(key, one * 2) for key, one in reversed(table.items())],
        [one * 2 for one in reversed(table.values())],
        list(reversed(table.keys())),
    )


@program(*CASES, refused="StateError", naming=("one of several", "changed"))
def a_dict_that_is_changed(x, n):
    table = dict_made_anew(x, n)
    for _ in reversed(table):
        table["c"] = x
    return table


@program(*CASES)
def changed_while_it_is_gone_over(x, n):
    items, found = ([x, x + 1] if x > 1 else [x, x - 1]), []
    for one in reversed(items):
        found.append(one)
        items[0] = x * 7
    return found, items
