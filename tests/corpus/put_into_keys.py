"""What makes keys or members of items, one by one: generators, chosen items, stars."""

from __future__ import annotations

from collections import Counter, OrderedDict, defaultdict, deque

import autograph as ag
from tests.corpus.registry import case, program

t = ag.asarray
N = (case(t(3)), case(t(0)), case(t(1)))


@program(*N)
def updated_with_generators(n):
    d, c = {"z": 0}, Counter("a")
    d.update((k, 1) for k in "ab" if n > 2)
    c.update(k for k in "aba" if n > 0)
    return d, c, OrderedDict((v, 1) for v in range(n)), defaultdict(int, ((v, 1) for v in range(n)))


@program(*N)
def made_of_generators(n):
    few = [0, 1] if n > 2 else [2]
    first = set(k for k in "ab" if n > 0), dict((k, 1) for k in "ab" if n > 0)
    more = Counter(k for k in "abca" if n > 1 or k == "a"), OrderedDict((v, 1) for v in few)
    return first, more, set(k * 2 for k in (1, 2, 3) if k > n)


@program(*N)
def updated_with_chosen_items(n):
    members, counts = {"q"}, Counter("zz")
    members.update([k for k in "ab" if n > 0])
    counts.update([k for k in "aba" if n > 2 or k == "b"])
    return members, counts


@program(*N)
def sets_with_stars(n):
    names, many = ["a", "b"], deque([1])
    if n > 2:
        names.append("c")
    if n > 1:
        many.append(2)
    filtered = [k for k in "abc" if n > 1 or k == "a"]
    try:
        return {*names}, {*[k for k in range(int(n))]}, {*range(int(n)), 5}, {*many}, {*filtered}
    except TypeError as error:
        return str(error)


@program(*N)
def texts_of_a_list_that_grew(n):
    few = [1]
    if n > 1:
        few.append(2)
    print(f"got {few}")
    if n > 2:
        raise ValueError(f"bad: {few!r}")
    return f"{few} {len(few)}"


@program(*N)
def empty_lists_as_tensors(n):
    numbers = [v for v in range(int(n))]
    return ag.asarray(numbers, dtype=ag.int64), ag.asarray([v * 1.0 for v in numbers])


class Tens(dict):
    def __setitem__(self, key, value):
        dict.__setitem__(self, key, value * 10)


class Raised(set):
    def add(self, member):
        set.add(self, member * 10)


@program(*N)
def methods_that_update_does_not_ask(n):
    tens, raised = Tens(), Raised()
    tens.update((k, 1) for k in (1, 2) if n > 0)
    raised.update(k for k in (1, 2) if n > 0)
    return tens, raised


@program(*N)
def formats_of_a_list_that_grew(n):
    few = [1]
    if n > 1:
        few.append(2)
    try:
        return f"{few:>10}"
    except TypeError as error:
        return str(error), f"{few!r:>10}", f"{few!s}"
