"""The sizes of what library ops give, and numbers that are known from sizes."""

from __future__ import annotations

import operator
from collections.abc import Callable

from autograph.runtime.core.dims import Dim, DimLike
from autograph.runtime.core.spec import ListSpec, normalized_axis
from autograph.runtime.graph.ir import Node
from autograph.runtime.lower.sizes.analysis import RULES, Analysis, Known


def _same(self: Analysis, node: Node) -> list[Known]:
    return [self.sizes[node.inputs[0]]]


def _matmul(self: Analysis, node: Node) -> list[Known]:
    x, y = self.of(node.inputs[0]), self.of(node.inputs[1])
    self.require(node, x[-1], y[-2] if len(y) > 1 else y[0])
    batch, checks = self.table.broadcast([x[:-2], y[:-2]])
    if checks:
        self.checks.setdefault(node, []).extend(checks)
    rows = x[-2:-1] if len(x) > 1 else ()
    columns = y[-1:] if len(y) > 1 else ()
    return [(*batch, *rows, *columns)]


def _matmul_add(self: Analysis, node: Node) -> list[Known]:
    _, x, y = node.inputs
    sizes = self.of(node.inputs[0])
    left, right = self.of(x), self.of(y)
    self.require(node, left[-1], right[-2] if len(right) > 1 else right[0])
    batch, checks = self.table.broadcast([left[:-2], right[:-2]])
    if checks:
        self.checks.setdefault(node, []).extend(checks)
    product_sizes = (*batch, *(left[-2:-1] if len(left) > 1 else ()))
    product_sizes += right[-1:] if len(right) > 1 else ()
    for one, other in zip(sizes, product_sizes, strict=True):
        self.require(node, one, other)
    return [tuple(map(self.table.resolve, sizes))]


def _take(self: Analysis, node: Node) -> list[Known]:
    sizes, indices = self.of(node.inputs[0]), self.of(node.inputs[1])
    along = normalized_axis(node.attributes["axis"], len(sizes))
    return [(*sizes[:along], *indices, *sizes[along + 1 :])]


def _cumulative(self: Analysis, node: Node) -> list[Known]:
    sizes = list(self.of(node.inputs[0]))
    if node.attributes.get("include_initial", False):
        axis = node.attributes.get("axis")
        along = 0 if axis is None else normalized_axis(axis, len(sizes))
        sizes[along] = sizes[along] + 1
    return [tuple(sizes)]


def _arguments(self: Analysis, node: Node) -> list[Known]:
    return [self.reduced(node)]


def _arithmetic(self: Analysis, node: Node) -> list[Known]:
    """Sums and products of sizes are numbers known before the run; so are quotients."""
    found = [self.numbers.get(value) for value in node.inputs]
    known = [one for one in found if one is not None]
    if len(known) == len(found) and any(isinstance(one, Dim) for one in known):
        # an int of the program may be a size too: its text must not tell it
        sizes = [self.table.parameter(one) if isinstance(one, int) else one for one in known]
        result = _computed(self, node.op.name, *map(self.table.resolve, sizes))
        if result is not None:
            self.numbers[node.outputs[0]] = result
    return [()]


def _computed(self: Analysis, name: str, one: DimLike, other: DimLike) -> DimLike | None:
    if name == "py_add":
        return one + other
    if name == "py_sub":
        return one - other
    if name == "py_mul":
        return one * other
    if not (self.table.is_early(one) and self.table.is_early(other)):
        return None
    if name in ("py_floordiv", "py_mod") and not (self.table.value(other) or 0) > 0:
        return None
    return self.table.derived(HOST_RULES[name], one, other)


HOST_RULES: dict[str, Callable[[int, int], int]] = {
    "py_floordiv": operator.floordiv,
    "py_mod": operator.mod,
    "py_min2": min,
    "py_max2": max,
}


def _dead(self: Analysis, node: Node) -> list[Known]:
    found: list[Known] = []
    for value in node.outputs:
        shape = value.spec.element.shape if isinstance(value.spec, ListSpec) else value.spec.shape
        found.append(tuple(0 for _ in shape))
    return found


RULES.update(dict.fromkeys(("py_add", "py_sub", "py_mul", *HOST_RULES), _arithmetic))
RULES.update(
    index_set=_same,
    index_add=_same,
    scatter_add=_same,
    scatter_set=_same,
    checked_indices=_same,
    checked_exponent=_same,
    checked_counts=_same,
    matmul=_matmul,
    matmul_add=_matmul_add,
    take=_take,
    argmax=_arguments,
    argmin=_arguments,
    argsort=lambda self, node: [self.of(node.inputs[0])],
    sorted_along=lambda self, node: [self.of(node.inputs[0])],
    order_statistics=lambda self, node: [
        (*self.of(node.inputs[1]), *self.of(node.inputs[0])[1:]),
    ],
    python_order=lambda self, node: [self.of(node.inputs[0])],
    set_order=lambda self, node: [self.of(node.inputs[0])],
    cumulative_sum=_cumulative,
    cumulative_prod=_cumulative,
    raise_=_dead,
)
