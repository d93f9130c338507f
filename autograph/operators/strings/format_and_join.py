"""Strings that are filled in: `pattern.format(...)` and `pattern.join(...)`."""

from __future__ import annotations

import _string  # type: ignore[import-not-found]  # what `string.Formatter` is made of
from collections.abc import Callable
from typing import Any

from autograph.errors import StateError
from autograph.library import sequences
from autograph.operators.calls.dispatch import call
from autograph.operators.expressions.attributes import attr
from autograph.operators.expressions.items import item
from autograph.operators.expressions.truth import choose
from autograph.operators.iterators.generator_consumers import inlined_items
from autograph.operators.iterators.generator_recipes import attempt, fresh_recipe
from autograph.operators.iterators.plain_iteration import lazily
from autograph.operators.iterators.staged_iterables import Mapped
from autograph.operators.statements.if_and_while import attempted
from autograph.operators.strings.formatting import formatted, joined
from autograph.runtime.core.number import Number
from autograph.strings.text import Joined, Pieces, Text
from autograph.tracing.places import StagedItems
from autograph.tracing.region import not_one_by_one
from autograph.tracing.tracing import Tracing, current
from autograph.values.choice import Choice
from autograph.values.sentinels import UNSET, Sentinel
from autograph.values.skeleton import Fixed, Group

PLAIN = (str, bool, int, float, type(None))


def text_method(pattern: str, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """`pattern.format(...)` or `pattern.join(...)` of staged values; None for anything else."""
    if name == "format":
        if any(type(one) not in PLAIN for one in (*args, *kwargs.values())):
            return _Fields(args, kwargs.__getitem__).fill(pattern)
    if name == "format_map" and len(args) == 1 and not kwargs:
        return _Fields(None, lambda key: item(args[0], key)).fill(pattern)
    if name == "join" and len(args) == 1:
        items = tuple(args[0])
        if any(isinstance(one, Text | Choice) for one in items):
            other = _no_string(pattern, items)
            if other is not UNSET:
                return other
            apart = [part for one in items for part in (pattern, one)]
            return joined(*apart[1:])
        return pattern.join(items)
    return None


def _no_string(separator: str, items: tuple[Any, ...]) -> Any:
    """What `join` does where an item may be no string; UNSET where all are."""
    for place, one in enumerate(items):
        if isinstance(one, Choice) and not all(isinstance(o, str | Text) for o in one.options):
            tracing = current()
            assert tracing is not None
            return choose(
                tracing,
                one,
                lambda option, place=place: text_method(
                    separator, "join", ((*items[:place], option, *items[place + 1 :]),), {}
                ),
            )
        if not isinstance(one, str | Text | Choice):
            kind = one.kind if isinstance(one, Number) else type(one)
            raise TypeError(f"sequence item {place}: expected str instance, {kind.__name__} found")
    return UNSET


def joined_rows(tracing: Tracing, separator: str, contents: StagedItems) -> Any:
    """`separator.join(items)` of a list of staged length."""
    _require_strings(contents)
    return Text((Joined(separator, contents) if separator else Pieces(contents),))


def _require_strings(contents: StagedItems) -> None:
    """StateError where an item of a list of staged length may be no string."""
    options = getattr(contents.element, "options", (contents.element,))
    for one in options:
        known = isinstance(one, Fixed) and isinstance(one.value, str | Sentinel)
        if not known and not (isinstance(one, Group) and one.kind is Text):
            raise StateError(
                "items that are no strings are joined, of a list of staged length",
                remedy="append strings: str(x)",
            )


class _Fields:
    """The values that the fields of a pattern name."""

    def __init__(self, args: tuple[Any, ...] | None, named: Callable[[str], Any]) -> None:
        self.args = args
        self.named = named
        self.counted: int | None = None
        """How many fields were numbered by themselves; None where a field has a number."""
        self.started = False

    def fill(self, pattern: str, depth: int = 2) -> Any:
        """The pattern with its fields filled in."""
        if not depth:
            raise ValueError("Max string recursion exceeded")
        parts: list[Any] = []
        for text, field, spec, conversion in _string.formatter_parser(pattern):
            parts.append(text)
            if field is not None:
                value = self._value(field)
                if conversion and conversion not in "rsa":
                    raise ValueError(f"Unknown conversion specifier {conversion}")
                code = ord(conversion) if conversion else -1
                filled = self.fill(spec, depth - 1) if "{" in spec or "}" in spec else spec
                parts.append(formatted(value, code, filled))
        return joined(*parts)

    def _value(self, field: str) -> Any:
        first, rest = _string.formatter_field_name_split(field)
        value = self.named(first) if first and isinstance(first, str) else self._numbered(first)
        for is_attribute, step in rest:
            value = attr(value, step) if is_attribute else item(value, step)
        return value

    def _numbered(self, number: Any) -> Any:
        """The value of a field with a number, or of one that is numbered by itself."""
        automatic = isinstance(number, str)
        if not self.started:
            self.started, self.counted = True, 0 if automatic else None
        if automatic != (self.counted is not None):
            ways = ["manual field specification", "automatic field numbering"]
            before, after = ways if automatic else reversed(ways)
            raise ValueError(f"cannot switch from {before} to {after}")
        place = number
        if self.counted is not None:
            place, self.counted = self.counted, self.counted + 1
        if self.args is None:
            raise ValueError("Format string contains positional fields")
        if place >= len(self.args):
            raise IndexError(f"Replacement index {place} out of range for positional args tuple")
        return self.args[place]


FEW = 16
"""So many items of a generator are asked for one by one, whatever each is made of."""


def listed_for_text(tracing: Tracing, iterable: Any) -> Any:
    """The items of a generator or `map` that only a string is made of.

    A staged loop makes them where they are many: to look into the string takes many nodes for each.
    """
    if isinstance(iterable, Mapped):
        count = iterable.length(tracing)
        if not isinstance(count, int):
            return call(list, iterable)
        if count <= FEW:
            return iterable
        found = attempted(tracing, lambda: _strings(tracing, call(sequences.list_of, iterable)))
        return iterable if found is None else found
    recipe = fresh_recipe(tracing, iterable)
    if recipe is None:
        return call(list, iterable)
    begun = tracing.checkpoint()

    def pull() -> Any:
        found = tracing.born([])
        for one in lazily(iterable):
            found.append(one)
            long = len(found) > FEW and begun.count() > len(found)
            if long and not tracing.region.advanced:
                raise not_one_by_one("the items of a generator are joined by a staged loop")
        return found

    def push() -> Any:
        found = attempted(tracing, lambda: _strings(tracing, inlined_items(tracing, recipe)))
        return call(list, iterable) if found is None else found

    return attempt(tracing, pull, push)


def _strings(tracing: Tracing, items: list[Any]) -> list[Any]:
    """A list that a staged loop made, of nothing but strings."""
    contents = tracing.contents(items)
    if isinstance(contents, StagedItems):
        _require_strings(contents)
    return items
