"""Einstein's sums: products of operands whose axes are named by letters."""

from __future__ import annotations

import re
from collections.abc import Sequence
from string import ascii_letters
from typing import Any

from autograph.runtime.ops.linear_algebra.contraction import product


def einsum(o: Any, subscripts: str, /, *operands: Any) -> Any:
    """The sum of products that `subscripts` describes, as NumPy's einsum: "...ij,...jk->...ik".

    Letters name axes; those that the result does not have are summed. "..." stands for all axes
    that have no letter, which broadcast. Without "->" the result has these, and the letters that
    occur once, in the order of the alphabet. An axis of 1 goes with another size of its letter.
    ValueError for subscripts that do not fit the operands.
    """
    tensors = list(o.operands(tuple(operands)))
    terms, result = named_axes(subscripts, [one.ndim for one in tensors])
    sizes = [[o.dimension(x, axis) for axis in range(x.ndim)] for x in tensors]
    single = _single(subscripts, terms, sizes)
    parts = []
    for place, (tensor, term) in enumerate(zip(tensors, terms, strict=True)):
        gone = tuple(axis for axis, one in enumerate(term) if (place, one) in single)
        term = "".join(one for one in term if (place, one) not in single)
        parts.append(_diagonal(o, o.squeeze(tensor, axis=gone) if gone else tensor, term))
    value, letters = parts[0]
    for place, (other, others) in enumerate(parts[1:], 1):
        needed = set(result).union(*(letters for _, letters in parts[place + 1 :]))
        value, letters = _contracted(o, value, letters, other, others, needed)
    summed = tuple(axis for axis, letter in enumerate(letters) if letter not in result)
    if summed:
        value = o.sum(value, axis=summed)
        letters = "".join(letter for letter in letters if letter in result)
    if letters == result:
        return value
    return o.permute_dims(value, tuple(letters.index(letter) for letter in result))


def named_axes(text: str, ranks: Sequence[int]) -> tuple[list[str], str]:
    """A letter for each axis of each operand, and of the result."""
    left, arrow, result = text.replace(" ", "").partition("->")
    terms = left.split(",")
    if not all(re.fullmatch(r"[a-zA-Z]*(\.\.\.)?[a-zA-Z]*", one) for one in [*terms, result]):
        raise ValueError(f'einsum takes letters, "...", commas and one arrow, not {text!r}')
    if len(terms) != len(ranks):
        raise ValueError(f"{text!r} describes {len(terms)} operands, not {len(ranks)}")
    counts = []
    for term, rank in zip(terms, ranks, strict=True):
        named = len(term.replace("...", ""))
        if named > rank or (named < rank and "..." not in term):
            raise ValueError(f"{term!r} of {text!r} names {named} axes of an operand of {rank}")
        counts.append(rank - named)
    free = [one for one in ascii_letters if one not in text][: max(counts, default=0)]
    around = "".join(free)
    joined = left.replace(",", "").replace(".", "")
    if not arrow:
        once = sorted(one for one in set(joined) if joined.count(one) == 1)
        result = "".join(["...", *once])
    elif around and "..." not in result:
        raise ValueError(f'the result {result!r} of {text!r} has no "...", as the operands have')
    named_result = result.replace("...", "")
    if len(set(named_result)) != len(named_result) or not set(named_result) <= set(joined):
        raise ValueError(f"the result {result!r} of {text!r} names an axis twice, or a new one")
    last = [around[len(around) - count :] for count in counts]
    filled = [term.replace("...", own) for term, own in zip(terms, last, strict=True)]
    return filled, result.replace("...", around)


def _single(text: str, terms: Sequence[str], sizes: Sequence[Sequence[Any]]) -> set[Any]:
    """The letters of operands, by their places, that have one element and other sizes beside it."""
    known: dict[str, list[tuple[int, Any]]] = {}
    for place, term in enumerate(terms):
        for letter, size in zip(term, sizes[place], strict=True):
            known.setdefault(letter, []).append((place, size))
    found = set()
    for letter, places in known.items():
        several = {size for _, size in places if isinstance(size, int) and size != 1}
        if len(several) > 1:
            shown = " and ".join(map(str, sorted(several)))
            named = letter if letter in text else "..."
            raise ValueError(f"{named!r} of {text!r} names axes of {shown} elements")
        if any(not isinstance(size, int) or size != 1 for _, size in places):
            found |= {(place, letter) for place, size in places if _is_one(size)}
    return found


def _is_one(size: Any) -> bool:
    return isinstance(size, int) and size == 1


def _diagonal(o: Any, x: Any, letters: str) -> tuple[Any, str]:
    """`x` with every letter once: where it names two axes, the elements of equal indices."""
    for letter in dict.fromkeys(letters):
        while letters.count(letter) > 1:
            first = letters.index(letter)
            second = letters.index(letter, first + 1)
            rest = [one for one in range(x.ndim) if one not in (first, second)]
            x = o.permute_dims(x, (first, second, *rest))
            places = o.arange(o.dimension(x, 0))
            x = x[places, places]
            kept = "".join(letters[one] for one in rest)
            letters = letter + kept
    return x, letters


def _contracted(
    o: Any, x: Any, ours: str, y: Any, theirs: str, needed: set[str]
) -> tuple[Any, str]:
    """The product of two operands, summed over the letters that nobody needs any more.

    As one product of matrices: shared and needed letters are the batch, shared ones that are not
    needed are summed by it, the others are its rows and columns.
    """
    x, ours = _without(o, x, ours, needed | set(theirs))
    y, theirs = _without(o, y, theirs, needed | set(ours))
    batch = [one for one in ours if one in theirs and one in needed]
    summed = [one for one in ours if one in theirs and one not in needed]
    rows = [one for one in ours if one not in theirs]
    columns = [one for one in theirs if one not in ours]
    sizes = {one: o.dimension(y, axis) for axis, one in enumerate(theirs)}
    sizes.update({one: o.dimension(x, axis) for axis, one in enumerate(ours)})

    def arranged(value: Any, letters: str, groups: Sequence[Sequence[str]]) -> Any:
        order = [letters.index(one) for group in groups for one in group]
        value = o.permute_dims(value, tuple(order)) if order else value
        shape = [sizes[one] for one in batch]
        shape += [product([sizes[one] for one in group]) for group in groups[1:]]
        return o.reshape(value, tuple(shape))

    left = arranged(x, ours, (batch, rows, summed))
    right = arranged(y, theirs, (batch, summed, columns))
    multiplied = o.matmul(left, right)
    letters = "".join([*batch, *rows, *columns])
    return o.reshape(multiplied, tuple(sizes[one] for one in letters)), letters


def _without(o: Any, x: Any, letters: str, needed: set[str]) -> tuple[Any, str]:
    """`x` summed over the axes that only it has and nobody needs."""
    gone = tuple(axis for axis, letter in enumerate(letters) if letter not in needed)
    if not gone:
        return x, letters
    return o.sum(x, axis=gone), "".join(one for one in letters if one in needed)


FUNCTIONS = (einsum,)
