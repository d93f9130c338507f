"""The sizes of every value of a graph, and of its sub-graphs, before anything is emitted.

Sizes flow from the inputs through the nodes. A size that only the run can tell is a local variable,
which the code of the node that makes it assigns.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import Any

from autograph.runtime.control.records import is_dead
from autograph.runtime.core.dims import Dim, DimLike, divide, product
from autograph.runtime.core.record import DynamicInt, Elementwise, Reduction
from autograph.runtime.core.spec import ListSpec, Spec, normalized_axes, normalized_axis
from autograph.runtime.graph.ir import Graph, Node, Value
from autograph.runtime.lower.sizes import SizeTable
from autograph.runtime.lower.storage import Sizes
from autograph.runtime.ops.entries import Slice

Pair = tuple[DimLike, DimLike]
Known = Sizes | None
"""The sizes of a tensor, or of every item of a list; None for a list whose items may differ."""


class _Empty(tuple[DimLike, ...]):
    """The sizes of the items of a list that has none yet."""


EMPTY: Sizes = _Empty()
"""What is known of the items of an empty list: the first one that is pushed says it."""


class NotNativeError(Exception):
    """What programs cannot run natively: the graph is driven by CPython."""


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
            self._visit(node)

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
        """The size a spec gives, or one that the node's code assigns."""
        spec = node.outputs[output].spec
        shape = spec.element.shape if isinstance(spec, ListSpec) else spec.shape
        dim = shape[axis]
        try:
            return self.table.of_dim(dim)
        except KeyError:
            return self.unknown(node, output, axis, len(shape))

    def wanted(self, node: Node, output: int, axis: int, entry: Any) -> DimLike:
        """The size that an attribute asks for: an int, or a staged one."""
        if isinstance(entry, DynamicInt):
            value = node.inputs[entry.operand]
            known = self.numbers.get(value)
            if known is not None and _is_size(known):
                return known
            return self.unknown(node, output, axis, self._rank(node, output))
        return self.from_spec(node, output, axis)

    def _rank(self, node: Node, output: int) -> int:
        spec = node.outputs[output].spec
        return spec.element.ndim if isinstance(spec, ListSpec) else spec.ndim

    # the nodes --------------------------------------------------------------------------------
    def _visit(self, node: Node) -> None:
        lowering = node.op.lowering
        if isinstance(lowering, Elementwise) and node.op.name not in RULES:
            found: Sequence[Known] = [self._broadcast(node, node.inputs)]
        elif isinstance(lowering, Reduction):
            found = [self._reduced(node)]
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
            rank = self._rank(node, output)
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

    def _reduced(self, node: Node) -> Sizes:
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


# movement -----------------------------------------------------------------------------------------
def _constant(self: Analysis, node: Node) -> list[Known]:
    held = node.attributes["value"]
    if type(held) is int:
        self.numbers[node.outputs[0]] = held
    return [tuple(self.from_spec(node, 0, axis) for axis in range(self._rank(node, 0)))]


def _permute(self: Analysis, node: Node) -> list[Known]:
    sizes = self.of(node.inputs[0])
    return [tuple(sizes[normalized_axis(axis, len(sizes))] for axis in node.attributes["axes"])]


def _same(self: Analysis, node: Node) -> list[Known]:
    return [self.sizes[node.inputs[0]]]


def _expand_dims(self: Analysis, node: Node) -> list[Known]:
    axis = node.attributes["axis"]
    axes = (axis,) if isinstance(axis, int) else axis
    sizes = list(self.of(node.inputs[0]))
    total = len(sizes) + len(axes)
    for place in sorted(normalized_axis(one, total) for one in axes):
        sizes.insert(place, 1)
    return [tuple(sizes)]


def squeezed(node: Node) -> tuple[int, ...]:
    """The axes that a squeeze takes away."""
    spec = node.inputs[0].spec
    assert isinstance(spec, Spec)
    axis = node.attributes.get("axis")
    if axis is None:
        return tuple(i for i, dim in enumerate(spec.shape) if isinstance(dim, int) and dim == 1)
    axes = (axis,) if isinstance(axis, int) else axis
    return tuple(sorted(normalized_axis(one, spec.ndim) for one in axes))


def _squeeze(self: Analysis, node: Node) -> list[Known]:
    gone = squeezed(node)
    return [tuple(size for i, size in enumerate(self.of(node.inputs[0])) if i not in gone)]


def _reshape(self: Analysis, node: Node) -> list[Known]:
    source = self.of(node.inputs[0])
    spec = node.outputs[0].spec
    assert isinstance(spec, Spec)
    asked = node.attributes["shape"]
    sizes: list[DimLike | None] = [None] * len(asked)
    # sizes that stay, from the left and from the right, keep their names
    for places in (range(len(asked)), range(-1, -len(asked) - 1, -1)):
        for place in places:
            if not -len(source) <= place < len(source) or sizes[place] is not None:
                break
            if spec.shape[place] != _spec_dim(node, place):
                break
            sizes[place] = source[place]
    total = product(source)
    for place, entry in enumerate(asked):
        if sizes[place] is None and entry != -1:
            sizes[place] = self.wanted(node, 0, place, entry)
    for place in range(len(asked)):
        if sizes[place] is None:
            rest = product(size for size in sizes if size is not None)
            quotient = divide(total, rest) if not isinstance(rest, int) or rest else None
            found = quotient if quotient is not None else self.from_spec(node, 0, place)
            sizes[place] = self.table.resolve(found)
    return [tuple(size for size in sizes if size is not None)]


def _spec_dim(node: Node, place: int) -> DimLike | None:
    spec = node.inputs[0].spec
    assert isinstance(spec, Spec)
    return spec.shape[place]


def _like(self: Analysis, node: Node) -> list[Known]:
    return [self.of(node.inputs[1])]


def _broadcast_like(self: Analysis, node: Node) -> list[Known]:
    sizes, target = self.of(node.inputs[0]), self.of(node.inputs[1])
    _fit(self, node, sizes, target)
    return [tuple(self.table.resolve(size) for size in target)]


def _fit(self: Analysis, node: Node, sizes: Sizes, target: Sizes) -> None:
    """`sizes` broadcast to `target`: what is not 1 is equal."""
    for size, other in zip(reversed(sizes), reversed(target), strict=False):
        if self.table.value(size) != 1 or self.table.value(other) == 1:
            if isinstance(size, int) and size == 1:
                continue
            self.require(node, other, size)


def _broadcast_to(self: Analysis, node: Node) -> list[Known]:
    source = self.of(node.inputs[0])
    asked = node.attributes["shape"]
    spec = node.outputs[0].spec
    assert isinstance(spec, Spec)
    target: list[DimLike] = []
    for place, entry in enumerate(asked):
        own = place - len(asked) + len(source)
        if own >= 0 and self.table.value(source[own]) != 1 and not isinstance(entry, DynamicInt):
            target.append(source[own])
        else:
            target.append(self.wanted(node, 0, place, entry))
    _fit(self, node, source, tuple(target))
    return [tuple(target)]


def _index(self: Analysis, node: Node) -> list[Known]:
    return [_indexed(self, node, self.of(node.inputs[0]))]


def _indexed(self: Analysis, node: Node, sizes: Sizes) -> Sizes:
    found: list[DimLike] = []
    axis = 0
    for entry in node.attributes["index"]:
        if entry is None:
            found.append(1)
            continue
        if isinstance(entry, Slice):
            if entry.start is None and entry.stop is None and entry.step in (None, 1, -1):
                found.append(sizes[axis])
            else:
                part = self.sliced(node, entry, sizes[axis], len(found))
                found.append(part[1] if part else self.from_spec(node, 0, len(found)))
        axis += 1
    return (*found, *sizes[axis:])


def _fill(self: Analysis, node: Node) -> list[Known]:
    asked = node.attributes["shape"]
    return [tuple(self.wanted(node, 0, place, entry) for place, entry in enumerate(asked))]


def _arange(self: Analysis, node: Node) -> list[Known]:
    return [(self.wanted(node, 0, 0, node.attributes["length"]),)]


def _concat(self: Analysis, node: Node) -> list[Known]:
    shapes = [self.of(value) for value in node.inputs]
    along = normalized_axis(node.attributes.get("axis", 0), len(shapes[0]))
    sizes = list(shapes[0])
    for shape in shapes[1:]:
        for axis, size in enumerate(shape):
            if axis == along:
                sizes[axis] = sizes[axis] + size
            else:
                self.require(node, sizes[axis], size)
    return [tuple(self.table.resolve(size) for size in sizes)]


def _stack(self: Analysis, node: Node) -> list[Known]:
    shapes = [self.of(value) for value in node.inputs]
    for shape in shapes[1:]:
        for one, other in zip(shapes[0], shape, strict=True):
            self.require(node, one, other)
    sizes = [self.table.resolve(size) for size in shapes[0]]
    along = normalized_axis(node.attributes.get("axis", 0), len(sizes) + 1)
    sizes.insert(along, self.from_spec(node, 0, along))
    return [tuple(sizes)]


def _unstack(self: Analysis, node: Node) -> list[Known]:
    sizes = self.of(node.inputs[0])
    along = normalized_axis(node.attributes.get("axis", 0), len(sizes))
    return [tuple(size for i, size in enumerate(sizes) if i != along)] * len(node.outputs)


def _size_of(self: Analysis, node: Node) -> list[Known]:
    sizes = self.of(node.inputs[0])
    self.numbers[node.outputs[0]] = sizes[normalized_axis(node.attributes["axis"], len(sizes))]
    return [()]


# library ------------------------------------------------------------------------------------------
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
    return [self._reduced(node)]


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


RULES: dict[str, Callable[[Analysis, Node], list[Known]]] = {
    "constant": _constant,
    "permute_dims": _permute,
    "flip": _same,
    "roll": _same,
    "expand_dims": _expand_dims,
    "squeeze": _squeeze,
    "reshape": _reshape,
    "checked_reshape": _reshape,
    "reshape_like": _like,
    "broadcast_to": _broadcast_to,
    "broadcast_like": _broadcast_like,
    "index": _index,
    "index_set": _same,
    "index_add": _same,
    "scatter_add": _same,
    "scatter_set": _same,
    "checked_indices": _same,
    "checked_exponent": _same,
    "full": _fill,
    "arange": _arange,
    "concat": _concat,
    "stack": _stack,
    "unstack": _unstack,
    "size_of": _size_of,
    **dict.fromkeys(("py_add", "py_sub", "py_mul", *HOST_RULES), _arithmetic),
    "matmul": _matmul,
    "matmul_add": _matmul_add,
    "take": _take,
    "argmax": _arguments,
    "argmin": _arguments,
    "cumulative_sum": _cumulative,
    "cumulative_prod": _cumulative,
    "raise_": _dead,
}
"""By the name of the op: the sizes of its outputs. Others have those of their specs."""


def _is_size(number: DimLike) -> bool:
    """Whether a number cannot be negative, as it is made of sizes by sums and products."""
    terms = [number] if isinstance(number, int) else list(number.terms.values())
    return all(term >= 0 for term in terms)


def alive(values: Sequence[Value]) -> list[Value]:
    """The values that come to be."""
    return [value for value in values if not is_dead(value)]
