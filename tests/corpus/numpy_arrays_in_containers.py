"""Arrays that are changed in place while containers of staged length hold them."""

from __future__ import annotations

from collections import defaultdict, deque

import numpy as np

from tests.corpus.registry import case, program

PLACES = np.array([0, 1, 2, 0, 1, 3, 0, 2] * 4)
GAINS = np.array([1.0, -1.0, 2.0, 0.5, 0.0, 3.0, -2.0, 1.0] * 4)

SERIES = (
    case(PLACES, GAINS, 5),
    case(PLACES[::-1].copy(), GAINS * 2 + 1, 7),
    case(PLACES[:6], abs(GAINS[:6]) + 0.1, 4),
)


class Mean:
    def __init__(self):
        self.count = 0
        self.total = np.zeros(2)

    def add(self, value):
        self.count += 1
        self.total += value


@program(*SERIES, compiled=True)
def values_of_states(places, gains, count):
    values = defaultdict(lambda: np.zeros(3))
    for place, gain in zip(places, gains):
        items = int(place) % 3
        values[place][items] += 0.5 * (
            gain + 0.9 * np.max(values[place + 1]) - values[place][items]
        )
    return dict(values)


@program(*SERIES, compiled=True)
def values_of_pairs(places, gains, count):
    values = {}
    for place, gain in zip(places, gains):
        k = (int(place), int(place) % 2)
        if k not in values:
            values[k] = np.zeros(2)
        values[k][0] += gain
        values[k][1] = values[k][0] * 2
    return values


@program(*SERIES)
def last_one_kept(places, gains, count):
    out = []
    last = np.zeros(2)
    for place, gain in zip(places, gains):
        if gain > 0:
            v = np.array([gain, place * 1.0])
            out.append(v)
            last = v
    last += 100
    return (out, last)


@program(*SERIES, compiled=True)
def in_a_list_and_a_dict(places, gains, count):
    items = []
    table = {}
    for place, gain in zip(places, gains):
        v = np.array([gain, 1.0])
        items.append(v)
        table[place] = v
    for k in table:
        table[k] *= 2
    return (items, table)


@program(*SERIES)
def the_same_object(places, gains, count):
    items = []
    for place, gain in zip(places, gains):
        if gain > 0:
            items.append(np.array([gain, 1.0]))
    b = items[0]
    b += 1
    return (items[0] is b, items[1] is b, items)


@program(*SERIES)
def in_a_deque(places, gains, count):
    items = deque(maxlen=3)
    for place, gain in zip(places, gains):
        items.append(np.full(2, gain))
        items[0][0] += 1
    return list(items)


@program(*SERIES, compiled=True)
def in_dicts_in_dicts(places, gains, count):
    table = {}
    for place, gain in zip(places, gains):
        table.setdefault(place, {"n": 0, "sum": np.zeros(2)})
        table[place]["n"] += 1
        table[place]["sum"] += gain
    return {k: v["sum"] / v["n"] for k, v in table.items()}


@program(*SERIES)
def in_objects(places, gains, count):
    table = {}
    for place, gain in zip(places, gains):
        if place not in table:
            table[place] = Mean()
        table[place].add(gain)
    return [(k, v.count, v.total) for k, v in table.items()]


@program(*SERIES)
def in_pairs(places, gains, count):
    items = []
    for place, gain in zip(places, gains):
        if gain > 0:
            items.append((place, np.zeros(2)))
    for k, v in items:
        v += k
    return items


@program(*SERIES)
def swapped_and_sorted(places, gains, count):
    items = []
    for place, gain in zip(places, gains):
        if gain > 0:
            items.append(np.array([gain, place * 1.0]))
    items[0], items[1] = (items[1], items[0])
    items[0][0] = 77
    items.sort(key=lambda v: v[0])
    items[0] *= 0
    return items


@program(*SERIES)
def rows_of_a_matrix(places, gains, count):
    matrix = np.zeros((4, 2))
    items = []
    for place, gain in zip(places, gains):
        if gain > 0:
            items.append(matrix[place])
    for v in items:
        v += 1
    return (items, matrix)


@program(*SERIES)
def one_array_many_times(places, gains, count):
    items = []
    c = np.zeros(2)
    for place, gain in zip(places, gains):
        if gain > 0:
            items.append(c)
        c += 1
    return items


@program(*SERIES)
def of_a_comprehension(places, gains, count):
    first = [np.zeros(2) for _ in range(count)]
    for place, gain in zip(places, gains):
        first[place] += gain
    return first


@program(*SERIES, compiled=True)
def velocities(places, gains, count):
    first = [np.array([gain, 1.0]) for gain in gains if gain > 0]
    second = [np.zeros(2) for _ in first]
    for i in range(len(first)):
        second[i] += first[i]
        first[i] += second[i]
    for p, v in zip(first, second):
        p -= v
    return (first, second)


@program(*SERIES)
def momentum(places, gains, count):
    first = {k: np.zeros(2) for k in "ab"}
    second = {k: np.zeros_like(first[k]) for k in first}
    for place, gain in zip(places, gains):
        for k in first:
            second[k] *= 0.9
            second[k] += gain
            first[k] -= second[k]
        if gain > 1:
            first["a"][0] = 0
    return (first, second)


@program(*SERIES)
def of_several_sizes(places, gains, count):
    items = []
    for place, gain in zip(places, gains):
        if gain > 0:
            items.append(np.zeros(place + 1))
    for i, v in enumerate(items):
        v[0] = i
        v[-1] += 1
    return items


@program(*SERIES)
def of_several_dtypes(places, gains, count):
    items = []
    for place, gain in zip(places, gains):
        if gain > 0:
            items.append(np.zeros(2))
        else:
            items.append(np.zeros(2, dtype=int))
    for v in items:
        v += 1
    return items


@program(*SERIES)
def under_a_mask(places, gains, count):
    items = []
    for place, gain in zip(places, gains):
        if gain > -5:
            items.append(np.arange(4.0))
    items[int(count) % len(items)][gains[:4] > 0] = 9
    return items


@program(*SERIES)
def the_least(places, gains, count):
    items = []
    for place, gain in zip(places, gains):
        if gain > -5:
            items.append(np.array([gain, place * 1.0]))
    m = min(items, key=lambda v: v[0])
    m[1] = -1
    return items


@program(*SERIES)
def methods_in_place(places, gains, count):
    first = []
    for place, gain in zip(places, gains):
        if gain > 0:
            first.append(np.zeros(2))
    first[0][:] = gains[:2]
    first[0].fill(3)
    np.add.at(first[0], [0, 0], 1.0)
    first[0].sort()
    first[-1][...] = first[0]
    return first


@program(case(PLACES, GAINS, []), case(PLACES[:6], abs(GAINS[:6]) + 0.1, []), mutate=False)
def of_a_list_outside(places, gains, log):
    for place, gain in zip(places, gains):
        if gain > 0:
            log.append(np.array([gain, place * 1.0]))
    for item in log:
        item[0] += 1


@program(case(PLACES, GAINS, {}), case(PLACES[:6], GAINS[:6], {}), mutate=False)
def of_a_dict_outside(places, gains, table):
    for place, gain in zip(places, gains):
        if place not in table:
            table[place] = np.zeros(2)
        table[place] += gain


@program(*SERIES)
def in_attempts(places, gains, count):
    items = []
    for place, gain in zip(places, gains):
        try:
            if gain < 0:
                raise ValueError("neg")
            items.append(np.array([gain, 1.0]))
        except ValueError:
            items[-1] *= -1
        finally:
            items[0] += 1
    return items


@program(*SERIES)
def in_closures(places, gains, count):
    items = []

    def add(gain):
        items.append(np.array([gain, 1.0]))

    def bump(k):
        items[k] += 1

    for place, gain in zip(places, gains):
        if gain > 0:
            add(gain)
        bump(-1)
    return items


@program(*SERIES)
def in_recursion(places, gains, count):
    items = []

    def go(k):
        if k >= count:
            return
        items.append(np.zeros(2))
        items[k // 2] += 1
        go(k + 1)

    go(0)
    return items


@program(*SERIES)
def passed_on(places, gains, count):

    def go(items, k):
        if k >= count:
            return items
        items.append(np.full(2, float(k)))
        items[0] += k
        return go(items, k + 1)

    return go([np.zeros(2)], 0)


@program(*SERIES)
def given_by_a_generator(places, gains, count):
    items = []

    def each():
        for v in items:
            yield v

    for place, gain in zip(places, gains):
        if gain > 0:
            items.append(np.array([gain, 1.0]))
    for v in each():
        v += 1
    return items


@program(*SERIES)
def in_lists_of_lists(places, gains, count):
    items = [[] for _ in range(4)]
    for place, gain in zip(places, gains):
        items[place].append(np.array([gain, 1.0]))
        items[place][0] += 1
    return items


@program(*SERIES)
def in_slices(places, gains, count):
    items = []
    for place, gain in zip(places, gains):
        if gain > 0:
            items.append(np.array([gain, 1.0]))
    for v in items[1:3]:
        v += 1
    b = items[::-1]
    b[0] -= 1
    c = list(items)
    c[0] *= 3
    table = items + [np.zeros(2)]
    table[-1] += 2
    table[0] += 5
    return (items, b, c, table)


@program(*SERIES)
def stacked(places, gains, count):
    items = []
    for place, gain in zip(places, gains):
        if gain > 0:
            items.append(np.array([gain, 1.0]))
    items[0] += 1
    matrix = np.array(items)
    second = np.vstack(items)
    items[1] -= 9
    matrix[0] = 5
    return (matrix, second, np.mean(items, axis=0), sum(items), items)


@program(*SERIES)
def joined(places, gains, count):
    items = []
    for place, gain in zip(places, gains):
        if gain > 0:
            items.append(np.array([gain, 1.0]))
    items[0] += 1
    b = [v * 2 for v in items]
    return (
        np.concatenate(items),
        np.stack(items, axis=1),
        np.array(items).sum(0),
        np.max(items),
        np.hstack(items),
        np.mean(b, 0),
        np.asarray(items) @ np.ones(2),
    )


@program(*SERIES, compiled=True)
def sums_of_classes(places, gains, count):
    table = {}
    for place, gain in zip(places, gains):
        if place not in table:
            table[place] = np.zeros(2)
        table[place] += gain
    keys = sorted(table)
    matrix = np.array([table[k] for k in keys])
    best = max(table, key=lambda k: table[k].sum())
    tot = sum((v.sum() for v in table.values()))
    return (keys, matrix, best, tot, {k: v / tot for k, v in table.items()})


@program(*SERIES)
def chosen_by_an_expression(places, gains, count):
    items = []
    for place, gain in zip(places, gains):
        items.append(np.array([gain, 1.0]))
    best = items[0]
    for v in items:
        best = v if v[0] > best[0] else best
    best[1] = 100
    return (best, items)


@program(*SERIES)
def the_best_or_none(places, gains, count):
    items = []
    best = None
    for place, gain in zip(places, gains):
        v = np.array([gain, 1.0])
        items.append(v)
        if best is None or v[0] > best[0]:
            best = v
    best += 50
    return (best, items)


@program(*SERIES)
def unpacked(places, gains, count):
    items = []
    for place, gain in zip(places, gains):
        if gain > 0:
            items.append(np.array([gain, 1.0]))
    x, y, *rest = items
    x += 1
    y -= 1
    rest[0] += 7
    return items


@program(*SERIES)
def deleted_and_inserted(places, gains, count):
    items = []
    for place, gain in zip(places, gains):
        if gain > 0:
            items.append(np.array([gain, 1.0]))
    v = items[1]
    del items[0]
    items.insert(0, np.zeros(2))
    items[1] += 1
    items.remove
    items.extend([v, v])
    items[-1] += 1
    return items


@program(*SERIES)
def in_copies_of_dicts(places, gains, count):
    first = {}
    for place, gain in zip(places, gains):
        first[place] = np.array([gain, 1.0])
    values = dict(first)
    values[0] += 1
    C = {k: v.copy() for k, v in first.items()}
    C[0] += 100
    for k, v in first.items():
        v -= 1
    p = first.pop(1)
    p += 4
    return (first, values, C, p)


@program(*SERIES)
def of_integers(places, gains, count):
    items = []
    for place, gain in zip(places, gains):
        if gain > 0:
            items.append(np.array([place, 1]))
    items[0] += 1
    items[1] <<= 1
    items[0] %= 2
    return items


@program(*SERIES)
def that_raise(places, gains, count):
    items = []
    for place, gain in zip(places, gains):
        if gain > 0:
            items.append(np.array([place, 1]))
    try:
        items[0] += 1.5
    except Exception as e:
        return (type(e).__name__, items)
    return items


@program(*SERIES)
def changed_by_a_function(places, gains, count):

    def bump(v):
        v += 1
        return v

    items = []
    for place, gain in zip(places, gains):
        if gain > 0:
            items.append(bump(np.array([gain, 1.0])))
    w = bump(items[0])
    return (w is items[0], items)


@program(*SERIES)
def through_views(places, gains, count):
    items = []
    for place, gain in zip(places, gains):
        if gain > 0:
            items.append(np.arange(4.0))
    items[0].reshape(2, 2)[1, 0] = 9
    items[1].ravel()[0] = 8
    b = items[2][1:3]
    b += 1
    items[3][::2] = 0
    return items


@program(*SERIES)
def of_no_item(places, gains, count):
    items = []
    for place, gain in zip(places, gains):
        if gain > 100:
            items.append(np.zeros(2))
    for v in items:
        v += 1
    if items:
        items[0] += 1
    return items


@program(*SERIES)
def weights_by_index(places, gains, count):
    W = [np.ones((2, 2)), np.zeros((2, 2))]
    for place, gain in zip(places, gains):
        W[place % 2] += gain
    W.append(np.zeros((2, 2)))
    W[-1][0] = 3
    return W
