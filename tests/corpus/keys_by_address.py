"""Objects as keys of dicts and members of sets: which object it is, and what leaves with it."""

from __future__ import annotations

import collections
import dataclasses
import functools
import types

import autograph as ag
from tests.corpus.registry import case, decorating

t = ag.asarray


class Node:
    def __init__(self, v):
        self.v = v
        self.kids = ()

    def get(self):
        return self.v


@dataclasses.dataclass(frozen=True)
class Held:
    node: object


class Hashed:
    def __init__(self, v):
        self.v = v

    def __eq__(self, other):
        return self.v == other.v

    def __hash__(self):
        return hash(self.v)


def tree():
    nodes = [Node(k) for k in range(6)]
    for node, kids in zip(nodes, ((1, 2), (3, 2), (4, 5, 0)), strict=False):
        node.kids = tuple(nodes[k] for k in kids)
    return nodes[0]


X = case(t(1.0))


@decorating(X)
def a_cache_from_outside(stage):
    cache = {}

    @stage
    def look(node, x):
        if node not in cache:
            cache[node] = node.v * 10
        return cache[node] * x

    def run(x):
        a, b, c = Node(1), Node(2), Node(3)
        found = [look(node, x) for node in (a, b, a, c)]
        cache.clear()
        return found

    return run, lambda: None


@decorating(X)
def tables_asked_for_other_keys(stage):
    a, b, c = Node(1), Node(2), Node(3)
    v, w = ag.Variable(1.0), ag.Variable(2.0)
    nodes, variables = {a: 1.0, b: 5.0}, {v: 1.0, w: 5.0}
    pairs, methods, held = {(a, 1): 2.0, (b, 1): 3.0}, {a.get: 1.0}, {Held(a): 4.0, Held(b): 6.0}

    @stage
    def look(node, variable, x):
        found = nodes.get(node, -1), variables.get(variable, -2), pairs.get((node, 1), -3)
        return *found, methods.get(node.get, -4), held.get(Held(node), -5), x, node in nodes

    def run(x):
        calls = ((a, v), (b, w), (a, v), (c, v), (b, ag.Variable(1.0)))
        return [look(node, variable, x) for node, variable in calls]

    return run, lambda: None


@decorating(X)
def members_that_may_be_one(stage):
    @stage
    def count(x, *nodes):
        seen, total = set(), 0
        for node in nodes:
            if node in seen:
                continue
            seen.add(node)
            total += node.v
        table = dict.fromkeys(nodes, 0)
        return x * total, len(set(nodes)), len({*nodes}), len(table), len(frozenset(nodes))

    def run(x):
        a, b, c = Node(1), Node(2), Node(3)
        calls = ((a, b), (a, a), (b, b), (b, a, c), (c, a, c))
        return [count(x, *nodes) for nodes in calls]

    return run, lambda: None


@decorating(X)
def a_graph_gone_over(stage):
    @stage
    def reach(root, x):
        seen, todo = set(), [root]
        while todo:
            node = todo.pop()
            if node in seen:
                continue
            seen.add(node)
            todo.extend(node.kids)
        return len(seen), x * 2

    return lambda x: [reach(tree(), x) for _ in range(3)], lambda: None


@decorating(X)
def sets_of_objects_compared(stage):
    @stage
    def compare(left, right, x):
        return len(left & right), len(left | right), left <= right, left == right, x

    def run(x):
        a, b, c, d = (Node(k) for k in range(4))
        pairs = (({a, b}, {a, c}), ({a, b}, {a, b}), ({a, b}, {c, d}))
        return [compare(left, right, x) for left, right in pairs]

    return run, lambda: None


@decorating(X)
def momentum_by_parameter(stage):
    class Descent:
        def __init__(self):
            self.state = {}

        def step(self, p, g):
            m = self.state.get(p, 0.0) * 0.9 + g
            self.state[p] = m
            p.v = p.v - 0.1 * m
            return p.v

    @stage
    def step(descent, p, g):
        return descent.step(p, g)

    def run(x):
        descent, p, q = Descent(), Node(t(1.0)), Node(t(2.0))
        return [step(descent, one, x) for one in (p, q, p, q, p, q)], len(descent.state)

    return run, lambda: None


@decorating(X)
def which_key_is_a_global_attribute(stage):
    a, b = Node(1), Node(2)
    box = types.SimpleNamespace(current=a, table={a: 1.0, b: 5.0}, order=[a])

    @stage
    def look(x):
        return x * box.table[box.current], [box.table[one] for one in box.order]

    def run(x):
        found = []
        for one in (a, b, a):
            box.current, box.order[0] = one, one
            found.append(look(x))
        return found

    return run, lambda: None


@decorating(case(t(3)))
def new_objects_leave_as_keys(stage):
    @stage
    def make(k):
        node = Node(int(k))
        seen = {node}
        other = Node(k * 2)
        return (
            node,
            seen,
            {(node, 1): 1, other: 2},
            frozenset([node]),
            collections.Counter([node, node]),
            collections.defaultdict(list, {node: [k]}),
            types.SimpleNamespace(seen={node}),
            {node.get: 1},
        )

    def run(k):
        node, seen, pairs, frozen, counts, lists, space, methods = make(k)
        found = node in seen, (node, 1) in pairs, node in frozen, counts[node], lists[node]
        more = node in space.seen, methods[node.get], make(k)[0] is not node
        return found, more, [one.v for one in seen], len(pairs)

    return run, lambda: None


@decorating(case(3))
def new_objects_leave_as_keys_of_plain_calls(stage):
    @stage
    def make(k):
        nodes = [Node(i) for i in range(k)]
        held = Hashed(k)
        first, second = Node("a"), Node("b")
        return nodes, {one: one.v * 2 for one in nodes}, held, {held: 1}, {first: [second]}, first

    def run(k):
        nodes, doubles, held, table, edges, first = make(k)
        same = next(iter(table)) is held
        return [doubles.get(one) for one in nodes], table[Hashed(3)], same, edges[first][0].v

    return run, lambda: None


@decorating(case(t(1)), case(t(4)))
def a_registry_that_grows(stage):
    registry = {}

    @stage
    def register(k):
        node = Node(int(k))
        if k > 2:
            registry[node] = []
        for other in registry:
            registry[other].append(node)
        return node

    def run(k):
        made = [register(k + i) for i in range(3)]
        found = [node in registry for node in made]
        lists = [[one.v for one in registry[node]] for node in registry]
        registry.clear()
        return found, lists

    return run, lambda: None


@decorating(case(t(1.0)), case(t(-1.0)))
def keys_that_branches_and_loops_make(stage):
    @stage
    def make(x):
        table = {}
        if x > 0:
            node = Node(x * 1)
            table[node] = 1
        else:
            node = Node(-x)
            table[node] = 2
        seen, found = set(), []
        for i in range(int(abs(x)) + 2):
            one = Node(i)
            seen.add(one)
            found.append(one in seen)
        return table[node], node.v, len(seen), found

    return make, lambda: None


@decorating(case(t([1.0, 2.0])), case(t([3.0])))
def parents_of_nodes_of_a_loop(stage):
    @stage
    def make(xs):
        parents = collections.OrderedDict()
        root = Node(0)
        parents[root] = None
        for x in xs:
            node = Node(float(x))
            parents[node] = root
            root = node
        return parents, root

    def run(xs):
        parents, root = make(xs)
        return [(one.v, up.v if up else None) for one, up in parents.items()], root in parents

    return run, lambda: None


@decorating(X)
def functions_and_exceptions_as_keys(stage):
    @stage
    def make(x):
        return {(lambda a: a + x): 1}, {ValueError(x): 2}, {functools.partial(max, 3): 3}

    def run(x):
        functions, errors, partials = make(x)
        added = [one(x * 2) for one in functions]
        return added, [one.args for one in errors], [one(5) for one in partials]

    return run, lambda: None


@decorating(X)
def keys_of_copies_and_of_new_containers(stage):
    @stage
    def look(table, node, x):
        copied, first, last = dict(table), {node: 1}, set()
        copied[node] = 9
        for key in table:
            first[key] = 2
            last.add(key)
        sizes = len({**table, node: 1}), len(table | {node: 2}), len(set(table) | {node})
        return list(copied.values()), list(first.values()), node in last, sizes, x

    def run(x):
        a, b, c = Node(1), Node(2), Node(3)
        calls = (({a: 1}, b), ({a: 1}, a), ({a: 1}, c), ({b: 1}, b), ({b: 1}, c))
        return [look(table, node, x) for table, node in calls]

    return run, lambda: None


@decorating(X)
def keys_from_other_places(stage):
    a, b, c = Node(1), Node(2), Node(3)
    kept = [a, b]

    @stage
    def look(one, other, x):
        table = {kept[0]: 1, one: 2}
        counts = collections.Counter([one, other])
        members = frozenset([one]) & frozenset([other])
        return len(table), table.get(other, 0), sorted(counts.values()), len(members), x

    def run(x):
        return [look(*pair, x) for pair in ((b, c), (a, c), (b, a), (b, b), (c, a), (a, a))]

    return run, lambda: None
