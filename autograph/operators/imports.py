"""What an import in a function gives."""

from __future__ import annotations

import sys
from typing import Any

from autograph.effects.sentinels import UNSET
from autograph.effects.tracing import current
from autograph.operators.attributes import attr


def imported(module: str, name: str, value: Any) -> Any:
    """What `from module import name` in a function has given: an attribute that may change."""
    tracing, held = current(), sys.modules.get(module)
    known = held is not None and vars(held).get(name, UNSET) is value
    return value if tracing is None or not known else attr(held, name)
