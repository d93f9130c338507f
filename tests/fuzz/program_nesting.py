"""The grammar of nested data: containers in containers, objects that hold them, histories,
functions over variables that change, and exceptions that carry containers.

The forms are as in `program_grammar`; `$R` is a list of float tensors, `$G` a list of such lists.
Only programs of `FIRST_WITH_NESTING` and later have these features, so that earlier seeds keep
their meaning. Tensors go into containers as `$X * 1`: which tensor is which is admitted to differ
where a container has a staged length ("Elements of a container of staged length" in
docs/limits.md).
"""

from __future__ import annotations

from tests.fuzz.program_grammar import Forms

FIRST_WITH_NESTING = 2_000_000

ROWS: Forms = {
    "": ("row", "row", "[$X * 1]", "[$X * 1, $X * 1]", "list(row)", "(row + [$X * 1])", "row[-2:]"),
    "nested": (
        "grid[-1]",
        "grid[$I % len(grid)]",
        "grid[$N % 2]",
        "lists['a']",
        "lists.get($k, row)",
        "[r[-1] * 1 for r in grid if r]",
        "max(grid, key=len)",
        "sum(grid, [])",
        "[e for r in grid for e in r if e > $X]",
    ),
    "stores": ("store.log", "store.by['a']", "store.tail($I % 3)"),
    "records": ("[r['t'] * 1 for r in records]", "[t.x * 1 for t in points]"),
    "histories": ("[p[1] * 1 for p in history]", "list(best[2:])"),
    "carrying": ("getattr(held, 'items', row)",),
}
GRIDS: Forms = {
    "": ("[row]", "[$R, $R]"),
    "nested": (
        "grid",
        "(grid + [$R])",
        "grid[::-1]",
        "grid[-3:]",
        "[list(r) for r in grid]",
        "[r for r in grid if len(r) > $I % 3]",
        "[r + [$X * 1] for r in grid]",
        "sorted(grid, key=lambda r: len(r))",
        "[$R, *grid[:2]]",
        "list(lists.values())",
    ),
    "stores": ("list(store.by.values())",),
}
FLOAT_TENSORS: Forms = {
    "nested": (
        "sum($R, $x)",
        "max($R, default=$x)",
        "(row[0] + 0)",
        "sum([sum(r, $x) for r in $G], $x)",
        "(grid[0][0] * 1 if grid[0] else $x)",
        "sum(len(r) * $x for r in grid)",
        "([$x, *$R][-1] + 0)",
    ),
    "records": (
        "(records[-1]['t'] + 0)",
        "sum((r['t'] for r in records), $x)",
        "(points[$I % len(points)].x + 0)",
        "max((t.x for t in points if t.k > $I), default=$x)",
    ),
    "stores": ("store.put($k, $X)", "store.newest($x)", "(twin.best + 0)", "sum(store.log, $x)"),
    "trees": ("tree.total()", "tree.visit($X)", "(tree.kids[-1].t if tree.kids else $x)"),
    "histories": ("(best[1] + 0)", "sum((p[1] for p in history), $x)"),
    "shared": ("get()", "add($X)", "read()", "deposit($X)", "(acc + 0)", "readers[-1]()"),
    "carrying": ("rescued($X, $I % 4)",),
}
INTS: Forms = {
    "nested": ("len(grid)", "len($R)", "len(lists)", "sum(len(r) for r in grid)"),
    "records": ("(records[-1]['n'] % 61)", "(points[0].k % 61)", "len(records)"),
    "stores": ("len(store.log)", "store.puts", "len(twin.by)"),
    "trees": ("len(tree.kids)", "tree.seen"),
    "histories": ("len(history)", "len(path)", "(path[-1] if path else $I)", "best[0]"),
    "shared": ("len(readers)", "ticks"),
}
CONDITIONS: Forms = {
    "nested": ("len(grid) > 2", "row", "row is grid[-1]", "grid and grid[-1]", "$k in lists"),
    "records": ("records[-1]['n'] > $I", "len(points) < 3"),
    "stores": ("store is twin", "store.log", "'c' in store.by"),
    "trees": ("tree.kids", "cursor is tree"),
    "histories": ("len(path) > 2", "$I % 7 in path", "path in [[], [1]]"),
    "shared": ("ticks > $I",),
    "carrying": ("held is None", "held"),
}
RAISES = (
    "raise Carrying(row)",
    "raise Carrying($R, at=$I % 61)",
    "raise Carrying(list(row), best=$X * 1)",
    "raise Carrying([], rows=$G)",
    "row.append($X * 1)\nraise Carrying(row)",
    "raise held or Carrying($R)",
)
HANDLING = (
    "if isinstance(error, Carrying):\n    row = error.items",
    "if isinstance(error, Carrying):\n    error.items.append($X * 1)",
    "if isinstance(error, Carrying):\n    held = error",
    "$i = len(getattr(error, 'items', ())) % 61",
    "row = getattr(error, 'items', row)",
    "$x = getattr(error, 'more', {}).get('best', $x) * 1",
    "raise Carrying($R) from error",
)

STATEMENTS: Forms = {
    "nested": (
        "row = $R",
        "row = $R",
        "row.append($X * 1)",
        "grid.append($R)",
        "grid.append([$X * 1])",
        "grid[-1].append($X * 1)",
        "grid[$I % len(grid)].append($X * 1)",
        "grid[$I % len(grid)] = [$X * 1]",
        "grid[0] = $R",
        "grid = $G",
        "if len(grid) > 1:\n    row = grid.pop()",
        "if row:\n    $x = row.pop()",
        "for r in grid:\n    r.append($X * 1)",
        "for r in grid:\n    if r:\n        r[0] = r[0] * $F",
        "grid.sort(key=len)",
        "lists['a'].append($X * 1)",
        "lists.setdefault('c', []).append($X * 1)",
        "lists[$k] = $R",
        "lists = {**lists, 'b': $R}",
        "lists.pop('c', None)",
        "other_grid = grid",
        "other_grid = [list(r) for r in grid]",
        "other_grid = grid[:]",
        "grid, other_grid = other_grid, grid",
        "row, *tails = $G",
    ),
    "records": (
        "records.append({'n': $I % 61, 't': $X * 1})",
        "records[-1]['t'] = $X * 1",
        "records[0]['n'] += 1",
        "for r in records:\n    r['n'] = (r['n'] + $I) % 61",
        "records = [{**r, 't': r['t'] * $F} for r in records]",
        "records = [r for r in records if r['n'] > 2] or records",
        "record = records[-1]",
        "record['t'] = $X * 1",
        "record = {'n': $I % 61, 't': $X * 1}",
        "records.append(record)",
        "points.append(Point($X * 1, $I % 61))",
        "points = [t._replace(x=t.x + $F) for t in points]",
        "$x, $i = points[-1]",
        "points = sorted(points, key=lambda t: -t.k)",
        "named_points = {t.k % 3: t for t in points}",
    ),
    "stores": (
        "store.put($k, $X)",
        "store.put('c', $X)",
        "store = Store()",
        "store.best = $X * 1",
        "store.log = $R",
        "store.by[$k] = $R",
        "twin = store",
        "twin.put('a', $X)",
        "store, twin = twin, store",
        "stores.append(store)",
        "stores.append(Store())",
        "stores[-1].put('a', $X)",
        "for s in stores:\n    s.puts += 1",
        "store.drop($I % 3)",
    ),
    "trees": (
        "tree.add(Node($X * 1))",
        "tree.kids.append(Node($X * 1, [Node($X * 1)]))",
        "tree = Node($X * 1, tree.kids[-2:])",
        "cursor = tree.kids[-1] if tree.kids else tree",
        "cursor.t = $X * 1",
        "cursor = tree",
        "tree.visit($X)",
        "for kid in tree.kids:\n    kid.t = kid.t * $F",
    ),
    "histories": (
        "path = path + [$I % 61]",
        "path.append($I % 61)",
        "path = [*path[-2:], $I % 61]",
        "history.append(($I % 61, $X * 1))",
        "history.append(($i, $x * 1, *best[2:]))",
        "best = max(history, key=lambda p: p[0])",
        "best = ($I % 61, $X * 1, $x * 1)",
        "paths.append(path)",
        "paths.append(list(path))",
        "path = paths[-1]",
        "paths = [p + [$i] for p in paths[-2:]]",
        "history = sorted(history, key=lambda p: (p[0], float(p[1])))[-3:]",
    ),
    "shared": (
        "add($X)",
        "$x = deposit($X)",
        "acc = $X * 1",
        "ticks = (ticks + $I) % 61",
        "readers.append(get)",
        "readers.append(lambda: acc + $F)",
        "readers.append(lambda a=$X * 1: a + acc)",
        "readers = [read]",
        "add, get = counter($X * 1)",
        "if len(readers) > 2:\n    $x = readers.pop()()",
        "for reader in readers:\n    $x = reader() + $F",
        "chosen = add if $C else deposit\n$x = chosen($X)",
        "def again(k):\n    nonlocal ticks\n    ticks = (ticks + k) % 61\nagain($I)",
    ),
    "carrying": (
        "held = None",
        "held = Carrying($R)",
        "$x = rescued($X, $I % 4)",
        "if held is not None:\n    held.items = $R",
        "if held is not None:\n    row = held.items",
        "try:\n    $x = burden($R, $I % 3)\nexcept Carrying as error:\n    row = error.items",
        "try:\n    $x = burden($R, $N % 3)\nexcept Carrying as error:\n    held = error",
        "if ($C) and ($C):\n    raise Carrying($R)",
    ),
}
LOOPS: Forms = {
    "nested": (
        "for r in grid:",
        "for r in list(grid):",
        "for k, r in enumerate(grid):",
        "for $x in row:",
        "for y in list(row):",
        "for key, r in list(lists.items()):",
        "for r, t in zip(grid, $G):",
    ),
    "records": ("for r in records:", "for $x, $i in points:", "for record in list(records):"),
    "stores": ("for y in list(store.log):", "for twin in (store, twin):"),
    "trees": ("for cursor in tree.kids:",),
    "histories": ("for $i, $x, *_ in history:", "for path in list(paths):", "for k in list(path):"),
    "shared": ("for reader in readers:",),
}
STARTS: Forms = {
    "nested": (
        "grid = [[x0 * 1], [x1 * 1, x0 * 2]]",
        "other_grid = grid",
        "lists = {'a': [x1 * 1], 'b': []}",
        "tails = []",
    ),
    "records": (
        "records = [{'n': i0, 't': x0 * 1}]",
        "record = records[0]",
        "points = [Point(x1 * 1, i0)]",
        "named_points = {}",
    ),
    "stores": ("store = Store()", "twin = store", "stores = [Store()]"),
    "trees": ("tree = Node(x0 * 1, [Node(x1 * 1)])", "cursor = tree"),
    "histories": ("path, paths = [i0], [[]]", "history = [(i0, x1 * 1)]", "best = history[0]"),
    "shared": (
        "acc, ticks = x0 * 1, i0",
        "add, get = counter(x1 * 1)",
        "def deposit(a):\n    nonlocal acc, ticks\n    acc, ticks = acc + a, (ticks + 1) % 61\n"
        "    return acc * 1",
        "def read():\n    return acc * (ticks + 1)",
        "readers = [read]",
    ),
    "carrying": ("held = None",),
}
ALWAYS = "row = [x0 * 1]"
"""What a program with one of these features starts with."""
RESULTS: Forms = {
    "nested": ("grid", "other_grid", "lists", "row", "tails"),
    "records": ("records", "record", "points", "named_points"),
    "stores": ("store", "twin", "stores"),
    "trees": ("tree", "cursor"),
    "histories": ("path", "paths", "history", "best"),
    "shared": ("acc", "ticks", "len(readers)", "readers[-1]()", "get()"),
    "carrying": ("held", "row"),
}
GRAMMAR = {
    "X": FLOAT_TENSORS,
    "I": INTS,
    "C": CONDITIONS,
    "R": ROWS,
    "G": GRIDS,
}
FEATURES = ("nested", "records", "stores", "trees", "histories", "shared", "carrying")

HEAD = """\
class Carrying(Exception):
    def __init__(self, items, **more):
        super().__init__(f"carrying {len(items)}")
        self.items = items
        self.more = more


class Store:
    def __init__(self):
        self.log = []
        self.by = {"a": [], "b": []}
        self.best = ag.asarray(0.5)
        self.puts = 0

    def put(self, key, x):
        self.puts += 1
        if x > self.best:
            self.best = x * 1
            self.log.append(x * 1)
            self.by.setdefault(key, []).append(x * 2)
        return self.best * 1

    def newest(self, x):
        return self.log[-1] + 0 if self.log else x

    def tail(self, k):
        return [x * 1 for x in self.log[k:]]

    def drop(self, k):
        if self.puts > k and self.log:
            return self.log.pop()
        self.by = {**self.by, "b": self.log}
        return None


class Node:
    def __init__(self, t, kids=()):
        self.t = t
        self.kids = list(kids)
        self.seen = 0

    def add(self, node):
        self.kids.append(node)
        return self

    def total(self):
        result = self.t
        for kid in self.kids:
            result = result + kid.total()
        return result

    def visit(self, x):
        self.seen += 1
        if x > self.t and self.kids:
            return self.kids[-1].visit(x - 1)
        self.t = x * 1
        return self.t + 0


def counter(x):
    total = x

    def add(a):
        nonlocal total
        if a > total:
            total = a * 1
        else:
            total = total + a
        return total * 1

    def get():
        return total + 0

    return add, get


def burden(row, k):
    row = [*row, ag.asarray(0.5) * k]
    if row[0] > k:
        raise Carrying(row, at=k)
    return row[-1] + k


def rescued(x, k):
    items = [x * 1]
    try:
        for n in range(k):
            items.append(x - n)
            if x > n:
                raise Carrying(items)
    except Carrying as error:
        error.items.append(x * 2)
    return sum(items, x * 0)


"""
