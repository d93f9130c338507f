"""What is known of each character: its class, its forms in other cases; tables over code points."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable
from typing import Any

import numpy as np

from autograph.library import strings as library
from autograph.operators.calls.dispatch import call
from autograph.runtime.ops.table import OPS
from autograph.strings.digits import Row, length_of, taken

Test = Callable[[str], bool]


@functools.cache
def _bounds(test: Test) -> np.ndarray[Any, Any]:
    """The code points where a class of characters begins or ends."""
    # Beyond there is no letter, digit or space, in any version of Unicode.
    last = sys.maxunicode + 1 if test is str.isprintable else 0x40000
    inside = np.fromiter((test(chr(code)) for code in range(last)), np.bool_)
    return np.flatnonzero(np.diff(inside, prepend=False)).astype(np.int64)


def are_of(codes: Row, test: Test) -> Any:
    """Which of the characters are of a class."""
    places = OPS.searchsorted(_bounds(test), codes, side="right")
    return OPS.equal(places % 2, 1)


def _cased(one: str) -> bool:
    return one.isupper() or one.islower() or one.istitle()


def _not_upper(one: str) -> bool:
    return _cased(one) and not one.isupper()


def _not_lower(one: str) -> bool:
    return _cased(one) and not one.islower()


ALL = {
    name: getattr(str, name)
    for name in ("isalpha", "isalnum", "isdigit", "isdecimal", "isnumeric", "isspace")
}
"""Methods that ask whether there are characters, and all are of a class."""
OF_ANY = {"isascii": str.isascii, "isprintable": str.isprintable}
"""Methods that are true of the empty string, too."""
CASES = {"isupper": (str.isupper, _not_upper), "islower": (str.islower, _not_lower)}


def is_of(codes: Row, name: str) -> Any:
    """`text.isdigit()` and the like: a staged bool."""
    if name in CASES:
        some, no = CASES[name]
        found = OPS.logical_and(
            OPS.any(are_of(codes, some)), OPS.logical_not(OPS.any(are_of(codes, no)))
        )
        return OPS.to_number(found, kind=bool)
    if name in OF_ANY:
        return OPS.to_number(OPS.all(are_of(codes, OF_ANY[name])), kind=bool)
    found = OPS.to_number(OPS.all(are_of(codes, ALL[name])), kind=bool)
    length = length_of(codes)
    if isinstance(length, int):
        return found if length else False
    return OPS.py_and(found, OPS.py_gt(length, 0))


@functools.cache
def _with_cases() -> tuple[int, ...]:
    """The characters that may have forms in other cases: all in stretches where any has."""
    found: list[int] = []
    for first in range(0, sys.maxunicode + 1, 256):
        stretch = "".join(map(chr, range(first, first + 256)))
        if not stretch == stretch.upper() == stretch.lower() == stretch.title():
            found.extend(range(first, first + 256))
    return tuple(found)


@functools.cache
def _forms(name: str) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any], frozenset[int]]:
    """The characters that a method changes, what each becomes, and those that become several."""
    convert: Callable[[str], str] = getattr(str, name)
    pairs = [(code, convert(chr(code))) for code in _with_cases()]
    changed = [(code, ord(one)) for code, one in pairs if len(one) == 1 and ord(one) != code]
    several = frozenset(code for code, one in pairs if len(one) != 1)
    if name in ("lower", "swapcase", "title"):
        several |= {0x3A3}  # whose form depends on where it stands in a word
    columns = np.array(changed, np.int64).T
    return columns[0], columns[1], several


def in_form(codes: Row, name: str) -> Row:
    """`text.upper()` and the like."""
    if name == "title":
        cased = are_of(codes, _cased)
        after = OPS.concat([np.zeros(1, np.bool_), cased])
        follows = taken(after, OPS.arange(length_of(codes)))
        found: Row = OPS.where(follows, in_form(codes, "lower"), _each(codes, "title"))
        return found
    return _each(codes, name)


def _each(codes: Row, name: str) -> Row:
    keys, forms, several = _forms(name)
    special = np.array(sorted(several), np.int64)
    call(library.refuse_several, OPS.to_number(OPS.any(_is_among(codes, special)), kind=bool), name)
    places = OPS.minimum(OPS.searchsorted(keys, codes), len(keys) - 1)
    found: Row = OPS.where(OPS.equal(taken(keys, places), codes), taken(forms, places), codes)
    return found


def _is_among(codes: Row, known: Any) -> Any:
    """Which of the characters are among some, in order."""
    places = OPS.minimum(OPS.searchsorted(known, codes), len(known) - 1)
    return OPS.equal(taken(known, places), codes)


def are_among(codes: Row, known: str) -> Any:
    """Which of the characters are among those of a known string."""
    if not known:
        return OPS.not_equal(codes, codes)
    return _is_among(codes, np.array(sorted({ord(one) for one in known}), np.int64))


def stripped(codes: Row, inside: Any, left: bool, right: bool) -> Row:
    """The characters without those at the ends that are `inside` a set."""
    length = length_of(codes)
    keep = OPS.logical_not(inside)
    end = np.ones(1, np.bool_)
    start: Any = 0
    if left:
        start = OPS.to_number(OPS.argmax(OPS.concat([keep, end])), kind=int)
    after: Any = 0
    if right:
        after = OPS.to_number(OPS.argmax(OPS.concat([OPS.flip(keep), end])), kind=int)
    count = OPS.py_max2(OPS.py_sub(OPS.py_sub(length, start), after), 0)
    return taken(codes, OPS.arange(count) + start)
