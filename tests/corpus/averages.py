"""`statistics` and `math.fsum`: rounded once, as Python does."""

from __future__ import annotations

import math
import statistics
from collections import deque

import autograph as ag
from tests.corpus.registry import case, program

t = ag.asarray

N = (case(t(3)), case(t(2)), case(t(5)), case(t(0)))
NP = N[:3]


NUMBERS = (
    [0.1] * 10,
    [0.1, 0.2, 0.3],
    [1e16, 1.0, -1e16],
    [1e-5, 1e5, 1.0, 1 / 3],
    [0.0, -0.0],
    [1e100, 1.0, -1e100, 1e-50],
    [3.3, -2.7, 123456.789, 1e-7, 55.5],
)
D = tuple(case(t(one, dtype=ag.float64)) for one in NUMBERS)
I = tuple(case(t(one)) for one in ([1, 2], [2, 2, 2], [7, -3, 12, 5], [1, 2, 3], [9, 9, 1, 4, 4]))
L = (case(t([3.0, 1.0, 2.0])), case(t([-1.0, 5.0])), case(t([4.0, 4.0, 1.0, 9.0])))


@program(*D, compiled=True)
def means_of_floats(v):
    numbers = v.tolist()
    return statistics.mean(numbers), statistics.fmean(numbers), math.fsum(numbers)


@program(*D)
def spreads_of_floats(v):
    numbers = v.tolist()
    return (
        statistics.variance(numbers),
        statistics.pvariance(numbers),
        statistics.stdev(numbers),
        statistics.pstdev(numbers),
    )


@program(*I)
def averages_of_ints(v):
    numbers = v.tolist()
    spread = statistics.variance(numbers), statistics.pvariance(numbers), statistics.stdev(numbers)
    return statistics.mean(numbers), statistics.median(numbers), statistics.mode(numbers), spread


@program(case(t([math.inf, 1.0])), case(t([math.nan, 1.0])), case(t([1.0, -math.inf])))
def averages_of_what_is_infinite(v):
    return statistics.mean(v.tolist()), statistics.fmean(v.tolist())


@program(*N, refused="StateError", naming=("kind",))
def average_of_numbers_of_two_kinds(n):
    numbers = []
    for i in range(n):
        numbers.append(i if i % 2 else i * 0.5)
    return statistics.mean(numbers)


@program(*N)
def averages_of_known_lengths(n):
    return (
        statistics.mean([1, 2, int(n)]),
        statistics.mean((1.5, int(n))),
        statistics.median([3, int(n), 1]),
        statistics.pstdev([1, 2, int(n)]),
    )


@program(*NP)
def averages_of_ranges(n):
    return (
        statistics.mean(range(int(n))),
        statistics.mean((i * 0.5 for i in range(n))),
        statistics.stdev(range(int(n))),
        statistics.median(range(n)),
    )


@program(*N)
def averages_of_a_chosen_list(n):
    l = [1.0, 2.5]
    if n > 2:
        l.append(float(n))
    return (statistics.mean(l), statistics.stdev(l), statistics.median(l), math.fsum(l))


@program(*N)
def mean_of_no_numbers(n):
    try:
        return statistics.mean([i for i in range(n)])
    except statistics.StatisticsError as e:
        return str(e)


@program(*N)
def deviation_of_one_number(n):
    try:
        return statistics.stdev([i * 1.0 for i in range(n)])
    except statistics.StatisticsError as e:
        return str(e)


@program(*N)
def modes_of_strings(n):
    return (statistics.mode(["a", "b", "b"] if n > 2 else ["c"]), statistics.mode([int(n), 2, 2]))


@program(*N)
def mode_of_nothing(n):
    return statistics.mode([]) if n > 2 else statistics.multimode([i % 2 for i in range(n)])


@program(*N)
def averages_in_a_list(n):
    return (
        [statistics.mean([i, int(n)]) for i in range(3)],
        statistics.median_low([i for i in range(int(n) + 1)]),
        statistics.mean([True, int(n)]),
    )


@program(*N)
def averages_of_turns(n):
    out = []
    for i in range(n):
        out.append(statistics.fmean([i * 1.0, 2.0, float(n)]))
    return out


@program(*N)
def averages_used(n):
    return (
        round(statistics.mean([float(i) for i in range(int(n) + 2)]), 2),
        f"{statistics.mean([1.0, float(n)]):.2f}",
        max([1, 2, 3], key=lambda v: abs(v - statistics.mean([int(n), 2]))),
    )


@program(*L)
def standardized(v):
    xs = [float(x) for x in v]
    m = statistics.mean(xs)
    s = statistics.pstdev(xs)
    return [(x - m) / s for x in xs]


@program(*N)
def quartiles(n):
    return (
        statistics.quantiles([float(i * i) for i in range(int(n) + 2)], n=4),
        statistics.quantiles([1, 2, int(n)], method="inclusive"),
    )


@program(*N)
def averages_of_constants(n):
    return (
        statistics.mean([1, 2, 3]) * int(n),
        statistics.median([1, 4]) + int(n),
        statistics.linear_regression([1.0, 2.0, 3.0], [2.0, float(n), 6.0]),
    )


@program(*N)
def covariances(n):
    return (
        statistics.covariance([1.0, 2.0, 3.0], [2.0, float(n), 6.0]),
        statistics.geometric_mean([1.0, float(n) + 1]),
    )


@program(*N)
def averages_of_one_of_two_lists(n):
    l = [1.0, 2.5] if n > 2 else [3.0]
    m = (1, 2) if n > 2 else (4, 5, 7)
    return (statistics.mean(l), statistics.median(l), statistics.mean(m), statistics.fmean(m))


@program(*N)
def averages_of_longer_lists(n):
    l = [1, 2]
    if n > 2:
        l.append(int(n))
    return (statistics.mean(l), statistics.median(l), statistics.mode(l), statistics.variance(l))


@program(*N)
def averages_of_views(n):
    d = {}
    for i in range(int(n) + 1):
        d[i] = i * 1.5
    return (
        statistics.mean(d.values()),
        statistics.mean(d),
        statistics.median(d.values()),
        statistics.mean(deque(d)),
    )


@program(*N)
def averages_of_one_number(n):
    return (
        statistics.mean([[1, 2], [3, int(n)]][int(n) % 2]),
        statistics.mean([int(n)]),
        statistics.mean((x for x in [1.0, 2.0])),
        statistics.mean([1, 2]),
    )


@program(*N)
def exact_sums(n):
    return (
        math.fsum([0.1] * 10) + n,
        math.fsum([0.1] * int(n)),
        math.fsum((x * 0.1 for x in range(n))),
        math.fsum([n, 0.5]),
    )
