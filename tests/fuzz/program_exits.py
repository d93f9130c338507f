"""The grammar of early exits: exceptions, managers, generators, and what is used beside them.

The forms are as in `program_grammar`; `$E` is an exception that is raised, `$T` what an `except`
names. Only programs of `FIRST_WITH_EXITS` and later have these features, so that earlier seeds keep
their meaning.
"""

from __future__ import annotations

from tests.fuzz.program_grammar import Forms

FIRST_WITH_EXITS = 1_000_000

EXCEPTIONS: Forms = {
    "": (
        "ValueError('no', $I)",
        "ValueError(f'{$i} of {$f}')",
        "KeyError('key')",
        "KeyError($i)",
        "IndexError",
        "Wrong($I, $X)",
        "Wrong($i, $x)",
        "Farther($I % 61)",
        "Odd($x, $I)",
        "Odd",
        "ZeroDivisionError('by hand')",
        "LookupError('up', $i)",
    ),
}
KINDS = (
    *("Exception", "ValueError"),
    "KeyError",
    "LookupError",
    "Wrong",
    "Wrong",
    "Farther",
    "Odd",
    "(KeyError, IndexError)",
    "(Wrong, ValueError)",
    "(LookupError, Odd)",
    "ArithmeticError",
    "ZeroDivisionError",
    "AssertionError",
    "NameError",
    "kinds[$I % 2]",
)
"""What an `except` names."""

FLOAT_TENSORS: Forms = {
    "try": (
        "($X if $C else fail($E))",
        "({0: $x, 1: $X}[$I % 3])",
        "[$x, $X][$I % 3]",
        "given[$N % 4]",
        "first_of($X, $I % 3)",
    ),
    "managers": ("guard.t", "entering($X, $I % 4)"),
    "yielding": (
        "sum(made($X, $I % 4), $x)",
        "max(made($X, $N % 4), default=$x)",
        "list(made($X, $I % 4))[-1]",
        "sum([e * $x for e in made($x, $i % 4)], $x)",
        "next(made($x, $I % 4), $x)",
        "sum(chained($X, $I % 4), $x)",
        "sum(machine, $x)",
    ),
    "collections": ("line[0]", "line[-1]", "line[$I % 3]", "sum(line, $x)", "max(line)"),
    "methods": (
        "machine.top",
        "machine.push($X)",
        "machine.run($X)",
        "machine.twice($X)",
        "machine[$I % 5]",
        "machine.bounded",
        "machine.down($I % 4, $X)",
    ),
    "lambdas": (
        "fs[0]($X)",
        "fs[-1]($X)",
        "fs[$I % 2]($X)",
        "fs[$N % 2]($x)",
        "applied(lambda a: a * $F + $x, $X)",
        "sorted([$X, $x], key=lambda a: -a)[0]",
        "sum(map(lambda a: a + $x, v))",
    ),
    "unpacking": (
        "(gone or $X)",
        "($x if gone is None else gone)",
        "spread(*[$X, $x], $x)",
        "spread($X, *[$x, $X], k=$x)",
    ),
}
INT_TENSORS: Forms = {
    "try": ("($N if $C else fail($E))",),
}
INTS: Forms = {
    "try": (
        "($i // ($I % 3))",
        "[$i, 4][$I % 3]",
        "({1: $i, 2: $I}[$i])",
        "int('7' if $b else 'x')",
    ),
    "managers": ("guard.level", "guard.seen"),
    "yielding": ("len(list(made($X, $I % 4)))", "sum(1 for e in made($x, $n % 4))"),
    "collections": (
        "len(line)",
        "len(seen)",
        "counts[$I % 3]",
        "sum(seen)",
        "max(seen)",
        "counts['k']",
        "sum(counts.values())",
        "min(seen & {1, $I % 5, 2})",
    ),
    "methods": ("machine.n", "len(machine)", "machine.calls"),
    "lambdas": ("len(fs)", "(lambda k, q=2: k * q)($I)"),
}
BOOLS: Forms = {
    "try": ("isinstance(kept, Wrong)", "(kept is None)"),
    "yielding": ("any(e > $X for e in made($x, $i % 4))", "all(e > 0 for e in made($x, $n % 4))"),
    "collections": ("($I % 7 in seen)", "($I % 3 in counts)", "(seen == {1, 2})"),
    "methods": ("($I in machine)", "bool(machine)"),
}
CONDITIONS: Forms = {
    "try": ("kept is not None", "kept"),
    "managers": ("guard.seen > $I",),
    "collections": ("$I % 7 in seen", "line", "len(line) > 2", "counts[$I % 3] > 1", "seen"),
    "methods": ("machine", "$I in machine", "machine.n > $I"),
    "unpacking": ("gone is None", "(k := $I) > 1", "($x := $X) > $F"),
}

RAISES = (
    "raise $E",
    "raise $E from ValueError('cause')",
    "raise $E from None",
    "raise kept or $E",
    "assert $C, f'wanted {$i} {$x}'",
    "assert $C",
    "$x = fail($E)",
)
"""Statements that may raise."""
HANDLING = (
    "$i = (len(error.args) + $I) % 61",
    "label = str(error)",
    "label = f'{type(error).__name__} {error} {error.args}'",
    "print(repr(error))",
    "print(error)",
    "$x = getattr(error, 'part', $x)",
    "$i = getattr(error, 'code', $I) % 61",
    "$b = isinstance(error, (ValueError, Farther))",
    "raise",
    "if $C:\n    raise",
    "raise $E from error",
    "if $C:\n    raise $E from error",
    "if $C:\n    raise $E",
    "if $C:\n    raise error",
    "raise error from None",
    "$b = error.__cause__ is None",
    "$b = error.__context__ is None",
    "label = repr(error.__cause__)",
    "label = repr(error.__context__)",
    "error.code = $I % 61",
    "kept = error",
    "error = None",
    "kinds[0] = type(error)",
    "match error:\n    case Wrong(code=k):\n        $i = k % 61\n    case Odd():\n        $x = $X",
)
"""First statements of a handler."""

STATEMENTS: Forms = {
    "try": (
        "kept = None",
        "if isinstance(kept, Wrong):\n    $i = kept.code % 61",
        "kinds[$I % 2] = KeyError",
        "$x = first_of($X, $I % 3)",
        "$i = given.index($x)",
        "$x = named[$k] if $C else named['z']",
        "$x, $x = [$X * 1, $x * 1][: $I % 4]",
    ),
    "leaving": (
        "if ($C) and ($C):\n    raise $E",
        "if ($C) and ($C):\n    raise $E from ValueError('cause')",
        "assert ($C) or ($C), f'at {$i}'",
        "if ($C) and ($C):\n    $x = fail($E)",
    ),
    "managers": ("guard = Guard($I % 5)", "guard.t = $X", "$x = entering($X, $I % 4)"),
    "yielding": (
        "$x, *rest = made($X, $I % 4)",
        "parts_made = list(made($X, $I % 4))",
        "parts_made += made($X, $I % 3)",
        "if parts_made:\n    $x = parts_made.pop()",
        "items = made($X, 3)\n$x = next(items, $x)\nfor $x in items:\n    break",
    ),
    "collections": (
        "line.append($X * 1)",
        "line.appendleft($X * 1)",
        "if line:\n    $x = line.popleft()",
        "$x = line.pop()",
        "line.rotate($I % 3)",
        "line.extend([$X * 1, $X * 1])",
        "line[0] = $X * 1",
        "line = deque([$X * 1, $X * 1], maxlen=3)",
        "seen.add($I % 7)",
        "seen.discard($I % 7)",
        "seen.remove($I % 7)",
        "seen |= {$I % 7, 3}",
        "seen = {$I % 7, $i % 5}",
        "seen -= {$I % 7}",
        "counts[$I % 3] += 1",
        "counts['k'] += $I % 61",
        "counts.update([$I % 3, 1])",
        "counts = Counter([$I % 3, $I % 3])",
        "del counts[$I % 3]",
        "$i = counts.most_common(1)[0][1]",
        "ordered = sorted(seen)",
        "while line and ($C):\n    $x = line.popleft()",
    ),
    "methods": (
        "machine.push($X)",
        "$i = machine.pop($I % 61) % 61",
        "machine.run($X)",
        "machine[$I % 3] = $X",
        "del machine[$I % 3]",
        "machine.n += $I\nmachine.n %= 61",
        "machine.top = $X",
        "machine = Machine($I % 5, $X)",
        "other = machine",
        "machine = other",
        "machine.reset()",
        "machine.bounded = $X",
        "machine += $X",
    ),
    "lambdas": (
        "fs.append(lambda a: a + $x)",
        "fs[0] = lambda a: a * $F",
        "fs[$I % 2] = pick2",
        "fs = [lambda a, k=k: a + k for k in range(3)]",
        "fs = [lambda a: a + k for k in range(3)]",
        "def scaled(a, factor=$F):\n    return a * factor + $x\nfs[-1] = scaled",
        "if len(fs) > 2:\n    $x = fs.pop()($X)",
        "def again():\n    nonlocal $i\n    $i = 3\nagain()",
    ),
    "unpacking": (
        "$x, *rest, $x = $X, $x * 1, $X * 1, $x",
        "*rest, $x = v",
        "$i, ($x, *rest) = $I % 61, [$X, $X * 1, $x * 1]",
        "gone = $X",
        "if $C:\n    del gone",
        "gone = None",
        "if $C:\n    gone = $X",
        "$x = gone\ngone = None",
        "$x = $x = $X",
        "rest = [*rest, $X * 1]",
        "if rest:\n    $x = rest[-1]",
        "if len(rest) > 1:\n    del rest[0]",
        "if len(rest) > 3:\n    del rest[1:]",
        "if (k := $I) > 2:\n    $i = k % 61",
        "pairs = {**{'a': $X}, 'b': $x}\n$x = pairs.pop($k, $x)",
    ),
}

LOOPS: Forms = {
    "yielding": (
        "for y in made($X, $N % 4):",
        "for $x in made($X, $I % 4):",
        "for k, y in enumerate(made($x, $I % 4)):",
        "for y in chained($X, $I % 4):",
        "for $x in (e * $x for e in made($x, 3) if e > $F):",
        "for y in machine:",
    ),
    "collections": ("for y in list(line):", "for $i in sorted(seen):", "for $x in line:"),
    "lambdas": ("for g in fs:", "for k, g in enumerate(list(fs)):"),
    "unpacking": ("for k, *rest in [(1, $X * 1, $x * 1), (2, $x * 1)]:", "for $x in rest:"),
    "try": ("for kind in kinds:",),
}
CONTEXTS = (
    "with guard:",
    "with guard as k:",
    "with Guard($I % 4) as $i:",
    "with Guard($N % 4), guard:",
    "with suppress($T):",
    "with within($X, $I % 4) as $x:",
    "with within($x, $I % 4):",
    "with caught($X, $I % 4) as $x:",
    "with nullcontext($X) as $x, Guard(2):",
    "with Machine($I % 5, $X) as $x:",
)

STARTS: Forms = {
    "try": ("kept, label = None, ''", "kinds = [ValueError, (KeyError, Wrong)]"),
    "managers": ("guard = Guard(i0)",),
    "yielding": ("parts_made = [x0 * 1]", "machine = Machine(i0, x1)"),
    "collections": (
        "line = deque([x0 * 1])",
        "seen = {1, i0}",
        "counts = Counter([1, 1])",
        "ordered = []",
    ),
    "methods": ("machine = Machine(i0, x1)", "other = machine"),
    "lambdas": ("fs = [lambda a: a + 1, lambda a, k=2: a * k]",),
    "unpacking": ("rest = [x0 * 1]", "gone = None"),
}
RESULTS: Forms = {
    "try": ("repr(kept)", "label", "len(kinds)"),
    "managers": ("guard",),
    "yielding": ("parts_made", "machine"),
    "collections": ("line", "seen", "counts", "ordered"),
    "methods": ("machine", "other"),
    "lambdas": ("len(fs)", "fs[0](x0)"),
    "unpacking": ("rest", "gone"),
}
GRAMMAR = {
    "X": FLOAT_TENSORS,
    "N": INT_TENSORS,
    "I": INTS,
    "B": BOOLS,
    "C": CONDITIONS,
    "E": EXCEPTIONS,
}
FEATURES = (
    "try",
    "leaving",
    "managers",
    "yielding",
    "collections",
    "methods",
    "lambdas",
    "unpacking",
)

HEAD = """\
from collections import Counter, deque
from contextlib import contextmanager, nullcontext, suppress


class Wrong(Exception):
    def __init__(self, code, part=0.5):
        super().__init__(f"wrong {code}")
        self.code = code
        self.part = part


class Farther(Wrong):
    pass


class Odd(ValueError):
    pass


class Guard:
    def __init__(self, level):
        self.level = level
        self.seen = 0
        self.t = ag.asarray(0.25)

    def __enter__(self):
        if self.level > 7:
            raise Wrong(self.level)
        self.level += 1
        return self.level

    def __exit__(self, kind, error, trace):
        self.seen += 1
        if kind is None:
            self.level -= 1
            return None
        if issubclass(kind, LookupError):
            return True
        if isinstance(error, Wrong) and error.code > 2:
            self.t = error.part + self.t
            return True
        return self.level > 3


class Machine:
    def __init__(self, n, top):
        self.n = n
        self.top = top
        self.calls = 0
        self.items = [top * 1]

    def __len__(self):
        return len(self.items)

    def __contains__(self, k):
        return k == self.n

    def __bool__(self):
        if self.calls > 40:
            raise Wrong(self.calls, self.top)
        return self.n > 1

    def __iter__(self):
        for item in self.items:
            yield item * 1
            if item > self.top:
                yield self.top * 1

    def __getitem__(self, k):
        if k > self.n:
            raise IndexError(f"no {k}")
        return self.top * k

    def __setitem__(self, k, x):
        if k < 1:
            raise KeyError(k)
        self.top = x + k

    def __delitem__(self, k):
        del self.items[k]

    def __iadd__(self, x):
        self.top = self.top + x
        self.calls += 1
        return self

    def __enter__(self):
        self.calls += 1
        return self.top

    def __exit__(self, kind, error, trace):
        self.calls += 1
        return kind is ValueError

    @property
    def bounded(self):
        if self.top > 9:
            raise Farther(self.n, self.top)
        return self.top

    @bounded.setter
    def bounded(self, x):
        if x > 5:
            raise Odd(x)
        self.top = x

    def reset(self):
        self.n, self.calls = 0, 0

    def push(self, x):
        self.calls += 1
        if x > self.top:
            raise Wrong(self.n, x)
        self.items = [*self.items[-1:], x * 1]
        self.n += 1
        return self.top - x

    def pop(self, k):
        try:
            self.top = self.items.pop() * 1
        except IndexError as error:
            raise Farther(k) from error
        finally:
            self.n -= 1
        return self.n

    def run(self, x):
        try:
            return self.push(x)
        except Wrong as error:
            self.n = error.code - 1
            x = error.part
        else:
            self.n = 0
        finally:
            self.calls += 1
        return x

    def twice(self, x):
        for k in range(2):
            try:
                if x > k:
                    continue
                x = self.push(x) + 1
            except Wrong:
                break
            finally:
                self.n += k
        else:
            return x
        return x * 2

    def down(self, depth, x):
        if depth <= 0:
            if x > self.top:
                raise Wrong(depth, x)
            return x
        try:
            return self.down(depth - 1, x + 1) * 0.5
        except Farther:
            return x
        finally:
            self.calls += 1


def fail(error):
    raise error


def first_of(x, k):
    try:
        if x > k:
            raise Wrong(k, x)
        return {0: x, 1: x * 2}[k]
    except KeyError:
        return x - 1
    finally:
        if k > 1 and x < -1:
            return x * 3


@contextmanager
def within(x, n):
    totals["sum"] += 1
    if x > n:
        x = x - n
    try:
        yield x
    finally:
        totals["sum"] += n


@contextmanager
def caught(x, n):
    try:
        yield x * 2
    except (ValueError, KeyError) as error:
        totals["sum"] += len(error.args)
        if n > 2:
            raise
    except Wrong as error:
        raise Odd(n) from error
    else:
        totals["sum"] += 1


def entering(x, n):
    with Guard(n) as level:
        if x > level:
            raise Wrong(level, x)
        with suppress(ValueError):
            if x < 0:
                raise ValueError(n)
            return x + level
        return x - level
    return x * 3


def chained(x, n):
    for k in range(n):
        if x > k:
            yield from (x - q for q in range(k))
        else:
            yield x * 1
    yield x + 1


def applied(f, x):
    return f(x)


def pick2(a):
    return a - 2


def spread(a, *rest, **more):
    return a + sum(rest) + sum(more.values())


"""
