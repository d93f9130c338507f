"""Sums of floats without rounding, as floats of which no two overlap: Shewchuk's algorithm.

The parts of such a sum stand in a list, the smallest first. `math.fsum` and `statistics` round at
the end only.
"""

from __future__ import annotations

from math import nextafter, sqrt
from typing import Any

from autograph.library.rounding import product_error

INFINITY = float("inf")


def of_any_length(items: Any) -> Any:
    """A list that will have as many items as the run tells, of which loops are written once.

    Conditions that add an item or not would leave one of several lists of known lengths, and what
    is done with them is written for each. In a staged function this is a model; here, the list.
    """
    return items


def with_term(parts: Any, term: Any) -> Any:
    """The sum with one more number."""
    kept = of_any_length([])
    for part in parts:
        larger, smaller = (part, term) if abs(term) < abs(part) else (term, part)
        term = larger + smaller
        rest = smaller - (term - larger)
        if rest != 0.0:
            kept.append(rest)
    if term != 0.0:
        kept.append(term)
    return kept


def sum_of(terms: Any) -> Any:
    """The sum of finite floats."""
    parts: Any = of_any_length([])
    for term in of_any_length(terms):
        parts = with_term(parts, term)
    return parts


def floats(numbers: Any) -> Any:
    """The numbers as floats."""
    return [float(number) for number in numbers]


def parts_of_int(number: Any) -> Any:
    """An int, which may have more bits than a float."""
    near = float(number)
    rest = float(number - int(near))
    parts = of_any_length([])
    if rest != 0.0:
        parts.append(rest)
    parts.append(near)
    return parts


def parts_of(numbers: Any) -> Any:
    """Ints and floats as floats of the same sum."""
    terms = []
    for number in numbers:
        terms.append(float(number))
        if isinstance(number, int):
            terms.append(float(number - int(float(number))))
    return terms


def products(pairs: Any) -> Any:
    """The products of pairs of numbers as floats of the same sum."""
    terms = of_any_length([])
    for x, y in of_any_length(pairs):
        terms.append(product_error(x, y))
        terms.append(x * y)
    return terms


def sign(parts: Any) -> Any:
    """A number that is above, below or equal to 0, as a sum is."""
    return parts[-1] if len(parts) > 0 else 0.0


def rounded(parts: Any) -> Any:
    """The float that is nearest to a sum: of two that are, the even one."""
    place = len(parts) - 1
    if place < 0:
        return 0.0
    total, rest = parts[place], 0.0
    while place > 0 and rest == 0.0:
        place -= 1
        before = total
        total = before + parts[place]
        rest = parts[place] - (total - before)
    if place > 0 and ((rest < 0.0 and parts[place - 1] < 0.0) or (rest > 0.0 < parts[place - 1])):
        twice = rest * 2.0
        above = total + twice
        if above - total == twice:
            total = above
    return total


def quotient(parts: Any, divisor: Any) -> Any:
    """The float that is nearest to a sum divided by a whole number above 0."""
    near = rounded(parts) / divisor
    rest = sum_of(parts + [-product_error(near, divisor), -(near * divisor)])
    over = sign(rest)
    other = nextafter(near, INFINITY if over > 0.0 else -INFINITY)
    beyond = sign(with_term(scaled(rest, 2.0), (near - other) * divisor))
    if over == 0.0 or (beyond < 0.0 if over > 0.0 else beyond > 0.0):
        return near
    return other if beyond != 0.0 else (near + other) * 0.5  # of which the even one is made


def scaled(parts: Any, factor: float) -> Any:
    """A sum times a power of two."""
    return [part * factor for part in parts]


def root_of_quotient(parts: Any, divisor: Any) -> Any:
    """The float that is nearest to the square root of a sum divided by a whole number above 0."""
    near = sqrt(quotient(parts, divisor))
    square = [(near * near, divisor), (product_error(near, near), divisor)]
    rest = sum_of(parts + scaled(products(square), -1.0))
    over = sign(rest)
    other = nextafter(near, INFINITY if over > 0.0 else 0.0)
    step = other - near
    middle = products([(4.0 * step * near, divisor), (step * step, divisor)])
    beyond = sign(sum_of(scaled(rest, 4.0) + scaled(middle, -1.0)))
    if over == 0.0 or (beyond < 0.0 if over > 0.0 else beyond > 0.0):
        return near
    return other


def total_of(numbers: Any) -> Any:
    """`fsum(numbers)`."""
    special, infinite, numbers = 0.0, 0.0, list(numbers)
    for number in numbers:
        if number != number or abs(number) == INFINITY:
            special += number
            if number == number:
                infinite += number
    if infinite != infinite:
        raise ValueError("-inf + inf in fsum")
    if special != 0.0:
        return special
    parts: Any = of_any_length([])
    for number in numbers:
        parts = with_term(parts, number)
        if sign(parts) - sign(parts) != 0.0:
            raise OverflowError("intermediate overflow in fsum")
    return rounded(parts)
