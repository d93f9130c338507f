"""Whole small programs as users write them: simulations, parsers, searches, models, games."""

from __future__ import annotations

import collections
import copy
import enum
import functools
import math
import string
from dataclasses import dataclass, field
from typing import NamedTuple

import autograph as ag
from tests.corpus.registry import case, decorating, program, stateful

t = ag.asarray


class Op(enum.Enum):
    ADD = "+"
    MUL = "*"
    HALT = "."

    @property
    def symbol(self):
        return self.value

    @classmethod
    def pick(cls, x):
        return cls.ADD if x > 0 else cls.MUL


@program(case(t(2.0)), case(t(-2.0)), case(t(40.0)))
def interpreter(x):
    code = [Op.pick(x), Op.ADD, Op.MUL, Op.HALT, Op.ADD]
    stack, pc = [x, 3.0], 0
    while True:
        op = code[pc]
        if op is Op.HALT:
            break
        if op is Op.ADD:
            stack[-1] = stack[-1] + stack[0]
        else:
            stack[-1] = stack[-1] * stack[0]
        if stack[-1] > 50:
            return "overflow", pc, op.symbol
        pc += 1
    return stack, pc, [one.name for one in code]


class Account:
    fee = 0.5

    def __init__(self, balance):
        self._balance = balance
        self.history = []

    @property
    def balance(self):
        return self._balance

    @balance.setter
    def balance(self, value):
        if value < 0:
            raise ValueError(f"balance {value} is negative")
        self._balance = value

    def withdraw(self, amount):
        self.balance = self.balance - amount - self.fee
        self.history.append(("withdraw", amount))
        return self.balance

    def __repr__(self):
        return f"Account({self.balance})"


class Savings(Account):
    fee = 0.0

    def withdraw(self, amount):
        if amount > self.balance / 2:
            return None
        return super().withdraw(amount)


@program(case(t(10.0), t(4.0)), case(t(10.0), t(7.0)), case(t(1.0), t(1.0)))
def accounts(start, amount):
    a, s = Account(start), Savings(start)
    left = a.withdraw(amount)
    kept = s.withdraw(amount)
    return left, kept, len(a.history), s.history, kept is None


@stateful(case(t(3.0)), case(t(30.0)), case(t(3.0)))
def account_outside():
    account = Account(t(20.0))

    def run(x):
        return account.withdraw(x), len(account.history)

    return run, account


class Matrix2(NamedTuple):
    a: object
    b: object
    c: object = 0.0
    d: object = 1.0

    def times(self, other):
        return Matrix2(
            self.a * other.a + self.b * other.c,
            self.a * other.b + self.b * other.d,
            self.c * other.a + self.d * other.c,
            self.c * other.b + self.d * other.d,
        )

    @property
    def det(self):
        return self.a * self.d - self.b * self.c

    @classmethod
    def identity(cls):
        return cls(1.0, 0.0)


@program(case(t(2.0), t(5)), case(t(0.5), t(0)))
def matrix_power(x, n):
    m, out = Matrix2(x, 1.0), Matrix2.identity()
    while n > 0:
        if n % 2 == 1:
            out = out.times(m)
        m = m.times(m)
        n = n // 2
    return out, out.det, out._replace(a=0), isinstance(out, tuple)


@program(case(t(10)), case(t(1)), case(t(30)))
def collatz_with_memo(n):
    memo = {1: 0}

    def steps(k):
        if k not in memo:
            memo[k] = 1 + steps(k // 2 if k % 2 == 0 else 3 * k + 1)
        return memo[k]

    longest = max(range(1, 12), key=steps)
    count = 0
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        count += 1
    return longest, count, steps(9), len(memo)


@program(case(t(3.0)), case(t(-1.0)))
def event_handlers(x):
    handlers = collections.defaultdict(list)
    log = []

    def on(name):
        def register(f):
            handlers[name].append(f)
            return f

        return register

    @on("start")
    def first(v):
        log.append(("first", v))
        return v > 0

    @on("start")
    @on("stop")
    def second(v):
        if v > 1:
            log.append(("second", v * 2))
        return False

    for name in ("start", "stop", "other"):
        for f in handlers[name]:
            if f(x):
                break
    return log, len(handlers), [f.__name__ for f in handlers["start"]]


@dataclass
class Particle:
    x: object
    v: object
    alive: object = True
    trail: list = field(default_factory=list)

    def step(self, dt):
        if not self.alive:
            return self
        self.x = self.x + self.v * dt
        if self.x > 3:
            self.alive = False
        elif self.x < 0:
            self.v = -self.v
            self.x = -self.x
        self.trail.append(self.x)
        return self


@program(case(t(1.0)), case(t(2.9)), case(t(-1.0)))
def particles(x):
    ps = [Particle(x, 1.0), Particle(0.5, -1.0), Particle(x, x)]
    for _ in range(3):
        for p in ps:
            p.step(0.5)
    return [(p.x, p.v, p.alive, len(p.trail)) for p in ps]


@program(case(t(4)), case(t(0)))
def particle_in_a_staged_loop(n):
    p = Particle(t(0.5), t(1.0))
    for _ in range(n):
        p.step(0.25)
    return p.x, p.v, p.alive, len(p.trail)


class Parser:
    def __init__(self, text):
        self.text = text
        self.pos = 0

    def peek(self):
        return self.text[self.pos] if self.pos < len(self.text) else ""

    def number(self, env):
        c = self.peek()
        self.pos += 1
        if c == "(":
            value = self.expression(env)
            self.pos += 1
            return value
        if c in string.digits:
            return int(c)
        return env[c]

    def term(self, env):
        value = self.number(env)
        while self.peek() and self.peek() in "*/":
            op = self.peek()
            self.pos += 1
            right = self.number(env)
            value = value * right if op == "*" else value / right
        return value

    def expression(self, env):
        value = self.term(env)
        while self.peek() and self.peek() in "+-":
            op = self.peek()
            self.pos += 1
            right = self.term(env)
            value = value + right if op == "+" else value - right
        return value


@program(case(t(2.0)), case(t(-2.0)))
def recursive_descent(x):
    env = {"x": x, "y": x * 2 if x > 0 else x}
    a = Parser("2*x+3*(y-1)/2").expression(env)
    p = Parser("x*x-4")
    b = p.expression(env)
    return a, b, p.pos, "root" if b == 0 else "no root"


@program(case(t(2.0)), case(t(0.3)))
def newton(x):
    def solve(f, guess, tolerance=1e-3, *, limit=20):
        def derivative(v, h=1e-2):
            return (f(v + h) - f(v - h)) / (2 * h)

        for k in range(limit):
            y = f(guess)
            if abs(y) < tolerance:
                break
            guess = guess - y / derivative(guess)
        else:
            return guess, -1
        return guess, k

    root, turns = solve(lambda v: v * v - x, x + 1)
    cube, _ = solve(lambda v: v**3 - x, 1.0 + x)
    return root, turns, cube


@program(case(t(5)), case(t(0)))
def linked_list(n):
    class Node:
        __slots__ = ("next", "value")

        def __init__(self, value, rest=None):
            self.value = value
            self.next = rest

        def __iter__(self):
            node = self
            while node is not None:
                yield_value.append(node.value)
                node = node.next
            return iter(yield_value)

        def __len__(self):
            return 1 + (len(self.next) if self.next is not None else 0)

    yield_value = []
    head = Node(n)
    for k in range(3):
        head = Node(n * k if n > 2 else k, head)
    total = 0
    for value in head:
        total += value
    return total, len(head), head.next.value


@program(case(t(3.0)), case(t(-3.0)))
def visitor(x):
    class Num:
        def __init__(self, v):
            self.v = v

        def accept(self, visitor):
            return visitor.visit_num(self)

    class Bin:
        def __init__(self, op, left, right):
            self.op, self.left, self.right = op, left, right

        def accept(self, visitor):
            return getattr(visitor, f"visit_{self.op}")(self)

    class Evaluate:
        def __init__(self):
            self.count = 0

        def visit_num(self, node):
            self.count += 1
            return node.v

        def visit_add(self, node):
            return node.left.accept(self) + node.right.accept(self)

        def visit_max(self, node):
            a, b = node.left.accept(self), node.right.accept(self)
            return a if a > b else b

    tree = Bin("add", Num(1.0), Bin("max", Num(x), Bin("add", Num(2.0), Num(x * x))))
    e = Evaluate()
    return tree.accept(e), e.count


@program(case(t(3)), case(t(1)))
def gradient_of_a_recursive_model(n):
    w = t(0.5)

    class Cell:
        def __init__(self, scale):
            self.scale = scale

        def forward(self, v, depth):
            if depth <= 0:
                return v
            h = ag.tanh(v * w * self.scale)
            return self.forward(h, depth - 1) + v

    with ag.GradientTape() as tape:
        tape.watch(w)
        y = Cell(2.0).forward(t(1.5), n)
    return y, tape.gradient(y, w)


class Layer:
    count = 0

    def __init__(self, size):
        Layer.count += 1
        self.name = f"layer_{Layer.count}"
        self.w = ag.Variable([0.5 * (k + 1) for k in range(size)])
        self.calls = 0

    def __call__(self, x, training=False):
        self.calls += 1
        y = ag.sum(self.w * x)
        if training and y > 0:
            self.w.assign_sub(self.w * 0.1)
        return y


@stateful(case(t([1.0, -2.0])), case(t([3.0, 1.0])))
def model_of_layers():
    Layer.count = 0
    layers = {"a": Layer(2), "b": Layer(2)}
    best = {"loss": None, "step": -1}

    def train(x):
        with ag.GradientTape() as tape:
            loss = sum(layer(x, training=name == "a") for name, layer in layers.items())
            loss = loss * loss
        grads = tape.gradient(loss, [layer.w for layer in layers.values()])
        for layer, g in zip(layers.values(), grads):
            layer.w.assign_sub(g * 0.01)
        best["step"] += 1
        if best["loss"] is None or loss < best["loss"]:
            best["loss"] = loss
        return loss, best["step"]

    return train, (layers, best)


@decorating(case(t(2.0)), case(t(-2.0)))
def staged_callbacks(stage):
    def apply_twice(f):
        @functools.wraps(f)
        def inner(*args, **kwargs):
            return f(f(*args, **kwargs), **kwargs)

        return inner

    @stage
    @apply_twice
    def shrink(x, by=2.0):
        return x / by if x > 1 else x

    class Trainer:
        def __init__(self, step):
            self.step = step
            self.losses = []

        @stage
        def run(self, x, n=2):
            for _ in range(n):
                x = self.step(x)
                self.losses.append(x)
            return x

    trainer = Trainer(lambda v: shrink(v) + 1)

    def run(x):
        return (
            shrink(x),
            shrink(x, by=4.0),
            trainer.run(x),
            trainer.run(x, n=1),
            len(trainer.losses),
        )

    return run, trainer


@stateful(case(t(2.0)), case(t(-2.0)), between=(lambda w: setattr(w.state, "strategy", "slow"),))
def strategy_by_name():
    class Engine:
        strategy = "fast"

        def fast(self, x):
            return x * 2 if x > 0 else x

        def slow(self, x):
            total = 0.0
            for _ in range(2):
                total = total + x
            return total

        def run(self, x):
            return getattr(self, self.strategy)(x), self.strategy

    engine = Engine()
    return engine.run, engine


@stateful(case(t(2.0)), case(t(-2.0)))
def undo_stack():
    undo: list = []
    doc = {"text": "", "value": t(0.0)}

    def run(x):
        undo.append((doc["text"], doc["value"]))
        doc["text"] += "+" if isinstance(x, float) else "t"
        doc["value"] = doc["value"] + x
        if x < 0 and len(undo) > 1:
            doc["text"], doc["value"] = undo.pop()
            undo.pop()
        return doc["value"], len(undo)

    return run, (undo, doc)


@program(case(t(2.0)), case(t(-2.0)))
def copies(x):
    a = Particle(x, 1.0, trail=[x])
    b = copy.copy(a)
    c = copy.deepcopy(a)
    if x > 0:
        b.x = x * 10
        b.trail.append(1)
    return a, b, c.trail, b.trail is a.trail, c.x is a.x


@program(case(t(2.0)), case(t(-2.0)))
def scopes(x):
    y = 1
    results = []

    def outer():
        y = 2

        def middle():
            nonlocal y
            y = y + 1 if x > 0 else y

            def inner():
                return y

            return inner

        m = middle()
        results.append(y)
        y = 10
        return m()

    class Scope:
        y = 5

        def get(self):
            return y

        z = y + 1

    return outer(), y, results, Scope().get(), Scope.z


@program(case(t(3), "ab"), case(t(0), "ab"))
def loops_with_strings(n, text):
    out = []
    for k, c in enumerate(text * 2):
        if k == n:
            out.append(c.upper())
            continue
        out.append(c)
    return "".join(out) if n > 100 else out, text


@program(case(t(2.0), [1, 2, 3]), case(t(2.0), []))
def any_kind_of_argument(x, items):
    first, *rest = [*items, None]
    table = dict.fromkeys(items, x)
    pairs = {k: v for k, v in zip("abc", items)}
    if not items:
        return "empty", table
    return first, rest, table, pairs, sum(items) * x if x > 0 else min(items)


@program(case(t(7.0)), case(t(-7.0)))
def early_returns_everywhere(x):
    def grade(v):
        if v is None:
            return "none"
        if v > 5:
            if v > 6:
                return "A+"
            return "A"
        for limit, name in ((3, "B"), (0, "C")):
            if v > limit:
                return name
        return None

    return grade(x), grade(x - 3), grade(None), grade(x) or "fail", math.pi


@program(case(t(2.0)), case(t(-1.0)))
def with_default_factories(x):
    def make(kind=list, /, *items, **named):
        made = kind(items)
        if named:
            made = (made, named)
        return made

    counter = collections.Counter("abca")
    point = collections.namedtuple("P", ["a", "b"], defaults=[x])
    p = point(1)
    q = p._replace(b=p.b * 2 if x > 0 else 0)
    return make(list, x, 1), make(tuple, x), make(set), make(a=x), counter["a"], p.b, q.b, q._fields
