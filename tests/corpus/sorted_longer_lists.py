"""Sorts in place of longer lists of tensors, and of trees whose shape is staged."""

from __future__ import annotations

import autograph as ag
from tests.corpus.registry import case, program

t = ag.asarray
EIGHT = (
    case([t(one) for one in (3, 1, 4, 1, 5, 9, 2, 6)]),
    case([t(one) for one in (8, 7, 6, 5, 4, 3, 2, 1)]),
)
FIFTEEN = (case([t(one * 7 % 15) for one in range(15)]), case([t(one) for one in range(15)]))


class Node:
    def __init__(self, value):
        self.value, self.left, self.right = value, None, None


@program(*EIGHT)
def exchanged_with_the_one_before(a):
    for i in range(1, len(a)):
        j = i
        while j > 0 and a[j - 1] > a[j]:
            a[j - 1], a[j] = a[j], a[j - 1]
            j -= 1
    return a


@program(*EIGHT)
def heap_by_recursion(a):
    n = len(a)

    def heapify(n, i):
        largest = i
        l = 2 * i + 1
        r = 2 * i + 2
        if l < n and a[l] > a[largest]:
            largest = l
        if r < n and a[r] > a[largest]:
            largest = r
        if largest != i:
            a[i], a[largest] = a[largest], a[i]
            heapify(n, largest)

    for i in range(n // 2 - 1, -1, -1):
        heapify(n, i)
    for i in range(n - 1, 0, -1):
        a[i], a[0] = a[0], a[i]
        heapify(i, 0)
    return a


@program(*EIGHT)
def quick(a):
    def part(lo, hi):
        p = a[hi]
        i = lo - 1
        for j in range(lo, hi):
            if a[j] <= p:
                i += 1
                a[i], a[j] = a[j], a[i]
        a[i + 1], a[hi] = a[hi], a[i + 1]
        return i + 1

    def go(lo, hi):
        if lo < hi:
            p = part(lo, hi)
            go(lo, p - 1)
            go(p + 1, hi)

    go(0, len(a) - 1)
    return a


@program(*EIGHT, compiled=True)
def quick_with_a_stack(a):
    stack = [(0, len(a) - 1)]
    while stack:
        lo, hi = stack.pop()
        if lo >= hi:
            continue
        p = a[hi]
        i = lo
        for j in range(lo, hi):
            if a[j] < p:
                a[i], a[j] = a[j], a[i]
                i += 1
        a[i], a[hi] = a[hi], a[i]
        stack.append((lo, i - 1))
        stack.append((i + 1, hi))
    return a


@program(*EIGHT)
def shell(a):
    n = len(a)
    gap = n // 2
    while gap > 0:
        for i in range(gap, n):
            temp = a[i]
            j = i
            while j >= gap and a[j - gap] > temp:
                a[j] = a[j - gap]
                j -= gap
            a[j] = temp
        gap //= 2
    return a


@program(*FIFTEEN)
def comb(a):
    n = len(a)
    gap = n
    swapped = True
    while gap > 1 or swapped:
        gap = max(1, int(gap / 1.3))
        swapped = False
        for i in range(n - gap):
            if a[i] > a[i + gap]:
                a[i], a[i + gap] = a[i + gap], a[i]
                swapped = True
    return a


@program(*EIGHT)
def cycle(a):
    n = len(a)
    for start in range(n - 1):
        item = a[start]
        pos = start
        for i in range(start + 1, n):
            if a[i] < item:
                pos += 1
        if pos == start:
            continue
        while item == a[pos]:
            pos += 1
        a[pos], item = item, a[pos]
        while pos != start:
            pos = start
            for i in range(start + 1, n):
                if a[i] < item:
                    pos += 1
            while item == a[pos]:
                pos += 1
            a[pos], item = item, a[pos]
    return a


@program(*FIFTEEN)
def until_nothing_is_exchanged(a):
    n = len(a)
    swapped = True
    while swapped:
        swapped = False
        for j in range(n - 1):
            if a[j] > a[j + 1]:
                a[j], a[j + 1] = a[j + 1], a[j]
                swapped = True
    return a


@program(*FIFTEEN)
def cocktail(a):
    lo, hi = 0, len(a) - 1
    swapped = True
    while swapped:
        swapped = False
        for i in range(lo, hi):
            if a[i] > a[i + 1]:
                a[i], a[i + 1] = a[i + 1], a[i]
                swapped = True
        hi -= 1
        for i in range(hi - 1, lo - 1, -1):
            if a[i] > a[i + 1]:
                a[i], a[i + 1] = a[i + 1], a[i]
                swapped = True
        lo += 1
    return a


@program(*EIGHT)
def merged_back(a):
    def go(a):
        if len(a) > 1:
            m = len(a) // 2
            l = a[:m]
            r = a[m:]
            go(l)
            go(r)
            i = j = k = 0
            while i < len(l) and j < len(r):
                if l[i] <= r[j]:
                    a[k] = l[i]
                    i += 1
                else:
                    a[k] = r[j]
                    j += 1
                k += 1
            while i < len(l):
                a[k] = l[i]
                i += 1
                k += 1
            while j < len(r):
                a[k] = r[j]
                j += 1
                k += 1

    go(a)
    return a


@program(*EIGHT)
def turned_over(a):
    a = list(a)
    for n in range(len(a), 1, -1):
        m = 0
        for i in range(1, n):
            if a[i] > a[m]:
                m = i
        a[: m + 1] = a[: m + 1][::-1]
        a[:n] = a[:n][::-1]
    return [int(one) for one in a]


@program(*FIFTEEN)
def odd_and_even(a):
    n = len(a)
    for r in range(n):
        for i in range(r % 2, n - 1, 2):
            if a[i] > a[i + 1]:
                a[i], a[i + 1] = a[i + 1], a[i]
    return a


@program(*EIGHT)
def bit_by_bit(a):
    a = list(a)
    for bit in range(4):
        zero = []
        one = []
        for v in a:
            if (int(v) >> bit) & 1:
                one.append(v)
            else:
                zero.append(v)
        a = zero + one
    return [int(one) for one in a]


@program(*EIGHT)
def vectors_by_their_sums(a):
    rows = [ag.stack([one, one * 2]) for one in a]
    for i in range(1, len(rows)):
        k = i
        while k > 0 and ag.sum(rows[k - 1]) > ag.sum(rows[k]):
            rows[k - 1], rows[k] = rows[k], rows[k - 1]
            k -= 1
    return rows, rows[0] is rows[1]


@program(*EIGHT)
def numbers(a):
    items = [int(one) for one in a]
    for i in range(1, len(items)):
        key, k = items[i], i - 1
        while k >= 0 and items[k] > key:
            items[k + 1] = items[k]
            k -= 1
        items[k + 1] = key
    return items


@program(*EIGHT)
def a_tree(a):
    root = None

    def insert(node, value):
        if node is None:
            return Node(value)
        if value < node.value:
            node.left = insert(node.left, value)
        else:
            node.right = insert(node.right, value)
        return node

    for one in a:
        root = insert(root, int(one))
    found = []

    def walk(node):
        if node is not None:
            walk(node.left)
            found.append(node.value)
            walk(node.right)

    walk(root)
    return found


@program(*EIGHT)
def a_tree_that_is_turned(a):
    def turned(node):
        left = node.left
        node.left, left.right = left.right, node
        return left

    def insert(node, value):
        if node is None:
            return Node(value)
        if value < node.value:
            node.left = insert(node.left, value)
            if node.left.value % 3 > node.value % 3:
                node = turned(node)
        else:
            node.right = insert(node.right, value)
        return node

    def depth(node):
        return 0 if node is None else 1 + max(depth(node.left), depth(node.right))

    root = None
    for one in a:
        root = insert(root, int(one))
    return root.value, depth(root)
