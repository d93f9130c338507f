"""Lists that have more items on one path, given to enumerate, zip, map and join; recursion over
lists of tensors."""

from __future__ import annotations

import autograph as ag
from tests.corpus.registry import case, program

t = ag.asarray
X = (case(t(2.0)), case(t(-1.0)))
XS = (case(t([5, 3, 8, 1])), case(t([1])), case(t([2, 2, 1])))


@program(*X)
def enumerated(x):
    a = [1.0]
    if x > 0:
        a.append(float(x))
    return [(i, v) for i, v in enumerate(a)], dict(enumerate(a)), list(enumerate(a, 5))


@program(*X)
def zipped(x):
    a = [1.0]
    if x > 0:
        a.append(float(x))
    return [u * v for u, v in zip(a, [1, 2, 3])], list(zip(range(5), a)), sum(map(abs, a))


@program(*X)
def joined(x):
    a = ["p"]
    if x > 0:
        a.append("q")
    a.append("r")
    return ", ".join(a), "-".join(s * 2 for s in a), [f"{i}{s}" for i, s in enumerate(a)]


@program(*X)
def changed_meanwhile(x):
    a = [1.0, 2.0]
    if x > 0:
        a.pop()
    for i, v in enumerate(a):
        a[i] = v + float(x)
    return a, sorted(a), len(a)


@program(*X)
def words(x):
    found = []
    for k in range(4):
        if x > k - 1:
            found.append(f"w{k}")
    return " ".join(found), ",".join(sorted(found)), "".join(w[0] for w in found)


@program(*X)
def asked_in_turn(x):
    a = [1.0]
    if x > 0:
        a.append(float(x))
    it = enumerate(a)
    i, v = next(it)
    doubled = map(lambda p: p + 1, a)
    return i, v, list(it), next(doubled), next(doubled, None)


@program(*XS)
def quicksort(xs):
    def sort(items):
        if len(items) <= 1:
            return items
        p = items[0]
        return sort([i for i in items[1:] if i < p]) + [p] + sort([i for i in items[1:] if i >= p])

    return [v * 1 for v in sort(list(xs))]


@program(*XS)
def merge_sort(xs):
    def merge(a, b):
        out, i, j = [], 0, 0
        while i < len(a) and j < len(b):
            if a[i] <= b[j]:
                out.append(a[i])
                i += 1
            else:
                out.append(b[j])
                j += 1
        return out + a[i:] + b[j:]

    def sort(items):
        if len(items) <= 1:
            return items
        half = len(items) // 2
        return merge(sort(items[:half]), sort(items[half:]))

    return [v * 1 for v in sort(list(xs))]


@program(*XS)
def parted(xs):
    def part(items):
        if not items:
            return [], []
        odd, even = part(items[1:])
        if items[0] % 2:
            return [items[0] * 2] + odd, even
        return odd, [items[0] * 2] + even

    return part(list(xs))


@program(case(t(10)), case(t(255)), case(t(7)))
def digits(n):
    def of(k):
        return [k % 10] if k < 10 else of(k // 10) + [k % 10]

    return of(n)


@program(case(t(2.5), t([1.0, 2.0])), case(t(0.5), t([1.0, 2.0])), case(t(-9.5), t([3.0, 2.0])))
def lists_of_two_lengths_meet_lists_of_the_same(x, row):
    """A tensor stands in an option of one branch, and another one there in the other branch."""
    out, more = [], [row[0], row[1]]
    if x > 1:
        out.append(True)
    if x > -9:
        out.append(x * 3)
    else:
        out.append(x * 2)
        out.append(3)
    kept = [*more, x] if x > 1 else more
    other = kept if row[0] > 2 else [x + 1, *kept]
    return out, len(other), [one + 0 for one in other], other[-1] is more[-1]
