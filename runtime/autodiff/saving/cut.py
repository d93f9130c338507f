"""The smallest set of values from which others can be computed: a minimum cut."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Sequence
from typing import TypeVar

V = TypeVar("V")

ENDLESS = 1 << 60


def smallest_cut(
    needed: Sequence[V], inputs_of: Callable[[V], Collection[V] | None], cost: Callable[[V], int]
) -> list[V]:
    """Which values to keep, at the least cost, so that `needed` can be computed from them.

    `inputs_of` gives what a value is computed from, without what is there anyway; None where it
    cannot be computed. Of several such sets it is the one nearest to what is needed,
    in an order that is the same in every process.
    """
    flow = _Flow()
    entries: dict[V, int] = {}
    waiting: list[V] = []

    def entry(value: V) -> int:
        """The vertex where computing `value` begins; the next one is where it is there."""
        if value not in entries:
            entries[value] = flow.vertex()
            flow.edge(entries[value], flow.vertex(), cost(value))
            waiting.append(value)
        return entries[value]

    for value in needed:
        flow.edge(entry(value) + 1, _Flow.SINK, ENDLESS)
    while waiting:
        value = waiting.pop()
        inputs = inputs_of(value)
        if inputs is None:
            flow.edge(_Flow.SOURCE, entries[value], ENDLESS)
            continue
        for one in inputs:
            flow.edge(entry(one) + 1, entries[value], ENDLESS)
    flow.fill()
    before = flow.not_reaching_the_sink()
    return [v for v, vertex in entries.items() if before[vertex] and not before[vertex + 1]]


class _Flow:
    """A network, and the greatest flow through it, by Dinic's method."""

    SOURCE, SINK = 0, 1

    def __init__(self) -> None:
        self.edges: list[list[int]] = [[], []]
        """For each vertex the numbers of its edges; that of an edge back is the number xor 1."""
        self.ends: list[int] = []
        self.room: list[int] = []

    def vertex(self) -> int:
        self.edges.append([])
        return len(self.edges) - 1

    def edge(self, start: int, end: int, capacity: int) -> None:
        for one, other, room in ((start, end, capacity), (end, start, 0)):
            self.edges[one].append(len(self.ends))
            self.ends.append(other)
            self.room.append(room)

    def fill(self) -> None:
        """Send all that the edges can take."""
        while True:
            levels = self._levels()
            if levels[self.SINK] < 0:
                return
            following = [0] * len(self.edges)
            while self._send(levels, following):
                pass

    def _levels(self) -> list[int]:
        levels = [-1] * len(self.edges)
        levels[self.SOURCE] = 0
        waiting = deque([self.SOURCE])
        while waiting:
            vertex = waiting.popleft()
            for number in self.edges[vertex]:
                end = self.ends[number]
                if self.room[number] and levels[end] < 0:
                    levels[end] = levels[vertex] + 1
                    waiting.append(end)
        return levels

    def _send(self, levels: list[int], following: list[int]) -> bool:
        """One path to the sink, by edges to the next level; those tried in vain are not again."""
        path: list[int] = []
        vertex = self.SOURCE
        while vertex != self.SINK:
            if following[vertex] == len(self.edges[vertex]):
                if not path:
                    return False
                vertex = self.ends[path.pop() ^ 1]
                following[vertex] += 1
                continue
            number = self.edges[vertex][following[vertex]]
            end = self.ends[number]
            if self.room[number] and levels[end] == levels[vertex] + 1:
                path.append(number)
                vertex = end
            else:
                following[vertex] += 1
        sent = min(self.room[number] for number in path)
        for number in path:
            self.room[number] -= sent
            self.room[number ^ 1] += sent
        return True

    def not_reaching_the_sink(self) -> list[bool]:
        """For each vertex whether no more could be sent from it to the sink."""
        far = [True] * len(self.edges)
        far[self.SINK] = False
        waiting = [self.SINK]
        while waiting:
            vertex = waiting.pop()
            for number in self.edges[vertex]:
                start = self.ends[number]
                if self.room[number ^ 1] and far[start]:
                    far[start] = False
                    waiting.append(start)
        return far
