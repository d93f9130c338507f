"""Lists from outside that branches and loops append to, whether something reads them or not."""

from __future__ import annotations

import autograph as ag
from tests.corpus.registry import case, program, stateful

t = ag.asarray
ROWS = (
    case([t(1.0)], t(3)),
    case([], t(0)),
    case([t(1.0), t(2.0), t(3.0)], t(5)),
)

NUMBERS = (case([1], t(3)), case([], t(0)), case([7, 8, 9], t(5)), case([4], t(3)))


@program(*ROWS, compiled=True)
def in_a_branch(items, n):
    if n > 2:
        items.append(n * 2)
    return n


@program(*ROWS)
def in_order(items, n):
    items.append(1)
    if n > 2:
        items.append(n * 2)
    items.append(3)
    if n > 4:
        items.extend([n, 7])
    else:
        items += [8]
    items.append(9)
    return items


@program(*ROWS, compiled=True)
def in_a_loop(items, n):
    for i in range(n):
        if i % 2:
            items.append(n * i)
    return items


@program(*ROWS)
def read_afterwards(items, n):
    for i in range(n):
        items.append(i)
    return len(items), items[-1] if items else None


@program(*ROWS)
def read_before(items, n):
    before = len(items)
    if n > 2:
        items.append(n)
    return before


@program(*ROWS)
def read_meanwhile(items, n):
    for i in range(n):
        items.append(i)
        if len(items) > 4:
            items.pop(0)
    return n


@program(*ROWS)
def read_on_one_path(items, n):
    if n > 2:
        items.append(n)
        last = items[-1]
    else:
        items.append(n + 1)
        last = n
    items.append(5)
    return last, items


@program(*ROWS)
def read_in_the_next_turn(items, n):
    total = 0
    for i in range(n):
        if i > 0:
            total = total + len(items)
        if n > 1:
            items.append(i)
    return total


@program(*ROWS)
def two_names(items, n):
    other = items
    if n > 2:
        other.append(n)
    items.append(n + 1)
    return other is items, other


def _twice(stage):
    def given(a, b, n):
        if n > 2:
            a.append(n)
        b.append(n * 2)
        if n > 4:
            a.append(n * 3)
        return a is b

    staged = stage(given)
    shared: list[object] = []
    apart: list[object] = []

    def run(n):
        return staged(shared, apart, n), staged(shared, shared, n), staged(apart, shared, n)

    return run, (shared, apart)


@stateful(case(t(3)), case(t(5)), case(t(1)), decorates=True)
def one_list_twice(stage):
    return _twice(stage)


class Log:
    def __init__(self):
        self.entries = []
        self.metrics = {"loss": [], "kept": []}

    def note(self, value):
        if value > 2:
            self.metrics["kept"].append(value)
        self.metrics["loss"].append(value)


@stateful(case(t(3.0)), case(t(1.0)), case(t(5.0)), case(t(2.5)))
def attributes_and_dicts():
    log = Log()

    def f(x):
        log.note(x * 2)
        if x > 2:
            log.entries.append({"x": x})
        for i in range(2):
            log.note(x - i)
        return x

    return f, (log.entries, log.metrics)


@stateful(case(t(3.0)), case(t(1.0)), case(t(5.0)))
def tables_of_rows():
    rows: list[list[object]] = [[], [t(1.0)], [t(2.0), t(3.0)]]

    def f(x):
        for row in rows:
            if x > 2:
                row.append(x)
        if x > 4:
            rows.append([x])
        return x

    return f, rows


@program(*ROWS)
def caught(items, n):
    try:
        for i in range(n):
            items.append(i)
            if i == 3:
                raise ValueError("enough")
    except ValueError:
        items.append(-1)
    return n


@program(*ROWS)
def assigned_afterwards(items, n):
    if n > 2:
        items.append(n)
    items[:] = [1]
    if n > 4:
        items.append(2)
    return items


@program(*ROWS)
def by_recursion(items, n):
    def go(k):
        if k > 0:
            items.append(k)
            go(k - 1)

    go(n)
    return n


@program(*ROWS)
def given_on(items, n):
    def add(target, value):
        if value > 2:
            target.append(value)
        return target

    return add(add(items, n), n + 1) is items


@program(*ROWS)
def beside_a_local_list(items, n):
    local = []
    for i in range(n):
        items.append(i)
        local.append(i * 2)
    if n > 2:
        items.extend(local)
    return local


@program(*ROWS)
def assigned_after_appending(items, n):
    items.append(1)
    items[0] = 70
    if n > 2:
        items.append(n)
    items[-1] = 71
    return items


@program(*ROWS)
def sliced_after_appending(items, n):
    items.append(1)
    items[1:] = [n, 4]
    return items


@program(*NUMBERS)
def read_by_a_grown_list(items, n):
    """The list is read by others, whose length only the run tells: it is not constant."""
    out, parts, tail = [], [], [0, 1, 2]
    for i in range(n):
        out.append(i)
        parts.append(i)
        tail.append(i)
    out.extend(items)
    parts += items
    tail[1:] = items
    return out, parts, tail, parts + items, items + out


@program(*NUMBERS)
def extended_by_itself(items, n):
    for i in range(n):
        items.append(i)
    if n > 2:
        items.extend(items)
    return n


@stateful(case(t(0.5), t(6)), case(t(2.0), t(6)), case(t(0.5), t(2)), case(t(1.0), t(6)))
def one_of_three_of_which_one_is_outside():
    here: list[object] = []

    def f(x, n):
        own, chosen = [x * 1], [x * 2] if n < 3 else here
        (own if n > 1 else chosen).append(x * 3)
        chosen.append(1.5)
        return list(chosen)

    return f, here


@stateful(case(t(0), t(1)), case(t(2), t(1)), case(t(0), t(0)), case(t(0), t(2)))
def one_of_three_tables_outside():
    table = [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]
    counts: list[list[object]] = [[], [], []]

    def f(i, j):
        counts[i].append(j * 1)
        table[i][j] = table[j][i % 2] * 2.0
        return len(counts[j]), table[0][0] + table[1][1]

    return f, (table, counts)
