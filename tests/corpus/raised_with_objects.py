"""Exceptions raised under staged conditions with lists, dicts and objects, which change."""

from __future__ import annotations

import autograph as ag
from tests.corpus.registry import case, program

t = ag.asarray
X = (case(t(3)), case(t(1)), case(t(0)))


class Bad(Exception):
    def __init__(self, log, **kw):
        super().__init__("bad", log)
        self.log = log
        self.kw = kw


@program(*X)
def list_changed_before(n):
    a = [5]
    if n > 1:
        a.append(6)
        raise ValueError(a)
    return a


@program(*X)
def list_with_a_staged_item(n):
    a = [5]
    if n > 1:
        a.append(n)
        raise ValueError(a)
    return a


@program(*X)
def list_and_its_length(n):
    a = [5]
    a.append(n * 2)
    if n > 1:
        raise ValueError(a, len(a))
    return a


@program(*X)
def list_grown_in_a_loop(n):
    a = [5]
    for i in range(n):
        a.append(i)
        if i > 1:
            raise ValueError(a)
    return a


@program(*X)
def dict_as_a_key(n):
    a = {"k": 5}
    a["j"] = n
    if n > 1:
        raise KeyError(a)
    return a


@program(*X)
def list_changed_by_the_handler(n):
    a = [5]
    try:
        if n > 1:
            a.append(6)
            raise ValueError(a)
    except ValueError as e:
        e.args[0].append(7)
        return a, e.args[0] is a
    return a


@program(*X)
def own_exception_in_a_loop(n):
    log = []
    for i in range(n):
        log.append(i)
        if i > 1:
            raise Bad(log, a=[i])
    return log


@program(*X)
def own_exception_in_a_branch(n):
    log = ["x"]
    if n > 1:
        log.append("y")
        raise Bad(log)
    log.append("z")
    return log


@program(*X)
def own_exception_of_a_call(n):
    log = ["x"]

    def check(v):
        log.append("c")
        if v > 1:
            raise Bad(log)
        log.append("d")

    try:
        check(n)
    except Bad as e:
        return e.log is log, log
    check(0)
    return log


@program(*X)
def group_of_exceptions(n):
    errors = []
    for i in range(n):
        try:
            if i > 1:
                raise Bad([i, 5])
            if i > 0:
                raise ValueError({"i": 1})
        except (Bad, ValueError) as e:
            errors.append(len(e.args))
    if n > 2:
        raise ExceptionGroup("all", [ValueError([1]), Bad(["q"])])
    return errors


@program(*X)
def what_a_caught_one_held(n):
    try:
        if n > 1:
            log = ["in"]
            log.append("more")
            raise Bad(log)
    except Bad as e:
        raise RuntimeError(e.log) from e
    return 0


@program(*X)
def asserted_with_a_list(n):
    a = []
    a.append(1)
    if n > 1:
        a.append(2)
    assert n < 2, a
    return a


@program(*X)
def set_changed_before(n):
    a = {1}
    if n > 1:
        a.add(2)
        raise KeyError(a)
    return 0


@program(*X)
def group_of_staged_values(n):
    if n > 2:
        raise ExceptionGroup("all", [ValueError(n), ValueError([1]), KeyError("k")])
    return n


class Counted:
    def __init__(self, value):
        self.value = value
        self.seen = None


class Other(Counted):
    pass


@program(
    case(Counted(2), Other(3), t(2)),
    case(Counted(2), Other(3), t(-2)),
    case(Counted(1), Other(2), t(7)),
)
def objects_in_a_list_until_one_raises(b, c, n):
    most, found = int(n), []
    if most > 0:
        c = Counted(8)
    for i in range(2):
        try:
            b.value += i
            c.seen = i
            if most > 5:
                raise KeyError
            found.append(c)
        except KeyError:
            if most > 6:
                break
        b = c
        c = Counted(i)
    return b.value, c.value
