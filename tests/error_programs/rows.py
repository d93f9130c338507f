"""What is refused or fails: containers of staged length, with staged keys or indices."""

from __future__ import annotations

import collections
import statistics

import autograph as ag
from tests.error_programs.registry import one, refused, three


class Point:
    def __init__(self, x):
        self.x = x


WEIGHT = ag.Variable(1.0)


@refused(three)
def id_of_a_member(n):
    points = [Point(i) for i in range(n)]
    return id(points[0])


@refused(three)
def tensor_as_a_key(n):
    table = {0: "zero"}
    table[int(n)] = "n"
    table[n] = "tensor"
    return len(table)


@refused(three)
def average_of_two_kinds(n):
    numbers = []
    for i in range(n):
        numbers.append(i if i % 2 else i * 0.5)
    return statistics.mean(numbers)


@refused(three)
def method_of_a_counter(n):
    counts = collections.Counter(i % 2 for i in range(n))
    return counts.__reduce__()


@refused(three)
def list_as_a_key(n):
    table = {int(n): 1}
    table[frozenset([1])] = 2
    return table


@refused(three)
def pop_of_a_set(n):
    return {i % 3 for i in range(n)}.pop()


@refused(three)
def pop_after_a_branch_that_pops_and_adds(n):
    todo = {0, 1, 2}
    if n > 2:
        todo.pop()
        todo.add(7)
    return todo.pop()


@refused(three)
def pop_after_a_branch_that_pops_and_joins(n):
    todo = {1, 2, 3}
    if n > 2:
        todo.pop()
        todo |= {0}
        todo.pop()
    return todo.pop()


@refused(three)
def loop_over_a_set(n):
    total = 0
    for i in {i % 3 for i in range(n)}:
        total = 2 * total + i
    return total


@refused(three)
def counter_subtracted(n):
    counts = collections.Counter(i % 2 for i in range(n))
    counts.subtract({0: 1})
    return counts


@refused(three)
def operator_of_a_dict_and_a_list(n):
    table = {i: 1 for i in range(n)}
    return table | [1]


@refused(three)
def deque_of_staged_items_rotated(n):
    items = collections.deque(range(n))
    return items.__reduce__()


@refused(three)
def namespace_under_a_staged_key(n):
    point = Point(n)
    vars(point)[int(n)] = 1
    return point.x


@refused(one)
def namespace_in_question(x):
    point = Point(x)
    if x > 0:
        point.y = x
    return vars(point)


@refused(three)
def ranges_compared(n):
    return range(n) == range(3)


@refused(three)
def tuple_repeated(n):
    return [1, 2] * n if isinstance(n, int) else b"ab" * int(n)


@refused(three)
def item_of_a_bytearray(n):
    items = bytearray(b"abc")
    items[int(n)] = 1
    return items


@refused(three)
def deleted_from_a_foreign_container(n):
    items = bytearray(b"abcdef")
    del items[int(n)]
    return items


@refused(three)
def lists_assigned_by_a_long_slice(n):
    items = collections.deque(range(n))
    items[0:1] = [1]
    return items


@refused(three)
def which_tensor_is_taken_from_a_list(n):
    x, items = ag.zeros((2,)), []
    for _ in range(n):
        items.append(x)
    return items[0] is x


@refused(three)
def assigned_and_appended_in_each_turn(n):
    x, items = ag.zeros((3,)), []
    for i in range(n):
        x[i] = 1.0
        items.append(x)
    return items


@refused(three)
def function_over_what_changes(n):
    kept = []

    def add(k):
        v = k * 2
        kept.append(lambda y: y * v)
        v = v + 1

    for k in range(n):
        add(k)
    return kept[0](1)


@refused(three)
def tuple_of_a_growing_list_as_a_key_of_rows(n):
    tokens, seen = [], set()
    for i in range(n):
        tokens.append(i)
        seen.add(tuple(tokens))
    return len(seen)


@refused(three)
def variable_as_a_key_of_rows(n):
    table = {0: "zero"}
    table[int(n)] = "n"
    return WEIGHT in table


@refused(one)
def variable_that_is_no_key(x):
    return {1: x}[WEIGHT]


@refused(three)
def gradients_by_parameters_that_have_two_names(n):
    parameters = {"w": ag.ones(()), "b": ag.ones((2,))}
    best = parameters
    for k in range(n):
        g = ag.grad(lambda p: ag.sum(p["w"] * p["b"]) ** 2)(parameters)
        if ag.sum(g["b"]) < 0:
            best = parameters
        moved = {}
        for key in parameters:
            moved[key] = parameters[key] - g[key]
        parameters = moved
    return best
