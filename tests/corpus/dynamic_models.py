"""Models whose course depends on data, with optimizers, samples and searches around them."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field

import numpy as np

import autograph as ag
from tests.corpus.registry import case, program, stateful

t = ag.asarray


# two names for one tensor, and a loop that changes one of them ----------------------------------
@stateful(case(t([1.0, 2.0]), 2), case(t([1.0, 2.0]), 3), case(t([0.5, 0.5]), t(5)), compiled=True)
def lookahead():
    weights = ag.Variable([0.9, 0.8])
    state = {"slow": t([1.0, 1.0]), "steps": 1}

    def f(x, turns):
        for _ in range(turns):
            weights.assign_sub(0.1 * x)
            state["steps"] += 1
            if state["steps"] % 2 == 0:
                state["slow"] = state["slow"] + 0.5 * (weights - state["slow"])
                weights.assign(state["slow"])
            loss = ag.sum(weights)
            if loss < -9:
                break
        return loss

    return f, (weights, state)


@program(case(t([1.0, 2.0]), t(3)), case(t([1.0, 2.0]), t(1)), compiled=True)
def one_tensor_comes_twice(x, turns):
    def run(moving, still):
        for _ in range(turns):
            moving = moving * 2 + still
        return moving, still

    y = x * 3
    return run(y, y) if x[0] > 0 else run(x, y)


@program(case(t([1.0, 2.0]), t(3)), case(t([1.0, 2.0]), t(1)), compiled=True)
def one_list_comes_twice(x, turns):
    def run(growing, still):
        for k in range(turns):
            growing = [*growing, still[k] + 1]
        return growing, still

    items = [float(k) for k in range(turns)]
    return run(items, items) if x[0] > 0 else run(items[:], items)


# a variable of a `try` whose handler leaves, given to tapes --------------------------------------
class NoStep(Exception):
    pass


def square(x):
    return ag.sum(x * x)


def shortened(f, x, step):
    while True:
        new = x - step * x
        value = f(new)
        if value <= f(x):
            return new, value
        step = step * 0.5
        if step < 0.5:
            raise NoStep


@program(
    case(t([1.0, 2.0]), t(0.5), t(3)), case(t([1.0, -2.0]), t(9.0), t(3)), case(t([0.5]), t(3.0), 2)
)
def descent_with_a_search(x, step, turns):
    failed, value = 0, square(x)
    for _ in range(turns):
        try:
            new, value = shortened(square, x, step)
        except NoStep:
            failed += 1
            step = step / 4
            continue
        x = new - 0.1 * ag.grad(square)(new)
    return x, value, failed


@program(case(t([1.0, 2.0]), t(0.5)), case(t([1.0, -2.0]), t(9.0)))
def derivatives_of_what_was_tried(x, step):
    try:
        new, _ = shortened(square, x, step)
    except NoStep:
        return x
    with ag.GradientTape(persistent=True) as tape:
        tape.watch([new, x])
        y = ag.sum(new * new * x)
    found = tape.gradient(y, {"new": new, "more": [x, new]})
    slope = ag.jvp(square, (new,), (x,))[1]
    of_two = ag.grad(lambda p, q: ag.sum(p * q), (0, 1))(new, x)
    return found, tape.jacobian(y, new), slope, of_two, ag.value_and_grad(square)(new)


@program(*(case(t([1.0, 2.0]), t(n)) for n in (0, 1, 2)))
def watched_or_not_there(x, n):
    y = x * 3 if n > 1 else x if n > 0 else None
    with ag.GradientTape() as tape:
        tape.watch({"y": [y]})
        z = ag.sum(y * x)
    return tape.gradient(z, {"y": y})


# lists and tuples of staged length, given to functions of tensors and arrays ----------------------
def halved(xs):
    found = []
    for x in xs:
        turns = 0
        while x > 1:
            x, turns = x / 2, turns + 1
        found.append((x, turns))
    return found


XS = (case(t([1.0, 5.0, 9.0])), case(t([3.0, 0.5])), case(t([7.0])))


@program(*XS, case(np.array([1.0, 5.0, 9.0])), ulps=16)
def columns_of_pairs(xs):
    values, turns = zip(*halved(xs))
    joined = np.concatenate([np.stack(values), np.array(turns)])
    return ag.stack(values), ag.asarray(turns), xs + values, ag.maximum(turns, 2), joined


@program(*XS, case(t([1.0, 5.0, 9.0], dtype=ag.float64)), ulps=16)
def lists_beside_tensors(xs):
    found = halved(xs)
    values, turns = [0.1 * n for _, n in found], [n for _, n in found]
    picked = xs[[n % len(turns) for n in turns]]
    sums = values * xs - turns, xs == turns, ag.where(xs > 2, values, 0), picked
    xs = xs * 1
    xs[...] = values
    return sums, xs, ag.asarray([turns, values]), ag.clip(xs, 0, values)


@program(*XS, ulps=16)
def numbers_of_numpy(xs):
    """What is in a list NumPy does not ask: its mean is a scalar, not a tensor."""
    losses = [x for x, _ in halved(xs)]
    pairs = np.sort(losses), np.mean(tuple(losses)), np.where(np.array(losses) > 0.6, losses, 0)
    return np.mean(losses), np.max(losses), np.exp(losses), np.stack(losses), pairs


@program(case(t(3)), case(t(1)))
def items_of_iterables(n):
    rows = {k: ag.ones(2) * k for k in range(n)}
    waiting = deque(rows.values(), maxlen=2)
    of_each = ag.concat(row for row in rows.values()), ag.stack(map(ag.exp, rows.values()))
    chosen = ag.stack(filter(lambda row: row[0] >= 0, rows.values()))
    return ag.stack(rows.values()), ag.stack(waiting), of_each, chosen, ag.asarray(range(n))


@program(case(np.ones((2, 2)), t(2)), refused="StagingError", naming=("tuple", "list(key)"))
def by_a_tuple_of_staged_length(a, n):
    return a[tuple(k for k in range(n))]


# what a `try` binds whose handler leaves, and what iterators give, in containers ------------------
class NoSample(Exception):
    pass


@dataclass
class Sample:
    value: object
    marks: list = field(default_factory=list)


def sampled(x, k):
    if x[0] < k:
        raise NoSample
    return Sample(x * k)


DRAWN = (case(t([2.0, 3.0]), t(4)), case(t([0.5, 1.0]), t(4)), case(t([9.0, 1.0]), 3))


@program(*DRAWN)
def accepted_samples(x, n):
    values, pairs, named = [], [], {}
    for k in range(n):
        try:
            new = sampled(x, k).value
        except NoSample:
            continue
        values.append(new)
        pairs += [(k, new)]
        named[k] = new
    picked = ag.stack([v for _, v in pairs]), ag.stack(list(named.values()))
    return ag.stack(values), picked, np.mean(values)


@program(*DRAWN[:2])
def objects_that_were_tried(x, n):
    kept, best = [], None
    for k in range(3):
        try:
            new = sampled(x, k)
        except NoSample:
            break
        new.marks.append(k)
        kept.append(new)
        if best is None or ag.sum(new.value) > ag.sum(best.value):
            best = new
    if best is None:
        return kept
    return kept, best.value * 1, kept[-1] is best


@program(*DRAWN[:2], case(t([4.0, 0.5]), t(2)))
def leaves_beside_objects(x, n):
    new = sampled(x, 0)
    new.marks.append(n)
    if x[0] < n:
        raise ValueError(f"only {float(x[0])}")
    return new.value, new.marks


@program(*DRAWN)
def generated_between_failures(x, n):
    def samples():
        for k in range(n):
            try:
                new = sampled(x, k)
            except NoSample:
                return
            yield new.value

    return ag.stack(list(samples())), ag.asarray([float(v[1]) for v in samples()])


@program(case(t([1.0, 2.0, 0.5]), 0.9), case(t([1.0]), 0.5))
def discounted_backwards(rewards, gamma):
    running, found = 0.0, []
    for reward in reversed([r * 2 for r in rewards]):
        running = reward + gamma * running
        found.append(running)
    returns = list(reversed(found))
    return ag.stack(returns), ag.stack([one for one in reversed(found)]), np.mean(returns)


class Countdown:
    def __init__(self, start):
        self.left = start

    def __iter__(self):
        return self

    def __next__(self):
        if self.left <= 0:
            raise StopIteration
        self.left -= 1
        return self.left * 1.5


@program(case(t(3)), case(t(1)))
def items_of_an_own_iterator(n):
    return ag.asarray([v for v in Countdown(n)]), ag.asarray(list(Countdown(n)))


# values that move on from name to name, one of them to two names ----------------------------------
@program(case(t([1.0, 2.0]), t(3)), case(t([1.0, 2.0]), t(1)), compiled=True)
def previous_best_and_last(x, turns):
    previous, best, last = x + 1, x + 2, x + 3
    for _ in range(turns):
        new = last * 0.5
        previous, best, last = last, new, new
    return previous, best, last


@stateful(
    case(t([1.0, 2.0]), t(3)), case(t([1.0, 2.0]), t(5)), case(t([3.0, 1.0]), t(2)), compiled=True
)
def replay_of_transitions():
    buffer = deque(((t([k + 0.5, k]), t([k + 1.5, k])) for k in range(4)), maxlen=4)

    def f(state, steps):
        for _ in range(steps):
            after = state * 0.5
            buffer.append((state, after))
            state = after
        return state

    return f, buffer


@stateful(case(t([1.0, 2.0]), t(3)), case(t([1.0, 2.0]), t(30)), case(t([3.0, 1.0]), t(2)))
def full_replay_buffer():
    """Of many items each takes the place of the next one: no round of tracing tells all kinds."""
    marks = (0, 1.5, True, None)
    buffer = deque(((k + 0.5, k, marks[k % 3], k > 9) for k in range(20)), maxlen=20)

    def f(state, steps):
        total = 0.0
        for k in range(steps):
            buffer.append((float(state[0]), k, 0.5 * k, k % 2 == 0))
            state = state * 0.5
            for before, _, reward, done in list(buffer)[-2:]:
                total = total + (0.0 if done else reward * before)
        return state, total

    return f, buffer
