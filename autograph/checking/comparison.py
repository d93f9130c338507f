"""Two pictures compared: the first difference, where it is, and both sides of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from autograph.checking.picture import LONGEST, Picture

Array = np.ndarray[Any, Any]
Close = Callable[[Array, Array, Any], bool]
"""Whether two arrays of one dtype and shape, not the same to the bit, count as the same. The third
argument is the array or float that the second one was copied from."""

SameText = Callable[[str, str], bool]
"""Whether two texts count as the same."""


@dataclass(frozen=True, slots=True)
class Difference:
    """Where two pictures differ, what is expected there, and what is found."""

    path: str
    expected: str
    found: str
    origin: Any = None
    """The array or number that was found, if it is one."""

    def __str__(self) -> str:
        return f"{self.path or 'everything'} is {self.expected}, but {self.found}"


class Comparison:
    """One comparison, and which new object of the one side is which of the other.

    `copies`: tensors in a list may be other ones with the same values. `same_text`: whether two
    strings count as equal.
    """

    def __init__(
        self,
        close: Close,
        copies: bool = False,
        same_text: SameText = str.__eq__,
    ) -> None:
        self.close = close
        self.copies = copies
        self.same_text = same_text
        self._copied: set[Any] = set()
        self._there: dict[Any, Any] = {}
        self._back: dict[Any, Any] = {}

    def compare(
        self, expected: Picture, actual: Picture, path: str = "", in_list: bool = False
    ) -> Difference | None:
        """The first difference."""
        copied = in_list or (expected.kind == "same" and expected.label in self._copied)
        if self.copies and copied and actual.kind == "Tensor" and expected.kind in _TENSORS:
            self._copied.add(expected.label)
            return self._arrays(expected, actual, path)
        if expected.kind != actual.kind or not self._same_object(expected, actual):
            return self._differs(expected, actual, path)
        if isinstance(expected.content, np.ndarray):
            return None if expected.kind in _MENTIONED else self._arrays(expected, actual, path)
        if expected.kind == "str" and self.same_text(expected.content, actual.content):
            return None
        names = [name for name, _ in expected.parts]
        if expected.content != actual.content or names != [name for name, _ in actual.parts]:
            return self._differs(expected, actual, path)
        for (name, one), (_, other) in zip(expected.parts, actual.parts, strict=True):
            listed = expected.kind == "list" or (in_list and expected.kind == "tuple")
            found = self.compare(one, other, f"{path}{name}", listed)
            if found:
                return found
        return None

    def _same_object(self, expected: Picture, actual: Picture) -> bool:
        one, other = expected.label, actual.label
        if one is None or other is None or isinstance(one, str) or isinstance(other, str):
            return one == other
        there, back = self._there.setdefault(one, other), self._back.setdefault(other, one)
        return bool(there == other and back == one)

    def _arrays(self, expected: Picture, actual: Picture, path: str) -> Difference | None:
        one, other = expected.content, actual.content
        if not isinstance(one, np.ndarray) or one.dtype != other.dtype or one.shape != other.shape:
            return self._differs(expected, actual, path)
        if same_bits(one, other) or self.close(one, other, actual.origin):
            return None
        if one.size <= LONGEST:
            return self._differs(expected, actual, path)
        return self._element(one, other, path, actual.origin)

    def _element(self, one: Array, other: Array, path: str, origin: Any) -> Difference:
        """The element of two large arrays that differs most."""
        differs = ~((one == other) | ((one != one) & (other != other)))
        with np.errstate(all="ignore"):
            wide = np.complex128 if one.dtype.kind == "c" else np.float64
            apart = np.abs(one.astype(wide) - other.astype(wide))
        apart = np.where(differs, np.nan_to_num(apart, nan=np.inf, posinf=np.inf), -1.0)
        place = np.unravel_index(int(np.argmax(apart)), one.shape)
        many = f" ({int(differs.sum())} of {one.size} elements differ)"
        text = f"{path} at [{', '.join(map(str, place))}]{many}"
        return Difference(text, repr(one[place].item()), repr(other[place].item()), origin)

    def _differs(self, expected: Picture, actual: Picture, path: str) -> Difference:
        return Difference(path, expected.shown(), actual.shown(), actual.origin)


_MENTIONED = frozenset({"given", "same"})
_TENSORS = _MENTIONED | {"Tensor"}


def same_bits(one: Array, other: Array) -> bool:
    """Whether two arrays of one dtype and shape hold the same bits."""
    return np.ascontiguousarray(one).tobytes() == np.ascontiguousarray(other).tobytes()


def exactly(one: Array, other: Array, origin: Any) -> bool:
    """Nothing but the same bits counts as the same."""
    return False


def within_ulps(ulps: int) -> Close:
    """Floats may be so many ulps apart; one ulp of the largest element is granted everywhere."""

    def close(one: Array, other: Array, origin: Any) -> bool:
        if not ulps or one.dtype.kind not in "fc":
            return False
        with np.errstate(all="ignore"):
            finite = np.where(np.isfinite(one), np.abs(one), 0)
            unit = np.finfo(one.dtype).eps * np.maximum(ulps * finite, np.max(finite))
        return bool(np.all(near(one, other, unit)))

    return close


def near(one: Array, other: Array, bound: Any) -> Array:
    """Which elements are no farther apart than `bound`, or the same; of complex numbers each part.

    What is not finite is near nothing else.
    """
    if one.dtype.kind == "c":
        return near(one.real, other.real, bound) & near(one.imag, other.imag, bound)
    with np.errstate(all="ignore"):
        same = (one == other) | (np.isnan(one) & np.isnan(other))
        found: Array = same | (np.abs(one - other) <= bound)
    return found


def difference(expected: Picture, actual: Picture, ulps: int = 0) -> str | None:
    """The first difference between two pictures, in words; floats may be `ulps` apart."""
    found = Comparison(within_ulps(ulps)).compare(expected, actual)
    return str(found) if found is not None else None
