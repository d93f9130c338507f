"""What check mode says: where, both values, the line."""

from __future__ import annotations

import types
import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np

from autograph.checking.comparison import Difference
from autograph.checking.sampling import Turned
from autograph.errors import CheckError, RoundingWarning
from autograph.runtime.core.location import Location
from autograph.runtime.graph.ir import Graph

REMEDY = (
    "pass in what differs from run to run (a clock, a foreign random number). If nothing does, "
    "this is a bug: please report it"
)


def first_line(function: types.FunctionType) -> Location:
    """Where a function begins."""
    code = function.__code__
    return Location(code.co_filename, code.co_firstlineno, code.co_name)


def line_of(
    difference: Difference, graph: Graph, outputs: Sequence[Any], otherwise: Location
) -> Location:
    """The line that computes what differs, where that can be told."""
    found = [value for value, one in zip(graph.outputs, outputs) if one is difference.origin]
    known = len(found) == 1 and found[0].node is not None and found[0].node.location
    return known or otherwise


def check_error(difference: Difference, run: str, location: Location) -> CheckError:
    """The error for a difference between eager Python and another run."""
    return CheckError(
        f"{run} differs from eager Python in {difference.path}\n"
        f"  eager: {difference.expected}\n"
        f"  {run}: {difference.found}",
        location=location,
        remedy=REMEDY,
    )


def unlogged_effect(difference: Difference, location: Location) -> CheckError:
    """The error for state that tracing changed and did not give back."""
    return CheckError(
        f"tracing changed {difference.path}, and did not put it back\n"
        f"  before: {difference.expected}\n"
        f"  after: {difference.found}",
        location=location,
        remedy="let functions marked with ag.do_not_convert or ag.pure change nothing that others "
        "see. If there are none, this is a bug: please report it",
    )


def warn_of_rounding(
    turned: Turned, difference: Difference | None, run: str, location: Location
) -> None:
    """Say which condition rounding decided, with its operands."""
    place = turned.location or location
    operands = " and ".join(_either(*pair) for pair in turned.operands)
    lines = [f"rounding decided this {turned.what}: {turned.op} of {operands}"]
    if difference is not None:
        lines += [
            f"  {difference.path} differs for that",
            f"  eager: {difference.expected}",
            f"  {run}: {difference.found}",
        ]
    known = _SAID.setdefault(place.filename, {})
    text = "\n".join(lines)
    warnings.warn_explicit(text, RoundingWarning, place.filename, place.line, registry=known)


_SAID: dict[str, dict[Any, Any]] = {}
"""What was said of each file: the filters of warnings say when it is said again."""


def _either(one: Any, other: Any) -> str:
    """An operand as eager Python has it, and as it may be as well."""
    texts = [str(np.asarray(each)) if np.size(each) else repr(each) for each in (one, other)]
    return texts[0] if texts[0] == texts[1] else f"{texts[0]} (or {texts[1]})"
