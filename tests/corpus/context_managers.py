"""`with`: managers made of generators, of classes, and those of `contextlib`."""

from __future__ import annotations

import contextlib
from contextlib import ExitStack, closing, contextmanager, nullcontext, suppress

import autograph as ag
from tests.corpus.registry import case, program, stateful

t = ag.asarray

BOTH = [case(t(2.0)), case(t(-2.0))]


@contextmanager
def scaled(x, by):
    """Staged control flow around the yield."""
    if x > 0:
        y = x * by
    else:
        y = x - by
    yield y


@contextmanager
def logged(log, name):
    """Something at the end, whatever happens."""
    log.append(f"in {name}")
    try:
        yield name
    finally:
        log.append(f"out {name}")


@contextmanager
def counted(state):
    """Changes state before and after."""
    state["depth"] += 1
    yield state["depth"]
    state["depth"] -= 1


@program(*BOTH, compiled=True)
def made_of_a_generator(x):
    with scaled(x, 3.0) as y:
        z = y + 1
    return y, z


@program(*BOTH)
def nested_managers(x):
    with scaled(x, 2.0) as a, scaled(a, 3.0) as b:
        with scaled(b, 4.0) as c:
            total = a + b + c
    return total


@program(*BOTH)
def staged_code_in_the_body(x):
    log = []
    with logged(log, "outer"):
        if x > 0:
            x = x * 2
        with logged(log, "inner"):
            while x < 10:
                x = x * x + 1
    return x, log


@program(*BOTH)
def left_by_a_staged_return(x):
    log = []

    def inner():
        with logged(log, "scope"):
            if x > 0:
                return x * 2
            log.append("after")
        return x

    return inner(), log


@program(*BOTH)
def left_by_break_and_continue(x):
    log = []
    for k in range(3):
        with logged(log, k):
            if k == 0:
                continue
            if k == 2:
                break
            x = x + k
    return x, log


@program(*(case(t(n)) for n in (0, 1, 4)), compiled=True)
def in_a_staged_loop(n):
    total = 0
    for k in range(n):
        with scaled(k, 2) as y:
            total = total + y
    return total


@program(*BOTH)
def state_around_the_body(x):
    state = {"depth": 0}
    with counted(state) as outer:
        if x > 0:
            with counted(state) as inner:
                x = x * inner
        x = x + outer
    return x, state["depth"]


@program(*BOTH)
def exceptions_thrown_into_it(x):
    log = []

    @contextmanager
    def handles():
        try:
            yield
        except KeyError as error:
            log.append(("handled", error.args[0]))
        else:
            log.append("fine")

    with handles():
        log.append("body")
    with handles():
        raise KeyError("thrown")
    try:
        with logged(log, "passing"):
            raise ValueError("not handled")
    except ValueError as error:
        log.append(str(error))
    return x, log


@program(*BOTH)
def errors_of_managers(x):
    @contextmanager
    def never():
        if x is None:
            yield x

    @contextmanager
    def twice():
        yield x
        yield x

    found = []
    for make in (never, twice):
        try:
            with make() as value:
                found.append(value)
        except RuntimeError as error:
            found.append(str(error))
    return found


@program(*BOTH)
def of_a_local_function(x):
    total = x

    @contextmanager
    def adding(amount):
        nonlocal total
        total = total + amount
        yield total
        if total > 3:
            total = total * 2

    with adding(1.0) as first:
        total = total + first
    with adding(2.0):
        pass
    return total


class Resource:
    """Closed at the end."""

    def __init__(self, value):
        self.value = value
        self.closed = 0

    def close(self):
        """Counts."""
        self.closed += 1

    @contextmanager
    def opened(self, x):
        """A method made into a manager."""
        self.value = self.value + x
        yield self
        self.value = self.value * 2


@program(*BOTH)
def closing_and_nullcontext(x):
    resource = Resource(x)
    with closing(resource) as same, nullcontext(x * 2) as y, nullcontext():
        z = same.value + y
    return z, resource.closed


@program(*BOTH)
def a_method(x):
    resource = Resource(1.0)
    with resource.opened(x) as same:
        if x > 0:
            same.value = same.value + 10
    return resource.value


@program(*BOTH)
def exit_stacks(x):
    log = []
    resource = Resource(x)
    with ExitStack() as stack:
        a = stack.enter_context(scaled(x, 2.0))
        stack.enter_context(logged(log, "one"))
        stack.callback(log.append, "called back")
        stack.enter_context(closing(resource))
        for k in range(2):
            stack.enter_context(logged(log, k))
        if x > 0:
            a = a + 1
        log.append("body")
    return a, log, resource.closed


@program(*BOTH)
def suppress_of_what_is_raised_while_tracing(x):
    y = x
    with suppress(KeyError):
        y = {}["missing"]
    return y


@stateful(*BOTH)
def a_class_with_staged_methods():
    class Scope:
        def __init__(self):
            self.entered = 0
            self.total = 0.0

        def __enter__(self):
            self.entered += 1
            if self.total > 5:
                self.total = self.total - 5
            return self.total

        def __exit__(self, kind, error, trace):
            self.total = self.total + self.entered

    scope = Scope()

    def f(x):
        with scope as total:
            if x > 0:
                scope.total = scope.total + x
        with scope:
            pass
        return scope.total, total

    return f, scope


@program(*BOTH, refused="StateError", naming=("redirect_stdout",))
def redirected_output(x):
    with contextlib.redirect_stdout(None):
        print("nowhere")
        y = x + 1
    return y


class Noting:
    """Logs, and may swallow."""

    def __init__(self, name, swallow):
        self.name, self.swallow, self.log = name, swallow, []

    def __enter__(self):
        self.log.append("in")
        return self.name

    def __exit__(self, kind, error, trace):
        self.log.append(kind.__name__ if kind else "out")
        return self.swallow


@program(*BOTH)
def one_of_several_managers(x):
    a, b = Noting("a", True), Noting("b", False)
    guard = a if x > 0 else b
    with guard as name:
        y = x * 2
    try:
        with guard:
            raise KeyError("k")
    except KeyError:
        y = y + 1
    return y, name, a.log, b.log


@program(case(t(5)), case(t(0)))
def manager_replaced_in_a_loop(n):
    guard = Noting("a", False)
    k = 0
    while k < n:
        with guard:
            if k % 2:
                guard = Noting("b", False)
            k += 1
    return k, guard.name


@program(*BOTH)
def one_of_several_suppressions(x):
    manager = suppress(KeyError) if x > 0 else nullcontext()
    with manager:
        return x * 2
