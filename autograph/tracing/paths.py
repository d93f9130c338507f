"""Access paths: how a call finds again what its trace read, as Python expressions.

A path is an expression over `a` (the call's arguments, a tuple) and `c` (a table of objects that
the trace knows by identity). Guards are expressions of the same kind, joined by `and` and compiled
once.
"""

from __future__ import annotations

import keyword
import re
from collections import deque
from collections.abc import Callable, Collection
from typing import Any

import numpy as np

from autograph.runtime.arrays.cells import Array
from autograph.runtime.arrays.watched import share_elements
from autograph.values.equivalence import same_numbers, same_value
from autograph.values.sentinels import UNSET

Fetch = Callable[[tuple[Any, ...], list[Any]], Any]
_CONSTANT = re.compile(r"(?<![\w.])c\[(\d+)\]")


class PathTable:
    """The objects `c[…]` that the paths of one trace refer to."""

    def __init__(self) -> None:
        self.objects: list[Any] = []
        self._known: dict[int, int] = {}

    def constant(self, item: Any) -> str:
        """The expression for an object known by identity."""
        index = self._known.get(id(item))
        if index is None:
            index = self._known[id(item)] = len(self.objects)
            self.objects.append(item)
        return f"c[{index}]"

    def place_of(self, item: Any, path: str) -> tuple[Any, str, tuple[Any, ...]]:
        """An object, the path to it with {} for each object known by identity, and these."""
        plain = path.replace("{", "{{").replace("}", "}}")
        numbers = [int(one) for one in _CONSTANT.findall(plain)]
        return item, _CONSTANT.sub("{}", plain), tuple(self.objects[one] for one in numbers)

    def attribute(self, path: str, name: str) -> str:
        """The expression for an attribute of what `path` gives."""
        plain = name.isidentifier() and name.isascii() and not keyword.iskeyword(name)
        return f"{path}.{name}" if plain else f"getattr({path}, {name!r})"

    def item(self, path: str, key: Any) -> str:
        """The expression for an item of what `path` gives."""
        return f"{path}[{self.key(key)}]"

    def item_of_missing(self, path: str, key: Any) -> str:
        """Like `item`, of a dict that would make an item for a key that it lacks."""
        return f"dict.get({path}, {self.key(key)}, absent)"

    def key(self, key: Any) -> str:
        """The expression for a key or an index."""
        return repr(key) if type(key) in (int, str, bool) or key is None else self.constant(key)

    def literal(self, value: Any) -> str:
        """The expression for a Python value compared by equality."""
        if type(value) in (int, bool, str, bytes) or value is None:
            return repr(value)
        return self.constant(value)


def compile_fetch(expressions: list[str]) -> Fetch:
    """A function that gives the tuple of all `expressions`."""
    body = "".join(f"{one}, " for one in expressions)
    fetch: Fetch = eval(f"lambda a, c: ({body})", dict(NAMES))
    return fetch


def compile_guards(guards: list[str]) -> Fetch | None:
    """A function that tells whether all `guards` hold; None where there are none."""
    if not guards:
        return None
    text = " and ".join(f"({guard})" for guard in guards)
    check: Fetch = eval(f"lambda a, c: {text}", dict(NAMES))
    return check


def different(paths: Collection[str]) -> list[str]:
    """The guard that paths lead to as many objects."""
    if len(paths) < 2:
        return []
    if len(paths) == 2:
        return [" is not ".join(paths)]
    return [f"len({{{', '.join(f'id({path})' for path in paths)}}}) == {len(paths)}"]


def disjoint(paths: Collection[str], others: Collection[str]) -> list[str]:
    """The guards that none of some paths leads to where one of others does."""
    if len(paths) == 1 or len(others) == 1:
        return [f"{path} is not {other}" for path in paths for other in others]
    if not paths or not others:
        return []
    ids, rest = (", ".join(f"id({one})" for one in each) for each in (paths, others))
    return [f"{{{ids}}}.isdisjoint(({rest}))"]


def same_float(left: Any, right: float) -> bool:
    """Whether two floats are the same one: -0.0 is not 0.0, and nan is nan."""
    return type(left) is float and repr(left) == repr(right)


def same_array(left: Any, right: np.ndarray[Any, Any]) -> bool:
    """Whether an array holds the same elements as when it was read while tracing."""
    return (
        type(left) is np.ndarray
        and left.dtype == right.dtype
        and left.shape == right.shape
        and left.tobytes() == right.tobytes()
    )


def apart(written: Collection[Any], others: Collection[Any]) -> bool:
    """Whether no array that is written shares elements with another one of all these.

    As `np.shares_memory` of each pair, which is asked where stretches of memory overlap. Arrays
    that own their memory have each their own.
    """
    every = (*written, *others)
    if any(isinstance(one, Array) for one in every):
        pairs = ((one, other) for n, one in enumerate(written) for other in every[n + 1 :])
        return not any(share_elements(one, other) for one, other in pairs)
    if all([one.flags.owndata for one in every]) and len(set(map(id, every))) == len(every):
        return True
    rows = [(*np.lib.array_utils.byte_bounds(one), one, True) for one in written if one.size]
    rows += [(*np.lib.array_utils.byte_bounds(one), one, False) for one in others if one.size]
    rows.sort(key=lambda row: row[0])
    open_rows: list[Any] = []
    for row in rows:
        open_rows = [one for one in open_rows if one[1] > row[0]]
        if any((row[3] or one[3]) and np.shares_memory(row[2], one[2]) for one in open_rows):
            return False
        open_rows.append(row)
    return True


def is_empty(cell: Any) -> bool:
    """Whether the variable of a closure holds nothing."""
    try:
        cell.cell_contents  # noqa: B018
    except ValueError:
        return True
    return False


def held(item: Any) -> Any:
    """The array that a tensor holds; an array itself, in native byte order, or that of a scalar."""
    if type(item) is np.ndarray:
        return item if item.dtype.isnative else item.astype(item.dtype.newbyteorder("="))
    return np.asarray(item) if isinstance(item, np.generic) else item._value


def own(item: Any) -> Any:
    """The attributes that an object holds itself."""
    return object.__getattribute__(item, "__dict__")


NAMES: dict[str, Any] = {
    "absent": UNSET,
    "apart": apart,
    "deque": deque,
    "held": held,
    "is_empty": is_empty,
    "np": np,
    "own": own,
    "same_array": same_array,
    "same_float": same_float,
    "same_numbers": same_numbers,
    "same_value": same_value,
    "share_elements": share_elements,
}
