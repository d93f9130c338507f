"""Regions: a stretch of a trace whose writes can be rolled back."""

from __future__ import annotations

import re
from collections.abc import Callable
from types import CodeType
from typing import Any

from autograph.errors import StateError
from autograph.runtime.core.anatomy import with_article
from autograph.runtime.graph.ir import Graph, Node
from autograph.runtime.graph.trace import Trace
from autograph.tracing.places import AttributePlace, Key, Place


class Region:
    """One branch, one turn of a loop, or the whole function.

    The log keeps the old value of each place written in it, in the order of the first writes.
    Objects created in it are nobody else's state.
    """

    def __init__(
        self, trace: Trace, parent: Region | None, settle: Callable[[], None] = lambda: None
    ) -> None:
        self.trace = trace
        self.parent = parent
        self.settle = settle
        """Stores what was changed through handles: before it counts what changed."""
        self.log: dict[Key, tuple[Place, Any]] = {}
        self.born: dict[int, Any] = {}
        self.finals: dict[Key, Any] = {}
        """What the changed places held at the end, kept beyond the roll-back."""
        self.merged: Region | None = None
        """The region that its writes were committed to."""
        self.turn_of: tuple[CodeType, ...] = ()
        """The bodies of the loop or the recursive function, of which the region is one run."""
        self.number = 0
        """Regions are numbered as they are entered."""
        self.given: dict[int, Any] = {}
        """Objects in it that stand for arguments of a recursive call."""
        self.given_log: dict[Key, tuple[Place, Any]] = {}
        """The old values of the places in those."""
        self.advanced: dict[int, str] = {}
        """Iterators from outside that were advanced in it, which no roll-back takes back: the
        classes by the ids, so that nothing here keeps a generator."""

    def touch(self, place: Place) -> None:
        """Note what `place` holds, before it is written for the first time."""
        if place.key not in self.log and id(place.owner) not in self.born:
            self.log[place.key] = (place, place.get())
        elif id(place.owner) in self.given and place.key not in self.given_log:
            self.given_log[place.key] = (place, place.get())

    def note_order(self, deleted: AttributePlace) -> None:
        """Note in what order the attributes stand of an object from which one is deleted."""
        region: Region | None = self
        while region is not None:
            place, _ = region.log.get(deleted.key, (None, None))
            if isinstance(place, AttributePlace):
                place.note_order()
            region = region.parent

    def advance(self, iterator: Any) -> None:
        """Note that an iterator is advanced."""
        kind = getattr(iterator, "kind", None)
        self._advance(id(iterator), (kind if isinstance(kind, type) else type(iterator)).__name__)

    def _advance(self, iterator: int, kind: str) -> None:
        if iterator not in self.born:
            self.advanced[iterator] = kind

    def _settled(self) -> None:
        try:
            self.settle()
        except BaseException:
            self.roll_back()
            raise

    def changed(self) -> dict[Key, Place]:
        """The places that hold something else than before."""
        self._settled()
        return {
            key: place for key, (place, old) in self.log.items() if not place.same(old, place.get())
        }

    def finish(self) -> dict[Key, Place]:
        """End the region: keep what its changed places hold, restore them, give them."""
        changed = self.changed()
        self.finals = {key: place.get() for key, place in changed.items()}
        self.take_back()
        return changed

    def take_back(self) -> None:
        """Roll back what is traced again; StateError where that cannot be taken back."""
        self.roll_back()
        for kind in self.advanced.values():
            raise advanced_inside(kind)

    def roll_back(self) -> None:
        """Make every place hold again what it held before."""
        for place, old in reversed(list(self.log.values())):
            if not place.same(old, place.get()):
                place.set(old)

    def commit(self) -> None:
        """Let the writes stand: they are the parent's now."""
        self._settled()
        assert self.parent is not None
        self.merged = self.parent
        for key, (place, old) in self.log.items():
            if id(place.owner) not in self.parent.born:
                self.parent.log.setdefault(key, (place, old))
        self.parent.born.update(self.born)
        for iterator, kind in self.advanced.items():
            self.parent._advance(iterator, kind)


def advanced_inside(kind: str) -> StateError:
    """The error for an iterator that staged code advances, and would have to take back."""
    return StateError(
        f"{with_article(kind)} made before a staged branch or loop is advanced inside it",
        remedy="make it there, or make a list of it before",
    )


def advanced_outside(tracing: Any, iterator: Any) -> StateError:
    """The error for an iterator that stands nobody knows where."""
    kind = getattr(iterator, "kind", type(iterator)).__name__
    path = tracing.paths.get(id(iterator), "")
    error = StateError(
        f"{with_article(kind)} is advanced while tracing; its state is not known to the graph",
        remedy="make a list of it before the call"
        if path
        else "make a list of it where it is made, outside of staged branches",
    )
    if found := re.fullmatch(r"a\[(\d+)\]", path):
        error.__dict__["asked"] = int(found[1])  # an argument: its items can be taken before
    return error


def not_one_by_one(message: str) -> StateError:
    """The error for what cannot give its items one by one; another form may give them."""
    error = StateError(
        message,
        remedy="go over the generator with a for statement, a list comprehension, or list, sum, "
        "any, all, min or max",
    )
    error.__dict__["around_yield"] = True
    return error


class Checkpoint:
    """How far a trace had come, to take back nodes that a roll-back makes meaningless.

    A gradient may put nodes in the midst of those that were there: these stay.
    """

    def __init__(self, trace: Trace, popped: dict[int, bool], disturbed: set[int]) -> None:
        self.trace = trace
        self.sets = (popped, popped.copy()), (disturbed, disturbed.copy())
        nodes = trace.graph.nodes
        self.last = nodes[-1] if nodes else None

    def _later(self) -> int:
        nodes = self.trace.graph.nodes
        place = len(nodes)
        while place and nodes[place - 1] is not self.last:
            place -= 1
        return place

    @property
    def advanced(self) -> bool:
        """Whether nodes were added since, constants aside."""
        return any(node.op.name != "constant" for node in self.nodes())

    def nodes(self) -> list[Node]:
        """The nodes that were added since."""
        return self.trace.graph.nodes[self._later() :]

    def count(self) -> int:
        """How many nodes were added since, those of branches and loops included."""
        left, found = self.nodes(), 0
        seen: set[int] = set()  # a function that calls itself has its graph in itself
        while left:
            node = left.pop()
            found += 1
            for graph in node.graphs:
                if id(graph) not in seen:
                    seen.add(id(graph))
                    left.extend(graph.nodes)
        return found

    def restore(self) -> None:
        """Take the nodes back."""
        for now, before in self.sets:
            now.clear()
            now.update(before)  # type: ignore[arg-type]
        place = self._later()
        dropped = self.trace.graph.nodes[place:]
        del self.trace.graph.nodes[place:]
        self.trace.forget_constants(set(map(id, dropped)))
        # Their values belong to no graph: a cell that holds one is not alive, and a use is a leak.
        nowhere = Graph("rolled back")
        for node in dropped:
            for value in node.outputs:
                value.graph = nowhere
        trace: Trace | None = self.trace
        while dropped and trace is not None:
            for tape in (*trace.tapes, *trace.stopped):
                tape.forget_graph(nowhere)
            trace = trace.parent
