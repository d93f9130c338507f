"""Random programs of containers that several names share, and of what happens to them.

Lists, lists of lists, dicts, dicts of lists, deques, sets, tuples and objects with a list: given
other names, swapped, kept in one another, copied and changed in place, under staged conditions and
in staged loops that are left early. Some of them are arguments, some are kept outside. The result
shows all of them, and which of them are one.

`$l` `$t` `$d` `$g` `$o` `$q` `$s` are names of lists, lists of lists, dicts, dicts of lists,
objects, deques and sets; `$X` is an expression of a scalar, `$W` one that is put into a container,
`$K` a small int, `$k` a key, `$C` a condition.
"""

from __future__ import annotations

import random
from typing import Any

import numpy as np

import autograph as ag
from tests.fuzz.program_sizes import Writer

FIRST_WITH_ALIASES = 4_000_000
NAMES = {"l": "abc", "t": "rt", "d": "de", "g": "gh", "o": "op", "q": "qw", "s": "uv"}
Feature = dict[str, tuple[str, ...]]
COMMON: Feature = {
    "X": ("x", "x", "y", "z", "1.5", "-0.25", "(x + y)", "(k * 0.5)", "(x if $C else y)"),
    "W": ("limited($X)",),
    "K": ("0", "1", "2", "k % 3", "len(found)"),
    "k": ("'u'", "'w'", "'m'"),
    "C": ("x > y", "x > $X", "y < $X", "k > $K", "n > 2", "k == n"),
    "statement": (
        "x = $W",
        "y = $W",
        "k = (k + 1) % 7",
        "if $C:\n    RESULT",
        "total = limited(total + $X)",
    ),
    "loop": (
        "for i in range(n):",
        "for i in range(n):",
        "for i in range(3):",
        "for z in xs:",
        "while k < n:\n    k += 1",
    ),
}
LISTS: Feature = {
    "X": ("last($l)", "sum($l, 0.0)", "len($l)"),
    "C": ("$l is $l", "len($l) > 2", "$l == $l", "$l in [$l, $l]", "last($l) > $X", "not $l"),
    "statement": (
        *("$l = $l",) * 6,
        "$l = $l[:]",
        "$l = list($l)",
        "$l = copy.copy($l)",
        "$l = copy.deepcopy($l)",
        "$l = $l.copy()",
        *("$l.append($W)",) * 5,
        *("$l += [$W]",) * 2,
        "$l = $l + [$W]",
        *("$l, $l = $l, $l",) * 2,
        "$l, $l = $l, []",
        "if $l:\n    $l.pop()",
        *("if $l:\n    $l[0] = $W",) * 2,
        "if $l:\n    $l[-1] += 1.0",
        "if $l:\n    del $l[0]",
        "$l.clear()",
        "$l = []",
        "$l = [$W, $W]",
        "put($l, $W)",
        "$l = longer($l, $W)",
        "$l = grown($l, $W)",
        "$l = same($l) if $C else $l",
        "$l = deep($l, $l, n % 3)",
        "deep($l, $l[:], n).append($W)",
        "found.append(deep($l, $l, n % 4) is $l)",
        "put_here($W)",
        "$l = kept_here()",
        "$l = default($W)",
        "history.append($l)",
        "history.append($l[:])",
        "history.append(list($l))",
        "found.append($l is $l)",
        "found.append($l in [$l, $l])",
        "$l.extend($l[:2])",
        "$l.reverse()",
        "$l[:] = $l[:3]",
        "$l.insert(0, $W)",
        "owner.items = $l",
        "$l = owner.items",
        "owner.items.append($W)",
        *("$l = $l if $C else $l",) * 2,
        "($l if $C else $l).append($W)",
        "[$l, $l][k % 2].append($W)",
        "[$l, $l][n % 2].append($W)",
        "$l = {0: $l, 1: $l}[n % 2]",
        "$l = max([$l, $l], key=len)",
        "$l = $l or [$W]",
        "($l or $l).append($W)",
        "$l, $l = both($l, $l)",
        "turn()",
        "for one, z in zip([$l, $l], [x, y]):\n    one.append(z)",
        "try:\n    $l.append($l.pop())\nexcept IndexError:\n    $l = $l",
        "try:\n    $l[k] = $W\nexcept IndexError:\n    $l.append($W)\nfinally:\n    $l = $l",
        "if len(a) < 4:\n    a *= 2",
        "$l = [one + 1.0 for one in $l]",
        "$l = list(parts($l))",
        "for one in chain($l, $l):\n    one.append($W)",
        "while len($l) > 2:\n    $l.append($l.pop())\n    if $C:\n        break\n    $l.pop()",
    ),
    "loop": (
        "for z in $l[:3]:",
        "for i, z in enumerate($l[:4]):",
        "while len($l) < 4 and k < 6:\n    k += 1\n    $l.append($W)",
    ),
}
TABLES: Feature = {
    "C": ("$t and $t[0] is $l", "$l in $t", "$t is $t", "any(one is $l for one in $t)"),
    "statement": (
        *("$t = $t",) * 2,
        "$t = [$l, $l]",
        "$t = [$l, [$W]]",
        "$t = [$l] * 3",
        "$t = [[]] * 2",
        "$t = [[] for _ in range(2)]",
        *("$t.append($l)",) * 2,
        "$t.append($l[:])",
        "if $t:\n    $t[0].append($W)",
        "if $t:\n    $t[-1].append($W)",
        "if $t:\n    $t[k % len($t)].append($W)",
        "if $t:\n    $l = $t[0]",
        "if $t:\n    $l = $t.pop()",
        "if $t:\n    $t[0] = $l",
        "if $t:\n    $t[-1] += [$W]",
        "for row in $t:\n    row.append($W)",
        "for row in $t:\n    if row:\n        row[0] = limited(row[0] + 1.0)",
        "for i, row in enumerate($t):\n    if $C:\n        $t[i] = row + [$W]",
        "if $t:\n    $t[0], $t[-1] = $t[-1], $t[0]",
        "$t, $t = $t, $t",
        "$t = deep($t, $t, n % 3)",
        "$t = $t[:]",
        "$t = [row[:] for row in $t]",
        "$t = copy.copy($t)",
        "$t = copy.deepcopy($t)",
        "found.append($l in $t)",
        "found.append(any(one is $l for one in $t))",
        "$t.reverse()",
        "$t = $t + [$l]",
        "$t = [$l if $C else $l for _ in range(2)]",
        "$t = [one for one in $t if one is not $l]",
        "$t = sorted($t, key=len)",
        "if $t:\n    min($t, key=len).append($W)",
        "if $t:\n    $t[n % len($t)].append($W)",
        "if $t:\n    $l = $t[n % len($t)]",
        "if $t:\n    $t[n % len($t)] = $l",
        "for one, other in zip($t, $t):\n    one.extend(other[:1])",
        "$l, *$t = [$l, *$t]",
        "if $l in $t:\n    $t.remove($l)",
    ),
    "loop": ("for row in $t[:3]:", "for c in $t[:3]:"),
}
DICTS: Feature = {
    "X": ("$d.get($k, x)", "sum($d.values(), 0.0)", "len($d)"),
    "C": ("$d is $d", "$k in $d", "$d == $d", "len($d) > 2"),
    "statement": (
        *("$d = $d",) * 4,
        "$d = dict($d)",
        "$d = $d.copy()",
        "$d = {**$d, $k: $W}",
        "$d = copy.copy($d)",
        *("$d[$k] = $W",) * 4,
        "$d[$k] = $d.get($k, x)",
        "$d.update($d)",
        "$d.update(u=$W)",
        "$d |= {$k: $W}",
        "$d = $d | {$k: $W}",
        "x = $d.setdefault($k, x)",
        "$d.pop($k, None)",
        "if $k in $d:\n    del $d['u' if 'u' in $d else next(iter($d))]",
        "$d.clear()",
        "$d, $d = $d, $d",
        "$d = deep($d, $d, n % 3)",
        "$d = {key: limited(one * 0.5) for key, one in $d.items()}",
        "past.append($d)",
        "past.append(dict($d))",
        "found.append($d is $d)",
        "for key in list($d):\n    $d[key] = $W",
        "for key, one in $d.items():\n    $d[key] = limited(one + 0.5)",
        "if sum($d.values(), 0.0) < y:\n    $d = $d",
        "kept.values[$k] = $W",
        "$d = kept.values",
    ),
    "loop": ("for key, z in list($d.items())[:3]:", "for z in list($d.values())[:3]:"),
}
TRAINED: Feature = {
    "statement": (
        "slopes = ag.grad(loss)($d)\n"
        "$d = {key: limited(one - 0.25 * slopes[key]) for key, one in $d.items()}",
        "slopes = ag.grad(loss)($d)\nfor key in list($d):\n    $d[key] = $d[key] - slopes[key]",
        "if loss($d) < y:\n    y, $d = loss($d), $d",
    ),
}
KEYED: Feature = {
    "C": ("$g is $g", "$g.get($k) is $l", "$k in $g"),
    "statement": (
        *("$g = $g",) * 2,
        *("$g.setdefault($k, []).append($W)",) * 3,
        "$g[$k] = $l",
        "$g[$k] = $g.get($k, $l)",
        "$g[$k] = $l[:]",
        "$l = $g.setdefault($k, $l)",
        "$l = $g.get($k, $l)",
        "$l = $g.pop($k, $l)",
        "if $k in $g:\n    $g['u'] = $g.get('u', []) + [$W]",
        "$g = dict($g)",
        "$g = copy.deepcopy($g)",
        "for row in $g.values():\n    row.append($W)",
        "$g = {'u': $l, 'w': $l}",
        "$g = {key: row[:] for key, row in $g.items()}",
        "$g = dict.fromkeys('uw', $l)",
        "$g.update(u=$l)",
        "$g, $g = $g, $g",
        "found.append($g.get($k) is $l)",
    ),
    "loop": ("for key, row in list($g.items())[:3]:",),
}
OBJECTS: Feature = {
    "X": ("$o.v", "last($o.items)"),
    "C": ("$o is $o", "$o.items is $l", "$o.items is $o.items", "$o.v > x"),
    "statement": (
        *("$o = $o",) * 2,
        "$o = Bag($l, x)",
        "$o = Bag([$W], y)",
        "$o.items = $l",
        "$o.items = $o.items",
        "$o.items = $o.items[:]",
        "$o.items.append($W)",
        "$o.items += [$W]",
        "$o.items = $o.items + [$W]",
        "$l = $o.items",
        "$o.v = $W",
        "$o.take($o)",
        "$o.put($W)",
        "$o, $o = $o, $o",
        "$o = deep($o, $o, n % 3)",
        "$o.items, $o.items = $o.items, $o.items",
        "$o = copy.copy($o)",
        "$o = copy.deepcopy($o)",
        "$o = kept",
        "bags.append($o)",
        "if bags:\n    bags[0].put($W)",
        "if bags:\n    $o = bags[-1]",
        "found.append($o is $o)",
        "found.append($o.items is $l)",
    ),
    "loop": ("for bag in bags[:3]:\n    bag.put($W)", "for z in $o.items[:3]:"),
}
OTHERS: Feature = {
    "X": ("last($q)", "sum($q, 0.0)", "len($s)", "last(pair[0])"),
    "C": ("$q is $q", "$s is $s", "$K in $s", "pair[0] is $l", "len($q) > 2", "$l in pair"),
    "statement": (
        *("$q = $q", "$s = $s") * 2,
        "$q.append($W)",
        "$q.appendleft($W)",
        "if $q:\n    x = $q.popleft()",
        "$q = collections.deque($q)",
        "$q = $q.copy()",
        "$q.rotate(1)",
        "if $q:\n    $q[0] = $W",
        "$q, $q = $q, $q",
        "$q = deep($q, $q, n % 3)",
        "$q.extend($l[:2])",
        "$s.add($K)",
        "$s |= {$K}",
        "$s = $s | {$K}",
        "$s.discard($K)",
        "$s = set($s)",
        "$s.clear()",
        "$s.update($s)",
        "pair = ($l, $l)",
        "pair = ($l[:], pair[0])",
        "pair[0].append($W)",
        "$l, $l = pair",
        "found.append($q is $q)",
        "found.append(pair[0] is pair[1])",
    ),
    "loop": ("for z in list($q)[:3]:", "for row in pair:\n    row.append($W)"),
}
FEATURES = {
    "tables": TABLES,
    "dicts": DICTS,
    "keyed": KEYED,
    "objects": OBJECTS,
    "others": OTHERS,
}
STARTS = {
    "lists": (
        "a, b, c = given, given, [x]",
        "a, b, c = given, [x], [y]",
        "a = b = [x, y]\nc = owner.items",
        "a, c = [], [y, x]\nb = c",
        "a, b, c = [x], [y], [x]",
        "a, b, c = owner.items, given, owner.items",
    ),
    "tables": (
        "r = t = table",
        "r, t = [a, b], [c]",
        "r, t = [a] * 2, table",
        "r, t = [[x], [y]], []",
    ),
    "dicts": (
        "d = e = named",
        "d, e = {'u': x, 'w': y}, {'u': y}",
        "d = e = {'u': x}",
        "d, e = kept.values, named",
    ),
    "keyed": (
        "g = h = boxed",
        "g, h = {}, {'u': a}",
        "g, h = {'u': a, 'w': a}, boxed",
        "g = h = {'u': b}",
    ),
    "objects": (
        "o, p, bags = Bag(a, x), Bag(b, y), []",
        "o = p = Bag([x], y)\nbags = [o]",
        "o, p, bags = kept, Bag(kept.items, x), []",
        "o, p = Bag(a, x), kept\nbags = [o, p]",
    ),
    "others": (
        "q, w, u, v, pair = collections.deque([x]), collections.deque(), {1}, {2}, (a, b)",
        "q = w = collections.deque([x, y])\nu = v = {1, 2}\npair = (a, a)",
    ),
}
RESULTS = {
    "lists": "a, b, c, history, found, k, total, owner.items, [a is b, b is c, a is c]",
    "tables": "r, t, r is t",
    "dicts": "d, e, past, d is e",
    "keyed": "g, h, g is h",
    "objects": "o, p, bags, o is p, o.items is p.items",
    "others": "q, w, u, v, pair, [q is w, u is v]",
}
HEAD = """\
import collections
import copy

import autograph as ag


class Bag:
    def __init__(self, items, v):
        self.items, self.v = items, v

    def take(self, other):
        self.items = other.items

    def put(self, v):
        self.items.append(v)
        self.v = v


def limited(s):
    return LIMITED


def last(items):
    return items[-1] if items else limited(0.5)


def same(items):
    return items


def deep(one, other, k):
    return one if k == 0 else deep(other, one, k - 1)


def put(items, v):
    items.append(v)
    items = []


def longer(items, v):
    items = items + [v]
    return items


def grown(items, v):
    items += [v]
    return items


def both(one, other):
    if one and last(one) > 0.0:
        return other, one
    one = one[:]
    one.append(limited(1.0))
    return one, other


def parts(items):
    for one in items:
        if one > 0.0:
            yield one


def chain(*given):
    for one in given:
        yield one


def loss(named):
    return sum((one * one for one in named.values()), limited(0.0)) * 0.5


def make(stage):
    kept = Bag([limited(0.5)], limited(1.0))
    kept.values = {"u": limited(0.25)}
    owner = Bag([limited(2.0)], 1)
    here = []

    def default(v, items=[]):
        items.append(v)
        return items

    def put_here(v):
        here.append(v)

    def kept_here():
        return here

    def look():
        return kept, owner, here, default([limited(0.0)][0])

"""
LIMITS = (
    "ag.clip(ag.asarray(s, dtype=ag.float64), -8.0, 8.0)",
    "max(-8.0, min(8.0, float(s)))",
)
"""Containers hold tensors, or Python numbers."""
TAIL = "\n    return stage(program), look\n"
TURN = """
def turn():
    nonlocal a, b
    if $C:
        a, b = b, a
    a.append($W)
"""
GRADIENT = """
    def with_gradient(x, y, n, xs, given, table, named, boxed):
        with ag.GradientTape() as tape:
            tape.watch([x, y])
            found = program(x, y, n, xs, given, table, named, boxed)
            loss = sum(found[0], 0.0) + sum(found[1], 0.0) + 0 * (x + y)
        return found, tape.gradient(loss, [x, y])

    return stage(with_gradient), look
"""


def source_of(seed: int) -> str:
    """The text of program number `seed`; one in three holds numbers, one in six takes gradients."""
    rng = random.Random(seed)
    numbers = seed % 3 == 2
    used = ["lists", *rng.sample(list(FEATURES), rng.choice([0, 1, 1, 2]))]
    some = [COMMON, LISTS, *(FEATURES[name] for name in used[1:])]
    if "dicts" in used and not numbers:
        some.append(TRAINED)
    kinds = dict.fromkeys(kind for one in some for kind in one)
    forms = {kind: tuple(form for one in some for form in one.get(kind, ())) for kind in kinds}
    result = f"return {', '.join(RESULTS[name] for name in used)}"
    writer = Writer(rng, rng.randint(4, 13), forms, NAMES)
    writer.write("def program(x, y, n, xs, given, table, named, boxed):", 1)
    writer.write("x, y = limited(x), limited(y)" if numbers else "", 2)
    writer.write("z, k, total = x, 0, limited(0.0)\nhistory, past, found, row = [], [], [], []", 2)
    for name in used:
        writer.write(rng.choice(STARTS[name]), 2)
    writer.write(writer.fill(TURN), 2)
    while writer.room > 0:
        writer.room -= 1
        writer.statement(2, False)
    writer.write(result, 2)
    body = "\n".join(writer.lines).replace("RESULT", result)
    head = HEAD.replace("LIMITED", LIMITS[numbers])
    return "\n".join([head, body, GRADIENT if seed % 6 == 0 else TAIL])


def arguments(seed: int, turn: int) -> tuple[Any, ...]:
    """Arguments number `turn`: two tensors, a staged number, a vector, and four containers, some
    of which share a list."""
    rng = np.random.default_rng([seed, turn])
    numbers = (rng.integers(-12, 12, size=12) / 4).astype(np.float64)
    if seed % 3 == 2:  # Python numbers, which every trace takes as they are
        same = np.random.default_rng(seed).integers(-12, 12, size=12) / 4
        one: list[Any] = [float(v) for v in same]
    else:
        one = [ag.asarray(v) for v in numbers]
    given = one[2:4]
    sharing = seed // 6 % 3
    table = [[given, given], [given, [one[4]]], [one[4:6], [one[6]]]][sharing]
    boxed = {"u": given if sharing == 0 else one[7:9], "w": table[-1] if sharing == 2 else [one[9]]}
    return (
        ag.asarray(numbers[0]),
        ag.asarray(numbers[1]),
        ag.asarray(np.int64(rng.integers(0, 5))),
        ag.asarray(numbers[4:7]),
        given,
        table,
        {"u": one[10], "w": one[11]},
        boxed,
    )
