"""Trees made under staged conditions, gone over by generators that ask themselves."""

from __future__ import annotations

import autograph as ag
from tests.corpus.registry import case, program


class Node:
    def __init__(self, value, left=None, right=None):
        self.value, self.left, self.right = value, left, right

    def __iter__(self):
        if self.left is not None:
            yield from self.left
        yield self.value
        if self.right is not None:
            yield from self.right

    def walk(self, out):
        if self.left is not None:
            self.left.walk(out)
        out.append(self.value)
        if self.right is not None:
            self.right.walk(out)

    def total(self):
        s = self.value
        if self.left is not None:
            s = s + self.left.total()
        if self.right is not None:
            s = s + self.right.total()
        return s


def insert(root, v):
    node = root
    while True:
        if v < node.value:
            if node.left is None:
                node.left = Node(v)
                return
            node = node.left
        else:
            if node.right is None:
                node.right = Node(v)
                return
            node = node.right


def build(x, more):
    root = Node(x)
    for v in more:
        insert(root, v)
    return root


@program(case(ag.asarray(1.0)), case(ag.asarray(3.0)))
def insert_total(x):
    root = build(x, [ag.asarray(2.0), ag.asarray(0.5)])
    return root.total()


@program(case(ag.asarray(1.0)), case(ag.asarray(3.0)))
def insert_for(x):
    root = build(x, [ag.asarray(2.0), ag.asarray(0.5)])
    t = 0
    for v in root:
        t = t * 2 + v
    return t


@program(case(ag.asarray([1.0, 3.0, 2.0])), case(ag.asarray([3.0, 0.1])))
def insert_staged_walk(xs):
    root = Node(xs[0])
    for v in xs[1:]:
        insert(root, v)
    out = []
    root.walk(out)
    return out


@program(case(ag.asarray([1.0, 3.0, 2.0])), case(ag.asarray([3.0, 0.1])))
def insert_staged_list(xs):
    root = Node(xs[0])
    for v in xs[1:]:
        insert(root, v)
    return list(root)


class Tree:
    def __init__(self, value, left=None, right=None):
        self.value, self.left, self.right = value, left, right

    def items(self):
        if self.left is not None:
            yield from self.left.items()
        yield self.value
        if self.right is not None:
            yield from self.right.items()


def inorder(node):
    if node:
        yield from inorder(node.left)
        yield node.value
        yield from inorder(node.right)


def inorder2(node):
    if node is not None:
        for v in inorder(node.left):
            yield v
        yield node.value
        for v in inorder(node.right):
            yield v


def insert_tree(node, v):
    if node is None:
        return Tree(v)
    if v < node.value:
        node.left = insert_tree(node.left, v)
    else:
        node.right = insert_tree(node.right, v)
    return node


@program(case(ag.asarray([1.0, 3.0, 2.0])), case(ag.asarray([3.0, 0.1])))
def tree_sort(xs):
    root = None
    for v in xs:
        root = insert_tree(root, v)
    return list(root.items())


@program(case(ag.asarray([1.0, 3.0, 2.0])), case(ag.asarray([3.0, 0.1])))
def tree_sort_inorder2(xs):
    root = None
    for v in xs:
        root = insert_tree(root, v)
    return list(inorder2(root))


@program(case(ag.asarray([1.0, 3.0, 2.0])), case(ag.asarray([3.0, 0.1])))
def tree_sum_inorder(xs):
    root = None
    for v in xs:
        root = insert_tree(root, v)
    return sum(inorder(root))


@program(case(ag.asarray([1.0, 3.0, 2.0])), case(ag.asarray([3.0, 0.1])))
def tree_for_inorder(xs):
    root = None
    for v in xs:
        root = insert_tree(root, v)
    last = 0.0
    gaps = []
    for v in inorder(root):
        gaps.append(v - last)
        last = v
    return gaps


@program(case(ag.asarray([1.0, 3.0, 2.0])), case(ag.asarray([3.0, 0.1])))
def tree_first_inorder(xs):
    root = None
    for v in xs:
        root = insert_tree(root, v)
    for v in inorder(root):
        if v > 1.5:
            return v
    return None


@program(case(ag.asarray([1.0, 3.0, 2.0])), case(ag.asarray([3.0, 0.1])))
def any_of_tree(xs):
    root = None
    for v in xs:
        root = insert_tree(root, v)
    return any(a > 2.5 for a in inorder(root)), max(inorder(root)), len(list(inorder(root)))


def hanoi(n, a, b, c):
    if n > 0:
        yield from hanoi(n - 1, a, c, b)
        yield a, c
        yield from hanoi(n - 1, b, a, c)


@program(case(ag.asarray(3)), case(ag.asarray(0)))
def hanoi_list(n):
    return list(hanoi(n, "A", "B", "C"))


def collatz(n):
    yield n
    if n > 1:
        yield from collatz(n // 2 if n % 2 == 0 else 3 * n + 1)


@program(case(ag.asarray(3)), case(ag.asarray(6)))
def coll(n):
    return list(collatz(int(n))), sum(collatz(n))


class Countdown:
    def __init__(self, n):
        self.n = n

    def __iter__(self):
        k = self.n
        while k > 0:
            yield k
            k -= 1


@program(case(ag.asarray(3)), case(ag.asarray(6)))
def one_of_two_iterables(n):
    both = Countdown(n) if n > 4 else [1, 2]
    return [k * 2 for k in both], sum(both)


@program(case(ag.asarray(3)), case(ag.asarray(6)))
def delegating_to_one_of_two(n):
    def outer():
        yield 0
        yield from (Countdown(n) if n > 4 else [1, 2])
        got = yield from (Countdown(n) if n > 4 else inorder2(None))
        yield got is None

    return [k + 0 if k is not None else k for k in outer()]
