"""What is refused or fails: loops."""

from __future__ import annotations

import autograph as ag
from tests.error_programs.registry import refused, three


class Box:
    def __init__(self, value):
        self.value = value


@refused(three)
def tensor_whose_rank_grows(n):
    x = ag.zeros(())
    for _ in range(n):
        x = ag.expand_dims(x, axis=0)
    return x


@refused(three)
def tuple_that_nests(n):
    nest = ()
    for _ in range(n):
        nest = (nest, n)
    return nest


@refused(three)
def tuple_that_grows(n):
    found = ()
    for item in ag.arange(n):
        found += (item,)
    return found


@refused(three)
def long_map_that_is_left(n):
    for square in map(lambda k: k * k, range(100)):
        if square > n:
            break
    return square


@refused(three)
def string_that_grows(n):
    text, items = "", []
    for i in range(n):
        items.append(i)
        text += f"{items}"
    return text


@refused(three)
def attribute_that_nests(n):
    box = Box(0)
    for _ in range(n):
        box.value = (box.value, n)
    return box.value


@refused(three)
def recursion_without_end(n):
    def down(k):
        return down(k - 1) if k > 0 else down(k)

    return down(n)


@refused(three)
def recursion_that_grows(n):
    def walk(k):
        return (k, *walk(k - 1)) if k > 0 else ()

    return walk(n)
