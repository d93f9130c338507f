"""The words of errors that name what they are about, and the flag of `sorted`."""

from __future__ import annotations

from collections import deque

import autograph as ag
from tests.corpus.registry import case, program

X = (case(ag.asarray(2.0)), case(ag.asarray(-1.0)))


class Plain:
    pass


@program(*X)
def name_of_a_missing_attribute(x):
    one = Plain()
    if x > 0:
        one.extra = x
    try:
        return one.extra
    except AttributeError as error:
        return error.name, str(error)


@program(*X)
def name_that_is_given(x):
    try:
        if x > 0:
            raise AttributeError("m", name="q")
        raise NameError("n", name="r")
    except AttributeError as error:
        return error.name, str(error)
    except NameError as error:
        return error.name, str(error)


@program(*X)
def unpacked_that_is_none(x):
    value = (1, 2) if x > 0 else None
    try:
        a, b = value
    except TypeError as error:
        return str(error)
    return a + b


@program(*X)
def unpacked_by_a_star(x):
    value = (1, 2) if x > 0 else 3
    try:
        a, *b = value
    except TypeError as error:
        return str(error)
    return a, b


@program(*X)
def unpacked_without_a_condition(x):
    try:
        a, *b = 3
    except TypeError as error:
        return str(error), x


@program(*X)
def removed_from_a_deque(x):
    items = deque()
    for i in range(ag.astype(x * x, ag.int32)):
        items.append(i)
    try:
        items.remove(77)
    except ValueError as error:
        return str(error)


@program(*X)
def reverse_by_a_tensor(x):
    items = []
    for i in range(ag.astype(x * x, ag.int32)):
        items.append(i)
    try:
        return sorted(items, reverse=x > 0)
    except TypeError as error:
        return str(error)


@program(*X)
def reverse_by_an_int(x):
    items = [3, 1, 2]
    k = ag.astype(x, ag.int32)
    items.sort(reverse=k)
    return items, sorted([x, 1.0], reverse=True)
