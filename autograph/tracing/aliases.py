"""Which tensors of a trace are, on some path, one another."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from autograph.errors import MergeError
from autograph.runtime.core.tensor import Tensor


@dataclass(frozen=True, slots=True)
class Identity:
    """Which tensor a merged tensor is: that of `objects` whose number is the tag.

    If it may be an object of its `own`, the tag is 0 there. None of the objects is always another
    one itself. `lost`: it may be one that cannot be reached any more.
    """

    tag: Tensor
    objects: tuple[Tensor, ...]
    own: bool
    lost: bool


class Identities:
    """The identities of the merged tensors of a trace, and a number for every object.

    `keep` keeps an object alive as long as the trace, so that its id stays its own.
    """

    def __init__(self, keep: Callable[[Any], None]) -> None:
        self._keep = keep
        self._known: dict[int, Identity] = {}
        self._followers: dict[int, list[Tensor]] = {}
        self._numbers: dict[int, int] = {}
        self._roots: dict[int, frozenset[int]] = {}
        self.asked: dict[tuple[Any, ...], Any] = {}
        """What was worked out in a graph: flags and numbers, with the graph, by their keys."""

    def of(self, tensor: Any) -> Identity | None:
        """What a tensor may be beside itself; None if no merge has made it."""
        return self._known.get(id(tensor))

    def followers(self, tensor: Tensor) -> tuple[Tensor, ...]:
        """The merged tensors that may be this one."""
        return tuple(self._followers.get(id(tensor), ()))

    def number_of(self, tensor: Tensor) -> int:
        """The number that tells a tensor from all others in this trace; none has 0."""
        if id(tensor) not in self._numbers:
            self._numbers[id(tensor)] = len(self._numbers) + 1
            self._keep(tensor)
        return self._numbers[id(tensor)]

    def note(self, tensor: Tensor, identity: Identity) -> None:
        """Note which of other tensors `tensor` is."""
        self._known[id(tensor)] = identity
        self._keep(tensor)
        for other in identity.objects:
            if other is tensor:
                raise MergeError(
                    "each of two names may hold the tensor of the other, by staged conditions",
                    remedy="copy one of them: x = ag.copy(x)",
                )
            self._followers.setdefault(id(other), []).append(tensor)
            self._keep(other)

    def roots(self, tensor: Tensor) -> frozenset[int]:
        """The ids of the objects that a tensor may be, itself unless it is always another one."""
        known = self._roots.get(id(tensor))
        if known is None:
            identity = self._known.get(id(tensor))
            if identity is None:
                return frozenset({id(tensor)})
            own = {id(tensor)} if identity.own else set()
            known = frozenset(own | {id(one) for one in identity.objects})
            self._roots[id(tensor)] = known
        return known
