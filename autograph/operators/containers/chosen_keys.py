"""Keys that are tuples of which a part is one of several values."""

from __future__ import annotations

from typing import Any

from autograph.merge.thaw import rebuild
from autograph.operators.calls.user_hashing import note_key
from autograph.operators.expressions.truth import to_number
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
    """A tuple of which a part is one of several values, as one of several tuples; else `key`."""
    if not isinstance(key, tuple):
        return key
    for place, part in enumerate(key):
        one = spread(tracing, part)
        if isinstance(one, Choice):
            options = [
                rebuild(type(key), [*key[:place], option, *key[place + 1 :]])
                for option in one.options
            ]
            for made in options:
                tracing.rebuild(made)
            return Choice(one.tag, tuple(options))
    return key
