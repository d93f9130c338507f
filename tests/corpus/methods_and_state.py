"""Objects: attributes read and written, at function level, in branches and in loops."""

from __future__ import annotations

import dataclasses
from typing import Any, NamedTuple

import autograph as ag
from tests.corpus.registry import case, program, stateful

t = ag.asarray


class Counter:
    """Attributes of several kinds."""

    kind = "counter"

    def __init__(self):
        self.n = 0
        self.total = 0.0
        self.last = None
        self.history = []
        self.table = {"hits": 0}

    def step(self, x):
        self.n += 1
        return x * self.n

    def record(self, x):
        self.history.append(x)
        return len(self.history)

    def keep_last(self, x):
        before = self.last
        if x > 0:
            self.last = x
        return before

    def accumulate(self, n):
        for i in range(n):
            self.total += i
            self.n = i
        return self.total

    def hit(self, x):
        if x > 0:
            self.table["hits"] += 1
        else:
            self.table["misses"] = self.table.get("misses", 0) + 1
        return self.table["hits"]

    def write_then_read(self, x):
        self.scratch = x * 2
        if x > 0:
            self.scratch = self.scratch + 1
        return self.scratch

    def raise_after_writing(self, x):
        self.n += 1
        self.history.append(x)
        self.table["hits"] = 100
        if x > 0:
            raise ValueError("x is positive")
        return self.n


@stateful(case(t(2.0)))
def count_calls():
    counter = Counter()
    return counter.step, counter


@stateful(case(t(2.0)))
def history():
    counter = Counter()
    return counter.record, counter


@stateful(case(t(2.0)), case(t(-2.0)), case(t(3.0)))
def attribute_written_in_one_branch():
    counter = Counter()
    return counter.keep_last, counter


@stateful(case(t(4)), case(t(0)), compiled=True)
def attributes_written_in_a_loop():
    counter = Counter()
    return counter.accumulate, counter


@stateful(case(t(2.0)), case(t(-2.0)))
def dictionary_written_in_branches():
    counter = Counter()
    return counter.hit, counter


@stateful(case(t(2.0)), case(t(-2.0)))
def attribute_created_by_the_call():
    counter = Counter()
    return counter.write_then_read, counter


@stateful(case(t(-2.0)), case(t(2.0)))
def exception_after_writes():
    counter = Counter()
    return counter.raise_after_writing, counter


@stateful(case(t(2.0)), case(t(-2.0)))
def written_and_rolled_back_between_branches():
    counter = Counter()

    def run(x):
        if x > 0:
            counter.n = 10
            counter.history.append(x)
            y = counter.n + len(counter.history)
        else:
            y = counter.n + len(counter.history) * 100
            counter.n = counter.n - 1
        return y, counter.n

    return run, counter


@stateful(case(t(2.0)), case(t(-2.0)))
def class_attribute_and_instance_attribute():
    class Local(Counter):
        pass

    counter = Local()

    def run(x):
        if x > 0:
            counter.kind = "mine"
        return counter.kind, Local.kind

    return run, counter


class Layer:
    """Variables and a method, as a model has."""

    def __init__(self, size):
        self.weight = ag.Variable(ag.ones((size, size)) * 0.5)
        self.bias = ag.Variable(ag.zeros((size,)))
        self.training = True

    def __call__(self, x):
        y = ag.matmul(x, self.weight) + self.bias
        if self.training:
            self.bias.assign_add(ag.ones_like(self.bias) * 0.25)
        return ag.tanh(y)


class Model:
    """Layers in a list, statistics in attributes."""

    def __init__(self):
        self.layers = [Layer(2), Layer(2)]
        self.steps = 0
        self.mean = t([0.0, 0.0])

    @property
    def depth(self):
        return len(self.layers)

    def step(self, x):
        for layer in self.layers:
            x = layer(x)
        self.steps += 1
        self.mean = self.mean + (x.mean(axis=0) - self.mean) / self.steps
        return x.sum() * self.depth


def _stop_training(world):
    for layer in world.state.layers:
        layer.training = False


def _add_layer(world):
    world.state.layers.append(Layer(2))


def _replace_layer(world):
    world.state.layers[0] = Layer(2)


@stateful(
    case(t([[1.0, 2.0], [3.0, 4.0]])),
    case(t([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])),
    between=(_stop_training, _add_layer, _replace_layer),
    ulps=32,
    compiled=True,
)
def model_of_layers():
    model = Model()
    return model.step, model


@stateful(case(t(1.0)), case(t(-1.0)))
def nested_attributes():
    class Node:
        def __init__(self, value, child=None):
            self.value = value
            self.child = child

    root = Node(1, Node(2.0, Node(t(3.0))))

    def run(x):
        root.child.child.value = root.child.child.value + x
        if x > 0:
            root.child.value += 1
            root.value = root.child.value
        return root.value, root.child.child.value

    return run, root


@stateful(case(t(1.0)), case(t(-1.0)))
def attribute_deleted_in_a_branch():
    class Box:
        pass

    box = Box()

    def run(x):
        box.value = x
        if x > 0:
            del box.value
        return hasattr(box, "value")

    return run, box


@stateful(case(t(1.0)), case(t(-1.0)))
def getattr_setattr_by_name():
    counter = Counter()

    def run(x):
        for name in ("n", "total", "fresh"):
            value = getattr(counter, name, 5)
            if x > 0:
                setattr(counter, name, value + 1)
        return counter.n, counter.total, hasattr(counter, "fresh")

    return run, counter


@program(case(t(3.0)), case(t(-3.0)))
def object_made_inside(x):
    counter = Counter()
    counter.step(x)
    if x > 0:
        counter.last = x
        counter.record(x)
    for _ in range(3):
        counter.n += 1
    return counter


@program(case(t(3)), case(t(0)))
def object_made_inside_and_changed_in_a_loop(n):
    counter = Counter()
    for i in range(n):
        counter.n += i
        counter.total = counter.total + counter.n
        if i == 1:
            counter.last = i
    return counter.n, counter.total, counter.last


@program(case(t(3)), case(t(0)))
def object_made_in_a_staged_loop(n):
    total = 0.0
    for i in range(n):
        point = Counter()
        point.step(i)
        point.total = i * 2.0
        total += point.total + point.n
    return total


class Point(NamedTuple):
    """A named tuple."""

    x: Any
    y: Any


@program(case(t(3.0), t(4.0)), case(t(-3.0), t(4.0)))
def named_tuples(a, b):
    p = Point(a, b)
    if p.x > 0:
        p = p._replace(y=p.x + p.y)
    return p, p.y


@dataclasses.dataclass
class Pair:
    """A dataclass."""

    left: Any
    right: Any = 0

    def swap(self):
        self.left, self.right = self.right, self.left
        return self


@program(case(t(3.0)), case(t(-3.0)))
def dataclasses_are_objects(x):
    pair = Pair(x)
    if x > 0:
        pair.swap()
    pair.left = pair.left + 1
    return pair


@program(case(Pair(t(1.0), t(2.0))), case(Pair(t(5.0), t(2.0))))
def object_as_an_argument(pair):
    if pair.left < pair.right:
        pair.swap()
    pair.left = pair.left * 2
    return pair.left - pair.right


class Slotted:
    """An object without a dictionary."""

    __slots__ = ("n", "x")

    def __init__(self):
        self.n = 0
        self.x = t(0.0)


@stateful(case(t(1.0)), case(t(-1.0)))
def slots():
    box = Slotted()

    def run(x):
        box.n += 1
        if x > 0:
            box.x = box.x + x
        return box.x, box.n

    return run, lambda: (box.n, box.x)


class Checked:
    """A property with a setter, operators of its own, a length and a truth."""

    def __init__(self, value):
        self._value = value
        self.sets = 0

    @property
    def value(self):
        return self._value

    @value.setter
    def value(self, new):
        self.sets += 1
        self._value = new

    def __add__(self, other):
        return Checked(self._value + other)

    def __getitem__(self, key):
        return self._value * key

    def __len__(self):
        return 3

    def __bool__(self):
        return self.sets > 1

    def __contains__(self, item):
        return item == 7

    def __eq__(self, other):
        return isinstance(other, Checked)

    __hash__ = None


@program(case(t(1.0)), case(t(-1.0)))
def special_methods(x):
    c = Checked(x)
    empty = bool(c)
    c.value = x + 1
    if x > 0:
        c.value = x + 2
    d = c + 10
    return d[3], len(d), 7 in d, 8 in d, empty, c == d, c.sets, c.value


class Base:
    """For super()."""

    scale = 2

    def run(self, x):
        if x > 0:
            return x * self.scale
        return x

    @classmethod
    def of(cls, k):
        made = cls()
        made.scale = k
        return made

    @staticmethod
    def plain(x):
        return x + 1


class Derived(Base):
    """Overrides, and calls the parent."""

    def run(self, x):
        return super().run(x) + 1


@program(case(t(1.0)), case(t(-1.0)))
def inheritance(x):
    d = Derived.of(10)
    return d.run(x), Base().run(x), Derived.plain(x), isinstance(d, Base)


@stateful(case(t(1.0)), case(t(-1.0)))
def attribute_swaps_objects():
    class Holder:
        pass

    holder = Holder()
    holder.a = [t(1.0)]
    holder.b = [t(2.0)]

    def run(x):
        if x > 0:
            holder.a, holder.b = holder.b, holder.a
        holder.a.append(x)
        return len(holder.a), len(holder.b)

    return run, holder


@stateful(case(t(1.0)), case(t(-1.0)))
def same_object_under_two_names():
    shared = Counter()
    first, second = [shared], {"it": shared}

    def run(x):
        first[0].n += 1
        if x > 0:
            second["it"].n += 10
        return first[0].n, first[0] is second["it"]

    return run, (first, second)


class Managed:
    """A context that counts."""

    def __init__(self):
        self.depth = 0
        self.closed = 0

    def __enter__(self):
        self.depth += 1
        return self

    def __exit__(self, *error):
        self.depth -= 1
        self.closed += 1
        return False


@stateful(case(t(1.0)), case(t(-1.0)))
def context_with_state():
    managed = Managed()

    def run(x):
        with managed as m:
            y = x * m.depth
            if x > 0:
                y = y + 10
        return y, m.closed

    return run, managed


@stateful(case(t([1.0, 2.0])), case(t([3.0, 4.0])))
def argument_kept_in_an_attribute():
    counter = Counter()

    def run(x):
        before = counter.last
        counter.last = x
        return before, x

    return run, counter
