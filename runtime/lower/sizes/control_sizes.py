"""Sizes through control flow: branches agree on them, loops keep them or hold them in variables."""

from __future__ import annotations

from collections.abc import Sequence

from autograph.runtime.control.records import is_dead
from autograph.runtime.core.dims import Dim, DimLike
from autograph.runtime.core.spec import AnySpec, ListSpec
from autograph.runtime.graph.ir import Graph, Node, Value
from autograph.runtime.lower.control.calls import reaches
from autograph.runtime.lower.sizes.analysis import EMPTY, RULES, Analysis, Known, NotNativeError


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


def _names_in(size: DimLike) -> set[str]:
    return set() if isinstance(size, int) else size.symbols


def _inner(
    self: Analysis, node: Node, place: int, graph: Graph, operands: Sequence[Value]
) -> Analysis:
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
    if isinstance(spec, ListSpec):
        found: Known = EMPTY
        for column in columns:
            found = _joined(self, found, column)
        outside = found is None or not any(_names_in(size) & inside for size in found)
        return found if outside else None
    known = [column for column in columns if column is not None]
    if not known:
        return tuple(0 for _ in spec.shape)
    sizes: list[DimLike] = []
    rank = len(known[0])
    for axis in range(rank):
        own = [self.table.resolve(column[axis]) for column in known]
        agree = all(self.table.unify(own[0], other) for other in own[1:])
        size = self.table.resolve(own[0])
        outside = not (_names_in(size) & inside)
        if agree and outside:
            sizes.append(size)
        else:
            sizes.append(self.unknown(node, output, axis, rank))
    return tuple(sizes)


Names = dict[int, list[str | None]]
"""For carried tensors the variables of the sizes that turns change, by axis."""
ROUNDS = 8


def _while_loop(self: Analysis, node: Node) -> list[Known]:
    count = node.attributes["carried"]
    state = self.table.attempt()
    names: Names = {}
    sizes = [self.sizes[value] for value in node.inputs]
    for _ in range(ROUNDS):
        inner = _turn(self, node, sizes, names)
        settled = True
        for place in range(count):
            out = inner.graph.outputs[place + 1]
            if is_dead(out):
                continue
            if isinstance(out.spec, ListSpec):
                joined = _joined(self, sizes[place], inner.sizes[out])
                settled &= joined is sizes[place]
                sizes[place] = joined
            else:
                settled &= _stays(self, place, sizes, inner.sizes[out], names)
        if settled:
            break
        self.table.undo(state)
    self.inner[node, 0] = inner
    if names:
        self.made[node] = names
    return [_with_names(sizes[place], names.get(place)) for place in range(count)]


def _turn(self: Analysis, node: Node, sizes: list[Known], names: Names) -> Analysis:
    count = node.attributes["carried"]
    numbers = [
        self.numbers.get(value) if place >= count else None
        for place, value in enumerate(node.inputs)
    ]
    inside = [_with_names(one, names.get(place)) for place, one in enumerate(sizes)]
    return Analysis(self.table, node.attributes["step"], inside, numbers, self.within)


def _with_names(sizes: Known, names: list[str | None] | None) -> Known:
    if names is None or sizes is None:
        return sizes
    return tuple(
        size if name is None else Dim.symbol(name) for size, name in zip(sizes, names, strict=True)
    )


def _joined(self: Analysis, one: Known, other: Known) -> Known:
    """The sizes of the items of a list that comes from two places."""
    if one is EMPTY or one is None:
        return other if one is EMPTY else None
    if other is EMPTY:
        return one
    if other is None or len(one) != len(other):
        return None
    same = all(self.table.unify(a, b) for a, b in zip(one, other, strict=True))
    return one if same else None


def _stays(self: Analysis, place: int, sizes: list[Known], after: Known, names: Names) -> bool:
    """Whether a turn keeps the sizes of a tensor; gives those that it does not keep a name."""
    before = sizes[place]
    assert before is not None and after is not None
    stays = True
    for axis, (one, other) in enumerate(zip(before, after, strict=True)):
        known = names.get(place)
        if (known is None or known[axis] is None) and not self.table.unify(one, other):
            names.setdefault(place, [None] * len(before))[axis] = self.table.local()
            stays = False
    return stays


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
