"""Keys that are equal although their kinds differ, and objects that say which are equal."""

from __future__ import annotations

from collections import Counter, defaultdict, deque, namedtuple
from dataclasses import dataclass

import numpy as np

import autograph as ag
from tests.corpus.registry import case, program

t = ag.asarray

N = (case(t(3)), case(t(2)), case(t(5)), case(t(0)))
NP = N[:3]


Pt = namedtuple("Pt", "a b")
Q = namedtuple("Q", "a b")


@dataclass(frozen=True)
class K:
    a: int
    b: str = "x"


@dataclass(frozen=True, order=True)
class O:
    a: int
    b: int


@dataclass(frozen=True)
class V:
    name: str
    tags: tuple = ()


class Pos:
    def __init__(self, x, y):
        self.x, self.y = x, y

    def __eq__(self, other):
        return isinstance(other, Pos) and self.x == other.x and self.y == other.y

    def __hash__(self):
        return hash((self.x, self.y))


TABLE = {K(1): "one", K(2, "y"): "two", K(3): "three"}


@program(*N)
def pairs_asked_for_by_their_names(n):
    d = {(1, 2): 5}
    return (d.get(Pt(int(n), 2)), Pt(int(n), 2) in d, d.get((int(n), 2)))


@program(*N)
def pairs_and_named_tuples_as_keys(n):
    d = {}
    d[int(n), 2] = 1
    d[Pt(3, 2)] = 2
    d[Q(2, 2)] = 3
    return (d, len(d))


@program(*N)
def pairs_and_named_tuples_as_members(n):
    s = {(int(n), 2)}
    s.add(Pt(3, 2))
    s.discard(Q(2, 2))
    return s


@program(*N)
def named_tuples_put_into_a_loop(n):
    d = {}
    for i in range(n):
        d[i % 2, 1] = i
        d[Pt(i % 3, 1)] = i * 10
    return d


@program(*N)
def known_keys_of_two_kinds(n):
    d = {1: "a", 2.0: "b", 3: "c"}
    return (d.get(int(n)), d.get(float(n)), d.get(bool(n > 2)), int(n) in d)


@program(*N)
def parts_of_keys_of_two_kinds(n):
    d = {(1, 2.0): "a", (3.0, 1): "b"}
    return (d.get((int(n), 1)), d.get((int(n), 2)), d.get((bool(n > 0), 2)))


@program(*N)
def members_of_three_kinds(n):
    s = set()
    for i in range(n):
        s.add(i)
        s.add(i * 0.5)
        s.add(i > 1)
    return (len(s), s)


@program(*N)
def floats_asked_for_by_ints(n):
    d = {}
    for i in range(n):
        d[i / 2] = i
    for i in range(n):
        if i in d:
            d[i] += 100
    return (d, d.pop(1, None), 1 in d)


@program(*N)
def keys_of_all_kinds(n):
    d = {None: 1, "a": 2, (1, 2): 3, 2: 4}
    k = int(n)
    return (d.get(k), d.get((k, 2)), d.get(str(k)), d.get(float(k)))


@program(*N)
def counted_by_kinds(n):
    d = Counter([1, 2.0, True, int(n), float(n)])
    return d


@program(*N)
def operators_of_sets_of_two_kinds(n):
    a = {1, 2.0, 3}
    b = {float(n), 1}
    return (a & b, a | b, a - b, a <= b, a == b)


@program(*N)
def bools_and_ints_as_keys(n):
    d = {True: 1}
    d[int(n) - 2] = 5
    d[float(n)] = 7
    return d


@program(*N)
def a_string_beside_numbers(n):
    d = {"x": 1}
    for i in range(n):
        d[i] = i
    d[1.0] = 9
    return (d, "x" in d, d.get("x"), d.get("y"))


@program(*N)
def dicts_of_two_kinds_compared(n):
    a = {1: 2, int(n): 5}
    b = {1.0: 2.0, float(n): 5}
    return (a == b, a != b)


@program(*N)
def a_chosen_kind_of_key(n):
    d = {}
    k = 1 if n > 2 else 1.0
    d[k] = 5
    d[True] = 6
    return d


@program(*N)
def a_chosen_kind_of_pair(n):
    d = {}
    k = (1, 2) if n > 2 else Pt(1, 2)
    d[k] = 5
    d[1, int(n)] = 6
    return d


@program(*N)
def pairs_of_an_int_and_a_float(n):
    d = {(i, i * 0.5): i for i in range(n)}
    d[1.0, 0.5] = "z"
    return d


@program(*N)
def which_of_equal_members_stays(n):
    a = {1, 2.0, 3}
    b = {float(n), 1}
    c = {True, int(n)}
    return (
        a & b,
        b & a,
        a.intersection([3.0, float(n)]),
        b.intersection((int(n),)),
        a & c,
        c & a,
        a.intersection(frozenset([1.0, 2]), c),
        a.intersection(b, c),
    )


@program(*N)
def views_of_keys_of_two_kinds(n):
    d = {1: 0, int(n): 1}
    return (
        d.keys() & {1.0, float(n)},
        {1.0, float(n)} & d.keys(),
        d.keys() & {True},
        {True} & d.keys(),
        d.keys() - {1.0},
        d.keys() | {1.0},
        d.keys() ^ {1.0, 2.0},
    )


@program(*N)
def named_tuples_in_common(n):
    s = {(i, 1) for i in range(n)}
    s &= {Pt(1, 1), Pt(2, 1)}
    return s


@program(*N)
def a_kind_for_each_turn(n):
    d = {}
    for i in range(n):
        if i > 1:
            d[i] = d.get(i * 1.0, 0) + 1
        else:
            d[i * 1.0] = d.pop(i, 0) + 1
    return (d, list(d), list(d.items()))


@program(*N)
def grouped_by_keys_of_three_kinds(n):
    d = defaultdict(list)
    for i in range(n):
        d[i % 2].append(i)
        d[float(i % 2)].append(-i)
        d[i % 2 == 0].append(0)
    return dict(d)


@program(*N)
def constants_asked_for_by_value(n):
    return (TABLE.get(K(int(n))), K(int(n)) in TABLE, TABLE.get(K(2, "y")))


@program(*NP)
def asked_whether_it_is_there(n):
    return TABLE[K(int(n))] if K(int(n)) in TABLE else "no"


@program(*N)
def a_missing_value(n):
    return TABLE[K(int(n))]


@program(*N)
def positions_seen(n):
    seen = {Pos(0, 0)}
    q = Pos(0, 0)
    for i in range(n):
        q = Pos(q.x + i % 2, q.y + (i % 3 == 0))
        seen.add(q)
    return (len(seen), Pos(1, 1) in seen, Pos(9, 9) in seen)


@program(*N)
def counts_by_position(n):
    d = {}
    for i in range(n):
        k = Pos(i % 2, 0)
        d[k] = d.get(k, 0) + i
    return (d, [(k.x, v) for k, v in d.items()])


@program(*N)
def sorted_frozen_keys(n):
    d = {}
    for i in range(n):
        k = O(i % 2, 0)
        d[k] = d.get(k, 0) + i
    return (d, sorted(d), [(k.a, v) for k, v in sorted(d.items())], str(d))


@program(*N)
def grouped_by_frozen_keys(n):
    d = defaultdict(list)
    for i in range(n):
        d[O(i % 2, 0)].append(i)
    return dict(d)


@program(*N)
def a_key_made_twice(n):
    k = O(int(n), 1)
    d = {k: 1}
    d[O(3, 1)] = 2
    return (d[k], len(d), k is list(d)[0], list(d)[0] == k)


@program(*N)
def counted_frozen_keys(n):
    c = Counter((O(i % 2, 0) for i in range(n)))
    return (c, c.most_common(1))


@program(*N)
def a_frozen_key_in_a_pair(n):
    d = {(O(1, int(n)), 2): 5}
    return (d.get((O(1, 3), 2)), d)


@program(*N)
def a_search_with_positions(n):
    start = O(0, 0)
    queue = deque([start])
    seen = {start}
    steps = 0
    while queue:
        c = queue.popleft()
        steps += 1
        for da, db in ((1, 0), (0, 1)):
            m = O(c.a + da, c.b + db)
            if m.a <= n and m.b < 2 and (m not in seen):
                seen.add(m)
                queue.append(m)
    return (steps, len(seen))


@program(*N)
def a_chosen_frozen_key(n):
    if n > 2:
        k = K(1)
    else:
        k = K(2, "y")
    return (TABLE[k], {k: 1}.get(K(1)))


@program(*N)
def members_taken_away(n):
    s = {K(int(n)), K(3)}
    s.discard(K(2))
    s.remove(K(3))
    return s


@program(*N)
def which_object_the_key_is(n):
    a = Pos(int(n), 1)
    d = {a: "a"}
    a2 = Pos(3, 1)
    return (d.get(a2), a in d, a2 == a, d[a], [k is a for k in d])


@program(*N)
def operators_of_sets_of_objects(n):
    a = {O(i % 2, 0) for i in range(n)}
    b = {O(1, 0)}
    return (a & b, a | b, a - b, a <= b, a == b)


@program(*N)
def values_changed_by_key(n):
    d = {}
    for i in range(n):
        d[Pos(i % 2, 0)] = Pos(i, i)
    for k in d:
        d[k].x += 10
    return [(k.x, v.x) for k, v in d.items()]


@program(*N)
def the_first_key_stays(n):
    p0 = Pos(0, 0)
    d = {p0: 1}
    for i in range(n):
        d[Pos(i % 2, 0)] = i
    return (d, d[p0], [k is p0 for k in d])


@program(*N)
def keys_with_strings(n):
    d = {}
    for i in range(n):
        d[V("ab"[i % 2], (i % 2,))] = i
    return (d, d.get(V("a", (0,))))


@program(*N)
def keys_with_staged_strings(n):
    d = {V(f"v{int(n)}"): 1, V("v3"): 2}
    return (d, V("v2") in d)


@program(*N)
def objects_beside_numbers(n):
    d = {1: 2, O(int(n), 0): 3}
    return (d.get(O(3, 0)), d.get(1), d.get(int(n)))


BLINKER = np.zeros((6, 6), int)
BLINKER[2, 1:4] = 1
BLOCK = np.zeros((6, 6), int)
BLOCK[1:3, 1:3] = 1


@program(case(BLINKER, 5), case(BLOCK, 5), case(BLINKER, 2))
def boards_seen_before(board, most):
    seen = {}
    for turn in range(most):
        key = tuple(board.ravel().tolist())
        if key in seen:
            return turn - seen[key], len(seen)
        seen[key] = turn
        near = [np.roll(np.roll(board, i, 0), j, 1) for i in (-1, 0, 1) for j in (-1, 0, 1)]
        count = sum(near) - board
        board = ((count == 3) | ((board == 1) & (count == 2))).astype(int)
    return -1, len(seen)


class Vector:
    """A key by a list of its coordinates."""

    def __init__(self, *coordinates):
        self.coordinates = list(coordinates)

    def __eq__(self, other):
        return self.coordinates == other.coordinates

    def __hash__(self):
        return hash(tuple(self.coordinates))

    def __add__(self, other):
        pairs = zip(self.coordinates, other.coordinates, strict=True)
        return Vector(*[a + b for a, b in pairs])


@program(case(t(2)), case(t(3)), case(t(0)))
def places_that_were_seen(n):
    seen = {Vector(0, 0): -1}
    place = Vector(0, 0)
    for i in range(3):
        place = place + Vector(int(n), i)
        if place in seen:
            break
        seen[place] = i
    return len(seen), Vector(2, 0) in seen, len({Vector(int(n), 1), Vector(2, 1)})


@program(case(t(2)), case(t(3)), case(t(0)))
def counts_by_place(n):
    counts = {}
    for i in range(int(n)):
        key = Vector(i % 2, 1)
        counts[key] = counts.get(key, 0) + i
    return counts.get(Vector(0, 1)), len(counts)


@program(case(np.array([97, 98, 99])), case(np.array([97, 98, 100])), compiled=True)
def strings_of_known_length_beside_known_ones(codes):
    s = "".join([chr(int(v)) for v in codes])
    other = s.translate({97: "xy", 98: None})
    table = {s: 1}
    found = (
        table.get("abc", 0),
        "abc" in table,
        "abc" in {s},
        "ab" in {s},
        {(s, 1): 2}.get(("abc", 1)),
    )
    table.setdefault("abc", 9)
    return found, table, other


@program(case(np.array([97, 55])), case(np.array([97, 56])))
def strings_of_other_parts(codes):
    number, code = int(codes[0]), int(codes[1])
    table = {"".join([chr(57), chr(code)]): 1}
    before = table.get("97"), f"{number}" in table
    table[f"{number}"] = 5
    table["97"] = table["97"] + 1
    return before, table, len(table)
