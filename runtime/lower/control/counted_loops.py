"""Loops that count: what may fail in a turn is tested once, before the loop.

A staged `for i in range(n)` counts from 0 to a limit, and most of its indices are sums and products
of the counter with what the loop does not change: they are largest and smallest in the first and
the last turn. Where these fit, a form of the loop without tests runs, else the one with them all:

    if (c >= n) | (c + k < 0) | (n - 1 + k >= size):  # does not fit, or is not known to
        while c < n: ...                              # tests each index, raises as Python does
    else:
        for i in range(c, n): ...

So LLVM sees a plain loop, which it can hold in registers and make vectors of. Only the innermost
loops have two forms: the text of the others would double with each loop around.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from autograph.kernels.program import Statement
from autograph.runtime.core.dims import DimLike
from autograph.runtime.core.dtypes import int64
from autograph.runtime.core.spec import Spec, normalized_axis
from autograph.runtime.graph.ir import Graph, Node, Value
from autograph.runtime.lower.region import Region
from autograph.runtime.lower.sizes.analysis import Analysis
from autograph.runtime.lower.sizes.polynomials import atom
from autograph.runtime.lower.storage.forms import Scalar

LONGEST = 150
"""A turn of more nodes has one form: the tests are a small part, and text takes long to compile."""

OVERFLOWS = {
    "py_add": ("add_overflows", "+"),
    "py_sub": ("subtract_overflows", "-"),
    "py_mul": ("multiply_overflows", "*"),
}

COMPUTED = {*OVERFLOWS, "constant", "py_max2", "size_of"}
"""What may stand before the test, for the limit."""


@dataclass(frozen=True, slots=True)
class Counting:
    """How a loop counts: `carried[place] < limit` is its test, and each turn adds 1."""

    place: int
    test: Node
    limit: Value
    ends: bool
    """Whether nothing else ends it: each turn of which the test holds is followed by the next."""


def counting(node: Node) -> Counting | None:
    """How a `while_loop` counts; None for one that does not, or has no tests to be saved."""
    step: Graph = node.attributes["step"]
    carried = step.inputs[: node.attributes["carried"]]
    nodes = [one for one in step.nodes if one.op.name not in COMPUTED]
    if [one.op.name for one in nodes] != ["py_lt", "cond"]:
        return None
    test, choice = nodes
    go, *after = step.outputs
    counter, limit = test.inputs
    if choice.inputs[0] is not test.outputs[0] or go not in choice.outputs[:1]:
        return None
    if counter not in carried or limit in carried or counter.spec.dtype != int64:  # type: ignore[union-attr]
        return None
    stop, turn = choice.attributes["branches"]
    place = carried.index(counter)
    if after[place] not in choice.outputs or _known(stop.outputs[0]) is not False:
        return None
    next_one = turn.outputs[choice.outputs.index(after[place])]
    if not _is_one_more(next_one, turn, choice, counter):
        return None
    inner = list(_nodes(turn))
    if any(one.op.name in ("while_loop", "call") for one in inner) or len(inner) > LONGEST:
        return None
    if not any(one.op.name == "checked_index" for one in inner):
        return None
    branches = [id(one) for node in inner for one in node.graphs]
    if len(set(branches)) < len(branches):  # what is known of its inputs holds for one of its uses
        return None
    return Counting(place, test, limit, ends=_known(turn.outputs[0]) is True)


def _known(value: Value) -> object:
    node = value.node
    return node.attributes["value"] if node is not None and node.op.name == "constant" else None


def _is_one_more(value: Value, turn: Graph, choice: Node, counter: Value) -> bool:
    node = value.node
    if node is None or node.op.name != "py_add" or _known(node.inputs[1]) != 1:
        return False
    before = node.inputs[0]
    return before in turn.inputs and choice.inputs[1 + turn.inputs.index(before)] is counter


def _nodes(graph: Graph) -> Iterator[Node]:
    """The nodes of a graph, and of the branches in it."""
    for node in graph.nodes:
        yield node
        for inner in node.attributes["branches"] if node.op.name == "cond" else ():
            yield from _nodes(inner)


@dataclass(slots=True)
class Ends:
    """Numbers of a turn as they are in the first and in the last turn, and what is tested of them.

    `unfit`: texts of what must not hold. `proven`: nodes that cannot fail where none of it does.
    """

    region: Region
    forbidden: set[str]
    """Sizes that the loop itself makes."""
    known: dict[Value, tuple[str, str]] = field(default_factory=dict)
    unfit: dict[str, None] = field(default_factory=dict)
    proven: set[Node] = field(default_factory=set)
    saved: int = 0
    """How many tests of indices are saved."""

    def visit(self, analysis: Analysis, within: bool) -> None:
        """Look at the nodes of a graph, some of whose inputs are known, and `within` its branches.

        What stands before the test may be a size: that is no number in the text.
        """
        for node in analysis.graph.nodes:
            name = node.op.name
            if not node.outputs or node.outputs[0] in self.known:
                continue
            if name == "constant" and within:
                self._constant(node)
            elif (number := analysis.numbers.get(node.outputs[0])) is not None:
                if (text := self._size(number)) is not None:
                    self.known[node.outputs[0]] = (text, text)
            elif name in OVERFLOWS and all(one in self.known for one in node.inputs):
                self._arithmetic(node)
            elif name == "py_max2" and all(one in self.known for one in node.inputs):
                self._maximum(node)
            elif name == "checked_index" and node.inputs[0] in self.known:
                self._index(node, analysis)
            elif name == "cond" and within:
                for place, graph in enumerate(node.attributes["branches"]):
                    for inner, outer in zip(graph.inputs, node.inputs[1:], strict=True):
                        if outer in self.known:
                            self.known[inner] = self.known[outer]
                    self.visit(analysis.inner[node, place], within)

    def _size(self, size: DimLike) -> str | None:
        resolved = self.region.table.resolve(size)
        if isinstance(resolved, int):  # another number has the same text
            return atom(self.region.table.parameter(resolved))
        return None if resolved.symbols & self.forbidden else atom(resolved)

    def _constant(self, node: Node) -> None:
        spec, value = node.outputs[0].spec, node.attributes["value"]
        if isinstance(spec, Spec) and spec.python and type(value) is int:
            text = self.region.builder.literal(value, int64, divisor=True)
            self.known[node.outputs[0]] = (text, text)

    def _arithmetic(self, node: Node) -> None:
        """Sums and products that are largest and smallest at the ends: one factor is the same."""
        spec = node.outputs[0].spec
        left, right = (self.known[one] for one in node.inputs)
        changing = [one for one in (left, right) if one[0] != one[1]]
        if not (isinstance(spec, Spec) and spec.python and spec.dtype == int64):
            return
        if node.op.name == "py_mul" and len(changing) == 2:
            return
        overflows, sign = OVERFLOWS[node.op.name]
        found: dict[tuple[str, str], str] = {}
        for pair in zip(left, right, strict=True):
            if pair not in found:
                self.unfit[f"{overflows}({pair[0]}, {pair[1]})"] = None
                found[pair] = self.region.builder.let("s", f"{pair[0]} {sign} {pair[1]}")
        first, last = (found[pair] for pair in zip(left, right, strict=True))
        self.known[node.outputs[0]] = (first, last)
        self.proven.add(node)

    def _maximum(self, node: Node) -> None:
        """The larger of two numbers that the loop does not change."""
        (a, last), (b, other) = (self.known[one] for one in node.inputs)
        if a == last and b == other:
            text = self.region.builder.let("s", f"select({a} > {b}, {a}, {b})")
            self.known[node.outputs[0]] = (text, text)

    def _index(self, node: Node, analysis: Analysis) -> None:
        sizes = analysis.sizes[node.inputs[1]]
        if sizes is None:
            return
        size = self._size(sizes[normalized_axis(node.attributes["axis"], len(sizes))])
        if size is None:
            return
        for text in dict.fromkeys(self.known[node.inputs[0]]):
            self.unfit[f"({text} < 0)"] = None
            self.unfit[f"({text} >= {size})"] = None
        self.known[node.outputs[0]] = self.known[node.inputs[0]]
        self.proven.add(node)
        self.saved += 1


def tested_once(
    region: Region, node: Node, found: Counting, variable: str, analysis: Analysis
) -> tuple[str, str, set[Node]] | None:
    """What tells that a loop does not fit, its limit, and the nodes that cannot fail if it does.

    The tests stand before the loop, whose counter is in `variable`. None where nothing is saved.
    """
    count = node.attributes["carried"]
    step: Graph = node.attributes["step"]
    builder = region.builder
    body: list[Statement] = []
    ends = Ends(region, {*_names(region.analysis.made.get(node, {})), *_made(analysis)})
    for inner, outer in zip(step.inputs[count:], node.inputs[count:], strict=True):
        storage, spec = region.env[outer], outer.spec
        if isinstance(storage, Scalar) and isinstance(spec, Spec) and spec.python:
            if spec.dtype == int64:
                ends.known[inner] = (storage.text, storage.text)
    with builder.into(body):
        ends.visit(analysis, within=False)
        if found.limit not in ends.known:
            return None
        limit = ends.known[found.limit][0]
        ends.unfit[f"({variable} >= {limit})"] = None
        ends.known[step.inputs[found.place]] = (variable, builder.let("s", f"{limit} - 1"))
        ends.visit(analysis, within=True)
    if not ends.saved:
        return None
    builder.body.extend(body)
    return " | ".join(ends.unfit), limit, ends.proven


def _names(made: dict[int, list[str | None]]) -> Iterator[str]:
    for names in made.values():
        yield from (one for one in names if one is not None)


def _made(analysis: Analysis) -> Iterator[str]:
    """The sizes that nodes of a graph, or of one in it, assign."""
    for made in analysis.made.values():
        yield from _names(made)
    for inner in analysis.inner.values():
        yield from _made(inner)
