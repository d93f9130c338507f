"""The text of a staged int that a program looks into, as code points: base, sign, width, groups.

All digits an int64 can have are computed at once, and those that it has are taken: no loops.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from autograph.runtime.core.tensor import Tensor
from autograph.runtime.ops.table import OPS

Row = Tensor | np.ndarray[Any, Any]
"""A row of code points: staged, or a known one."""
SPEC = re.compile(
    r"(?:(?P<fill>.)?(?P<align>[<>=^]))?(?P<sign>[-+ ])?(?P<form>#)?(?P<zero>0)?(?P<width>\d+)?"
    r"(?P<group>[,_])?(?P<type>[bodxX])?",
    re.DOTALL,
)
"""The formats of an int whose texts are made here."""
BASES = {"b": 2, "o": 8, "x": 16, "X": 16}
LARGEST = 2**63 - 1


def codes_of_int(number: Any, spec: str = "") -> Row | None:
    """The code points of `format(number, spec)`; None of a format that is not made here."""
    found = SPEC.fullmatch(spec)
    if found is None or not is_format(spec):
        return None
    kind = found["type"] or "d"
    base, letters = BASES.get(kind, 10), ord("A" if kind == "X" else "a") - 10
    digits = _digits(number, base)
    codes = OPS.where(digits > 9, digits + letters, digits + ord("0"))
    codes = last(codes, OPS.py_max2(_count(digits), 1))
    if found["group"]:
        codes = _grouped(codes, ord(found["group"]), 3 if base == 10 else 4)
    prefix = f"0{kind}" if found["form"] and base != 10 else ""
    front = [_sign(number, found["sign"] or "-"), *([code_points(prefix)] if prefix else [])]
    width = int(found["width"] or 0)
    fill, align = found["fill"] or " ", found["align"] or ">"
    if found["zero"] and not found["align"]:
        fill, align = "0", "="
    elif found["zero"] and not found["fill"]:
        fill = "0"
    if align != "=":
        return padded(OPS.concat([*front, codes]), width, fill, align)
    head = OPS.concat(front) if len(front) > 1 else front[0]
    room = OPS.py_sub(width, length_of(head))
    return OPS.concat([head, padded(codes, room, fill, ">")])  # type: ignore[no-any-return]


def is_format(spec: str) -> bool:
    """Whether the text of an int in this format is made here."""
    found = SPEC.fullmatch(spec)
    if found is None or (found["group"] and (found["zero"] or found["align"] == "=")):
        return False
    try:
        format(0, spec)
    except ValueError:
        return False
    return True


def code_points(text: str) -> np.ndarray[Any, Any]:
    """The code points of a known string: an array, which is a constant of the graph."""
    return np.array([ord(one) for one in str.__iter__(text)], np.int64)


def code_at(codes: Row, place: Any) -> Any:
    """The code point at a place that is in range."""
    return OPS.to_number(OPS.apply("index", (codes,), {"index": (place,)}), kind=int)


def known_row(strings: Sequence[str], number: Any) -> Tensor:
    """The code points of one of several known strings."""
    table = np.zeros((len(strings), max(map(len, strings))), np.int64)
    for place, one in enumerate(strings):
        table[place, : len(one)] = [*map(ord, one)]
    row: Tensor = OPS.apply("index", (table,), {"index": (number,)})
    if len({len(one) for one in strings}) == 1:
        return row
    counts = np.array([len(one) for one in strings], np.int64)
    return taken(row, OPS.arange(code_at(counts, number)))


def length_of(codes: Row) -> Any:
    """How many characters a row has."""
    (size,) = codes.shape
    return size if isinstance(size, int) else OPS.size_of(codes, axis=0)


def taken(codes: Any, positions: Any) -> Tensor:
    """The characters at positions that are in range."""
    found: Tensor = OPS.apply("take", (codes, positions), {"axis": 0})
    return found


def last(codes: Any, count: Any) -> Tensor:
    """The last characters, so many."""
    return taken(codes, OPS.arange(count) + OPS.py_sub(length_of(codes), count))


def repeated(code: int, count: Any) -> Tensor:
    """One character, so many times; none for a count below 0."""
    count = max(count, 0) if isinstance(count, int) else OPS.py_max2(count, 0)
    row: Tensor = OPS.arange(count) * 0 + code
    return row


def padded(codes: Row, width: Any, fill: str, align: str) -> Row:
    """The characters in the middle or at an end of a field of this width."""
    if isinstance(width, int) and width <= 0:
        return codes
    room = OPS.py_sub(width, length_of(codes))
    room = max(room, 0) if isinstance(room, int) else OPS.py_max2(room, 0)
    before = {"<": 0, ">": room, "^": OPS.py_floordiv(room, 2)}[align]
    parts = [codes]
    if align != "<":
        parts.insert(0, repeated(ord(fill), before))
    if align != ">":
        parts.append(repeated(ord(fill), OPS.py_sub(room, before)))
    found: Tensor = OPS.concat(parts)
    return found


def _digits(number: Any, base: int) -> Any:
    """The digits of the absolute value, as many as an int64 can have, zeros in front."""
    powers = [base**place for place in range(64) if base**place <= LARGEST + 1]
    values = np.array([min(power, LARGEST) for power in reversed(powers)], np.int64)
    given = OPS.add(np.zeros(len(powers), np.int64), number)
    floors = OPS.floor_divide(given, values)
    exact = OPS.equal(floors * values, given)
    whole = OPS.where(OPS.logical_or(given >= 0, exact), floors, floors + 1)
    if powers[-1] > LARGEST:  # which the least of all numbers holds once, and no other
        least = np.arange(len(powers)) == 0
        whole = OPS.where(least, OPS.where(OPS.equal(given, -LARGEST - 1), -1, 0), whole)
    above = OPS.concat([np.zeros(1, np.int64), whole[:-1]])
    return OPS.abs(whole - above * base)


def _count(digits: Any) -> Any:
    """How many digits there are without the zeros in front."""
    (size,) = digits.shape
    places = np.arange(size, 0, -1)
    return OPS.to_number(OPS.max(OPS.where(digits > 0, places, 0)), kind=int)


def _sign(number: Any, wanted: str) -> Any:
    below = OPS.py_lt(number, 0)
    if wanted == "-":
        return OPS.arange(OPS.py_int(below)) + ord("-")
    return OPS.where(np.zeros(1, np.int64) + number < 0, ord("-"), ord(wanted))


def _grouped(codes: Tensor, separator: int, size: int) -> Tensor:
    """The digits with a separator between groups, counted from the end."""
    count = length_of(codes)
    total = OPS.py_add(count, OPS.py_floordiv(OPS.py_sub(count, 1), size))
    place = OPS.py_sub(total, 1) - OPS.arange(total)
    between = OPS.equal(place % (size + 1), size)
    source = OPS.py_sub(count, 1) - (place - place // (size + 1))
    found: Tensor = OPS.where(between, separator, taken(codes, OPS.maximum(source, 0)))
    return found
