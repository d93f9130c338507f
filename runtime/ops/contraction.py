"""Sums of products over chosen axes, and what is made of them: tensordot, einsum, norms."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from autograph.runtime.core.anatomy import StagingError
from autograph.runtime.core.spec import normalized_axis


def tensordot(o: Any, x: Any, y: Any, /, *, axes: Any = 2) -> Any:
    """The sums of products over pairs of axes.

    `axes` is a number n (the last n axes of x with the first n of y) or two sequences of axes. The
    result has the other axes of x, then those of y. ValueError where the numbers of axes differ.
    """
    x, y = o.asarray_or_same(x), o.asarray_or_same(y)
    if isinstance(axes, int):
        left, right = list(range(x.ndim - axes, x.ndim)), list(range(axes))
    else:
        left = [normalized_axis(one, x.ndim) for one in _several(axes[0])]
        right = [normalized_axis(one, y.ndim) for one in _several(axes[1])]
    if len(left) != len(right):
        raise ValueError(f"{len(left)} axes of the first tensor beside {len(right)} of the second")
    outer = [one for one in range(x.ndim) if one not in left]
    inner = [one for one in range(y.ndim) if one not in right]
    rows = o.permute_dims(x, (*outer, *left)) if x.ndim else x
    columns = o.permute_dims(y, (*right, *inner)) if y.ndim else y
    shape = [o.dimension(x, one) for one in outer] + [o.dimension(y, one) for one in inner]
    size = _product([o.dimension(x, one) for one in left])
    flat = o.matmul(
        o.reshape(rows, (_product([o.dimension(x, one) for one in outer]), size)),
        o.reshape(columns, (size, _product([o.dimension(y, one) for one in inner]))),
    )
    return o.reshape(flat, tuple(shape))


def _several(axes: Any) -> Sequence[int]:
    return [axes] if isinstance(axes, int) else list(axes)


def _product(sizes: Sequence[Any]) -> Any:
    total: Any = 1
    for size in sizes:
        total = total * size
    return total


def einsum(o: Any, subscripts: str, /, *operands: Any) -> Any:
    """The sum of products that `subscripts` describes, as NumPy's einsum: "bij,bjk->bik".

    Letters name axes; those that the result does not have are summed; without "->" it has those
    that occur once, in the order of the alphabet. ValueError for anything else, "..." included.
    """
    tensors = [o.asarray_or_same(one) for one in operands]
    terms, result = _subscripts(subscripts, [one.ndim for one in tensors])
    parts = [_diagonal(o, one, term) for one, term in zip(tensors, terms, strict=True)]
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


def _subscripts(text: str, ranks: Sequence[int]) -> tuple[list[str], str]:
    plain = text.replace(" ", "")
    left, arrow, result = plain.partition("->")
    terms = left.split(",")
    if not all(one.isalpha() or not one for one in [*terms, result]):
        raise ValueError(f"einsum takes letters, commas and one arrow, not {text!r}")
    if len(terms) != len(ranks):
        raise ValueError(f"{text!r} describes {len(terms)} operands, not {len(ranks)}")
    for term, rank in zip(terms, ranks, strict=True):
        if len(term) != rank:
            raise ValueError(f"{term!r} of {text!r} names {len(term)} axes of an operand of {rank}")
    joined = "".join(terms)
    if not arrow:
        result = "".join(sorted(one for one in set(joined) if joined.count(one) == 1))
    if len(set(result)) != len(result) or not set(result) <= set(joined):
        raise ValueError(f"the result {result!r} of {text!r} names an axis twice, or a new one")
    return terms, result


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
        shape += [_product([sizes[one] for one in group]) for group in groups[1:]]
        return o.reshape(value, tuple(shape))

    left = arranged(x, ours, (batch, rows, summed))
    right = arranged(y, theirs, (batch, summed, columns))
    product = o.matmul(left, right)
    letters = "".join([*batch, *rows, *columns])
    return o.reshape(product, tuple(sizes[one] for one in letters)), letters


def _without(o: Any, x: Any, letters: str, needed: set[str]) -> tuple[Any, str]:
    """`x` summed over the axes that only it has and nobody needs."""
    gone = tuple(axis for axis, letter in enumerate(letters) if letter not in needed)
    if not gone:
        return x, letters
    return o.sum(x, axis=gone), "".join(one for one in letters if one in needed)


def vector_norm(o: Any, x: Any, /, *, axis: Any = None, keepdims: bool = False) -> Any:
    """The Euclidean length along axes: the root of the sum of squares. Its gradient at 0 is 0."""
    x = o.asarray_or_same(x)
    total = o.sum(x * x, axis=axis, keepdims=keepdims)
    positive = o.greater(total, 0)
    return o.where(positive, o.sqrt(o.where(positive, total, 1)), o.sqrt(o.stop_gradient(total)))


def trace(o: Any, x: Any, /, *, offset: int = 0) -> Any:
    """The sum along a diagonal of the last two axes."""
    return o.sum(diagonal(o, x, offset=offset), axis=-1)


def diagonal(o: Any, x: Any, /, *, offset: int = 0) -> Any:
    """The elements of a diagonal of the last two axes, `offset` places above the main one."""
    x = o.asarray_or_same(x)
    rows, columns = o.dimension(x, -2), o.dimension(x, -1)
    above, below = max(offset, 0), max(-offset, 0)
    if isinstance(rows, int) and isinstance(columns, int):
        size = max(min(rows - below, columns - above), 0)
    else:
        size = o.maximum(o.minimum(rows - below, columns - above), 0)
    places = o.arange(size)
    return x[..., places + below, places + above]


def dot(o: Any, x: Any, y: Any, /) -> Any:
    """NumPy's dot: over the last axis of x and the last but one (or the only one) of y."""
    x, y = o.asarray_or_same(x), o.asarray_or_same(y)
    if not x.ndim or not y.ndim:
        return o.multiply(x, y)
    return tensordot(o, x, y, axes=((-1,), (-2 if y.ndim > 1 else -1,)))


def inner(o: Any, x: Any, y: Any, /) -> Any:
    """NumPy's inner: over the last axes of x and y."""
    x, y = o.asarray_or_same(x), o.asarray_or_same(y)
    if not x.ndim or not y.ndim:
        return o.multiply(x, y)
    return tensordot(o, x, y, axes=((-1,), (-1,)))


def cross(o: Any, x: Any, y: Any, /, *, axis: int = -1) -> Any:
    """The vector at right angles to x and y, along an axis of size 3 of both. They broadcast."""
    x, y = o.asarray_or_same(x), o.asarray_or_same(y)
    for one in (x, y):
        size = o.dimension(one, normalized_axis(axis, one.ndim))
        if not isinstance(size, int):
            raise StagingError(
                "cross takes axes of size 3, not one whose size is known only at run time",
                remedy="take the three parts by their numbers, and stack them: ag.stack([x[0], …])",
            )
        if size != 3:
            raise ValueError(f"cross takes axes of size 3, not {size}")
    turned = (o.roll(one, shift, axis=axis) for one in (x, y) for shift in (-1, -2))
    x1, x2, y1, y2 = turned
    return x1 * y2 - x2 * y1


FUNCTIONS = (tensordot, einsum, vector_norm, trace, diagonal, dot, inner, cross)
