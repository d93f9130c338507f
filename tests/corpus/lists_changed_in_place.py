"""In-place operators on lists that a staged condition chose, and by staged numbers."""

from __future__ import annotations

from collections import Counter, deque

import autograph as ag
from tests.corpus.registry import case, program, stateful

t = ag.asarray

N = (case(t(3)), case(t(2)), case(t(5)), case(t(0)))


@program(*N)
def taken_extended_repeated(n):
    ls = [[1], [2, 3], [4]]
    c = ls[int(n) % 3]
    c += [5]
    c *= 2
    return (ls, c)


@program(*N)
def taken_extended_cut(n):
    ls = [[1], [2, 3], [4]]
    c = ls[int(n) % 3]
    c += [5]
    c.append(7)
    del c[0]
    return (ls, c)


@program(*N)
def chosen_entry_extended(n):
    d = {"a": [1], "b": [2, 3]}
    k = "a" if n > 2 else "b"
    d[k] += [3]
    return d


@program(*N)
def chosen_entry_repeated(n):
    d = {"a": [1], "b": [2, 3]}
    k = "a" if n > 2 else "b"
    d[k] *= 2
    return d


@program(*N)
def chosen_entry_replaced(n):
    d = {"a": [1], "b": [2, 3]}
    k = "a" if n > 2 else "b"
    d[k][:] = [1] + d[k]
    return d


@program(*N)
def chosen_entry_extended_and_sorted(n):
    d = {"a": [1], "b": [2, 3]}
    k = "a" if n > 2 else "b"
    d[k] += [3]
    d[k].append(4)
    d[k].sort()
    return d


@program(*N)
def exchanged_extended_repeated(n):
    a = [1]
    b = [2, 3]
    if n > 2:
        a, b = (b, a)
    a += [9]
    b *= 2
    return (a, b)


@program(*N)
def two_choices_of_lists(n):
    a = [1]
    b = [2, 3]
    c = a if n > 2 else b
    c += [9]
    d = a if n > 3 else b
    d += [8]
    d *= 2
    d.sort()
    return (a, b)


@program(*N)
def buckets_extended(n):
    buckets = [[] for _ in range(3)]
    for i in range(n):
        buckets[i % 3] += [i]
    return buckets


@program(*N)
def buckets_by_known_turns(n):
    buckets = [[], [], []]
    for i in range(3):
        buckets[int(n + i) % 3] += [i]
        buckets[int(n) % 3] *= 2
    return buckets


@program(*N)
def chosen_by_turns(n):
    a = [1]
    b = [2, 3]
    for i in range(n):
        c = a if i % 2 else b
        c *= 2
        c += [i]
        c *= 1 + i % 2
    return (a, b)


@program(*N)
def chosen_deques(n):
    a = deque([1])
    b = deque([2, 3])
    c = a if n > 2 else b
    c += [9]
    c *= 2
    return (a, b)


@program(*N)
def repeated_so_often(n):
    a = [1]
    b = [2, 3]
    c = a if n > 2 else b
    c *= int(n)
    c *= 2
    c += c
    return (a, b, c)


@program(*N)
def repeated_on_one_path(n):
    a = [1]
    if n > 2:
        a.append(5)
    b = a
    a *= 2
    a *= int(n)
    return (a, b, a is b)


@program(*N)
def slices_of_a_chosen_list(n):
    a = [1]
    b = [2, 3]
    c = a if n > 2 else b
    c += [4]
    c[:] = c * 2
    c[1:2] = []
    c[::2] = [0] * len(c[::2])
    return (a, b)


@program(*N)
def repeated_in_place(n):
    a = [1, 2]
    b = a
    a *= int(n)
    return (a, b, a is b)


@program(*N)
def repeated_by_a_tensor(n):
    a = [1, 2]
    b = a
    a *= n
    return (a, b, a is b)


@program(*N)
def grown_repeated_in_place(n):
    a = [i for i in range(n)]
    b = a
    a *= 2
    a *= int(n)
    return (a, b, a is b)


@program(*N)
def deque_repeated_in_place(n):
    a = deque([1, 2])
    b = a
    a *= 2
    a *= int(n)
    return (a, b, a is b)


@program(*N)
def an_entry_repeated_in_place(n):
    d = {"k": [1]}
    x = d["k"]
    d["k"] *= int(n)
    x.append(9)
    return (d, x)


@program(*N)
def repeated_by_a_float(n):
    a = [1, 2]
    b = a
    try:
        a *= float(n)
    except TypeError as e:
        return str(e)


@program(*N)
def extended_by_a_number(n):
    a = [1, 2]
    b = a
    try:
        a += int(n)
    except TypeError as e:
        return str(e)


@program(*N)
def repeated_by_a_bool(n):
    a = [1, 2]
    b = a
    a *= (n > 2).item()
    try:
        a -= int(n)
    except TypeError as e:
        return (str(e), a, b)


@program(*N)
def repeated_by_turns(n):
    a = [1, 2]
    b = a
    a *= -int(n)
    for i in range(n):
        a.append(i)
        a *= i
    return (a is b, a, b)


@program(*N)
def tuples_and_strings_repeated(n):
    a = (1, 2)
    b = a
    a *= int(n)
    s = "ab"
    s *= int(n)
    return (a, b, s)


@program(*N)
def a_full_deque_repeated(n):
    a = deque([1, 2], maxlen=3)
    b = a
    a *= 2
    a *= int(n)
    a.append(7)
    return (a, b, a is b)


@stateful(
    *(case(ag.asarray(x), ag.asarray(1.5), ag.asarray(n)) for x in (1.0, 3.0) for n in (3, 0))
)
def computed_items_beside_those_of_a_list_from_outside():
    owner = {"items": [ag.asarray(2.0)]}

    def run(x, y, n):
        a = [x, y, y * 0.5]
        c = owner["items"]
        for i in range(n):
            if x > y:
                a[i] = x * 2
            else:
                c.append(y * 1)
            c = a
        return [v * 1 for v in a], len(c)

    return run, owner


@program(case(t(2), [1, 2, 3]), case(t(0), [0]), case(t(7), []))
def filtered_in_place(n, kept):
    kept[:] = [one for one in kept if one != int(n)]
    items = [1, 2, 3, 4]
    same, holder = items, [items]
    items[:] = [one * 2 for one in items if one != int(n)]
    same.append(7)
    return kept, items, same, holder, same is items


@program(case(t(2)), case(t(0)), case(t(3)), compiled=True)
def filtered_in_a_loop(n):
    items = [1, 2, 3, 4]
    while n > 0:
        items[:] = [one + 1 for one in items if one != int(n)]
        n = n - 1
    return items, sum(items)


@program(case(t(2.0)), case(t(-1.0)))
def slices_given_what_a_branch_has_grown(x):
    more, table = [1], {1: 2}
    if x > 0:
        more.append(float(x))
        table[3] = 4
    items = [5, 6, 7]
    items[1:] = more
    items[:0] = more
    items[len(more) :] = [one for one in more if one > 1]
    items[1:1] = table.items()
    try:
        items[::2] = more
    except ValueError as error:
        return str(error), items
    return items


@program(case(t(2)), case(t(5)))
def counted_from_a_deque(n):
    waiting = deque([int(n), 1])
    counts, members = Counter(waiting), {5}
    counts.update(waiting)
    counts.subtract(deque([1]))
    members.update(waiting)
    try:
        del waiting[int(n)]
    except IndexError as error:
        return counts, sorted(members), str(error), {}.setdefault(1, waiting)
    return counts, sorted(members), {}.setdefault(1, waiting)


@program(case([t(0.3), t(0.9), t(0.1), t(0.5)]), case([t(0.0)] * 5), compiled=True)
def bucket_sort(a):
    buckets = [[] for _ in range(len(a))]
    for x in a:
        buckets[int(len(a) * x)].append(x)
    found = []
    for one in buckets:
        found = found + sorted(one)
    return found, [len(one) for one in buckets]


@program(case([t(13), t(2), t(33), t(92)]), case([t(5), t(4), t(15)]))
def queues_by_digit(a):
    queues = [deque() for _ in range(6)]
    pairs = {key: [] for key in range(6)}
    for place, x in enumerate(a):
        queues[x % 6].appendleft(x)
        pairs[int(x) % 6].append((place, int(x)))
    return [list(one) for one in queues], pairs, queues[3][0] if queues[3] else None


@program(case(t(1)), case(t(2)))
def lists_of_several_kinds_of_which_one_grows(n):
    rows = [["a"], [1.5, None], [n], []]
    rows[n].append(2)
    rows[n % 4].append(n + 1)
    return rows, rows[n][-1] * 2, len(rows[2])


@program(case([[t(1)] * 3, [t(2), t(3), t(4)], [t(5), t(6), t(7)]], t(1), t(5)), compiled=True)
def table_of_tensors_changed_by_places(table, k, n):
    before = table[k][0]
    for i in range(n):
        table[(k + i) % 3][(i * i) % len(table)] -= 2 * table[i % 3][k]
    return table[2], before, table[k][k], [sum(row) for row in table]


@program(
    case([[t(1), t(2)], [t(3), t(4)], [t(5), t(6)]], t(1)), case([[t(1)], [t(3)], [t(5)]], t(0))
)
def rows_exchanged_by_places(table, k):
    first, other = table[k][0], table[k - 1][k]
    table[k][0], table[k - 1][k] = other, first
    table[k + 1][k] = first
    return table, first is other
