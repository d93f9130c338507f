"""Texts that are the same but for the last digits of the floats in them."""

from __future__ import annotations

import re
from collections.abc import Sequence

_NUMBER = re.compile(r"[-+]?(?:\d+\.\d*(?:e[-+]?\d+)?|\d+e[-+]?\d+)")


def same_text(expected: str, actual: str) -> bool:
    """Whether two texts are the same but for the last digits of floats."""
    return within(expected, actual, ())


def within(expected: str, actual: str, samples: Sequence[str], safety: float = 2) -> bool:
    """Whether two texts differ in floats alone, and in these by what rounding can do.

    That is one unit of the last digit, one part in 100,000, or `safety` times what the floats of
    `samples` are away from those of the first one.
    """
    if expected == actual:
        return True
    if _frame(expected) != _frame(actual):
        return False
    apart = _distances(samples) if samples and _frame(samples[0]) == _frame(expected) else None
    pairs = zip(_NUMBER.findall(expected), _NUMBER.findall(actual), strict=True)
    return all(
        abs(float(one) - float(other))
        <= max(
            1.01 * _last_digit(one),
            1e-5 * abs(float(one)),
            safety * apart[place] if apart is not None else 0.0,
        )
        for place, (one, other) in enumerate(pairs)
    )


def first_differing_lines(expected: str, actual: str) -> tuple[int, str, str]:
    """The number of the first line that differs by more than digits, and that line of both."""
    one, other = (text.splitlines(keepends=True) for text in (expected, actual))
    count = max(len(one), len(other))
    pairs = list(zip(one + [""] * (count - len(one)), other + [""] * (count - len(other))))
    place = next((k for k, (a, b) in enumerate(pairs) if not same_text(a, b)), None)
    if place is None:
        place = next(k for k, (a, b) in enumerate(pairs) if a != b)
    return place + 1, *pairs[place]


def _frame(text: str) -> str:
    """A text without its floats and the white space around them: arrays are laid out by width."""
    return re.sub(r"\s*([#\[\]])\s*", r"\1", _NUMBER.sub("#", text))


def _distances(samples: Sequence[str]) -> list[float]:
    """How far each float of the first text is from those of the others."""
    first = [float(one) for one in _NUMBER.findall(samples[0])]
    apart = [0.0] * len(first)
    for sample in samples[1:]:
        if _frame(sample) == _frame(samples[0]):
            numbers = map(float, _NUMBER.findall(sample))
            apart = [max(d, abs(a - b)) for d, a, b in zip(apart, first, numbers, strict=True)]
    return apart


def _last_digit(number: str) -> float:
    """The unit of the last digit of a float, as it is written."""
    digits, _, exponent = number.partition("e")
    places = len(digits.partition(".")[2])
    return 10.0 ** (int(exponent or 0) - places)
