"""Small programs with exceptions, generators and managers, of random ones that had met a bug."""

from __future__ import annotations

import autograph as ag
from tests.corpus.registry import case, program

t = ag.asarray


@program(case(t(1.0), t(2)), case(t(1.0), t(0)))
def continue_beside_a_yield(x, n):
    def made():
        w = 0
        while w < 4:
            w += 1
            if w > n:
                continue
            yet = w * x
            if yet > 1:
                break
        yield w
        for k in range(n):
            if k > 1:
                break
            w = w + x
        else:
            yield x
        yield w

    return sum(made(), x), list(made())[0]


@program(case(t(2.0)), case(t(-2.0)), case(t(0.0)))
def lines_of_exceptions_raised_again(x):
    try:
        if x > 0:
            raise ValueError("a")
        if x < -1:
            raise ValueError("a")
    except ValueError:
        x = x + 1
        raise
    return x


class Wrong(Exception):
    def __init__(self, code):
        super().__init__(f"wrong {code}")
        self.code = code


@program(case(t(2.0)), case(t(0.0)), case(t(-2.0)), case(t(-5.0)))
def lines_behind_a_finally(x):
    try:
        try:
            if x > 0:
                raise Wrong(1)
            assert x < -1
            raise Wrong(2)
        finally:
            x = x + 1
    except Wrong:
        if x < 2:
            return x
        raise
    return x


@program(case(t(2.5)), case(t(-2.0)))
def lines_of_exceptions_of_a_called_function(x):
    def fails(code, x):
        if x > 2:
            raise Wrong(code)
        if x > 1:
            raise Wrong(code + 1)
        return x

    try:
        x = fails(0, x - 1) + fails(1, x)
    finally:
        x = x * 2
    return x


@program(*[case(t(x), t(n)) for x in (2.0, -1.0, -5.0) for n in (0, 1, 3)])
def class_of_a_handler_is_staged(x, n):
    kinds = [ValueError, (KeyError, IndexError)]
    try:
        if x > 0:
            raise ValueError("v")
        if x < -2:
            raise KeyError("k")
        if x < 0:
            raise TypeError("t")
    except kinds[n % 2] as error:
        return str(error), x
    except TypeError if n > 1 else (LookupError, kinds[0]) as error:
        return repr(error), x * 2
    return x


@program(*[case(t(x), t(n)) for x in (2.0, -1.0) for n in (1, 3)])
def class_of_a_handler_is_found_by_code_that_counts_and_raises(x, n):
    count = 0

    def kind():
        nonlocal count
        count += 1
        if n > 2:
            raise IndexError(count)
        return KeyError

    try:
        try:
            if x > 0:
                raise ValueError("v")
            raise KeyError(1)
        except kind():
            x = x * 2
        except ValueError:
            x = x * 3
    except IndexError as error:
        return count, str(error), repr(error.__context__)
    return count, x
