"""What an import in a function gives."""

from __future__ import annotations

import importlib.util
import sys
from typing import Any

from autograph.operators.expressions.attributes import attr
from autograph.tracing.reading import LIBRARIES, observe_once
from autograph.tracing.tracing import current
from autograph.values.sentinels import UNSET


def imported(module: str, name: str, value: Any, package: str | None = None) -> Any:
    """What `from module import name` in a function has given: an attribute that may change."""
    tracing = current()
    if tracing is None:
        return value
    held = imported_module(_absolute(module, package))
    known = held is not None and vars(held).get(name, UNSET) is value
    return attr(held, name) if known else value


def imported_module(name: str, value: Any = None) -> Any:
    """What `import name` has given: what stands in `sys.modules`, where another may be put."""
    tracing, held = current(), sys.modules.get(name)
    if tracing is None or held is None or name.partition(".")[0] in LIBRARIES:
        return held if value is None else value
    key, path = ("module", name), f"{tracing.table.constant(sys.modules)}.get({name!r})"
    return observe_once(tracing, key, held, path, by_name=True)


def _absolute(module: str, package: str | None) -> str:
    if not module.startswith("."):
        return module
    return importlib.util.resolve_name(module, package) if package else ""
