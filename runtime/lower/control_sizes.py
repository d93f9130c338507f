"""Sizes through control flow: branches agree on them, loops keep them or hold them in variables."""

from __future__ import annotations

from collections.abc import Sequence

from autograph.runtime.control.records import is_dead
from autograph.runtime.core.dims import Dim, DimLike
from autograph.runtime.core.spec import AnySpec, ListSpec
from autograph.runtime.graph.ir import Graph, Node, Value
from autograph.runtime.lower.analysis import RULES, Analysis, Known, NotNativeError
from autograph.runtime.lower.calls import reaches


def _made_inside(analysis: Analysis) -> set[str]:
    """The size variables that the nodes of a graph and of its sub-graphs assign."""
    names = {
        name
        for outputs in analysis.made.values()
        for axes in outputs.values()
        for name in axes
        if name is not None
    }
    for inner in analysis.inner.values():
        names |= _made_inside(inner)
    return names


def _inner(self: Analysis, node: Node, place: int, graph: Graph, operands: Sequence[Value]) -> Analysis:
    sizes = [self.sizes[value] for value in operands]
    numbers = [self.numbers.get(value) for value in operands]
    within = (*self.within, graph) if node.op.name == "call" and self.within else self.within
    inner = Analysis(self.table, graph, sizes, numbers, within)
    self.inner[node, place] = inner
    return inner


def _cond(self: Analysis, node: Node) -> list[Known]:
    branches = [
        _inner(self, node, place, graph, node.inputs[1:])
        for place, graph in enumerate(node.attributes["branches"])
    ]
    found: list[Known] = []
    inside = set().union(*(_made_inside(branch) for branch in branches))
    for output, value in enumerate(node.outputs):
        columns = [
            branch.sizes[branch.graph.outputs[output]]
            for branch in branches
            if not is_dead(branch.graph.outputs[output])
        ]
        found.append(_merged(self, node, output, columns, inside, value.spec))
    return found


def _merged(
    self: Analysis,
    node: Node,
    output: int,
    columns: list[Known],
    inside: set[str],
    spec: AnySpec,
) -> Known:
    """The sizes that all branches agree on; variables where they do not."""
    is_list = isinstance(spec, ListSpec)
    known = [column for column in columns if column is not None]
    if is_list and len(known) != len(columns):
        return None
    if not known:
        return tuple(0 for _ in (spec.element if isinstance(spec, ListSpec) else spec).shape)
    sizes: list[DimLike] = []
    rank = len(known[0])
    for axis in range(rank):
        own = [self.table.resolve(column[axis]) for column in known]
        agree = all(self.table.unify(own[0], other) for other in own[1:])
        size = self.table.resolve(own[0])
        outside = isinstance(size, int) or not (size.symbols & inside)
        if agree and outside:
            sizes.append(size)
        elif is_list:
            return None
        else:
            sizes.append(self.unknown(node, output, axis, rank))
    return tuple(sizes)


def _while_loop(self: Analysis, node: Node) -> list[Known]:
    step: Graph = node.attributes["step"]
    count = node.attributes["carried"]
    if self.table.optimistic and _sizes_stay(self, node):
        return [self.sizes[value] for value in node.inputs[:count]]
    names: dict[int, list[str | None]] = {}
    sizes: list[Known] = []
    for place, operand in enumerate(node.inputs):
        own = self.sizes[operand]
        spec = step.inputs[place].spec
        if place >= count or own is None or isinstance(spec, ListSpec):
            sizes.append(own)
            continue
        sizes.append(_carried(self, names, place, own, spec.shape, _shape(operand)))
    numbers = [
        self.numbers.get(value) if place >= count else None
        for place, value in enumerate(node.inputs)
    ]
    inner = Analysis(self.table, step, sizes, numbers, self.within)
    self.inner[node, 0] = inner
    if names:
        self.made[node] = names
    found: list[Known] = []
    for place in range(count):
        out = step.outputs[place + 1]
        mine, after = sizes[place], inner.sizes[out]
        if mine is not None and after is not None and not is_dead(out):
            for axis, (one, other) in enumerate(zip(mine, after, strict=True)):
                if not (names.get(place) and names[place][axis]):
                    self.table.unify(one, other)
        if isinstance(step.inputs[place].spec, ListSpec) and after is None:
            mine = None
        found.append(mine)
    return found


def _sizes_stay(self: Analysis, node: Node) -> bool:
    """Whether all sizes that a loop carries stay as they are, if those that must be equal are."""
    step: Graph = node.attributes["step"]
    count = node.attributes["carried"]
    state = self.table.attempt()
    numbers = [
        self.numbers.get(value) if place >= count else None
        for place, value in enumerate(node.inputs)
    ]
    sizes = [self.sizes[value] for value in node.inputs]
    inner = Analysis(self.table, step, sizes, numbers, self.within)
    for place in range(count):
        mine, after = sizes[place], inner.sizes[step.outputs[place + 1]]
        if is_dead(step.outputs[place + 1]):
            continue
        if (mine is None) != (after is None):
            self.table.undo(state)
            return False
        same = all(self.table.unify(a, b) for a, b in zip(mine or (), after or (), strict=True))
        if not same:
            self.table.undo(state)
            return False
    self.inner[node, 0] = inner
    return True


def _shape(value: Value) -> tuple[DimLike, ...]:
    spec = value.spec
    return spec.element.shape if isinstance(spec, ListSpec) else spec.shape


def _carried(
    self: Analysis,
    names: dict[int, list[str | None]],
    place: int,
    own: tuple[DimLike, ...],
    shape: tuple[DimLike, ...],
    outside: tuple[DimLike, ...],
) -> Known:
    """The sizes of a carried tensor: its initial ones, or variables where a turn changes them."""
    result: list[DimLike] = []
    for axis, (size, dim, initial) in enumerate(zip(own, shape, outside, strict=True)):
        if isinstance(dim, Dim) and dim != initial:
            name = self.table.local()
            names.setdefault(place, [None] * len(own))[axis] = name
            result.append(Dim.symbol(name))
        else:
            result.append(size)
    return tuple(result)


def _call(self: Analysis, node: Node) -> list[Known]:
    if not _is_written_out(self, node.attributes["function"]):
        return self._by_spec(node)
    inner = _inner(self, node, 0, node.attributes["function"], node.inputs)
    return inner.outputs()


def _is_written_out(self: Analysis, graph: Graph) -> bool:
    """Whether a call becomes the body of the function: unless that would never end."""
    if not reaches(graph, graph):
        return True
    if not self.within or graph is self.within[0]:
        return False
    first = self.within[0]
    if not (reaches(graph, first) and reaches(first, graph)):
        return False
    if graph in self.within:
        raise NotNativeError("functions that call each other in more than one way")
    return True


RULES.update(cond=_cond, while_loop=_while_loop, call=_call)
