"""Loops over the same rows, one after the other, share a loop over blocks of rows: what is made of
a row is used while it is in the cache, and threads are asked for once.

A softmax is a largest element, exponentials with their sum, and quotients, each a nest whose
outermost loop goes over rows. Such nests may run block by block where every array that one of them
writes and another touches is cut into the same rows: then a row needs nothing of any other row.
Row by row would not do: what is computed once for each row would no longer take many at a time.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from autograph.kernels.program import Assign, Comment, For, Statement
from autograph.runtime.core.dims import DimLike
from autograph.runtime.lower.sizes.polynomials import text_of

Row = tuple[str, str, int]
"""Where row i of an array lies: the elements from one row to the next, and before the first; the
bytes of an element."""
_buffer = re.compile(r"[a-z0-9]+_at\(\w+\)")


BLOCK = 1 << 13
"""About how many elements a block has: with what is made of them, they fit a core's cache."""


@dataclass(slots=True)
class RowLoop:
    """A nest whose turns need nothing of each other, as it stands in a body."""

    loop: For
    """Over all rows; or over blocks, in which the loops of several nests are."""
    count: DimLike
    length: DimLike
    """How many elements a row has."""
    depth: int
    rows: dict[str, set[Row | None]]
    """How the arrays in each root are cut by the outermost loop; None: not into rows."""
    written: set[str]
    """The roots that it writes."""
    body: list[Statement]
    """The body in which it stands."""
    bounds: tuple[str, str] | None = None
    """The first row of a block, and the one behind its last, where there are blocks."""

    def join(self, other: RowLoop, before: list[Statement], name: Callable[[str], str]) -> bool:
        """Take another loop, that follows, into the same blocks of rows, if that is the same.

        `before`: what the other one needs before it starts. `name`: makes new names.
        """
        if self.count != other.count or max(self.depth, other.depth) < 2:
            return False
        places = [i for i, one in enumerate(self.body) if one is self.loop]
        between = self.body[places[-1] + 1 :] if places else []
        free = places and all(map(_is_free, (*between, *before)))
        if not free or not self._keeps_rows(other):
            return False
        comments = [one for one in between if isinstance(one, Comment)]
        others = [one for one in (*between, *before) if not isinstance(one, Comment)]
        del self.body[places[-1] :]
        self.body += others
        if other.depth > self.depth:
            self.depth, self.length = other.depth, other.length
        if self.bounds is None:
            self._make_blocks(name)
        else:
            self.body.append(self.loop)
        assert self.bounds is not None
        self.loop.body += [*comments, self._part(other.loop)]
        self.loop.work = f"{self.loop.work[:-1]} + {other.loop.work})"
        self.written |= other.written
        for root, rows in other.rows.items():
            self.rows.setdefault(root, set()).update(rows)
        return True

    def _make_blocks(self, name: Callable[[str], str]) -> None:
        """Put the loop over all rows into one over blocks of rows."""
        block, size, start, stop = map(name, ("block", "n_rows", "start", "stop"))
        count, whole = text_of(self.count), self.loop
        self.body.append(Assign(size, f"rows_at_once({text_of(self.length)})"))
        self.loop = For(block, f"({count} + {size} - 1) // {size}")
        self.loop.work = f"{size} * ({whole.work})"
        self.bounds = start, stop
        self.loop.body += [
            Assign(start, f"{block} * {size}"),
            Assign(stop, f"min({start} + {size}, {count})"),
            self._part(whole),
        ]
        self.body.append(self.loop)

    def _part(self, loop: For) -> For:
        """A loop over the rows of a block alone."""
        assert self.bounds is not None
        start, stop = self.bounds
        return For(loop.variable, stop, loop.body, start)

    def _keeps_rows(self, other: RowLoop) -> bool:
        for root in (self.written | other.written) & self.rows.keys() & other.rows.keys():
            both = self.rows[root] | other.rows[root]
            if None in both or len(both) > 1:
                return False
        return True


def _is_free(one: Statement) -> bool:
    """Whether a statement may as well stand before the loop: a flat buffer, or a comment."""
    return isinstance(one, Comment) or (
        isinstance(one, Assign) and _buffer.fullmatch(one.value) is not None
    )
