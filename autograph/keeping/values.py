"""Plain Python values as JSON, exactly: numbers, strings, None, and what is built of them."""

from __future__ import annotations

import math
from typing import Any

from autograph.keeping.errors import DamagedError

_SCALARS = (type(None), bool, int, str)
_FLOATS = {"inf": math.inf, "-inf": -math.inf, "nan": math.nan}


def is_plain(value: Any) -> bool:
    """Whether a value, with all in it, is one that can be written as JSON. A cycle is not."""
    return _is_plain(value, ())


def _is_plain(value: Any, around: tuple[Any, ...]) -> bool:
    kind = type(value)
    if kind in _SCALARS or kind is float:
        return True
    if any(value is one for one in around):
        return False
    inside = (*around, value)
    if kind is list or kind is tuple:
        return all(_is_plain(one, inside) for one in value)
    if kind is dict:
        return all(type(key) in (*_SCALARS, float) for key in value) and all(
            _is_plain(one, inside) for one in value.values()
        )
    return False


def to_json(value: Any) -> Any:
    """A plain value as what `json` writes: itself, or an object of one entry that names its kind.

    Lists and dicts in it are written as they are now.
    """
    if type(value) is float:
        return value if math.isfinite(value) else {"float": repr(value)}
    if type(value) in (list, tuple):
        return {type(value).__name__: [to_json(one) for one in value]}
    if type(value) is dict:
        return {"dict": [[to_json(key), to_json(one)] for key, one in value.items()]}
    return value


def from_json(item: Any) -> Any:
    """The plain value that `to_json` wrote. DamagedError for anything else."""
    if type(item) in _SCALARS or type(item) is float:
        return item
    if isinstance(item, dict) and len(item) == 1:
        ((kind, held),) = item.items()
        if kind == "float" and held in _FLOATS:
            return _FLOATS[held]
        if kind in ("list", "tuple") and isinstance(held, list):
            parts = [from_json(one) for one in held]
            return parts if kind == "list" else tuple(parts)
        if kind == "dict" and isinstance(held, list) and all(map(_is_pair, held)):
            return {from_json(key): from_json(one) for key, one in held}
    raise DamagedError(f"{item!r} is no value that was kept")


def _is_pair(item: Any) -> bool:
    """Whether this is a pair of a key and a value."""
    if not isinstance(item, list) or len(item) != 2 or isinstance(item[0], list):
        return False
    return not isinstance(item[0], dict) or set(item[0]) == {"float"}
