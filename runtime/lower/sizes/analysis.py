"""The sizes of every value of a graph, and of its sub-graphs, before anything is emitted.

Sizes flow from the inputs through the nodes. A size that only the run can tell is a local variable,
which the code of the node that makes it assigns.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from autograph.runtime.core.dims import Dim, DimLike, Shape
from autograph.runtime.core.record import DynamicInt, Elementwise, Reduction
from autograph.runtime.core.spec import AnySpec, ListSpec, Spec, normalized_axes
from autograph.runtime.graph.constant import CONSTANT
from autograph.runtime.graph.ir import Graph, Node, Value
from autograph.runtime.lower.sizes.polynomials import Derived, SizeTable
from autograph.runtime.lower.storage.forms import Sizes
from autograph.runtime.ops.indexing.entries import Slice

Pair = tuple[DimLike, DimLike]
Known = Sizes | None
"""The sizes of a tensor, or of every item of a list; None for a list whose items may differ."""


class _Empty(tuple[DimLike, ...]):
    """The sizes of the items of a list that has none yet."""


EMPTY: Sizes = _Empty()
"""What is known of the items of an empty list: the first one that is pushed says it."""


Rule = Callable[["Analysis", Node], list[Known]]
RULES: dict[str, Rule] = {}
"""By the name of the op: the sizes of its outputs. Others have those of their specs."""

SIZED_BY_DATA = frozenset(
    {"call", "list_concat", "list_pack", "list_pad", "list_stack", "nonzero_flat"}
)
"""Ops whose results have sizes of their own, whatever other values have the same symbols."""


class NotNativeError(Exception):
    """What programs cannot run natively: `nodes`, the innermost ones, are left to CPython."""

    nodes: tuple[Node, ...] = ()


class Analysis:
    """Sizes of the values of one graph for the sizes of its inputs."""

    def __init__(
        self,
        table: SizeTable,
        graph: Graph,
        inputs: Sequence[Known],
        numbers: Sequence[DimLike | None] = (),
        within: tuple[Graph, ...] = (),
    ) -> None:
        self.table = table
        self.within = within
        """The native function that is being made, and the functions written out in it."""
        self.graph = graph
        self.sizes: dict[Value, Known] = dict(zip(graph.inputs, inputs, strict=True))
        self.numbers: dict[Value, DimLike] = {}
        """Python ints that are sizes."""
        self.checks: dict[Node, list[Pair]] = {}
        """Pairs of sizes that must be equal when the node runs."""
        self.made: dict[Node, dict[int, list[str | None]]] = {}
        """For outputs whose sizes the node's own code assigns: the variables, by axis."""
        self.inner: dict[tuple[Node, int], Analysis] = {}
        self._slices: dict[tuple[Node, int], tuple[DimLike, DimLike] | None] = {}
        for value in graph.inputs:
            known = self.sizes[value]
            if isinstance(value.spec, Spec) and known is not None:
                table.define(value.spec.shape, known)
        for value, number in zip(graph.inputs, numbers, strict=False):
            if number is not None:
                self.numbers[value] = number
        for node in graph.nodes:
            try:
                self._visit(node)
            except NotNativeError as error:
                error.nodes = error.nodes or (node,)
                raise

    def of(self, value: Value) -> Sizes:
        """The sizes of a tensor."""
        found = self.sizes[value]
        assert found is not None
        return tuple(self.table.resolve(size) for size in found)

    def known_items(self, value: Value) -> Known:
        """The sizes that all items of a list have, where that is known."""
        found = self.sizes[value]
        return None if found is EMPTY else found

    def outputs(self) -> list[Known]:
        """The sizes of the outputs."""
        return [self.sizes[value] for value in self.graph.outputs]

    # helpers ----------------------------------------------------------------------------------
    def unknown(self, node: Node, output: int, axis: int, rank: int) -> DimLike:
        """A size that the node's own code assigns."""
        name = self.table.local()
        names = self.made.setdefault(node, {}).setdefault(output, [None] * rank)
        names[axis] = name
        return Dim.symbol(name)

    def from_spec(self, node: Node, output: int, axis: int) -> DimLike:
        """The size a spec gives, or one that the node's code assigns.

        A symbol that the operands do not have is this node's own, even where another node has it,
        too: the same node of an earlier round, or the one that this one repeats in a backward pass.
        """
        shape = _shape(node.outputs[output].spec)
        dim = shape[axis]
        if isinstance(dim, Dim):
            given = {name for value in node.inputs for name in _symbols(value.spec)}
            if node.op.name not in SIZED_BY_DATA:
                given |= self.table.bound
            if not dim.symbols <= given:
                return self.unknown(node, output, axis, len(shape))
        try:
            return self.table.of_dim(dim)
        except KeyError:
            return self.unknown(node, output, axis, len(shape))

    def wanted(self, node: Node, output: int, axis: int, entry: Any) -> DimLike:
        """The size that an attribute asks for: an int, or a staged one."""
        if isinstance(entry, DynamicInt):
            value = node.inputs[entry.operand]
            known = self.numbers.get(value)
            if known is not None and self._is_size(known):
                return known
            return self.unknown(node, output, axis, self.rank_of(node, output))
        return self.from_spec(node, output, axis)

    def _is_size(self, number: DimLike) -> bool:
        """Whether a number cannot be negative, as it is made of sizes by sums and products."""
        if isinstance(number, int):
            return number >= 0
        sources = map(self.table.sources.get, number.symbols)
        made = any(isinstance(one, Derived) for one in sources)  # such as (n - 5) // 2
        return not made and all(term >= 0 for term in number.terms.values())

    def rank_of(self, node: Node, output: int) -> int:
        spec = node.outputs[output].spec
        return spec.element.ndim if isinstance(spec, ListSpec) else spec.ndim

    # the nodes --------------------------------------------------------------------------------
    def _visit(self, node: Node) -> None:
        given = node.op is CONSTANT and node.outputs[0] not in self.graph.outputs
        if not given and any(map(_is_complex, (*node.inputs, *node.outputs))):
            raise NotNativeError("complex tensors have no native form")
        lowering = node.op.lowering
        if isinstance(lowering, Elementwise) and node.op.name not in RULES:
            found: Sequence[Known] = [self._broadcast(node, node.inputs)]
        elif isinstance(lowering, Reduction):
            found = [self.reduced(node)]
        else:
            rule = RULES.get(node.op.name)
            found = rule(self, node) if rule else self._by_spec(node)
        for value, sizes in zip(node.outputs, found, strict=True):
            self.sizes[value] = sizes
            if isinstance(value.spec, Spec) and sizes is not None:
                self.table.define(value.spec.shape, sizes)

    def _by_spec(self, node: Node) -> list[Known]:
        found: list[Known] = []
        for output, value in enumerate(node.outputs):
            rank = self.rank_of(node, output)
            if isinstance(value.spec, ListSpec):
                found.append(self._item_sizes(value.spec))
            else:
                found.append(tuple(self.from_spec(node, output, axis) for axis in range(rank)))
        return found

    def _item_sizes(self, spec: ListSpec) -> Known:
        """The sizes of the items of a new list; None where they may differ."""
        try:
            return tuple(self.table.of_dim(dim) for dim in spec.element.shape)
        except KeyError:
            return None

    def _broadcast(self, node: Node, values: Sequence[Value]) -> Sizes:
        sizes, checks = self.table.broadcast([self.of(value) for value in values])
        if checks:
            self.checks.setdefault(node, []).extend(checks)
        return sizes

    def reduced(self, node: Node) -> Sizes:
        sizes = self.of(node.inputs[0])
        axes = normalized_axes(node.attributes.get("axis"), len(sizes))
        if node.attributes.get("keepdims", False):
            return tuple(1 if i in axes else size for i, size in enumerate(sizes))
        return tuple(size for i, size in enumerate(sizes) if i not in axes)

    def sliced(
        self, node: Node, entry: Slice, size: DimLike, place: int
    ) -> tuple[DimLike, DimLike] | None:
        """Where a slice of an axis starts and how many elements it takes, where that is known
        before the run; always the same names for the same slice."""
        key = (node, place)
        if key not in self._slices:
            self._slices[key] = self._sliced(node, entry, size)
        return self._slices[key]

    def _sliced(self, node: Node, entry: Slice, size: DimLike) -> tuple[DimLike, DimLike] | None:
        parts: list[DimLike] = [size]
        template: list[int | None] = []
        for one in (entry.start, entry.stop):
            if isinstance(one, DynamicInt):
                known = self.numbers.get(node.inputs[one.operand])
                if known is None:
                    return None
                one = known
            template.append(None if one is None else len(parts))
            if one is not None:
                parts.append(one)
        step = entry.step
        if isinstance(step, DynamicInt) or not all(map(self.table.is_early, parts)):
            return None

        def bounds(*numbers: int) -> range:
            start, stop = (None if place is None else numbers[place] for place in template)
            return range(*slice(start, stop, step).indices(numbers[0]))

        first: DimLike = 0
        if entry.start is not None or (step or 1) < 0:
            first = self.table.derived(lambda *numbers: bounds(*numbers).start, *parts)
        return first, self.table.derived(lambda *numbers: len(bounds(*numbers)), *parts)

    def require(self, node: Node, one: DimLike, other: DimLike) -> None:
        """Two sizes must be equal: known now, or checked when the node runs."""
        if not self.table.unify(one, other):
            pair = (self.table.resolve(one), self.table.resolve(other))
            self.checks.setdefault(node, []).append(pair)


def _is_complex(value: Value) -> bool:
    spec = value.spec
    return (spec.element if isinstance(spec, ListSpec) else spec).dtype.kind == "c"


def _shape(spec: AnySpec) -> Shape:
    return spec.element.shape if isinstance(spec, ListSpec) else spec.shape


def _symbols(spec: AnySpec) -> set[str]:
    """The symbols that a tensor tells; items of a list may differ in theirs."""
    shape = spec.shape if isinstance(spec, Spec) else ()
    return {name for dim in shape if isinstance(dim, Dim) for name in dim.symbols}
