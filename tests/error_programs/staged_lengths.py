"""What is refused or fails: containers of which only the run tells the length."""

from __future__ import annotations

import collections
import dataclasses
import json

from tests.error_programs.registry import refused, three


@dataclasses.dataclass
class Point:
    x: int


@refused(three)
def deque_that_grows_while_it_is_gone_over(n):
    items = collections.deque()
    for i in range(n):
        items.append(i)
    for i in items:
        items.append(i)
    return items


@refused(three)
def dict_that_grows_while_it_is_gone_over(n):
    items = {}
    for i in range(n):
        items[i] = i
    for i in items:
        items[i + 10] = i
    return items


@refused(three)
def last_pair_of_an_empty_dict(n):
    seen = {}
    for i in range(n - 3):
        seen[i] = i
    return seen.popitem()


@refused(three)
def key_that_is_missing(n):
    seen = {}
    for i in range(n):
        seen[i] = i
    return seen[7]


@refused(three)
def member_that_is_missing(n):
    seen = set()
    for i in range(n):
        seen.add(i)
    seen.remove(7)
    return seen


@refused(three)
def pop_beyond_the_end(n):
    items = [i for i in range(n)]
    return items.pop(7)


@refused(three)
def pop_by_a_staged_index(n):
    items = [1, 2]
    return items.pop(n)


@refused(three)
def value_that_is_not_there(n):
    items = [1, 2]
    items.remove(n)
    return items


@refused(three)
def first_of_an_empty_deque(n):
    items = collections.deque()
    for i in range(n - 3):
        items.append(i)
    return items.popleft()


@refused(three)
def insertion_into_a_full_deque(n):
    items = collections.deque(maxlen=3)
    for i in range(n):
        items.append(i)
    items.insert(1, 5)
    return items


@refused(three)
def key_without_a_hash(n):
    seen = {}
    for i in range(n):
        seen[Point(i)] = i
    return seen


@refused(three)
def item_beyond_a_range(n):
    return range(n)[5]


@refused(three)
def item_of_an_enumeration(n):
    return enumerate(range(n))[2]


@refused(three)
def item_of_a_range_by_a_number(n):
    return range(n)[1.5]


@refused(three)
def item_of_a_range_by_a_float_tensor(n):
    return range(n)[n / 2]


@refused(three)
def item_of_the_values(n):
    d = {}
    for i in range(n):
        d[i] = i
    return d.values()[0]


@refused(three)
def item_beyond_a_tuple(n):
    return tuple(range(n))[5]


@refused(three)
def slice_of_some_bytes(n):
    return b"abcd"[:n]


@refused(three)
def deque_and_list(n):
    items = collections.deque()
    for i in range(n):
        items.append(i)
    return items + [1]


@refused(three)
def tuple_and_list(n):
    items = tuple(range(n))
    return items + [1]


@refused(three)
def difference_of_tuples(n):
    items = tuple(range(n))
    return items - (1,)


@refused(three)
def tuple_and_number(n):
    items = tuple(range(n))
    return items < 3


@refused(three)
def sum_of_ranges(n):
    return range(n) + range(n)


@refused(three)
def order_of_ranges(n):
    return range(n) < range(n)


@refused(three)
def slice_by_a_float_tensor(n):
    items = [i for i in range(n)]
    return items[: n / 2]


@refused(three)
def slice_by_a_float(n):
    items = [i for i in range(n)]
    return items[: int(n) / 2]


@refused(three)
def list_minus_number(n):
    items = [i for i in range(n)]
    items -= 1


@refused(three)
def sum_of_deques(n):
    items = collections.deque(i for i in range(n))
    return items + items


@refused(three)
def list_times_float(n):
    items = [i for i in range(n)]
    return items * 2.5


@refused(three)
def order_of_dicts(n):
    d = {}
    for i in range(n):
        d[i] = i
    return d < d


@refused(three)
def sum_of_sets(n):
    d = set()
    for i in range(n):
        d.add(i)
    return d + d


@refused(three)
def union_of_counters_in_place(n):
    d, e = collections.Counter(), collections.Counter()
    for i in range(n):
        d[i] += 1
        e[i] += 2
        d[2] += 5
    d |= e
    return d


@refused(three)
def sum_of_dicts_in_place(n):
    d = {}
    for i in range(n):
        d[i] = 1
    d += d
    return d


@refused(three)
def tuple_of_staged_length_as_a_key(n):
    return {tuple(range(n)): 1}


@refused(three)
def list_given_to_foreign_code(n):
    return json.dumps([i for i in range(n)])


@refused(three)
def list_given_to_a_method_of_a_set(n):
    d = [i for i in range(n)]
    s = {1}
    s.__xor__(d)
    return s


@refused(three)
def rest_of_a_dict(n):
    d = {}
    for i in range(n):
        d[i] = i
    match d:
        case {0: a, **rest}:
            return a, rest


@refused(three)
def item_by_a_key_without_a_hash(n):
    seen = {}
    for i in range(n):
        seen[i] = i
    return seen[Point(1)]


@refused(three)
def slice_of_a_tuple_of_tensors(n):
    return ("a", n)[: int(n)]
