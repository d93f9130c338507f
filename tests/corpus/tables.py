"""Long known sequences of numbers: looked up, searched and gone over as data."""

from __future__ import annotations

import bisect

import autograph as ag
from tests.corpus.registry import case, program

t = ag.asarray

SQUARES = [k * k for k in range(4000)]
HALVES = [k / 2 for k in range(500)]
FLAGS = [k % 3 == 0 for k in range(700)]
PAIRS = [(k, k * 0.5) for k in range(900)]
CUBES = {k: k**3 for k in range(1500)}
ODD = set(range(1, 999, 2))
MIXED = [1, 2.5, True, -0.0] * 80
BEYOND = [2**70, 1, 2, 3] * 90
TALLY = list(range(300))
WORDS = [f"w{k}" for k in range(1200)]


@program(case(t(3)), case(t(3999)), case(t(-1)), case(t(-4000)), case(t(4000)), compiled=True)
def squares(n):
    return SQUARES[n]


@program(case(t(3)), case(t(499)), case(t(-500)))
def kinds(n):
    return HALVES[n], FLAGS[n], PAIRS[n], type(HALVES[n]) is float, HALVES[n] + 1


@program(case(t(7)), case(t(1)), case(t(-3)))
def small_tables(n):
    days = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
    weights = [0.5, 0.25, 0.125]
    return days[n], weights[n % 3], range(5, 50, 3)[n], b"abcdefgh"[n]


@program(case(t(3)), case(t(50)))
def mixed_kinds(n):
    return MIXED[int(n)], type(MIXED[int(n)]) is float


@program(case(t(2)), case(t(5)))
def beyond_64_bits(n):
    return BEYOND[n] + 0


@program(case(t(40)), case(t(0)), case(t(4000)), compiled=True)
def summed_to(n):
    total = 0
    for k in range(n):
        total += SQUARES[k]
    return total


@program(case(t(40)), case(t(-1)), case(t(10**9)))
def last_below(n):
    best = None
    for x in SQUARES:
        if x < n:
            best = x
    return best


@program(case(t(49)), case(t(50)), case(t(-49)))
def searched(n):
    k = int(n)
    return k in SQUARES, n in SQUARES, k in ODD, k in CUBES, k not in tuple(SQUARES), k in HALVES


@program(case(t(0.5)), case(t(0.25)), case(t(float("nan"))))
def searched_for_floats(x):
    return float(x) in HALVES, float(x) in (0.25, *HALVES)


@program(case(t(49)), case(t(50)), case(t(10**6)))
def from_dicts(n):
    return CUBES.get(int(n), -1), int(n) in CUBES


@program(case(t(49)), case(t(1499)), case(t(1500)))
def keys_that_miss(n):
    return CUBES[int(n)]


@program(case(t(49)), case(t(-5)), case(t(9**9)))
def halved(n):
    low, high = 0, len(SQUARES) - 1
    while low <= high:
        middle = (low + high) // 2
        if SQUARES[middle] == n:
            return middle
        if SQUARES[middle] < n:
            low = middle + 1
        else:
            high = middle - 1
    return bisect.bisect_left(SQUARES, int(n)) - 4000


@program(case(t(5)), case(t(600)), compiled=True)
def sieve(n):
    marks = [True] * 700
    for k in range(2, 27):
        if marks[k]:
            for j in range(k * k, 700, k):
                marks[j] = False
    return marks[n], sum(marks)


@program(case(t(5)), case(t(30)))
def written_at_staged_places(n):
    seen = [0] * 300
    for k in range(n):
        seen[k * k % 300] += 1
    return seen


@program(case(t(5)), case(t(0)))
def grown(n):
    items = list(HALVES)
    for k in range(n):
        items.append(float(k))
    return len(items), items[-1], items[3]


@program(
    case(t(5)),
    between=(
        lambda world: TALLY.__setitem__(5, 77),
        lambda world: TALLY.__setitem__(5, True),
        lambda world: TALLY.__setitem__(5, 1.0),
        lambda world: TALLY.append(3),
        lambda world: TALLY.__setitem__(slice(None), range(300)),
    ),
)
def changed_between_calls(n):
    return TALLY[n], len(TALLY)


@program(case(t(5)), refused="MergeError", naming=("1200", "staged index", "1000"))
def words(n):
    return WORDS[n]
