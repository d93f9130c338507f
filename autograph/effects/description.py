"""Short types of values, for messages."""

from __future__ import annotations

from autograph.effects.skeleton import (
    Again,
    Cell,
    Choices,
    Fixed,
    Group,
    Grown,
    Held,
    Leaf,
    Made,
    Skeleton,
)

MAXIMUM_SHOWN = 3


def describe(skeleton: Skeleton) -> str:
    """The short type of a value, for messages."""
    match skeleton:
        case Fixed(value=value):
            return repr(value)
        case Leaf(spec=spec) | Cell(spec=spec):
            return str(spec)
        case Group(kind=kind, items=items):
            return f"{kind.__name__}({', '.join(map(describe, items))})"
        case Made(kind=kind) | Held(kind=kind):
            return f"a {kind.__name__}"
        case Grown(element=element):
            return f"a list of {describe(element)}"
        case Choices(options=options):
            shown = [describe(option) for option in options[:MAXIMUM_SHOWN]]
            return " or ".join([*shown, *(["…"] if len(options) > MAXIMUM_SHOWN else [])])
        case Again(leaf=Leaf() as leaf):
            return describe(leaf)
    return "a value"
