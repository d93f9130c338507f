"""functools, decorators, recursion, closures that leave, arguments of every kind."""

from __future__ import annotations

import functools
import linecache
import operator

import numpy as np

import autograph as ag
from tests.corpus.registry import case, decorating, program, stateful

t = ag.asarray


@functools.lru_cache(maxsize=None)
def cached_square(k):
    return k * k


@functools.cache
def fib(k):
    return k if k < 2 else fib(k - 1) + fib(k - 2)


@program(case(t(2.0), 10), case(t(-2.0), 20))
def lru_caches(x, k):
    return cached_square(k) * x, fib(k), cached_square(3.0) if x > 0 else fib(3)


@program(case(t(5)), case(t(0)))
def recursion_under_lru_cache(n):
    @functools.lru_cache(None)
    def steps(k):
        return 1 if k <= 1 else steps(k - 1) + steps(k - 2)

    return steps(int(n)), steps(4)


def logged(label, sink):
    def decorate(f):
        @functools.wraps(f)
        def wrapper(*args, **kwargs):
            sink.append((label, f.__name__, len(args), sorted(kwargs)))
            result = f(*args, **kwargs)
            if result is None:
                return "nothing"
            return result

        wrapper.inner = f
        return wrapper

    return decorate


@logged("outer", [])
@logged("inner", [])
def decorated_twice(x, *, k=1):
    """Documented."""
    if x > 0:
        return x * k
    return None


@program(case(t(2.0)), case(t(-2.0)))
def decorators_with_arguments(x):
    a = decorated_twice(x, k=2)
    return a, decorated_twice.__name__, decorated_twice.__doc__, decorated_twice.inner(x)


@program(case(t(2.0)), case(t(-2.0)))
def decorators_applied_inside(x):
    sink = []

    @logged("a", sink)
    def step(v):
        return v if v > 0 else None

    def once(f):
        done = False

        def inner(v):
            nonlocal done
            if done:
                return -1
            done = True
            return f(v)

        return inner

    @once
    def only(v):
        return v * 2

    return step(x), only(x), only(x), sink, step.inner(x)


class Counted:
    """A class as a decorator."""

    def __init__(self, function):
        functools.update_wrapper(self, function)
        self.function = function
        self.calls = 0

    def __call__(self, *args):
        self.calls += 1
        if self.calls > 2:
            return "enough"
        return self.function(*args)

    def __get__(self, instance, owner=None):
        return self if instance is None else functools.partial(self, instance)


@stateful(case(t(2.0)), case(t(-2.0)))
def class_as_decorator():
    @Counted
    def step(x):
        return x if x > 0 else -x

    class Item:
        @Counted
        def go(self, v):
            return v * 2 if v > 0 else v

    item = Item()

    def run(x):
        return step(x), item.go(x), step.calls, Item.go.calls

    return run, lambda: (step.calls, Item.go.calls)


class Dispatch:
    @functools.singledispatchmethod
    def go(self, v):
        return "other"

    @go.register
    def _(self, v: int):
        return v + 1

    @go.register(str)
    def _(self, v):
        return v + "!"

    def add(self, a, b, c=0):
        return a + b + c if a > 0 else c

    add_one = functools.partialmethod(add, 1)
    add_to = functools.partialmethod(add, c=10)


@functools.singledispatch
def kind_of(v):
    return "object"


@kind_of.register
def _(v: list):
    return [kind_of(one) for one in v]


@kind_of.register(ag.Tensor)
def _(v):
    return v * 2 if v > 0 else "negative"


@program(case(t(2.0)), case(t(-2.0)))
def single_dispatch(x):
    d = Dispatch()
    return kind_of(x), kind_of([x, 1]), kind_of("a"), d.go(1), d.go("a"), d.go(x)


@program(case(t(2.0)), case(t(-2.0)))
def partial_methods(x):
    d = Dispatch()
    return d.add_one(x), d.add_to(x, 2)


@program(case(t(2.0)), case(t(-2.0)))
def reduce_with_conditions(x):
    step = lambda a, b: a + b if b > 0 else a * 2
    compose = functools.reduce(lambda f, g: lambda v: g(f(v)), [abs, lambda v: v + 1, ag.sqrt])
    return (
        functools.reduce(step, [x, -x, 3], 1),
        functools.reduce(operator.mul, [x, 2, 3]),
        compose(x),
        functools.reduce(step, [], "empty"),
    )


@program(case(t(2.0)), case(t(-2.0)))
def compare_keys(x):
    by_length = functools.cmp_to_key(lambda a, b: len(a) - len(b))
    words = sorted(["ccc", "a", "bb"], key=by_length)
    f, g = (lambda v: v * 2), (lambda v: v + 1 if v > 0 else v)
    return words, f(g(x)), g(f(x)), (lambda a, b=x: a - b)(1)


def made_by_exec():
    source = "def made(x):\n    if x > 0:\n        return x * 3\n    return 'low'\n"
    name = "<made by exec>"
    linecache.cache[name] = (len(source), None, source.splitlines(True), name)
    namespace: dict = {"ag": ag}
    exec(compile(source, name, "exec"), namespace)
    return namespace["made"]


MADE = made_by_exec()


@program(case(t(2.0)), case(t(-2.0)))
def function_made_by_exec(x):
    return MADE(x), MADE(x) if x > 5 else 0


@program(case(t(2.0)), case(t(-2.0)))
def late_binding(x):
    fs = []
    for k in range(3):

        def f(v):
            return v * k if v > 0 else k

        fs.append(f)
    gs = [lambda v, k=k: v + k for k in range(3)]
    k = 10
    return [f(x) for f in fs], [g(x) for g in gs], [h() for h in [lambda: x * i for i in range(2)]]


@program(case(t(2)), case(t(0)))
def closures_over_a_staged_loop_variable(n):
    total = 0
    for i in range(n):
        f = lambda: i * 10
        total += f()

        def g(v):
            return v + i if i > 0 else v

        total = g(total)
    return total


def all_kinds(a, b=2, /, c=3, *rest, d, e=5, **named):
    if a > 0:
        return a, b, c, rest, d, e, sorted(named)
    return a, d


@program(case(t(2.0)), case(t(-2.0)))
def argument_kinds(x):
    one = all_kinds(x, d=1)
    two = all_kinds(x, 1, 2, 3, 4, d=x, z=x, y=1)
    three = all_kinds(*[x, 1], **{"d": 2, "e": x})
    errors = []
    for call in (lambda: all_kinds(x), lambda: all_kinds(a=x, d=1), lambda: all_kinds(x, d=1, b=3)):
        try:
            errors.append(call())
        except TypeError as error:
            errors.append(str(error))
    return one, two, three, errors


@program(
    case(t(2.0), d=t(1.0)),
    case(t(2.0), 1, 2, 3, d=4, z=t(1.0)),
    case(t(-2.0), d="s"),
    case(t(2.0), 1, c=t(2.0), d=4, a=5, b=6),
)
def program_with_all_kinds(a, b=2, /, c=3, *rest, d, e=5, **named):
    if a > 0:
        c = c + 1
    named["more"] = c
    return a, b, c, rest, d, e, named


@program(case(t(2.0)), case(t(2.0), [1]), case(t(-2.0)))
def mutable_default(x, seen=None, table={}):
    seen = [] if seen is None else seen
    seen.append(x)
    table["n"] = table.get("n", 0) + 1
    return seen, table["n"] > 0


def remember(x, memo={}):
    if "first" not in memo:
        memo["first"] = x
    return memo["first"]


@stateful(case(t(2.0)), case(t(-2.0)))
def default_as_memory():
    def count(x, memo=[]):
        memo.append(x)
        if x > 0:
            return len(memo), memo[0]
        return len(memo), memo[-1]

    return count, count.__defaults__


@program(case(t(2.0)), case(t(-2.0)))
def closure_is_returned(x):
    k = 3

    def scaled(v):
        return v * k if v > 0 else v * x

    return scaled, scaled(x)


@stateful(case(t(2.0)), case(t(-2.0)))
def closure_is_used_by_the_caller():
    def make(x):
        total = x * 2

        def add(v):
            nonlocal total
            total = total + v if v > 0 else total
            return total

        def read():
            return total

        return add, read, lambda: (total, x)

    staged: list = []

    def run(x):
        add, read, both = make(x)
        add(x)
        first = read()
        return add, read, both, first

    return run, staged


@decorating(case(t(2.0)), case(t(-2.0)))
def closures_after_the_call(stage):
    @stage
    def make(x):
        total = x * 2
        n = 1

        def add(v):
            nonlocal total, n
            n += 1
            total = total + v if v > 0 else total
            return total, n

        def read():
            return total, n

        return add, read

    def run(x):
        add, read = make(x)
        other, _ = make(x)
        a = add(x)
        b = add(5.0)
        return a, b, read(), other(1.0), add is other, add.__name__, add.__qualname__

    return run, None


@decorating(case(t(2.0)), case(t(-2.0)))
def lambdas_after_the_call(stage):
    @stage
    def make(x, k):
        y = x + k if x > 0 else x
        fs = [lambda v: v * y, lambda v, w=y: v + w]
        return {"fs": fs, "chosen": (lambda v: v + 1) if k > 1 else (lambda v: v - 1)}

    def run(x):
        made = make(x, 2)
        return [f(x) for f in made["fs"]], made["chosen"](x)

    return run, None


@decorating(case(t(2.0)), case(t(-2.0)))
def chosen_closure_after_the_call(stage):
    @stage
    def make(x):
        if x > 0:
            y = x * 2
            return lambda v: v * y
        z = x - 1
        return lambda v: v + z + x

    def run(x):
        return make(x)(3.0), make(x)(x)

    return run, None


@decorating(case(t(2.0)), case(t(-2.0)))
def recursive_closure_after_the_call(stage):
    @stage
    def make(x):
        step = x * 0 + 1

        def down(k):
            return 0.0 if k <= 0 else down(k - step) + x

        return down

    def run(x):
        down = make(x)
        return down(t(3.0)), down(t(1.0))

    return run, None


@decorating(case(t(2.0)), case(t(-2.0)))
def closure_stored_in_an_object(stage):
    class Box:
        hook = None
        hooks: list = []

    box = Box()
    box.hooks = []

    @stage
    def register(x):
        y = x + 1
        box.hook = lambda v: v * y
        box.hooks.append(lambda v: v - y)
        return y

    def run(x):
        y = register(x)
        return y, box.hook(2.0), [h(1.0) for h in box.hooks]

    return run, box


@decorating(case(t(2.0)), case(t(-2.0)))
def partial_and_method_after_the_call(stage):
    class Box:
        def __init__(self, v):
            self.v = v

        def get(self, k):
            return self.v * k if k > 0 else self.v

    def add(a, b):
        return a + b

    @stage
    def make(x):
        return functools.partial(add, x * 2), Box(x).get

    def run(x):
        p, m = make(x)
        return p(1.0), m(2), m(-1), p.func is add

    return run, None


@program(case(t(4)), case(t(0)))
def self_recursion_with_accumulator(n):
    def total(k, acc=0, trail=()):
        if k <= 0:
            return acc
        return total(k - 1, acc + k)

    return total(n), total(n, acc=t(1.5))


def is_even(k):
    return True if k == 0 else is_odd(k - 1)


def is_odd(k):
    return False if k == 0 else is_even(k - 1)


@program(case(t(4)), case(t(7)))
def mutual_recursion(n):
    return is_even(n), is_odd(n)


@program(case(t(5)), case(t(1)))
def tree_recursion_with_gradient(n):
    x = t(1.5)

    def tree(k, v):
        if k <= 0:
            return v
        return tree(k - 1, v * x) + tree(k - 2, v)

    with ag.GradientTape() as tape:
        tape.watch(x)
        y = tree(n, x)
    return y, tape.gradient(y, x)


class Node:
    def __init__(self, value, left=None, right=None):
        self.value = value
        self.left = left
        self.right = right

    def total(self, x):
        here = self.value * x if x > 0 else self.value
        if self.left is not None:
            here = here + self.left.total(x + 1)
        if self.right is not None:
            here = here + self.right.total(x - 1)
        return here

    def depth(self):
        return 1 + max(one.depth() if one else 0 for one in (self.left, self.right))


@program(case(t(0.5)), case(t(-2.0)))
def recursion_over_a_python_tree(x):
    tree = Node(1, Node(2, Node(x)), Node(x * 3, None, Node(4)))
    return tree.total(x), tree.depth()


@program(case(t(6)), case(t(1)))
def recursion_with_memo(n):
    memo = {}

    def fibo(k):
        if k in memo:
            return memo[k]
        memo[k] = k if k < 2 else fibo(k - 1) + fibo(k - 2)
        return memo[k]

    return fibo(10) * n, len(memo)


@program(case(t(5)), case(t(0)))
def recursion_with_outer_state(n):
    calls = 0
    best = t(0)

    def search(k):
        nonlocal calls, best
        calls += 1
        if k > best:
            best = k
        if k > 1:
            search(k // 2)
            search(k - 3)

    search(n)
    return calls, best


@program(case(t(48), t(18)), case(t(7), t(0)))
def recursion_with_two_arguments(a, b):
    def gcd(p, q):
        return p if q == 0 else gcd(q, p % q)

    def ackermann(m, n):
        if m == 0:
            return n + 1
        if n == 0:
            return ackermann(m - 1, 1)
        return ackermann(m - 1, ackermann(m, n - 1))

    return gcd(a, b), ackermann(2, b % 3)


@program(case(t(3)), case(t(0)))
def recursion_returning_structures(n):
    def walk(k):
        if k <= 0:
            return {"sum": 0, "pair": (k, 1.0)}
        below = walk(k - 1)
        return {"sum": below["sum"] + k, "pair": (below["pair"][0], below["pair"][1] * 2)}

    return walk(n)


@program(case(t(3)), case(t(0)))
def recursion_through_a_lambda(n):
    fact = lambda k: 1 if k <= 1 else k * fact(k - 1)
    y = (lambda f: lambda v: f(f, v))(lambda me, v: v if v <= 0 else me(me, v - 2))
    return fact(n), y(n)


@program(case(t(3)), case(t(0)))
def hanoi(n):
    moves = 0

    def move(k, a, b, c):
        nonlocal moves
        if k > 0:
            move(k - 1, a, c, b)
            moves += 1
            move(k - 1, c, b, a)

    move(n, "a", "b", "c")
    return moves


COUNT = 0


def bump(by=1):
    global COUNT
    COUNT += by
    if COUNT > 5:
        COUNT = 0
    return COUNT


@program(case(t(2)), case(t(-1)), globals={"COUNT": 0})
def global_changed_by_a_called_function(n):
    first = bump()
    if n > 0:
        bump(n)
    for _ in range(n):
        bump()
    return first, COUNT


@program(case(t(2.0)), case(t(-2.0)))
def names_and_annotations(x):
    def f(v: int = 3, *, w: "str" = "a") -> float:
        """Doc of f."""
        return v

    y: float = x * 2
    z: "list[int]" = []
    return (
        f.__name__,
        f.__doc__,
        f.__annotations__,
        f.__defaults__,
        f.__kwdefaults__,
        y,
        z,
        f.__module__,
    )


@program(case(t(2.0)), case(t(-2.0)))
def attributes_on_functions(x):
    def f(v):
        f.calls += 1
        return v if v > 0 else f.calls

    f.calls = 0
    return f(x), f(-x), f.calls


def tool(x):
    tool.calls += 1
    return x if x > 0 else -x


tool.calls = 0


@stateful(case(t(2.0)), case(t(-2.0)))
def attributes_on_outside_functions():
    tool.calls = 0

    def run(x):
        if x > 0:
            tool(x)
        return tool(x), tool.calls

    return run, lambda: tool.calls


@decorating(case(t(2.0)), case(t(-2.0)))
def decorated_calls_decorated(stage):
    @stage
    def inner(x, scale=2):
        return x * scale if x > 0 else x

    class Model:
        def __init__(self):
            self.n = 0

        @stage
        def step(self, x):
            self.n += 1
            return inner(x, scale=self.n)

        @staticmethod
        @stage
        def clip(x):
            return x if x > 0 else 0.0

        @classmethod
        @stage
        def name(cls, x):
            return cls.__name__ if x > 0 else "neg"

        @property
        @stage
        def double(self):
            return self.n * 2

    model = Model()

    def run(x):
        return (
            model.step(x),
            model.step(x),
            Model.clip(x),
            model.clip(-x),
            model.name(x),
            model.double,
        )

    return run, model


@program(case(np.array([1.0, 2.0, 3.0])), case(np.array([0.0, 1.0])), case(np.array([5.0])))
def reduced_generators(x):
    total = functools.reduce(operator.add, (v for v in x if v > 1), 0.0)
    product = functools.reduce(lambda a, b: a * b, filter(lambda v: v > 1, x), 1.0)
    try:
        return total, product, functools.reduce(max, (v * 2 for v in x if v > 1))
    except TypeError as error:
        return total, product, str(error)
