"""`same_graph`: are two graphs one but for the names of their values?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from autograph.runtime.graph.ir import Graph, Node, Value


def same_graph(one: Graph, other: Graph) -> bool:
    """Whether both have the same ops, attributes, wiring and specs (names of symbols included).

    Names of graphs and values, and the user's lines, do not count. Graphs that are shared in one
    must be shared alike in the other.
    """
    return _Pairing().all_same(one, other)


class _Pairing:
    """What of one graph stands for what of the other."""

    def __init__(self) -> None:
        self.values: dict[Value, Value] = {}
        self.partners: dict[Graph, Graph] = {}
        self.reverse: dict[Graph, Graph] = {}
        self.waiting: list[tuple[Graph, Graph]] = []
        """Pairs that were met and are still to be compared: graphs may be nested deeply."""

    def all_same(self, one: Graph, other: Graph) -> bool:
        """Whether these are the same, and all that they run."""
        self._paired(one, other)
        return all(self._graphs(*pair) for pair in self.waiting)

    def _paired(self, one: Graph, other: Graph) -> bool:
        if one not in self.partners and other not in self.reverse:
            self.partners[one], self.reverse[other] = other, one
            self.waiting.append((one, other))
        return self.partners.get(one) is other and self.reverse.get(other) is one

    def _graphs(self, one: Graph, other: Graph) -> bool:
        return (
            self._defined(one.inputs, other.inputs)
            and len(one.nodes) == len(other.nodes)
            and all(map(self._nodes, one.nodes, other.nodes))
            and self._used(one.outputs, other.outputs)
        )

    def _nodes(self, one: Node, other: Node) -> bool:
        return (
            one.op is other.op
            and self._used(one.inputs, other.inputs)
            and one.attributes.keys() == other.attributes.keys()
            and all(self._equal(one.attributes[n], other.attributes[n]) for n in one.attributes)
            and self._defined(one.outputs, other.outputs)
        )

    def _defined(self, one: Sequence[Value], other: Sequence[Value]) -> bool:
        self.values.update(zip(one, other))
        return [value.spec for value in one] == [value.spec for value in other]

    def _used(self, one: Sequence[Value], other: Sequence[Value]) -> bool:
        return [self.values.get(value) for value in one] == list(other)

    def _equal(self, one: Any, other: Any) -> bool:
        if type(one) is not type(other):
            return False
        if isinstance(one, Graph):
            return self._paired(one, other)
        if type(one) is tuple:
            return len(one) == len(other) and all(map(self._equal, one, other))
        if isinstance(one, np.ndarray | np.generic | float):
            return _same_array(np.asarray(one), np.asarray(other))
        if hasattr(one, "map_integers"):
            return self._equal(_parts(one), _parts(other))
        return one is other or bool(one == other)


def _same_array(one: np.ndarray[Any, Any], other: np.ndarray[Any, Any]) -> bool:
    """Whether elements are equal, NaN to NaN; 0.0 is not -0.0."""
    return (
        one.dtype == other.dtype
        and np.array_equal(one, other, equal_nan=True)
        and (one.dtype.kind != "f" or np.array_equal(_signs(one), _signs(other)))
    )


def _signs(array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    signs: np.ndarray[Any, Any] = np.signbit(array) & ~np.isnan(array)
    return signs


def _parts(entry: Any) -> tuple[Any, ...]:
    found: list[Any] = []

    def note(part: Any) -> Any:
        found.append(part)
        return part

    entry.map_integers(note)
    return tuple(found)
