"""Symbolic dimensions: integer polynomials over named symbols, in a canonical form.

A symbol stands for a size known only when the graph runs. A symbol of an input never stands for 0
or 1 (those specialise); one that the data decide (the length of a list) may be anything.
"""

from __future__ import annotations

import functools
import itertools
import re
from collections.abc import Iterable, Mapping
from typing import Union

DimLike = Union[int, "Dim"]
Shape = tuple[DimLike, ...]

_counter = itertools.count()
_COUNTED = re.compile(r"[a-z]+(\d+)")


@functools.cache
def order_of(name: str) -> tuple[int, str]:
    """Symbols in the order in which they were made: `d9` before `d10`, whatever came before."""
    counted = _COUNTED.fullmatch(name)
    return (-1, name) if counted is None else (int(counted[1]), name)


def _order_of_term(term: tuple[tuple[str, ...], int]) -> tuple[tuple[int, str], ...]:
    return tuple(map(order_of, term[0]))


class Dim:
    """A polynomial over symbols: `terms` maps a sorted tuple of symbol names to its coefficient."""

    __slots__ = ("_hash", "terms")

    def __init__(self, terms: Mapping[tuple[str, ...], int]) -> None:
        kept = [(key, value) for key, value in terms.items() if value]
        self.terms = dict(kept if len(kept) < 2 else sorted(kept, key=_order_of_term))
        self._hash = hash(tuple(self.terms.items()))

    @staticmethod
    def symbol(name: str) -> Dim:
        """The symbol called `name`."""
        return Dim({(name,): 1})

    @staticmethod
    def given(number: int, axis: int) -> Dim:
        """The symbol of an axis of an input: it never stands for 0 or 1."""
        return Dim.symbol(f"n{number}_{axis}")

    @staticmethod
    def any_given(number: int, axis: int) -> Dim:
        """The symbol of an axis of an input that may be of size 0 and 1, too."""
        return Dim.symbol(f"m{number}_{axis}")

    @staticmethod
    def fresh(prefix: str = "d") -> Dim:
        """A symbol of its own, equal to no other."""
        return Dim({(f"{prefix}{next(_counter)}",): 1})

    @property
    def symbols(self) -> set[str]:
        """The names of the symbols it is made of."""
        return {name for key in self.terms for name in key}

    @property
    def name(self) -> str | None:
        """The name, if this is one plain symbol."""
        if len(self.terms) == 1:
            ((key, factor),) = self.terms.items()
            if factor == 1 and len(key) == 1:
                return key[0]
        return None

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Dim) and self.terms == other.terms

    def __add__(self, other: DimLike) -> DimLike:
        return _sum(self, other, 1)

    __radd__ = __add__

    def __sub__(self, other: DimLike) -> DimLike:
        return _sum(self, other, -1)

    def __rsub__(self, other: DimLike) -> DimLike:
        return _sum(other, self, -1)

    def __mul__(self, other: DimLike) -> DimLike:
        product: dict[tuple[str, ...], int] = {}
        for key_a, a in self.terms.items():
            for key_b, b in _terms(other).items():
                key = tuple(sorted(key_a + key_b, key=order_of))
                product[key] = product.get(key, 0) + a * b
        return _settled(product)

    __rmul__ = __mul__

    def __bool__(self) -> bool:
        raise TypeError(
            "this size is known only when the graph runs; a condition on it can be staged "
            "only in a function that is converted"
        )

    def substitute(self, values: Mapping[str, int]) -> int:
        """The size where every symbol has a value; KeyError names one that has none."""
        total = 0
        for key, factor in self.terms.items():
            for name in key:
                factor *= values[name]
            total += factor
        return total

    def __repr__(self) -> str:
        parts = []
        for key, factor in self.terms.items():
            names = "*".join(key)
            parts.append(str(factor) if not key else names if factor == 1 else f"{factor}*{names}")
        return "+".join(parts).replace("+-", "-")


_GIVEN = re.compile(r"n\d+_\d+")


def may_be_one(dim: DimLike) -> bool:
    """Whether a size may turn out to be 1."""
    if isinstance(dim, int):
        return dim == 1
    return dim.name is None or _GIVEN.fullmatch(dim.name) is None


def may_be_zero(dim: DimLike) -> bool:
    """Whether a size may turn out to be 0: sums and products of sizes that are given are not."""
    if isinstance(dim, int):
        return dim == 0
    given = all(_GIVEN.fullmatch(name) for name in dim.symbols)
    return not given or any(factor < 0 for factor in dim.terms.values())


def _terms(dim: DimLike) -> Mapping[tuple[str, ...], int]:
    return dim.terms if isinstance(dim, Dim) else {(): int(dim)}


def _settled(terms: dict[tuple[str, ...], int]) -> DimLike:
    if all(key == () or not value for key, value in terms.items()):
        return terms.get((), 0)
    return Dim(terms)


def _sum(left: DimLike, right: DimLike, sign: int) -> DimLike:
    terms = dict(_terms(left))
    for key, value in _terms(right).items():
        terms[key] = terms.get(key, 0) + sign * value
    return _settled(terms)


def product(dims: Iterable[DimLike]) -> DimLike:
    """The product of sizes: the number of elements of a shape."""
    total: DimLike = 1
    for dim in dims:
        total = total * dim
    return total


def divide(dim: DimLike, divisor: DimLike) -> DimLike | None:
    """The exact quotient where it can be told, else None."""
    if isinstance(dim, int) and isinstance(divisor, int):
        return dim // divisor if divisor and dim % divisor == 0 else None
    if dim == divisor:
        return 1
    quotient: dict[tuple[str, ...], int] = {}
    terms = _terms(divisor)
    if len(terms) != 1:
        return None
    ((by, factor),) = terms.items()
    for key, value in _terms(dim).items():
        rest = list(key)
        for name in by:
            if name not in rest:
                return None
            rest.remove(name)
        if not factor or value % factor:
            return None
        quotient[tuple(rest)] = value // factor
    return _settled(quotient)
