"""What the patterns of `match` mean: the rules of Python, with tests that may be staged.

A staged test does not end the work of a pattern: what follows it is traced for where it holds. What
a pattern captures is kept in places, so that the branches of such a test merge.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from autograph.control.branch import switch
from autograph.control.chosen_contents import chosen_contents, with_each
from autograph.operators.calls.dispatch import call
from autograph.operators.expressions.arithmetic import BINARY, COMPARISONS
from autograph.operators.expressions.attributes import attr
from autograph.operators.expressions.identity import is_, is_not
from autograph.operators.expressions.items import del_item, item
from autograph.operators.expressions.names import narrowed
from autograph.operators.expressions.truth import as_value, choose, condition
from autograph.operators.iterators.plain_iteration import exactly, mapping, unpack, unpack_star
from autograph.operators.iterators.staged_iterables import StagedRange, StagedTuple
from autograph.runtime.core.number import Number
from autograph.runtime.core.tensor import Tensor
from autograph.runtime.ops.table import OPS
from autograph.tracing.places import AttributePlace
from autograph.tracing.tracing import current
from autograph.values.choice import Choice
from autograph.values.sentinels import UNSET

Flag = bool | Number
Thunk = Callable[[], Any]
MATCHES_SELF, SEQUENCE, MAPPING = 1 << 22, 1 << 5, 1 << 6
"""Flags of a class, by which CPython knows what its instances match."""


class Captures:
    """What a pattern has captured, by name."""


class Pattern:
    """One pattern. `captures` are those of the whole pattern that it is part of."""

    captures: Captures
    wildcard = False

    def match(self, subject: Any, captures: Captures) -> Flag:
        """Whether the subject matches."""
        raise NotImplementedError

    def is_plain(self, subject: Any) -> bool:
        """Whether matching runs no code of the user's and cannot raise."""
        return False


def matches(subject: Any, pattern: Pattern) -> Flag:
    """Whether a subject matches; what is captured of it is kept in the pattern."""
    pattern.captures = Captures()
    tracing = current()
    if tracing is not None:
        tracing.born(pattern.captures)
    return pattern.match(subject, pattern.captures)


def captured(pattern: Pattern, name: str) -> Any:
    """What a pattern that has matched captured as `name`."""
    return narrowed(AttributePlace(pattern.captures, name).get(), name)


def _capture(captures: Captures, name: str, value: Any) -> None:
    place, tracing = AttributePlace(captures, name), current()
    if tracing is not None:
        tracing.touch(place)
    place.set(value)


def _truth(value: Any) -> Flag:
    tracing = current()
    return bool(value) if tracing is None else condition(tracing, value)


def _and(flag: Flag, rest: Callable[[], Flag]) -> Flag:
    """`flag and rest()`."""
    if isinstance(flag, bool):
        return rest() if flag else False
    tracing = current()
    assert tracing is not None
    return _truth(switch(tracing, as_value(tracing, flag), [lambda: False, rest]))


def _all(parts: list[tuple[Pattern, Any]], captures: Captures) -> Flag:
    """Whether all of some subjects match, one after the other."""
    flag: Flag = True
    for number, (pattern, subject) in enumerate(parts):
        if not isinstance(flag, bool) and not pattern.is_plain(subject):
            return _and(flag, functools.partial(_all, parts[number:], captures))
        found = pattern.match(subject, captures)
        if found is False:
            return False
        if found is not True:
            flag = found if flag is True else OPS.py_and(flag, found)
    return flag


def _each_option(pattern: Pattern, subject: Any, captures: Captures) -> Flag | None:
    """The match of a subject that is one of several; None for any other."""
    tracing = current()
    if tracing is None:
        return None
    if isinstance(subject, Choice):
        return _truth(choose(tracing, subject, lambda one: pattern.match(one, captures)))
    contents = chosen_contents(tracing, subject)
    if contents is None:
        return None
    return _truth(with_each(tracing, subject, contents, lambda: pattern.match(subject, captures)))


class literal(Pattern):
    """`case 1`, `case "text"`."""

    def __init__(self, value: Any) -> None:
        self.value = value

    def match(self, subject: Any, captures: Captures) -> Flag:
        return _truth(COMPARISONS["eq"](subject, self.value))

    def is_plain(self, subject: Any) -> bool:
        if isinstance(subject, Tensor):
            return subject.size == 1 and type(self.value) in (bool, int, float)
        return type(subject) in (Number, bool, int, float, str, bytes, type(None))


class value_pattern(literal):
    """`case Color.RED`."""

    def __init__(self, value: Thunk) -> None:
        self.read = value

    def match(self, subject: Any, captures: Captures) -> Flag:
        return _truth(COMPARISONS["eq"](subject, self.read()))

    def is_plain(self, subject: Any) -> bool:
        return False


class singleton(literal):
    """`case None`."""

    def match(self, subject: Any, captures: Captures) -> Flag:
        return _truth(is_(subject, self.value))


class capture(Pattern):
    """`case x`, or `case _` for None."""

    def __init__(self, name: str | None) -> None:
        self.name = name
        self.wildcard = name is None

    def match(self, subject: Any, captures: Captures) -> Flag:
        if self.name is not None:
            _capture(captures, self.name, subject)
        return True

    def is_plain(self, subject: Any) -> bool:
        return True


class star(capture):
    """`*rest` in a sequence."""


class as_pattern(Pattern):
    """`case pattern as x`."""

    def __init__(self, pattern: Pattern, name: str) -> None:
        self.pattern = pattern
        self.name = name

    def match(self, subject: Any, captures: Captures) -> Flag:
        flag = self.pattern.match(subject, captures)
        if flag is not False:
            _capture(captures, self.name, subject)
        return flag

    def is_plain(self, subject: Any) -> bool:
        return self.pattern.is_plain(subject)


class or_pattern(Pattern):
    """`case first | second`."""

    def __init__(self, *patterns: Pattern) -> None:
        self.patterns = patterns

    def match(self, subject: Any, captures: Captures) -> Flag:
        return self._any(subject, captures, self.patterns)

    def _any(self, subject: Any, captures: Captures, patterns: tuple[Pattern, ...]) -> Flag:
        first, *others = patterns
        flag = first.match(subject, captures)
        if not others or flag is True:
            return flag
        if flag is False:
            return self._any(subject, captures, tuple(others))
        tracing = current()
        assert tracing is not None
        rest = tuple(others)
        thunks = [lambda: self._any(subject, captures, rest), lambda: True]
        return _truth(switch(tracing, as_value(tracing, flag), thunks))

    def is_plain(self, subject: Any) -> bool:
        return all(isinstance(one, literal) and one.is_plain(subject) for one in self.patterns)


class sequence_pattern(Pattern):
    """`case [a, *rest, b]`. Strings, bytes and tensors are no sequences."""

    def __init__(self, *patterns: Pattern) -> None:
        self.patterns = patterns
        stars = [at for at, one in enumerate(patterns) if isinstance(one, star)]
        self.star = stars[0] if stars else None

    def match(self, subject: Any, captures: Captures) -> Flag:
        split = _each_option(self, subject, captures)
        if split is not None:
            return split
        staged = isinstance(subject, StagedRange | StagedTuple)
        if not staged and not type(subject).__flags__ & SEQUENCE:
            return False
        count = len(self.patterns)
        if self.star is None:
            fits = _truth(COMPARISONS["eq"](call(len, subject), count))
        elif count > 1:
            fits = _truth(COMPARISONS["ge"](call(len, subject), count - 1))
        else:
            fits = True
        if all(one.wildcard for one in self.patterns):
            return fits
        return _and(fits, lambda: _all(self._parts(subject), captures))

    def _parts(self, subject: Any) -> list[tuple[Pattern, Any]]:
        """The patterns inside with what they are matched against, taken as Python takes it."""
        count, place = len(self.patterns), self.star
        if place is None:
            items = unpack(subject, count)
            if type(subject) in (list, tuple, StagedRange):
                items = [item(subject, number) for number in range(count)]
            found: tuple[Any, ...] = exactly(items, count)
            return list(zip(self.patterns, found, strict=True))
        if not self.patterns[place].wildcard:
            found = unpack_star(subject, place, count - place - 1)
            return list(zip(self.patterns, found, strict=True))
        parts = []
        for number, one in enumerate(self.patterns):
            if not one.wildcard:
                key = number
                if number > place:
                    key = BINARY["sub"](call(len, subject), count - number)
                parts.append((one, item(subject, key)))
        return parts

    def is_plain(self, subject: Any) -> bool:
        if type(subject) is not tuple or self.star is not None:
            return False
        if len(subject) != len(self.patterns):
            return True
        return all(p.is_plain(one) for p, one in zip(self.patterns, subject, strict=True))


class mapping_pattern(Pattern):
    """`case {"key": pattern, **rest}`."""

    def __init__(
        self, keys: tuple[Thunk, ...], patterns: tuple[Pattern, ...], rest: str | None = None
    ) -> None:
        self.keys = keys
        self.patterns = patterns
        self.rest = rest

    def match(self, subject: Any, captures: Captures) -> Flag:
        split = _each_option(self, subject, captures)
        if split is not None:
            return split
        if not type(subject).__flags__ & MAPPING:
            return False
        fits: Flag = True
        if self.keys:
            fits = _truth(COMPARISONS["ge"](call(len, subject), len(self.keys)))
        return _and(fits, lambda: self._contents(subject, captures))

    def _contents(self, subject: Any, captures: Captures) -> Flag:
        keys = [key() for key in self.keys]
        seen: set[Any] = set()
        get = attr(subject, "get") if keys else None
        values = []
        fits: Flag = True
        for key in keys:
            if key in seen:
                raise ValueError(f"mapping pattern checks duplicate key ({key!r})")
            seen.add(key)
            values.append(call(get, key, UNSET))
            has = _truth(is_not(values[-1], UNSET))
            if has is False:
                return False
            if has is not True:
                fits = has if fits is True else OPS.py_and(fits, has)

        def matched() -> Flag:
            found = [narrowed(value, "") for value in values]
            flag = _all(list(zip(self.patterns, found, strict=True)), captures)
            return _and(flag, lambda: self._others(subject, keys, captures))

        return _and(fits, matched)

    def _others(self, subject: Any, keys: list[Any], captures: Captures) -> bool:
        if self.rest is not None:
            tracing = current()
            others = {**mapping(subject)}
            if tracing is not None:
                tracing.born(others)
            for key in keys:
                del_item(others, key)
            _capture(captures, self.rest, others)
        return True


class class_pattern(Pattern):
    """`case Point(0, y=second)`."""

    def __init__(self, kind: Thunk, patterns: tuple[Pattern, ...], names: tuple[str, ...]) -> None:
        self.kind = kind
        self.patterns = patterns
        self.names = names

    def match(self, subject: Any, captures: Captures) -> Flag:
        kind = self.kind()
        if not isinstance(kind, type):
            raise TypeError("called match pattern must be a class")
        return self._of(kind, subject, captures)

    def _of(self, kind: type, subject: Any, captures: Captures) -> Flag:
        tracing = current()
        if tracing is not None and isinstance(subject, Choice):
            return _truth(choose(tracing, subject, lambda one: self._of(kind, one, captures)))
        fits = _truth(call(isinstance, subject, kind))
        return _and(fits, lambda: self._parts(kind, subject, captures))

    def _parts(self, kind: type, subject: Any, captures: Captures) -> Flag:
        positional = len(self.patterns) - len(self.names)
        names = (*self._positional_names(kind, positional), *self.names)
        seen: set[str] = set()
        values: list[Any] = []
        fits: Flag = True
        for name in names:
            if name is None:
                values.append(subject)
                continue
            if name in seen:
                raise TypeError(
                    f"{kind.__name__}() got multiple sub-patterns for attribute {name!r}"
                )
            seen.add(name)
            values.append(call(getattr, subject, name, UNSET))
            has = _truth(is_not(values[-1], UNSET))
            if has is False:
                return False
            if has is not True:
                fits = has if fits is True else OPS.py_and(fits, has)

        def matched() -> Flag:
            found = [narrowed(value, "") for value in values]
            return _all(list(zip(self.patterns, found, strict=True)), captures)

        return _and(fits, matched)

    def _positional_names(self, kind: Any, count: int) -> tuple[str | None, ...]:
        """The attributes of the positional patterns; None is the subject itself."""
        if not count:
            return ()
        itself = False
        try:
            names = attr(kind, "__match_args__")
        except AttributeError:
            names, itself = (), bool(kind.__flags__ & MATCHES_SELF)
        if type(names) is not tuple:
            raise TypeError(
                f"{kind.__name__}.__match_args__ must be a tuple (got {type(names).__name__})"
            )
        allowed = 1 if itself else len(names)
        if allowed < count:
            plural = "" if allowed == 1 else "s"
            raise TypeError(
                f"{kind.__name__}() accepts {allowed} positional sub-pattern{plural} "
                f"({count} given)"
            )
        if itself:
            return (None,)
        for name in names[:count]:
            if type(name) is not str:
                raise TypeError(
                    f"__match_args__ elements must be strings (got {type(name).__name__})"
                )
        return tuple(names[:count])
