"""Generator functions and generator expressions, consumed in every way."""

from __future__ import annotations

import contextlib
import functools
import itertools
from dataclasses import dataclass
from typing import Any

import autograph as ag
from tests.corpus.registry import case, program, stateful

t = ag.asarray

BOTH = [case(t(2.0)), case(t(-2.0))]
ROWS = [case(t([1.0, -2.0, 3.0, 0.5])), case(t([-1.0, -2.0, -3.0, -4.0]))]
COUNTS = [case(t(n)) for n in (0, 1, 5)]


def positive(xs):
    """A filter whose condition may be staged."""
    for x in xs:
        if x > 0:
            yield x


def countdown(n):
    """A staged loop around a yield."""
    while n > 0:
        yield n
        n = n - 1
    return n


def running(xs, start=0.0):
    """State of its own, and a value at the end."""
    total = start
    for x in xs:
        total = total + x
        yield total
    return total


@program(*ROWS, compiled=True)
def a_staged_filter(xs):
    total = 0.0
    for x in positive(xs):
        total = total + x
    return total


@program(*COUNTS, compiled=True)
def a_staged_loop(n):
    total, turns = 0, 0
    for k in countdown(n):
        total = total + k * k
        turns += 1
    return total, turns


@program(*ROWS, compiled=True)
def left_by_break(xs):
    seen = 0.0
    for x in positive(xs):
        seen = seen + x
        if seen > 3:
            break
    else:
        seen = -seen
    return seen


@program(*ROWS, compiled=True)
def left_by_return(xs):
    for k, x in enumerate(positive(xs)):
        if x > 2.5:
            return k, x
        if x < 1:
            continue
    return None


@program(*COUNTS, compiled=True)
def left_in_a_staged_loop(n):
    found = -1
    for k in countdown(n):
        if k * k < 10:
            found = k
            break
    return found


@program(*ROWS)
def nested_generators(xs):
    def doubled(items):
        for item in items:
            yield item * 2
            if item > 1:
                yield item

    return [y + 1 for y in doubled(positive(xs))]


@program(*ROWS)
def builtins_that_consume(xs):
    return (
        sum(positive(xs)),
        any(x > 2 for x in positive(xs)),
        all(x > 0.75 for x in positive(xs)),
        [x for x in positive(xs)],
        list(positive(xs)),
    )


@program(case(t([1.0, -2.0, 3.0, 0.5])))
def largest_and_smallest(xs):
    return max(positive(xs)), min(positive(xs)), max((x * x for x in xs if x < 2), default=0.0)


@program(*ROWS)
def generator_expressions_with_staged_filters(xs):
    total = sum(x * x for x in xs if x > 0)
    count = sum(1 for x in xs if x > 0)
    return total, count, any(x > 2 for x in xs if x < 5), all(x > 0 for x in xs if x != 0.5)


@program(*BOTH)
def yields_in_both_branches(x):
    def parts():
        if x > 0:
            yield x
        else:
            yield -x
        yield x * 2

    a, b = parts()
    return a, b, tuple(parts()), sorted([1, *(1 for _ in parts())])


@program(*ROWS)
def results_of_yield_from(xs):
    def outer():
        total = yield from running(xs, xs[0] * 0)
        yield total * 10
        nothing = yield from [total, -total]
        return nothing

    collected = []
    for x in outer():
        collected.append(x)
    return len(collected), sum(collected)


@program(*ROWS)
def recursion_over_a_tree(xs):
    tree = ((None, 1, None), 2, (None, 3, (None, 4, None)))

    def walk(node):
        if node is not None:
            left, value, right = node
            yield from walk(left)
            yield value * xs[0]
            for deeper in walk(right):
                yield deeper + 100

    found = 0.0
    for value in walk(tree):
        found = found * 2 + value
        if found > 150:
            break
    return found, list(walk(tree))


@program(*COUNTS)
def staged_recursion(n):
    def down(k):
        if k > 0:
            yield k
            yield from down(k - 1)

    total = 0
    for k in down(n):
        total = total + k
    return total


@program(case(t(3.0), 4), case(t(-3.0), 4), compiled=True)
def a_closure_that_changes(x, n):
    total = x

    def steps():
        nonlocal total
        for i in range(n):
            if total > 4:
                total = total - 1
            else:
                total = total * 2 + i
            yield total

    out = 0.0
    for step in steps():
        out = out + step
        total = total + 0.5
    return total, out


@program(*ROWS)
def enumerate_zip_map_filter(xs):
    pairs = list(enumerate(running(xs), 1))
    zipped = [a * b for a, b in zip(running(xs), [1, 2, 3, 4], strict=False)]
    mapped = list(map(lambda x: x + 1, running(xs)))
    kept = [x for x in filter(lambda x: x > 0, [*running([1, -2, 3])])]
    return pairs, zipped, mapped, kept


@program(*ROWS)
def enumerate_map_filter_of_a_staged_generator(xs):
    total = 0.0
    for k, x in enumerate(positive(xs)):
        total = total + k * x
    for x in map(lambda v: v * 2, positive(xs)):
        total = total + x
    for x in filter(lambda v: v < 2, positive(xs)):
        total = total - x
    return total, sum(map(lambda v: v + 1, positive(xs)))


@program(*BOTH)
def unpacking_and_arguments(x):
    def three():
        yield x
        yield x + 1
        yield x * 2

    def last(*items, **named):
        return items[-1], named

    a, *rest = three()
    first, second, third = three()
    return a, rest, third, last(*three()), [*three(), 1], {*(k for k in (1, 2))}


@program(*BOTH)
def next_and_send(x):
    def averager():
        total, count, value = x * 0, 0, None
        while True:
            value = yield (total / count if count else None)
            if value is None:
                return count
            total = total + value
            count += 1

    g = averager()
    first = next(g)
    second = g.send(x)
    if x > 0:
        x = x + 1
    third = g.send(x)
    try:
        g.send(None)
    except StopIteration as stop:
        count = stop.value
    return first, second, third, count, next(g, "over")


@program(*BOTH)
def throw_and_close(x):
    log = []

    def careful():
        try:
            yield x
            yield x + 1
        except ValueError as error:
            log.append(str(error))
            yield x * 10
        finally:
            log.append("closed")

    a = careful()
    values = [next(a), a.throw(ValueError("thrown"))]
    a.close()
    b = careful()
    values.append(next(b))
    b.close()
    c = careful()
    c.close()
    return values, log, list(c)


@stateful(*ROWS)
def closed_when_left():
    log = []

    def noisy(xs):
        log.append("start")
        try:
            for k in range(4):
                log.append(k)
                yield xs[k]
        finally:
            log.append("end")

    def f(xs):
        for x in noisy(xs):
            break
        log.append("after a break")
        held = noisy(xs)
        for x in held:
            break
        log.append("held")
        del held
        log.append("let go")
        return next(noisy(xs)), x

    return f, log


@program(*ROWS)
def left_early_with_finally(xs):
    state = {"last": None, "ends": 0}

    items = [xs[0], xs[1], xs[2], xs[3]]

    def noisy():
        try:
            for x in items:
                state["last"] = x
                yield x
        finally:
            state["ends"] += 10

    for x in noisy():
        if x < 0:
            break
    return state["last"], state["ends"]


@stateful(*BOTH)
def order_of_side_effects():
    log = []

    def numbers():
        log.append("first")
        got = yield 1
        log.append(("second", got))
        yield 2
        log.append("third")
        return "done"

    def f(x):
        for n in numbers():
            log.append(n)
        g = numbers()
        log.append("made")
        pairs = zip(g, numbers(), strict=True)
        log.append(next(pairs))
        rest = list(g)
        return x * len(rest), sum(k for k in numbers())

    return f, log


@program(case(3), case(0), mutate=False)
def plain_values(n):
    def squares():
        """Documented."""
        for i in range(n):
            if i == 1:
                continue
            yield i * i

    def empty():
        return
        yield

    def echo():
        got = []
        while len(got) < 2:
            got.append((yield len(got)))
        return got

    e = echo()
    next(e)
    e.send("a")
    try:
        e.send("b")
    except StopIteration as stop:
        value = stop.value
    text = ",".join(str(s) for s in squares())
    return (
        list(squares()),
        dict((k, v) for k, v in enumerate(squares())),
        list(empty()),
        value,
        text,
        max(squares(), default=None),
        squares.__doc__,
        set(squares()),
        sum(squares(), 10),
        list(itertools.islice(squares(), 1)),
        list(itertools.chain(squares(), empty(), "x")),
    )


@program(*BOTH)
def exceptions_of_generators(x):
    log = []

    def fails(kind):
        yield x
        if kind:
            raise kind("inside")

    for kind in (None, ValueError, StopIteration):
        try:
            for value in fails(kind):
                log.append(value)
        except (ValueError, RuntimeError) as error:
            log.append(str(error))

    def guarded():
        try:
            yield x
        except ValueError:
            log.append("never: it is the consumer's")
        finally:
            log.append("finally")

    try:
        for value in guarded():
            raise ValueError("of the consumer")
    except ValueError as error:
        log.append(str(error))
    return log


@program(*BOTH)
def a_raise_under_a_condition(x):
    def checked():
        yield x * 2
        if x < 0:
            raise ValueError("negative")
        yield x

    total = 0.0
    for value in checked():
        total = total + value
    return total


@program(*BOTH)
def a_consumer_that_raises(x):
    def parts():
        for k in range(3):
            yield x + k

    total = 0.0
    for value in parts():
        if value > 3:
            raise KeyError("too large")
        total = total + value
    return total


@dataclass
class Node:
    """A tree whose iterator is a generator method."""

    value: Any
    children: list[Any]

    def __iter__(self):
        yield self.value
        for child in self.children:
            yield from child

    def large(self, limit):
        """Some of the values."""
        for value in self:
            if value > limit:
                yield value


@program(*BOTH)
def methods_that_are_generators(x):
    tree = Node(x, [Node(x * 2, []), Node(1.0, [Node(x + 3, [])])])
    total = 0.0
    for value in tree:
        total = total + value
    return total, sum(tree.large(1.5)), [v for v in tree]


@program(*BOTH)
def made_before_a_branch(x):
    items = (v * x for v in (1, 2, 3))
    total = x
    if x > 0:
        total = sum(items)
    return total


@program(*BOTH)
def made_before_a_branch_and_used_after_it(x):
    items = (v * x for v in (1, 2, 3))
    total = x
    if x > 0:
        for item in items:
            total = total + item
    return total + sum(items)


@program(*BOTH)
def advanced_in_a_branch(x):
    items = (v for v in (1, 2, 3))
    if x > 0:
        next(items)
    return next(items)


@program(*COUNTS)
def advanced_in_a_staged_loop(n):
    items = (v for v in range(100))
    total = 0
    for _ in range(n):
        total += next(items)
    return total


@program(*BOTH)
def next_of_a_staged_condition(x):
    def parts():
        if x > 0:
            yield x
        yield x + 1

    return next(parts())


@program(*BOTH)
def next_again_after_a_staged_condition(x):
    def parts():
        if x > 0:
            yield x
        yield x + 1

    items = parts()
    return next(items), next(items)


LEVELS = [0.1, 0.2, 5.0]
SIZES = (case(t(2.0)), case(t(-2.0)), case(t(0.15)))


@program(*SIZES)
def items_that_went_through_iterators_of_python(x):
    table = {"a": 0.1, "b": 0.2, "c": 5.0}
    return (
        list(i for i, k in enumerate(LEVELS) if k > x),
        sorted(i for i, k in enumerate(LEVELS, 3) if k > x),
        [q for q in (i for i in map(lambda z: z * 2, LEVELS) if i > x)],
        sum(a for a, b in zip([1, 2, 3], LEVELS) if b > x),
        [name for name in (name for name, value in table.items() if value > x)],
        tuple(k for k in reversed(LEVELS) if k < x),
        max((k for k in iter(LEVELS) if k < x), default=None),
    )


@program(*SIZES)
def held_generators_over_iterators_of_python(x):
    items = (i for i, k in enumerate(LEVELS) if k > x)
    total = 0
    for item in items:
        total += item
    return total, next((k for k in reversed(LEVELS) if k < x), None)


@program(*SIZES)
def first_item(x):
    first = next((k for k in [1.0, 2.0, 3.0] if k > x), None)
    none = next((k for k in [1.0] if k > 10 + x), "none")
    try:
        found = next(k for k in LEVELS if k > x * 2)
    except StopIteration:
        found = "nothing"
    return first, none, found, next(filter(lambda pair: pair[1] > x, enumerate(LEVELS)), None)


@program(*SIZES)
def zip_of_a_generator_and_sequences(x):
    log = []

    def parts():
        log.append("started")
        if x > 0:
            yield x
        log.append("between")
        yield -x
        yield 0.0
        log.append("ended")

    pairs = [(a, b) for a, b in zip(parts(), range(5))]
    ended = list(zip("ab", parts(), [1, 2, 3]))
    unasked = list(zip((), parts()))
    return pairs, ended, unasked, log


@program(*SIZES)
def tests_of_itertools(x):
    return (
        list(itertools.dropwhile(lambda k: k < x, LEVELS)),
        list(itertools.filterfalse(lambda k: k < x, LEVELS)),
        list(itertools.starmap(lambda a, b: a if a > x else b, [(1, 2), (3, 4)])),
        list(itertools.takewhile(lambda k: k < x, LEVELS)),
        next(itertools.dropwhile(lambda k: k < x, LEVELS), None),
        [v for v in filter(None, [x > 0, 0, x > 1])],
    )


@program(*BOTH, mutate=False)
def returned(x):
    return (v * x for v in (1, 2, 3))


@program(*BOTH, refused="StateError", naming=("generator", "leaves"))
def returned_after_its_first_item(x):
    found = (v * x for v in (1, 2, 3))
    next(found)
    return found


@program(*ROWS, compiled=True)
def in_a_tape(xs):
    def weights():
        scale = 1.0
        while True:
            yield scale
            scale = scale * 0.5

    with ag.GradientTape() as tape:
        tape.watch(xs)
        total = 0.0
        for x, w in zip(xs, weights(), strict=False):
            total = total + x * x * w
        for x in positive(xs):
            total = total + x
    return total, tape.gradient(total, xs)


@program(*COUNTS, compiled=True)
def a_generator_in_a_staged_loop(n):
    def pair(k):
        yield k
        if k > 2:
            yield k * 10

    total = 0
    for i in range(n):
        for v in pair(i):
            total = total + v
    return total


@program(*BOTH)
def long_ranges(x):
    def steps():
        for i in range(200):
            yield i * 0.5

    total = x
    for step in steps():
        total = total + step * x
    return total


@program(*BOTH)
def walrus_inside(x):
    last = None
    found = any((last := v) > 1 for v in (x, x + 1, x * 2))
    return found, last


@program(*ROWS)
def match_inside(xs):
    def classified():
        for k in range(3):
            match k, xs[k]:
                case (0, v) if v > 0:
                    yield v
                case (1 | 2 as n, v):
                    yield v * n

    return sum(classified())


@program(*BOTH)
def handlers_that_see_how_it_is_left(x):
    log = []

    @contextlib.contextmanager
    def scope():
        log.append("in")
        yield
        log.append("not when it is left")

    def watched():
        try:
            yield x
        except GeneratorExit:
            log.append("exit")
            raise

    def scoped():
        with scope():
            yield x
            yield x * 2

    for v in watched():
        break
    for v in scoped():
        break
    for v in scoped():
        x = x + v
    return log, x


@program(*BOTH, refused="StateError", naming=("left", "generator"))
def left_by_a_staged_break_within_with(x):
    log = []

    def scoped():
        with closing(log, x):
            yield x
            yield x * 2

    for v in scoped():
        if v > 0:
            break
    return v


@contextlib.contextmanager
def closing(log, name):
    """Says what it closes, unless it is left."""
    yield name
    log.append("closed")


@program(*ROWS)
def with_and_try_around_yields(xs):
    log = []

    class Scope:
        def __enter__(self):
            log.append("in")
            return self

        def __exit__(self, *error):
            log.append("out")

    def scoped():
        with Scope():
            for k in range(2):
                try:
                    yield xs[k]
                finally:
                    log.append(k)
            yield xs[3]

    total = 0.0
    for x in scoped():
        total = total + x
    return total, log


@program(*BOTH)
def membership(x):
    numbers = (k for k in (1, 2, 3, 4))
    staged = x + 2 in (v * x for v in (1, 2, 3))
    return 3 in numbers, list(numbers), 9 in (k for k in (1, 2)), staged


class Base:
    """With a private generator, and one that others extend."""

    def __init__(self, x):
        self.x = x
        self.__turns = 3

    def __steps(self):
        for k in range(self.__turns):
            self.x = self.x + k
            if self.x > 2:
                yield self.x

    def run(self):
        """Some of the steps."""
        yield from self.__steps()


class Derived(Base):
    """Extends it."""

    def run(self):
        """One more."""
        yield from super().run()
        yield -1.0


@program(*BOTH)
def private_methods_and_super(x):
    return sum(Derived(x).run()), [v for v in Base(x).run()]


@program(*BOTH)
def a_decorated_generator(x):
    def plus_one(function):
        @functools.wraps(function)
        def inner(*args):
            for v in function(*args):
                yield v + 1

        return inner

    @plus_one
    def products(n):
        for k in range(n):
            if k * x >= 0:
                yield k * x

    return [v for v in products(3)], products.__name__


@program(*BOTH)
def made_by_itertools_and_iter(x):
    it = iter([1, 2, 3, 4])
    until = iter(lambda: next(it), 3)
    found = -1
    for k in itertools.count(2, 3):
        if k * k > x * 10 + 40:
            found = k
            break
    small = sum(itertools.takewhile(lambda v: v < x, itertools.count()))
    both = list(itertools.chain((v * x for v in (1, 2)), [x]))
    return list(until), next(it), found, small, both


@program(*COUNTS, compiled=True)
def nested_loops_over_generators(n):
    def numbers(m):
        i = 0
        while i < m:
            yield i
            i += 1

    total = 0
    for a in numbers(n):
        for b in numbers(a):
            total += b
            if b > 1:
                break
        else:
            total += 100
    return total


@program(*ROWS)
def a_sliding_window(xs):
    def window(items):
        it = iter(items)
        previous = next(it)
        for item in it:
            yield previous, item
            previous = item

    total = 0.0
    for p, q in window(xs):
        if q > p:
            total = total + q - p
    return total, [p * q for p, q in window([1, 2, 3])]


@program(*BOTH)
def held_with_state_of_the_function(x):
    y = x

    def doubling():
        nonlocal y
        for k in range(3):
            y = y * 2
            yield k

    steps = doubling()
    for k in steps:
        if y > 5:
            break
    return y, k


@program(*BOTH)
def pipelines(x):
    g = (v for v in [x, x + 1, x + 2, x + 3])
    h = (v * 2 for v in g)
    a = next(h)
    b = next(g)
    return a, b, list(h), list(g)


@program(*BOTH)
def consumed_in_a_staged_while(x):
    def parts():
        for k in range(3):
            yield x * k

    total = x
    while total < 10 and total > -10:
        for v in parts():
            total = total + v
    return total


@program(*BOTH)
def sum_of_what_cannot_be_added(x):
    def some():
        if x > 0:
            yield None

    return sum(some())


@program(*BOTH)
def pairs_unpacked_around_a_yield(x):
    def some(known):
        try:
            made = {**known, "b": x}
            yield made["b"] + len(made)
        except KeyError:
            yield x

    return sum(some({"a": 1})), list(some({}))


@program(*COUNTS)
def may_raise_before_a_plain_exception(n):
    def some():
        try:
            if n > 3:
                raise KeyError(1)
            [][n - n + 3]
            yield 1
        except ZeroDivisionError:
            yield 2
        except LookupError as error:
            log.append(type(error).__name__)
        yield 3

    log = []
    return [one for one in some()], log
