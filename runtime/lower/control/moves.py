"""Where control flow meets: values brought to the places that all ways agree on.

Arrays that have whole roots are exchanged by their pointers, so that a value that a branch or turn
left alone or computed elsewhere costs nothing; only views and what is shared are copied.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from autograph.runtime.core.dims import Dim
from autograph.runtime.core.dtypes import DType
from autograph.runtime.lower.builder import Builder
from autograph.runtime.lower.lists.list_moves import settle_lists
from autograph.runtime.lower.sizes.polynomials import text_of
from autograph.runtime.lower.storage.copying import bytes_of, copy_into, fresh_copy
from autograph.runtime.lower.storage.forms import (
    Array,
    Items,
    Root,
    Scalar,
    Sizes,
    Splat,
    Storage,
    row_major,
)


@dataclass(slots=True)
class Place:
    """Where one value goes: a variable, or a root; `names` are variables for its sizes."""

    dtype: DType
    sizes: Sizes = ()
    variable: str = ""
    root: Root | None = None
    names: list[str | None] = field(default_factory=list)
    items: Items | None = None

    @property
    def storage(self) -> Storage:
        """The value, once it is there."""
        if self.items is not None:
            return self.items
        if self.root is None:
            return Scalar(self.variable, self.dtype)
        return Array(self.root, self.dtype, self.sizes, row_major(self.sizes))


def settle(builder: Builder, places: Sequence[Place], values: Sequence[Storage | None]) -> None:
    """Bring every value to its place; all values are read before any is lost."""
    arrays: list[Move] = []
    assignments: list[tuple[str, str]] = []
    lists = []
    for place, value in zip(places, values, strict=True):
        if value is None:
            continue
        if place.items is not None:
            assert isinstance(value, Items)
            lists.append((place.items, value))
        elif place.root is None:
            assert isinstance(value, Scalar | Splat)
            assignments.append((place.variable, value.text))
        else:
            assert not isinstance(value, Items)
            arrays.append((place, value))
            for name, size in zip(place.names, value.sizes, strict=False):
                if name is not None:
                    assignments.append((name, text_of(builder.table.resolve(size))))
    _settle_arrays(builder, arrays)
    settle_lists(builder, lists)
    _assign_at_once(builder, assignments)


def _assign_at_once(builder: Builder, pairs: list[tuple[str, str]]) -> None:
    pending = [(target, text, _words(text)) for target, text in pairs if target != text]
    readers = Counter(word for _, _, words in pending for word in words)
    while pending:
        ready = next((one for one in pending if readers[one[0]] == (one[0] in one[2])), None)
        if ready is None:
            target = pending[0][0]
            kept = builder.let("s", target)
            readers[kept] = readers.pop(target)
            texts = [(name, _with_word(text, target, kept)) for name, text, _ in pending]
            pending = [(name, text, _words(text)) for name, text in texts]
            continue
        builder.assign(*ready[:2])
        readers.subtract(ready[2])
        pending.remove(ready)


def _words(text: str) -> frozenset[str]:
    return frozenset(text.replace("(", " ").replace(")", " ").split())


def _with_word(text: str, word: str, other: str) -> str:
    """An expression with another name for a variable."""
    return re.sub(rf"\b{re.escape(word)}\b", other, text)


# arrays -------------------------------------------------------------------------------------------
Move = tuple[Place, Storage]


def _settle_arrays(builder: Builder, moves: list[Move]) -> None:
    pending = [move for move in moves if not _is_there(*move)]
    progress = True
    while progress:
        progress = False
        for move in pending:
            if _can_swap(builder, move, pending, moves):
                pending.remove(move)
                pending = _swap(builder, move, pending)
                pending = [one for one in pending if not _is_there(*one)]
                progress = True
                break
    used = [place.root for place, _ in moves]
    used += [value.root for _, value in pending if isinstance(value, Array)]
    with _taken(builder, used):
        _copy_all(builder, pending)


@contextmanager
def _taken(builder: Builder, roots: list[Root | None]) -> Iterator[None]:
    """Roots are in use, whatever lived there when it was last looked: exchanges moved it."""
    kept = [one for one in builder.free if any(one is root for root in roots)]
    builder.free = [one for one in builder.free if not any(one is root for root in kept)]
    yield
    builder.free += kept


def _is_there(place: Place, value: Storage) -> bool:
    return isinstance(value, Array) and value.root is place.root and value.is_whole


def _can_swap(builder: Builder, move: Move, pending: list[Move], moves: list[Move]) -> bool:
    place, value = move
    target = place.root
    assert target is not None
    if not (isinstance(value, Array) and value.is_whole and value.root.owned and target.owned):
        return False
    root = value.root
    if root not in builder.roots or target not in builder.roots:
        return False
    if (root.block is None) != (target.block is None):
        return False
    resolve = builder.table.resolve
    if root.block is None and resolve(root.bytes) != resolve(target.bytes):
        return False
    sharers = sum(isinstance(v, Array) and v.root is root for _, v in pending)
    is_place = any(p.root is root for p, _ in moves)
    # a place that waits for nothing any more has its value: perhaps this one, by an exchange
    settled = is_place and not any(p.root is root for p, _ in pending)
    return sharers == 1 and not settled and (is_place or root.live <= 1)


def _swap(builder: Builder, move: Move, pending: list[Move]) -> list[Move]:
    """Exchange two pointers; what was in the target is in the other root from now on."""
    place, value = move
    assert isinstance(value, Array) and place.root is not None
    one, other = place.root, value.root
    if one.block is not None:
        builder.execute(f"swap_blocks(frame, {one.block}, {other.block})")
    kept = builder.let("b_kept", one.name)
    builder.assign(one.name, other.name)
    builder.assign(other.name, kept)
    result: list[Move] = []
    for p, v in pending:
        if isinstance(v, Array) and v.root is one:
            v = Array(other, v.dtype, v.sizes, v.strides, v.offset)
        result.append((p, v))
    return result


def _copy_all(builder: Builder, pending: list[Move]) -> None:
    roots = {id(place.root) for place, _ in pending}
    values: list[Move] = []
    for place, value in pending:
        # what another copy would overwrite is brought to safety first
        if isinstance(value, Array) and id(value.root) in roots:
            value = fresh_copy(builder, value)
        values.append((place, value))
    for place, value in values:
        assert place.root is not None and not isinstance(value, Items)
        sizes = value.sizes
        target = Array(place.root, place.dtype, sizes, row_major(sizes))
        if place.root.block is not None:
            size = text_of(bytes_of(target))
            builder.assign(place.root.name, f"grow(frame, {place.root.block}, {size})")
        copy_into(builder, target, value)


def new_place(
    builder: Builder, dtype: DType, sizes: Sizes, names: list[str | None] | None = None
) -> Place:
    """A place for a value of these sizes: a variable for a 0-d one, else a root."""
    if not sizes:
        return Place(dtype, (), builder.name("s"))
    root = builder.array(dtype, sizes).root if not _unset(sizes, names) else builder.block()
    return Place(dtype, sizes, "", root, names or [])


def _unset(sizes: Sizes, names: list[str | None] | None) -> bool:
    """Whether a size is a variable that nothing has assigned yet."""
    own = {name for name in names or () if name}
    return any(isinstance(size, Dim) and own & size.symbols for size in sizes)
