"""Objects of classes that the staged function itself makes, in one another and in containers."""

from __future__ import annotations

import dataclasses
import heapq
import random

import autograph as ag
from tests.corpus.registry import case, program

t = ag.asarray


@program(case(t(5)), case(t(0)))
def linked_list_reversed(n):
    class Node:
        def __init__(s, v, nxt=None):
            s.v = v
            s.nxt = nxt

    head = None
    for i in range(n):
        head = Node(i * i, head)
    head2 = None
    while head is not None:
        nxt = head.nxt
        head.nxt = head2
        head2 = head
        head = nxt
    total = 0
    k = 1
    while head2 is not None:
        total += k * head2.v
        k += 1
        head2 = head2.nxt
    return total


@program(case([t(3), t(1), t(-2), t(4)]), case(t([3.0, 1.0, -2.0, 4.0])))
def stack_of_items(xs):
    @dataclasses.dataclass
    class Item:
        v: object
        below: object = None

    top = None
    for x in xs:
        if x > 0:
            top = Item(x, top)
        elif top is not None:
            top.v = top.v + x
            top = top.below
    out = []
    while top is not None:
        out.append(top.v)
        top = top.below
    return out


@program(case([t(3), t(1), t(-2), t(4)]), case(t([3, 1, -2, 4])))
def stack_of_items_with_slots(xs):
    @dataclasses.dataclass(slots=True)
    class Item:
        v: object
        below: object = None

    top = None
    for x in xs:
        if x > 0:
            top = Item(x, top)
        elif top is not None:
            top = top.below
    out = []
    while top is not None:
        out.append(top.v)
        top = top.below
    return out


@program(case([t(3), t(1), t(2), t(4)]), case(t([3, 1, 2, 4])))
def overridden_methods_along_a_list(xs):
    class Base:
        def __init__(s, v):
            s.v = v
            s.next = None

        def value(s):
            return s.v

    class Twice(Base):
        def value(s):
            return 2 * super().value()

    head = None
    for x in xs:
        node = Twice(x) if x > 2 else Base(x)
        node.next = head
        head = node
    out = []
    while head is not None:
        out.append(head.value())
        head = head.next
    return out


@program(case([t(3), t(1), t(2), t(4)]))
def search_tree_with_a_class_of_nodes(xs):
    class Tree:
        class Node:
            def __init__(s, k):
                s.k = k
                s.l = s.r = None

        def __init__(s):
            s.root = None
            s.n = 0

        def add(s, k):
            s.n += 1
            if s.root is None:
                s.root = Tree.Node(k)
                return
            c = s.root
            while True:
                if k < c.k:
                    if c.l is None:
                        c.l = Tree.Node(k)
                        return
                    c = c.l
                else:
                    if c.r is None:
                        c.r = Tree.Node(k)
                        return
                    c = c.r

        def depth(s):
            def d(n):
                return 0 if n is None else 1 + max(d(n.l), d(n.r))

            return d(s.root)

    t = Tree()
    for x in xs:
        t.add(x)
    return t.depth(), t.n


@program(case([t(3), t(1), t(2), t(4)]))
def two_classes_of_one_name(xs):
    def make(f):
        class Node:
            def __init__(s, v, n):
                s.v = f * v
                s.n = n

        return Node

    A = make(2)
    B = make(3)
    h = None
    for x in xs:
        h = A(x, h) if x > 2 else B(x, h)
    out = []
    while h is not None:
        out.append(h.v)
        h = h.n
    return out


@program(case([t(3), t(1)]), case([t(0), t(1)]))
def first_of_a_list(xs):
    class Node:
        def __init__(s, v, n):
            s.v = v
            s.n = n

    h = None
    for x in xs:
        if x > 1:
            h = Node(x, h)
    return h.v if h is not None else None, type(h).__name__


@program(case(t([3, 1, 2, 4])))
def heap_of_comparable_objects(xs):
    class P:
        def __init__(s, v):
            s.v = v

        def __lt__(s, o):
            return s.v < o.v

    h = []
    for x in xs:
        if x > 1:
            heapq.heappush(h, P(x))
    out = []
    while h:
        out.append(heapq.heappop(h).v)
    return out


@program(case(t([3, 1, 2, 3, 4, 1])))
def doubly_linked_by_a_dict(xs):
    class N:
        __slots__ = ("k", "p", "n")

        def __init__(s, k):
            s.k = k
            s.p = s.n = None

    head = N(-1)
    tail = N(-2)
    head.n = tail
    tail.p = head
    m = {}
    for x in xs:
        k = int(x)
        if k in m:
            q = m[k]
            q.p.n = q.n
            q.n.p = q.p
        q = N(k)
        m[k] = q
        q.p = tail.p
        q.n = tail
        tail.p.n = q
        tail.p = q
    out = []
    c = head.n
    while c is not tail:
        out.append(c.k)
        c = c.n
    return out


@program(case([t(3), t(1), t(2)]))
def treap(vals):
    class Node:
        def __init__(s, k, p):
            s.k = k
            s.p = p
            s.l = None
            s.r = None

    rng = random.Random(1)

    def split(n, k):
        if n is None:
            return None, None
        if n.k < k:
            a, b = split(n.r, k)
            n.r = a
            return n, b
        a, b = split(n.l, k)
        n.l = b
        return a, n

    def merge(a, b):
        if a is None:
            return b
        if b is None:
            return a
        if a.p > b.p:
            a.r = merge(a.r, b)
            return a
        b.l = merge(a, b.l)
        return b

    root = None
    for v in vals:
        a, b = split(root, v)
        root = merge(merge(a, Node(v, rng.random())), b)
    out = []

    def walk(n):
        if n is not None:
            walk(n.l)
            out.append(n.k * 1)
            walk(n.r)

    walk(root)
    return out
