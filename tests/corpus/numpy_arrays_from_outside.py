"""Arrays of the caller's in containers of staged length: these stay the caller's arrays."""

from __future__ import annotations

from collections import defaultdict

import numpy as np

from tests.corpus.registry import case, program, stateful

ONE, TWO, NONE = np.int64(1), np.int64(2), np.int64(0)
COUNTS = (case(ONE), case(TWO), case(ONE))


class Model:
    def __init__(self):
        self.state = np.zeros(2)
        self.history = []
        self.first = np.zeros(1)
        self.table = {0: self.first, 1: np.ones(1)}
        self.rows = [self.first, np.full(1, 3.0)]
        self.values = defaultdict(lambda: np.zeros(3))
        self.c = [np.zeros(2), np.ones(2)]  # as the objects are called that paths refer to


def method(f):
    """A program that works on one model, which is looked at after each call."""

    def made():
        model = Model()

        def run(*args):
            return f(model, *args)

        return run, model

    made.__name__, made.__module__ = f.__name__, f.__module__
    return made


@stateful(*COUNTS)
@method
def kept_many_times(model, count):
    model.state += 1
    for _ in range(int(count)):
        model.history.append(model.state)


@stateful(*COUNTS, case(TWO))
@method
def grown_from_call_to_call(model, count):
    for _ in range(int(count)):
        model.c.append(model.state + 1)
        model.state += 1
    return model.c[-1]


@stateful(case(NONE), case(ONE), case(NONE), compiled=True)
@method
def put_under_a_key(model, key):
    model.table[int(key)] = model.state
    model.state += 1


@stateful(case(NONE, 1.0), case(ONE, 2.0), case(NONE, 3.0), compiled=True)
@method
def changed_under_a_key(model, key, gain):
    model.table[int(key)] += gain
    model.first *= 2
    return model.table[int(key)], model.first


@stateful(case(np.int64(5)), case(np.int64(6)), case(np.int64(5)))
@method
def a_key_beside_them(model, key):
    model.table[int(key)] = np.ones(1)
    return model.table[0]


@stateful(*COUNTS)
@method
def taken_before_it_grew(model, count):
    taken = model.rows[0]
    for _ in range(int(count)):
        model.rows.append(np.ones(1))
    return taken


@stateful(case(NONE), case(ONE))
@method
def cut_at_a_place(model, start):
    model.history = model.rows[int(start) :]
    return model.history[-1]


@stateful(*COUNTS)
@method
def chosen_in_turns(model, count):
    found = []
    for k in range(int(count)):
        for row in model.rows:
            if row[0] > k:
                found.append(row)
    model.history = found
    return max(model.rows, key=lambda row: row[0]), found


PLACES = np.array([0, 1, 2, 0, 1, 3, 0, 2])
GAINS = np.array([1.0, -1.0, 2.0, 0.5, 0.0, 3.0, -2.0, 1.0])


@stateful(*[case(PLACES[k:], GAINS[k:]) for k in (3, 0, 2, 0)], compiled=True)
@method
def an_agent(model, places, gains):
    for place, gain in zip(places, gains):
        key = (int(place), int(place) % 2)
        best = np.max(model.values[int(place) + 1, 0])
        model.values[key][int(place) % 3] += 0.5 * (gain + best - model.values[key].max())
    return len(model.values)


@program(case(np.arange(6.0).reshape(3, 2)), case(np.arange(8.0).reshape(4, 2)))
def rows_of_a_matrix(x):
    kept = [row for row in x]
    late = []
    for row in x:
        if row[0] > 1:
            late.append(row[1:])
    return kept, late, {k: row for k, row in enumerate(x)}, sorted(x, key=lambda row: -row[0])


@program(case([np.zeros(2), np.ones(2)], ONE), case([np.ones(2)], TWO), case([np.ones(2)], NONE))
def arguments_kept(arrays, count):
    found = []
    for _ in range(int(count)):
        for one in arrays:
            found.append(one)
    return found


@program(*COUNTS)
def one_array_at_several_places(count):
    same, found, table, last = np.zeros(2), [], {}, None
    for k in range(int(count)):
        last = np.full(3, k * 1.0)
        found.append(same)
        found.append(last)
        found.append(last[1:])
        table[k] = last
    return found, table, last


@program(*COUNTS)
def the_best_so_far(count):
    best, history = np.zeros(2), []
    for k in range(int(count)):
        other = best + k
        if other[0] % 2 == 0:
            best = other
        history.append(best)
    return best, history


NARROW = np.zeros(2, np.int16)


@program(*[case(NARROW, x) for x in (np.float64(7.9), np.float64(7e4), np.int64(70000))])
def integers_that_do_not_fit(a, x):
    try:
        a[1] = x
        a[:] = [x, x]
        a.fill(x)
        return np.array([x, 1], dtype=a.dtype)
    except OverflowError as error:
        return str(error)


@program(case(np.zeros(2, int), np.float64("nan")), case(np.zeros(2, int), np.float64("inf")))
def integers_that_are_none(a, x):
    found = []
    for put in (a.fill, lambda x: np.array([x, 1], dtype=int), lambda x: a.__setitem__(0, x)):
        try:
            found.append(put(x))
        except (ValueError, OverflowError) as error:
            found.append(str(error))
    return found, a


TURNED = np.arange(6.0).reshape(2, 3).T


@program(*[case(x) for x in (TURNED, TURNED.copy(), np.arange(3.0), np.arange(8.0).reshape(4, 2))])
def in_one_order(x):
    made = [
        *(np.ascontiguousarray(x), np.ascontiguousarray(x.T), np.asfortranarray(x)),
        *(np.asarray(x, order="C"), np.array(x, order="F", copy=None)),
        *(np.asfortranarray(x.T), x.astype(float, order="C", copy=False)),
    ]
    for k, one in enumerate(made):
        one[0] += k + 1
    return made, x


def read_only(*values):
    made = np.array(values)
    made.flags.writeable = False
    return made


LOW, HIGH = np.array([1.0, 5.0]), np.array([3.0, 2.0])


@program(case(LOW, HIGH, TWO), case(HIGH, LOW, np.int64(3)), compiled=True)
def chosen_of_two(x, y, count):
    found, table, best = [], {}, x
    for k in range(int(count)):
        if y[0] > k:
            best = y
        found.append(best)
        found.append(x if k % 2 else y)
        table[k] = x if x[k % 2] > y[k % 2] else y
    return found, table, best


@program(case([LOW, HIGH], TWO), case([HIGH, LOW, LOW + 1], np.int64(3)))
def chosen_by_place(arrays, count):
    found = []
    for k in range(int(count)):
        found.append(arrays[(k * 2) % 2])
    return found


@program(case(read_only(1.0, 2.0), LOW, TWO), case(read_only(4.0, 2.0), LOW, np.int64(3)))
def arrays_that_are_only_read(x, y, count):
    found = []
    for k in range(int(count)):
        found.append(x if k % 2 else y)
    found[0] += 1
    try:
        found[1] += 1
    except ValueError as error:
        return str(error), found, x, y
    return found
