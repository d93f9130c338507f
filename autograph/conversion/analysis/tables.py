"""Side tables: answers about nodes, keyed by which node it is."""

from __future__ import annotations

from typing import Generic, TypeVar

from autograph.conversion.syntax.tree import Node

Answer = TypeVar("Answer")


class NodeTable(Generic[Answer]):
    """A mapping from nodes to answers. It keeps its nodes alive, so that identities stay valid."""

    def __init__(self) -> None:
        self._entries: dict[int, tuple[Node, Answer]] = {}

    def __setitem__(self, node: Node, answer: Answer) -> None:
        self._entries[id(node)] = (node, answer)

    def __getitem__(self, node: Node) -> Answer:
        return self._entries[id(node)][1]

    def __contains__(self, node: Node) -> bool:
        return id(node) in self._entries

    def nodes(self) -> list[Node]:
        """The nodes, in the order in which they were first entered."""
        return [node for node, _ in self._entries.values()]
