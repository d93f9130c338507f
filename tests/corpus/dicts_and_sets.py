"""Dicts and sets with staged keys, or that grow in staged loops."""

from __future__ import annotations

from collections import Counter, OrderedDict, defaultdict

import autograph as ag
from tests.corpus.registry import case, program

t = ag.asarray
COUNTS = (case(t(7)), case(t(3)), case(t(0)))


@program(*COUNTS)
def keys_of_a_loop(n):
    table = {}
    for i in range(n):
        table[i % 3] = i
    return table, len(table), 1 in table, table.get(2), table.get(7, -1), list(table)


@program(case(t(10)), case(t(1)))
def a_memo(n):
    memo = {}

    def fib(k):
        if k in memo:
            return memo[k]
        result = k if k < 2 else fib(k - 1) + fib(k - 2)
        memo[k] = result
        return result

    return fib(int(n)), len(memo)


@program(case(t(6)), case(t(1)))
def a_table_filled_upwards(n):
    ways = {0: 1, 1: 1}
    for i in range(2, n + 1):
        ways[i] = ways[i - 1] + ways[i - 2]
    return ways[int(n)], ways


@program(*COUNTS)
def a_cycle_is_found(n):
    k, seen, steps = int(n), set(), 0
    while k not in seen:
        seen.add(k)
        k = (k * k + 1) % 11
        steps += 1
    return steps, len(seen), k


@program(*COUNTS)
def a_counter(n):
    counts = Counter()
    for i in range(n):
        counts[i * i % 4] += 1
    return counts, counts[0], counts[9], counts.total(), counts.most_common(1), len(counts)


@program(*COUNTS)
def a_counter_of_an_iterable(n):
    counts = Counter([i % 3 for i in range(n)])
    counts.update([0, 5])
    counts.update(range(n))
    return counts


@program(*COUNTS)
def defaults(n):
    totals, groups = defaultdict(int), defaultdict(float)
    for i in range(n):
        totals[i % 2] += i
        groups[(i % 2, i % 3)] += i * 0.5
    return totals, groups, list(groups)


@program(*COUNTS)
def walked_over(n):
    squares = {i: i * i for i in range(n)}
    total = 0
    for key, value in squares.items():
        total += key * value
    for key in squares:
        total += key
    for value in squares.values():
        total += value
    return total, max(squares.values(), default=-1), sum(squares), list(squares.items())


@program(*COUNTS)
def methods_of_dicts(n):
    table = {i: i * i for i in range(n)}
    if 2 in table:
        del table[2]
    one = table.pop(1, None)
    seven = table.setdefault(7, 3)
    table.update({8: 1})
    table.update([(9, 2)])
    other = table.copy()
    other[0] = 100
    return table, one, seven, other, table == other, table | {5: 5}, table != table.copy()


@program(*COUNTS)
def the_last_pair(n):
    table = {i: i for i in range(n)}
    key, value = table.popitem()
    return key, value, table


@program(*COUNTS)
def a_key_that_is_missing(n):
    table = {i: i for i in range(n)}
    return table[5]


@program(*COUNTS)
def a_deleted_key_that_is_missing(n):
    table = {(i, 0): i for i in range(n)}
    del table[5, int(n) * 0]
    return table


@program(*COUNTS)
def a_dict_grows_while_it_is_walked_over(n):
    table = {i: 1 for i in range(n)}
    for key in table:
        table[key + 10] = 1
    return table


@program(*COUNTS)
def members_of_a_loop(n):
    found = set()
    for i in range(n):
        found.add(i * i % 5)
    found.discard(99)
    return found, len(found), 4 in found, 3 in found, sorted(found)


@program(*COUNTS)
def a_member_that_is_missing(n):
    found = {i for i in range(n)}
    found.remove(3)
    return found


@program(*COUNTS)
def comparisons_of_sets(n):
    found, other = {i % 4 for i in range(n)}, {0, 1, 2, 3, 9}
    return (
        found <= other,
        found < found.copy(),
        found == {0, 1, 2},
        found.issubset(other),
        found.isdisjoint({7}),
        found.issuperset([0]),
        sorted(found | {9}),
        sorted(found & other),
        sorted(found - {1}),
        sorted(found ^ {1, 7}),
    )


@program(*COUNTS)
def sets_changed_in_place(n):
    found = {i % 4 for i in range(n)}
    found |= {10}
    found.update([11], range(n))
    found -= {0}
    return sorted(found), min(found), len(found)


@program(*COUNTS)
def displays_with_staged_keys(n):
    k = int(n)
    return {k: 1, 3: 2, k + 1: 3}, {k, 3, 4}, {(k, "a"): k}


@program(case(t(1)), case(t(2)), case(t(0)))
def a_staged_key_is_assigned(n):
    table = {0: 0.0, 1: 0.0}
    table[int(n)] = 5.0
    return table


@program(*COUNTS)
def made_of_iterables(n):
    return dict(zip(range(n), range(1, n + 1))), set(range(n)), dict.fromkeys(range(n), 0)


@program(*COUNTS)
def strings_as_keys(n):
    table = {}
    for i in range(n):
        key = "even" if i % 2 == 0 else "odd"
        table[key] = table.get(key, 0) + i
    return table


@program(*COUNTS)
def mixed_keys(n):
    table = {}
    for i in range(n):
        if i % 3 == 0:
            table["three"] = i
        table[i // 2] = i
    return table, "three" in table, table.get("four", None)


@program(*COUNTS)
def an_ordered_dict(n):
    table = OrderedDict()
    for i in range(n):
        table[(i * 3) % 7] = i
    return list(table.items()), len(table)


@program(case(t([3, 1, 3, 2, 1])), case(t([1, 1])))
def tensors_as_values(x):
    last = {}
    for place in range(len(x)):
        last[int(x[place])] = x[place] * place
    return last


@program(case(t([1, 2, 3])), case(t([5, 5, 5])))
def duplicates(x):
    seen = set()
    for value in x:
        if int(value) in seen:
            return True
        seen.add(int(value))
    return False


@program(case(t([2, 7, 11, 15]), t(9)), case(t([3, 3]), t(7)))
def two_sum(x, target):
    places = {}
    for place in range(len(x)):
        wanted = int(target) - int(x[place])
        if wanted in places:
            return places[wanted], place
        places[int(x[place])] = place
    return None


@program(case(t([1.0, 2.0, 3.0]), t(5)), case(t([1.0, 2.0, 3.0]), t(0)))
def gradient_through_a_dict(x, n):
    with ag.GradientTape() as tape:
        tape.watch(x)
        sums = defaultdict(lambda: x[0] * 0.0)
        for i in range(n):
            sums[i % 2] = sums[i % 2] + x[i % 3] * i
        total = x[0]
        for value in sums.values():
            total = total + value * value
    return total, tape.gradient(total, x)


@program(case(t([1.0, 0.0, 2.0, 0.0, 1.0])))
def many_conditions_one_set(x):
    found = set()
    for place in range(5):
        if x[place] > 0:
            found.add(place)
    return sorted(found), len(found)


@program(*COUNTS)
def set_of_pairs(n):
    visited = {(0, 0)}
    x, y = 0, 0
    for i in range(n):
        x, y = (x + 1) % 2, (y + i) % 3
        visited.add((x, y))
    return len(visited), (1, 1) in visited, sorted(visited)


@program(*COUNTS, refused="StateError", naming=("order",))
def an_order_only_python_knows(n):
    found = {i for i in range(n)}
    return [i for i in found]


@program(*COUNTS)
def keys_of_two_kinds(n):
    table = {1: "int"}
    table[float(n)] = "float"
    return table
