"""Short types of values, for messages."""

from __future__ import annotations

import reprlib

from autograph.runtime.arrays.cells import Storage, View
from autograph.runtime.core.anatomy import with_article
from autograph.values.skeleton import (
    Again,
    Cell,
    Choices,
    Fixed,
    Group,
    Grown,
    Held,
    Leaf,
    Made,
    Packed,
    Reference,
    Skeleton,
)

MAXIMUM_SHOWN = 3
DEEPEST = 2
_short = reprlib.Repr()
_short.maxstring = _short.maxother = 40


def describe(skeleton: Skeleton, depth: int = 0) -> str:
    """The short type of a value, for messages."""
    if depth > DEEPEST:
        return "…"
    match skeleton:
        case Fixed(value=value):
            return _short.repr(value)
        case Leaf(spec=spec) | Cell(spec=spec):
            return str(spec)
        case Group(kind=kind, items=items) if kind is View:
            return f"a view of {describe(items[0], depth + 1)}"
        case Reference(kind=kind) if issubclass(kind, Storage):
            return "an array"
        case Group(kind=kind, items=items):
            inner = ", ".join(describe(item, depth + 1) for item in items)
            if kind is tuple:
                return f"({inner},)" if len(items) == 1 else f"({inner})"
            return f"{kind.__name__}({inner})"
        case Made(kind=kind) | Held(kind=kind) | Reference(kind=kind):
            return f"{with_article(kind.__name__)}"
        case Grown(kind=kind, element=element) | Packed(kind=kind, element=element):
            return f"{with_article(kind.__name__)} of {describe(element, depth)}"
        case Choices(options=options):
            shown = [describe(option, depth) for option in options[:MAXIMUM_SHOWN]]
            return " or ".join([*shown, *(["…"] if len(options) > MAXIMUM_SHOWN else [])])
        case Again(leaf=Leaf() as leaf):
            return describe(leaf)
    return "a value"
