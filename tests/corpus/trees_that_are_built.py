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


def tree_of_tuples(keys):
    tree = None
    for key in keys:
        tree = put(tree, key)
    return tree


@program(case(t([3.0, 1.0, 2.0, 5.0] * 5)), refused="LoopTypeError", naming=("tree", "class"))
def search_tree_of_many_tuples(keys):
    return tree_of_tuples(keys)[1]


@program(*KEYS)
def search_tree_of_few_tuples(keys):
    return tree_of_tuples(keys)


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


@program(case(t(3)), case(t(5)))
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


# objects that refer to themselves and to one another ----------------------------------------------
class Computed:
    """A value with what it was computed of, as a tape of one's own keeps it."""

    def __init__(self, data, parents=()):
        self.data, self.grad, self.parents = data, 0.0, parents
        self.back = lambda: None

    def __mul__(self, other):
        out = Computed(self.data * other.data, (self, other))

        def back():
            self.grad = self.grad + out.grad * other.data
            other.grad = other.grad + out.grad * self.data

        out.back = back
        return out

    def __add__(self, other):
        out = Computed(self.data + other.data, (self, other))

        def back():
            self.grad = self.grad + out.grad
            other.grad = other.grad + out.grad

        out.back = back
        return out


@program(case(t([2.0, 3.0])), case(t([-1.0, 0.5])))
def gradients_by_a_tape_of_ones_own(w):
    a, b = [Computed(v) for v in w]
    h = a * b
    y = h * h + a
    order, seen = [], set()

    def visit(v):
        if v not in seen:
            seen.add(v)
            for p in v.parents:
                visit(p)
            order.append(v)

    visit(y)
    y.grad = 1.0
    for v in reversed(order):
        v.back()
    return y.data, a.grad, b.grad, len(seen), len(order)


class Kin:
    def __init__(self, state, parent=None):
        self.state, self.parent, self.kids, self.me = state, parent, {}, self


@program(case(t([1.0, 2.0])), case(t([0.0, 0.0, 3.0])))
def objects_that_hold_themselves_as_keys(w):
    a, *rest = [Kin(1) for _ in w]
    h = Kin(2, a)
    y = Kin(3, h)
    seen = {y}
    found = [a in seen, h in seen, y.me in seen]
    seen.add(h.parent)
    return found, len(seen), y.parent.state, y.state, h.parent is a, y.me is y, len(rest)


@program(case(t(0.5)), case(t(-0.5)))
def tree_with_links_to_parents_that_grows_where_it_ends(x):
    root, path = Kin(3), []
    for _ in range(3):
        node = root
        while node.kids:
            node = node.kids[1] if x > 0 else node.kids[2] if 2 in node.kids else node.kids[1]
        for move in (1, 2, 3):
            if move <= node.state:
                node.kids[move] = Kin(node.state - move, node)
        while node is not None:
            path.append(node.state)
            node = node.parent
    node = root
    while node.kids and len(path) < 20:
        path.append((node.state, sorted(node.kids)))
        node = node.kids[1]
    return path


@program(case(t(0.5)), case(t(-0.5)))
def tree_that_grows_by_three_and_is_gone_up(x):
    root, path = Kin(3), []
    for _ in range(3):
        node = root
        while node.kids:
            node = node.kids[1] if x > 0 else node.kids[2]
        for move in (1, 2, 3):
            node.kids[move] = Kin(node.state - move, node)
        while node is not None:
            path.append(node.state)
            node = node.parent
    return path


class Linked:
    def __init__(self, value, up=None):
        self.value, self.kids, self.up = value, [], up


@program(case(t(1.0), t(2)), case(t(1.0), t(0)))
def children_with_parents_appended_in_a_loop(x, n):
    a = Linked(x)
    b = Linked(x + 1, a)
    a.kids.append(b)
    for _ in range(n):
        a.kids.append(b)
    return len(a.kids), a.value + 0, [k.value + 0 for k in a.kids], [k.up is a for k in a.kids]


@program(case(t(1.0), t(2)), case(t(1.0), t(0)))
def grandchildren_appended_to_in_a_loop(x, n):
    a = Linked(x)
    b = Linked(x * 2, a)
    c = Linked(x * 3, b)
    a.kids.append(b)
    b.kids.append(c)
    for i in range(n):
        a.kids.append(b)
        c = Linked(x + i, c)
        b.kids.append(c)
    depth = 0
    while c is not None:
        c, depth = c.up, depth + 1
    found = [k.value + 0 for k in a.kids], [k.value + 0 for k in b.kids]
    return found, depth, b.kids[0].up is b
