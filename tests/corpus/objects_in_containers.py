"""Objects that containers of staged length hold: changed, shared, compared, linked."""

from __future__ import annotations

import copy
import itertools
from collections import Counter, defaultdict, deque
from dataclasses import dataclass

import autograph as ag
from tests.corpus.registry import case, program, stateful

t = ag.asarray


@dataclass
class P:
    x: object
    v: object = 1.0


class Node:
    def __init__(self, value):
        self.value = value
        self.children = []
        self.parent = None

    def add(self, child):
        child.parent = self
        self.children.append(child)
        return child


@program(case(t(4)), case(t(1)))
def shared_in_two_lists(n):
    a, b = [], []
    for i in range(n):
        p = P(i)
        a.append(p)
        b.append(p)
        p.v = 2.0 * i
    a[0].x = 100
    return a, b, a[0] is b[0], a[0] is b[-1]


@program(case(t(4)))
def swapped_rows(n):
    rows = [[i, i * i] for i in range(n)]
    rows[0], rows[1] = rows[1], rows[0]
    rows[0].append(7)
    r = rows[2]
    rows[2] = [9]
    r[0] = -1
    return rows, r, len(rows[0])


@program(case(t(4)))
def copied_list_shares(n):
    rows = [[i] for i in range(n)]
    other = rows.copy()
    third = rows[1:]
    other[1].append(5)
    third[0].append(6)
    other.pop()
    return rows, other, third, rows[1] is third[0]


@program(case(t(4)))
def popped_and_changed(n):
    stack = [[i] for i in range(n)]
    top = stack.pop()
    top.append(1)
    stack.append(top)
    top.append(2)
    return stack, top, top is stack[-1]


@program(case(t(3)))
def repeated_rows(n):
    row = [0]
    rows = [row for _ in range(n)]
    rows[0].append(1)
    return rows, row


@program(case(t(4)))
def dict_of_dicts(n):
    table = {}
    for i in range(n):
        table.setdefault(i % 2, {})[i] = i * i
    table[0][100] = 1
    return table, len(table[1]), 2 in table[0]


@program(case(t(5)))
def dict_of_sets(n):
    table = defaultdict(set)
    for i in range(n):
        table[i % 2].add(i % 3)
    return table, {k: len(v) for k, v in table.items()}


@program(case(t(5)))
def dict_of_counters(n):
    table = defaultdict(Counter)
    for i in range(n):
        table[i % 2][i % 3] += 1
    return table


@program(case(t(5)))
def records(n):
    people = [{"age": i, "tags": []} for i in range(n)]
    for one in people:
        one["age"] += 10
        if one["age"] % 2 == 0:
            one["tags"].append(one["age"])
    return people, [one["age"] for one in people if one["tags"]]


@program(case(t(3)))
def three_levels(n):
    cube = [[[i * j * k for k in range(n)] for j in range(n)] for i in range(n)]
    cube[1][1][1] = -5
    cube[0][2].append(8)
    return cube, sum(cube[1][1])


@program(case(t([0, 0, 1, 1, 2])))
def tree_of_nodes(parents):
    nodes = [Node(-1)]
    for i, p in enumerate(parents):
        child = Node(i)
        nodes.append(nodes[int(p)].add(child))
    depths = []
    for node in nodes:
        d = 0
        while node.parent is not None:
            node = node.parent
            d += 1
        depths.append(d)
    return depths, [len(node.children) for node in nodes], [c.value for c in nodes[0].children]


@program(case(t([0, 0, 1, 1, 2])))
def tree_returned(parents):
    nodes = [Node(-1)]
    for i, p in enumerate(parents):
        nodes.append(nodes[int(p)].add(Node(i)))
    return nodes


@program(case(t(4)))
def linked_by_index(n):
    nodes = []
    for i in range(n):
        node = Node(i)
        if nodes:
            nodes[-1].children.append(node)
            node.parent = nodes[-1]
        nodes.append(node)
    total, cur = 0, nodes[-1]
    while cur is not None:
        total += cur.value
        cur = cur.parent
    return total, nodes[0].parent is None


@program(case(t(4)))
def conditional_append(n):
    rows, kept = [], []
    for i in range(n):
        row = [i]
        if i % 2 == 0:
            rows.append(row)
        else:
            kept.append(row)
        row.append(i * 10)
    return rows, kept


@program(case(t([1, 2, 0, 3, 0, 4])))
def chunks(xs):
    groups, current = [], []
    for x in xs:
        if x == 0:
            groups.append(current)
            current = []
        else:
            current.append(int(x))
    groups.append(current)
    return groups, groups[-1] is current


@program(case(t([5, 1, 4])))
def sort_then_change(xs):
    items = [P(int(x)) for x in xs]
    first = items[0]
    items.sort(key=lambda p: p.x)
    items[0].v = 50.0
    first.v = 9.0
    return items, first is items[-1], sorted(items, key=lambda p: -p.x)[0] is first


@program(case(t([5, 1, 4])))
def largest_changed(xs):
    items = [P(int(x)) for x in xs]
    best = max(items, key=lambda p: p.x)
    best.x = 0
    return items, sum(p.x for p in items)


@program(case(t([1.0, 2.0, 3.0]), t(2)))
def gradient_of_objects(x, steps):
    with ag.GradientTape() as tape:
        tape.watch(x)
        ps = [P(v, v * 2) for v in x]
        for _ in range(steps):
            for p in ps:
                p.x = p.x + p.v * p.x
        loss = sum(p.x for p in ps)
    return tape.gradient(loss, x), loss


@program(case(t([1.0, 2.0, 3.0])))
def gradient_of_nested(x):
    with ag.GradientTape() as tape:
        tape.watch(x)
        rows = []
        for v in x:
            rows.append([v, v * v])
        for i in range(len(rows)):
            rows[i].append(rows[i][0] * rows[i][1])
        loss = sum(sum(row) for row in rows)
    return tape.gradient(loss, x), rows


@program(case(t([1.0, 2.0, 3.0, 4.0]), t([0, 1, 0, 1])))
def gradient_of_groups(x, g):
    with ag.GradientTape() as tape:
        tape.watch(x)
        groups = defaultdict(list)
        for i in range(4):
            groups[int(g[i])].append(x[i] * x[i])
        loss = sum(groups[0]) * 2 + sum(groups[1]) * 3
    return tape.gradient(loss, x), groups


@program(case(t([1.0, 2.0, 3.0])), vary=False)
def gradient_of_floats(x):
    with ag.GradientTape() as tape:
        tape.watch(x)
        table = []
        for v in x:
            row = []
            for k in range(int(v)):
                row.append(v * k)
            table.append(row)
        loss = ag.zeros(())
        for row in table:
            for v in row:
                loss = loss + v
    return tape.gradient(loss, x)


@program(case(t(4)))
def change_in_branch(n):
    ps = [P(i) for i in range(n)]
    for p in ps:
        if p.x > 1:
            p.v = p.x * 10
        else:
            p.x -= 5
    return ps


@program(case(t(4)), case(t(0)))
def change_in_try(n):
    ps = [P(i) for i in range(n)]
    try:
        ps[0].x = 5
        ps[2].x = 7
        ps[int(n)].x = 9
    except IndexError:
        ps.append(P(-1))
    return ps, len(ps)


@program(case(t(3)))
def while_handles(n):
    ps = [P(i) for i in range(n)]
    cur = ps[0]
    count = 0
    while cur.x < 10:
        cur.x += 4
        cur = ps[(count + 1) % len(ps)]
        count += 1
    return ps, count, cur is ps[0]


@program(case(t(4)))
def list_in_and_remove(n):
    rows = [[i % 3] for i in range(n)]
    found = [1] in rows
    rows.remove([0])
    return found, rows, rows.index([2]), rows.count([0])


@program(case(t(4)))
def equality(n):
    a = [[i] for i in range(n)]
    b = [[i] for i in range(n)]
    same = a == b
    b[1][0] = 5
    return same, a == b, a != b, a[0] == b[0], a[0] is b[0]


@program(case(t(4)))
def objects_in_equality(n):
    ps = [Node(i) for i in range(n)]
    return ps[0] == ps[1], ps[0] == ps[0], ps[2] in ps, ps.index(ps[3])


@program(case(t(3)), refused="StateError", naming=("deepcopy",))
def deep_copied(n):
    rows = [[i] for i in range(n)]
    other = copy.deepcopy(rows)
    other[0].append(5)
    shallow = copy.copy(rows)
    shallow[1].append(6)
    return rows, other


@program(case(t(3)))
def printed(n):
    rows = [[i] for i in range(n)]
    rows[0].append(4)
    print(rows, rows[0], f"{rows[1]}")
    p = [P(i) for i in range(n)]
    p[0].x = 9
    print(p[0])
    return len(rows)


@program(case(t(3)))
def deques_in_list(n):
    qs = [deque(maxlen=2) for _ in range(n)]
    for i in range(5):
        qs[i % n].append(i)
        if len(qs[0]) > 1:
            qs[0].popleft()
    return qs


@program(case(t(3), t(1)))
def grid_of_zeros(n, k):
    grid = [[0] * int(n) for _ in range(n)]
    for i in range(n):
        grid[i][i] = i + 1
        grid[i][int(k)] += 1
    return grid, [sum(row) for row in grid], grid[1][1:], grid[-1][-1]


@program(case(t(3)))
def transposed(n):
    grid = [[i * 3 + j for j in range(n)] for i in range(n)]
    other = [[grid[j][i] for j in range(n)] for i in range(n)]
    other[0][1] = 99
    return grid, other, list(map(list, zip(*other))) if False else len(other)


@program(case(t([[1, 2], [3, 4]])))
def matrix_from_tensor(m):
    rows = [[int(v) for v in row] for row in m]
    rows[0][1], rows[1][0] = rows[1][0], rows[0][1]
    return rows


@program(case(t(3)))
def game_of_life_lists(steps):
    grid = [[0, 1, 0], [0, 1, 0], [0, 1, 0]]
    for _ in range(steps):
        new = [[0] * 3 for _ in range(3)]
        for i in range(3):
            for j in range(3):
                count = sum(
                    grid[a][b]
                    for a in range(max(0, i - 1), min(3, i + 2))
                    for b in range(max(0, j - 1), min(3, j + 2))
                    if (a, b) != (i, j)
                )
                new[i][j] = 1 if count == 3 or (count == 2 and grid[i][j]) else 0
        grid = new
    return grid


@program(case(t([3, 1, 2])))
def buckets(xs):
    buckets = [[] for _ in range(max(int(x) for x in xs) + 1)]
    for x in xs:
        buckets[int(x)].append(int(x))
    out = []
    for bucket in buckets:
        out.extend(bucket)
    return out, buckets


@program(case(t(4)))
def recursion_over_objects(n):
    nodes = [Node(i) for i in range(n)]
    for i in range(1, n):
        nodes[(i - 1) // 2].children.append(nodes[i])

    def total(node):
        s = node.value
        for child in node.children:
            s += total(child)
        return s

    return total(nodes[0])


@program(case(t(4)))
def helper_changes(n):
    def bump(p, by):
        p.x += by
        return p

    ps = [P(i) for i in range(n)]
    for i in range(n):
        bump(ps[i], i * 2)
    last = bump(ps[0], 100)
    return ps, last is ps[0]


class Bag:
    def __init__(self):
        self.items = {}

    def put(self, k, v):
        self.items.setdefault(k, []).append(v)

    def size(self):
        return sum(len(v) for v in self.items.values())


@program(case(t(5)))
def bag_class(n):
    bag = Bag()
    for i in range(n):
        bag.put(i % 3, i)
    return bag.size(), bag.items, bag


@stateful(case(t(2)), case(t(3)), case(t(2)))
def groups_outside():
    groups = {}

    def run(n):
        for i in range(n):
            groups.setdefault(i, []).append(int(n))
        return len(groups)

    return run, groups


@stateful(case(t(2)), case(t(3)), vary=False, mutate=False)
def objects_outside():
    log = []

    def run(n):
        for i in range(n):
            log.append(P(i))
        log[0].v = 3.0
        return len(log)

    return run, log


@program(case(t(4)))
def tuple_with_list(n):
    pairs = [(i, []) for i in range(n)]
    for k, items in pairs:
        items.append(k)
    pairs[0][1].append(7)
    return pairs


@program(case(t(4)))
def is_none_and_found(n):
    ps = [P(i) for i in range(n)]
    found = None
    for p in ps:
        if p.x == 2:
            found = p
    if found is not None:
        found.v = 100.0
    return ps, found is None, found


@program(case(t(4)))
def next_found(n):
    ps = [P(i) for i in range(n)]
    found = [p for p in ps if p.x > 1]
    found[0].v = 9.0
    for p in found:
        p.x = -p.x
    return ps, len(found)


@program(case(t(4)))
def object_set(n):
    ps = [Node(i) for i in range(n)]
    seen = set()
    for p in ps:
        if p.value % 2 == 0:
            seen.add(p)
    return [p in seen for p in ps], len(seen)


@program(case(t(4)))
def object_keys(n):
    ps = [Node(i) for i in range(n)]
    cost = {}
    for p in ps:
        cost[p] = p.value * 2
    return [cost[p] for p in ps]


@program(case(t(3)))
def linked_list_grows(n):
    head = None
    for i in range(n):
        head = [i, head]
    total = 0
    while head is not None:
        total += head[0]
        head = head[1]
    return total


@program(case(t(3)))
def linked_objects_grow(n):
    head = None
    for i in range(n):
        node = Node(i)
        node.parent = head
        head = node
    total = 0
    while head is not None:
        total = total * 10 + head.value
        head = head.parent
    return total


@program(case(t(4)), case(t(1)))
def same_objects_returned(n):
    ps = [P(i) for i in range(n)]
    kept = [p for p in ps if p.x != 1]
    return ps, kept, ps[0], max(ps, key=lambda p: p.x)


@program(case(t(4)))
def twice_in_one_list(n):
    rows = []
    for i in range(n):
        rows.append([i])
    for i in range(n):
        row = [i * 10]
        rows.append(row)
        rows.append(row)
    return rows


@program(case(t(4)))
def put_in_and_returned(n):
    last = None
    rows = []
    for i in range(n):
        last = [i]
        rows.append(last)
    return rows, last


@stateful(case(t(3)), case(t(2)))
def best_kept_outside():
    state = {"best": None, "all": []}

    def run(n):
        ps = [P(i) for i in range(n)]
        state["all"] = ps
        state["best"] = ps[int(n) - 1]
        return len(ps)

    return run, state


@program(case(t(1.0)), case(t(-1.0)))
def shared_on_one_path(x):
    if x > 0:
        a = [1]
        b = a
    else:
        a = [1]
        b = [2]
    b.append(int(x))
    return a, b, a is b


@program(case(t(3)))
def popped_and_pushed(n):
    stack = [[0, 3]]
    while stack:
        top = stack[-1]
        if top[0] < n:
            top[0] += 1
            if top[1] > 0:
                stack.append([0, top[1] - 1])
        else:
            stack.pop()
    return len(stack)


@program(case(t(4)))
def all_subsets(n):
    out = [[]]
    for i in range(n):
        out += [s + [i] for s in out]
    return out


@program(case(t(3)))
def backtracking(n):
    out, path = [], []

    def go(i):
        if i == n:
            out.append(path[:])
            return
        go(i + 1)
        path.append(i)
        go(i + 1)
        path.pop()

    go(0)
    return out


@program(case(t(3)))
def clear_and_extend(n):
    rows = [[i] for i in range(n)]
    rows[0].clear()
    rows[1].extend(rows[2])
    rows[2] += rows[1]
    rows[-1] *= 2
    return rows


@stateful(case(t(2)), case(t(3)), vary=False, mutate=False)
def rows_outside():
    rows = []

    def run(n):
        new = [[i] for i in range(n)]
        new[0].append(7)
        rows.extend(new)
        return len(rows), new[0] is rows[0]

    return run, rows


@program(case(t(4)))
def nested_dicts(n):
    tree = {}
    for i in range(n):
        node = tree
        for k in (i % 2, i % 3):
            node = node.setdefault(k, {})
        node["leaf"] = i
    return tree


@program(case(t(4)))
def trie(n):
    root = {}
    for i in range(n):
        node = root
        x = i
        while x > 0:
            bit = x % 2
            if bit not in node:
                node[bit] = {}
            node = node[bit]
            x //= 2
    return root


@program(case(t(3)))
def linked_cycle(n):
    nodes = [[i, None] for i in range(n)]
    for i in range(n):
        nodes[i][1] = nodes[(i + 1) % len(nodes)]
    cur, total = nodes[0], 0
    for _ in range(5):
        cur = cur[1]
        total = total * 10 + cur[0]
    return total


@program(case(t([1.0, 2.0, 3.0])))
def gradient_linked(x):
    with ag.GradientTape() as tape:
        tape.watch(x)
        head = None
        for v in x:
            head = [v * v, head]
        total = ag.zeros(())
        while head is not None:
            total = total * 2 + head[0]
            head = head[1]
    return tape.gradient(total, x), total


@program(case(t(4)))
def early_return(n):
    rows = [[i] for i in range(n)]
    for row in rows:
        row.append(1)
        if row[0] == 2:
            return rows, row
    return rows, None


@program(case(t(3)))
def sort_inner(n):
    rows = [[3 - i, i, 1] for i in range(n)]
    for row in rows:
        row.sort()
    rows.sort(key=lambda r: -r[0])
    return rows, sorted(rows), [max(r) for r in rows], min(rows)


@program(case(t(5)))
def queue_of_lists(n):
    q = deque([[0]])
    paths = []
    while q:
        path = q.popleft()
        if len(path) >= 3:
            paths.append(path)
            continue
        for k in range(2):
            q.append(path + [k])
        if len(paths) > n:
            break
    return paths


@program(case(t(3)))
def string_join(n):
    parts = []
    for i in range(n):
        parts.append(str(i))
    return ",".join(parts)


@program(case(t(3)))
def string_join_fstring(n):
    return " ".join(f"{i}:{i * i}" for i in range(n))


@program(case(t(3)))
def combos(n):
    return [c for c in itertools.combinations([n, n + 1, n + 2], 2)], list(
        itertools.permutations([1, 2, 3])
    )


@program(case(t([1, 2, 1, 3, 3, 3])))
def histogram_counter(xs):
    c = Counter(int(x) for x in xs)
    return c, c.most_common(1), c[7]


@program(case(t([3, 1, 2, 5, 4])))
def quicksort(xs):
    def sort(items):
        if len(items) <= 1:
            return items
        pivot, rest = items[0], items[1:]
        return (
            sort([i for i in rest if i < pivot]) + [pivot] + sort([i for i in rest if i >= pivot])
        )

    return sort([int(x) for x in xs])


class Term:
    def __init__(self, data, children=()):
        self.data = data
        self.children = set(children)
        self.backward = lambda: None
        self.scale = lambda y: y * 3


@program(case(t(2.0)), case(t(-1.0)), compiled=True)
def a_set_of_objects_that_hold_functions(x):
    one = Term(x)
    members = set()
    if x > 0:
        members.add(one)
    else:
        members.add(Term(x * 2))
    return len(members), one in members


@program(case(t(2.0)), case(t(-1.0)))
def sets_of_objects_that_hold_functions_in_objects(x):
    node = Term(x, (Term(x * 2), Term(x)))
    if x > 0:
        node = Term(x * 3, (node,))
    else:
        node = Term(x, ())
    node.backward()
    return len(node.children), node.scale(node.data)


@program(case(t(2.0)), case(t(-1.0)))
def a_table_of_objects_that_hold_functions(x):
    found = {}
    if x > 0:
        found["a"] = Term(x)
    else:
        found["b"] = Term(x * 2)
    found["c"] = Term(x)
    return list(found), [one.scale(one.data) for one in found.values()]


class Buckets:
    """A hash table with chains, which grows."""

    def __init__(self, count=4):
        self.chains = [[] for _ in range(count)]
        self.held = 0

    def put(self, key, value):
        chain = self.chains[key % len(self.chains)]
        for place, (known, _) in enumerate(chain):
            if known == key:
                chain[place] = (key, value)
                return
        chain.append((key, value))
        self.held += 1
        if self.held > len(self.chains):
            pairs = [pair for chain in self.chains for pair in chain]
            self.chains = [[] for _ in range(2 * len(self.chains))]
            self.held = 0
            for known, old in pairs:
                self.put(known, old)


@program(case([t(1), t(5), t(1)]), case([t(3), t(7), t(4)]), slow=True)
def hash_table_that_grows(keys):
    table = Buckets(2)
    for place, key in enumerate(keys):
        table.put(int(key), place * 10)
    return table.held, len(table.chains)


class Marked:
    """Some of these get one more attribute."""

    def __init__(self, value):
        self.value = value


@program(case(t(1.0)), case(t(-1.0)))
def an_attribute_that_one_of_many_gets(x):
    items = [Marked(x * k) for k in range(30)]
    if x > 0:
        items[3].hit = True
    return len([one for one in items if one.value > 1]), items[4].value, hasattr(items[3], "hit")


@program(case(t(1.0)), case(t(-1.0)))
def an_attribute_that_some_of_many_get(x):
    items = [Marked(x * k) for k in range(18)]
    for one in items:
        if one.value > 2:
            one.hit = one.value * 2
    return [(one.value, getattr(one, "hit", None)) for one in items if one.value > 1]
