"""Tensors that containers of staged length hold by value: which is which, and their gradients."""

from __future__ import annotations

import autograph as ag
from tests.corpus.registry import case, program, stateful

t = ag.asarray
N = (case(t(3)),)
X = (case(t(1.0)), case(t(-1.0)))


def grown(x, n):
    items = []
    for _ in range(n):
        items.append(x)
    return items


@program(*N, refused="StateError", naming=("same object",))
def one_that_was_put_in(n):
    x = ag.ones((2,))
    return grown(x, n)[0] is x


@program(*N, refused="StateError", naming=("same object",))
def two_that_were_taken(n):
    items = grown(ag.ones((2,)), n)
    return items[0] is items[1]


@program(*N)
def others(n):
    x, y = ag.ones((2,)), ag.ones((2,))
    first = grown(x, n)[0]
    again = first
    return first is y, x is y, x is x, first is None, first is again, first is not first + 1


@program(*N)
def equal_ones(n):
    x = t(2.0)
    items = grown(x, n)
    return x in items, items.index(x), items.count(x), items == grown(x, n)


@program(*X, refused="StateError", naming=("same object",))
def enumerated(x):
    a = t([1.0, 2.0])
    items = [a, a + 1]
    if x > 0:
        items.append(a * 2)
    for number, one in enumerate(items):
        x = x + one[0] * number
    return x, items[0] is a


@program(*X, refused="MergeError")
def enumerated_and_assigned(x):
    a = t([1.0, 2.0])
    items = [a, a + 1]
    if x > 0:
        items.append(a * 2)
    for number, one in enumerate(items):
        x = x + one[0] * number
    a[0] = 7.0
    return x, items


@stateful(*X)
def variables_enumerated():
    a, b, c = ag.Variable(1.0), ag.Variable(2.0), ag.Variable(3.0)

    def f(x):
        listed = [a, b]
        if x > 0:
            listed.append(c)
        total = 0
        for number, _ in enumerate(listed):
            total = total + number
        with ag.GradientTape() as tape:
            y = 0.0
            for one in listed:
                y = y + one * one
        return total, tape.gradient(y, [a, b])

    return f, (a, b, c)


@program(*N, refused="StateError", naming=("gradient",))
def watched_and_taken_again(n):
    items = grown(ag.ones((2,)), n)
    with ag.GradientTape() as tape:
        tape.watch(items[0])
        y = items[0] * items[0]
    return tape.gradient(y, items[0])


@program(*N, refused="StateError", naming=("gradient",))
def watched_and_computed_with_what_was_put_in(n):
    x = ag.ones((2,))
    items = grown(x, n)
    with ag.GradientTape() as tape:
        tape.watch(items[0])
        y = x * x
    return tape.gradient(y, x)


@program(*N, refused="StateError", naming=("gradient",))
def taken_as_a_source(n):
    x = ag.ones((2,))
    items = grown(x, n)
    with ag.GradientTape() as tape:
        tape.watch(x)
        y = x * x
    return tape.gradient(y, items[0])


@program(*N, refused="StateError", naming=("gradient",))
def taken_and_put_in(n):
    x = ag.ones((2,))
    items = grown(x, n)
    with ag.GradientTape() as tape:
        w = items[0]
        tape.watch(w)
        y = w * w + x * x
    return tape.gradient(y, w)


@program(*N, refused="StateError", naming=("gradient",))
def from_a_list_that_was_grown_before(n):
    x = ag.ones((2,))
    items = grown(x, n)
    with ag.GradientTape() as tape:
        tape.watch(x)
        y = x * items[1]
    return tape.gradient(y, x)


@program(*N, refused="StateError", naming=("gradient",))
def the_last_state_and_the_list_of_all(n):
    h = ag.ones((2,))
    with ag.GradientTape() as tape:
        tape.watch(h)
        states = []
        for _ in range(n):
            h = ag.tanh(h)
            states.append(h)
        y = 0.0
        for one in states:
            y = y + ag.sum(one)
    return tape.gradient(y, h)


@program(*N)
def taken_once(n):
    items = grown(ag.ones((2,)), n)
    with ag.GradientTape() as tape:
        w = items[0]
        tape.watch(w)
        y = w * w
    return tape.gradient(y, w)


@program(*N)
def of_what_the_list_was_made_from(n):
    x = ag.ones((2,))
    with ag.GradientTape(persistent=True) as tape:
        tape.watch(x)
        items = []
        for i in range(n):
            items.append(x * i)
        y = ag.sum(items[1] * items[2])
    return tape.gradient(y, x)


@program(*N)
def of_what_is_in_the_list_itself(n):
    x = ag.ones((2,))
    with ag.GradientTape() as tape:
        tape.watch(x)
        items = grown(x, n)
        y = x * items[1]
    return tape.gradient(y, x)


@program(*N)
def of_the_last_state(n):
    x = ag.ones((2,))
    with ag.GradientTape() as tape:
        tape.watch(x)
        h, states = x, []
        for _ in range(n):
            h = ag.tanh(h)
            states.append(h)
        y = h * h
    return tape.gradient(y, h), len(states)


@program(case(t(5.0)), case(t(50.0)), refused="StateError", naming=("same object",))
def found_in_a_long_list(x):
    items = [t(float(i)) for i in range(40)]
    found = None
    for one in items:
        if one > x:
            found = one
            break
    return found is items[6]


TABLE = [(), (1,), (1, 2), (1, 2, 3), (1, 2, 3, 4), (1, 2, 3, 4, 5), (6, 6, 6, 6, 6, 6)]


@program(case(t(3)), case(t(6)), case(t(0)))
def one_of_the_rows_of_a_table(n):
    row, i = TABLE[0], 0
    while i < n:
        i += 1
        for k in range(len(TABLE)):
            if i == k:
                row = TABLE[k]
    return row


# assigned afterwards: the list would not see it -------------------------------------------------
@program(*N, refused="MergeError", naming=("h[0] = 5.0",))
def last_state_assigned(n):
    h, states = ag.ones((2,)), []
    for _ in range(n):
        h = ag.tanh(h)
        states.append(h)
    h[0] = 5.0
    return states[2], h


@program(*N, refused="MergeError")
def state_assigned_in_the_next_turn(n):
    h, states = ag.ones((2,)), []
    for _ in range(n):
        h[0] = 7.0
        h = ag.tanh(h)
        states.append(h)
    return states, h


@program(*N, refused="MergeError")
def part_of_a_tuple_assigned(n):
    h, states = (ag.ones((2,)), 1), []
    for _ in range(n):
        h[0][0] = 7.0
        h = (h[0] * 2, 3)
        states.append(h)
    return states, h


@program(*N)
def list_that_was_appended_and_changed(n):
    h, states = [1.0], []
    for _ in range(n):
        h[0] = h[0] + 7.0
        h = [h[0] * 2]
        states.append(h)
    h[0] = 5.0
    return states, h


@program(*N, refused="MergeError")
def one_of_two_assigned(n):
    h, states = ag.ones((2,)), []
    for i in range(n):
        other = h * 2
        if i > 0:
            h = other
            states.append(h)
    h[0] = 5.0
    return states, h


@program(*N, refused="MergeError")
def best_of_all_assigned(n):
    h, states = ag.ones((2,)), []
    best = h
    for i in range(n):
        h = h * 2
        if i == 1:
            best = h
        states.append(h)
    best[0] = 5.0
    return states, best


@program(*N, refused="MergeError")
def added_as_a_list_and_assigned(n):
    h, states = ag.ones((2,)), []
    for _ in range(n):
        h = h * 2
        states += [h]
    h[0] = 5.0
    return states, h


@program(*N, refused="MergeError")
def assigned_and_appended_in_each_turn(n):
    v, states = ag.zeros((3,)), []
    for i in range(n):
        v[i] = i + 1.0
        states.append(v)
    return states


@program(*N)
def assigned_and_copied_in_each_turn(n):
    v, states = ag.zeros((3,)), []
    for i in range(n):
        v[i] = i + 1.0
        states.append(ag.copy(v))
    v[0] = 9.0
    return states, v


@program(*N, refused="MergeError")
def what_another_name_stands_for(n):
    a, b, states = ag.zeros((3,)), ag.ones((3,)), []
    h = a if n > 2 else b
    for _ in range(n):
        states.append(h)
    a[0] = 9.0
    return states, h
