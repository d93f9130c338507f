"""Exceptions raised from a cause, which may be one of several."""

from __future__ import annotations

import autograph as ag
from tests.corpus.registry import case, program

t = ag.asarray
C = (case(t(2)), case(t(0)), case(t(-1)))


@program(*C)
def after_an_attempt(n):
    last = None
    try:
        if n > 0:
            raise KeyError("k")
    except KeyError as e:
        last = e
    if last is not None:
        raise RuntimeError("gave up") from last
    return n


@program(*C)
def cause_is_read(n):
    last = None
    try:
        if n > 0:
            raise KeyError("k")
    except KeyError as e:
        last = e
    try:
        raise RuntimeError("gave up") from last
    except RuntimeError as e:
        return e.__cause__ is last, e.__suppress_context__, str(e)


@program(*C)
def cause_by_ternary(n):
    a, b = ValueError("a"), KeyError("b")
    if n == 0:
        return n
    raise RuntimeError("x") from (a if n > 2 else b if n > 0 else None)


@program(*C)
def wrapped(n):
    try:
        if n > 0:
            raise KeyError("k")
        if n < 0:
            raise IndexError("i")
    except (KeyError, IndexError) as e:
        raise RuntimeError(f"wrapped {type(e).__name__}") from e
    return n


@program(*C)
def retried(n):
    tries, last = 0, None
    while tries < 3:
        try:
            if n + tries < 1:
                raise ValueError("low")
            return tries
        except ValueError as e:
            last = e
            tries += 1
    raise RuntimeError("no luck") from last


@program(*C)
def cause_made_once(n):
    log = []

    def make():
        log.append(1)
        return KeyError("c")

    try:
        raise (ValueError("v") if n > 0 else TypeError("t")) from make()
    except Exception as e:
        return type(e).__name__, str(e.__cause__), log


@program(*C)
def from_none(n):
    try:
        raise ValueError("a") from None
    except ValueError as e:
        return e.__cause__, e.__suppress_context__


@program(*C, refused="MergeError")
def set_on_one_path(n):
    e = ValueError("a")
    k = KeyError("z")
    if n > 0:
        e.__cause__ = k
    return e.__cause__ is k


@program(*C)
def class_from_a_cause(n):
    try:
        try:
            if n > 0:
                raise KeyError("k")
            raise IndexError("i")
        except LookupError as e:
            raise ValueError from e
    except ValueError as v:
        return type(v.__cause__).__name__, str(v.__cause__)


@program(case(ag.asarray(2.0)), case(ag.asarray(30.0)))
def raised_from_one_and_from_none(x):
    try:
        try:
            if x > 10:
                raise ValueError("big")
            raise KeyError("small")
        except KeyError as error:
            raise RuntimeError("key") from error
        except ValueError:
            raise RuntimeError("value") from None
    except RuntimeError as error:
        return str(error), error.__cause__ is None, type(error.__context__).__name__
