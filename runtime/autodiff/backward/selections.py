"""Zeros that a selection made, in gradients: they stay zeros beside infinite factors.

`where(x > 0, sqrt(x), 0)` gives the root a gradient of zero where it was not taken, and at 0 the
slope of the root is infinite: the product would be NaN. So a gradient that comes out of a selection
has a *mask*: where it is that of something selected. An op whose factor may be infinite has its
result made zero elsewhere, by one `where`; ops that only move or add pass the mask on. A zero that
arithmetic made has no mask, and is a factor like any other: the gradient of `sqrt(x) ** 2` at 0 is
not known.

Masks are computed when something asks for them. Behind a product of matrices and its like there is
a mask of one element: whether anything was selected.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from autograph.runtime.autodiff.backward.fitting import fitted
from autograph.runtime.autodiff.backward.steepness import FOLDING, STEEP
from autograph.runtime.autodiff.saving.cheap import REARRANGED
from autograph.runtime.core.record import Elementwise, Op
from autograph.runtime.core.state import STATE
from autograph.runtime.core.tensor import Tensor
from autograph.runtime.graph.constant import CONSTANT
from autograph.runtime.graph.ir import Value
from autograph.runtime.graph.trace import StagedList
from autograph.runtime.ops.table import OPS

CHOOSING = frozenset({"where", "maximum", "minimum", "relu"})
"""Elementwise ops that take each element from one operand, and from no other."""
PICKING = frozenset(
    {"index", "index_set", "max", "min", "scatter_set", "take", "tril", "triu"},
)
"""Ops that take some elements of an operand, and leave others."""
OF_ITEMS = frozenset({"list_exchange", "list_get", "list_set", "list_take"})
"""Those that take some items of a list."""
SELECTING = CHOOSING | PICKING | OF_ITEMS
LEAVING = SELECTING | {"call", "cond", "list_pop", "while_loop"}
"""Ops that may leave zeros for something that nobody used."""
ADDING = frozenset({"add", "astype", "negative", "subtract"})
MOVING = (
    REARRANGED
    | ADDING
    | {"concat", "cumulative_sum", "index_add", "mean", "repeat", "roll", "scatter_add"}
    | {"stack", "sum", "sum_like", "tile"}
)
PASSING = frozenset(
    {"list_add", "list_add_at", "list_concat", "list_extend", "list_fill", "list_pack", "list_pop"}
    | {"list_push", "list_split_like", "list_stack", "list_stack_like", "list_total"}
    | {"list_unpack", "list_unstack"}
)
"""Ops of lists that keep all items, or join them."""
"""Ops whose gradients are those of the result, moved or added up."""
BOUNDED = frozenset(
    {"abs", "asinh", "atan", "copysign", "cos", "erf", "erfc", "log_sigmoid", "sigmoid", "sin"}
    | {"softplus", "tanh"}
)
"""Elementwise ops whose slopes are finite everywhere."""

Rule = Callable[..., Any]


class Mask:
    """Where a gradient is that of something selected; elsewhere it is a zero that stays one.

    Truth values; for the gradient of a list a list of numbers, as large as its items.
    """

    __slots__ = ("_made", "_make", "is_elementwise", "is_run")

    def __init__(self, make: Callable[[], Any], is_elementwise: bool, is_run: bool = False) -> None:
        self._make: Callable[[], Any] | None = make
        self._made: Any = None
        self.is_elementwise = is_elementwise
        """Whether it costs no more than the selection itself."""
        self.is_run = is_run
        """Whether a staged call is run again for it: then only where there is NaN already."""

    @staticmethod
    def known(value: Any) -> Mask:
        """A mask that is computed already."""
        mask = Mask(lambda: value, True)
        mask._made, mask._make = value, None
        return mask

    @property
    def value(self) -> Any:
        """The truth values."""
        if self._make is not None:
            self._made, self._make = self._make(), None
        return self._made


def either(one: Mask | None, other: Mask | None) -> Mask | None:
    """The mask of a sum of two gradients."""
    if one is None or other is None or one is other:
        return one if one is other else None
    both = one.is_elementwise and other.is_elementwise
    is_run = one.is_run or other.is_run
    return Mask(lambda: _joined(one.value, other.value), both, is_run)


def _joined(one: Any, other: Any) -> Any:
    if isinstance(one, StagedList):
        return OPS.list_add(one, other)
    return OPS.logical_or(one, other)


def none_of(zeros: Any) -> Any:
    """The mask of a gradient of which nothing was selected, given a zero gradient."""
    return zeros if isinstance(zeros, StagedList) else OPS.not_equal(zeros, 0)


def ones_of(gradient: Any) -> Any:
    """Ones for a gradient."""
    if isinstance(gradient, StagedList):
        return OPS.list_ones_like(gradient)
    return OPS.ones_like(gradient)


def whole(mask: Any, gradient: Any) -> Any:
    """A mask in the shape of its gradient: one of one element serves for all."""
    if isinstance(mask, StagedList):
        return mask
    return OPS.logical_or(mask, none_of(OPS.zeros_like(gradient)))


def all_of(gradient: Any) -> Any:
    """The mask of a gradient all of which was selected."""
    ones = ones_of(gradient)
    return ones if isinstance(ones, StagedList) else OPS.not_equal(ones, 0)


def parted(found: Sequence[Any], masks: Sequence[Mask | None]) -> Mask | None:
    """The mask of several results, numbers for each; `found` are their gradients."""
    if all(one is None for one in masks):
        return None

    def numbers(gradient: Any, mask: Mask | None) -> Any:
        return ones_of(gradient) if mask is None else as_numbers(mask.value, gradient)

    pairs = list(zip(found, masks, strict=True))
    return Mask(lambda: tuple(numbers(*one) for one in pairs), False)


class Step:
    """The gradient of one operand, of which `spec` is, as the rule of an op computes it."""

    __slots__ = ("attributes", "g", "handles", "op", "out", "position", "rule", "spec")

    def __init__(
        self,
        op: Op,
        rule: Rule,
        position: int,
        g: Any,
        out: Any,
        handles: Sequence[Any],
        attributes: Mapping[str, Any],
        spec: Any,
    ) -> None:
        self.op, self.rule, self.position = op, rule, position
        self.g, self.out, self.handles, self.attributes = g, out, handles, attributes
        self.spec = spec

    def carried(self, gradient: Any, mask: Mask | None) -> tuple[Any, Mask | None]:
        """The gradient with the zeros of selections kept, not yet fitted, and its own mask.

        `mask` is that of the result's gradient.
        """
        name = self.op.name
        if name in OF_ITEMS and self.position:  # what was put in
            return gradient, mask and Mask(lambda: self._moved(mask), False)
        if name in SELECTING:
            return gradient, self._selected(mask)
        if mask is None:
            return gradient, None
        if name in MOVING or name in PASSING:
            cheap = mask.is_elementwise and name in ADDING
            return gradient, Mask(lambda: self._moved(mask), cheap, mask.is_run)
        if isinstance(self.op.lowering, Elementwise):
            if self._may_be_infinite(mask):
                gradient = _kept(gradient, mask)
            if _shape(self.out) == _shape(self.handles[self.position]):
                return gradient, mask
            return gradient, Mask(lambda: self._fitted(mask), False, mask.is_run)
        if name in FOLDING:
            spread = Mask(lambda: self._spread(mask), False, mask.is_run)
            return _kept(gradient, spread), spread
        return gradient, Mask(lambda: OPS.any(mask.value), False, mask.is_run)  # all or nothing

    # masks ------------------------------------------------------------------------------------
    def _selected(self, before: Mask | None) -> Mask:
        """The mask behind a selection."""
        if self.op.name != "where" or _shape(self.out) != _shape(self.handles[self.position]):
            cheap = self.op.name in CHOOSING and (before is None or before.is_elementwise)
            return Mask(lambda: self._moved(before), cheap, before is not None and before.is_run)

        def make() -> Any:
            taken = self.handles[0]
            if taken.dtype.kind != "b":
                taken = OPS.not_equal(taken, 0)
            taken = taken if self.position == 1 else OPS.logical_not(taken)
            return taken if before is None else OPS.logical_and(taken, before.value)

        cheap = before is None or before.is_elementwise
        return Mask(make, cheap, before is not None and before.is_run)

    def _moved(self, before: Mask | None) -> Any:
        """Where the rule brings something of what it is given."""
        ones = ones_of(self.g) if before is None else as_numbers(before.value, self.g)
        found = self.rule(OPS, ones, self.out, *self.handles, **self.attributes)
        if self.op.variadic:
            found = found[self.position]
        if isinstance(found, StagedList):
            return found
        return OPS.not_equal(fitted(self.op, found, self.spec), 0)

    def _fitted(self, mask: Mask) -> Any:
        """For an operand that was broadcast: where any of what it became is selected."""
        return OPS.not_equal(fitted(self.op, as_numbers(mask.value, self.g), self.spec), 0)

    def _spread(self, mask: Mask) -> Any:
        """For a reduction: the elements of what is selected."""
        names = ("axis", "keepdims")
        attributes = {name: self.attributes[name] for name in names if name in self.attributes}
        attributes["dtype"] = self.g.dtype
        rule: Any = OPS.record("sum").gradient[0]
        found = rule(OPS, as_numbers(mask.value, self.g), self.out, *self.handles, **attributes)
        return OPS.not_equal(found, 0)

    def _may_be_infinite(self, mask: Mask) -> bool:
        """Whether the factor is to be looked at: always where the slope may be infinite at finite
        numbers, and where the mask costs little, since numbers may be infinite, too."""
        name = self.op.name
        others = [one for place, one in enumerate(self.handles) if place != self.position]
        if name in BOUNDED:
            return False
        if name in ("multiply", "divide", "power") and all(map(_is_number, others)):
            held = _number(others[0])
            if name == "multiply" or (name == "divide" and self.position == 0):
                return not np.isfinite(held) or (name == "divide" and held == 0)
            if name == "power" and self.position == 0:
                return mask.is_elementwise or not held >= 1
        return name in STEEP or mask.is_elementwise


def _kept(gradient: Any, mask: Mask) -> Any:
    if mask.is_run and not STATE.tapes and not np.isnan(gradient._value).any():
        return gradient
    return OPS.where(mask.value, gradient, np.zeros((), gradient.dtype))


def as_numbers(mask: Any, like: Any) -> Any:
    """A mask as 0 and 1, in the shape of a gradient."""
    if isinstance(mask, StagedList | tuple):
        return mask
    return OPS.where(mask, OPS.ones_like(like), np.zeros((), like.dtype))


def _shape(handle: Any) -> Any:
    """The shape of a tensor; a Python number has no axes."""
    return handle.shape if isinstance(handle, Tensor) else ()


def _is_number(handle: Any) -> bool:
    """Whether an operand is known: a Python number, or a constant of one element."""
    if not isinstance(handle, Tensor):
        return isinstance(handle, int | float)
    held = handle._value
    if not isinstance(held, Value) or held.node is None or held.node.op is not CONSTANT:
        return False
    return np.ndim(held.node.attributes["value"]) == 0


def _number(handle: Any) -> Any:
    """What is held by an operand for which `_is_number` holds."""
    if isinstance(handle, Tensor):
        return np.real(handle._value.node.attributes["value"])
    return handle
