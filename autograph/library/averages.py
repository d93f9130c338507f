"""Averages and spreads of `statistics`: computed exactly, and rounded once."""

from __future__ import annotations

from statistics import StatisticsError
from typing import Any

from autograph.library.exact_sums import (
    INFINITY,
    parts_of,
    parts_of_int,
    products,
    quotient,
    root_of_quotient,
    sign,
    sum_of,
)

LARGEST = 1e145
SMALLEST = 1e-120
"""Beyond these, the square of a float, or what is rounded off, is no float."""


def check_count(count: Any, wanted: int, name: str) -> None:
    """What `statistics` raises for too few numbers."""
    if count < wanted:
        points = "one data point" if wanted == 1 else "two data points"
        raise StatisticsError(f"{name} requires at least {points}")


def special_sum(numbers: Any) -> Any:
    """The sum of the numbers that are infinite or NaN, 0.0 where none is."""
    total = 0.0
    for number in numbers:
        if number != number or number == INFINITY or number == -INFINITY:
            total += number
    return total


def mean_of_floats(numbers: Any) -> Any:
    """`mean(numbers)` where one is a float."""
    check_count(len(numbers), 1, "mean")
    special = special_sum(numbers)
    if special != 0.0:
        return special
    for number in numbers:
        if abs(number) > 1e290:
            raise NotImplementedError("the mean of numbers beyond 1e290")
    return quotient(sum_of(parts_of(numbers)), float(len(numbers)))


def mean_of_ints(numbers: Any) -> Any:
    """`mean(numbers)` of ints: an int, where it is one."""
    count = len(numbers)
    check_count(count, 1, "mean")
    total = sum(numbers)
    if total % count == 0:
        return total // count
    return quotient(parts_of_int(total), float(count))


def deviations_of_floats(numbers: Any) -> Any:
    """The sum of squared deviations from the mean, times the number of numbers."""
    for number in numbers:
        size = abs(number)
        if size > LARGEST or (size != 0.0 and size < SMALLEST):
            raise NotImplementedError(
                "the variance of numbers that are NaN, beyond 1e145 or nearer to 0 than 1e-120"
            )
    sums, count = sum_of(parts_of(numbers)), float(len(numbers))
    squares = sum_of(products([(float(number), float(number)) for number in numbers]))
    pairs = [(square, count) for square in squares]
    for one in sums:
        for other in sums:
            pairs.append((-one, other))
    return sum_of(products(pairs))


def variance_of_floats(numbers: Any, lost: int, name: str) -> Any:
    """`variance(numbers)`, or `pvariance` where no degree of freedom is `lost`."""
    count = len(numbers)
    check_count(count, 1 + lost, name)
    return quotient(deviations_of_floats(numbers), float(count * (count - lost)))


def deviations_of_ints(numbers: Any) -> Any:
    """The sum of squared deviations of ints from the mean, times the number of numbers."""
    total, squares = 0, 0
    for number in numbers:
        total += number
        squares += number * number
    return squares * len(numbers) - total * total


def variance_of_ints(numbers: Any, lost: int, name: str) -> Any:
    """`variance(numbers)`, or `pvariance`, of ints: an int, where it is one."""
    count = len(numbers)
    check_count(count, 1 + lost, name)
    deviations, divisor = deviations_of_ints(numbers), count * (count - lost)
    if deviations % divisor == 0:
        return deviations // divisor
    return quotient(parts_of_int(deviations), float(divisor))


def deviation(numbers: Any, lost: int, name: str, of_ints: bool) -> Any:
    """`stdev(numbers)`, or `pstdev` where no degree of freedom is `lost`."""
    count = len(numbers)
    check_count(count, 1 + lost, name)
    parts = parts_of_int(deviations_of_ints(numbers)) if of_ints else deviations_of_floats(numbers)
    if sign(parts) == 0.0:
        return 0.0
    return root_of_quotient(parts, float(count * (count - lost)))
