"""What builtins and the standard library make of an array, of a tensor, and of their elements.

The harness compares types: an array that becomes a tensor, or a scalar that becomes a number, is a
difference.
"""

from __future__ import annotations

import bisect
import collections
import copy
import dataclasses
import functools
import heapq
import itertools
import math
import operator
import types

import numpy as np

import autograph as ag
from tests.corpus.registry import case, program

CASES = (
    case(np.array([1.0, 3.0, 2.0])),
    case(np.array([1.0, 3.0, 2.0], np.float32)),
    case(ag.asarray([1.0, 3.0, 2.0])),
)
WHOLE = case(np.array([4, 1, 3]))
Pair = collections.namedtuple("Pair", "a b")


@dataclasses.dataclass
class Both:
    a: object
    b: object


@program(*CASES, WHOLE, ulps=16)
def builtins_of_all(a):
    sums = sum(a), sum(a, 1.0), max(a), min(a), max(a, key=lambda v: -v), abs(a), pow(a, 2)
    made = list(reversed(a)), sorted(a), sorted(a, reverse=True), list(a), tuple(a), list(zip(a, a))
    gone = list(map(lambda v: v * 2, a)), list(filter(lambda v: v > 1, a)), list(enumerate(a))
    return (
        sums,
        made,
        gone,
        any(a),
        all(a),
        [*a],
        (*a, 1),
        dict(zip("abc", a)),
        divmod(a, 2),
        len(a),
    )


@program(*CASES, WHOLE, ulps=16)
def builtins_of_elements(a):
    first = (
        abs(a[0]),
        round(a[0]),
        pow(a[0], 2),
        divmod(a[0], 2),
        float(a[0]),
        int(a[0]),
        bool(a[0]),
    )
    logic = a[0] and a[1], a[0] or a[1], not a[0], a[0] if a[0] > 0 else 0.0, a[0] in a, 2.0 in a
    least = min(a[0], a[1]), max(a[0], 5), max(a[0], 5.0), min([a[0], 2.0, a[1]]), next(iter(a))
    signs = -a[0], +a, a[0] ** 0.5, a[0] // 2, a[0] % 2, 2 ** a[0], 1 / a[0], a @ a
    texts = str(a[0]), f"{float(a[0]):.2f}", "%s" % a[0], str(a)
    return first, logic, least, signs, texts, type(a[0]), isinstance(a[0], float), a[0].item()


@program(*CASES, WHOLE, ulps=16)
def standard_library(a):
    folded = functools.reduce(operator.add, a), functools.reduce(lambda p, q: p * q, a, 1.0)
    chains = list(itertools.accumulate(a)), list(itertools.pairwise(a)), list(itertools.chain(a, a))
    picked = list(itertools.islice(a, 2)), list(itertools.starmap(operator.mul, zip(a, a)))
    pairs = list(itertools.combinations(a, 2)), operator.itemgetter(0, 1)(a), operator.neg(a)
    ranked = heapq.nsmallest(2, a), heapq.nlargest(2, a), bisect.bisect_left(a, 1.5)
    queue = collections.deque(a), list(collections.deque(a, maxlen=2)), dict.fromkeys([1], a[0])
    return folded, chains, picked, pairs, ranked, queue, math.prod(a), math.fsum(a), math.sqrt(a[1])


@program(*CASES, WHOLE)
def copies_and_records(a):
    kept = copy.copy(a), copy.deepcopy(a), copy.copy([a, a[0]]), copy.deepcopy({"a": a})
    held = types.SimpleNamespace(v=a).v, Pair(a, a[0]), Pair(a, a[0])._asdict()
    both = dataclasses.astuple(Both(a, a[0])), dataclasses.replace(Both(a, 1), b=a[0])
    return kept, held, both, copy.copy(a) is a, a is a


@program(*CASES[:2], WHOLE, ulps=16)
def methods_of_arrays(a):
    small = a.max(), a.argmax(), a.sum().item(), a.mean() + 1, a.dot(a), a.tolist(), a.item(0)
    large = a.T, a.astype(int), a.copy(), a.reshape(-1, 1), a[[True, False, True]], a[range(2)]
    found = np.max(a), np.argmax(a) + 1, np.where(a > 1), np.unique(a), np.cumsum(a)[-1], np.std(a)
    cast = (
        np.float64(a[0]),
        np.float32(a[0]),
        np.int64(a[0]),
        np.array(list(a)),
        np.asarray(tuple(a)),
    )
    return small, large, found, cast, a.shape, a.size, a.ndim, a.dtype
