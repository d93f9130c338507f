"""Emits one graph: a function's body, a branch, or the turn of a loop."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from os.path import basename
from typing import Any

import numpy as np

from autograph.kernels.program import Statement
from autograph.runtime.control.records import is_dead
from autograph.runtime.core.dtypes import DType, int64
from autograph.runtime.core.record import Elementwise, Reduction
from autograph.runtime.core.spec import ListSpec, ShapeError, Spec
from autograph.runtime.graph.ir import Node, Value
from autograph.runtime.graph.stretch import mismatch
from autograph.runtime.lower.builder import Builder, RaiseSite
from autograph.runtime.lower.loops.expression import scalar_text
from autograph.runtime.lower.plan import Unit, plan
from autograph.runtime.lower.sizes.analysis import Analysis, NotNativeError
from autograph.runtime.lower.sizes.polynomials import text_of
from autograph.runtime.lower.storage.forms import (
    Array,
    Items,
    ListHome,
    Root,
    Rows,
    Scalar,
    Sizes,
    Storage,
    Tensorial,
    row_major,
)

Rule = Callable[["Region", Node], None]
Finish = Callable[[list[Storage | None]], None]

SIZE_RULES: dict[str, Rule] = {}
"""What assigns the sizes that a node makes, where its checks need them."""
NEST_RULES: dict[str, Callable[[Region, Unit], None]] = {}
"""How nodes that share their loops are emitted: under "nest"."""
RULES: dict[str, Rule] = {}
"""How a node is emitted, by the name of its op."""


SHAPE_ONLY: dict[str, tuple[int, ...]] = {
    "broadcast_like": (1,),
    "stretch": (1,),
    "reshape_like": (1,),
    "size_of": (0,),
    "checked_index": (1,),
    "checked_indices": (1,),
    "checked_exponent": (1,),
    "list_stack_like": (1,),
}
"""Operands of which a node needs the sizes alone: they need not live for it."""


STRETCHING = frozenset({"broadcast_like", "broadcast_to", "stretch"})
"""Of these the second size of a check may also turn out to be 1."""


@dataclass(eq=False, slots=True)
class Loop:
    """The innermost loop around what is emitted."""

    prelude: list[Statement] = field(default_factory=list)
    """What runs before the loop, for all turns."""
    roots: list[Root] = field(default_factory=list)
    """Memory that is taken as long as the loop runs."""
    copies: dict[Any, Array] = field(default_factory=dict)


class Region:
    """One graph while it is emitted into a builder."""

    def __init__(self, builder: Builder, analysis: Analysis, inputs: Sequence[Storage]) -> None:
        self.builder = builder
        self.table = builder.table
        self.analysis = analysis
        self.graph = analysis.graph
        self.env: dict[Value, Storage] = {}
        self.loop: Loop | None = None
        self.fixed: set[Value] = set()
        """Values that are the same, in the same memory, in all turns of the loop."""
        self.parts: dict[Value, Rows] = {}
        """Of those: values that are, in each turn, another part of one."""
        self.wanted: dict[Value, Root] = {}
        """Where results had best be computed."""
        sizes: dict[Value, Sizes] = {
            value: tuple(self.table.resolve(size) for size in found)
            for value, found in analysis.sizes.items()
            if found is not None
        }
        self.taken: dict[Node, dict[int, int]] = {}
        """Which output of a cond has the memory of which operand."""
        self.joined: dict[Node, Array] = {}
        """The memory of concatenations of which a part is computed already."""
        self.pushed: set[Node] = set()
        """Pushes of items that are computed in their place in the list."""
        checks = analysis.checks
        self.units = plan(
            self.graph.nodes,
            sizes,
            lambda node: self._loops(node, sizes),
            lambda node: bool(checks.get(node)),
        )
        self._find_uses()
        self.now = -1
        for value, storage in zip(self.graph.inputs, inputs, strict=True):
            self.bind(value, storage)

    def _loops(self, node: Node, sizes: dict[Value, Sizes]) -> bool:
        return isinstance(node.op.lowering, Elementwise | Reduction)

    def _find_uses(self) -> None:
        self.last_use: dict[Value, int] = {}
        self.users: dict[Value, dict[Node, None]] = {}
        for place, unit in enumerate(self.units):
            for node in unit.nodes:
                for number, value in enumerate(node.inputs):
                    if number in SHAPE_ONLY.get(node.op.name, ()):
                        continue
                    self.last_use[value] = place
                    self.users.setdefault(value, {})[node] = None
        for value in self.graph.outputs:
            self.last_use[value] = len(self.units)
        self.outputs = set(self.graph.outputs)

    def inside(self, parent: Region, operands: Sequence[Value]) -> None:
        """Take over what is known of a loop around: `operands` became the inputs."""
        self.loop = parent.loop
        pairs = zip(self.graph.inputs, operands, strict=True)
        self.fixed = {value for value, operand in pairs if operand in parent.fixed}

    # values -----------------------------------------------------------------------------------
    def bind(self, value: Value, storage: Storage) -> None:
        """Say where a value is."""
        self.env[value] = storage
        if isinstance(storage, Array):
            self.builder.hold(storage.root)
        elif isinstance(storage, Items):
            self.builder.hold(storage.home)

    def tensor(self, value: Value) -> Tensorial:
        """Where a tensor or number is."""
        storage = self.env[value]
        assert not isinstance(storage, Items)
        return storage

    def scalar(self, value: Value) -> Scalar:
        """A 0-d value as a local variable."""
        storage = self.env[value]
        if not isinstance(storage, Scalar):
            raise NotNativeError(f"{value} is no scalar")
        return storage

    def items(self, value: Value) -> Items:
        """Where a list is."""
        storage = self.env[value]
        assert isinstance(storage, Items)
        return storage

    def sizes(self, value: Value) -> Sizes:
        """The sizes of a tensor."""
        return self.analysis.of(value)

    def dies(self, value: Value) -> bool:
        """Whether the current unit is the last to use a value."""
        return self.last_use.get(value, -1) <= self.now

    def can_overwrite(self, value: Value) -> bool:
        """Whether nothing else lives in the memory of a value, and it dies now."""
        storage = self.env[value]
        if isinstance(storage, Items):
            held: Any = storage.home
        elif isinstance(storage, Array) and storage.root.owned:
            held = storage.root
        else:
            return False
        return self.dies(value) and held.live == self._dying_in(held)

    def _dying_in(self, held: Any) -> int:
        values = [value for value, one in self.env.items() if _held_by(one) is held]
        return sum(map(self.dies, values))

    def shares_memory(self, node: Node, place: int) -> bool:
        """Whether another operand of a node lives in the memory of this one.

        One value may have come into a branch twice, so that each of two of its inputs dies there.
        """
        mine = _held_by(self.env[node.inputs[place]])
        others = [self.env.get(value) for i, value in enumerate(node.inputs) if i != place]
        return mine is not None and any(_held_by(one) is mine for one in others)

    def is_needed_outside(self, value: Value, nodes: Sequence[Node]) -> bool:
        """Whether other nodes than these use a value, or the graph gives it."""
        return value in self.outputs or not self.users.get(value, {}).keys() <= set(nodes)

    def wanted_root(self, value: Value) -> Root | None:
        """Where a value had best be computed, if that place is still free."""
        root = self.wanted.get(value)
        return root if root is not None and not root.live else None

    def new_array(self, value: Value, dtype: DType, sizes: Sizes) -> Array:
        """Memory for a value: contiguous."""
        root = self.wanted_root(value)
        if root is not None:
            return Array(root, dtype, sizes, row_major(sizes))
        return self.builder.array(dtype, sizes)

    # emission ---------------------------------------------------------------------------------
    def emit(self, finish: Finish, once: bool = False) -> None:
        """Emit all nodes, then `finish` with the outputs (None for what never comes to be).

        `once`: not at the end of each branch of a cond that comes last.
        """
        for place, unit in enumerate(self.units):
            self.now = place
            last = place == len(self.units) - 1
            try:
                if last and not once and self._emit_tail(unit, finish):
                    return
                self._emit_unit(unit)
            except NotNativeError as error:
                error.nodes = error.nodes or tuple(unit.nodes)
                raise
            if self._ended(unit):
                return
            self._release()
        self.now = len(self.units)
        finish([None if is_dead(value) else self.env[value] for value in self.graph.outputs])

    def _ended(self, unit: Unit) -> bool:
        return unit.nodes[-1].op.name == "raise_"

    def _emit_tail(self, unit: Unit, finish: Finish) -> bool:
        rule = TAILS.get(unit.nodes[-1].op.name)
        return rule is not None and rule(self, unit.nodes[-1], finish)

    def _emit_unit(self, unit: Unit) -> None:
        found = [node.location for node in unit.nodes if node.location is not None]
        if found:
            names = " ".join(dict.fromkeys(node.op.name for node in unit.nodes))
            places = dict.fromkeys(f"{basename(one.filename)}:{one.line}" for one in found)
            self.builder.comment(f"{names}, {', '.join(places)}")
        for node in unit.nodes:
            if node.op.name in SIZE_RULES:
                SIZE_RULES[node.op.name](self, node)
            self._emit_checks(node)
        if unit.space is not None:
            NEST_RULES["nest"](self, unit)
            return
        node = unit.nodes[0]
        if isinstance(node.op.lowering, Elementwise):
            if node.outputs[0] in self.analysis.numbers:
                RULES["size_of"](self, node)
            else:
                self._emit_scalar(node)
            return
        rule = RULES.get(node.op.name)
        if rule is None:
            raise NotNativeError(f"{node.op.name} has no native form")
        rule(self, node)

    def _emit_checks(self, node: Node) -> None:
        for one, other in self.analysis.checks.get(node, ()):
            left, right = text_of(self.table.resolve(one)), text_of(self.table.resolve(other))
            wrong = f"{left} != {right}"
            if node.op.name in STRETCHING:
                wrong += f" and {right} != 1"
            if node.attributes.get("mutual"):
                wrong += f" and {left} != 1"
            shapes = [self.sizes(v) for v in node.inputs if is_tensor(v)]
            words = [(text_of(self.table.resolve(size)), int64) for one in shapes for size in one]
            if isinstance(node.op.lowering, Elementwise) or node.op.name == "stretch":
                make = _mismatch(node, [len(one) for one in shapes])
            else:
                words = [(left, int64), (right, int64), *words]
                make = _unlike(node, [len(one) for one in shapes])
            self.builder.fail_if(wrong, RaiseSite(make, node.location), words)

    def _emit_scalar(self, node: Node) -> None:
        operands = [self.scalar(value) for value in node.inputs]
        spec = node.outputs[0].spec
        assert isinstance(spec, Spec)
        if node in self.builder.proven:
            known = self.builder.literal(True, spec.dtype)
            self.bind(node.outputs[0], Scalar(known, spec.dtype, True))
            return
        text = scalar_text(node, [(one.text, one.dtype) for one in operands])
        if not any(text == one.text for one in operands):
            text = self.builder.let("s", text)
        self.bind(node.outputs[0], Scalar(text, spec.dtype))

    def _release(self) -> None:
        """Drop what nobody uses any more."""
        dead = [value for value in self.env if self.dies(value)]
        for value in dead:
            self.forget(value)

    def forget(self, value: Value, free: bool = True) -> None:
        """Drop a value now; its memory stays taken unless `free`."""
        storage = self.env.pop(value)
        held = storage.root if isinstance(storage, Array) else None
        home = storage.home if isinstance(storage, Items) else None
        for one in (held, home):
            if one is not None and free:
                self.builder.drop(one)
            elif one is not None:
                one.live -= 1


def _held_by(storage: Storage | None) -> Root | ListHome | None:
    """The memory that a value lives in, or the home of a list."""
    if isinstance(storage, Items):
        return storage.home
    return storage.root if isinstance(storage, Array) else None


Tail = Callable[[Region, Node, Finish], bool]

TAILS: dict[str, Tail] = {}
"""Nodes that, where they come last, hand `finish` on to their branches."""


def _mismatch(node: Node, ranks: Sequence[int]) -> Callable[[Any], BaseException]:
    """NumPy's error for operands that do not broadcast; their sizes are the words."""

    def make(words: Any) -> BaseException:
        sizes = iter(words[1:].tolist())
        shapes = [tuple(next(sizes, 0) for _ in range(rank)) for rank in ranks]
        if node.op.name == "stretch":
            return ValueError(mismatch(*shapes, role=node.attributes["role"]))
        return ValueError(mismatch(*shapes))

    return make


def _unlike(node: Node, ranks: Sequence[int]) -> Callable[[Any], BaseException]:
    """NumPy's error for sizes that do not fit, as the reference raises it; else one of ours."""

    def make(words: Any) -> BaseException:
        sizes = iter(words[3:].tolist())
        shapes = [tuple(next(sizes, 0) for _ in range(rank)) for rank in ranks]
        tensors = [one for one in node.inputs if is_tensor(one)]
        if len(tensors) == len(node.inputs) and "shape" not in node.attributes:
            arrays = [
                np.broadcast_to(np.ones((), one.spec.dtype), shape)  # type: ignore[union-attr]
                for one, shape in zip(tensors, shapes, strict=True)
            ]
            try:
                with np.errstate(all="ignore"):
                    node.op.reference(*arrays, **node.attributes)
            except (ValueError, IndexError) as error:
                return error.with_traceback(None)
            except Exception:  # nothing that NumPy says of the sizes
                pass
        text = " and ".join(map(str, shapes))
        found = f"sizes {words[1]} and {words[2]} of shapes {text} do not fit"
        return ShapeError(f"{node.op.name}: {found}")

    return make


def is_tensor(value: Value) -> bool:
    """Whether a value is a tensor: no number and no list."""
    return isinstance(value.spec, Spec) and not value.spec.python


def is_list(value: Value) -> bool:
    """Whether a value is a list."""
    return isinstance(value.spec, ListSpec)
