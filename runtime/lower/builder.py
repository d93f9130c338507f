"""Builds one native function: its statements, its memory, and the ways it may fail."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from autograph.kernels.program import (
    Assign,
    Comment,
    Execute,
    If,
    Return,
    Statement,
)
from autograph.runtime.core.dims import DimLike
from autograph.runtime.core.dtypes import DType
from autograph.runtime.core.location import Location
from autograph.runtime.graph.ir import Node
from autograph.runtime.lower.loops.rows import RowLoop
from autograph.runtime.lower.sizes.polynomials import SizeTable, text_of
from autograph.runtime.lower.storage.forms import Array, ListHome, Root, Sizes, row_major

ERROR_WORDS = 15
"""The words of the parameters, after the first, that tell what went wrong."""
PLAIN_FLOATS = frozenset((-2.0, -1.0, -0.5, 0.0, 0.5, 1.0, 2.0, 3.0, 4.0, 10.0))
LARGEST_PLAIN_INT = 64


def dtype_call(dtype: DType) -> str:
    """The name of the cast to a dtype."""
    return "bool_" if dtype.kind == "b" else dtype.name


def cast(text: str, source: DType, target: DType) -> str:
    """`text`, of dtype `source`, in another dtype."""
    return text if source == target else f"{dtype_call(target)}({text})"


@dataclass(frozen=True, slots=True)
class RaiseSite:
    """One way to fail: `make(words)` gives the exception from the operands that were saved.

    Without it the exception tells a tensor: CPython runs the graph once more, up to where it fails.
    """

    make: Callable[[Any], BaseException] | None
    location: Location | None


@dataclass(slots=True)
class Shared:
    """What the functions of one program have in common."""

    table: SizeTable
    sites: list[RaiseSite] = field(default_factory=list)
    literals: list[tuple[Any, DType]] = field(default_factory=list)
    constants: list[np.ndarray[Any, Any]] = field(default_factory=list)
    """Arrays known while tracing: they come in after the other arguments."""
    functions: dict[int, Any] = field(default_factory=dict)
    """The native functions of graphs that call themselves, by the graph."""
    inline_integers: bool = False
    """Whether ints may stand in the text: no array comes in, so none of them is a size."""
    generators: dict[tuple[Any, Any], int] = field(default_factory=dict)
    """What finds the random generators that are asked, and then their addresses, which these words
    hold."""
    assembly: Any = None
    """Where finished functions go."""
    may_drive: bool = False
    """Whether CPython may run the graph where it fails."""


class Builder:
    """One function while it is built."""

    def __init__(self, shared: Shared) -> None:
        self.shared = shared
        self.table = shared.table
        self.body: list[Statement] = []
        self.roots: list[Root] = []
        self.foreign: dict[int, Root] = {}
        """Memory of others in which values of this function live, by identity: that of results,
        and of the caller."""
        self.free: list[Root] = []
        self.blocks = 0
        self.list_homes: list[ListHome] = []
        self.free_lists: list[ListHome] = []
        self.foreign_lists: dict[int, ListHome] = {}
        """Lists of the caller, by identity."""
        self.constants: dict[tuple[str, str], tuple[str, str]] = {}
        """The head of the function: (dtype, value) → (name, expression)."""
        self.early: set[str] = set()
        """Sizes that are parameters of this function alone."""
        self.nowhere = Root("nowhere")
        """The root of tensors that are in no memory."""
        self.row_loop: RowLoop | None = None
        """The last loop over rows, which the next one may join."""
        self.proven: set[Node] = set()
        """Nodes that cannot fail here, and tests that hold: see `control.counted_loops`."""
        self._counts: dict[str, int] = {}

    # statements -------------------------------------------------------------------------------
    def emit(self, statement: Statement) -> None:
        """Append a statement."""
        self.body.append(statement)

    def assign(self, target: str, value: str) -> str:
        """Append an assignment; gives the target."""
        self.body.append(Assign(target, value))
        return target

    def let(self, prefix: str, value: str) -> str:
        """Append an assignment to a new variable; gives its name."""
        return self.assign(self.name(prefix), value)

    def execute(self, call: str) -> None:
        """Append a call."""
        self.body.append(Execute(call))

    def comment(self, text: str) -> None:
        """Append a line for the reader."""
        self.body.append(Comment(text))

    @contextmanager
    def into(self, body: list[Statement]) -> Iterator[list[Statement]]:
        """Append to another body for a while."""
        outer, self.body = self.body, body
        try:
            yield body
        finally:
            self.body = outer

    def name(self, prefix: str) -> str:
        """A new name."""
        count = self._counts.get(prefix, 0)
        self._counts[prefix] = count + 1
        return f"{prefix}{count}"

    # failing ----------------------------------------------------------------------------------
    def fail_if(self, condition: str, site: RaiseSite, operands: list[tuple[str, DType]]) -> None:
        """Leave with the status of `site` where the condition holds (always, where it is empty)."""
        body: list[Statement] = []
        for place, (text, dtype) in enumerate(operands[:ERROR_WORDS], 1):
            if dtype.kind == "f":
                body.append(Assign(f"numbers[{place}]", f"float64({text})"))
            else:
                body.append(Assign(f"parameters[{place}]", f"int64({text})"))
        body.append(Return(f"fail(frame, {self.site(site)})"))
        if condition:
            self.emit(If([(condition, body)]))
        else:
            self.body.extend(body)

    def site(self, site: RaiseSite) -> int:
        """The status of a raise site."""
        self.shared.sites.append(site)
        return len(self.shared.sites)

    # literals ---------------------------------------------------------------------------------
    def literal(self, value: Any, dtype: DType, divisor: bool = False) -> str:
        """A literal as a local variable of that dtype."""
        plain = self.is_plain(value, dtype, divisor)
        key = (dtype.name, f"{value!r}" if plain else f"{value!r} ")
        known = self.constants.get(key)
        if known is not None:
            return known[0]
        name = self.name("k")
        if plain:
            expression = f"{dtype_call(dtype)}({_shown(value)})"
        else:
            place = len(self.shared.literals)
            self.shared.literals.append((value, dtype))
            words = "numbers" if dtype.kind == "f" else "parameters"
            expression = f"{dtype_call(dtype)}({words}[{{literal_{place}}}])"
        self.constants[key] = (name, expression)
        return name

    def is_plain(self, value: Any, dtype: DType, divisor: bool = False) -> bool:
        """Whether a literal stands in the text, which is another one for another value."""
        if dtype.kind == "b":
            return True
        if dtype.kind == "f":
            return float(value) in PLAIN_FLOATS
        small = -LARGEST_PLAIN_INT <= int(value) <= LARGEST_PLAIN_INT
        return small and (divisor or self.shared.inline_integers)

    def constant_array(self, value: np.ndarray[Any, Any]) -> Root:
        """The memory of an array known while tracing."""
        place = len(self.shared.constants)
        self.shared.constants.append(np.ascontiguousarray(value))
        name = self.name("c")
        expression = f"array_data(arguments, {{constant_{place}}})"
        self.constants["array", str(place)] = (name, expression)
        return Root(name)

    def generator(self, owner: Any, finder: Any) -> str:
        """The address that `finder` gives of a generator, which each run finds by `owner`."""
        words = self.shared.generators
        wanted = (owner, finder)
        if wanted not in words:
            words[wanted] = self.shared.assembly.word()
        key = ("generator", str(words[wanted]))
        if key not in self.constants:
            self.constants[key] = (self.name("g"), f"parameters[{words[wanted]}]")
        return self.constants[key][0]

    # memory -----------------------------------------------------------------------------------
    def is_early(self, size: DimLike) -> bool:
        """Whether a size is known when the function starts."""
        known = self.table.sources.keys() | self.early
        return isinstance(size, int) or size.symbols <= known

    def allocate(self, size: DimLike) -> Root:
        """A root of this function with `size` bytes."""
        size = self.table.resolve(size)
        early = self.is_early(size)
        for root in self.free:
            if early and root.block is None and self.table.resolve(root.bytes) == size:
                self.free.remove(root)
                return root
            if not early and root.block is not None:
                self.free.remove(root)
                root.size = size
                self._grow(root)
                return root
        block = None
        if not early:
            block, self.blocks = self.blocks, self.blocks + 1
        root = Root(self.name("b"), size, True, block)
        self.roots.append(root)
        if block is not None:
            self._grow(root)
        return root

    def _grow(self, root: Root) -> None:
        self.assign(root.name, f"grow(frame, {root.block}, {text_of(root.bytes)})")

    def pinned(self, size: DimLike) -> Root:
        """A root that is taken until it is `unpinned`, whatever lives there."""
        free, self.free = self.free, []
        root = self.allocate(size)
        self.free = free
        root.pinned = True
        return root

    def unpin(self, root: Root) -> None:
        """Let others take a root again."""
        root.pinned = False
        root.live = 0
        self.free.append(root)

    def block(self) -> Root:
        """A root whose size is not known yet."""
        number, self.blocks = self.blocks, self.blocks + 1
        root = Root(self.name("b"), None, True, number)
        self.roots.append(root)
        return root

    def new_list(self) -> ListHome:
        """An empty list of the frame: one whose items nobody sees any more, or another one."""
        for place in reversed(range(len(self.free_lists))):
            if all(root.live <= 0 for root in self.free_lists[place].views):
                home = self.free_lists.pop(place)
                home.views = []
                return home
        home = ListHome(len(self.list_homes))
        self.list_homes.append(home)
        return home

    def array(self, dtype: DType, sizes: Sizes) -> Array:
        """A new contiguous array."""
        resolved = tuple(self.table.resolve(size) for size in sizes)
        strides = row_major(resolved)
        count: DimLike = dtype.itemsize
        for size in resolved:
            count = count * size
        return Array(self.allocate(count), dtype, resolved, strides)

    def hold(self, root: Root | ListHome) -> None:
        """One more living value is in `root`."""
        root.live += 1
        if isinstance(root, Root) and root.owned and root not in self.roots:
            self.foreign[id(root)] = root
        if isinstance(root, ListHome) and root.frame != "frame":
            self.foreign_lists[id(root)] = root

    def drop(self, root: Root | ListHome) -> None:
        """One value of `root` died; free it if that was the last."""
        root.live -= 1
        if root.live == 0:
            if isinstance(root, ListHome):
                if root.frame == "frame":
                    self.free_lists.append(root)
            elif root.home is not None:
                self.drop(root.home)
            elif root.owned and not root.pinned:
                self.free.append(root)

    def snapshot(self) -> Any:
        """What is free and how many values live where, to come back to."""
        lists = [
            (home, home.live, [(r, r.name, r.owned, r.block, r.live) for r in home.views])
            for home in (*self.list_homes, *self.foreign_lists.values())
        ]
        lives = [(root, root.live) for root in (*self.roots, *self.foreign.values())]
        return list(self.free), lives, lists, list(self.free_lists)

    def restore(self, snapshot: Any) -> None:
        """Come back to a snapshot; roots made since then are free."""
        free, lives, lists, free_lists = snapshot
        known = {id(root) for root, _ in lives}
        made = [root for root in self.roots if id(root) not in known]
        for root in made:
            root.live = 0
        made = [root for root in made if not root.pinned]
        for root, live in lives:
            root.live = live
        for home, live, views in lists:
            home.live = live
            home.views = [root for root, *_ in views]
            for root, name, owned, block, count in views:
                root.name, root.owned, root.block, root.live = name, owned, block, count
        known_lists = {id(home) for home, *_ in lists}
        new_lists = [home for home in self.list_homes if id(home) not in known_lists]
        for home in new_lists:
            home.live, home.views = 0, []
        self.free = [*free, *made]
        self.free_lists = [*free_lists, *new_lists]

    def view(self, array: Array) -> str:
        """A flat buffer over the root of an array, as a new variable."""
        return self.let("x", f"{array.dtype.name}_at({array.root.name})")


def _shown(value: Any) -> str:
    if isinstance(value, bool | np.bool_):
        return str(bool(value))
    number = float(value) if isinstance(value, float | np.floating) else int(value)
    return repr(number)
