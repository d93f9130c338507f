"""Lists of staged length: every method, operator and slice; short lists under staged indices."""

from __future__ import annotations

import autograph as ag
from tests.corpus.registry import case, program

t = ag.asarray
LENGTHS = (case(t(5)), case(t(2)), case(t(0)))


@program(*LENGTHS)
def slices_of_a_grown_list(n):
    xs = [i * i for i in range(n)]
    return xs[1:], xs[:-1], xs[::-1], xs[1:4:2], xs[-3:], xs[7:], xs[-1:-4:-2], len(xs[2:])


@program(*LENGTHS)
def slices_with_staged_bounds(n):
    k = int(n)
    xs = [10, 20, 30, 40]
    return xs[:k], xs[k:], xs[-k:], xs[k:1:-1], xs[: k - 3], xs[:n]


@program(case(t(2)), case(t(-1)), case(t(0)))
def a_staged_step(n):
    xs = list(range(7))
    return xs[:: int(n)], xs[5 : 1 : int(n)]


@program(*LENGTHS)
def insert_delete_pop_reverse(n):
    xs = [i * i for i in range(n)]
    xs.insert(1, 100)
    xs.insert(-1, 200)
    xs.insert(99, 300)
    del xs[0]
    popped = xs.pop(1)
    xs.reverse()
    return xs, popped, len(xs)


@program(*LENGTHS)
def search_of_a_grown_list(n):
    xs = [i % 3 for i in range(n)]
    return 2 in xs, 7 not in xs, xs.count(1), xs.count(n)


@program(*LENGTHS)
def index_and_remove(n):
    xs = [i * 2 for i in range(n)]
    place = xs.index(2)
    xs.remove(2)
    return place, xs, xs.index(4, 1)


@program(*LENGTHS)
def operators_of_grown_lists(n):
    xs = [i for i in range(n)]
    return xs + [7], [8] + xs, xs * 2, 3 * xs, xs == [0, 1], xs != xs.copy(), xs < [0, 2], xs >= xs


@program(*LENGTHS)
def repeated_by_a_staged_number(n):
    k = int(n)
    return [0.5] * k, k * [1, 2], [k] * 2


@program(*LENGTHS)
def augmented_lists(n):
    xs = list(range(n))
    ys = xs
    xs += xs
    xs += (5,)
    xs.extend(range(n))
    ys *= 2
    return xs, ys is xs


@program(*LENGTHS)
def slice_assignment(n):
    xs = list(range(n))
    xs[1:3] = [7, 8, 9]
    xs[:0] = [5]
    xs[len(xs) :] = [6, 6]
    xs[::2] = [0] * len(xs[::2])
    return xs


@program(case(t(5)), case(t(4)))
def slice_assignment_of_another_size(n):
    xs = list(range(n))
    xs[::2] = [1, 2, 3]
    return xs


@program(*LENGTHS)
def deleted_slices(n):
    xs = list(range(n)) + [10, 11, 12, 13]
    ys, zs = xs.copy(), xs.copy()
    del xs[1:3]
    del ys[::2]
    del zs[: -int(n)]
    return xs, ys, zs


@program(case(t(1)), case(t(-3)), case(t(3)))
def staged_places_of_a_short_list(n):
    xs, ys, zs = [1, 2, 3], ["a", None, 2.5], [[1], [2], [3]]
    del xs[n]
    popped = ys.pop(n)
    zs.insert(int(n), [4])
    return xs, ys, popped, zs


@program(case(t(1)), case(t(0)))
def a_popped_object_is_itself(n):
    a, b = [1], [2]
    xs = [a, b]
    popped = xs.pop(int(n))
    popped.append(5)
    return popped is a, popped is b, a, b, xs[0] is b


@program(*LENGTHS)
def rebound_in_a_loop(n):
    front, back = [], []
    for i in range(n):
        front = [i] + front
        back = back + [i * 0.5]
    return front, back


@program(*LENGTHS)
def elements_of_several_kinds(n):
    xs = [0]
    for i in range(n):
        xs.append(i * 0.5 if i > 2 else None)
    xs.append("end")
    return xs, len(xs)


@program(*LENGTHS)
def the_same_list_under_two_names(n):
    xs = []
    ys = xs
    for i in range(n):
        xs.append(i)
        ys.append(-i)
    zs = list(xs)
    zs.append(99)
    return xs, ys is xs, zs


@program(*LENGTHS)
def two_lists_swapped(n):
    xs, ys = [1], []
    for i in range(n):
        ys.append(i)
        xs, ys = ys, xs
    return xs, ys, len(xs)


@program(*LENGTHS)
def a_list_in_a_dict_and_an_attribute(n):
    table = {"found": [], "all": []}
    for i in range(n):
        table["all"].append(i)
        if i % 2 == 0:
            table["found"].append(i)
    return table, table["all"][-1:], len(table["found"])


@program(*LENGTHS)
def windows(n):
    xs = [(i * 7) % 5 for i in range(n)]
    return [sum(xs[i : i + 3]) for i in range(max(len(xs) - 2, 0))]


@program(*LENGTHS)
def unpacked(n):
    a, *b, c = list(range(n))
    return a, b, c


@program(case(t(3)), case(t(2)), case(t(5)))
def unpacked_exactly(n):
    a, b, c = [i + 0.5 for i in range(n)]
    return a + b * c


@program(case(t([1.0, 2.0])), case(t([1.0, -2.0])), case(t([1.0, 2.0, 3.0])))
def a_mask_is_unpacked(x):
    a, b = x[x > 0]
    return a * b


@program(*LENGTHS)
def tuples_of_staged_length(n):
    xs = tuple(range(n))
    total = 0
    for x in xs:
        total = total * 3 + x
    return xs, len(xs), xs[1:], total, isinstance(xs, tuple), 2 in xs


@program(*LENGTHS)
def cleared_and_filled_again(n):
    xs = list(range(n))
    xs.clear()
    for i in range(n):
        if i == 3:
            xs.clear()
        xs.append(i)
    return xs


@program(case(t([1.0, 2.0, 3.0, 4.0]), t(2)), case(t([1.0, 2.0, 3.0, 4.0]), t(0)))
def gradient_through_rearranged_items(x, n):
    with ag.GradientTape() as tape:
        tape.watch(x)
        xs = [v * v for v in x if v > 0]
        xs.insert(int(n), x[0] * x[1])
        xs.reverse()
        last = xs.pop(1)
        ys = xs[1:] + xs[:2]
        total = last * 0.5
        for place in range(len(ys)):
            total = total + ys[place] * place
    return total, tape.gradient(total, x)


@program(case(t([[1.0, 2.0], [3.0, 4.0]]), t(3)))
def gradient_of_rows_taken_and_joined(x, n):
    with ag.GradientTape() as tape:
        tape.watch(x)
        rows = []
        for i in range(n):
            rows.append(x[i % 2] * i)
        rows = rows[::-1] + rows[:1]
        del rows[0]
        y = ag.sum(ag.stack(rows) * ag.stack(rows))
    return y, tape.gradient(y, x)


@program(case(t([1.0, 2.0, 3.0]), t(2)))
def gradient_of_a_repeated_item(x, n):
    with ag.GradientTape() as tape:
        tape.watch(x)
        row = [x[0] * x[1]] * int(n) + [x[2]]
        total = sum(row, x[0])
    return total, tape.gradient(total, x)
