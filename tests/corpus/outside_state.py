"""Python state around the function: what changes between calls, and what the function changes."""

from __future__ import annotations

import builtins
import functools
import os
import types
from collections import Counter, OrderedDict, defaultdict, namedtuple
from dataclasses import dataclass, field

import numpy as np

import autograph as ag
from tests.corpus.registry import case, decorating, program, stateful

t = ag.asarray

SCALE = 2.0
MODE = "add"
TABLE = {"k": 1, "nested": {"deep": [1, 2]}}
LIST = [1.0, 2.0]
FLAGS = {"a"}
STEP = abs


def set_global(name, value):
    def change(world):
        world.globals[name] = value

    return change


def change_global(name, action):
    def change(world):
        action(world.globals[name])

    return change


@program(
    case(t(2.0)),
    case(t(-2.0)),
    globals={"SCALE": 2.0, "MODE": "add"},
    between=(
        set_global("SCALE", 3.0),
        set_global("SCALE", 3),
        set_global("SCALE", t(4.0)),
        set_global("SCALE", None),
        set_global("MODE", "other"),
        set_global("SCALE", np.float32(2.5)),
    ),
)
def global_of_changing_kind(x):
    if SCALE is None:
        return "none", MODE
    y = x * SCALE if x > 0 else x + SCALE
    return y, MODE == "add", isinstance(SCALE, float)


@program(
    case(t(2.0)),
    globals={"TABLE": {"k": 1, "nested": {"deep": [1, 2]}}},
    between=(
        change_global("TABLE", lambda d: d.update(k=5)),
        change_global("TABLE", lambda d: d["nested"]["deep"].append(7)),
        change_global("TABLE", lambda d: d["nested"].update(more=1)),
        change_global("TABLE", lambda d: d.pop("k")),
        set_global("TABLE", {"nested": {"deep": []}}),
    ),
)
def nested_global_containers(x):
    deep = TABLE["nested"]["deep"]
    total = x
    for one in deep:
        total = total + one
    return total, TABLE.get("k", "gone"), len(TABLE["nested"]), "more" in TABLE["nested"]


@program(
    case(t(2.0)),
    case(t(-2.0)),
    globals={"STEP": abs},
    between=(
        set_global("STEP", ag.sqrt),
        set_global("STEP", lambda v: v if v > 0 else 0.0),
        set_global("STEP", functools.partial(max, 1)),
    ),
)
def global_function_is_replaced(x):
    return STEP(x)


@program(
    case(t(2.0)),
    globals={"FLAGS": {"a"}},
    between=(
        change_global("FLAGS", lambda s: s.add("b")),
        change_global("FLAGS", lambda s: s.clear()),
    ),
)
def global_set(x):
    return ("b" in FLAGS), x * len(FLAGS), sorted(FLAGS)


class Model:
    rate = 0.5

    def __init__(self):
        self.training = True
        self.n = 0
        self.history = []
        self.best = None
        self.w = ag.Variable(1.0)
        self.extra = {}

    def loss(self, x):
        self.n += 1
        y = x * self.w * self.rate
        if self.training:
            self.w.assign_sub(y)
        if self.best is None or y < self.best:
            self.best = y
        self.history.append(y)
        return y


def changed(name, value):
    def change(world):
        setattr(world.state, name, value)

    return change


def on_state(action):
    def change(world):
        action(world.state)

    return change


@stateful(
    case(t(2.0)),
    case(t(-2.0)),
    between=(
        changed("training", False),
        changed("best", None),
        changed("rate", 0.25),
        on_state(lambda m: setattr(type(m), "rate", 0.75)),
        on_state(lambda m: delattr(m, "rate")),
        on_state(lambda m: setattr(m, "history", [])),
        on_state(lambda m: setattr(m, "w", ag.Variable(3.0))),
        on_state(lambda m: setattr(type(m), "rate", 0.5)),
    ),
)
def model_that_trains():
    model = Model()
    return model.loss, model


@stateful(
    case(t(2.0)),
    case(t(-2.0)),
    between=(
        on_state(lambda m: m.extra.update(a=1)),
        on_state(lambda m: m.extra.update(a=t(2.0))),
        on_state(lambda m: m.extra.clear()),
    ),
)
def dict_attribute():
    model = Model()

    def run(x):
        model.extra.setdefault("calls", 0)
        model.extra["calls"] += 1
        if x > 0:
            model.extra["last"] = x
        return model.extra.get("a", "none"), "last" in model.extra

    return run, model


@stateful(case(t(2.0)), case(t(-2.0)))
def counters_of_every_kind():
    counts = Counter()
    groups = defaultdict(list)
    order = OrderedDict(a=1)
    queue: list = []

    def run(x):
        counts["calls"] += 1
        counts.update(["seen", "calls"])
        groups["g"].append(x)
        order.move_to_end("a")
        order[len(order)] = x
        queue.insert(0, x)
        if len(queue) > 2:
            queue.pop()
        return counts["calls"], len(groups["g"]), list(order), queue[0]

    return run, (counts, groups, order, queue)


@stateful(case(t(2.0)), case(t(-2.0)))
def cache_by_hand():
    cache = {}

    def expensive(k):
        if k not in cache:
            cache[k] = k * k
        return cache[k]

    def run(x):
        total = x
        for k in (1, 2, 1):
            total = total + expensive(k)
        return total, len(cache)

    return run, cache


@stateful(case(t(2.0)), case(t(-2.0)))
def memo_of_tensors():
    memo = {}

    def run(x):
        if "x" not in memo:
            memo["x"] = x * 2
        if x > 0:
            memo["x"] = memo["x"] + 1
        return memo["x"]

    return run, memo


same_list = [1, 2]


@program(case(same_list, same_list, t(1)), case([1], [1], t(-1)))
def same_list_twice(a, b, x):
    a.append(x)
    if x > 0:
        b.append("b")
    return a is b, len(a), a


same_tensor = t([1.0, 2.0])


@program(case(same_tensor, same_tensor), case(t([1.0, 2.0]), t([1.0, 2.0])))
def same_tensor_twice(a, b):
    a[0] = 5.0
    if a is b:
        return b, "one"
    return b, "two"


@stateful(
    case(t(2.0)),
    between=(
        lambda world: world.state.items.append(world.state.items[0]),
        lambda world: world.state.items.reverse(),
        lambda world: setattr(world.state, "items", tuple(world.state.items)),
    ),
)
def identity_of_items():
    @dataclass
    class Holder:
        items: list = field(default_factory=list)

    holder = Holder([Model(), Model()])

    def run(x):
        first, last = holder.items[0], holder.items[-1]
        first.n += 1
        last.n += 10
        return first is last, first.n, [one.n for one in holder.items]

    return run, holder


@stateful(case(t(2.0)), between=(lambda world: os.environ.update(AG_TEST_LEVEL="7"),))
def environment_is_read():
    os.environ["AG_TEST_LEVEL"] = "3"

    def run(x):
        level = os.environ.get("AG_TEST_LEVEL", "1")
        return x * int(level), os.environ["AG_TEST_LEVEL"], "AG_NOT_THERE" in os.environ

    return run, None


@stateful(
    case(2.0, 3),
    case(t(1)),
    between=(
        lambda world: ag.set_default_dtype(ag.float64),
        lambda world: ag.set_default_dtype(ag.int32),
    ),
)
def default_dtype_changes():
    def run(x, k=1):
        return ag.asarray(x), ag.ones((2,)), ag.asarray(k), ag.asarray([1, 2]) * x

    return run, None


settings = types.SimpleNamespace(scale=2.0, names=["a"])
config = types.ModuleType("config")
config.scale = 2.0
config.table = {"a": 1}


@stateful(
    case(t(2.0)),
    between=(
        lambda world: setattr(config, "scale", 5.0),
        lambda world: setattr(config, "scale", "text"),
        lambda world: config.table.update(a=9),
        lambda world: setattr(settings, "scale", t(7.0)),
        lambda world: settings.names.append("b"),
    ),
)
def module_and_namespace_attributes():
    config.scale = 2.0
    config.table = {"a": 1}
    settings.scale, settings.names = 2.0, ["a"]

    def run(x):
        y = x * config.scale if isinstance(config.scale, float) else config.scale
        config.calls = getattr(config, "calls", 0)
        return y, config.table["a"], settings.scale * x, len(settings.names)

    return run, None


@stateful(case(t(2.0)), case(t(-2.0)))
def module_attribute_written():
    config.total = 0

    def run(x):
        config.total += 1
        if x > 0:
            config.last = x
        settings.scale = x
        return config.total

    return run, lambda: (config.total, settings.scale)


@stateful(
    case(t(2.0)),
    between=(
        lambda world: world.state.append(t(5.0)),
        lambda world: world.state.__setitem__(0, "text"),
        lambda world: world.state.clear(),
    ),
)
def closure_list_changes():
    items = [1, t(2.0)]

    def run(x):
        total = x
        for one in items:
            total = total + (one if not isinstance(one, str) else 100)
        return total, len(items), bool(items)

    return run, items


Setting = namedtuple("Setting", "rate table")


@stateful(
    case(t(2.0)),
    between=(
        lambda world: world.state.__setitem__("s", Setting(0.25, {"a": 1})),
        lambda world: world.state["s"].table.update(a=2),
        lambda world: world.state.__setitem__("s", (1, 2)),
    ),
)
def namedtuple_in_a_dict():
    held = {"s": Setting(0.5, {})}

    def run(x):
        s = held["s"]
        if isinstance(s, Setting):
            return x * s.rate, s.table.get("a")
        return s

    return run, held


@stateful(case(t(2.0)), case(t(-2.0)))
def two_functions_share_a_cell():
    count = 0
    last = None

    def bump(x):
        nonlocal count, last
        count += 1
        last = x if x > 0 else last
        return count

    def run(x):
        a = bump(x)
        b = bump(-x)
        return a, b, count, last

    return run, lambda: (count, last)


@decorating(case(t(2.0)), case(t(-2.0)))
def two_staged_functions_share_state(stage):
    state = {"n": 0, "log": []}
    total = t(0.0)

    @stage
    def add(x):
        nonlocal total
        total = total + x
        state["n"] += 1
        state["log"].append(x)
        return total

    @stage
    def read(x):
        if x > 0:
            return total * 2, state["n"]
        return state["log"][-1], len(state["log"])

    def run(x):
        a = add(x)
        b = read(x)
        state["n"] += 100
        return a, b, add(x), read(-x)

    return run, (state, lambda: total)


@stateful(
    case(t(2.0)),
    case(t(-2.0)),
    between=(
        lambda world: world.state.update(f=lambda v: v * 100),
        lambda world: world.state.clear(),
    ),
)
def callbacks_in_a_dict():
    hooks = {"f": lambda v: v if v > 0 else -v}

    def run(x):
        for hook in hooks.values():
            x = hook(x)
        return x

    return run, hooks


@stateful(
    case(t(2.0)),
    between=(
        lambda world: setattr(world.state, "loss", lambda x: x * 1000),
        lambda world: delattr(world.state, "loss"),
        lambda world: setattr(type(world.state), "bonus", 5.0),
    ),
)
def method_is_replaced_on_the_instance():
    class Local(Model):
        bonus = 1.0

        def total(self, x):
            return self.loss(x) + self.bonus

    model = Local()
    return lambda x: model.total(x), model


@stateful(case(t(2.0)), case(t(-2.0)))
def object_graph_is_rebuilt():
    class Node:
        def __init__(self, v, rest=None):
            self.v = v
            self.rest = rest

    holder = types.SimpleNamespace(head=Node(0))

    def run(x):
        holder.head = Node(x, holder.head)
        if x > 0:
            holder.head.rest.v = x * 2
        depth = 0
        node = holder.head
        while node is not None:
            depth += 1
            node = node.rest
        return depth, holder.head.rest.v

    return run, holder


@stateful(case(t(3)), case(t(0)))
def state_in_a_staged_loop():
    class Stats:
        def __init__(self):
            self.total = 0
            self.peak = None

        def see(self, v):
            self.total += v
            if self.peak is None or v > self.peak:
                self.peak = v

    stats = Stats()

    def run(n):
        for i in range(n):
            stats.see(i * 2)
        return stats.total

    return run, stats


@stateful(case(t(2.0)), case(t(-2.0)))
def deleted_state():
    held = {"a": 1, "b": 2}
    box = types.SimpleNamespace(a=1, b=2)
    items = [1, 2, 3]

    def run(x):
        held["c"] = x
        held.pop("a", None)
        if hasattr(box, "b"):
            del box.b
        if items:
            del items[0]
        return len(held), len(items), hasattr(box, "b")

    return run, (held, box, items)


@program(case(t(2.0), [1, 2]), case(t(-2.0), (1, 2)), case(t(1.0), {"a": 1}), case(t(1.0), "ab"))
def arguments_of_changing_kind(x, items):
    kind = type(items).__name__
    n = len(items)
    if isinstance(items, dict):
        items["new"] = x
    elif isinstance(items, list):
        items += [x]
    return kind, n, x if x > 0 else items


@program(
    case(np.float64(2.5)),
    case(np.float32(2.5)),
    case(np.int64(3)),
    case(np.float64(-2.5)),
    case(2.5),
    case(3),
)
def numpy_scalars(x):
    return (
        isinstance(x, float),
        isinstance(x, int),
        isinstance(x, (int, float)),
        isinstance(x, np.generic),
        isinstance(x, ag.Tensor),
        type(x).__name__,
        x + 1,
        x > 0,
    )


@program(
    case(t(2.0), np.float64(2.5)),
    case(t(2.0), np.int32(3)),
    case(t(2.0), np.bool_(False)),
)
def numpy_scalar_beside_a_tensor(x, k):
    y = x * k
    return y, y.dtype, "yes" if k else "no", x if k > 2 else -x


@program(case(10**30, t(2.0)), case(-(10**30), t(1.0)), case(2**63 - 1, t(1.0)), case(-5, t(1.0)))
def big_ints(k, x):
    return k + 1, k // 7, k % 7, k * k, -k, x if k > 0 else -x, k >> 3, k.bit_length()


@program(case(t(7), t(2)), case(t(-7), t(2)), case(t(7), t(-2)), case(t(-7), t(-2)))
def division_and_modulo_signs(a, b):
    i, j = int(a), int(b)
    f = float(a)
    return i // j, i % j, divmod(i, j), f // j, f % j, divmod(f, j), i / j, -i // j, a // b, a % b


@program(case(t(5), t(2)), case(t(-5), t(1)))
def shifts_and_bits(a, b):
    i, j = int(a), int(b)
    return (
        i << j,
        i >> j,
        i & 3,
        i | 8,
        i ^ 5,
        ~i,
        i << 40,
        (i > 0) & (j > 1),
        (i > 0) ^ True,
        -(-i),
    )


@program(case(t(3)), case(t(0)))
def bool_arithmetic(n):
    p, q = n > 1, bool(n)
    r = int(n) > 1
    return r + r, r * 3, -r, r / 2, r + 0.5, p + 1, q + q, sum([r, q]), r == 1, not r, r // 1, ~r


@program(case(t(2.5)), case(t(-0.0)), case(t(1e20)), case(t(float("inf"))), case(t(float("nan"))))
def float_formatting(x):
    f = float(x)
    return f"{f}", f"{f:.2f}", str(f), repr(f), f"{f:>10}|{f:e}", "%s %.1f" % (f, f), f"{f!r:>12}"


@program(case(t(3.7)), case(t(-3.7)), case(t(2.5)))
def rounding(x):
    f = float(x)
    return int(f), round(f), f // 1, int(x), abs(f), divmod(f, 1), f.is_integer() if False else -f


@program(case(t(4)), case(t(60)))
def overflow_of_staged_ints(n):
    v = 1
    for _ in range(n):
        v = v * 2
    return v, v - 1


@program(case(t(2.0)), case(t(-2.0)))
def identity_everywhere(x):
    a = x
    b = x + 0
    c = [x, b]
    d = {"x": x}
    p = (x, b)
    e = x if x > 0 else b
    return (
        a is x,
        b is x,
        c[0] is x,
        d["x"] is a,
        p[1] is b,
        e is x,
        e is not b,
        (x, 1) is p,
        c is c,
    )


@program(case(t(2.0)))
def builtins_are_shadowed(x):
    def len(v):
        return 100

    sum = max
    return len([1]), sum(1, 2), builtins.len([1]), abs(x)


@stateful(case(t(2.0), t(2)), case(t(-2.0), t(0)), case(t(0.5), t(3)))
def attributes_first_set_in_a_loop():
    class Cell:
        pass

    cell = Cell()

    def run(x, n):
        i = 0
        while i < n:
            i += 1
            cell.last = x * i
            if x > 1:
                cell.most = cell.last + 1
        return hasattr(cell, "first")

    return run, cell
