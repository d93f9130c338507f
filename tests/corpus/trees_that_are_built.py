"""Trees and chains that functions build: of objects of a class; nested tuples are refused early."""

from __future__ import annotations

from dataclasses import dataclass, field

import autograph as ag
from tests.corpus.registry import case, program

t = ag.asarray
N = (case(t(3)), case(t(0)), case(t(1)))
KEYS = (case(t([3.0, 1.0, 2.0, 5.0])), case(t([2.0])))


class Node:
    def __init__(self, key):
        self.key, self.left, self.right = key, None, None


def insert(node, key):
    if node is None:
        return Node(key)
    if key < node.key:
        node.left = insert(node.left, key)
    else:
        node.right = insert(node.right, key)
    return node


def depth(node):
    return 0 if node is None else 1 + max(depth(node.left), depth(node.right))


@program(*KEYS)
def search_tree(keys):
    tree = None
    for key in keys:
        tree = insert(tree, key)
    return depth(tree), tree.key


def full(n):
    if n <= 0:
        return None
    node = Node(n)
    node.left = full(n - 1)
    node.right = full(n - 1)
    return node


@program(*N)
def full_tree(n):
    return depth(full(n))


@dataclass
class Leaf:
    value: object


@dataclass
class Inner:
    left: object
    right: object
    weight: float = 0.5
    notes: list = field(default_factory=list)


def grown(n, x):
    if n <= 0:
        return Leaf(x)
    return Inner(grown(n - 1, x * 2), grown(n - 1, x + 1))


def total(tree):
    if isinstance(tree, Leaf):
        return tree.value
    return tree.weight * (total(tree.left) + total(tree.right))


@program(case(t(2), t(3.0)), case(t(0), t(3.0)), case(t(3), t(-1.0)))
def tree_of_two_classes(n, x):
    return total(grown(n, x))


@program(case(t(2), t(3.0)), case(t(3), t(-1.0)))
def gradient_through_a_tree(n, x):
    with ag.GradientTape() as tape:
        tape.watch(x)
        y = total(grown(n, x))
    return y, tape.gradient(y, x)


class Cons:
    def __init__(self, head, tail):
        self.head, self.tail = head, tail


def chain(n):
    return None if n <= 0 else Cons(n, chain(n - 1))


@program(*N)
def linked_list(n):
    node, found = chain(n), 0
    while node is not None:
        found = found * 10 + node.head
        node = node.tail
    return found


@program(*N)
def linked_list_by_a_loop(n):
    node = None
    for i in range(n):
        node = Cons(i, node)
    count = 0
    while node is not None:
        count += node.head
        node = node.tail
    return count


def pairs(n):
    return None if n <= 0 else (pairs(n - 1), n, pairs(n - 1))


@program(*N, refused="LoopTypeError", naming=("pairs", "class"))
def nested_tuples(n):
    return pairs(n)[1]


def put(tree, key):
    if tree is None:
        return (None, key, None)
    left, middle, right = tree
    if key < middle:
        return (put(left, key), middle, right)
    return (left, middle, put(right, key))


@program(*KEYS, refused="LoopTypeError", naming=("tree", "class"))
def search_tree_of_tuples(keys):
    tree = None
    for key in keys:
        tree = put(tree, key)
    return tree[1]


@program(case(t(3)), case(t(1)))
def of_lists(n):
    def grow(k):
        return [] if k <= 0 else [grow(k - 1), grow(k - 2)]

    return len(grow(int(n)))


@program(case(t(3)), case(t(0)))
def chain_of_lists(n):
    def grow(k):
        return None if k <= 0 else [k, grow(k - 1)]

    link, total = grow(int(n)), 0
    while link is not None:
        total = total * 2 + link[0]
        link = link[1]
    return total


@program(case(t(3)), case(t(0)))
def tree_of_dicts(n):
    def grow(k):
        if k <= 0:
            return {"value": k, "kids": []}
        return {"value": k, "kids": [grow(k - 1), grow(k - 2)]}

    def total(tree):
        return tree["value"] + sum(total(kid) for kid in tree["kids"])

    return total(grow(int(n)))


@program(case(t(3)), refused="StateError", naming=("outside",))
def of_a_class_made_here(n):
    class Link:
        def __init__(self, value, after):
            self.value, self.after = value, after

    def grow(k):
        return None if k <= 0 else Link(k, grow(k - 1))

    return grow(int(n)).value


@program(case(t(2.0)), case(t(-2.0)))
def of_lists_in_tuples(x):
    def tree(k):
        return (k, []) if k <= 0 else (k, [tree(k - 1), tree(k - 2)])

    def total(n):
        return n[0] + sum(total(m) for m in n[1])

    return total(tree(int(abs(x))))
