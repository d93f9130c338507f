"""Plain values and a few classes, as constants of a saved function."""

from __future__ import annotations

from collections import Counter, OrderedDict, deque
from collections.abc import Mapping
from typing import Any

import numpy as np

from autograph.keeping.values import from_json, is_plain, to_json
from autograph.runtime.core.dtypes import SHORT_NAMES
from autograph.runtime.core.tensor import Tensor
from autograph.runtime.core.variable import Variable
from autograph.values.sentinels import UNSET


class NotKept(Exception):
    """What is no part of a saved function; the message names it, as the end of a sentence."""


_DTYPES = {str(one): one for dtype in SHORT_NAMES for one in (dtype, dtype.newbyteorder("S"))}
KINDS: Mapping[str, Any] = {
    one.__name__: one
    for one in (int, float, bool, str, bytes, list, tuple, dict, set, deque, OrderedDict, Counter)
} | {"Tensor": Tensor, "Variable": Variable, "ndarray": np.ndarray, "NoneType": type(None)}
KINDS = {**KINDS, **{f"numpy {dtype}": dtype.type for dtype in SHORT_NAMES}}
_NAMES = {kind: name for name, kind in KINDS.items()}


def constant_to_json(value: Any) -> Any:
    """A value that is known when a function is saved. NotKept for one that has no form on disk."""
    if is_plain(value):
        return to_json(value)
    if value is Ellipsis:
        return {"ellipsis": None}
    if value is UNSET:
        return {"unset": None}
    if isinstance(value, bytes) and type(value) is bytes:
        return {"bytes": value.hex()}
    if isinstance(value, np.dtype) and str(value) in _DTYPES:
        return {"dtype": str(value)}
    if isinstance(value, type) and value in _NAMES:
        return {"class": _NAMES[value]}
    if type(value) in (list, tuple, set):
        return {f"{type(value).__name__} of": [constant_to_json(one) for one in value]}
    raise NotKept(described(value))


def constant_from_json(item: Any) -> Any:
    """The value that `constant_to_json` wrote. DamagedError for anything else."""
    if isinstance(item, dict) and len(item) == 1:
        ((kind, held),) = item.items()
        if kind == "ellipsis":
            return ...
        if kind == "unset":
            return UNSET
        if kind == "bytes" and isinstance(held, str):
            return bytes.fromhex(held)
        if kind == "dtype" and held in _DTYPES:
            return _DTYPES[held]
        if kind == "class" and held in KINDS:
            return KINDS[held]
        if kind.endswith(" of") and isinstance(held, list):
            make = {"list of": list, "tuple of": tuple, "set of": set}.get(kind)
            if make is not None:
                return make(map(constant_from_json, held))
    return from_json(item)


def described(value: Any) -> str:
    """What an error calls a value that has no form on disk."""
    if isinstance(value, type):
        return f"the class {value.__qualname__}"
    name = getattr(value, "__qualname__", None)
    if isinstance(name, str):
        return f"the function {name}"
    return f"{value!r:.60}, a {type(value).__qualname__}"
