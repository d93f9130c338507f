"""Keys that are tuples or slices of which a part is one of several values."""

from __future__ import annotations

from typing import Any

from autograph.merge.thaw import rebuild
from autograph.operators.calls.user_hashing import note_key
from autograph.operators.containers.slices import as_index
from autograph.operators.expressions.truth import choose, to_number
from autograph.runtime.arrays.cells import Scalar, as_tensor
from autograph.runtime.core.spec import PYTHON_TYPES
from autograph.tracing.tracing import Tracing
from autograph.values.choice import Choice


def as_key(tracing: Tracing, key: Any, container: Any) -> Any:
    """A key as a dict or set is asked for it, with all noted that is read for that."""
    if not isinstance(key, Choice):
        key = _by_number(key)
        note_key(tracing, key, container)
    return spread(tracing, key)


def _by_number(key: Any) -> Any:
    """A key with Python numbers in the place of NumPy's, which are equal and have their hashes."""
    if isinstance(key, Scalar):
        return to_number(as_tensor(key), PYTHON_TYPES[key.dtype.kind])
    if type(key) is tuple and any(isinstance(one, Scalar | tuple) for one in key):
        return tuple(map(_by_number, key))
    return key


def spread(tracing: Tracing, key: Any) -> Any:
    """A tuple or slice of which a part is one of several values, as one of several; else `key`."""
    if not isinstance(key, tuple | slice):
        return key
    parts = (key.start, key.stop, key.step) if isinstance(key, slice) else key
    for place, part in enumerate(parts):
        one = spread(tracing, part)
        if isinstance(one, Choice):
            others = ([*parts[:place], option, *parts[place + 1 :]] for option in one.options)
            options = [
                slice(*found) if isinstance(key, slice) else rebuild(type(key), found)
                for found in others
            ]
            for made in options:
                tracing.rebuild(made)
            return Choice(one.tag, tuple(options))
    return key


def with_bounds(tracing: Tracing, key: Any) -> Any:
    """An index of an array, in whose slices a bound that is one of several ints is a staged int."""
    if type(key) is tuple:
        return tuple([with_bounds(tracing, one) for one in key])
    if not isinstance(key, slice):
        return key
    bounds = (key.start, key.stop, key.step)
    if not any(isinstance(one, Choice) for one in bounds):
        return key
    return slice(
        *[choose(tracing, one, as_index) if isinstance(one, Choice) else one for one in bounds]
    )
