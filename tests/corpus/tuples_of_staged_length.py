"""Tuples and ranges of which only the run tells the length: compared, sorted, chosen, in others."""

from __future__ import annotations

import functools
from collections import OrderedDict, namedtuple

import numpy as np

from tests.corpus.registry import case, program

ROWS = (
    case(np.array([2.0, 1.0])),
    case(np.array([-2.0, 1.0])),
    case(np.array([2.0, 1.0, 3.0])),
    case(np.array([0.5])),
)
Pair = namedtuple("Pair", "first second")


@program(*ROWS, compiled=True)
def compared_in_containers(row):
    items = row.tolist()
    whole, some = tuple(items), tuple(one for one in items if one > 1)
    equal = [whole] == [tuple(items)], whole in [0, tuple(items)], (whole,) != (tuple(items),)
    inside = {"k": whole} == {"k": tuple(items)}, Pair(some, 1) == Pair(whole, 1)
    return equal, inside, [range(len(items))] == [range(len(items))], [whole] < [some]


@program(*ROWS)
def sorted_tuples(row):
    one, other = tuple(row.tolist()), tuple((row * 2).tolist())
    items = [one, (0.0,), other]
    items.sort()
    return (
        sorted([one, one]),
        sorted([one, other], reverse=True),
        items,
        max(one, other),
        min(items),
    )


@program(*ROWS, compiled=True)
def chosen_tuples(row):
    one = tuple(value for value in row if value != 7)
    other = tuple(value * 2 for value in row if value != 7)
    if row[0] > 0:
        first, second = one, other
    else:
        first, second = other, one
    pair = [first, second] if row[-1] > 1 else [second, first]
    return len(first), second[0], first == second, first, second, pair


@program(*ROWS)
def tuples_seen(row):
    seen = []
    for number in range(int(row[0] * 2) + 3):
        numbers = tuple(range(number % 2))
        if numbers not in seen:
            seen.append(numbers)
    return seen


class Named:
    def __init__(self, held):
        self.held = held

    def __repr__(self):
        return f"Named<{self.held!r}>"


@program(case([1, 2]), case([3]), case([]), vary=False)
def texts_of_lists(items):
    shown = str(slice(items, 1)), f"{functools.partial(max, items)}", "%s" % ValueError(items)
    try:
        raise ValueError(f"bad {Pair(items, 1)} {[Named(items)]}")
    except ValueError as error:
        return shown, str(error)


@program(case([1, 2]), case([3]), vary=False)
def raised_with_texts(items):
    raise ValueError(f"bad {Pair(items, 1)} {[Named(items)]}")


@program(case({1: 2.0, 2: 3.0}), case({2: 1.0, 1: 0.5, 3: 2.0}), vary=False)
def moved_to_the_end(table):
    ordered = OrderedDict(table)
    ordered.move_to_end(1)
    first = OrderedDict(table)
    first.move_to_end(2, last=False)
    return ordered, first, list(ordered), ordered == first


@program(
    case(np.array([True, False])),
    case(np.array([1, 100], np.int8)),
    case(np.array([7, 200], np.uint8)),
)
def small_integers(row):
    return row**2, row[0] ** 2, np.power(row, 2), np.clip(row.astype(np.uint8), -2, 300)
