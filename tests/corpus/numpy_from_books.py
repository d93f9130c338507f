"""NumPy programs as textbooks have them: bounds, shapes and keys that come of the data."""

from __future__ import annotations

import copy
import math
from collections import Counter, defaultdict

import numpy as np

import autograph as ag
from tests.corpus.registry import case, program

VOTES = np.array([[0.0, 3.0, 1.0, 0.0], [2.0, 9.0, 4.0, 0.0], [1.0, 0.0, 0.0, 7.0]])


@program(case(VOTES, 2), case(VOTES.T * 2.0, 3), case(VOTES[:2, :2] * 1.0, 1), compiled=True)
def highest_peaks(votes, count):
    left = np.copy(votes)
    found = []
    for _ in range(count):
        row, column = np.unravel_index(np.argmax(left), left.shape)
        top, bottom = max(0, row - 1), min(votes.shape[0], row + 2)
        first, last = max(0, column - 1), min(votes.shape[1], column + 2)
        found.append((row, column, left[top:bottom, first:last].sum()))
        left[top:bottom, first:last] = 0
    left[:count] += 1
    return left, found


@program(case(VOTES, np.array([0])), case(VOTES * 1.0, np.array([2])), compiled=True)
def slices_to_a_chosen_end(table, place):
    end = None if place[0] > 1 else place[0] + 1
    items = [1, 2, 3, 4, 5]
    table[:end] += 1
    table[0, end:] = 7
    part = items[: max(1, place[0])]
    items[: max(1, place[0])] = [9]
    del items[max(1, place[0]) :]
    return table, table[end:].sum(), part, items


@program(case(VOTES, np.array([0])), case(VOTES * 1.0, np.array([2])))
def slices_to_no_number(table, place):
    end = "end" if place[0] > 1 else 2
    table[:end] = 0
    return table


LABELS = np.array([1, 2, 2, 0, 1, 2])


@program(case(LABELS), case(np.array([3, 3])), case(LABELS.astype(np.uint8)), compiled=True)
def labels_counted(labels):
    counts, firsts, total = {}, {}, Counter(labels[:4])
    for place, label in enumerate(labels):
        counts[label] = counts.get(label, 0) + 1
        firsts.setdefault(label, []).append(place)
    total.update(list(labels[2:]))
    best = total.most_common(1)[0][0]
    ordered = sorted(counts.items(), key=lambda pair: -pair[1])
    return counts, firsts, total, best, ordered, max(counts, key=counts.get), total[7]


@program(case(LABELS), case(np.array([5, 3, 5])), case(LABELS * 0.5), compiled=True)
def members_of_arrays(labels):
    members, grown = set(labels), set()
    for label in labels:
        if label not in grown:
            grown.add(label)
    few = {labels[0], labels[1]}, set([labels[0]]), set(map(int, labels)), {x for x in labels}
    codes = {value: code for code, value in enumerate(np.unique(labels))}
    encoded = np.array([codes[one] for one in labels])
    asked = labels[0] in members, 2 in members, 2.0 in grown, members == grown, grown & few[0]
    ordered = np.array(sorted(members))
    return members, few, codes, encoded, asked, ordered, len(set(labels)), max(members)


@program(case(LABELS), case(LABELS[::-1].copy()), compiled=True)
def groups_and_pairs(labels):
    groups, after, seen = defaultdict(list), {}, set()
    for i in range(len(labels) - 1):
        groups[labels[i]].append(i)
        after.setdefault((labels[i], labels[i + 1]), i)
        seen.add((labels[i], labels[i + 1]))
    found = (labels[0], labels[1]) in seen, (2, 0) in seen, after.get((2, 2), -1), groups.get(9)
    return groups, after, len(seen), found


@program(case(LABELS), case(LABELS[::-1].copy()), compiled=True)
def keys_of_two_kinds(labels):
    mixed = {"first": labels[0]}
    mixed[labels[0]] = "first"
    table, halves = {0: "none", 1: "one", 2: "two"}, {np.float32(0.5): "half"}
    counts = {0: 0, 1: 0, 2: 0}
    for label in labels:
        counts[label] += 1
    by_scalar = {labels[0]: 1}
    by_scalar[2] = 2
    by_scalar[True] = 3
    named = [table[label] for label in labels], halves.get(labels[0] * 0.5, "other")
    return mixed, counts, by_scalar, 1.0 in by_scalar, named


@program(case(LABELS.reshape(2, 3)), case(LABELS.reshape(3, 2)))
def rows_are_no_members(table):
    failed = []
    for make in (
        lambda: set(table),
        lambda: {table[0]: 1},
        lambda: {table[0]},
        lambda: hash(table),
    ):
        try:
            make()
        except TypeError as error:
            failed.append(str(error))
    return failed


@program(case(LABELS), case(LABELS[1:].copy()), refused="StagedValueError", naming=("hash",))
def frozen_members(labels):
    return frozenset(labels)


class NotReached(Exception):
    def __init__(self, where, rest):
        super().__init__(f"not reached from {where}")
        self.where, self.rest = where, rest


@program(case(LABELS, 0), case(LABELS, 1), case(LABELS, 2), case(LABELS, 3), compiled=True)
def raised_with_arrays(labels, kind):
    for place, label in enumerate(labels):
        if label == 0:
            if kind == 0:
                raise KeyError(label)
            if kind == 1:
                raise ValueError("no label", label, labels[place:])
            if kind == 2:
                raise NotReached(label, [labels[0], labels * 2])
            return {1: "one"}[label]
    return None


@program(case(2, 1.0), case(3, 2.0), case(4, 0.5), case(3, 1.5))
def register_of_qubits(count, amplitude):
    state = np.zeros((2,) * count, dtype=complex)
    state[(0,) * count] = amplitude
    for qubit in range(count):
        gate = np.array([[1, 1], [1, -1]]) / np.sqrt(2)
        state = np.moveaxis(np.tensordot(gate, state, (1, qubit)), 0, qubit)
    state[(slice(None),) * (count - 1) + (0,)] *= 2
    return state, np.transpose(state, tuple(range(count))[::-1]), np.ones([2] * count)


@program(case(np.array([2.0, 1.0]), np.array([2])), case(np.array([3.0]), np.array([3])))
def tuples_of_staged_length(row, count):
    times = int(count[0])
    return np.array((1,) * times), np.zeros((times,) * 2), np.sum((2.0,) * times)


COSTS = np.add.outer(np.arange(4.0), np.arange(5.0) ** 2)


@program(case(COSTS), case(COSTS.T * 1.0), case(np.cos(COSTS[:2, :2])), compiled=True)
def way_back(costs):
    i, j = np.array(costs.shape) - 1
    way = [(i, j)]
    while i > 0 and j > 0:
        step = np.argmin((costs[i - 1, j - 1], costs[i - 1, j], costs[i, j - 1]))
        if step == 0:
            i -= 1
            j -= 1
        elif step == 1:
            i -= 1
        else:
            j -= 1
        way.append((i, j))
    return i, j, way, np.array(way)


@program(case(COSTS, 3.0), case(COSTS, 30.0), case(COSTS * 0.0, -1.0), compiled=True)
def known_scalars_on_paths(costs, most):
    best, where, flag, turn = np.float64("inf"), np.int64(-1), np.bool_(False), np.float32(0)
    factor = np.complex128(1j)
    for number, cost in enumerate(costs.ravel()):
        if most < cost < best:
            best, where, flag = cost, np.int64(number), np.bool_(True)
            factor = np.complex128(2)
        turn = turn + np.float32(0.5)
    kept = [np.int64(2)]
    for cost in costs[0]:
        kept.append(np.int64(3) if cost > most else np.int64(4))
    return best, where, flag, turn, factor, kept, type(where) is np.int64


class Split:
    def __init__(self, column=None, border=None, low=None, high=None, *, value=None):
        self.column, self.border, self.low, self.high = column, border, low, high
        self.value = value

    def is_leaf(self):
        return self.value is not None


def gain(labels, column, border):
    low, high = np.argwhere(column <= border).flatten(), np.argwhere(column > border).flatten()
    if len(low) == 0 or len(high) == 0:
        return 0
    return labels.var() - (len(low) * labels[low].var() + len(high) * labels[high].var())


def best_split(points, labels):
    best, found, border = -1e9, None, None
    for number in range(points.shape[1]):
        column = points[:, number]
        for one in np.unique(column):
            gained = gain(labels, column, one)
            if gained > best:
                best, found, border = gained, number, one
    return found, border


def grown_tree(points, labels, depth=0):
    if depth >= 2 or len(np.unique(labels)) == 1 or points.shape[0] < 2:
        return Split(value=int(np.bincount(labels).argmax()))
    number, border = best_split(points, labels)
    low = np.argwhere(points[:, number] <= border).flatten()
    high = np.argwhere(points[:, number] > border).flatten()
    if len(low) == 0 or len(high) == 0:
        return Split(value=int(np.bincount(labels).argmax()))
    lower = grown_tree(points[low, :], labels[low], depth + 1)
    return Split(number, border, lower, grown_tree(points[high, :], labels[high], depth + 1))


def walked(point, node):
    if node.is_leaf():
        return node.value
    if point[node.column] <= node.border:
        return walked(point, node.low)
    return walked(point, node.high)


POINTS = np.array([[0.1, -0.1], [0.6, 0.1], [-0.5, 0.4], [1.3, 0.9], [-0.7, -1.3], [0.4, 1.0]])
CLASSES = np.array([0, 1, 0, 1, 1, 0])


@program(case(POINTS, CLASSES), case(POINTS[::-1].copy(), CLASSES), slow=True)
def decision_tree(points, labels):
    tree = grown_tree(points, labels)
    return np.array([walked(point, tree) for point in points * 0.9])


def middle_of_unique(row, sizes=False):
    row = np.asarray(row).flatten()
    if not sizes:
        if (axes := row.ndim) != 1:
            return axes
    row.sort()
    if row.shape[0] > 0 and np.isnan(row[-1]):
        first = np.searchsorted(row, row[-1])
        row = row[:first]
    else:
        first = len(row)
    return row[first // 2]


@program(case(LABELS * 0.5), case(np.array([3.0, 1.0, np.nan, 0.5, 0.25])), compiled=True)
def recursion_after_a_known_return(row):
    def summed(row, depth):
        if depth > 2 or len(row) < 2:
            return row.sum()
        middle = middle_of_unique(row)
        return 2 * summed(row[row < middle], depth + 1) + summed(row[row >= middle], depth + 1)

    def of_unique(row, depth):
        if depth > 2 or len(row) < 2:
            return row.sum()
        found = np.unique(row)
        middle = found[len(found) // 2]
        return 2 * of_unique(row[row < middle], depth + 1) + of_unique(
            row[row >= middle], depth + 1
        )

    return summed(row, 0), of_unique(row[~np.isnan(row)], 0)


@program(case(COSTS[0], 1.0), case(COSTS[1], 0.0), case(COSTS[2], 3.0), vary=False)
def numbers_or_none(costs, least):
    def dear(cost):
        if cost > least:
            return cost
        if cost > -1:
            return 0
        return None

    return np.array([dear(cost) for cost in costs]), np.sum([dear(cost) for cost in costs])


class Sets:
    def __init__(self):
        self.parent = []

    def make(self):
        self.parent.append(len(self.parent))
        return len(self.parent) - 1

    def find(self, i):
        while self.parent[i] != i:
            self.parent[i] = self.parent[self.parent[i]]
            i = self.parent[i]
        return i

    def union(self, left, right):
        one, other = self.find(left), self.find(right)
        if one != other:
            self.parent[max(one, other)] = min(one, other)


PICTURE = np.array([[1, 1, 0, 0, 1], [0, 1, 0, 1, 1], [0, 0, 0, 0, 0], [1, 0, 1, 1, 1]])


@program(case(PICTURE), case(PICTURE[::-1].copy()), slow=True)
def connected_components(picture):
    labels, sets = np.zeros(picture.shape, dtype=int), Sets()
    sets.make()
    for r in range(picture.shape[0]):
        for c in range(picture.shape[1]):
            if not picture[r, c]:
                continue
            up = labels[r - 1, c] if r > 0 else 0
            left = labels[r, c - 1] if c > 0 else 0
            if up and left:
                labels[r, c] = min(up, left)
                sets.union(up, left)
            elif up or left:
                labels[r, c] = up or left
            else:
                labels[r, c] = sets.make()
    for r in range(picture.shape[0]):
        for c in range(picture.shape[1]):
            labels[r, c] = sets.find(labels[r, c])
    return labels, sets.parent


@program(
    case(LABELS, {np.int64(1), np.int64(7)}, {np.int64(1): 10, np.int64(5): 50}),
    case(LABELS[::-1].copy(), {np.int64(0)}, {np.int64(2): 20}),
    compiled=True,
)
def sets_and_dicts_with_scalars(labels, members, table):
    both = members.intersection(labels), members | set(labels), members - set(labels)
    asked = members.issubset(labels), {1, 2}.isdisjoint(labels), {0, 1, 2}.issuperset(labels)
    grown = {np.int64(3), np.int64(9)}
    for label in labels:
        grown.add(label)
        table[label] = table.get(label, 0) + 1
    table[np.int64(3)] = 7
    table.update([(labels[0], 5), (labels[1], 6)])
    grown.difference_update(labels[:1])
    return both, asked, grown, np.int64(9) in grown, table, sorted(members.union(labels))


class Weights:
    def __init__(self):
        self.w = np.ones(2)
        self.h = [np.zeros(2)]


@program(case(np.array([1.0, 2.0, 3.0])), case(np.array([4.0])), compiled=True)
def copies_of_arrays(x):
    y, z = copy.copy(x), copy.deepcopy(x)
    y[0] = 9.0
    z += 1
    pair = copy.deepcopy({"a": x, "b": [x, x[0]]})
    pair["a"][0] = 5.0
    part = copy.copy(x[::2])
    part[0] = 7.0
    kinds = type(y), type(z), type(part), type(copy.copy(x[0])), type(copy.deepcopy(x[0]))
    return x, y, z, pair, pair["a"] is pair["b"][0], part, kinds


@program(case(np.array([1.0, 2.0, 3.0])))
def copies_of_objects_with_arrays(x):
    model = Weights()
    other = copy.deepcopy(model)
    other.w[0] = x[0]
    other.h[0][1] = 3.0
    return model.w, other.w, model.h, other.h


@program(case(np.array([1.0, 2.0]), ag.asarray(5)), case(np.array([1.0, 2.0]), 3))
def best_by_deepcopy(x, n):
    best, least = copy.deepcopy(x), np.sum(x)
    kept = []
    for _ in range(n):
        x[0] += 1
        y = copy.copy(x)
        y[1] = y[1] * 0.5
        kept.append([y, np.sum(y)])
        if np.sum(x) > least + 2:
            best = copy.deepcopy(x)
    return best, x, kept[-1]


@program(case(np.array([1.0, 3.0, 2.0])), ulps=16)
def distances_of_points(a):
    far = math.dist(a, a + 1), math.hypot(a[0], a[1], a[2]), math.hypot(float(a[0]), 2.0, 3.0, 4.0)
    return tuple(round(one, 12) for one in far)


SPLIT = np.array([[2.77, 1.78, 0.0], [1.73, 1.17, 0.0], [7.5, 3.16, 1.0], [9.0, 3.34, 1.5]])


@program(
    case(SPLIT, 2.0),
    case(SPLIT[::-1].astype(np.float32), 9.5),
    case(np.array([[1.0, 1.0, np.inf], [4.0, 0.25, -0.1], [2.0, 2.0, -1.0]]), 3.0),
    compiled=True,
)
def classes_of_the_rows_on_each_side(rows, value):
    kinds = list(set(row[-1] for row in rows))
    left, right = [], []
    for row in rows:
        (left if row[0] < value else right).append(row)
    found = 0.0
    for group in (left, right):
        outcomes = [row[-1] for row in group]
        if outcomes:
            found += max(set(outcomes), key=outcomes.count)
        for kind in kinds:
            found = found * 2 + [row[-1] for row in group].count(kind)
    return kinds, found, kinds[0], [kind * 2 for kind in set(rows[:, 0])]


@program(case(np.array([1.0, 2.0, 3.0]), np.int64(2)), case(np.array([1.0, 2.0]), np.int64(0)))
def sums_in_a_list_beside_an_array(x, n):
    sums = [0.0] * len(x)
    while n > 0:
        for i, c in enumerate(x):
            sums[i] += c / 2
        n = n - 1
    y = x * 2
    y += sums
    x[1:] = sums[1:]
    return sums + 0.5 * (sums - y), x, x < sums, [sums] + y, tuple(sums) * x


@program(
    case(np.array([0.0, 0.0, 0.0])),
    case(np.array([2.0, -1.0, 0.5])),
    ulps=64,
    compiled=True,
)
def simplex_downhill(start):
    def height(x):
        return np.sin(x[0]) * np.cos(x[1]) * (1.0 / (abs(x[2]) + 1))

    dim = len(start)
    best_before = height(start)
    without = 0
    points = [[start, best_before]]
    for i in range(dim):
        x = copy.copy(start)
        x[i] = x[i] + 0.1
        points.append([x, height(x)])
    turns = 0
    while 1:
        points.sort(key=lambda point: point[1])
        best = points[0][1]
        if turns >= 12:
            return points[0]
        turns += 1
        if best < best_before - 10e-6:
            without = 0
            best_before = best
        else:
            without += 1
        if without >= 5:
            return points[0]
        middle = [0.0] * dim
        for point in points[:-1]:
            for i, c in enumerate(point[0]):
                middle[i] += c / (len(points) - 1)
        reflected = middle + 1.0 * (middle - points[-1][0])
        score = height(reflected)
        if points[0][1] <= score < points[-2][1]:
            del points[-1]
            points.append([reflected, score])
            continue
        if score < points[0][1]:
            further = middle + 2.0 * (middle - points[-1][0])
            further_score = height(further)
            del points[-1]
            if further_score < score:
                points.append([further, further_score])
            else:
                points.append([reflected, score])
            continue
        nearer = middle - 0.5 * (middle - points[-1][0])
        nearer_score = height(nearer)
        if nearer_score < points[-1][1]:
            del points[-1]
            points.append([nearer, nearer_score])
            continue
        first = points[0][0]
        shrunk = []
        for point in points:
            moved = first + 0.5 * (point[0] - first)
            shrunk.append([moved, height(moved)])
        points = shrunk


@program(
    case(np.array([-1.2, 1.0, 0.5]), 9),
    case(np.array([-1.2, 1.0, 0.5, 0.1]), 4),
    case(np.array([1.0, 1.0]), 4),
    ulps=1 << 12,
    compiled=True,
)
def steps_by_what_was_seen(start, most):
    def slope(x):
        g = np.zeros_like(x)
        g[:-1] += -40 * x[:-1] * (x[1:] - x[:-1] ** 2) - 2 * (1 - x[:-1])
        g[1:] += 20 * (x[1:] - x[:-1] ** 2)
        return g

    x, g = start.copy(), slope(start)
    moves, changes, scales = [], [], []
    for k in range(most):
        if np.linalg.norm(g) < 1e-6:
            break
        q = g.copy()
        factors = []
        for s, y, rho in zip(reversed(moves), reversed(changes), reversed(scales)):
            a = rho * np.dot(s, q)
            factors.append(a)
            q -= a * y
        if changes:
            q *= np.dot(moves[-1], changes[-1]) / np.dot(changes[-1], changes[-1])
        for (s, y, rho), a in zip(zip(moves, changes, scales), reversed(factors)):
            q += s * (a - rho * np.dot(y, q))
        new = x - 0.02 * q
        s, y = new - x, slope(new) - g
        if np.dot(s, y) > 1e-10:
            moves.append(s)
            changes.append(y)
            scales.append(1.0 / np.dot(y, s))
            if len(moves) > 2:
                moves.pop(0), changes.pop(0), scales.pop(0)
        x, g = new, slope(new)
    return x, k, len(moves), [p + q for p, q in map(lambda p, q: (p, q), scales, reversed(scales))]


TABLE = np.array([[10.0, 20.0, 30.0], [1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])


@program(
    case(TABLE.copy(), [0], {"rows": [0, 1]}),
    case(TABLE.copy(), [1], {"rows": [1, 1]}),
    case(TABLE.copy(), [2], {"rows": [2, 0]}),
    case(TABLE.copy(), [2, 1], {"rows": [2]}),
    case(TABLE.copy(), [True, False, True], {"rows": [False, True, False]}),
    case(TABLE.copy(), [5], {"rows": [0]}),
    compiled=True,
)
def taken_by_lists_of_the_caller(table, places, held):
    rows = held["rows"]
    first = table[places], table[rows], table[:, places], table[[rows, rows]]
    table[rows] += 1
    table[places, 0] = 7
    return *first, table[places].sum(), table


@program(case(np.ones(2)), case(np.array([2.0])))
def default_arrays_of_words(x, names=np.array(["a", "b"]), half=np.zeros(2, np.float16)):
    return x + len(names)


def summed_into(x, total=np.zeros(2), *, last=np.zeros(2)):
    np.add(total, x, out=total)
    last[:] = total * 2
    return total.sum()


@program(case(np.ones(2)), case(np.array([2.0, 3.0])), case(np.ones(2)), compiled=True)
def default_arrays_are_kept(x):
    def inner(x, inside=np.zeros(2)):
        inside += x
        return inside

    before = summed_into(x)
    inner(x)
    result = before, summed_into(x), inner(x), summed_into.__kwdefaults__["last"].copy()
    summed_into.__defaults__[0][:] = 0
    return result


@program(case(np.ones(3)), case(np.array([1.0, -1.0, 2.0])))
def limits_pass_by_handlers(values):
    rows = []
    for one in values:
        if one > 0:
            rows.append([one, one])
    try:
        return np.array(rows).sum()
    except ValueError:
        return "caught"
