"""Searches that go back: recursions over boards, lists and sets of choices, as textbooks have them.

Each is called with boards of several sizes, so that the sizes become symbolic.
"""

from __future__ import annotations

import itertools

import numpy as np

from autograph import asarray as t
from tests.corpus.registry import case, program

FREE = np.zeros((4, 4), int)
BLOCKED = np.zeros((5, 5), int)
BLOCKED[0, 0] = 1
BOARDS = (case(FREE), case(BLOCKED), case(np.arange(9).reshape(3, 3)), case(np.zeros((1, 1), int)))
MAZE = np.array([[0, 1, 0], [0, 0, 0], [1, 1, 0]])
WIDE = np.array([[0, 1, 0, 0], [0, 1, 0, 1], [0, 0, 0, 0], [1, 1, 1, 0]])
HALF = np.array([[1, 0, 0, 0], [0, 0, 3, 0], [0, 4, 0, 0], [0, 0, 0, 2]])
NEAR = np.array([[0, 2, 9, 4], [2, 0, 6, 3], [9, 6, 0, 1], [4, 3, 1, 0.5]])
FAR = np.abs(np.subtract.outer(np.arange(5.0) ** 2, np.arange(5.0)))


def safe(board, row, col):
    n = len(board)
    for i in range(col):
        if board[row, i] == 1:
            return False
    for i, j in zip(range(row, -1, -1), range(col, -1, -1)):
        if board[i, j] == 1:
            return False
    for i, j in zip(range(row, n, 1), range(col, -1, -1)):
        if board[i, j] == 1:
            return False
    return True


def placed(board, col):
    if col >= len(board):
        return True
    for i in range(len(board)):
        if safe(board, i, col):
            board[i, col] = 1
            if placed(board, col + 1):
                return True
            board[i, col] = 0
    return False


@program(*BOARDS, vary=False, mutate=False, compiled=True)
def queens_by_diagonals(board):
    return (placed(board, 0), board)


@program(*BOARDS, vary=False, mutate=False, compiled=True)
def queens_in_lists(board):
    n = len(board)
    found = []

    def place(r, columns):
        if r == n:
            found.append(columns[:])
            return
        for c in range(n):
            if (
                all((c != q and abs(c - q) != r - i for i, q in enumerate(columns)))
                and board[r, c] == 0
            ):
                place(r + 1, columns + [c])

    place(0, [])
    return found


@program(*BOARDS, vary=False, mutate=False)
def other_numbers(board):
    n = len(board)
    found = []

    def place(r, columns):
        if r == n:
            found.append(columns[:])
            return
        for c in range(n):
            if all((c != q for q in columns)) and board[r, c] == 0:
                place(r + 1, columns + [c])

    place(0, [])
    return found


@program(*BOARDS, vary=False, mutate=False)
def sums_of_choices(board):
    n = len(board)
    found = []

    def place(r, columns):
        if r == n:
            found.append(sum(columns))
            return
        for c in range(n):
            if c not in columns and board[r, c] == 0:
                place(r + 1, columns + [c])

    place(0, [])
    return found


@program(*BOARDS, vary=False, mutate=False)
def counted_choices(board):
    n = len(board)
    cnt = 0

    def place(r, columns):
        nonlocal cnt
        if r == n:
            cnt += 1
            return
        for c in range(n):
            ok = True
            for q in columns:
                if q == c:
                    ok = False
            if ok and board[r, c] == 0:
                place(r + 1, columns + [c])

    place(0, [])
    return cnt


@program(*BOARDS, vary=False, mutate=False)
def queens_counted(board):
    n = len(board)

    def ok(r, columns):
        return all(
            (columns[i] != columns[r] and abs(columns[i] - columns[r]) != r - i for i in range(r))
        )

    columns = [0] * n
    cnt = 0

    def place(r):
        nonlocal cnt
        if r == n:
            cnt += 1
            return
        for c in range(n):
            columns[r] = c
            if board[r, c] == 0 and ok(r, columns):
                place(r + 1)

    place(0)
    return cnt


@program(*BOARDS, vary=False, mutate=False)
def all_queens(board):
    n = len(board)
    found = []

    def place(r, columns):
        if r == n:
            found.append(columns[:])
            return
        for c in range(n):
            if (
                all((c != q and abs(c - q) != r - i for i, q in enumerate(columns)))
                and board[r, c] == 0
            ):
                place(r + 1, columns + [c])

    place(0, [])
    return found


@program(*BOARDS, vary=False, mutate=False)
def left_from_a_product(board):
    n = len(board)

    def solve(r):
        if r == n:
            return
        for i, j in itertools.product(range(r), range(n)):
            if board[i, j] > 5:
                return
        board[r, 0] += 1
        solve(r + 1)

    solve(0)
    return board


@program(*BOARDS, vary=False, mutate=False)
def left_from_combinations(board):
    n = len(board)

    def solve(r):
        if r == n:
            return 0
        for i, j in itertools.combinations(range(n), 2):
            if board[i, j] > 5:
                return r
        board[r, 0] += 1
        return 1 + solve(r + 1)

    return (solve(0), board)


@program(*BOARDS, vary=False, mutate=False)
def left_from_a_slice(board):
    lst = [1, 2, 3]

    def solve(r):
        if r == 3:
            return 0
        for v in lst[:r]:
            if board[v - 1, 0] > 2:
                return v
        board[r, 0] += 1
        return 1 + solve(r + 1)

    return (solve(0), board)


@program(*BOARDS, vary=False, mutate=False)
def left_from_pairs(board):
    order = list(range(len(board)))

    def solve(r):
        if r == len(board):
            return 0
        for v in reversed(order[:r]):
            if board[v, 0] > 2:
                return v
        for k, (u, v) in enumerate(zip(order, order[1:])):
            if board[u, v] > 100:
                return k
        board[r, 0] += 1
        return 1 + solve(r + 1)

    return (solve(0), board)


@program(*BOARDS, vary=False, mutate=False)
def longest_way_up(board):
    moves = [(0, 1), (1, 0), (-1, 0), (0, -1)]
    n = len(board)
    best = [0]

    def go_on(x, y, d):
        best[0] = max(best[0], d)
        for dx, dy in moves:
            u, v = (x + dx, y + dy)
            if 0 <= u < n and 0 <= v < n and (board[u, v] > board[x, y]):
                go_on(u, v, d + 1)

    go_on(0, 0, 1)
    return best


@program(*BOARDS, vary=False, mutate=False)
def choices_passed_on(board):

    def go_on(k, acc):
        if k == 0:
            return acc
        for w in (1, 2, 3):
            if k >= w and board[0, w - 1] < w:
                return go_on(k - w, acc + [w])
        return acc + [99]

    return go_on(int(board[0, 0]) + 4, [])


@program(case(HALF), case(FREE), mutate=False, vary=False)
def filled_in(board):

    def find():
        for i in range(4):
            for j in range(4):
                if board[i, j] == 0:
                    return (i, j)
        return None

    def ok(r, c, v):
        for k in range(4):
            if board[r, k] == v or board[k, c] == v:
                return False
        r0, c0 = (r // 2 * 2, c // 2 * 2)
        for i in range(r0, r0 + 2):
            for j in range(c0, c0 + 2):
                if board[i, j] == v:
                    return False
        return True

    def solve():
        p = find()
        if p is None:
            return True
        r, c = p
        for v in range(1, 5):
            if ok(r, c, v):
                board[r, c] = v
                if solve():
                    return True
                board[r, c] = 0
        return False

    return (solve(), board)


@program(case(HALF), case(FREE), mutate=False, vary=False)
def filled_in_by_rows(board):

    def ok(r, c, v):
        if v in board[r, :] or v in board[:, c]:
            return False
        r0, c0 = (r // 2 * 2, c // 2 * 2)
        return v not in board[r0 : r0 + 2, c0 : c0 + 2]

    def solve():
        for r in range(4):
            for c in range(4):
                if board[r, c] == 0:
                    for v in range(1, 5):
                        if ok(r, c, v):
                            board[r][c] = v
                            if solve():
                                return True
                            board[r][c] = 0
                    return False
        return True

    return (solve(), board)


@program(
    case(MAZE, 0, 0),
    case(WIDE, 0, 0),
    case(MAZE[:2, :2], 0, 0),
    mutate=False,
    vary=False,
)
def way_out(ground, sx, sy):
    n = len(ground)
    path = []
    vis = np.zeros_like(ground)

    def go_on(x, y):
        if x < 0 or y < 0 or x >= n or (y >= n) or (ground[x, y] == 1) or vis[x, y]:
            return False
        vis[x, y] = 1
        path.append((x, y))
        if x == n - 1 and y == n - 1:
            return True
        if go_on(x + 1, y) or go_on(x, y + 1) or go_on(x - 1, y) or go_on(x, y - 1):
            return True
        path.pop()
        return False

    return (go_on(sx, sy), path)


@program(case(MAZE, 0, 0, 7), case(WIDE, 2, 2, 5), case(WIDE, 0, 1, 1), mutate=False, vary=False)
def filled_area(image, x, y, new):
    old = image[x, y]

    def fill(i, j):
        if i < 0 or j < 0 or i >= image.shape[0] or (j >= image.shape[1]):
            return
        if image[i, j] != old or image[i, j] == new:
            return
        image[i, j] = new
        fill(i + 1, j)
        fill(i - 1, j)
        fill(i, j + 1)
        fill(i, j - 1)

    fill(x, y)
    return image


@program(
    case(np.array([1, 2, 3]), np.array([6.0, 10.0, 12.0]), 5),
    case(np.array([1, 2, 3, 4]), np.array([6.0, 10.0, 12.0, 1.0]), 3),
    vary=False,
)
def knapsack(w, v, c):
    best = [0.0]

    def go_on(i, cap, val):
        if val > best[0]:
            best[0] = val
        if i == len(w):
            return
        if w[i] <= cap:
            go_on(i + 1, cap - w[i], val + v[i])
        go_on(i + 1, cap, val)

    go_on(0, c, 0.0)
    return best[0]


@program(case(np.array([1, 2, 3]), 3), case(np.array([1, 2, 3, 3]), 6), vary=False)
def subsets(a, t):
    out = []

    def go_on(i, cur, s):
        if s == t and cur:
            out.append(cur.copy())
        if i == len(a):
            return
        cur.append(a[i])
        go_on(i + 1, cur, s + a[i])
        cur.pop()
        go_on(i + 1, cur, s)

    go_on(0, [], 0)
    return out


@program(case(np.array([1, 2, 3])), case(np.array([1, 1, 2])), vary=False)
def permutations_in_place(a):
    out = []

    def go_on(k):
        if k == len(a):
            out.append(a.copy())
            return
        for i in range(k, len(a)):
            a[k], a[i] = (a[i], a[k])
            if a[k] != a[0] or k == 0:
                go_on(k + 1)
            a[k], a[i] = (a[i], a[k])

    go_on(0)
    return out


@program(case(NEAR), case(FAR), vary=False, compiled=True)
def shortest_tour(ways):
    n = len(ways)
    best = [np.inf, None]

    def go_on(path, seen, cost):
        if cost >= best[0]:
            return
        if len(path) == n:
            t = cost + ways[path[-1], path[0]]
            if t < best[0]:
                best[0] = t
                best[1] = path.copy()
            return
        for j in range(n):
            if not seen[j]:
                seen[j] = True
                path.append(j)
                go_on(path, seen, cost + ways[path[-2], j])
                path.pop()
                seen[j] = False

    s = np.zeros(n, bool)
    s[0] = True
    go_on([0], s, 0.0)
    return best


@program(case(np.array([1, 5, 7]), 13), case(np.array([2, 5]), 3), vary=False)
def fewest_coins(c, t):
    memo = {}

    def go_on(n):
        if n == 0:
            return 0
        if n < 0:
            return 10**6
        if n in memo:
            return memo[n]
        best = 10**6
        for k in c:
            best = min(best, 1 + go_on(n - k))
        memo[n] = best
        return best

    return go_on(t)


@program(
    case(np.array([1, 2, 3]), np.array([2, 3, 1, 3])),
    case(np.array([1, 2, 3, 5, 1]), np.array([2, 3, 1, 3])),
    vary=False,
)
def common_subsequence(a, board):
    memo = -np.ones((len(a) + 1, len(board) + 1), dtype=int)

    def go_on(i, j):
        if i == 0 or j == 0:
            return 0
        if memo[i, j] >= 0:
            return memo[i, j]
        if a[i - 1] == board[j - 1]:
            memo[i, j] = 1 + go_on(i - 1, j - 1)
        else:
            memo[i, j] = max(go_on(i - 1, j), go_on(i, j - 1))
        return memo[i, j]

    return (go_on(len(a), len(board)), memo)


@program(
    case(1 - np.eye(4, dtype=int), 3),
    case(1 - np.eye(4, dtype=int), 4),
    case(WIDE + WIDE.T, 3),
    vary=False,
)
def coloured(G, m):
    n = len(G)
    col = np.zeros(n, int)

    def safe(v, c):
        return all((not (G[v, u] and col[u] == c) for u in range(n)))

    def go_on(v):
        if v == n:
            return True
        for c in range(1, m + 1):
            if safe(v, c):
                col[v] = c
                if go_on(v + 1):
                    return True
                col[v] = 0
        return False

    return (go_on(0), col)


@program(case(NEAR), case(FAR), case(np.eye(3)))
def determinant(A):
    if A.shape[0] == 1:
        return A[0, 0]
    s = 0.0
    for j in range(A.shape[0]):
        if A[0, j] != 0:
            s += (-1) ** j * A[0, j] * determinant(np.delete(np.delete(A, 0, 0), j, 1))
    return s


@program(
    case(np.array([3.0, 1.0, 2.0, 5.0])),
    case(np.array([3.0, 1.0, 2.0, 5.0, 0.0, 9.0])),
)
def quick_sort(a):

    def part(lo, hi):
        p = a[hi]
        i = lo
        for j in range(lo, hi):
            if a[j] < p:
                a[i], a[j] = (a[j], a[i])
                i += 1
        a[i], a[hi] = (a[hi], a[i])
        return i

    def qs(lo, hi):
        if lo < hi:
            k = part(lo, hi)
            qs(lo, k - 1)
            qs(k + 1, hi)

    qs(0, len(a) - 1)
    return a


@program(case(np.array([3.0, 1.0, 2.0, 5.0])), case(np.array([3.0, 1.0, 2.0, 5.0, 0.0, 9.0])))
def merge_sort(a):
    if len(a) <= 1:
        return a
    m = len(a) // 2
    l, r = (merge_sort(a[:m]), merge_sort(a[m:]))
    out = np.empty_like(a)
    i = j = k = 0
    while i < len(l) and j < len(r):
        if l[i] <= r[j]:
            out[k] = l[i]
            i += 1
        else:
            out[k] = r[j]
            j += 1
        k += 1
    while i < len(l):
        out[k] = l[i]
        i += 1
        k += 1
    while j < len(r):
        out[k] = r[j]
        j += 1
        k += 1
    return out


def quick_sorted(items):
    if len(items) < 2:
        return items
    pivot = items.pop()
    smaller, larger = [], []
    for one in items:
        (larger if one > pivot else smaller).append(one)
    return [*quick_sorted(smaller), pivot, *quick_sorted(larger)]


@program(case(FAR[0]), case(NEAR[1]), case(NEAR[0, :1]), case(np.array([2.0, 2.0, 1.0, 3.0, 0.0])))
def sorted_by_a_pivot_taken_out(row):
    return quick_sorted([one for one in row])


@program(case(FAR[0, :3]), case(NEAR[1, :3]), case(NEAR[0, :1]))
def every_order(row):
    found = []

    def go(rest, chosen):
        if len(rest) == 0:
            found.append(chosen)
        for place in range(len(rest)):
            others = rest[:]
            one = others.pop(place)
            go(others, chosen + [one])

    go([float(one) for one in row], [])
    return found


def moved(count, start, end, spare):
    if count == 0:
        return 0
    steps = moved(count - 1, start, spare, end)
    end.append(start.pop())
    return steps + 1 + moved(count - 1, spare, end, start)


@program(case(np.array([3])), case(np.array([0])), case(np.array([4])))
def towers_of_hanoi(count):
    start = list(range(int(count[0])))
    end, spare = [], []
    return moved(len(start), start, end, spare), start, end, spare


@program(case([t(2), t(3)], t(2)), case([t(2), t(3), t(5)], t(1)), compiled=True)
def combinations_of_tensors(items, size):
    found, path = [], []

    def extend(left, start):
        if left <= 0:
            found.append(path[:])
            return
        for place in range(start, len(items)):
            path.append(items[place])
            extend(left - 1, place)
            path.pop()

    extend(size, 0)
    return [[int(one) for one in row] for row in found], len(path)


@program(case([t(2.0), t(3.0)], t(2)), case([t(2.0), t(3.0)], t(0)))
def lists_of_given_and_new_tensors(items, n):
    found, path = [[items[0]]], []
    for k in range(n):
        path.append(items[k % 2])
        found.append(path[:])
        path.append(items[1] * k)
        found.append(path[1:])
    return [sum(row) for row in found], len(path)
