"""The sizes of the items of lists: known where all items that are pushed have the same."""

from __future__ import annotations

from autograph.runtime.core.dims import Dim, DimLike
from autograph.runtime.core.spec import Spec, normalized_axis
from autograph.runtime.graph.ir import Node
from autograph.runtime.lower.sizes.analysis import EMPTY, RULES, Analysis, Known
from autograph.runtime.lower.storage.forms import Sizes


def _create(self: Analysis, node: Node) -> list[Known]:
    return [EMPTY]


def _with_item(self: Analysis, node: Node) -> list[Known]:
    """The list with one more item: the last operand."""
    known, item = self.sizes[node.inputs[0]], self.sizes[node.inputs[-1]]
    if known is EMPTY:
        return [item]
    if known is None or item is None or len(known) != len(item):
        return [None]
    if not all(self.table.unify(one, other) for one, other in zip(known, item, strict=True)):
        return [None]
    return [known]


def _exchanged(self: Analysis, node: Node) -> list[Known]:
    known = self.sizes[node.inputs[0]]
    if known is EMPTY:
        return [known]
    item = self.sizes[node.inputs[2]]
    if known is None or item is None or len(known) != len(item):
        return [None]
    if not all(self.table.unify(one, other) for one, other in zip(known, item, strict=True)):
        return [None]
    return [known]


def _item(self: Analysis, node: Node, output: int) -> Sizes:
    """The sizes of an item that a node takes from its list."""
    known = self.known_items(node.inputs[0])
    if known is not None:
        return known
    spec = node.outputs[output].spec
    assert isinstance(spec, Spec)
    sizes: list[DimLike] = []
    for axis, dim in enumerate(spec.shape):
        # The items differ: a symbol in their spec is no size that anything else has.
        own = isinstance(dim, Dim) and not dim.symbols <= self.table.bound
        found = self.unknown(node, output, axis, spec.ndim) if own else None
        sizes.append(self.from_spec(node, output, axis) if found is None else found)
    return tuple(sizes)


def _extended(self: Analysis, node: Node) -> list[Known]:
    if self.sizes[node.inputs[1]] is EMPTY:
        return [self.sizes[node.inputs[0]]]
    return _with_item(self, node)


def _pop(self: Analysis, node: Node) -> list[Known]:
    return [self.sizes[node.inputs[0]], _item(self, node, 1)]


def _get(self: Analysis, node: Node) -> list[Known]:
    return [_item(self, node, 0)]


def _stack(self: Analysis, node: Node) -> list[Known]:
    spec = node.outputs[0].spec
    assert isinstance(spec, Spec)
    along = normalized_axis(node.attributes.get("axis", 0), spec.ndim)
    known = self.known_items(node.inputs[0])
    sizes: list[DimLike] = []
    for axis in range(spec.ndim):
        if axis == along or known is None:
            sizes.append(self.from_spec(node, 0, axis))
        else:
            sizes.append(known[axis - (axis > along)])
    return [tuple(sizes)]


def _values(self: Analysis, node: Node) -> list[Known]:
    return [(self.unknown(node, 0, 0, 1),)]


def _padded(self: Analysis, node: Node) -> list[Known]:
    return [(self.unknown(node, 0, 0, 2), self.unknown(node, 0, 1, 2))]


def _stack_like(self: Analysis, node: Node) -> list[Known]:
    return [self.of(node.inputs[1])]


def _concat(self: Analysis, node: Node) -> list[Known]:
    spec = node.outputs[0].spec
    assert isinstance(spec, Spec)
    along = normalized_axis(node.attributes.get("axis", 0), spec.ndim)
    known = self.known_items(node.inputs[0])
    return [
        tuple(
            self.from_spec(node, 0, axis) if axis == along or known is None else known[axis]
            for axis in range(spec.ndim)
        )
    ]


def _unstack(self: Analysis, node: Node) -> list[Known]:
    sizes = self.of(node.inputs[0])
    along = normalized_axis(node.attributes.get("axis", 0), len(sizes))
    return [tuple(size for axis, size in enumerate(sizes) if axis != along)]


def _same(self: Analysis, node: Node) -> list[Known]:
    return [self.sizes[node.inputs[0]]]


def _split(self: Analysis, node: Node) -> list[Known]:
    return [None]


def _total(self: Analysis, node: Node) -> list[Known]:
    return [self.sizes[node.inputs[1]]]


RULES.update(
    list_create=_create,
    list_push=_with_item,
    list_set=_with_item,
    list_exchange=_exchanged,
    list_add_at=_same,
    list_take=_same,
    list_values=_values,
    list_extend=_extended,
    list_pop=_pop,
    list_get=_get,
    list_stack=_stack,
    list_stack_like=_stack_like,
    list_concat=_concat,
    list_unstack=_unstack,
    list_numbers=_unstack,
    list_pack=_stack,
    list_unpack=_unstack,
    list_zeros_like=_same,
    list_ones_like=_same,
    list_add=_same,
    list_fill=_same,
    list_split_like=_split,
    list_total=_total,
    list_pad=_padded,
    list_unpad=_split,
)
