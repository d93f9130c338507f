"""`itertools.count` that was there before the call: ids of events, of nodes, ties in a heap."""

from __future__ import annotations

import heapq
import itertools

import autograph as ag
from tests.corpus.registry import case, program, stateful

t = ag.asarray


@stateful(case(t([3.0, 1.0, 2.0, 1.0])), case(t([1.0, 1.0, 1.0])), case(t([2.0])), checks=False)
def ties_in_a_heap():
    counter = itertools.count()

    def f(times):
        queue = []
        for time in times:
            heapq.heappush(queue, (time, next(counter)))
        return [heapq.heappop(queue) for _ in range(len(queue))]

    return f, counter


@stateful(case(1.5), case(0.5), case(0.75), case(-1.0), checks=False)
def events_of_a_simulation():
    class Simulation:
        def __init__(self):
            self.ids = itertools.count(10, 5)
            self.queue = []

        def push(self, time):
            if time < 0:
                raise ValueError("time runs on")
            heapq.heappush(self.queue, (time, next(self.ids)))
            return len(self.queue)

    simulation = Simulation()
    return lambda time: simulation.push(time), simulation


@stateful(case(t(2.0)), case(t(0.5)), case(t(3.0)), checks=False)
def nodes_with_ids():
    class Node:
        ids = itertools.count(1)

        def __init__(self, value):
            self.value = value
            self.id = next(Node.ids)

    def f(x):
        a = Node(x)
        b = Node(x * 2) if x > 1 else a
        return a.id, b.id, Node(b.value).id, b.value

    return f, Node.ids


@stateful(case(t(4)), case(t(0)), case(t(1)), checks=False)
def in_a_loop_of_staged_length():
    counter = itertools.count(0.5, 0.25)

    def f(n):
        total = 0.0
        while n > 0:
            total += next(counter)
            n -= 1
        return total

    return f, counter


@stateful(case(t(2.0)), case(t(-2.0)), checks=False)
def by_its_method():
    state = [0, itertools.count(3)]
    get_id = state[1].__next__

    def f(x):
        first = get_id()
        if x > 0:
            return x * get_id() + state[0]
        return x * first + state[1].__next__()

    return f, state


@program(
    case(t(4), itertools.count(2)),
    case(t(2), itertools.count(2.5)),
    case(t(2), itertools.count(-1, -1)),
    checks=False,
)
def given_as_an_argument(n, ids):
    found = []
    for _ in range(n):
        found.append(next(ids))
    return found, next(ids, None)


@stateful(case(t(2.0)), case(t(-2.0)), checks=False)
def what_is_raised_tells_it():
    counter = itertools.count()

    def f(x):
        try:
            number = next(counter)
            if x > 0:
                raise LookupError(number)
        except LookupError as error:
            return x, error.args[0]
        return x, -number

    return f, counter


@stateful(case(t(2.0)), case(t(-2.0)), checks=False)
def beside_gradients():
    counter = itertools.count(1)

    def f(x):
        with ag.GradientTape() as tape:
            tape.watch(x)
            y = x * x * next(counter)
        return tape.gradient(y, x), next(counter)

    return f, counter


@stateful(case(t(2.0)), refused="StateError", naming=("a count is advanced while tracing",))
def numbers_of_two_kinds():
    counter = itertools.count(0, 0.5)

    def f(x):
        return x * next(counter)

    return f, counter
