"""Gradients of values while a backward pass runs: summed where a value was used several times."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from autograph.runtime.core.spec import ListSpec
from autograph.runtime.graph.ir import Value
from autograph.runtime.graph.trace import StagedList, wrap
from autograph.runtime.ops.table import OPS


class Gradients:
    """The gradients found so far; a value without one has none (zero), and nothing stands for it.

    They are tensors, or staged lists for values that are lists.
    """

    def __init__(self) -> None:
        self._found: dict[Value, Any] = {}

    def get(self, value: Value) -> Any:
        """The gradient of `value` so far, or None."""
        return self._found.get(value)

    def add(self, value: Value, gradient: Any) -> None:
        """Add to the gradient of `value`; None adds nothing."""
        if gradient is None:
            return
        before = self._found.get(value)
        self._found[value] = gradient if before is None else plus(before, gradient)

    def put(self, value: Value, gradient: Any) -> None:
        """Replace the gradient of `value` by one that holds it already."""
        self._found[value] = gradient


def plus(one: Any, other: Any) -> Any:
    """The sum of two gradients of one value."""
    return OPS.list_add(one, other) if isinstance(one, StagedList) else OPS.add(one, other)


def zeros_of(value: Value) -> Any:
    """A gradient of zeros for `value`."""
    if isinstance(value.spec, ListSpec):
        return OPS.list_zeros_like(wrap(value))
    if value.spec.is_static:
        return OPS.zeros(value.spec.shape, dtype=value.spec.dtype)
    return OPS.zeros_like(wrap(value))


# Adding into what is there already: a loop that reads one row a turn must not build a whole tensor
# of zeros for each.
Into = Callable[..., Any]


def _index_into(sum_so_far: Any, g: Any, x: Any, *, index: Any) -> Any:
    return OPS.apply("index_add", (sum_so_far, g), {"index": index})


def _take_into(sum_so_far: Any, g: Any, x: Any, indices: Any, *, axis: int) -> Any:
    return OPS.apply("scatter_add", (sum_so_far, indices, g), {"axis": axis})


def _get_into(sum_so_far: Any, g: Any, items: Any, index: Any) -> Any:
    return OPS.list_add_at(sum_so_far, index, g)


INTO: Mapping[str, Into] = {"index": _index_into, "take": _take_into, "list_get": _get_into}
"""By op: `rule(sum so far of input 0, gradient of the result, *inputs, **attributes)`."""
