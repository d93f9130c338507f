"""What is refused or fails: match."""

from __future__ import annotations

from tests.error_programs.registry import one, refused

NO_CLASS = 3


class Listed:
    __match_args__ = ["a"]


class Numbered:
    __match_args__ = (1,)


class Paired:
    __match_args__ = ("first", "second")
    first = 1
    second = 2


@refused(one)
def match_of_no_class(x):
    match x:
        case NO_CLASS():
            return 1
    return 0


@refused(one)
def match_args_of_no_tuple(x):
    match Listed():
        case Listed(a):
            return a
    return x


@refused(one)
def too_many_sub_patterns(x):
    match Paired():
        case Paired(a, b, c):
            return a
    return x


@refused(one)
def sub_pattern_twice(x):
    match Paired():
        case Paired(a, first=b):
            return a
    return x


@refused(one)
def match_args_of_no_names(x):
    match Numbered():
        case Numbered(a):
            return a
    return x
