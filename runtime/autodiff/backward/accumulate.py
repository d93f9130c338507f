"""Gradients of values while a backward pass runs: summed where a value was used several times."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from autograph.runtime.autodiff.backward.selections import Mask, either
from autograph.runtime.autodiff.backward.steepness import Steepness
from autograph.runtime.core.spec import ListSpec, Spec
from autograph.runtime.graph.ir import Value
from autograph.runtime.graph.trace import StagedList, wrap
from autograph.runtime.ops.table import OPS


class Gradients:
    """The gradients found so far; a value without one has none (zero), and nothing stands for it.

    They are tensors, or staged lists for values that are lists. One that came out of a cond some of
    whose branches do not use the value has a flag, a staged bool: whether it connects at all. What
    is computed from zeros that do not connect may be NaN behind an infinite factor, where eager
    code never goes; that becomes zero again where it meets other gradients, and where it is asked
    for.
    """

    def __init__(self) -> None:
        self._found: dict[Value, Any] = {}
        self._flags: dict[Value, Any] = {}
        self._masks: dict[Value, Mask] = {}
        """Where they are gradients of what selections took."""
        self.unmasked: set[Value] = set()
        """Those that had no mask before one with a mask was added to them."""
        self.steepness = Steepness()
        self._unclean: set[Value] = set()
        """Those with a flag that are perhaps not zero where they do not connect."""

    def get(self, value: Value) -> Any:
        """The gradient of `value` so far, zero where it does not connect; or None."""
        if value in self._unclean:
            self._unclean.remove(value)
            self._found[value] = _cleaned(self._found[value], self._flags[value])
        return self._found.get(value)

    def raw(self, value: Value) -> Any:
        """Like `get`, but anything where it does not connect."""
        return self._found.get(value)

    def flag(self, value: Value) -> Any:
        """Whether the gradient of `value` connects: None for always."""
        return self._flags.get(value)

    def mask(self, value: Value) -> Mask | None:
        """Where the gradient of `value` is that of something selected: None for everywhere."""
        return self._masks.get(value)

    def connected(self, value: Value) -> Mask | None:
        """The mask of the gradient of `value`: where it does not connect nothing is selected."""
        mask, flag = self._masks.get(value), self._flags.get(value)
        if flag is None or not isinstance(value.spec, Spec):
            return mask
        if mask is None:
            return Mask.known(flag)
        return Mask(lambda: OPS.logical_and(mask.value, flag), mask.is_elementwise)

    def with_mask(self, value: Value, mask: Mask | None, flag: Any = None) -> Mask | None:
        """The mask of the gradient of `value` with one more that has `mask` and `flag`."""
        if value not in self._found:
            return mask
        known = self._masks.get(value)
        if mask is not None and known is None:
            self.unmasked.add(value)
        if isinstance(value.spec, Spec):  # what does not connect selects nothing
            if mask is None and known is not None and flag is not None:
                mask = Mask.known(flag)
            elif known is None and mask is not None:
                known = self.connected(value)
        return either(mask, known)

    def is_clean(self, value: Value) -> bool:
        """Whether the gradient of `value` is zero where it does not connect."""
        return value not in self._unclean

    def add(
        self,
        value: Value,
        gradient: Any,
        flag: Any = None,
        clean: bool = True,
        mask: Mask | None = None,
    ) -> None:
        """Add to the gradient of `value`; None adds nothing.

        `clean`: it is zero where the flag says that it does not connect.
        """
        if gradient is None:
            return
        mask = self.with_mask(value, mask, flag)
        self._add(value, gradient, flag, clean)
        if mask is not None:
            self._masks[value] = mask

    def _add(self, value: Value, gradient: Any, flag: Any, clean: bool) -> None:
        clean = clean or isinstance(gradient, StagedList)  # what it holds is moved, not scaled
        if value not in self._found:
            self._store(value, gradient, flag, clean)
            return
        known = self._flags.get(value)
        if known is not None and known is flag:
            clean = clean and value not in self._unclean
            self._store(value, plus(self._found[value], gradient), flag, clean)
            return
        gradient = gradient if clean or flag is None else _cleaned(gradient, flag)
        total = plus(self.get(value), gradient)
        self._store(value, total, self.either(value, flag), True)

    def either(self, value: Value, flag: Any) -> Any:
        """Whether the gradient of `value` connects with one more that does if `flag` says so."""
        known = self._flags.get(value)
        if known is None or flag is None or known is flag:
            return None if flag is None else known
        return OPS.logical_or(known, flag)

    def put(self, value: Value, gradient: Any, flag: Any = None, mask: Mask | None = None) -> None:
        """Replace the gradient of `value` by one that holds it already."""
        self._store(value, gradient, flag, True)
        if mask is not None:
            self._masks[value] = mask

    def _store(self, value: Value, gradient: Any, flag: Any, clean: bool) -> None:
        self._found[value] = gradient
        self._masks.pop(value, None)
        self._unclean.discard(value)
        if flag is None:
            self._flags.pop(value, None)
        else:
            self._flags[value] = flag
            if not clean:
                self._unclean.add(value)


def _cleaned(gradient: Any, flag: Any) -> Any:
    """A gradient, zero where its flag says that it does not connect."""
    return OPS.where(flag, gradient, np.zeros((), gradient.dtype))


def plus(one: Any, other: Any) -> Any:
    """The sum of two gradients of one value."""
    return OPS.list_add(one, other) if isinstance(one, StagedList) else OPS.add(one, other)


def zeros_of(value: Value) -> Any:
    """A gradient of zeros for `value`."""
    if isinstance(value.spec, ListSpec):
        return OPS.list_of_zeros(wrap(value))
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
