"""Keys that are tuples of which a part is one of several values."""

from __future__ import annotations

from typing import Any

from autograph.effects.choice import Choice
from autograph.effects.thawing import rebuild
from autograph.effects.tracing import Tracing
from autograph.operators.hashing import note_key


def as_key(tracing: Tracing, key: Any, container: Any) -> Any:
    """A key as a dict or set is asked for it, with all noted that is read for that."""
    if not isinstance(key, Choice):
        note_key(tracing, key, container)
    return spread(tracing, key)


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
